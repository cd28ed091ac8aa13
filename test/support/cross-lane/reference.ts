/**
 * What every cross-lane op gives, written from the tables of the specifications (Vulkan's SPIR-V group instructions,
 * OpenCL's sub-group extensions, MSL 6.9.2, HLSL wave intrinsics) and from nothing of crosslane: lane arrays in, lane
 * arrays out. A value nobody specifies is POISON.
 */
export const POISON = Symbol("poison");

export type Kind = "bool" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f16" | "f32" | "f64";

/** Masks and integers of 64 bits are bigints, other integers and floats numbers. */
export type Value = number | bigint | boolean;
export type Lanes = readonly (Value | typeof POISON)[];

/** One subgroup (or workgroup), `active.length` lanes wide. Lanes a partial subgroup lacks are not active. */
export interface Group {
  readonly active: readonly boolean[];
  /** Of the op's T. */
  readonly kind: Kind;
  /** Which one of how many of its workgroup. */
  readonly index: number;
  readonly count: number;
  /** Lanes that exist. */
  readonly existing: number;
}

/** Entries of lanes that are not active mean nothing. */
export type Reference = (group: Group, ...operands: readonly Lanes[]) => Lanes;

// ------------------------------------------------------------------ lanes

const size = (g: Group): number => g.active.length;
const activeLanes = (g: Group): number[] => g.active.flatMap((a, i) => (a ? [i] : []));
const each = (g: Group, f: (lane: number) => Value | typeof POISON): Lanes =>
  g.active.map((a, lane) => (a ? f(lane) : POISON));
/** The value of a lane that takes part, else poison. */
const from = (g: Group, x: Lanes, lane: number): Value | typeof POISON => (g.active[lane] === true ? x[lane]! : POISON);
const uniform = (g: Group, f: () => Value | typeof POISON): Lanes => {
  const value = f();
  return each(g, () => value);
};
const clusterOf = (lane: number, c: number): number[] => {
  const base = lane - (lane % c);
  return Array.from({ length: c }, (_, i) => base + i);
};
const mod = (a: number, n: number): number => ((a % n) + n) % n;

// ------------------------------------------------------------------ masks

const maskOf = (lanes: readonly number[]): bigint => lanes.reduce((m, i) => m | (1n << BigInt(i)), 0n);
const digits = new Map<Value, string>();
const bit = (mask: Value, lane: number): boolean => {
  let text = digits.get(mask);
  if (text === undefined) digits.set(mask, (text = [...mask.toString(2)].reverse().join("")));
  return text[lane] === "1";
};
const bitsOf = (g: Group, mask: Value): number[] => g.active.flatMap((_, i) => (bit(mask, i) ? [i] : []));
const ballot = (g: Group, p: Lanes): bigint => maskOf(activeLanes(g).filter((i) => p[i] === true));
const low64 = (m: bigint): bigint => m & 0xffff_ffff_ffff_ffffn;
const laneMask = (keep: (other: number, own: number) => boolean): Reference =>
  function (g) {
    return each(g, (lane) => maskOf(g.active.map((_, i) => i).filter((i) => keep(i, lane))));
  };

// ------------------------------------------------------------------ folds

type Fold = "add" | "mul" | "min" | "max" | "and" | "or" | "xor";
const folds: readonly Fold[] = ["add", "mul", "min", "max", "and", "or", "xor"];

const isWide = (kind: Kind): boolean => kind === "i64" || kind === "u64";
const isFloat = (kind: Kind): boolean => kind[0] === "f";

/** Modulo 2^bits, into the range of the type. */
function wrap(kind: Kind, x: Value): Value {
  const bits = Number(kind.slice(1));
  if (typeof x === "bigint") return kind[0] === "i" ? BigInt.asIntN(bits, x) : BigInt.asUintN(bits, x);
  const y = (x as number) >>> 0;
  const cut = bits === 32 ? y : y & (2 ** bits - 1);
  return kind[0] === "i" && cut >= 2 ** (bits - 1) ? cut - 2 ** bits : cut;
}

function combine(op: Fold, kind: Kind, a: Value, b: Value): Value {
  if (kind === "bool") return op === "and" ? a && b : op === "or" ? a || b : a !== b;
  if (op === "min") return b < a ? b : a;
  if (op === "max") return b > a ? b : a;
  if (isFloat(kind)) return op === "add" ? (a as number) + (b as number) : (a as number) * (b as number);
  if (isWide(kind)) {
    const [x, y] = [a as bigint, b as bigint];
    return wrap(kind, { add: x + y, mul: x * y, and: x & y, or: x | y, xor: x ^ y }[op]);
  }
  const [x, y] = [a as number, b as number];
  return wrap(kind, { add: x + y, mul: Math.imul(x, y), and: x & y, or: x | y, xor: x ^ y }[op]);
}

function identity(op: Fold, kind: Kind): Value {
  if (kind === "bool") return op === "and";
  if (isFloat(kind)) return { add: 0, mul: 1, min: Infinity, max: -Infinity, and: NaN, or: NaN, xor: NaN }[op];
  const bits = Number(kind.slice(1));
  const signed = kind[0] === "i";
  const whole = (x: bigint): Value => (isWide(kind) ? x : Number(x));
  switch (op) {
    case "mul":
      return whole(1n);
    case "min":
      return whole(signed ? 2n ** BigInt(bits - 1) - 1n : 2n ** BigInt(bits) - 1n);
    case "max":
      return whole(signed ? -(2n ** BigInt(bits - 1)) : 0n);
    case "and":
      return whole(signed ? -1n : 2n ** BigInt(bits) - 1n);
    default:
      return whole(0n);
  }
}

const over = (op: Fold, kind: Kind, x: Lanes, lanes: readonly number[]): Value =>
  lanes.reduce<Value>((sum, i) => combine(op, kind, sum, x[i] as Value), identity(op, kind));

const reduce =
  (op: Fold): Reference =>
  (g, x) =>
    uniform(g, () => over(op, g.kind, x!, activeLanes(g)));

const scan =
  (op: Fold, inclusive: boolean): Reference =>
  (g, x) => {
    let sum = identity(op, g.kind);
    return each(g, (lane) => {
      const below = sum;
      sum = combine(op, g.kind, sum, x![lane] as Value);
      return inclusive ? sum : below;
    });
  };

const clustered =
  (op: Fold): Reference =>
  (g, x, c) =>
    each(g, (lane) =>
      over(
        op,
        g.kind,
        x!,
        clusterOf(lane, Number(c![lane])).filter((i) => g.active[i]),
      ),
    );

// ------------------------------------------------------------------ moves

const read =
  (source: (lane: number, k: number, n: number) => number): Reference =>
  (g, x, k) =>
    each(g, (lane) => from(g, x!, source(lane, k ? Number(k[lane]) : 0, size(g))));

/** MSL: where the source is outside the subgroup the lane keeps its own value. */
const keep =
  (source: (lane: number, k: number) => number): Reference =>
  (g, x, k) =>
    each(g, (lane) => {
      const i = source(lane, Number(k![lane]));
      return i < 0 || i >= size(g) ? x![lane]! : from(g, x!, i);
    });

/** MSL 6.9.2: segments of `modulo` lanes; what comes from outside is taken from the fill operand, wrapping around. */
const fill =
  (way: 1 | -1): Reference =>
  (g, x, other, d, modulo) =>
    each(g, (lane) => {
      const m = modulo ? Number(modulo[lane]) : size(g);
      const place = (lane % m) + way * Number(d![lane]);
      const source = lane - (lane % m) + mod(place, m);
      return from(g, place >= 0 && place < m ? x! : other!, source);
    });

// ------------------------------------------------------------------ clusters, quads, partitions

const rotateInCluster =
  (way: 1 | -1): Reference =>
  (g, x, d, c) =>
    each(g, (lane) => {
      const n = Number(c![lane]);
      return from(g, x!, lane - (lane % n) + mod((lane % n) + way * Number(d![lane]), n));
    });

const activeQuad = (g: Group, lane: number): number[] => clusterOf(lane, 4).filter((i) => g.active[i]);
const firstOf = (g: Group, lane: number): number => activeQuad(g, lane)[0]!;
const nibble = (lanes: readonly number[]): number => lanes.reduce((m, i) => m | (1 << (i % 4)), 0);

/** MSL: where the source is outside the quad the lane keeps its own value. */
const keepInQuad =
  (source: (lane: number, k: number) => number): Reference =>
  (g, x, k) =>
    each(g, (lane) => {
      const i = source(lane, Number(k![lane]));
      return clusterOf(lane, 4).includes(i) ? from(g, x!, i) : x![lane]!;
    });

const within =
  (lanes: (g: Group, lane: number) => readonly number[], op: Fold): Reference =>
  (g, x) =>
    each(g, (lane) => over(op, g.kind, x!, lanes(g, lane)));

const partitioned =
  (op: Fold, keep: (other: number, own: number) => boolean): Reference =>
  (g, x, m) =>
    each(g, (lane) =>
      over(
        op,
        g.kind,
        x!,
        bitsOf(g, m![lane] as Value).filter((i) => keep(i, lane)),
      ),
    );

const sameBits = (a: Value, b: Value): boolean => Object.is(a, b);

export const references: Readonly<Record<string, Reference>> = {
  "id.lane_id": (g) => each(g, (lane) => lane),
  "id.subgroup_size": (g) => uniform(g, () => size(g)),
  "id.subgroup_lanes": (g) => uniform(g, () => g.existing),
  "id.subgroup_id": (g) => uniform(g, () => g.index),
  "id.num_subgroups": (g) => uniform(g, () => g.count),
  "subgroup.eq_mask": laneMask((i, own) => i === own),
  "subgroup.ge_mask": laneMask((i, own) => i >= own),
  "subgroup.gt_mask": laneMask((i, own) => i > own),
  "subgroup.le_mask": laneMask((i, own) => i <= own),
  "subgroup.lt_mask": laneMask((i, own) => i < own),
  "subgroup.active_mask": (g) => uniform(g, () => low64(maskOf(activeLanes(g)))),

  "subgroup.elect": (g) => each(g, (lane) => lane === Math.min(...activeLanes(g))),
  "subgroup.all": (g, p) => uniform(g, () => activeLanes(g).every((i) => p![i] === true)),
  "subgroup.any": (g, p) => uniform(g, () => activeLanes(g).some((i) => p![i] === true)),
  "subgroup.all_equal": (g, x) => uniform(g, () => activeLanes(g).every((i) => x![i] === x![activeLanes(g)[0]!])),
  "subgroup.all_equal_componentwise": (g, x) => references["subgroup.all_equal"]!(g, x!),

  "subgroup.ballot": (g, p) => uniform(g, () => ballot(g, p!)),
  "subgroup.vote": (g, p) => uniform(g, () => low64(ballot(g, p!))),
  "subgroup.inverse_ballot": (g, m) => each(g, (lane) => bit(m![lane] as Value, lane)),
  "subgroup.ballot_bit_extract": (g, m, k) =>
    each(g, (lane) => (Number(k![lane]) < size(g) ? bit(m![lane] as Value, Number(k![lane])) : POISON)),
  "subgroup.ballot_bit_count": (g, m) => each(g, (lane) => bitsOf(g, m![lane] as Value).length),
  "subgroup.ballot_inclusive_bit_count": (g, m) =>
    each(g, (lane) => bitsOf(g, m![lane] as Value).filter((i) => i <= lane).length),
  "subgroup.ballot_exclusive_bit_count": (g, m) =>
    each(g, (lane) => bitsOf(g, m![lane] as Value).filter((i) => i < lane).length),
  "subgroup.ballot_find_lsb": (g, m) => each(g, (lane) => bitsOf(g, m![lane] as Value)[0] ?? POISON),
  "subgroup.ballot_find_msb": (g, m) => each(g, (lane) => bitsOf(g, m![lane] as Value).at(-1) ?? POISON),
  "subgroup.count_true": (g, p) => uniform(g, () => activeLanes(g).filter((i) => p![i] === true).length),
  "subgroup.prefix_count_true": (g, p) =>
    each(g, (lane) => activeLanes(g).filter((i) => i < lane && p![i] === true).length),

  "subgroup.broadcast": read((_lane, k) => k),
  "subgroup.broadcast_first": (g, x) => uniform(g, () => x![activeLanes(g)[0]!]!),

  ...Object.fromEntries(
    folds.flatMap((op) => [
      [`subgroup.${op}`, reduce(op)],
      [`subgroup.inclusive_${op}`, scan(op, true)],
      [`subgroup.exclusive_${op}`, scan(op, false)],
    ]),
  ),

  "subgroup.shuffle": read((_lane, k) => k),
  "subgroup.shuffle_xor": read((lane, k) => lane ^ k),
  "subgroup.shuffle_up": read((lane, k) => lane - k),
  "subgroup.shuffle_down": read((lane, k) => lane + k),
  "subgroup.shuffle_up_keep": keep((lane, k) => lane - k),
  "subgroup.shuffle_down_keep": keep((lane, k) => lane + k),
  "subgroup.shuffle_up_fill": fill(-1),
  "subgroup.shuffle_down_fill": fill(1),
  "subgroup.shuffle_up_fill_all": fill(-1),
  "subgroup.shuffle_down_fill_all": fill(1),
  ...Object.fromEntries(folds.map((op) => [`subgroup.clustered_${op}`, clustered(op)])),
  "subgroup.clustered_rotate": rotateInCluster(1),
  "subgroup.clustered_rotate_up": rotateInCluster(-1),

  "quad.broadcast": read((lane, k) => lane - (lane % 4) + k),
  "quad.shuffle": read((lane, k) => lane - (lane % 4) + k),
  "quad.shuffle_xor": read((lane, k) => lane - (lane % 4) + ((lane % 4) ^ k)),
  "quad.broadcast_first": (g, x) => each(g, (lane) => x![firstOf(g, lane)]!),
  "quad.shuffle_up_keep": keepInQuad((lane, k) => lane - k),
  "quad.shuffle_down_keep": keepInQuad((lane, k) => lane + k),
  "quad.shuffle_up_fill": (g, x, other, d, m) => fill(-1)(g, x!, other!, d!, m ?? g.active.map(() => 4)),
  "quad.shuffle_down_fill": (g, x, other, d, m) => fill(1)(g, x!, other!, d!, m ?? g.active.map(() => 4)),
  "quad.elect": (g) => each(g, (lane) => lane === firstOf(g, lane)),
  "quad.ballot": (g, p) => each(g, (lane) => nibble(activeQuad(g, lane).filter((i) => p![i] === true))),
  "quad.active_mask": (g) => each(g, (lane) => nibble(activeQuad(g, lane))),
  "quad.all": (g, p) => each(g, (lane) => activeQuad(g, lane).every((i) => p![i] === true)),
  "quad.any": (g, p) => each(g, (lane) => activeQuad(g, lane).some((i) => p![i] === true)),
  ...Object.fromEntries(
    (["add", "mul"] as const).flatMap((op) => [
      [`quad.inclusive_${op}`, within((g, lane) => activeQuad(g, lane).filter((i) => i <= lane), op)],
      [`quad.exclusive_${op}`, within((g, lane) => activeQuad(g, lane).filter((i) => i < lane), op)],
    ]),
  ),

  "subgroup.match_any": (g, x) =>
    each(g, (lane) => maskOf(activeLanes(g).filter((i) => sameBits(x![i] as Value, x![lane] as Value)))),
  "subgroup.match_all": (g, x) =>
    uniform(g, () => {
      const lanes = activeLanes(g);
      return lanes.every((i) => sameBits(x![i] as Value, x![lanes[0]!] as Value)) ? maskOf(lanes) : 0n;
    }),
  ...Object.fromEntries(
    folds.flatMap((op) => [
      [`subgroup.partitioned_${op}`, partitioned(op, () => true)],
      [`subgroup.partitioned_inclusive_${op}`, partitioned(op, (i, lane) => i <= lane)],
      [`subgroup.partitioned_exclusive_${op}`, partitioned(op, (i, lane) => i < lane)],
    ]),
  ),
  "subgroup.partitioned_prefix_count_true": (g, p, m) =>
    each(g, (lane) => bitsOf(g, m![lane] as Value).filter((i) => i < lane && p![i] === true).length),

  // The workgroup is one group.
  "workgroup.all": (g, p) => references["subgroup.all"]!(g, p!),
  "workgroup.any": (g, p) => references["subgroup.any"]!(g, p!),
  "workgroup.broadcast": (g, x, k) => references["subgroup.broadcast"]!(g, x!, k!),
  // The workgroups here have one row.
  "workgroup.broadcast_2d": (g, x, k) => references["subgroup.broadcast"]!(g, x!, k!),
  "workgroup.broadcast_3d": (g, x, k) => references["subgroup.broadcast"]!(g, x!, k!),
  ...Object.fromEntries(
    (["add", "min", "max"] as const).flatMap((op) => [
      [`workgroup.${op}`, reduce(op)],
      [`workgroup.inclusive_${op}`, scan(op, true)],
      [`workgroup.exclusive_${op}`, scan(op, false)],
    ]),
  ),

  "subgroup.rotate": read((lane, k, n) => mod(lane + k, n)),
  "subgroup.rotate_up": read((lane, k, n) => mod(lane - k, n)),
};

/** How the results for the components of a vector make the result for the vector, where that is no vector itself. */
export const joins: Readonly<Record<string, (a: Value, b: Value) => Value>> = {
  "subgroup.all_equal": (a, b) => a && b,
  "subgroup.match_any": (a, b) => (a as bigint) & (b as bigint),
};
