/**
 * Small faults planted in a tree: what a careless translation gets wrong. Runs that do not notice them would not have noticed
 * such a mistake of the translation either.
 */
import { binary, constantOf, unary } from "../ast/builders.js";
import type { BinaryOperator, EntryPoint, Expr, Literal, Module, Place, Statement, VarId } from "../ast/nodes.js";
import { operatorToken } from "../ast/operators.js";
import { partsOf, rewriteModule, walkExpr, walkStatement, type Visitor } from "../ast/walk.js";
import { CallGraph } from "../passes/interface/select-entries.js";
import { hash32 } from "../launch/initializers.js";
import { row } from "../ops/table.js";
import type { Span } from "../support/span.js";
import { roundFloat } from "../types/numeric.js";
import { isFloat, isSigned, bitWidth, sameType, scalarOf, type Type } from "../types/types.js";

export const faultKinds = [
  "operator",
  "constant",
  "index",
  "barrier",
  "operands",
  "conversion",
  "lane",
  "statement",
  "condition",
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Mutant {
  readonly module: Module<"canonical">;
  readonly kind: FaultKind;
  /** Where the fault lies in the text of the tree. */
  readonly span: Span;
  /** What was done there: `+ became -`. */
  readonly change: string;
}

/** A node, and what takes its place. */
interface Fault {
  readonly kind: FaultKind;
  readonly span: Span;
  readonly change: string;
  readonly at: Expr | Place | Statement;
  readonly by: Expr | Place | readonly Statement[];
}

const others: Partial<Record<BinaryOperator, BinaryOperator>> = {
  add: "sub",
  sub: "add",
  mul: "add",
  div: "mul",
  rem: "div",
  shl: "shr",
  shr: "shl",
  and: "or",
  or: "and",
  xor: "or",
  lt: "le",
  le: "lt",
  gt: "ge",
  ge: "gt",
  eq: "ne",
  ne: "eq",
};
/** Their operands may not be swapped. */
const ordered: ReadonlySet<BinaryOperator> = new Set(["sub", "div", "rem", "shl", "shr", "lt", "le", "gt", "ge"]);

/** One more, twice as much of a float, or the other truth value; undefined at the end of the range. */
function nextValue({ type: { scalar }, value }: Literal): Literal["value"] | undefined {
  if (typeof value === "boolean") return !value;
  if (isFloat(scalar)) {
    const more = roundFloat(scalar, value === 0 ? 1 : Number(value) * 2);
    return Number.isFinite(more) ? more : undefined;
  }
  const most = 2n ** BigInt(bitWidth(scalar) - (isSigned(scalar) ? 1 : 0)) - 1n;
  if (BigInt(value) >= most) return undefined;
  return typeof value === "bigint" ? value + 1n : value + 1;
}

const oneOf = (type: Type): Expr => constantOf(type, bitWidth(scalarOf(type)!) === 64 ? 1n : 1);

/** How far an index may go, where the type says so. */
function lengthOf(type: Type): number | undefined {
  if (type.kind === "vector") return type.size;
  return type.kind === "array" ? type.length : undefined;
}

class Faults {
  readonly found: Fault[] = [];
  /** Literals that have to stay: operands that an op wants as powers of two, indices that are looked at with what they index. */
  private readonly fixed = new Set<Expr>();
  private readonly kept = new Set<Statement>();

  private add(kind: FaultKind, change: string, at: Fault["at"], by: Fault["by"]): void {
    this.found.push({ kind, change, at, by, span: at.span });
  }

  expr(e: Expr): void {
    switch (e.kind) {
      case "literal":
        return this.literal(e);
      case "binary": {
        const other = others[e.operator];
        const bools = scalarOf(e.left.type) === "bool";
        // Products of matrices with other shapes than their own, which no sum has.
        const shapes = e.operator === "mul" && !sameType(e.left.type, e.right.type);
        if (other && !shapes && !(bools && (e.operator === "eq" || e.operator === "ne")))
          this.add("operator", `${operatorToken[e.operator]} became ${operatorToken[other]}`, e, {
            ...e,
            operator: other,
          });
        if (ordered.has(e.operator) && sameType(e.left.type, e.right.type))
          this.add("operands", `the operands of ${operatorToken[e.operator]} were swapped`, e, {
            ...e,
            left: e.right,
            right: e.left,
          });
        return;
      }
      case "logical": {
        const [was, is] = e.operator === "and" ? ["&&", "||"] : ["||", "&&"];
        this.add("operator", `${was} became ${is}`, e, { ...e, operator: e.operator === "and" ? "or" : "and" });
        return;
      }
      case "conditional":
        this.add("operands", "what stands for true and false was swapped", e, {
          ...e,
          whenTrue: e.whenFalse,
          whenFalse: e.whenTrue,
        });
        return;
      case "convert":
        // Of a lane's number the target's own functions take what fits.
        if (this.fixed.has(e)) this.fixed.add(e.operand);
        else if (e.operand.kind === "convert" && !sameType(e.operand.operand.type, e.operand.type)) {
          const inner = e.operand.operand;
          const shape = scalarOf(inner.type) !== undefined && inner.type.kind === e.type.kind;
          if (shape)
            this.add(
              "conversion",
              `the conversion to ${scalarOf(e.operand.type)!} was left out`,
              e,
              sameType(inner.type, e.type) ? inner : { ...e, operand: inner },
            );
        }
        return;
      case "op": {
        const { from, powersOfTwo } = row(e.op);
        for (const p of powersOfTwo ?? []) this.fixed.add(e.arguments[p.index]!);
        const which = e.arguments[1];
        if (from === undefined || which?.type.kind !== "scalar" || scalarOf(which.type) === "bool") return;
        this.fixed.add(which);
        if (which.kind === "literal" && nextValue(which) === undefined) return;
        const more = which.kind === "literal" ? nextLiteral(which)! : binary("add", which, oneOf(which.type));
        this.add("lane", "the lane is one further", e, {
          ...e,
          arguments: e.arguments.map((a, i) => (i === 1 ? more : a)),
        });
        return;
      }
      default:
    }
  }

  private literal(e: Literal): void {
    const next = this.fixed.has(e) ? undefined : nextLiteral(e);
    if (next) this.add("constant", `${String(e.value)} became ${String(next.value)}`, e, next);
  }

  place(p: Place): void {
    if (p.kind !== "element") return;
    const length = lengthOf(p.base.type);
    if (p.index.kind !== "literal") {
      this.add("index", "the index is one more", p, { ...p, index: binary("add", p.index, oneOf(p.index.type)) });
      return;
    }
    this.fixed.add(p.index);
    const next = nextLiteral(p.index);
    if (next && (length === undefined || Number(next.value) < length))
      this.add("index", "the index is one more", p, { ...p, index: next });
  }

  statement(s: Statement): void {
    if (s.kind === "barrier" && s.barrier.execution !== "none") this.add("barrier", "the barrier was left out", s, []);
    // The beginning of a loop is one statement with it.
    if (s.kind === "for") for (const i of s.initializer) this.kept.add(i);
    if (
      s.kind === "expression" &&
      !this.kept.has(s) &&
      (s.expression.kind === "assign" || s.expression.kind === "increment")
    )
      this.add("statement", "the statement was left out", s, []);
    if (s.kind === "if") this.add("condition", "the condition was negated", s.condition, unary("not", s.condition));
    // Labels stay.
    if (s.kind === "switch") for (const c of s.cases) for (const l of c.labels) if (l !== "default") this.fix(l);
  }
  private fix(e: Expr): void {
    this.fixed.add(e);
    for (const part of partsOf(e)) this.fix(part);
  }
}

function nextLiteral(e: Literal): Literal | undefined {
  const value = nextValue(e);
  return value === undefined ? undefined : { kind: "literal", type: e.type, value, span: e.span };
}

/** All faults that can be planted in what an entry calls and in the constants it reads. */
function faultsIn(module: Module<"canonical">, entry: EntryPoint): readonly Fault[] {
  const faults = new Faults();
  const mentioned = new Set<VarId>();
  const visitor: Visitor = {
    expr: (e) => faults.expr(e),
    place(p) {
      if (p.kind === "variable") mentioned.add(p.variable);
      faults.place(p);
    },
    statement: (s) => faults.statement(s),
  };
  const called = new CallGraph(module).reachable([entry.function]);
  for (const f of module.functions) if (called.has(f.id)) walkStatement(f.body, visitor);
  // Initialisers mention further constants, which are met after them.
  for (const id of mentioned) {
    const { initializer, role } = module.variables.get(id)!;
    if (initializer && role === "global") walkExpr(initializer, visitor);
  }
  return faults.found;
}

/**
 * At most `count` of them, chosen by `seed`: of each kind in turn, so that few barriers are not lost among many constants. A
 * fault of the same seed and module is the same everywhere.
 */
export function mutantsOf(
  module: Module<"canonical">,
  entry: EntryPoint,
  count: number,
  seed: number,
): readonly Mutant[] {
  const faults = faultsIn(module, entry);
  const order = new Map(faults.map((f, i) => [f, hash32(i, seed)]));
  const queues = faultKinds.map((kind) =>
    faults.filter((f) => f.kind === kind).sort((a, b) => order.get(a)! - order.get(b)!),
  );
  const chosen: Fault[] = [];
  while (chosen.length < count && queues.some((q) => q.length > 0)) {
    for (const queue of queues) {
      const next = queue.shift();
      if (next && chosen.length < count) chosen.push(next);
    }
  }
  return chosen.map((fault) => mutantOf(module, fault));
}

/** All of one kind, in the order of the text. */
export const allMutantsOf = (module: Module<"canonical">, entry: EntryPoint, kind: FaultKind): readonly Mutant[] =>
  faultsIn(module, entry)
    .filter((f) => f.kind === kind)
    .map((fault) => mutantOf(module, fault));

const mutantOf = (module: Module<"canonical">, fault: Fault): Mutant => ({
  module: planted(module, fault),
  kind: fault.kind,
  span: fault.span,
  change: fault.change,
});

/** Nodes below the fault are not rewritten, so that it is met as it is. */
const planted = (module: Module<"canonical">, { at, by }: Fault): Module<"canonical"> =>
  rewriteModule(module, {
    enterExpr: (e) => (e === at ? (by as Expr) : undefined),
    enterPlace: (p) => (p === at ? (by as Place) : undefined),
    enterStatement: (s) => (s === at ? (by as readonly Statement[]) : undefined),
  });
