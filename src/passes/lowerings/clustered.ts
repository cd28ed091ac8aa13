/** Reductions and rotations in clusters, by loops and shuffles (cross-lane.md R-CLUS, R-ROT). */
import { shortName } from "../../ast/op-ids.js";
import { literalValue, opCall } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { add, and, complement, k, sub } from "../../ops/trees.js";
import { u32 } from "../../types/types.js";
import { expression, type Lowering, foldOf } from "./lowering.js";
import { ballotLoop, lane, shuffle } from "./subgroup.js";

const alone = (size: Expr): boolean => Number(literalValue(size)) === 1;

export const clusterOfOne: Lowering = (call) => expression(call.arguments[0]!);

export const reduceByClusterLoop: Lowering = (call, context) => {
  const [x, size] = call.arguments;
  if (alone(size!)) return expression(x!);
  const { operation } = foldOf(call.op);
  return ballotLoop(call, context, operation, "reduce", {
    cluster: "operand",
    name: shortName(call.op),
    says: `${operation} over the active lanes of each cluster of size consecutive lanes`,
  });
};

/** Votes of quads, where the cluster is one. */
export const clusterAsQuad: Lowering = (call) => {
  const op = call.op === "subgroup.clustered_and" ? "quad.all" : "quad.any";
  return expression(opCall(op, [call.arguments[0]!], call.type, call.span));
};

export const rotateInCluster: Lowering = (call) => {
  const [x, delta, size] = call.arguments;
  if (alone(size!)) return expression(x!);
  const last = k(u32, Number(literalValue(size!)) - 1);
  const moved = call.op === "subgroup.clustered_rotate" ? add(lane(), delta!) : sub(lane(), delta!);
  return expression({
    ...shuffle(x!, add(and(lane(), complement(last)), and(moved, last))),
    span: call.span,
  });
};
