/** All lowerings by the names cells use. */
import type { OpCall } from "../../ast/nodes.js";
import { row } from "../../ops/table.js";
import { anyAngle } from "./angles.js";
import { cooperativeCopy, noPrefetch, waitByBarrier } from "./async-copies.js";
import {
  accessAsBool,
  accessAsWord,
  atomicLoad,
  atomicStep,
  atomicStore,
  atomicSub,
  exchangeLoop,
  exchangeUntilDecided,
  expectedByCompare,
  interlockedResult,
  loadByExchange,
  objectInWords,
  orderByFences,
} from "./atomics.js";
import {
  ballotByWords,
  firstByBroadcast,
  foldByBroadcasts,
  matchByBroadcasts,
  shuffleByBroadcasts,
  throughWide,
} from "./broadcast-loops.js";
import { carry, clz, ctz, mulExtended, mulhi, popcount, reverseBits, rotate, saturating, wrappingSum } from "./bits.js";
import { clusterAsQuad, clusterOfOne, reduceByClusterLoop, rotateInCluster } from "./clustered.js";
import { convertMode, roundedHalfBits } from "./convert.js";
import { domainGuard } from "./domains.js";
import { doubleAngle } from "./double-angles.js";
import { doubleAngleOfPoint, doubleInverseAngle } from "./double-inverse-angles.js";
import {
  doubleExponential,
  doubleExponentialLessOne,
  doubleLogarithm,
  doubleLogarithmBesideOne,
} from "./double-exponentials.js";
import { doubleHyperbolic } from "./double-hyperbolics.js";
import { doubleCubeRoot, doublePositivePower, doublePower, doubleRoot } from "./double-powers.js";
import { sqrtOnBits, truncOnBits } from "./doubles.js";
import {
  copysign,
  floatClass,
  formula,
  fractionBelowOne,
  fusedMultiplyAdd,
  numberClamp,
  numberMinMax,
  orderedSmoothstep,
  weightBeyondOne,
  scalarLength,
  scalarNormalize,
  selectByConditional,
  signByInteger,
} from "./formulas.js";
import { doubleGamma, doubleLogGamma } from "./double-gamma.js";
import { gamma, gammaAndSign, logGamma } from "./gamma.js";
import { halfBitsLowering, packByF32tof16, packByHalf, packByHalf2x16 } from "./half.js";
import { consecutiveElements, consecutiveHalves } from "./memory.js";
import {
  fractOut,
  frexpByInteger,
  frexpOnBits,
  modfParts,
  remainderAndQuotient,
  sinAndCos,
  splitDouble,
} from "./out-results.js";
import {
  quadAsCluster,
  quadBallot,
  quadFill,
  quadFirst,
  quadRead,
  quadShuffleKeep,
  quadVote,
  scanByClusterLoop,
} from "./quad.js";
import { matchBits, matchByBallot, partitionByPrefix, partitionCount, partitionedLoop } from "./partitioned.js";
import { exactRemainder } from "./remainders.js";
import { inlineOrHelper, type Lowering, type LoweringContext, type LoweringResult } from "./lowering.js";

import {
  allEqual,
  asShuffle,
  ballotBits,
  ballotByVote,
  componentwiseAllEqual,
  countTrue,
  electByLane,
  inclusiveByExclusive,
  laneMask,
  logicalReduction,
  perComponent,
  readLane,
  reduceByBallotLoop,
  rotateByShuffle,
  scanByBallotLoop,
  shuffleFill,
  shuffleKeep,
  throughU32,
  throughUnsigned,
  throughWords,
  voteByBallot,
  waveAllEqual,
} from "./subgroup.js";
import { throughWorkgroupMemory } from "./workgroup.js";

/** The row's own tree. */
const expand: Lowering = (call, context) => {
  const { expand: expansion } = row(call.op);
  if (expansion.kind !== "tree") throw new Error(`${call.op} has no tree to expand`);
  return inlineOrHelper(call, context, (...args) => expansion.build(args, call.type));
};

export const lowerings: Readonly<Record<string, Lowering>> = {
  expand,
  formula,
  "exact-remainder": exactRemainder,
  gamma,
  "log-gamma": logGamma,
  "gamma-and-sign": gammaAndSign,
  "double-exponential": doubleExponential,
  "double-logarithm": doubleLogarithm,
  "double-angle": doubleAngle,
  "double-inverse-angle": doubleInverseAngle,
  "double-angle-of-point": doubleAngleOfPoint,
  "double-gamma": doubleGamma,
  "double-log-gamma": doubleLogGamma,
  "double-expm1": doubleExponentialLessOne,
  "double-log1p": doubleLogarithmBesideOne,
  "double-hyperbolic": doubleHyperbolic,
  "double-cube-root": doubleCubeRoot,
  "double-power": doublePower,
  "double-positive-power": doublePositivePower,
  "double-root": doubleRoot,
  "trunc-on-bits": truncOnBits,
  "sqrt-on-bits": sqrtOnBits,
  "sign-by-integer": signByInteger,
  "any-angle": anyAngle,
  "domain-guard": domainGuard,
  "number-clamp": numberClamp,
  "ordered-smoothstep": orderedSmoothstep,
  "weight-beyond-one": weightBeyondOne,
  "number-min-max": numberMinMax,
  copysign,
  "float-class": floatClass,
  "fused-multiply-add": fusedMultiplyAdd,
  "scalar-length": scalarLength,
  "scalar-normalize": scalarNormalize,
  "select-by-conditional": selectByConditional,
  "sin-and-cos": sinAndCos,
  "fraction-below-one": fractionBelowOne,
  "fract-out": fractOut,
  "modf-parts": modfParts,
  "remainder-and-quotient": remainderAndQuotient,
  "split-double": splitDouble,
  "frexp-float": frexpOnBits,
  "frexp-int": frexpByInteger,
  clz,
  ctz,
  popcount,
  "reverse-bits": reverseBits,
  rotate,
  mulhi,
  saturating,
  "wrapping-sum": wrappingSum,
  carry,
  "mul-extended": mulExtended,
  "convert-mode": convertMode,
  "pack-by-half": packByHalf,
  "half-bits": halfBitsLowering,
  "rounded-half-bits": roundedHalfBits,
  "pack-by-f32tof16": packByF32tof16,
  "pack-by-half2x16": packByHalf2x16,
  "consecutive-elements": consecutiveElements,
  "consecutive-halves": consecutiveHalves,
  "cooperative-copy": cooperativeCopy,
  "wait-by-barrier": waitByBarrier,
  "no-prefetch": noPrefetch,
  "lane-mask": laneMask,
  "elect-by-lane": electByLane,
  "all-equal": allEqual,
  "wave-all-equal": waveAllEqual,
  "componentwise-all-equal": componentwiseAllEqual,
  "ballot-by-vote": ballotByVote,
  "ballot-by-words": ballotByWords,
  "fold-by-broadcasts": foldByBroadcasts,
  "shuffle-by-broadcasts": shuffleByBroadcasts,
  "match-by-broadcasts": matchByBroadcasts,
  "first-by-broadcast": firstByBroadcast,
  "through-wide": throughWide,
  "vote-by-ballot": voteByBallot,
  "ballot-bits": ballotBits,
  "count-true": countTrue,
  "as-shuffle": asShuffle,
  componentwise: perComponent,
  "through-u32": throughU32,
  "through-unsigned": throughUnsigned,
  "through-words": throughWords,
  "logical-reduction": logicalReduction,
  "reduce-by-ballot-loop": reduceByBallotLoop,
  "scan-by-ballot-loop": scanByBallotLoop,
  "inclusive-by-exclusive": inclusiveByExclusive,
  "read-lane": readLane,
  "shuffle-keep": shuffleKeep,
  "shuffle-fill": shuffleFill,
  "rotate-by-shuffle": rotateByShuffle,
  "reduce-by-cluster-loop": reduceByClusterLoop,
  "scan-by-cluster-loop": scanByClusterLoop,
  "rotate-in-cluster": rotateInCluster,
  "cluster-as-quad": clusterAsQuad,
  "cluster-of-one": clusterOfOne,
  "quad-as-cluster": quadAsCluster,
  "quad-ballot": quadBallot,
  "quad-fill": quadFill,
  "quad-first": quadFirst,
  "quad-read": quadRead,
  "quad-shuffle-keep": quadShuffleKeep,
  "quad-vote": quadVote,
  "match-bits": matchBits,
  "match-by-ballot": matchByBallot,
  "partitioned-loop": partitionedLoop,
  "partition-by-prefix": partitionByPrefix,
  "partition-count": partitionCount,
  "through-workgroup-memory": throughWorkgroupMemory,
  "interlocked-result": interlockedResult,
  "order-by-fences": orderByFences,
  "exchange-loop": exchangeLoop,
  "access-as-bool": accessAsBool,
  "access-as-word": accessAsWord,
  "object-in-words": objectInWords,
  "load-by-exchange": loadByExchange,
  "atomic-sub": atomicSub,
  "atomic-step": atomicStep,
  "atomic-load": atomicLoad,
  "atomic-store": atomicStore,
  "exchange-until-decided": exchangeUntilDecided,
  "expected-by-compare": expectedByCompare,
};

/** Carries out a call that `decide` answered with a lowering. */
export function applyLowering(name: string, call: OpCall, context: LoweringContext): LoweringResult {
  const found = lowerings[name];
  if (!found) throw new Error(`no lowering ${name}`);
  return found(call, context);
}
