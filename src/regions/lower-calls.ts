/** Calls of the source's own functions: inlined, or kept as plain functions where nothing speaks against it. */
import type { Expr, FunctionCall, FunctionDeclaration, Statement, Variable } from "../ast/nodes.js";
import { walkStatement } from "../ast/walk.js";
import { append } from "../support/append.js";
import type { Span } from "../support/span.js";
import { largeLocal } from "./large-arrays.js";
import { declareVariable, lowerStatements } from "./lower-statements.js";
import { EarlierValues, lowerExpr } from "./lower-expressions.js";
import {
  CannotRun,
  type Binding,
  type BoundaryLowering,
  type PointerValue,
  type PointerVariable,
} from "./boundary-lowering.js";
import {
  lowerPlace,
  lowerPointer,
  newPointer,
  pinPlace,
  pinPointer,
  readPlace,
  readPointer,
  writePlace,
  writePointer,
} from "./lower-places.js";
import { local, visitCode } from "./machine.js";
import type { Code, LocalId, MachineExpr } from "./tree.js";

export function lowerCall(cx: BoundaryLowering, e: FunctionCall, wanted: boolean): readonly MachineExpr[] {
  const callee = cx.functions.get(e.function);
  if (!callee) throw new Error(`broken tree: function ${e.function}`);
  if (cx.frames.some((f) => f.declaration.id === callee.id)) {
    throw new CannotRun(`${callee.name} calls itself, which no dialect allows in a kernel`, e.span);
  }
  if (staysFunction(cx, callee)) return callHelper(cx, callee, e, wanted);
  return inline(cx, callee, e, wanted);
}

/** Values in, at most one scalar out, no boundary, nothing that belongs to one lane but its parameters. */
function staysFunction(cx: BoundaryLowering, f: FunctionDeclaration): boolean {
  const known = cx.helperIndex.get(f.id);
  if (known !== undefined) return known >= 0;
  const fits = fitsFunction(cx, f);
  if (!fits) cx.helperIndex.set(f.id, -1);
  return fits;
}

/** Asked once a function: what calls another twice asks twice. */
function fitsFunction(cx: BoundaryLowering, f: FunctionDeclaration): boolean {
  const known = cx.fitsFunction.get(f.id);
  if (known !== undefined) return known;
  // One that calls itself does not.
  cx.fitsFunction.set(f.id, false);
  const fits = looksLikeFunction(cx, f);
  cx.fitsFunction.set(f.id, fits);
  return fits;
}

function looksLikeFunction(cx: BoundaryLowering, f: FunctionDeclaration): boolean {
  if (f.returnType.kind !== "scalar" && f.returnType.kind !== "void") return false;
  // Put in its place, the value it may end without is a local that is read before it is set.
  if (f.returnType.kind === "scalar" && !alwaysReturns(f.body)) return false;
  for (const id of f.parameters) {
    const p = cx.variable(id);
    if ((p.mode ?? "value") !== "value" && p.mode !== "in") return false;
    if (cx.containsPointer(p.type) || cx.containsArray(p.type) || cx.addressTaken.has(id)) return false;
  }
  let fits = true;
  walkStatement(f.body, {
    statement(s) {
      if (s.kind === "barrier") fits = false;
      if (s.kind === "declare" && !ownScalars(cx, cx.variable(s.variable))) fits = false;
      return fits;
    },
    place(p) {
      if (p.kind === "variable") {
        const v = cx.variable(p.variable);
        // Private globals are registers or memory of one lane.
        if (v.role === "global" && v.space === "private") fits = false;
      }
      if (p.kind === "deref") fits = false;
      return fits;
    },
    expr(e) {
      if (e.kind === "builtin" || e.kind === "print") fits = false;
      if (e.kind === "op") {
        const kind = cx.expansionOf(e.op)?.kind;
        if (kind !== "map" && kind !== "tree") fits = false;
      }
      if (e.kind === "call") {
        const inner = cx.functions.get(e.function);
        if (!inner || !fitsFunction(cx, inner)) fits = false;
      }
      return fits;
    },
  });
  return fits;
}

/** As far as the text shows. */
function alwaysReturns(s: Statement): boolean {
  switch (s.kind) {
    case "return":
      return true;
    case "block":
      return s.statements.some(alwaysReturns);
    case "if":
      return s.else !== undefined && alwaysReturns(s.then) && alwaysReturns(s.else);
    default:
      return false;
  }
}

const ownScalars = (cx: BoundaryLowering, v: Variable): boolean =>
  v.space === "private" && !cx.containsArray(v.type) && !cx.containsPointer(v.type) && !cx.addressTaken.has(v.id);

function callHelper(
  cx: BoundaryLowering,
  f: FunctionDeclaration,
  e: FunctionCall,
  wanted: boolean,
): readonly MachineExpr[] {
  const args = new EarlierValues(cx);
  for (const a of e.arguments) {
    if (a.mode !== "value") throw new Error("broken tree: a place for a value parameter");
    const mark = cx.out.length;
    const value = lowerExpr(cx, a.value);
    args.pin(mark, e.span);
    args.push(value);
  }
  const helper = helperOf(cx, f);
  const scalar = f.returnType.kind === "scalar" ? f.returnType.scalar : "i32";
  const value: MachineExpr = { kind: "call", scalar, helper, arguments: args.values.flat() };
  // Calls are statements of their own, so that what they do keeps its place among other effects.
  if (f.returnType.kind === "void") {
    cx.emit({ kind: "evaluate", value, span: e.span });
    return [];
  }
  const result = cx.temporary(value, e.span);
  return wanted ? [result] : [];
}

function helperOf(cx: BoundaryLowering, f: FunctionDeclaration): number {
  const known = cx.helperIndex.get(f.id);
  if (known !== undefined) return known;
  const { code, value: parameters } = cx.collect(() => {
    const ids: LocalId[] = [];
    for (const id of f.parameters) {
      const v = cx.variable(id);
      const names = cx.leafNames(v.type, v.name);
      const locals = cx.leaves(v.type, v.span).map((kind, i) => cx.newLocal(names[i]!, kind, false));
      cx.bindings.set(id, { kind: "locals", locals, type: v.type });
      append(ids, locals);
    }
    const savedStack = cx.stack;
    const savedJumps = cx.jumps;
    cx.stack = [];
    cx.jumps = [];
    cx.frames.push({ declaration: f, returnLabel: undefined, result: undefined, outOfLine: true });
    lowerStatements(cx, f.body.statements);
    cx.frames.pop();
    cx.stack = savedStack;
    cx.jumps = savedJumps;
    return ids;
  });
  const index = cx.helpers.length;
  cx.helpers.push({
    name: f.name,
    parameters,
    result: f.returnType.kind === "scalar" ? f.returnType.scalar : undefined,
    body: code,
    span: f.nameSpan,
  });
  cx.helperIndex.set(f.id, index);
  return index;
}

/** Calls within calls of functions that are put in where they are called. */
const deepestInlining = 256;

const inline = (
  cx: BoundaryLowering,
  f: FunctionDeclaration,
  e: FunctionCall,
  wanted: boolean,
): readonly MachineExpr[] => inlineWith(cx, f, e, wanted, []);

function inlineWith(
  cx: BoundaryLowering,
  f: FunctionDeclaration,
  e: FunctionCall,
  wanted: boolean,
  pointers: PointerVariable[],
): readonly MachineExpr[] {
  if (cx.frames.length > deepestInlining) {
    throw new CannotRun(`calls are nested deeper than ${deepestInlining}`, e.span);
  }
  const bindings: [number, Binding][] = [];
  const copyBack: { readonly from: Binding; readonly to: ReturnType<typeof lowerPlace> }[] = [];
  const earlier = new EarlierValues(cx);
  const { values } = earlier;
  // Argument values first, all of them, then the parameters come into scope.
  const lowered = e.arguments.map((a, i) => {
    const parameter = cx.variable(f.parameters[i]!);
    const mark = cx.out.length;
    if (a.mode === "value") {
      if (parameter.type.kind === "pointer")
        return { parameter, pointer: pinPointer(cx, lowerPointer(cx, a.value), e.span) };
      const large = largeLocal(cx, parameter, a.value, () => declareVariable(cx, parameter, undefined, e.span), e.span);
      const value = large ? [] : lowerExpr(cx, a.value);
      earlier.pin(mark, e.span);
      if (large) return { parameter, place: large, mode: "ref" as const };
      earlier.push(value);
      return { parameter, at: values.length - 1 };
    }
    const place = pinPlace(cx, lowerPlace(cx, a.place), e.span);
    if (a.mode === "ref") return { parameter, place, mode: a.mode };
    return { parameter, place, mode: a.mode };
  });
  const copied = new Map(
    lowered.map((a) => [
      a,
      a.mode === "inout" ? readPlace(cx, a.place, e.span).map((x) => cx.stable(x, e.span)) : undefined,
    ]),
  );
  for (const a of lowered) {
    if ("pointer" in a && a.pointer) {
      bindings.push([a.parameter.id, pointerParameter(cx, a.parameter, a.pointer, e.span)]);
    } else if (a.mode === "ref") {
      bindings.push([a.parameter.id, a.place]);
    } else {
      const given = a.at === undefined ? copied.get(a) : values[a.at];
      const binding = valueParameter(cx, a.parameter, given, e.span);
      bindings.push([a.parameter.id, binding]);
      if (a.place) copyBack.push({ from: binding, to: a.place });
    }
  }
  for (const [id, binding] of bindings) cx.bindings.set(id, binding);

  let result: Binding | undefined;
  if (f.returnType.kind === "pointer") {
    const pointer = newPointer(cx, "result", f.returnType, undefined, e.span);
    pointers.push(pointer);
    result = { kind: "pointer", pointer, type: f.returnType };
  } else if (f.returnType.kind !== "void") {
    const locals = cx.leaves(f.returnType, e.span).map((kind) => cx.newLocal("result", kind, false));
    result = { kind: "locals", locals, type: f.returnType };
  }
  const label = cx.label();
  cx.stack = [...cx.stack, e.span];
  const savedJumps = cx.jumps;
  cx.jumps = [];
  cx.frames.push({ declaration: f, returnLabel: label, result, outOfLine: false });
  const { code } = cx.collect(() => lowerStatements(cx, f.body.statements));
  cx.frames.pop();
  cx.jumps = savedJumps;
  cx.stack = cx.stack.slice(0, -1);
  // A single return at the very end needs no block around the body.
  const last = code.at(-1);
  if (last?.kind === "break" && last.label === label) code.pop();
  let returned: readonly MachineExpr[] | undefined;
  if (jumpsTo(code, label)) {
    declareResult(cx, result, e.span);
    cx.emit({ kind: "block", label, body: code, span: e.span });
  } else {
    returned = onlyReturn(code, result);
    if (!returned) declareResult(cx, result, e.span);
    // They have been counted.
    for (const c of code) cx.out.push(c);
  }
  // Copied back places may be what the result reads.
  if (returned && copyBack.length > 0) returned = returned.map((x) => cx.stable(x, e.span));
  for (const { from, to } of copyBack) {
    if (from.kind === "pointer-value") throw new Error("broken tree: pointer copied back");
    writePlace(cx, to, readPlace(cx, from, e.span), e.span);
  }
  if (result?.kind !== "locals") return [];
  if (!wanted) return returned ?? [];
  return returned ?? result.locals.map((l) => local(l, cx.locals.get(l)!.scalar));
}

function declareResult(cx: BoundaryLowering, result: Binding | undefined, span: Span): void {
  if (result?.kind === "locals") for (const l of result.locals) cx.emit({ kind: "declare", local: l, span });
}

/** The values of the one `return` at the end of a body, taken off it. */
function onlyReturn(code: Code[], result: Binding | undefined): MachineExpr[] | undefined {
  if (result?.kind !== "locals") return undefined;
  const count = result.locals.length;
  const sets = code.slice(code.length - count);
  const values: MachineExpr[] = [];
  for (const [i, l] of result.locals.entries()) {
    const s = sets[i];
    if (s?.kind !== "set" || s.local !== l) return undefined;
    values.push(s.value);
  }
  code.splice(code.length - count);
  return values;
}

function jumpsTo(code: readonly Code[], label: number): boolean {
  let found = false;
  visitCode(code, (c) => {
    if ((c.kind === "break" || c.kind === "continue") && c.label === label) found = true;
  });
  return found;
}

function pointerParameter(cx: BoundaryLowering, v: Variable, value: PointerValue, span: Span): Binding {
  if (!cx.assigned.has(v.id)) return { kind: "pointer-value", value, type: v.type };
  const pointer = newPointer(cx, v.name, v.type, v.id, span);
  writePointer(cx, pointer, value, span);
  return { kind: "pointer", pointer, type: v.type };
}

/** A parameter that is never assigned stands for the values themselves where these cannot change. */
function valueParameter(
  cx: BoundaryLowering,
  v: Variable,
  given: readonly MachineExpr[] | undefined,
  span: Span,
): Binding {
  const fixed = !cx.assigned.has(v.id) && !cx.addressTaken.has(v.id);
  if (fixed && given && !cx.containsArray(v.type) && given.every((x) => cx.isStable(x))) {
    return { kind: "values", values: given, type: v.type };
  }
  return declareVariable(cx, v, given, span);
}

/** The last call's pointer result, as a pointer value. */
export function lowerPointerCall(cx: BoundaryLowering, e: Expr & { kind: "call" }): PointerValue {
  const callee = cx.functions.get(e.function)!;
  const kept: PointerVariable[] = [];
  inlineWith(cx, callee, e, false, kept);
  return readPointer(kept[0]!, e.span);
}
