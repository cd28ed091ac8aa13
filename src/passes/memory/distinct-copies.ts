/**
 * Copies of whole structs and arrays in HLSL. DXC reads the original in place of a copy that is written once, and does so
 * even where the original changes afterwards: after `S q = s; s.a = 7;`, `q.a` is 7. What is copied part by part it
 * keeps apart, so that is how a copy is taken of what may still change.
 */
import {
  assign,
  binary,
  block,
  comma,
  declare,
  element,
  expressionStatement,
  functionCall,
  i32Literal,
  increment,
  load,
  member,
  ModuleEditor,
  read,
  returnStatement,
  rootVariable,
  variablePlace,
} from "../../ast/builders.js";
import {
  noTrivia,
  type Declare,
  type Expr,
  type FunctionDeclaration,
  type FunctionId,
  type Module,
  type Place,
  type Statement,
  type TopLevel,
  type VarId,
  type Variable,
} from "../../ast/nodes.js";
import { repeatablePlace } from "../../ast/held-place.js";
import { rewriteStatements, walkExpr, walkStatement } from "../../ast/walk.js";
import { noSpan } from "../../support/span.js";
import { i32, showType, type Type } from "../../types/types.js";
import type { TextPass } from "../pass.js";

export const distinctCopies: TextPass = {
  name: "distinct-copies",
  run(module) {
    const risky = copiesAtRisk(module);
    if (risky.size === 0) return module;
    const copies = new Copies(module);
    const functions = module.functions.map((f): FunctionDeclaration => {
      const indices: Variable[] = [];
      const statements = rewriteStatements(f.body.statements, {
        enterExpr: (e) => (e.kind === "load" && risky.has(e) ? copies.of(e, indices) : undefined),
      });
      if (statements === f.body.statements) return f;
      return { ...f, body: { ...f.body, statements: [...indices.map((v) => declare(v.id)), ...statements] } };
    });
    const first = module.order.findIndex((o) => o.kind === "function");
    const made = copies.functions.map((f): TopLevel => ({ kind: "function", function: f.id }));
    const order = [...module.order.slice(0, first), ...made, ...module.order.slice(first)];
    return copies.editor.finish({ functions: [...copies.functions, ...functions], order });
  },
};

const isWhole = (type: Type): boolean => type.kind === "struct" || type.kind === "array";

type Load = Expr & { readonly kind: "load" };

interface Moment {
  readonly at: number;
  readonly loops: readonly Statement[];
  /** What stands around it: loops, and parts that a condition chooses. */
  readonly inside: readonly Statement[];
}

interface Copy extends Moment {
  readonly load: Load;
  /** What leaves the function with its value lives no longer than what it is copied from, unless that is a global. */
  readonly returned: boolean;
  /** The function it is an argument of. */
  readonly callee?: FunctionId;
  /** The variable declared with it. */
  readonly into?: VarId;
}

/** When one variable is written, as copies ask for it: not each write of each copy, where both are many. */
interface Writes {
  latest: number;
  readonly loops: Set<Statement>;
  /** Statements that write it before they end. */
  readonly within: Set<number>;
  /** The first and the last in each part: by what stands around them innermost. */
  readonly parts: Map<Statement | undefined, { readonly first: number; last: number }>;
}

/** Copies and writes of one function, by the variable. Within a statement all writes count as later than all copies. */
interface Uses {
  readonly copies: Copy[];
  readonly writes: Map<VarId, Writes>;
  readonly callsInLoops: Set<FunctionId>;
  readonly calls: Set<FunctionId>;
}

/** Copies of private variables that may be written after them. */
function copiesAtRisk(module: Module): ReadonlySet<Expr> {
  const uses = new Map(module.functions.map((f) => [f.id, usesIn(module, f)]));
  const byId = new Map(module.functions.map((f) => [f.id, f]));
  const repeated = new Set<FunctionId>();
  const repeat = (id: FunctionId): void => {
    if (repeated.has(id)) return;
    repeated.add(id);
    uses.get(id)?.calls.forEach(repeat);
  };
  for (const { callsInLoops } of uses.values()) callsInLoops.forEach(repeat);
  /** DXC leaves alone what is written besides the copy; not in a part that it may drop. */
  const writtenAgain = ({ writes }: Uses, { into, at, inside }: Copy): boolean => {
    const part = into === undefined ? undefined : writes.get(into)!.parts.get(inside.at(-1));
    return part !== undefined && (part.first !== at || part.last !== at);
  };
  /** Parameters that are copied on as a whole; of others the copy is gone with the call. */
  const copiedOn = new Set(
    [...uses.values()].flatMap((u) =>
      u.copies.filter((c) => !writtenAgain(u, c)).map((c) => rootVariable(c.load.place)!),
    ),
  );
  /** The functions that write a variable. */
  const writers = new Map<VarId, Set<FunctionId>>();
  for (const [id, u] of uses)
    for (const v of u.writes.keys()) {
      const known = writers.get(v);
      if (known) known.add(id);
      else writers.set(v, new Set([id]));
    }
  /** By a function that is not this entry. */
  const writtenElsewhere = (v: VarId, f: FunctionDeclaration): boolean => {
    const by = writers.get(v);
    return by !== undefined && !(f.isEntry && by.size === 1 && by.has(f.id));
  };

  const atRisk = (f: FunctionDeclaration, copy: Copy): boolean => {
    const root = rootVariable(copy.load.place)!;
    if (writtenAgain(uses.get(f.id)!, copy)) return false;
    const isGlobal = module.variables.get(root)!.role === "global";
    if (isGlobal && writtenElsewhere(root, f)) return true;
    const writes = uses.get(f.id)!.writes.get(root);
    if (copy.callee !== undefined) {
      const parameters = byId.get(copy.callee)!.parameters;
      const keeps = parameters.some((p) => isWhole(module.variables.get(p)!.type) && copiedOn.has(p));
      if (!keeps) return writes?.within.has(copy.at) ?? false;
    }
    if ((!isGlobal && copy.returned) || !writes) return false;
    return writes.latest >= copy.at || copy.loops.some((l) => writes.loops.has(l)) || repeated.has(f.id);
  };
  return new Set(
    module.functions.flatMap((f) =>
      uses
        .get(f.id)!
        .copies.filter((c) => atRisk(f, c))
        .map((c) => c.load),
    ),
  );
}

function usesIn(module: Module, f: FunctionDeclaration): Uses {
  const uses: Uses = { copies: [], writes: new Map(), callsInLoops: new Set(), calls: new Set() };
  const inside: Statement[] = [];
  const isLoop = (s: Statement): boolean => s.kind === "for" || s.kind === "while" || s.kind === "do-while";
  const moment = (): Moment => ({ at, loops: inside.filter(isLoop), inside: [...inside] });
  let at = 0;
  const write = (id: VarId, last = false): void => {
    let writes = uses.writes.get(id);
    if (!writes) uses.writes.set(id, (writes = { latest: at, loops: new Set(), within: new Set(), parts: new Map() }));
    writes.latest = at;
    for (const s of inside) if (isLoop(s)) writes.loops.add(s);
    if (!last) writes.within.add(at);
    const part = writes.parts.get(inside.at(-1));
    if (part) part.last = at;
    else writes.parts.set(inside.at(-1), { first: at, last: at });
  };
  // Each call writes its parameters anew.
  for (const p of f.parameters) write(p);
  let returned: Expr | undefined;
  let declared: Declare | undefined;
  let target: Place | undefined;
  /** Values of which only a part is read, and arguments with the function they are given to. */
  const parts = new Set<Expr>();
  const argumentOf = new Map<Expr, FunctionId>();
  const visitor = {
    place(p: Place, use: string) {
      if (p.kind !== "variable" || use === "read") return;
      if (module.variables.get(p.variable)!.space === "private") write(p.variable, p === target);
    },
    expr(e: Expr) {
      if (e.kind === "member-value" || e.kind === "element-value") parts.add(e.operand);
      if (e.kind === "call") {
        uses.calls.add(e.function);
        if (inside.some(isLoop)) uses.callsInLoops.add(e.function);
        for (const a of e.arguments) if (a.mode === "value") argumentOf.set(a.value, e.function);
      }
      if (e.kind !== "load" || !isWhole(e.type) || parts.has(e)) return;
      const root = rootVariable(e.place);
      if (root === undefined || module.variables.get(root)!.space !== "private") return;
      const callee = argumentOf.get(e);
      uses.copies.push({
        load: e,
        ...moment(),
        returned: e === returned,
        ...(e === declared?.initializer ? { into: declared.variable } : {}),
        ...(callee === undefined ? {} : { callee }),
      });
    },
    statement(s: Statement): boolean {
      at++;
      if (s.kind === "return") returned = s.value;
      if (s.kind === "expression" && s.expression.kind === "assign") target = baseOf(s.expression.target);
      if (s.kind === "declare" && s.initializer) {
        declared = s;
        write(s.variable);
      }
      if (s.kind === "if") {
        walkExpr(s.condition, visitor);
        within(s.then, [s.then]);
        if (s.else) within(s.else, [s.else]);
        return false;
      }
      if (s.kind === "switch") {
        walkExpr(s.value, visitor);
        within(
          s,
          s.cases.flatMap((c) => c.body),
        );
        return false;
      }
      if (s.kind === "for") {
        s.initializer.forEach((i) => walkStatement(i, visitor));
        within(s, [s.body], s.condition, s.step);
      } else if (s.kind === "while" || s.kind === "do-while") within(s, [s.body], s.condition);
      return !isLoop(s);
    },
  };
  const within = (
    outer: Statement,
    statements: readonly Statement[],
    ...values: readonly (Expr | undefined)[]
  ): void => {
    inside.push(outer);
    for (const e of values) if (e) walkExpr(e, visitor);
    for (const x of statements) walkStatement(x, visitor);
    inside.pop();
  };
  walkStatement(f.body, visitor);
  return uses;
}

const baseOf = (p: Place): Place =>
  p.kind === "element" || p.kind === "member" || p.kind === "swizzle" ? baseOf(p.base) : p;

/** The functions that copy, one per type. */
class Copies {
  readonly editor: ModuleEditor;
  private readonly known = new Map<string, FunctionDeclaration>();

  constructor(private readonly module: Module) {
    this.editor = new ModuleEditor(module);
  }

  get functions(): readonly FunctionDeclaration[] {
    return [...this.known.values()];
  }

  /** DXC works out the place of an argument more than once: what its indices do is done before, in `indices`. */
  of(e: Load, indices: Variable[]): Expr {
    const first: Expr[] = [];
    const place = this.fixed(e.place, first, indices);
    const original = first.length === 0 ? e : load(place, e.span);
    const call = functionCall(this.function(e.type).id, [{ mode: "value", value: original }], e.type, e.span);
    return first.reduceRight((rest, x) => comma(x, rest, e.span), call);
  }

  private fixed(p: Place, first: Expr[], indices: Variable[]): Place {
    return repeatablePlace(p, (e) => {
      const v = this.editor.addLocal("at", e.type, p.span);
      indices.push(v);
      first.push(assign(variablePlace(v, p.span), e, p.span));
      return load(variablePlace(v, p.span), p.span);
    });
  }

  private function(type: Type): FunctionDeclaration {
    const key = showType(type);
    const known = this.known.get(key);
    if (known) return known;
    const from = this.editor.addParameter("original", type);
    const to = this.editor.addLocal("copy", type);
    const f = this.editor.helper({
      name: "copied",
      emulates: "a copy part by part: for a whole one DXC may read the original after it has changed",
      parameters: [from],
      returnType: type,
      statements: [declare(to.id), ...this.parts(variablePlace(to), variablePlace(from)), returnStatement(read(to))],
    });
    this.known.set(key, f);
    return f;
  }

  private parts(to: Place, from: Place): readonly Statement[] {
    const { type } = to;
    if (type.kind === "struct")
      return this.module.structs
        .get(type.name)!
        .members.filter((m) => !m.gap)
        .flatMap((m) => this.parts(member(to, m.name, m.type), member(from, m.name, m.type)));
    if (type.kind !== "array" || typeof type.length !== "number") return [expressionStatement(assign(to, load(from)))];
    const i = this.editor.addLocal("i", i32);
    const index = (): Expr => read(i);
    const body = block(this.parts(element(to, index()), element(from, index())));
    return [
      {
        kind: "for",
        initializer: [declare(i.id, i32Literal(0))],
        condition: binary("lt", index(), i32Literal(type.length)),
        step: increment(variablePlace(i), 1, true),
        body,
        span: noSpan,
        trivia: noTrivia,
      },
    ];
  }
}
