/**
 * Asynchronous copies by loops of all lanes of the workgroup, done where they are called, and waits for them by barriers
 * (docs/design/async-copies.md). No barrier comes before a copy: what its source holds is there by then in the source too.
 */
import {
  assign,
  barrier,
  binary,
  block,
  builtin,
  convert,
  declare,
  expressionStatement,
  literalValue,
  load,
  read,
  u32Literal,
  variablePlace,
} from "../../ast/builders.js";
import { noTrivia, type BarrierDescriptor, type Expr, type OpCall, type Statement } from "../../ast/nodes.js";
import { isPure, placeIsPure } from "../../ast/walk.js";
import { row } from "../../ops/table.js";
import { mul } from "../../ops/trees.js";
import { append } from "../../support/append.js";
import { u32 } from "../../types/types.js";
import { held, refuse, stablePlace, statements, type Lowering, type LoweringContext } from "./lowering.js";
import { elementAfter } from "./memory.js";
import { lanesOfWorkgroup } from "./workgroup.js";

/** The event of a copy that is done: none. */
const noEvent = (call: OpCall): Expr => ({ ...u32Literal(0, call.span), type: u32 });

const inWords = (e: Expr): Expr => {
  const value = literalValue(e);
  return value === undefined ? convert(e, u32) : u32Literal(Number(value), e.span);
};

/** What evaluating operands that are not used does besides. */
const effectsOf = (operands: readonly Expr[]): Statement[] =>
  operands.filter((e) => !isPure(e)).map((e) => expressionStatement(e, e.span));

export const cooperativeCopy: Lowering = (call, context) => {
  const [count, apart] = call.arguments as [Expr, Expr];
  const event = call.arguments.at(-1)!;
  const { strided } = row(call.op);
  const before: Statement[] = [];
  const [to, from] = call.places.map((p) => stablePlace(context, before, p));
  const n = held(context, before, "count", inWords(count));
  const stride = strided && held(context, before, "stride", inWords(apart));
  append(before, effectsOf([event]));
  const lanes = context.local("lanes", u32);
  before.push(declare(lanes.id, lanesOfWorkgroup()));
  const i = context.local("i", u32);
  const at = (side: "source" | "target"): Expr => (stride && side === strided ? mul(read(i), stride) : read(i));
  const [target, source] = [elementAfter(context, to!, at("target")), elementAfter(context, from!, at("source"))];
  if (!target || !source) return refuse("it needs pointers into arrays");
  before.push({
    kind: "for",
    span: call.span,
    trivia: noTrivia,
    initializer: [declare(i.id, builtin("local_index"))],
    condition: binary("lt", read(i), n),
    step: { ...assign(variablePlace(i), read(lanes)), operator: "add" } as Expr,
    body: block([expressionStatement(assign(target, load(source), call.span), call.span)]),
  });
  return statements(before, noEvent(call));
};

/** All wait until the loops of all are done. */
export const barrierAfterCopies = (global: boolean): BarrierDescriptor => ({
  execution: "workgroup",
  memory: { workgroup: true, global, image: false },
  scope: "workgroup",
  order: "acq_rel",
});

/** The same of operands and of finding the places. */
function effectsOfCall(call: OpCall, context: LoweringContext): Statement[] {
  const before: Statement[] = [];
  for (const p of call.places) if (!placeIsPure(p)) stablePlace(context, before, p);
  return [...before, ...effectsOf(call.arguments)];
}

const wait = (call: OpCall, context: LoweringContext, global: boolean): readonly Statement[] => [
  ...effectsOfCall(call, context),
  barrier(barrierAfterCopies(global), call.span),
];

/** Where nothing is known of the copies: they may have been to and from buffers. */
export const waitByBarrier: Lowering = (call, context) => statements(wait(call, context, true));
/** Where all of them are from buffers that nobody writes. */
export const waitByWorkgroupBarrier: Lowering = (call, context) => statements(wait(call, context, false));

/** A hint may be left out. */
export const noPrefetch: Lowering = (call, context) => statements(effectsOfCall(call, context));
