/** Calls of helpers that take or return pointers. */
import { assign, comma, literalValue, load, rootVariable, variablePlace } from "../../ast/builders.js";
import type { Argument, Expr, FunctionDeclaration, Variable, VarId } from "../../ast/nodes.js";
import { isPure, rewriteExpr } from "../../ast/walk.js";
import { append } from "../../support/append.js";
import { noSpan, type Span } from "../../support/span.js";
import { i32 } from "../../types/types.js";
import {
  assignedAgain,
  type Binder,
  Choice,
  FollowsFromAnother,
  inArray,
  isPointerLike,
  mentions,
  NotLowerable,
  type Pointer,
  type Result,
  type ResultPlace,
  type Specialisation,
  usesGlobal,
  cutAt,
} from "./pointer-values.js";
import { objectBinders, restOf, type PrivatePointer } from "./pointer-objects.js";
import type { FunctionLowering } from "./function-lowering.js";

interface SpecialisedCall {
  readonly call: Expr & { kind: "call" };
  readonly result: Result | undefined;
  /** What the parameters by which the helper hands out indices stand for here. */
  readonly outs: readonly Variable[];
  readonly pointers: ReadonlyMap<VarId, Pointer>;
  readonly binders: ReadonlyMap<VarId, Binder>;
  /** Of parameters whose values are indices of the returned pointer, by number: what they are here, as often as one asks. */
  readonly given: ReadonlyMap<number, Expr>;
}

/** Parameters, by number, whose values are in indices of what a helper returns. */
const indicesGiven = (result: Result | undefined): ReadonlySet<number> =>
  new Set(
    result?.alternatives.flatMap((a) => a.holes.flatMap((h) => (h.kind === "given" ? [...h.parameters.values()] : []))),
  );

/** For the value of a parameter, what was passed. */
function valueGiven(e: Expr, parameters: ReadonlyMap<VarId, number>, values: ReadonlyMap<number, Expr>): Expr {
  const at = e.kind === "load" && e.place.kind === "variable" ? parameters.get(e.place.variable) : undefined;
  return at === undefined ? e : values.get(at)!;
}

export class PointerCalls {
  constructor(private readonly body: FunctionLowering) {}

  calledPointer(e: Expr & { kind: "call" }): Pointer {
    const decided = this.body.choices.decided.get(e);
    if (decided?.pointer) return decided.pointer;
    const made = this.specialisedCall(e, this.body.whole.callee(e.function)!);
    const { call, result, outs } = made;
    if (!result)
      throw new FollowsFromAnother("XL4006", "what the returned pointer points at is not known here", e.span);
    // `w.add(1).add(2)`: the call gives nothing, and stands before what is done with the object.
    if (call.type.kind === "void" && !this.body.whole.isFree(call))
      throw new Choice(e, () => [], "a function with effects returns a pointer", e.span, undefined, [], {
        before: this.effectsOf(call, e),
        pointers: [this.resultPointer(e, made, result.alternatives[0]!, call)],
      });
    if (outs.length === 0) return this.resultPointer(e, made, result.alternatives[0]!, call);
    // What leaves by parameters is there when the call has been made.
    const index = this.body.lateLocal(`${this.body.whole.callee(e.function)!.name}_offset`, result.type);
    const before = assign(variablePlace(index, e.span), call, e.span);
    const pointers = result.alternatives.map((a) => this.resultPointer(e, made, a, load(variablePlace(index, e.span))));
    if (pointers.length > 1) {
      const names = pointers.map((p) => this.body.whole.variable(p.root).name);
      throw new Choice(
        e,
        this.body.choices.byNumber(outs[0]!, pointers.length),
        `the pointer may point into ${names[0]!} or ${names[1]!}`,
        e.span,
        { message: `here it points into ${names[0]!}`, span: result.span },
        pointers.map((p) => p.root),
        { before, pointers },
      );
    }
    const [only] = pointers;
    const [first, ...rest] = only!.holes;
    return { ...only!, holes: [comma(before, first!, e.span), ...rest] };
  }

  /** Of a call that gives nothing: where its function does nothing, what its arguments do. */
  private effectsOf(call: Expr & { kind: "call" }, e: Expr & { kind: "call" }): Expr {
    if (!this.body.whole.isFreeFunction(this.body.whole.callee(e.function)!)) return call;
    if (call.arguments.some((a) => a.mode !== "value" && !isPure(load(a.place)))) return call;
    const values = call.arguments.flatMap((a) => (a.mode === "value" && !isPure(a.value) ? [a.value] : []));
    return values.length === 0 ? call : values.reduce((before, value) => comma(before, value, e.span));
  }

  /** A pointer that was returned, where the call gives this index. */
  private resultPointer(
    e: Expr,
    { call, pointers, binders, outs, given: values }: SpecialisedCall,
    place: ResultPlace,
    index: Expr,
  ): Pointer {
    const written = call.arguments.flatMap((a) => (a.mode === "value" ? [] : [rootVariable(a.place)]));
    const twice = (h: Expr): Expr => {
      if (!isPure(h) || written.some((v) => v !== undefined && mentions(h, v)))
        throw new NotLowerable(
          "XL4006",
          "the index of an argument stands in the returned pointer, and has effects",
          e.span,
        );
      return h;
    };
    const holes = place.holes.map((h) => {
      if (h.kind === "returned") return index;
      if (h.kind === "out") return load(variablePlace(outs[h.at]!, e.span));
      if (h.kind === "fixed") return h.value;
      if (h.kind === "given") return rewriteExpr(h.value, { expr: (x) => valueGiven(x, h.parameters, values) });
      const [pointer, binder] = [pointers.get(h.parameter)!, binders.get(h.parameter)!];
      return twice((binder.kind === "object" ? restOf(pointer, binder) : pointer.holes)[h.index]!);
    });
    if (place.via === undefined) return { root: place.root, steps: place.steps, holes };
    const object = pointers.get(place.via);
    const binder = binders.get(place.via)!;
    // One that is null here, as far as it is known yet.
    if (!object)
      throw new FollowsFromAnother("XL4006", "what the returned pointer points at is not known here", e.span);
    const given = binder.kind === "object" ? cutAt(object, object.steps.length - binder.steps.length) : object;
    return {
      root: given.root,
      steps: [...given.steps, ...place.steps],
      holes: [...given.holes.map(twice), ...holes],
    };
  }

  call(e: Expr & { kind: "call" }): Expr {
    const callee = this.body.whole.callee(e.function);
    if (!callee) {
      return {
        ...e,
        arguments: e.arguments.map((a): Argument =>
          a.mode === "value"
            ? { mode: "value", value: this.body.expr(a.value) }
            : { ...a, place: this.body.place(a.place) },
        ),
      };
    }
    return this.specialisedCall(e, callee).call;
  }

  private specialisedCall(e: Expr & { kind: "call" }, callee: FunctionDeclaration): SpecialisedCall {
    const binders = new Map<VarId, Binder>();
    const pointers = new Map<VarId, Pointer>();
    const own: PrivatePointer[] = [];
    callee.parameters.forEach((p, i) => {
      const v = this.body.whole.variable(p);
      const a = e.arguments[i]!;
      if (!isPointerLike(v)) return;
      const given = a.mode === "value" ? this.body.nulls.maybe(a.value) : this.body.path(a.place);
      const pointer =
        given && v.type.kind === "pointer" && assignedAgain(callee, p) ? inArray(given, v.type.pointee) : given;
      if (!pointer) {
        binders.set(p, { kind: "null" });
        return;
      }
      pointers.set(p, pointer);
      const root = this.body.whole.variable(pointer.root);
      if (root.space !== "private")
        binders.set(p, { kind: "path", shape: { root: pointer.root, steps: pointer.steps } });
      else
        own.push({
          parameter: v,
          pointer,
          moves: this.body.whole.moves(callee, p),
          casts: this.body.whole.uses.casts(callee, p),
          writes: this.body.whole.uses.casts(callee, p) && this.body.whole.uses.writes(callee, p),
        });
    });
    for (const [p, b] of objectBinders(
      callee,
      own,
      this.body.whole.uses,
      (x, n) => this.body.build(cutAt(x, n), noSpan).type,
    ))
      binders.set(p, b);
    this.refuseGlobals(callee, binders, pointers, e.span);
    const s = this.body.whole.specialise(callee, binders);
    const result = callee.returnType.kind === "pointer" ? this.body.whole.result(s) : undefined;
    const asIndices = indicesGiven(result);
    const given = new Map<number, Expr>();
    const args: Argument[] = [];
    callee.parameters.forEach((p, i) => {
      const a = e.arguments[i]!;
      const pointer = pointers.get(p);
      const binder = binders.get(p);
      if (binder?.kind === "null") return;
      if (!pointer || !binder) {
        const value = a.mode === "value" ? this.body.expr(a.value) : undefined;
        if (a.mode !== "value") args.push({ ...a, place: this.body.place(a.place) });
        else if (asIndices.has(i))
          args.push({ mode: "value", value: this.givenOnce(i, value!, this.body.whole.variable(p).name, given) });
        else args.push({ mode: "value", value: value! });
        return;
      }
      if (binder.kind === "object") {
        if (binder.leader === p && binder.mode !== "none") {
          const place = this.body.build(cutAt(pointer, pointer.steps.length - binder.steps.length), e.span);
          args.push(
            binder.mode === "value" ? { mode: "value", value: load(place, e.span) } : { mode: binder.mode, place },
          );
        }
        restOf(pointer, binder).forEach((h, n) => this.passHole(s, callee, p, n, h, args));
        return;
      }
      pointer.holes.forEach((h, n) => this.passHole(s, callee, p, n, h, args));
    });
    const outs = (result?.outs ?? []).map((v) => this.body.lateLocal(v.name, v.type));
    append(
      args,
      outs.map((v): Argument => ({ mode: "out", place: variablePlace(v, e.span) })),
    );
    return {
      call: { ...e, function: s.id, arguments: args, ...(result ? { type: result.type } : {}) },
      result,
      outs,
      pointers,
      binders,
      given,
    };
  }

  /** An argument that is part of an index of the returned pointer, too: what has effects is kept in a variable. */
  private givenOnce(at: number, value: Expr, name: string, given: Map<number, Expr>): Expr {
    if (isPure(value)) {
      given.set(at, value);
      return value;
    }
    const kept = variablePlace(this.body.lateLocal(name, value.type), value.span);
    given.set(at, load(kept));
    return assign(kept, value, value.span);
  }

  private passHole(
    s: Specialisation,
    callee: FunctionDeclaration,
    p: VarId,
    n: number,
    given: Expr,
    args: Argument[],
  ): void {
    const value = this.body.amount(given);
    const key = `${p}:${n}`;
    const amount = literalValue(value);
    const isZero = (amount === 0 || amount === 0n) && !assignedAgain(callee, p);
    if (this.body.whole.leavesOut(s, key, value, isZero)) return;
    args.push({ mode: "value", value: this.body.offsetAs(value, s.holeTypes.get(key) ?? i32) });
  }

  /** Private objects are copied in and out: one that the helper also uses by its name would no longer be one. */
  private refuseGlobals(
    callee: FunctionDeclaration,
    binders: ReadonlyMap<VarId, Binder>,
    pointers: ReadonlyMap<VarId, Pointer>,
    span: Span,
  ): void {
    for (const [p, b] of binders) {
      const root = pointers.get(p)?.root;
      if (root === undefined || b.kind !== "object" || (b.mode !== "out" && b.mode !== "inout")) continue;
      if (this.body.whole.variable(root).role !== "global" || !usesGlobal(callee, root)) continue;
      throw new NotLowerable(
        "XL4007",
        `${this.body.whole.variable(root).name} is handed to ${callee.name}, which also uses it directly`,
        span,
      );
    }
  }
}
