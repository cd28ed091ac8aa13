/**
 * How uniform control flow is at each op and barrier: reached by all lanes of the workgroup together, of the subgroup, or by
 * some. Conservative: what is not shown to be uniform counts as divergent.
 */
import { resourceOf } from "../../ast/lookup.js";
import type {
  Barrier,
  Expr,
  FunctionCall,
  FunctionDeclaration,
  FunctionId,
  Module,
  OpCall,
  Place,
  Statement,
  VarId,
} from "../../ast/nodes.js";
import { walkExpr } from "../../ast/walk.js";
import { idRow } from "../../ops/ids.js";
import { row } from "../../ops/table.js";
import { CallGraph } from "../interface/select-entries.js";

/** 2: the whole workgroup agrees, 1: each subgroup does, 0: lanes may differ. */
export type Level = 0 | 1 | 2;

const levelOf = { workgroup: 2, subgroup: 1, lane: 0 } as const;

const least = (...levels: readonly Level[]): Level => Math.min(...levels) as Level;

type FlowNode = OpCall | FunctionCall | Barrier;

export class FlowLevels {
  private readonly levels = new Map<FlowNode, Level>();
  private readonly uniformOperands = new Set<OpCall>();

  of(node: FlowNode): Level {
    return this.levels.get(node) ?? 0;
  }

  has(node: FlowNode): boolean {
    return this.levels.has(node);
  }

  set(node: FlowNode, level: Level): void {
    this.levels.set(node, level);
  }

  private readonly pointers = new Map<VarId | Expr, Level>();

  /** How far lanes agree on which object a pointer variable points into, or a `?:` between pointers. */
  agreedPointer(on: VarId | Expr): Level {
    return this.pointers.get(on) ?? 0;
  }

  setPointer(on: VarId | Expr, level: Level): void {
    this.pointers.set(on, level);
  }

  /** Every operand after the first has the same value in all lanes of the subgroup: the lane or delta of a shuffle. */
  hasUniformOperands(node: OpCall): boolean {
    return this.uniformOperands.has(node);
  }

  setUniformOperands(node: OpCall): void {
    this.uniformOperands.add(node);
  }
}

export function analyseFlow(module: Module): FlowLevels {
  const result = new FlowLevels();
  const entryLevels = new Map<FunctionId, Level>();
  for (const e of module.entries) entryLevels.set(e.function, 2);
  for (const f of callersFirst(module)) {
    const analysis = new FunctionFlow(module, f, entryLevels.get(f.id) ?? 2, result, (callee, level) => {
      entryLevels.set(callee, least(entryLevels.get(callee) ?? 2, level));
    });
    analysis.run();
  }
  return result;
}

/** Functions in an order in which callers come before what they call. */
export function callersFirst(module: Module): FunctionDeclaration[] {
  const done = new Set<FunctionId>();
  const out: FunctionDeclaration[] = [];
  const graph = new CallGraph(module);
  const byId = new Map(module.functions.map((f) => [f.id, f]));
  const visit = (f: FunctionDeclaration): void => {
    if (done.has(f.id)) return;
    done.add(f.id);
    for (const id of graph.callees(f.id)) {
      const g = byId.get(id);
      if (g) visit(g);
    }
    out.push(f);
  };
  module.functions.forEach(visit);
  return out.reverse();
}

/** What `break` leaves: loops and switches. */
interface Loop {
  level: Level;
  readonly isSwitch: boolean;
}

/** Rounds of a function after which what still changes counts as divergent, so that the work grows with the text alone. */
const mostRounds = 32;

class FunctionFlow {
  private readonly variables = new Map<VarId, Level>();
  private changed = false;
  private recording = false;
  private flow: Level;
  private loops: Loop[] = [];
  /** How many lanes go on in each loop or switch, as found so far: a break lowers the beginning of the next round. */
  private readonly found = new Map<Statement, Loop>();
  /** Past `mostRounds`: variables and loops of the function count as divergent. */
  private gaveUp = false;

  constructor(
    private readonly module: Module,
    private readonly f: FunctionDeclaration,
    private readonly entry: Level,
    private readonly result: FlowLevels,
    private readonly called: (callee: FunctionId, level: Level) => void,
  ) {
    this.flow = entry;
    for (const p of f.parameters) this.variables.set(p, 0);
  }

  run(): void {
    let rounds = 0;
    do {
      this.changed = false;
      this.gaveUp = rounds++ >= mostRounds;
      this.flow = this.entry;
      this.statements(this.f.body.statements);
    } while (this.changed);
    this.recording = true;
    this.flow = this.entry;
    this.statements(this.f.body.statements);
  }

  private loopOf(s: Statement): Loop {
    let loop = this.found.get(s);
    if (!loop) this.found.set(s, (loop = { level: 2, isSwitch: s.kind === "switch" }));
    if (this.gaveUp) loop.level = 0;
    return loop;
  }

  private lowerLoop(loop: Loop, level: Level): void {
    if (level >= loop.level) return;
    loop.level = level;
    this.changed = true;
  }

  private lower(id: VarId, level: Level): void {
    if (this.gaveUp) return;
    const now = least(this.variables.get(id) ?? 2, level);
    if (now !== (this.variables.get(id) ?? 2)) {
      this.variables.set(id, now);
      this.changed = true;
    }
  }

  private statements(list: readonly Statement[]): void {
    list.forEach((s) => this.statement(s));
  }

  private statement(s: Statement): void {
    switch (s.kind) {
      case "block":
        return this.statements(s.statements);
      case "declare":
        if (s.initializer) {
          this.visit(s.initializer);
          this.lower(s.variable, least(this.value(s.initializer), this.flow));
        }
        if (this.recording && this.module.variables.get(s.variable)?.type.kind === "pointer")
          this.result.setPointer(s.variable, this.gaveUp ? 0 : (this.variables.get(s.variable) ?? 2));
        return;
      case "expression":
        return this.visit(s.expression);
      case "if": {
        this.visit(s.condition);
        const before = this.flow;
        this.flow = least(before, this.value(s.condition));
        const inside = this.flow;
        this.statement(s.then);
        const afterThen = this.flow;
        this.flow = inside;
        if (s.else) this.statement(s.else);
        // Lanes join again, unless some left by return.
        this.flow = this.left ? least(afterThen, this.flow) : before;
        return;
      }
      case "switch": {
        this.visit(s.value);
        const before = this.flow;
        this.flow = least(before, this.value(s.value));
        const loop = this.loopOf(s);
        this.lowerLoop(loop, this.flow);
        this.loops.push(loop);
        this.flow = loop.level;
        for (const c of s.cases) {
          this.flow = least(this.flow, loop.level);
          this.statements(c.body);
        }
        this.loops.pop();
        this.flow = this.left ? this.flow : before;
        return;
      }
      case "for":
        this.statements(s.initializer);
        return this.loop(s, s.step, false);
      case "while":
        return this.loop(s, undefined, false);
      case "do-while":
        return this.loop(s, undefined, true);
      case "break":
      case "continue": {
        // Others go on without these lanes, in this and later rounds.
        const from = s.kind === "break" ? this.loops.at(-1) : this.loops.findLast((l) => !l.isSwitch);
        if (from) this.lowerLoop(from, this.flow);
        // The switch it stands in is left as well.
        for (const l of this.loops.slice(from ? this.loops.indexOf(from) + 1 : 0)) this.lowerLoop(l, this.flow);
        return;
      }
      case "return":
        if (s.value) this.visit(s.value);
        if (this.flow < this.entry) this.left = true;
        return;
      case "barrier":
        if (this.recording) this.result.set(s, this.flow);
    }
  }

  /** Some lanes returned while others go on: nothing after is reached by all. */
  private left = false;

  /** Once a round of the function: what a break lowers is met by the next one. */
  private loop(s: Statement & { kind: "for" | "while" | "do-while" }, step: Expr | undefined, late: boolean): void {
    const { condition, body } = s;
    const before = this.flow;
    const loop = this.loopOf(s);
    this.lowerLoop(loop, before);
    this.loops.push(loop);
    if (!late && condition) {
      this.visit(condition);
      this.lowerLoop(loop, this.value(condition));
    }
    this.flow = loop.level;
    this.statement(body);
    this.flow = least(this.flow, loop.level);
    if (late && condition) {
      this.visit(condition);
      this.lowerLoop(loop, this.value(condition));
    }
    if (step) this.visit(step);
    this.loops.pop();
    this.flow = this.left ? least(before, this.flow) : before;
  }

  /** Records ops and assignments inside an expression, with the flow each part has. */
  private visit(e: Expr): void {
    walkExpr(e, {
      expr: (x) => {
        switch (x.kind) {
          case "op":
            if (this.recording) this.result.set(x, this.flow);
            if (this.recording && x.arguments.length > 1 && x.arguments.slice(1).every((a) => this.value(a) >= 1))
              this.result.setUniformOperands(x);
            for (const p of x.places) this.lowerPlace(p, 0);
            return true;
          case "call":
            if (this.recording) {
              this.called(x.function, this.flow);
              this.result.set(x, this.flow);
            }
            for (const a of x.arguments) if (a.mode !== "value") this.lowerPlace(a.place, 0);
            return true;
          case "assign":
            this.lowerPlace(x.target, least(this.value(x.value), this.flow, x.operator ? this.place(x.target) : 2));
            return true;
          case "increment":
            this.lowerPlace(x.place, least(this.place(x.place), this.flow));
            return true;
          case "address-of":
            this.lowerPlace(x.place, 0);
            return true;
          case "logical": {
            this.logical(x);
            return false;
          }
          case "conditional": {
            this.visit(x.condition);
            if (this.recording && x.type.kind === "pointer") this.result.setPointer(x, this.value(x.condition));
            const before = this.flow;
            this.flow = least(before, this.value(x.condition));
            this.visit(x.whenTrue);
            this.visit(x.whenFalse);
            this.flow = before;
            return false;
          }
          default:
            return true;
        }
      },
    });
  }

  /** A chain of `&&` and `||` from its first operand on: each is reached by lanes that agree on all before it. */
  private logical(e: Expr & { kind: "logical" }): void {
    const operands: Expr[] = [];
    let first: Expr = e;
    for (; first.kind === "logical"; first = first.left) operands.push(first.right);
    operands.push(first);
    const before = this.flow;
    let agreed: Level = 2;
    for (const operand of operands.reverse()) {
      this.flow = least(before, agreed);
      this.visit(operand);
      this.flow = before;
      agreed = least(agreed, this.value(operand));
    }
  }

  private lowerPlace(p: Place, level: Level): void {
    switch (p.kind) {
      case "variable":
        return this.lower(p.variable, level);
      case "deref":
        return;
      case "element":
        return this.lowerPlace(p.base, least(level, this.value(p.index)));
      case "view":
        return this.lowerPlace(p.base, least(level, this.value(p.offset)));
      default:
        return this.lowerPlace(p.base, level);
    }
  }

  /** How far lanes agree on a value. */
  private value(e: Expr): Level {
    switch (e.kind) {
      case "literal":
      case "enumerator":
      case "length":
      case "null-pointer":
        return 2;
      case "address-of":
        return this.address(e.place);
      case "pointer-offset":
        return least(this.value(e.pointer), this.value(e.offset));
      case "builtin":
        return levelOf[idRow(e.builtin).sameIn ?? "lane"];
      case "load":
        return this.place(e.place);
      case "unary":
      case "convert":
      case "bitcast":
      case "splat":
      case "swizzle-value":
      case "member-value":
        return this.value(e.operand);
      case "element-value":
        return least(this.value(e.operand), this.value(e.index));
      case "binary":
      case "logical":
        return least(this.value(e.left), this.value(e.right));
      case "comma":
        return this.value(e.right);
      case "conditional":
        return least(this.value(e.condition), this.value(e.whenTrue), this.value(e.whenFalse));
      case "construct":
        return least(2, ...e.arguments.map((a) => this.value(a)));
      case "op":
        if (e.places.length > 0) return 0;
        return this.agreed(e);
      case "assign":
        return e.operator ? least(this.value(e.value), this.place(e.target)) : this.value(e.value);
      default:
        return 0;
    }
  }

  private agreed(e: OpCall): Level {
    const { agreement, family, effect } = row(e.op);
    if (agreement === "shared") return family === "workgroup" ? this.flow : least(1, this.flow);
    return agreement === "operands" || effect === "pure" ? least(2, ...e.arguments.map((a) => this.value(a))) : 0;
  }

  private address(p: Place): Level {
    switch (p.kind) {
      case "variable":
        return 2;
      case "deref":
        return this.value(p.pointer);
      case "element":
        return least(this.address(p.base), this.value(p.index));
      case "view":
        return least(this.address(p.base), this.value(p.offset));
      default:
        return this.address(p.base);
    }
  }

  private place(p: Place): Level {
    switch (p.kind) {
      case "variable": {
        const r = resourceOf(this.module, p.variable);
        if (r)
          return r.kind === "buffer" ? (r.access === "read" ? 2 : 0) : r.kind === "workgroup-sized-at-launch" ? 0 : 2;
        const v = this.module.variables.get(p.variable);
        if (!v || v.space === "workgroup" || v.space === "global") return 0;
        if (v.space === "constant") return 2;
        if (v.role === "global") return v.compileTime || v.constant ? 2 : 0;
        return this.gaveUp ? 0 : (this.variables.get(p.variable) ?? 2);
      }
      case "deref":
        return 0;
      case "element":
        return least(this.place(p.base), this.value(p.index));
      case "view":
        return least(this.place(p.base), this.value(p.offset));
      default:
        return this.place(p.base);
    }
  }
}
