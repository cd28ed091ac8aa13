/** OpenCL's vector loads and stores by single elements. */
import { row } from "../../ops/table.js";
import {
  assign,
  construct,
  convert,
  declare,
  expressionStatement,
  load,
  literal,
  opCall,
  pointerElement,
  element,
  variablePlace,
} from "../../ast/builders.js";
import { literalValue } from "../../ast/builders.js";
import { elementOverRows } from "../../ast/element-over-rows.js";
import { opId } from "../../ast/op-ids.js";
import type { Expr, OpCall, Place, Statement } from "../../ast/nodes.js";
import { add, components, k, mul } from "../../ops/trees.js";
import { componentCount, isInteger, scalarOf, shaped } from "../../types/types.js";
import {
  held,
  isSimple,
  refuse,
  stablePlace,
  statements,
  type Lowering,
  type LoweringContext,
  type LoweringResult,
} from "./lowering.js";
import { narrowsExactly } from "./half.js";

/** The place `index` elements after `place`, which is an element of an array, behind a pointer, or a member with others like it behind it. */
export function elementAfter(context: LoweringContext, place: Place, index: Expr): Place | undefined {
  const offset = literalValue(index);
  if (offset === 0) return place;
  if (place.kind === "member") return offset === undefined ? undefined : context.memberAfter(place, Number(offset));
  if (place.kind === "element" && place.base.type.kind === "array") {
    const first = literalValue(place.index);
    const further = inFurtherRow(context, place, index);
    if (further) return further;
    if (first === 0 || first === 0n) return element(place.base, index, place.span);
    const own = scalarOf(place.index.type)!;
    return element(place.base, add(place.index, isInteger(own) ? convert(index, place.index.type) : index), place.span);
  }
  if (place.kind === "deref") return pointerElement(place.pointer, index, place.span);
  return undefined;
}

/** Behind the end of a row of an array of arrays, which `m[0]` of a number that the text does not show may lead to. */
function inFurtherRow(context: LoweringContext, place: Place & { kind: "element" }, by: Expr): Place | undefined {
  const { base, index: start, span } = place;
  const length = base.type.kind === "array" ? base.type.length : undefined;
  if (length === undefined || base.kind !== "element" || base.base.type.kind !== "array") return undefined;
  const [row, first, more] = [base.index, start, by].map(literalValue);
  if (first !== undefined && more !== undefined) {
    const at = Number(first) + Number(more);
    const next = at >= length ? elementAfter(context, base, literal("i32", Math.floor(at / length), span)) : undefined;
    return next && element(next, literal("i32", at % length, span), span);
  }
  if (row === undefined) return undefined;
  const terms = [literal("i32", Number(row) * length, span), start, by].filter((x) => Number(literalValue(x)) !== 0);
  const index = terms.reduce((a, b) => add(a, convert(b, a.type)));
  return elementOverRows(base.base, index, [length], () => {
    throw new Error("broken tree: an offset with effects was not kept");
  });
}

interface Run {
  readonly before: Statement[];
  readonly places: readonly Place[];
}

/** The n places an op touches, with its offset operand. */
function places(call: OpCall, context: LoweringContext, offset: Expr, n: number, stride: number): Run | undefined {
  const before: Statement[] = [];
  const base = stablePlace(context, before, call.places[0]!);
  const kind = scalarOf(offset.type)!;
  const constant = literalValue(offset);
  const steps =
    n === 1 && stride === 1
      ? offset
      : constant === undefined
        ? mul(offset, k(offset.type, stride))
        : literal(kind, Number(constant) * stride);
  const start = n > 2 && constant === undefined && !isSimple(steps) ? heldStart(context, before, steps) : steps;
  const list: Place[] = [];
  for (let i = 0; i < n; i++) {
    const index =
      constant === undefined
        ? i === 0
          ? start
          : add(start, k(start.type, i))
        : literal(kind, Number(constant) * stride + i);
    const place = elementAfter(context, base, index);
    if (!place) return undefined;
    list.push(place);
  }
  return { before, places: list };
}

const heldStart = (context: LoweringContext, before: Statement[], e: Expr): Expr => {
  const v = context.local("base", e.type);
  before.push(declare(v.id, e));
  return load(variablePlace(v));
};

const noArray = (): LoweringResult => refuse("it needs a pointer into an array");

export const consecutiveElements: Lowering = (call, context) => {
  if (call.op === "memory.vload") {
    const n = componentCount(call.type)!;
    const run = places(call, context, call.arguments[0]!, n, n);
    if (!run) return noArray();
    return statements(
      run.before,
      construct(
        call.type,
        run.places.map((p) => load(p)),
        call.span,
      ),
    );
  }
  const value = call.arguments[0]!;
  return store(call, context, value, componentCount(value.type)!, componentCount(value.type)!, (part) => part);
};

function store(
  call: OpCall,
  context: LoweringContext,
  value: Expr,
  n: number,
  stride: number,
  make: (part: Expr) => Expr,
): LoweringResult {
  const first: Statement[] = [];
  const kept = n === 1 ? value : held(context, first, "v", value);
  const run = places(call, context, call.arguments[1]!, n, stride);
  if (!run) return noArray();
  const parts = components(kept);
  const stores = run.places.map((p, i) => expressionStatement(assign(p, make(parts[i]!), call.span)));
  return statements([...first, ...run.before, ...stores]);
}

const strideOf = (call: OpCall, n: number): number => (n === 3 && row(call.op).vector?.aligned ? 4 : n);

export const consecutiveHalves: Lowering = (call, context) => {
  if (call.type.kind !== "void") {
    const n = componentCount(call.type)!;
    const run = places(call, context, call.arguments[0]!, n, strideOf(call, n));
    if (!run) return noArray();
    const halves = run.places.map((p) => load(p));
    const value = n === 1 ? halves[0]! : construct(shaped("f16", n), halves);
    return statements(run.before, convert(value, call.type, true, call.span));
  }
  const value = call.arguments[0]!;
  const n = componentCount(value.type)!;
  const mode = row(call.op).rounding ?? "rte";
  const half = shaped("f16", 1);
  // A double is rounded once.
  if (scalarOf(value.type) === "f64")
    return store(call, context, value, n, strideOf(call, n), (part) => opCall(opId(`convert.${mode}`), [part], half));
  const exact = narrowsExactly(context, value, mode);
  return store(call, context, exact, n, strideOf(call, n), (part) => convert(part, half, true));
};
