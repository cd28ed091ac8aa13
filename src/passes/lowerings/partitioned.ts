/** Match and partitioned ops by ballots and shuffles, and HLSL's forms from each other (cross-lane.md R-MATCH, R-PART). */

import { opId } from "../../ast/op-ids.js";
import {
  assign,
  binary,
  block,
  boolLiteral,
  declare,
  expressionStatement,
  ifStatement,
  increment,
  logical,
  opCall,
  returnStatement,
  u32Literal,
  variablePlace,
  constantOf,
  read,
} from "../../ast/builders.js";
import { noTrivia, type Expr, type OpCall, type Statement } from "../../ast/nodes.js";
import { and, bitsOf, complement } from "../../ops/trees.js";
import { noSpan } from "../../support/span.js";
import { bool, u32 } from "../../types/types.js";
import { expression, helperCall, type Lowering, foldOf } from "./lowering.js";
import { ballotOf, combine, identity, lane, size, u32x4 } from "./subgroup.js";

const whole = (e: Expr): Expr => (e.type.kind === "vector" ? opCall("logic.all", [e], bool) : e);

/** The op on the bits of a value. */
export const matchBits: Lowering = (call) => expression({ ...call, arguments: [bitsOf(call.arguments[0]!)] });

/**
 * R-MATCH: the lowest lane that is left shows its value, the lanes that have it are done. Bits are compared: a NaN, which is
 * not equal to itself, would never be done.
 */
export const matchByBallot: Lowering = (call, context) => {
  const bits = bitsOf(call.arguments[0]!);
  if (bits !== call.arguments[0]) return matchBits(call, context);
  const zero = constantOf(u32x4, 0);
  const expr = helperCall(
    call,
    context,
    (maker, [x]) => {
      const left = maker.local("left", u32x4);
      const result = maker.local("result", u32x4);
      const first = maker.local("first", u32);
      const same = maker.local("same", bool);
      const lanes = maker.local("lanes", u32x4);
      const shown = opCall("subgroup.broadcast", [read(x!), read(first)], x!.type);
      return [
        declare(left.id, ballotOf(boolLiteral(true))),
        declare(result.id, zero),
        {
          kind: "while",
          condition: opCall("logic.any", [binary("ne", read(left), zero)], bool),
          body: block([
            declare(first.id, opCall("subgroup.ballot_find_lsb", [read(left)], u32)),
            declare(same.id, whole(binary("eq", read(x!), shown))),
            declare(lanes.id, ballotOf(read(same))),
            ifStatement(read(same), expressionStatement(assign(variablePlace(result), read(lanes)))),
            expressionStatement(assign(variablePlace(left), and(read(left), complement(read(lanes))))),
          ]),
          span: noSpan,
          trivia: noTrivia,
        },
        returnStatement(read(result)),
      ] satisfies Statement[];
    },
    { name: "match_lanes", says: "the active lanes whose values have the same bits" },
  );
  return expression(expr);
};

/** R-PART: all lanes go through all lanes together, each takes those of its mask. */
export const partitionedLoop: Lowering = (call, context) => {
  const { form, operation } = foldOf(call.op);
  const type = call.type;
  const expr = helperCall(
    call,
    context,
    (maker, [x, mask, ...rest]) => {
      const [own, count] = form === "reduce" ? [undefined, rest[0]!] : [rest[0]!, rest[1]!];
      const result = maker.local("result", type);
      const i = maker.local("i", u32);
      const y = maker.local("y", type);
      const member = opCall("subgroup.ballot_bit_extract", [read(mask!), read(i)], bool);
      const taken = own
        ? logical("and", binary(form === "inclusive" ? "le" : "lt", read(i), read(own)), member)
        : member;
      return [
        declare(result.id, identity(operation, type)),
        {
          kind: "for",
          span: noSpan,
          trivia: noTrivia,
          initializer: [declare(i.id, u32Literal(0))],
          condition: binary("lt", read(i), read(count)),
          step: increment(variablePlace(i), 1, false),
          body: block([
            declare(y.id, opCall("subgroup.shuffle", [read(x!), read(i)], type)),
            ifStatement(
              taken,
              expressionStatement(assign(variablePlace(result), combine(operation, read(result), read(y)))),
            ),
          ]),
        },
        returnStatement(read(result)),
      ] satisfies Statement[];
    },
    {
      extra: form === "reduce" ? [size()] : [lane(), size()],
      names: form === "reduce" ? ["x", "mask", "size"] : ["x", "mask", "lane", "size"],
    },
  );
  return expression(expr);
};

/** HLSL's prefix ops leave the lane's own value out: with it they are inclusive, and the last lane of the mask has the whole. */
export const partitionByPrefix: Lowering = (call, context) => {
  const { form, operation } = foldOf(call.op);
  const type = call.type;
  const expr = helperCall(
    call,
    context,
    (maker, [x, mask]) => {
      const before = opCall(opId(`subgroup.partitioned_exclusive_${operation}`), [read(x!), read(mask!)], type);
      const inclusive = combine(operation, before, read(x!));
      if (form === "inclusive") return [returnStatement(inclusive)];
      const sum = maker.local("inclusive", type);
      const last = opCall("subgroup.ballot_find_msb", [read(mask!)], u32);
      return [declare(sum.id, inclusive), returnStatement(opCall("subgroup.shuffle", [read(sum), last], type))];
    },
    { names: ["x", "mask"] },
  );
  return expression(expr);
};

/** Lanes of the mask whose predicate is true, counted below this one. */
export const partitionCount: Lowering = (call) => {
  const [p, mask] = call.arguments;
  const lanes = and(ballotOf(p!), mask!);
  return expression({ ...(opCall("subgroup.ballot_exclusive_bit_count", [lanes], u32) as OpCall), span: call.span });
};
