/** Kernels of one atomic each, over all operations, types, memories and orders, and what they leave in memory, worked out without crosslane. */

export type Kind = "i32" | "u32" | "i64" | "u64" | "f32" | "f64";
export type Operation =
  "load" | "store" | "exchange" | "add" | "sub" | "min" | "max" | "and" | "or" | "xor" | "compare";
export type Order = "relaxed" | "acquire" | "release" | "acq_rel" | "seq_cst";
export interface Shape {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly memory: "global" | "local";
  readonly order: Order;
}

export const lanes = 64;
const start = 100;
const words: Readonly<Record<Kind, string>> = {
  i32: "int",
  u32: "uint",
  i64: "long",
  u64: "ulong",
  f32: "float",
  f64: "double",
};
export const kinds = Object.keys(words) as Kind[];
const operations: readonly Operation[] = [
  ...(["load", "store", "exchange", "add", "sub", "min", "max", "and", "or", "xor", "compare"] as const),
];
const isFloat = (kind: Kind): boolean => kind === "f32" || kind === "f64";
const ordersOf = (operation: Operation): readonly Order[] =>
  operation === "load"
    ? ["relaxed", "acquire"]
    : operation === "store"
      ? ["relaxed", "release"]
      : ["relaxed", "acquire", "release", "acq_rel"];

export const shapes: readonly Shape[] = operations.flatMap((operation) =>
  kinds.flatMap((kind) =>
    isFloat(kind) && /and|or/.test(operation)
      ? []
      : (["global", "local"] as const).flatMap((memory) =>
          ordersOf(operation).map((order) => ({ operation, kind, memory, order })),
        ),
  ),
);
export const named = ({ operation, kind, memory, order }: Shape): string => `${operation} ${kind} ${memory} ${order}`;

function call({ operation, memory, order, kind }: Shape, object: string): string {
  const scope = `memory_scope_${memory === "local" ? "work_group" : "device"}`;
  const tail = `memory_order_${order}, ${scope})`;
  switch (operation) {
    case "load":
      return `o[i] = atomic_load_explicit(${object}, ${tail};`;
    case "store":
      return `atomic_store_explicit(${object}, v, ${tail}; o[i] = v;`;
    case "exchange":
      return `o[i] = atomic_exchange_explicit(${object}, v, ${tail};`;
    case "compare": {
      const failure = order === "release" ? "relaxed" : order === "acq_rel" ? "acquire" : order;
      return `${words[kind]} e = ${start}; if (atomic_compare_exchange_strong_explicit(${object}, &e, v, memory_order_${order}, memory_order_${failure}, ${scope})) e = 0; o[i] = e;`;
    }
    default:
      return `o[i] = atomic_fetch_${operation}_explicit(${object}, v, ${tail};`;
  }
}

/** One workgroup; each invocation has a value of its own, 1 and up. */
export function kernelOf(shape: Shape): string {
  const type = words[shape.kind];
  const attribute = `__attribute__((reqd_work_group_size(${lanes}, 1, 1)))\n`;
  const value = `  int i = get_local_id(0);\n  ${type} v = (${type})(i + 1);\n`;
  if (shape.memory === "global")
    return `${attribute}kernel void k(global atomic_${type} *p, global ${type} *o) {\n${value}  ${call(shape, "p")}\n}\n`;
  return `${attribute}kernel void k(global ${type} *p, global ${type} *o) {
  local atomic_${type} l;
${value}  if (i == 0) atomic_init(&l, p[0]);
  barrier(CLK_LOCAL_MEM_FENCE);
  ${call(shape, "&l")}
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) p[0] = atomic_load_explicit(&l, memory_order_relaxed, memory_scope_work_group);
}
`;
}

type Values = Int32Array | Uint32Array | BigInt64Array | BigUint64Array | Float32Array | Float64Array;
const makers = {
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;
const wide = (kind: Kind): boolean => kind === "i64" || kind === "u64";

export function argumentsOf(kind: Kind): { readonly p: Values; readonly o: Values } {
  const make = (n: number): Values => new makers[kind](n);
  const p = make(1);
  if (p instanceof BigInt64Array || p instanceof BigUint64Array) p[0] = BigInt(start);
  else p[0] = start;
  return { p, o: make(lanes) };
}

/** What is wrong with what a run left; undefined where any order of the invocations gives it. Numbers are small, so that doubles do. */
export function wrongWith({ operation, kind }: Shape, p: Values, o: Values): string | undefined {
  const mask = wide(kind) ? 2n ** 64n - 1n : 2n ** 32n - 1n;
  const number = (x: number | bigint): bigint => (isFloat(kind) ? BigInt(x) : BigInt(x) & mask);
  const final = number(p[0]!);
  const old = Array.from(o as ArrayLike<number | bigint>, number);
  const own = Array.from({ length: lanes }, (_, i) => BigInt(i + 1));
  const first = BigInt(start);
  const same = (a: readonly bigint[], b: readonly bigint[]): boolean =>
    [...a].sort(ascending).join() === [...b].sort(ascending).join();
  const fold = (f: (a: bigint, b: bigint) => bigint): bigint => own.reduce(f, first);
  const is = (wanted: bigint): string | undefined => (final === number(wanted) ? undefined : `${final}, not ${wanted}`);
  /** From each to the next: the old value, and what came of it. */
  const chain = (f: (a: bigint, b: bigint) => bigint): string | undefined => {
    const next = old.map((x, i) => number(f(x, own[i]!)));
    return same([...old, final], [first, ...next]) ? undefined : "old values and results are no chain";
  };
  switch (operation) {
    case "load":
      return is(first) ?? (old.every((x) => x === first) ? undefined : "something else was read");
    case "store":
      return own.includes(final) ? undefined : `${final} was stored by nobody`;
    case "exchange":
      return same([...old, final], [first, ...own]) ? undefined : "a value was lost";
    case "compare": {
      const winners = old.filter((x) => x === 0n).length;
      const others = old.filter((x) => x !== 0n);
      return winners === 1 && others.every((x) => x === final) ? undefined : `${winners} invocations exchanged`;
    }
    case "add":
      return is(fold((a, b) => a + b)) ?? chain((a, b) => a + b);
    case "sub":
      return is(number(fold((a, b) => a - b))) ?? chain((a, b) => a - b);
    case "min":
      return is(1n) ?? chain((a, b) => (a < b ? a : b));
    case "max":
      return is(100n) ?? chain((a, b) => (a > b ? a : b));
    case "and":
      return is(fold((a, b) => a & b)) ?? chain((a, b) => a & b);
    case "or":
      return is(fold((a, b) => a | b)) ?? chain((a, b) => a | b);
    case "xor":
      return is(fold((a, b) => a ^ b)) ?? chain((a, b) => a ^ b);
  }
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
