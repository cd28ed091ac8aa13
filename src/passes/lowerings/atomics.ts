/** Atomics by other atomics (memory.md sections 6.2 and 6.3). All are relaxed; stronger orders are refused before. */
import {
  assign,
  binary,
  constantOf,
  declare,
  expressionStatement,
  load,
  opCall,
  unary,
  variablePlace,
} from "../../ast/builders.js";
import { noTrivia, type Expr, type OpCall, type OpId, type Place, type Statement } from "../../ast/nodes.js";
import { noSpan } from "../../support/span.js";
import { bool, voidType } from "../../types/types.js";
import { expression, held, stablePlace, statements, type Lowering } from "./lowering.js";

const again = (call: OpCall, op: OpId, args: readonly Expr[], more: Partial<OpCall> = {}): Expr => ({
  ...call,
  op,
  arguments: args,
  ...more,
});

/** No subtraction: the negated value is added. Integers wrap, so this holds for the least value too. */
export const atomicSub: Lowering = (call) => {
  const [v] = call.arguments;
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
  const compare = load(variablePlace(given));
  const attempt = opCall("atomic.compare_exchange_weak", [desired], bool, call.span, {
    places: [object, variablePlace(old)],
  });
  before.push(declare(old.id), declare(done.id), {
    kind: "do-while",
    span: noSpan,
    trivia: noTrivia,
    body: {
      kind: "block",
      span: noSpan,
      trivia: noTrivia,
      innerComments: [],
      statements: [
        expressionStatement(assign(variablePlace(old), compare)),
        expressionStatement(assign(variablePlace(done), attempt)),
      ],
    },
    condition: {
      kind: "logical",
      operator: "and",
      type: bool,
      span: noSpan,
      left: unary("not", load(variablePlace(done))),
      right: binary("eq", load(variablePlace(old)), compare),
    },
  });
  if (!expectedPlace) return statements(before, load(variablePlace(old)));
  before.push(expressionStatement(assign(expectedPlace, load(variablePlace(old)))));
  return statements(before, load(variablePlace(done)));
};

/** The expected-pointer form by the one that returns the old value; it never fails without reason, which the weak form allows. */
export const expectedByCompare: Lowering = (call, context) => {
  const before: Statement[] = [];
  const expected: Place = stablePlace(context, before, call.places[1]!);
  const type = call.places[0]!.type;
  const given = context.local("compare", type);
  const old = context.local("old", type);
  before.push(declare(given.id, load(expected)));
  const compare = load(variablePlace(given));
  const exchange = opCall("atomic.compare_exchange", [compare, call.arguments[0]!], type, call.span, {
    places: [call.places[0]!],
  });
  before.push(declare(old.id, exchange), expressionStatement(assign(expected, load(variablePlace(old)))));
  return statements(before, binary("eq", load(variablePlace(old)), compare));
};
