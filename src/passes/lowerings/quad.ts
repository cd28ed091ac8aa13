/** Operations of quads by those of subgroups (cross-lane.md 1.10): a quad is lanes `L & ~3` to `L | 3`. */
import { shortName } from "../../ast/op-ids.js";
import {
  binary,
  boolLiteral,
  conditional,
  elementValue,
  literalValue,
  opCall,
  read,
  returnStatement,
  u32Literal,
  unary,
} from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { add, and, complement, k, sub } from "../../ops/trees.js";
import { bool, u32 } from "../../types/types.js";
import { expression, helperCall, inlineOrHelper, type Lowering, foldOf } from "./lowering.js";
import { ballotLoop, ballotOf, lane, shuffle } from "./subgroup.js";

const three = k(u32, 3);
const firstLane = (own: Expr): Expr => and(own, complement(three));
const quadLane = (own: Expr): Expr => and(own, three);

/** A value of another lane of the quad, by its number in the quad or by the difference in bits. */
export const quadRead: Lowering = (call) => {
  const [x, i] = call.arguments;
  if (call.op === "quad.shuffle_xor") return expression(opCall("subgroup.shuffle_xor", [x!, i!], call.type, call.span));
  const from = Number(literalValue(i!)) === 0 ? firstLane(lane()) : add(firstLane(lane()), i!);
  return expression({ ...shuffle(x!, from), span: call.span });
};

/** The lane's own value where the source would be outside the quad: it then reads itself. */
export const quadShuffleKeep: Lowering = (call, context) => {
  const up = call.op === "quad.shuffle_up_keep";
  return inlineOrHelper(
    call,
    context,
    (x, delta, own) => {
      const inside = up ? binary("ge", quadLane(own), delta) : binary("lt", add(quadLane(own), delta), k(u32, 4));
      const from = up ? sub(own, delta) : add(own, delta);
      return shuffle(x, conditional(inside, from, own));
    },
    { extra: [lane()], names: ["x", "delta", "lane"], name: `quad_${shortName(call.op)}` },
  );
};

/** Fills of quads are those of subgroups in segments of at most four lanes. */
export const quadFill: Lowering = (call) =>
  expression({
    ...call,
    op: call.op === "quad.shuffle_up_fill" ? "subgroup.shuffle_up_fill" : "subgroup.shuffle_down_fill",
  });

/** The quad's four bits of a ballot. */
export const quadBallot: Lowering = (call, context) => {
  const ballot = ballotOf(call.arguments[0] ?? boolLiteral(true, call.span));
  return expression(
    helperCall(
      { ...call, arguments: [ballot] },
      context,
      (_, [mask, own]) => {
        const word = elementValue(read(mask!), binary("shr", read(own!), k(u32, 5)));
        return [returnStatement(and(binary("shr", word, and(read(own!), k(u32, 28))), k(u32, 15)))];
      },
      {
        extra: [lane()],
        names: ["mask", "lane"],
        name: "quad_mask",
        says: "the four bits of a mask that are this quad's",
      },
    ),
  );
};

const ballotOfQuad = (p: Expr): Expr => opCall("quad.ballot", [p], u32, p.span);

export const quadVote: Lowering = (call) => {
  const p = call.arguments[0]!;
  const none = call.op === "quad.all";
  const votes = ballotOfQuad(none ? unary("not", p, p.span) : p);
  return expression(binary(none ? "eq" : "ne", votes, u32Literal(0), call.span));
};

/** Votes as reductions of bools in clusters of four. */
export const quadAsCluster: Lowering = (call) => {
  const op = call.op === "quad.all" ? "subgroup.clustered_and" : "subgroup.clustered_or";
  return expression(opCall(op, [call.arguments[0]!, u32Literal(4)], bool, call.span));
};

/** The lowest active lane of the quad: whether it is this one, or its value. */
export const quadFirst: Lowering = (call) => {
  const first = opCall("bits.ctz", [opCall("quad.active_mask", [], u32)], u32);
  if (call.op === "quad.elect") return expression(binary("eq", quadLane(lane()), first, call.span));
  return expression({ ...shuffle(call.arguments[0]!, add(firstLane(lane()), first)), span: call.span });
};

export const scanByClusterLoop: Lowering = (call, context) => {
  const { form, operation } = foldOf(call.op);
  return ballotLoop(call, context, operation, form, { cluster: 4, name: `quad_${shortName(call.op)}` });
};
