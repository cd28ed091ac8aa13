/** Cross-lane ops by other cross-lane ops (cross-lane.md section 2). */

import { opId, shortName } from "../../ast/op-ids.js";
import {
  binary,
  bitcast,
  boolLiteral,
  builtin,
  construct,
  conditional,
  convert,
  declare,
  elementValue,
  ifStatement,
  increment,
  literal,
  opCall,
  literalValue,
  returnStatement,
  swizzleValue,
  u32Literal,
  variablePlace,
  constantOf,
  read,
  put,
  block,
} from "../../ast/builders.js";
import { noTrivia, type Expr, type OpCall, type OpId, type Statement } from "../../ast/nodes.js";
import { integerRange } from "../../types/numeric.js";
import { noSpan } from "../../support/span.js";
import { row } from "../../ops/table.js";
import { add, and, boolShape, complement, componentwise, fold, k, sub, to, withScalar } from "../../ops/trees.js";
import {
  bool,
  componentCount,
  isFloat,
  isSigned,
  scalar,
  scalarOf,
  shaped,
  u32,
  u64,
  vector,
  type Type,
} from "../../types/types.js";
import {
  expression,
  has,
  helperCall,
  helperOf,
  inlineOrHelper,
  type Lowering,
  type LoweringContext,
  type LoweringResult,
  foldOf,
  isNative,
} from "./lowering.js";

export const u32x4 = vector("u32", 4);
export const lane = (): Expr => builtin("lane_id");
export const size = (): Expr => builtin("subgroup_size");
export const one = u32Literal(1);

// ------------------------------------------------------------------ masks

/** `lanes_below(n)`: bits 0 to n-1 of a u32x4. Shifts stay below 32, where the dialects agree on them. */
function lanesBelow(context: LoweringContext, n: Expr): Expr {
  return helperOf(
    { arguments: [n], type: u32x4, span: n.span },
    context,
    (_, [count]) => {
      const c = read(count!);
      const word = (w: number): Expr => {
        if (w >= context.maskWords) return k(u32, 0);
        const base = k(u32, 32 * w);
        const from = w === 0 ? c : sub(c, base);
        const part = sub(binary("shl", one, and(from, k(u32, 31))), one);
        const all = conditional(
          binary("ge", c, k(u32, 32 * w + 32)),
          literal("u32", 0xffffffff, noSpan, "0xffffffff"),
          part,
        );
        return w === 0 ? all : conditional(binary("le", c, base), k(u32, 0), all);
      };
      return [returnStatement(construct(u32x4, [0, 1, 2, 3].map(word)))];
    },
    { name: "lanes_below", names: ["count"], says: "the lanes below a number, as a mask" },
  );
}

export const laneMask: Lowering = (call, context) => {
  const below = (n: Expr): Expr => lanesBelow(context, n);
  const next = add(lane(), one);
  const all = (): Expr => below(size());
  switch (call.op) {
    case "subgroup.lt_mask":
      return expression(below(lane()));
    case "subgroup.le_mask":
      return expression(below(next));
    case "subgroup.eq_mask":
      return expression(binary("xor", below(next), below(lane())));
    case "subgroup.ge_mask":
      return expression(binary("xor", all(), below(lane())));
    default:
      return expression(binary("xor", all(), below(next)));
  }
};

// ------------------------------------------------------------------ ballots and votes

export const ballotOf = (p: Expr): Expr => opCall("subgroup.ballot", [p], u32x4, p.span);
const voteOf = (p: Expr): Expr => opCall("subgroup.vote", [p], u64, p.span);

/** MSL's vote holds 64 lanes; the rest of the mask is empty there. */
export const ballotByVote: Lowering = (call) =>
  expression(
    construct(u32x4, [bitcast(voteOf(call.arguments[0]!), vector("u32", 2)), u32Literal(0), u32Literal(0)], call.span),
  );

export const voteByBallot: Lowering = (call) => {
  const p = call.arguments[0] ?? boolLiteral(true, call.span);
  return expression(bitcast(swizzleValue(ballotOf(p), [0, 1]), u64, call.span));
};

/** The words that have lanes. */
const wordsOf = (mask: Expr, { maskWords }: LoweringContext): Expr[] =>
  Array.from({ length: maskWords }, (_, w) => swizzleValue(mask, [w]));
const countWords = (mask: Expr, context: LoweringContext): Expr =>
  fold(
    wordsOf(mask, context).map((w) => opCall("bits.popcount", [w], u32)),
    add,
  );
const bitAt = (mask: Expr, i: Expr): Expr =>
  binary("ne", and(binary("shr", elementValue(mask, binary("shr", i, k(u32, 5))), and(i, k(u32, 31))), one), k(u32, 0));

const laneMasks = new Set(["lt", "le", "eq", "ge", "gt"].map((name) => `subgroup.${name}_mask`));

/** A mask made of ballots and lane masks, which have no bit of a lane the subgroup does not have. */
function isOfLanes(mask: Expr, context: LoweringContext): boolean {
  if (mask.kind === "op") return mask.op === "subgroup.ballot" || laneMasks.has(mask.op);
  if (mask.kind === "binary") {
    const [left, right] = [isOfLanes(mask.left, context), isOfLanes(mask.right, context)];
    return mask.operator === "and"
      ? left || right
      : (mask.operator === "or" || mask.operator === "xor") && left && right;
  }
  if (mask.kind !== "load" || mask.place.kind !== "variable") return false;
  const value = context.valueOf(mask.place.variable);
  return value !== undefined && isOfLanes(value, context);
}

/** Consumers of masks. All look only at bits below the subgroup size. */
export const ballotBits: Lowering = (call, context) => {
  const [mask] = call.arguments;
  const within = (m: Expr, n: Expr): Expr => and(m, lanesBelow(context, n));
  const ofLanes = (m: Expr): Expr => (isOfLanes(m, context) ? m : within(m, size()));
  /** A ballot that nothing else reads is not made. */
  const counted = (op: OpId): LoweringResult | undefined =>
    mask!.kind === "op" && mask.op === "subgroup.ballot"
      ? expression(opCall(op, mask.arguments, u32, call.span))
      : undefined;
  switch (call.op) {
    case "subgroup.inverse_ballot":
      return inlineOrHelper(call, context, (m, l) => bitAt(m, l), {
        extra: [lane()],
        name: "inverse_ballot",
      });
    case "subgroup.ballot_bit_extract":
      return inlineOrHelper(call, context, (m, i) => bitAt(m, i), { name: "ballot_bit" });
    case "subgroup.ballot_bit_count":
      return counted("subgroup.count_true") ?? countBits(call, context, ofLanes(mask!));
    case "subgroup.ballot_inclusive_bit_count":
      return countBits(call, context, within(mask!, add(lane(), one)));
    case "subgroup.ballot_exclusive_bit_count":
      return counted("subgroup.prefix_count_true") ?? countBits(call, context, within(mask!, lane()));
    case "subgroup.ballot_find_lsb":
      return findBit(call, context, ofLanes(mask!), false);
    default:
      return findBit(call, context, ofLanes(mask!), true);
  }
};

function countBits(call: OpCall, context: LoweringContext, mask: Expr): LoweringResult {
  return expression(
    helperCall({ ...call, arguments: [mask] }, context, (_, [m]) => [returnStatement(countWords(read(m!), context))], {
      name: "mask_bit_count",
      names: ["mask"],
      says: "the number of lanes in a mask",
    }),
  );
}

function findBit(call: OpCall, context: LoweringContext, mask: Expr, highest: boolean): LoweringResult {
  const expr = helperCall(
    { ...call, arguments: [mask] },
    context,
    (_, [m]) => {
      const words = wordsOf(read(m!), context);
      const inWord = (w: number): Expr => {
        const found = highest
          ? sub(k(u32, 31), opCall("bits.clz", [words[w]!], u32))
          : opCall("bits.ctz", [words[w]!], u32);
        return w === 0 ? found : add(k(u32, 32 * w), found);
      };
      const upward = [...words.keys()];
      const order = highest ? upward.toReversed() : upward;
      const last = order.at(-1)!;
      const value = order
        .slice(0, -1)
        .reduceRight((rest, w) => conditional(binary("ne", words[w]!, k(u32, 0)), inWord(w), rest), inWord(last));
      return [returnStatement(value)];
    },
    {
      name: highest ? "mask_find_msb" : "mask_find_lsb",
      names: ["mask"],
      says: `the ${highest ? "highest" : "lowest"} lane in a mask`,
    },
  );
  return expression(expr);
}

/** MSL's votes are 64-bit integers, which came later than votes on macOS. */
const hasVotes = (context: LoweringContext): boolean => has(context, "msl.simd_vote") && has(context, "msl>=2.2");

export const countTrue: Lowering = (call, context) => {
  const [p] = call.arguments;
  const prefix = call.op === "subgroup.prefix_count_true";
  if (!prefix && hasVotes(context)) return expression(to("u32", opCall("bits.popcount", [voteOf(p!)], u64, call.span)));
  const counted = opCall(
    prefix ? "subgroup.ballot_exclusive_bit_count" : "subgroup.ballot_bit_count",
    [ballotOf(p!)],
    u32,
    call.span,
  );
  if (isNative(counted, context)) return expression(counted);
  const number = conditional(p!, one, u32Literal(0), call.span);
  return expression(opCall(prefix ? "subgroup.exclusive_add" : "subgroup.add", [number], u32, call.span));
};

/** Base sub-groups of OpenCL: in flow that all lanes reach, the lowest active lane is lane 0. */
export const electByLane: Lowering = (call) =>
  expression(binary("eq", builtin("lane_id", call.span), u32Literal(0), call.span));

export const allEqual: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x) => {
    const same = binary("eq", x, opCall("subgroup.broadcast_first", [x], x.type));
    const whole = same.type.kind === "vector" ? opCall("logic.all", [same], bool) : same;
    return opCall("subgroup.all", [whole], bool);
  });

export const waveAllEqual: Lowering = (call) => {
  const [x] = call.arguments;
  const parts = opCall("subgroup.all_equal_componentwise", [x!], boolShape(x!.type), call.span);
  return expression(parts.type.kind === "vector" ? opCall("logic.all", [parts], bool, call.span) : parts);
};

export const componentwiseAllEqual: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x) =>
    componentwise(boolShape(x.type), [x], (part) => opCall("subgroup.all_equal", [part], bool)),
  );

// ------------------------------------------------------------------ types a dialect does not carry

export const asShuffle: Lowering = (call) => expression({ ...call, op: "subgroup.shuffle" });

/** An op on vectors by the op on each component. What has to be a literal is one in the helper. */
export const perComponent: Lowering = (call, context) => {
  const type = call.type;
  const partType = (t: Type): Type => (t.kind === "vector" ? scalar(t.scalar) : t);
  const literals = new Map((row(call.op).powersOfTwo ?? []).map((o) => [o.index, call.arguments[o.index]!]));
  const open = call.arguments.filter((_, i) => !literals.has(i));
  const whole = (rest: readonly Expr[]): Expr[] => {
    const left = [...rest];
    return call.arguments.map((_, i) => literals.get(i) ?? left.shift()!);
  };
  const name = [shortName(call.op), ...[...literals.values()].map((e) => String(literalValue(e)))].join("_");
  return inlineOrHelper(
    { ...call, arguments: open },
    context,
    (...args) =>
      componentwise(type, whole(args), (...parts) => opCall(call.op, parts, partType(type), call.span, carried(call))),
    literals.size > 0 ? { name } : {},
  );
};

const carried = (call: OpCall): Partial<Pick<OpCall, "precondition">> =>
  call.precondition ? { precondition: call.precondition } : {};

/** bool values travel as 0 and 1. */
export const throughU32: Lowering = (call) => {
  const [x, ...rest] = call.arguments;
  const wide = to("u32", x!);
  const moved = opCall(call.op, [wide, ...rest], wide.type, call.span, carried(call));
  return expression(binary("ne", moved, constantOf(moved.type, 0), call.span));
};

/** 64-bit scalars travel as two words. */
export const throughWords: Lowering = (call) => {
  const [x, ...rest] = call.arguments;
  const words = bitcast(x!, vector("u32", 2));
  return expression(
    bitcast(opCall(call.op, [words, ...rest], words.type, call.span, carried(call)), call.type, call.span),
  );
};

/** Bitwise reductions that exist for 32-bit unsigned integers only. */
export const throughUnsigned: Lowering = (call) => {
  const [x] = call.arguments;
  const kind = scalarOf(x!.type)!;
  // Bits above a narrow type do not matter to these ops.
  const moved = to("u32", x!);
  return expression(to(kind, opCall(call.op, [moved], moved.type, call.span)));
};

export const logicalReduction: Lowering = (call, context) => {
  if (call.type.kind === "vector") return perComponent(call, context);
  const [x] = call.arguments;
  if (call.op === "subgroup.and") return expression(opCall("subgroup.all", [x!], bool, call.span));
  if (call.op === "subgroup.or") return expression(opCall("subgroup.any", [x!], bool, call.span));
  const count = opCall("subgroup.count_true", [x!], u32, call.span);
  return expression(binary("ne", and(count, one), u32Literal(0), call.span));
};

// ------------------------------------------------------------------ reductions and scans

/** The identity of a reduction (cross-lane.md 1.6). */
export function identity(op: string, type: Type): Expr {
  const kind = scalarOf(type)!;
  const infinite = (negative: boolean): Expr => {
    if (kind !== "f32") return constantOf(type, negative ? -Infinity : Infinity);
    return bitcast(constantOf(shaped("u32", componentCount(type)!), negative ? 0xff800000 : 0x7f800000), type);
  };
  switch (op) {
    case "mul":
      return constantOf(type, 1);
    case "min":
      return isFloat(kind) ? infinite(false) : constantOf(type, integerRange(kind).max);
    case "max":
      return isFloat(kind) ? infinite(true) : constantOf(type, integerRange(kind).min);
    case "and":
      return kind === "bool" ? constantOf(type, true) : constantOf(type, isSigned(kind) ? -1 : integerRange(kind).max);
    default:
      return kind === "bool" ? constantOf(type, false) : constantOf(type, 0);
  }
}

export function combine(op: string, a: Expr, b: Expr): Expr {
  if (op === "min" || op === "max") return opCall(`math.${op}`, [a, b], a.type);
  return binary(op as "add" | "mul" | "and" | "or" | "xor", a, b);
}

/**
 * One lane after the other, in ascending order, all lanes together: the lane's value is read by everybody and taken where
 * the lane is active (and comes early enough, for a scan). With `cluster` each lane goes through its own cluster of
 * consecutive lanes: their number is the second operand or known.
 */
export function ballotLoop(
  call: OpCall,
  context: LoweringContext,
  operation: string,
  form: "reduce" | "inclusive" | "exclusive",
  options: { readonly cluster?: "operand" | number; readonly name?: string; readonly says?: string } = {},
): LoweringResult {
  const { cluster, name = `subgroup_${shortName(call.op)}` } = options;
  const extra = cluster !== undefined ? [lane()] : form === "reduce" ? [size()] : [lane(), size()];
  const type = call.type;
  const votes = hasVotes(context);
  const expr = helperCall(
    call,
    context,
    (maker, [x, ...rest]) => {
      const own = cluster === undefined ? (form === "reduce" ? undefined : rest[0]!) : rest.at(-1)!;
      const last = cluster === undefined ? rest.at(-1)! : rest[0]!;
      const count = typeof cluster === "number" ? k(u32, cluster) : read(last);
      const below = typeof cluster === "number" ? k(u32, cluster - 1) : sub(count, one);
      const active = maker.local("active", votes ? u64 : u32x4);
      const base = maker.local("base", u32);
      const result = maker.local("result", type);
      const i = maker.local("i", u32);
      const y = maker.local("y", type);
      const everyone = boolLiteral(true);
      const isActive = votes
        ? binary("ne", binary("and", binary("shr", read(active), read(i)), literal("u64", 1)), literal("u64", 0))
        : opCall("subgroup.ballot_bit_extract", [read(active), read(i)], bool);
      const early = form === "reduce" ? undefined : binary(form === "inclusive" ? "le" : "lt", read(i), read(own!));
      const taken = early
        ? {
            kind: "logical" as const,
            operator: "and" as const,
            left: early,
            right: isActive,
            type: bool,
            span: noSpan,
          }
        : isActive;
      return [
        declare(active.id, votes ? voteOf(everyone) : ballotOf(everyone)),
        ...(cluster === undefined ? [] : [declare(base.id, and(read(own!), complement(below)))]),
        declare(result.id, identity(operation, type)),
        {
          kind: "for",
          span: noSpan,
          trivia: noTrivia,
          initializer: [declare(i.id, cluster === undefined ? u32Literal(0) : read(base))],
          condition: binary("lt", read(i), cluster === undefined ? count : add(read(base), count)),
          step: increment(variablePlace(i), 1, false),
          body: block([
            declare(y.id, opCall("subgroup.shuffle", [read(x!), read(i)], type)),
            ifStatement(taken, put(result, combine(operation, read(result), read(y)))),
          ]),
        },
        returnStatement(read(result)),
      ] satisfies Statement[];
    },
    {
      extra,
      name,
      ...(cluster === "operand" ? { names: ["x", "size", "lane"] } : {}),
      ...(options.says === undefined ? {} : { says: options.says }),
    },
  );
  return expression(expr);
}

export const reduceByBallotLoop: Lowering = (call, context) =>
  ballotLoop(call, context, foldOf(call.op).operation, "reduce");

export const scanByBallotLoop: Lowering = (call, context) => {
  const { form, operation } = foldOf(call.op);
  return ballotLoop(call, context, operation, form);
};

/** `WavePrefixSum(x) + x`. */
export const inclusiveByExclusive: Lowering = (call, context) => {
  const { operation } = foldOf(call.op);
  return inlineOrHelper(call, context, (x) =>
    combine(operation, opCall(opId(`subgroup.exclusive_${operation}`), [x], x.type), x),
  );
};

// ------------------------------------------------------------------ shuffles

export const shuffle = (x: Expr, from: Expr): Expr => opCall("subgroup.shuffle", [x, from], x.type, x.span);

/** Relative shuffles by the lane read from. */
export const readLane: Lowering = (call) => {
  const [x, k0] = call.arguments;
  const way = { "subgroup.shuffle_xor": "xor", "subgroup.shuffle_up": "sub", "subgroup.shuffle_down": "add" }[
    call.op as string
  ] as "xor" | "sub" | "add";
  return expression({ ...shuffle(x!, binary(way, lane(), k0!)), span: call.span });
};

/** MSL's edge rule: the lane's own value where the source is outside. The shuffle runs before the choice, in all lanes. */
export const shuffleKeep: Lowering = (call, context) => {
  const up = call.op === "subgroup.shuffle_up_keep";
  const extra = up ? [lane()] : [lane(), size()];
  const type = call.type;
  const expr = helperCall(
    call,
    context,
    (maker, [x, delta, own, count]) => {
      const y = maker.local("y", type);
      const from = binary(up ? "sub" : "add", read(own!), read(delta!));
      const inside = up ? binary("ge", read(own!), read(delta!)) : binary("lt", from, read(count!));
      const relative = opCall(up ? "subgroup.shuffle_up" : "subgroup.shuffle_down", [read(x!), read(delta!)], type);
      return [
        declare(y.id, isNative(relative, context) ? relative : shuffle(read(x!), from)),
        returnStatement(conditional(inside, read(y), read(x!))),
      ];
    },
    { extra, names: ["x", "delta", "lane", "size"], name: up ? "shuffle_up_keep" : "shuffle_down_keep" },
  );
  return expression(expr);
};

/** R-FILL: both values come from the lane that is `d` away modulo the segment. */
export const shuffleFill: Lowering = (call, context) => {
  const up = call.op === "subgroup.shuffle_up_fill" || call.op === "subgroup.shuffle_up_fill_all";
  const whole = call.op === "subgroup.shuffle_up_fill_all" || call.op === "subgroup.shuffle_down_fill_all";
  const [x, fill, delta, modulo] = call.arguments;
  const type = call.type;
  const full: OpCall = { ...call, arguments: [x!, fill!, delta!, whole ? size() : modulo!] };
  const expr = helperCall(
    full,
    context,
    (maker, [data, other, d, m, own]) => {
      const [base, at, from, a, b] = [
        maker.local("base", u32),
        maker.local("at", u32),
        maker.local("from", u32),
        maker.local("a", type),
        maker.local("b", type),
      ];
      const last = sub(read(m!), one);
      const moved = up ? sub(read(at), read(d!)) : add(read(at), read(d!));
      const inside = up ? binary("ge", read(at), read(d!)) : binary("lt", add(read(at), read(d!)), read(m!));
      return [
        declare(base.id, and(read(own!), complement(last))),
        declare(at.id, and(read(own!), last)),
        declare(from.id, add(read(base), and(moved, last))),
        declare(a.id, shuffle(read(data!), read(from))),
        declare(b.id, shuffle(read(other!), read(from))),
        returnStatement(conditional(inside, read(a), read(b))),
      ];
    },
    {
      extra: [lane()],
      names: ["x", "fill", "delta", "modulo", "lane"],
      name: up ? "shuffle_fill_up" : "shuffle_fill_down",
    },
  );
  return expression(expr);
};

/** NVIDIA's driver 580 turns a shuffle of halves by `(lane + d) & (size - 1)` into wrong code: they travel as floats. */
export const rotateByShuffle: Lowering = (call, context) => {
  const [x, delta] = call.arguments;
  const moved = call.op === "subgroup.rotate" ? add(lane(), delta!) : sub(lane(), delta!);
  const from = and(moved, sub(size(), one));
  const half = context.target === "glsl" && scalarOf(x!.type) === "f16";
  // Explicit: a printer may leave the source's own conversions to its dialect's rules.
  const value = half
    ? convert(shuffle(convert(x!, withScalar("f32", x!.type), true), from), x!.type, true)
    : shuffle(x!, from);
  return expression({ ...value, span: call.span });
};
