/** Statements as scalar code, and variables coming into scope. */
import type { BarrierDescriptor, Expr, Statement, Variable } from "../ast/nodes.js";
import { assertNever } from "../support/assert-never.js";
import type { Span } from "../support/span.js";
import { isBig } from "./machine.js";
import { lowerExpr, lowerForEffect, lowerOne } from "./lower-expressions.js";
import { CannotRun, type LoweredPlace, type BoundaryLowering } from "./boundary-lowering.js";
import { lowerPointer, newPointer, writePlace, writePointer } from "./lower-places.js";
import { largeLocal } from "./large-arrays.js";
import { isWritten, ownSpans, straightRuns } from "./straight-runs.js";
import { alongWay, conditionOf, noteLeaving, type Condition } from "./cover-ways.js";
import type { Branch, Code, MachineExpr, ObjectId, RegionBarrier } from "./tree.js";

export function lowerStatements(cx: BoundaryLowering, list: readonly Statement[]): void {
  if (!cx.checks.coverage) {
    for (const s of list) lowerStatement(cx, s);
    return;
  }
  for (const run of straightRuns(list)) {
    const statements = run.flatMap((s) => ownSpans(s, cx.parameterStarts));
    if (statements.length > 0) cx.cover(run[0]!, "run", run[0]!.span, { statements });
    for (const s of run) lowerStatement(cx, s);
  }
}

const collected = (cx: BoundaryLowering, s: Statement | undefined): Code[] =>
  s ? cx.collect(() => lowerStatements(cx, [s])).code : [];

/** One way of a condition. */
function way(
  cx: BoundaryLowering,
  condition: Condition,
  taken: boolean,
  s: Statement | undefined,
  chooses = false,
): Code[] {
  const inside = (): void => {
    if (s) lowerStatements(cx, [s]);
  };
  return cx.collect(() => alongWay(cx, condition, taken, inside, chooses)).code;
}

/** A case of a switch, or that there was none. */
function inCase(cx: BoundaryLowering, node: object, value: MachineExpr, branch: Branch, work: () => void): void {
  if (!cx.checks.coverage || !isWritten(branch.span)) return work();
  const compared = cx.checks.compared ? ([value, value] as const) : undefined;
  cx.inWay(cx.cover(node, branch.way, branch.span, { statements: [], branch }, compared), work);
}

/** What a loop does after its body, which may leave it before. */
function coverPart(cx: BoundaryLowering, e: Expr): void {
  if (cx.checks.coverage && isWritten(e.span)) cx.cover(e, "run", e.span, { statements: [e.span] });
}

function lowerStatement(cx: BoundaryLowering, s: Statement): void {
  switch (s.kind) {
    case "block":
      return lowerStatements(cx, s.statements);
    case "declare":
      return lowerDeclare(cx, cx.variable(s.variable), s.initializer, s.span);
    case "expression":
      return lowerForEffect(cx, s.expression);
    case "if": {
      const given = conditionOf(cx, s, s.condition, lowerOne(cx, s.condition));
      const condition = given.value;
      const then = way(cx, given, true, s.then, true);
      const otherwise = way(cx, given, false, s.else, true);
      if (condition.kind === "constant") {
        for (const c of condition.value ? then : otherwise) cx.emit(c);
        return;
      }
      cx.emit({ kind: "if", condition, then, else: otherwise, span: s.condition.span });
      return;
    }
    case "switch":
      return lowerSwitch(cx, s);
    case "for": {
      for (const i of s.initializer) lowerStatement(cx, i);
      return lowerLoop(cx, s.condition, s.body, s.step, s.span);
    }
    case "while":
      return lowerLoop(cx, s.condition, s.body, undefined, s.span);
    case "do-while": {
      const label = cx.label();
      cx.jumps.push({ breakTo: label, continueTo: label });
      const body = collected(cx, s.body);
      cx.jumps.pop();
      const step = cx.collect(() => {
        coverPart(cx, s.condition);
        const given = conditionOf(cx, s, s.condition, lowerOne(cx, s.condition));
        const condition = given.value;
        const { span } = s.condition;
        // A constant goes one way, which is none to be noted.
        const noted = (taken: boolean): Code[] =>
          condition.kind === "constant" ? [] : way(cx, given, taken, undefined);
        const leave: Code = { kind: "break", label, span };
        cx.emit({ kind: "if", condition, then: noted(true), else: [...noted(false), leave], span });
      }).code;
      cx.emit({ kind: "loop", label, head: [], body, step, span: s.span });
      return;
    }
    case "break":
      cx.emit({ kind: "break", label: cx.jumps.at(-1)!.breakTo, span: s.span });
      return;
    case "continue": {
      const target = cx.jumps.findLast((j) => j.continueTo !== undefined)!;
      cx.emit({ kind: "continue", label: target.continueTo!, span: s.span });
      return;
    }
    case "return":
      return lowerReturn(cx, s.value, s.span);
    case "barrier":
      cx.emit({ kind: "barrier", barrier: ofObjects(cx, s.barrier), site: cx.site(s.span, "barrier"), span: s.span });
      return;
    default:
      return assertNever(s);
  }
}

function ofObjects(cx: BoundaryLowering, { buffers, ...rest }: BarrierDescriptor): RegionBarrier {
  if (!buffers) return rest;
  const objects: ObjectId[] = [];
  for (const id of buffers) {
    const found = cx.bufferOf(id);
    if (found === "unknown") return rest;
    if (found !== undefined) objects.push(found);
  }
  return { ...rest, objects };
}

function lowerLoop(
  cx: BoundaryLowering,
  condition: Expr | undefined,
  body: Statement,
  step: Expr | undefined,
  span: Span,
): void {
  const label = cx.label();
  let given: Condition | undefined;
  const head = cx.collect(() => {
    if (!condition) return undefined;
    given = conditionOf(cx, condition, condition, lowerOne(cx, condition));
    return noteLeaving(cx, given);
  });
  cx.jumps.push({ breakTo: label, continueTo: label });
  const tested = given && given.value.kind !== "constant" ? given : undefined;
  const inner = tested ? way(cx, tested, true, body) : collected(cx, body);
  cx.jumps.pop();
  const after = cx.collect(() => {
    if (!step) return;
    cx.inWay(tested && cx.pointAt(tested.node, "true"), () => coverPart(cx, step));
    lowerForEffect(cx, step);
  }).code;
  const test = head.value?.kind === "constant" && head.value.value === true ? undefined : head.value;
  cx.emit({
    kind: "loop",
    label,
    head: head.code,
    ...(test ? { condition: test } : {}),
    body: inner,
    step: after,
    span,
  });
}

function lowerSwitch(cx: BoundaryLowering, s: Statement & { kind: "switch" }): void {
  const value = cx.stable(lowerOne(cx, s.value), s.value.span);
  const label = cx.label();
  cx.jumps.push({ breakTo: label, continueTo: undefined });
  const cases = s.cases.map((c) => {
    const labels: (number | bigint)[] = [];
    for (const l of c.labels) {
      if (l === "default") continue;
      const constantLabel = lowerOne(cx, l);
      if (constantLabel.kind !== "constant") throw new CannotRun("a case label is not a constant", l.span);
      labels.push(isBig(value.scalar) ? BigInt(constantLabel.value) : Number(constantLabel.value));
    }
    const span = c.labels.find((x) => x !== "default")?.span ?? s.value.span;
    const number = labels[0] === undefined ? {} : { label: Number(labels[0]) };
    const { code } = cx.collect(() =>
      inCase(cx, c, value, { span, way: "case", ...number }, () => lowerStatements(cx, c.body)),
    );
    return { labels, isDefault: c.labels.includes("default"), body: code };
  });
  if (cx.checks.coverage && !cases.some((c) => c.isDefault)) {
    const { code } = cx.collect(() => inCase(cx, s, value, { span: s.value.span, way: "no case" }, () => undefined));
    cases.push({ labels: [], isDefault: true, body: [...code, { kind: "break", label, span: s.span }] });
  }
  cx.jumps.pop();
  cx.emit({ kind: "switch", label, value, cases, span: s.span });
}

function lowerReturn(cx: BoundaryLowering, value: Expr | undefined, span: Span): void {
  const frame = cx.frames.at(-1)!;
  if (frame.outOfLine) {
    cx.emit({ kind: "return", ...(value && value.type.kind !== "void" ? { value: lowerOne(cx, value) } : {}), span });
    return;
  }
  if (frame.returnLabel === undefined) {
    if (value) lowerForEffect(cx, value);
    cx.emit({ kind: "return", span });
    return;
  }
  if (value && frame.result?.kind === "pointer") writePointer(cx, frame.result.pointer, lowerPointer(cx, value), span);
  else if (value && frame.result && frame.result.kind !== "pointer-value")
    writePlace(cx, frame.result, lowerExpr(cx, value), span);
  else if (value) lowerForEffect(cx, value);
  cx.emit({ kind: "break", label: frame.returnLabel, span });
}

function lowerDeclare(cx: BoundaryLowering, v: Variable, initializer: Expr | undefined, span: Span): void {
  if (v.space === "workgroup") {
    if (!cx.bindings.has(v.id)) bindWorkgroup(cx, v);
    if (initializer) throw new CannotRun("workgroup memory has no initial value", span);
    return;
  }
  if (v.type.kind === "pointer") {
    const pointer = newPointer(cx, v.name, v.type, v.id, span);
    cx.bindings.set(v.id, { kind: "pointer", pointer, type: v.type });
    if (initializer) writePointer(cx, pointer, lowerPointer(cx, initializer), span);
    return;
  }
  const large = initializer && largeLocal(cx, v, initializer, () => declareVariable(cx, v, undefined, span), span);
  if (large) return void cx.bindings.set(v.id, large);
  const given = initializer ? lowerExpr(cx, initializer) : undefined;
  cx.bindings.set(v.id, declareVariable(cx, v, given, span));
}

export function bindWorkgroup(cx: BoundaryLowering, v: Variable): void {
  const object = cx.newObject({
    name: v.name,
    kind: "workgroup",
    bytes: cx.sizeOf(v.type),
    variable: v.id,
    type: v.type,
    access: "readwrite",
  });
  cx.bindings.set(v.id, { kind: "memory", object, terms: [], offset: 0, type: v.type, rule: cx.rule });
}

/** Storage of a private variable with its first values: registers, or memory where it is an array or its address is taken. */
export function declareVariable(
  cx: BoundaryLowering,
  v: Variable,
  given: readonly MachineExpr[] | undefined,
  span: Span,
): LoweredPlace {
  if (cx.containsPointer(v.type)) throw new CannotRun("a pointer inside a value cannot be run", span);
  if (cx.containsArray(v.type) || cx.addressTaken.has(v.id)) {
    const object = cx.newObject({
      name: v.name,
      kind: "private",
      bytes: cx.sizeOf(v.type),
      variable: v.id,
      type: v.type,
      access: "readwrite",
    });
    const place: LoweredPlace = { kind: "memory", object, terms: [], offset: 0, type: v.type, rule: cx.rule };
    if (given) writePlace(cx, place, given, span);
    else cx.emit({ kind: "fill", object, span });
    return place;
  }
  const names = cx.leafNames(v.type, v.name);
  const isConstant = given !== undefined && !cx.assigned.has(v.id);
  const locals = cx.leaves(v.type, span).map((kind, i) => cx.newLocal(names[i]!, kind, isConstant));
  locals.forEach((l, i) => {
    const value = given?.[i];
    cx.emit(value ? { kind: "declare", local: l, value, span } : { kind: "declare", local: l, span });
  });
  return { kind: "locals", locals, type: v.type };
}
