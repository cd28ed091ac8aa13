/**
 * Order of evaluation. GLSL and HLSL evaluate operands from left to right; C and C++ leave the order open, and where one
 * operand changes what another uses, everything. Such expressions are taken apart: effects run as statements, in order.
 */
import { declare, expressionStatement, load, ModuleEditor, rootVariable, variablePlace } from "../ast/builders.js";
import { languageFacts } from "../dialects/language.js";
import { Effects, lazyOperands, opWrites } from "../ops/effects.js";
import type { Expr, FunctionDeclaration, FunctionId, Module, Place, Statement, VarId } from "../ast/nodes.js";
import { walkExpr, walkStatement } from "../ast/walk.js";
import { noSpan } from "../support/span.js";
import { Linearizer } from "./linearize.js";
import type { PassContext, TextPass } from "./pass.js";

/** What an expression reads and writes: variables, or memory through pointers. */
interface Footprint {
  readonly reads: Set<VarId | "memory">;
  readonly writes: Set<VarId | "memory">;
}

const empty = (): Footprint => ({ reads: new Set(), writes: new Set() });

export const sequenceEffects: TextPass = {
  name: "sequence-effects",
  run(module, context) {
    if (!languageFacts[module.dialect].ordered || context.target === module.dialect) return module;
    const footprints = new Footprints(module);
    return sequenced(module, context, footprints, (e) => footprints.conflicts(e));
  },
};

/** GLSL's `mix` has the condition last, which the tree evaluates first. */
export const sequenceChoices: TextPass = {
  name: "sequence-choices",
  run(module, context) {
    if (!languageFacts[module.dialect].ordered) return module;
    const footprints = new Footprints(module);
    return sequenced(module, context, footprints, (e) => footprints.conflicts(e, (x) => x.kind === "op" && x.op === "select.componentwise"));
  },
};

/** Full expressions whose operands are in conflict, with their effects in statements before them. */
function sequenced(module: Module, context: PassContext, footprints: Footprints, inConflict: (e: Expr) => boolean): Module {
  const editor = new ModuleEditor(module);
  const functions = module.functions.map((f): FunctionDeclaration => {
    const hoist = new Set<Expr>();
    walkStatement(f.body, {
      statement: (s) => {
        for (const e of fullExpressions(s)) if (inConflict(e)) for (const x of footprints.effects(e)) if (x !== e) hoist.add(x);
      },
    });
    if (hoist.size === 0) return f;
    for (const e of hoist) context.note("emulated", "evaluation-order", "effects inside an expression run as statements of their own", e.span);
    const linearizer: Linearizer = new Linearizer(editor, (e, _discarded, original) => {
      if (!hoist.has(original)) return undefined;
      const keep = (value: Expr): { before: readonly Statement[]; value: Expr } => {
        const t = editor.addVariable({ name: "t", type: value.type, space: "private", role: "local", constant: false, span: noSpan });
        linearizer.settled.add(t.id);
        return { before: [declare(t.id, value)], value: load(variablePlace(t), e.span) };
      };
      if (e.kind === "increment" && !e.prefix) {
        const old = keep(load(e.place, e.span));
        return { before: [...old.before, expressionStatement(e)], value: old.value };
      }
      if (e.kind === "call" && e.type.kind === "void") return { before: [expressionStatement(e)], value: undefined };
      return keep(e);
    });
    return linearizer.function(f);
  });
  return editor.finish({ functions });
} // prettier-ignore

/**
 * HLSL evaluates all operands of `&&`, `||` and `?:` before version 2021 of the language, and compilers for other drivers
 * still do. Operands that do something besides giving a value stand in branches.
 */
export const lazyEffects: TextPass = {
  name: "lazy-effects",
  run(module, context) {
    if (context.target === module.dialect) return module;
    const editor = new ModuleEditor(module);
    const effects = new Effects(module);
    const functions = module.functions.map((f): FunctionDeclaration => {
      const apart = new Set<Expr>();
      walkStatement(f.body, {
        expr: (e) => {
          for (const operand of lazyOperands(e)) {
            if (!effects.of(operand)) continue;
            apart.add(operand);
            context.note("emulated", "lazy-operand", "operands with effects that &&, || and ?: may skip stand in branches", operand.span);
          }
        },
      });
      if (apart.size === 0) return f;
      return new Linearizer(editor, () => undefined, (operand) => apart.has(operand)).function(f);
    });
    return editor.finish({ functions });
  },
};

/** Expressions with a sequence point at their end. */
function fullExpressions(s: Statement): readonly Expr[] {
  const list: (Expr | undefined)[] =
    s.kind === "declare" ? [s.initializer]
    : s.kind === "expression" ? [s.expression]
    : s.kind === "if" || s.kind === "while" || s.kind === "do-while" ? [s.condition]
    : s.kind === "for" ? [s.condition, s.step]
    : s.kind === "switch" ? [s.value]
    : s.kind === "return" ? [s.value]
    : []; // prettier-ignore
  return list.filter((e): e is Expr => e !== undefined);
}

/** Whether two places may have a part in common: not different variables, nor different members. */
function mayMeet(a: Place, b: Place): boolean {
  const steps = (p: Place): Place[] => (p.kind === "variable" || p.kind === "deref" ? [p] : [...steps(p.base), p]);
  const [x, y] = [steps(a), steps(b)];
  if (rootVariable(a) !== rootVariable(b)) return false;
  return x.every((s, i) => {
    const other = y[i];
    return s.kind !== "member" || other?.kind !== "member" || s.member === other.member;
  });
} // prettier-ignore

class Footprints {
  private readonly functions = new Map<FunctionId, Footprint>();

  constructor(private readonly module: Module) {}

  /** Globals and memory a function touches. */
  private ofFunction(id: FunctionId): Footprint {
    const known = this.functions.get(id);
    if (known) return known;
    const found = empty();
    this.functions.set(id, found);
    const f = this.module.functions.find((x) => x.id === id);
    if (!f) return found;
    const mine = new Set<VarId>(f.parameters);
    walkStatement(f.body, { statement: (s) => void (s.kind === "declare" && mine.add(s.variable)) });
    walkStatement(f.body, {
      place: (p, use) => {
        const root = p.kind === "deref" ? "memory" : p.kind === "variable" && !mine.has(p.variable) ? p.variable : undefined;
        if (root === undefined) return;
        if (use !== "write") found.reads.add(root);
        if (use !== "read") found.writes.add(root);
      },
      expr: (e) => {
        if (e.kind !== "call") return;
        const inner = this.ofFunction(e.function);
        inner.reads.forEach((v) => found.reads.add(v));
        inner.writes.forEach((v) => found.writes.add(v));
      },
    });
    return found;
  }

  private of(e: Expr | undefined): Footprint {
    const found = empty();
    if (!e) return found;
    walkExpr(e, {
      place: (p, use) => this.touch(found, p, use),
      expr: (x) => {
        if (x.kind !== "call") return;
        const inner = this.ofFunction(x.function);
        inner.reads.forEach((v) => found.reads.add(v));
        inner.writes.forEach((v) => found.writes.add(v));
      },
    });
    return found;
  }

  private touch(found: Footprint, p: Place, use: "read" | "write" | "both" | "address"): void {
    const root = p.kind === "deref" ? "memory" : p.kind === "variable" ? p.variable : undefined;
    if (root === undefined) return;
    if (use !== "write") found.reads.add(root);
    if (use !== "read") found.writes.add(root);
  }

  /** Nodes that change something. */
  effects(e: Expr): Expr[] {
    const found: Expr[] = [];
    walkExpr(e, {
      expr: (x) => {
        if (x.kind === "assign" || x.kind === "increment") found.push(x);
        if (x.kind === "op" && opWrites(x)) found.push(x);
        if (x.kind === "call" && (this.ofFunction(x.function).writes.size > 0 || x.arguments.some((a) => a.mode !== "value"))) found.push(x);
      },
    });
    return found;
  }

  /** Whether operands that have no order in C touch each other's objects; those of the nodes that are `considered`. */
  conflicts(e: Expr, considered?: (x: Expr) => boolean): boolean {
    if (this.effects(e).length === 0) return false;
    let found = false;
    const clash = (operands: readonly Footprint[]): void => {
      operands.forEach((a, i) => {
        operands.forEach((b, j) => {
          if (i === j) return;
          for (const w of a.writes) if (b.reads.has(w) || b.writes.has(w)) found = true;
        });
      });
    };
    const place = (p: Place): Footprint => this.of({ kind: "load", place: p, type: p.type, span: p.span });
    /** Only what finding the place evaluates. */
    const target = (p: Place): Footprint => {
      const own = place(p);
      const root = rootVariable(p);
      if (root !== undefined) own.reads.delete(root);
      return own;
    };
    /** What a store and its operand's own side effect would do to one object in no order: `x = x++`. */
    const twice = (p: Place, operands: readonly Expr[]): void => {
      const written = operands.flatMap((x) => this.effects(x)).flatMap((x) => (x.kind === "assign" ? [x.target] : x.kind === "increment" ? [x.place] : []));
      if (written.some((x) => mayMeet(x, p))) found = true;
    };
    walkExpr(e, {
      place: (p, use) => {
        if (p.kind !== "element" || considered) return;
        clash([target(p.base), this.of(p.index)]);
        if (use !== "read") twice(p, [p.index]);
      },
      expr: (x) => {
        if (considered && !considered(x)) return !found;
        switch (x.kind) {
          case "binary":
            clash([this.of(x.left), this.of(x.right)]);
            break;
          case "construct":
            clash(x.arguments.map((a) => this.of(a)));
            break;
          case "op":
            clash([...x.places.map(place), ...x.arguments.map((a) => this.of(a))]);
            break;
          case "call": {
            const operands = x.arguments.map((a) => {
              if (a.mode === "value") return this.of(a.value);
              return target(a.place);
            });
            clash(operands);
            break;
          }
          case "assign": {
            // The store comes last: only the way to the place and the value can meet, and the old value of `op=`.
            const where = target(x.target);
            const root = rootVariable(x.target);
            if (x.operator && root !== undefined) where.reads.add(root);
            clash([where, this.of(x.value)]);
            twice(x.target, [x.value]);
            break;
          }
          case "element-value":
            clash([this.of(x.operand), this.of(x.index)]);
            break;
          case "load":
            if (x.place.kind === "element") clash([place(x.place.base), this.of(x.place.index)]);
            break;
          default:
            break;
        }
        return !found;
      },
    });
    return found;
  }
}
