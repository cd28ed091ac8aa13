/** Atomics by other atomics (memory.md sections 6.2 and 6.3), and ordered ones by fences (section 5). */
import {
  addressOf,
  assign,
  barrier,
  binary,
  bitcast,
  constantOf,
  convert,
  declare,
  deref,
  doWhileStatement,
  expressionStatement,
  load,
  logical,
  opCall,
  read,
  put,
  unary,
  variablePlace,
} from "../../ast/builders.js";
import {
  type BarrierDescriptor,
  type Expr,
  type OpCall,
  type OpId,
  type Place,
  type Statement,
} from "../../ast/nodes.js";
import { bool, isFloat, pointer, scalar, scalarOf, voidType, type Type } from "../../types/types.js";
import { expression, held, stablePlace, statements, type Lowering, type LoweringContext } from "./lowering.js";

const again = (call: OpCall, op: OpId, args: readonly Expr[], more: Partial<OpCall> = {}): Expr => ({
  ...call,
  op,
  arguments: args,
  ...more,
});

/** The order of a call, for the one that takes its place. */
const orderOf = ({ order, failureOrder, scope, memory }: OpCall): Partial<OpCall> => ({
  ...(order ? { order } : {}),
  ...(failureOrder ? { failureOrder } : {}),
  ...(scope ? { scope } : {}),
  ...(memory ? { memory } : {}),
});

const wordOf = (type: Type): Type => scalar(scalarOf(type) === "f64" ? "u64" : "u32");

/** What a compare-exchange compares: of floats the bits, since a NaN equals nothing and both zeros are equal. */
export function sameBits(a: Expr, b: Expr, operator: "eq" | "ne" = "eq"): Expr {
  if (!isFloat(scalarOf(a.type)!)) return binary(operator, a, b);
  return binary(operator, bitcast(a, wordOf(a.type)), bitcast(b, wordOf(b.type)));
}

type Fences = { readonly before?: BarrierDescriptor["order"]; readonly after?: BarrierDescriptor["order"] };

/**
 * What orders a relaxed access as `orders` do. C++ 17 32.9 (MSL), OpenCL 3.0 3.3.6.2 and Vulkan's memory model, Synchronizes-With: a release
 * fence before an atomic write, and an acquire fence after an atomic read, synchronize as the accesses would if they had the
 * order. A sequentially consistent fence on either side of each access puts all of them into the one order of fences.
 */
function fencesOf(orders: readonly (string | undefined)[]): Fences {
  if (orders.includes("seq_cst")) return { before: "seq_cst", after: "seq_cst" };
  const both = orders.includes("acq_rel");
  return {
    ...(both || orders.includes("release") ? { before: "release" } : {}),
    ...(both || orders.includes("acquire") ? { after: "acquire" } : {}),
  };
}

/** A relaxed access between fences of the scope and the memory that the order is about. */
export const orderByFences: Lowering = (call, context) => {
  const { order: _order, failureOrder: _failure, memory, ...rest } = call;
  const about = memory ?? { workgroup: true, global: true, image: false };
  const scope = !about.global && !about.image ? "workgroup" : (call.scope ?? "device");
  const { before, after } = fencesOf([call.order, call.failureOrder]);
  const fence = (order: BarrierDescriptor["order"]): Statement =>
    barrier({ execution: "none", memory: about, scope, order }, call.span);
  const list: Statement[] = [];
  // What the operands do comes before the release.
  const places = call.places.map((p) => stablePlace(context, list, p));
  const args = call.arguments.map((a) => held(context, list, "value", a));
  if (before) list.push(fence(before));
  const access: OpCall = { ...rest, places, arguments: args };
  if (!after) return statements(list, access);
  if (call.type.kind === "void" || context.discarded)
    return statements([...list, expressionStatement({ ...access, plainly: false }), fence(after)], undefined);
  const old = context.local("old", call.type);
  return statements([...list, declare(old.id, access), fence(after)], read(old));
};

/** Reads and compare-exchanges until no other lane came in between: each failure is another lane's success. */
export const exchangeLoop: Lowering = (call, context) => {
  const before: Statement[] = [];
  const place = stablePlace(context, before, call.places[0]!);
  const operand = held(context, before, "value", call.arguments[0]!);
  const loop = loopUntilExchanged(context, place, call, (old) => combined(call.op, old, operand));
  return statements([...before, ...loop.statements], loop.old);
};

/** What an operation makes of the old value. */
export function combined(op: OpId, old: Expr, operand: Expr): Expr {
  switch (op) {
    case "atomic.add":
      return binary("add", old, operand);
    case "atomic.sub":
      return binary("sub", old, operand);
    case "atomic.min":
    case "atomic.max":
      // Of a number and a NaN the number (OpAtomicFMinEXT; OpenCL's fmin).
      if (!isFloat(scalarOf(old.type)!))
        return opCall(op === "atomic.min" ? "math.min" : "math.max", [old, operand], old.type, operand.span);
      return opCall(op === "atomic.min" ? "math.fmin" : "math.fmax", [old, operand], old.type, operand.span);
    default:
      throw new Error(`${op} has no loop`);
  }
}

/** The loop, and what the object held when the exchange came through, which is in the order of the call. */
export function loopUntilExchanged(
  context: Pick<LoweringContext, "local">,
  place: Place,
  call: Pick<OpCall, "type" | "span"> & Partial<OpCall>,
  next: (old: Expr) => Expr,
): { readonly statements: readonly Statement[]; readonly old: Expr } {
  const { type, span, order = "relaxed", scope, memory } = call;
  const [old, expected] = [context.local("old", type), context.local("expected", type)];
  const exchange = opCall("atomic.compare_exchange", [read(expected), next(read(expected))], type, span, {
    places: [place],
    order,
    // Of the last round alone: those before changed nothing.
    failureOrder: "relaxed",
    ...(scope ? { scope } : {}),
    ...(memory ? { memory } : {}),
  });
  return {
    statements: [
      declare(old.id, opCall("atomic.load", [], type, span, { places: [place], order: "relaxed" })),
      declare(expected.id),
      doWhileStatement([put(expected, read(old)), put(old, exchange)], sameBits(read(old), read(expected), "ne")),
    ],
    old: read(old),
  };
}

/** Exchanges 0 for 0, bit by bit, which changes nothing: the object is written, so that its buffer must be writable. */
export const loadByExchange: Lowering = (call) => {
  const zero = constantOf(call.type, 0);
  return expression(again(call, "atomic.compare_exchange", [zero, zero]));
};

/** A float as the word that it is, through a pointer to it. */
export const accessAsWord: Lowering = (call, context) => {
  const [place] = call.places;
  const word = wordOf(place!.type);
  const space = context.spaceOf(place!);
  if (space === undefined) return { kind: "refused", reason: "nothing is known of where the object lies" };
  const object = deref(bitcast(addressOf(place!, space, call.span), pointer(word, space), call.span), call.span);
  const args = call.arguments.map((a) => bitcast(a, word));
  const { places: _places, ...rest } = call;
  if (call.type.kind === "void") return expression({ ...rest, places: [object], arguments: args });
  return expression(bitcast({ ...rest, places: [object], arguments: args, type: word }, call.type, call.span));
};

/** A byte as the atomic bool that it is, through a pointer to it. */
export const accessAsBool: Lowering = (call, context) => {
  const [place, ...others] = call.places;
  const space = context.spaceOf(place!);
  if (space === undefined) return { kind: "refused", reason: "nothing is known of where the object lies" };
  const object = deref(bitcast(addressOf(place!, space, call.span), pointer(bool, space), call.span), call.span);
  const args = call.arguments.map((a) => convert(a, bool, true, a.span));
  const access: Expr = { ...call, places: [object, ...others], arguments: args };
  if (call.type.kind === "void" || others.length > 0) return expression(access);
  return expression(convert({ ...access, type: bool }, call.type, true, call.span));
};

/** raw-buffers.ts has carried out those it can. */
export const objectInWords: Lowering = (call) => ({
  kind: "refused",
  reason: `no atomic acts on ${scalarOf(call.places[0]!.type)}: only a buffer or array that can be declared as words has them`,
});

/** No subtraction: the negated value is added. Integers wrap, so this holds for the least value too. */
export const atomicSub: Lowering = (call) => {
  const [v] = call.arguments;
  if (isFloat(scalarOf(v!.type)!)) return expression(again(call, "atomic.add", [unary("negate", v!)]));
  const negated: Expr =
    v!.kind === "literal" && v.type.scalar === "i32"
      ? { ...v, value: -Number(v.value) | 0, text: undefined }
      : unary("negate", v!);
  return expression(again(call, "atomic.add", [negated]));
};

export const atomicStep: Lowering = (call) =>
  expression(again(call, call.op === "atomic.inc" ? "atomic.add" : "atomic.sub", [constantOf(call.type, 1)]));

/** Reads by or-ing nothing in: the object is written, so its buffer must be writable. */
export const atomicLoad: Lowering = (call) => expression(again(call, "atomic.or", [constantOf(call.type, 0)]));

export const atomicStore: Lowering = (call) =>
  expression(again(call, "atomic.exchange", call.arguments, { type: call.arguments[0]!.type }));

/** HLSL gives the old value in an out argument. */
export const interlockedResult: Lowering = (call, context) => {
  const old = context.local("old", call.type);
  const place = variablePlace(old);
  return statements(
    [
      declare(old.id),
      expressionStatement(again(call, call.op, call.arguments, { places: [...call.places, place], type: voidType })),
    ],
    load(place),
  );
};

/** A compare-exchange that may fail without reason is repeated until it stored or saw another value. */
export const exchangeUntilDecided: Lowering = (call, context) => {
  const before: Statement[] = [];
  const strong = call.op === "atomic.compare_exchange_strong";
  const object = stablePlace(context, before, call.places[0]!);
  const expectedPlace = strong ? stablePlace(context, before, call.places[1]!) : undefined;
  const type = object.type;
  const old = context.local("old", type);
  const done = context.local("done", bool);
  const given = context.local("compare", type);
  before.push(declare(given.id, expectedPlace ? load(expectedPlace) : call.arguments[0]!));
  const desired = held(context, before, "desired", strong ? call.arguments[0]! : call.arguments[1]!);
  const compare = read(given);
  const attempt = opCall("atomic.compare_exchange_weak", [desired], bool, call.span, {
    places: [object, variablePlace(old)],
  });
  const failed = logical("and", unary("not", read(done)), sameBits(read(old), compare));
  before.push(declare(old.id), declare(done.id), doWhileStatement([put(old, compare), put(done, attempt)], failed));
  if (!expectedPlace) return statements(before, read(old));
  before.push(expressionStatement(assign(expectedPlace, read(old))));
  return statements(before, read(done));
};

/** The expected-pointer form by the one that returns the old value; it never fails without reason, which the weak form allows. */
export const expectedByCompare: Lowering = (call, context) => {
  const before: Statement[] = [];
  const expected: Place = stablePlace(context, before, call.places[1]!);
  const type = call.places[0]!.type;
  const given = context.local("compare", type);
  const old = context.local("old", type);
  // Of a bool in a buffer what was expected is a bool, and the object an integer.
  before.push(declare(given.id, convert(load(expected), type)));
  const compare = read(given);
  const exchange = opCall("atomic.compare_exchange", [compare, call.arguments[0]!], type, call.span, {
    places: [call.places[0]!],
    ...orderOf(call),
  });
  const found = convert(read(old), expected.type);
  before.push(declare(old.id, exchange), expressionStatement(assign(expected, found)));
  return statements(before, sameBits(read(old), compare));
};
