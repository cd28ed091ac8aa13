/** Coverage of the ways that conditions go: what is put in front of each, and what was compared to take it. */
import type { Expr } from "../ast/nodes.js";
import type { Interval } from "../ast/interval.js";
import type { Span } from "../support/span.js";
import type { BoundaryLowering } from "./boundary-lowering.js";
import { local, operation } from "./machine.js";
import { isWritten } from "./straight-runs.js";
import type { Branch, BranchWay, Code, Cover, MachineExpr } from "./tree.js";

/** A condition with its ways. */
export interface Condition {
  readonly value: MachineExpr;
  /** What its notes are told apart by: the statement, the operator, or of a loop the condition. */
  readonly node: object;
  /** Of the condition in the text. */
  readonly span: Span;
  /** Absent where nothing is compared, or no search asks. */
  readonly compared?: Cover["compared"];
  /** The only way it goes, where bounds of integers show that. */
  readonly settled?: boolean;
}

const comparisons: ReadonlySet<string> = new Set(["eq", "ne", "lt", "le", "gt", "ge"]);

/** Makes ready to note what a condition compares: its operands are kept, since they are named again. */
export function conditionOf(cx: BoundaryLowering, node: object, e: Expr, value: MachineExpr): Condition {
  const settled = cx.checks.settled?.get(e);
  const common = { node, span: e.span, ...(settled === undefined ? {} : { settled }) };
  if (!cx.checks.compared || !cx.checks.coverage) return { ...common, value };
  const negates = value.kind === "operation" && value.op === "not" && value.on === "bool";
  const inner = negates ? value.arguments[0]! : value;
  if (inner.kind !== "operation" || inner.site !== undefined || inner.on === "bool" || !comparisons.has(inner.op))
    return { ...common, value };
  const [left, right] = inner.arguments.map((x) => cx.stable(x, e.span)) as [MachineExpr, MachineExpr];
  const again = operation("bool", inner.on, inner.op, [left, right]);
  return {
    ...common,
    value: negates ? operation("bool", "bool", "not", [again]) : again,
    compared: [left, right],
  };
}

/**
 * Notes that a condition went one way, and lowers what lies there. Where a pass has made the condition, to choose among copies of
 * what the source has once (`chooses`), the copies are alternatives.
 */
export function alongWay<T>(
  cx: BoundaryLowering,
  condition: Condition,
  taken: boolean,
  work: () => T,
  chooses = false,
): T {
  const { node, span, settled, compared } = condition;
  const way: BranchWay = taken ? "true" : "false";
  if (!isWritten(span)) {
    if (!chooses) return work();
    return cx.alternative(node, way, work);
  }
  if (!cx.checks.coverage) return work();
  const branch: Branch = { span, way, ...(settled === !taken ? { excluded: true } : {}) };
  return cx.inWay(cx.cover(node, way, span, { statements: [], branch }, compared), work);
}

/** Code that notes the way a loop was left by, in front of its condition. */
export function noteLeaving(cx: BoundaryLowering, condition: Condition): MachineExpr {
  const { value, span } = condition;
  if (!cx.checks.coverage || !isWritten(span) || value.kind === "constant") return value;
  const test = cx.newLocal("t", "bool", true);
  cx.emit({ kind: "declare", local: test, value, span });
  const left = cx.collect(() => alongWay(cx, condition, false, () => undefined)).code;
  cx.emit({ kind: "if", condition: local(test, "bool"), then: [], else: left, span });
  return local(test, "bool");
}

/** `&&` and `||` with both ways of the left operand noted: the right one is evaluated in one of them. */
export function noteLogical(
  cx: BoundaryLowering,
  operator: "and" | "or",
  condition: Condition,
  right: () => MachineExpr,
): MachineExpr {
  const { value, span } = condition;
  const result = cx.newLocal("t", "bool", false);
  cx.emit({ kind: "declare", local: result, value, span });
  const goesOn = operator === "and";
  const on: Code[] = cx.collect(() =>
    alongWay(cx, condition, goesOn, () => cx.emit({ kind: "set", local: result, value: right(), span })),
  ).code;
  const stops = cx.collect(() => alongWay(cx, condition, !goesOn, () => undefined)).code;
  const [then, otherwise] = goesOn ? [on, stops] : [stops, on];
  cx.emit({ kind: "if", condition: local(result, "bool"), then, else: otherwise, span });
  return local(result, "bool");
}

/** How bounds of its operands settle a comparison. */
export function settledBy(operator: string, a: Interval, b: Interval): boolean | undefined {
  switch (operator) {
    case "lt":
      return a.high < b.low ? true : a.low >= b.high ? false : undefined;
    case "le":
      return a.high <= b.low ? true : a.low > b.high ? false : undefined;
    case "gt":
      return settledBy("lt", b, a);
    case "ge":
      return settledBy("le", b, a);
    case "eq":
      if (a.high < b.low || b.high < a.low) return false;
      return a.low === a.high && b.low === b.high ? true : undefined;
    case "ne": {
      const same = settledBy("eq", a, b);
      return same === undefined ? undefined : !same;
    }
    default:
      return undefined;
  }
}
