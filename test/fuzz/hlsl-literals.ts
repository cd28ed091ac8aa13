/** Numbers with and without suffixes in HLSL expressions, read and written, against what DXC folds them to. */
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { foldWithDxc, missingForFold, type FoldCase } from "../support/oracles/dxc-fold.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";

/** A small generator of its own: the same numbers from the same seed everywhere. */
export function randomOf(seed: number): (below: number) => number {
  let state = (seed * 2654435761) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

type Pick = <T>(list: readonly T[]) => T;

const integers = [
  "0",
  "1",
  "2",
  "3",
  "7",
  "10",
  "31",
  "32",
  "33",
  "100",
  "255",
  "65535",
  "100000",
  "2147483647",
  "2147483648",
  "3000000000",
  "4294967295",
  "4294967296",
  "5000000000",
  "9223372036854775807",
  "0xFF",
  "0x7FFFFFFF",
  "0x80000000",
  "0xFFFFFFFF",
  "0x1FFFFFFFF",
  "010",
];
const floats = ["0.1", "0.29", "0.5", "1.0", "1.5", "2.5", "3.7", "1e3", "1e9", "16777217.0", "1e-3", ".25", "7."];
const typedIntegers = ["1u", "3u", "7l", "4294967295u", "5ll", "6ull", "0x80000000u"];
const typedFloats = ["0.1f", "2.5f", "0.1l"];
const variables = ["i", "u", "f", "b", "w", "x"];
/** Declared in the statements: DXC knows what they hold. */
export const locals =
  "int i = -5; uint u = 7u; float f = 1.25f; bool b = true; int64_t w = 6000000000ll; uint64_t x = 9ull;";

function number(next: (n: number) => number, pick: Pick, integer: boolean): string {
  const kind = next(10);
  if (integer)
    return kind < 6 ? pick(integers) : kind < 8 ? pick(typedIntegers) : pick(["i", "u", "i", "u", "w", "x", "b"]);
  return kind < 3
    ? pick(integers)
    : kind < 7
      ? pick(floats)
      : kind < 8
        ? pick(typedFloats)
        : kind < 9
          ? pick(typedIntegers)
          : pick(variables);
}

function expression(next: (n: number) => number, pick: Pick, depth: number, integer: boolean): string {
  if (depth === 0 || next(5) === 0) return number(next, pick, integer);
  const sub = (whole = integer): string => expression(next, pick, depth - 1, whole);
  switch (next(15)) {
    case 12:
      return call(next, pick, sub);
    case 13:
      return `(${pick(["u", "i", "f"])}, ${sub()})`;
    case 0:
      return `-${wrap(sub())}`;
    case 1:
      return integer ? `~${wrap(sub())}` : `+${wrap(sub())}`;
    case 2:
      return `(${sub()} ? ${sub()} : ${sub()})`;
    case 3:
      return integer ? `(${sub()} << ${pick(["1", "4", "31", "33", "u"])})` : `(${sub()} * ${sub()})`;
    case 4:
      return integer ? `(${sub()} >> ${pick(["1", "4", "31", "i & 7", "u"])})` : `(${sub()} - ${sub()})`;
    case 5:
      return `((${pick(["int", "uint", "float"])})${wrap(sub())})`;
    case 6:
      return `(${sub()} ${pick(["<", ">", "==", "<=", "!="])} ${sub()})`;
    case 7:
      return `${pick(["max", "min"])}(${sub()}, ${sub()})`;
    case 8:
      return integer ? `(${sub()} ${pick(["&", "|", "^"])} ${sub()})` : `(${sub()} + ${sub()})`;
    // What divides by zero is open.
    case 9:
      return `(${sub()} ${integer ? pick(["/", "%"]) : "/"} ${pick(integer ? ["3", "7u", "10", "-3", "5ll"] : ["2.5", "0.1", "3", "7u"])})`;
    default:
      return `(${sub()} ${pick(["+", "-", "*"])} ${sub()})`;
  }
}

/**
 * Functions of which DXC folds those of exact results. Where HLSL leaves the result open, what DXC folds is one of many, and
 * is not asked for: `fmod` by zero, or of a quotient beyond the digits of a float, `pow` of what is negative, `clamp` between
 * bounds out of order.
 */
function call(next: (n: number) => number, pick: Pick, sub: (whole?: boolean) => string): string {
  const integer = next(2) === 0;
  switch (next(4)) {
    case 0:
      return next(3) === 0
        ? openCall(next, pick, sub, integer)
        : `${pick(["step", "ldexp", "atan2"])}(${sub(integer)}, ${pick(["1", "2", "0", "3", "1.0", "2.0f", "2u"])})`;
    case 1:
      return `${pick(["mad", "lerp"])}(${sub(integer)}, ${sub(integer)}, ${sub()})`;
    case 2:
      return `${pick(["countbits", "firstbithigh", "firstbitlow", "reversebits"])}(${sub(true)})`;
    default:
      return `${pick(["abs", "sign", "floor", "ceil", "trunc", "round", "frac", "saturate", "sqrt", "rcp", "exp2", "log2"])}(${sub(integer)})`;
  }
}

/** Arguments for which HLSL says what comes out. */
function openCall(next: (n: number) => number, pick: Pick, sub: (whole?: boolean) => string, integer: boolean): string {
  switch (next(3)) {
    case 0:
      return `fmod(${pick(["7", "10u", "-5", "0.5", "-2.5f", "i", "u", "f", "w % 100"])}, ${pick(["1", "2", "3", "0.5", "2.0f", "2u"])})`;
    case 1:
      return `pow(${pick(["1", "2", "3u", "0.5", "2.5f", "u", "f", "x"])}, ${pick(["1", "2", "0", "3", "1.0", "2.0f", "2u"])})`;
    default:
      return `clamp(${sub(integer)}, ${pick(["-3, 7", "0, 255", "0.0, 1", "1u, 7u", "-1.5, 100000", "0, 5000000000", "2, 2.5f"])})`;
  }
}

const wrap = (text: string): string => (text.startsWith("-") || text.startsWith("+") ? `(${text})` : text);

interface Case {
  readonly seed: number;
  readonly text: string;
  readonly fold: FoldCase;
  /** The value is a float's bits: NaNs are alike. */
  readonly float?: boolean;
  /** What crosslane makes of it, where it takes it. */
  readonly ours: () => Promise<Outcome>;
}

type Outcome = number | "left open" | { readonly refused: string };

async function simulated(
  text: string,
  from: "hlsl" | "opencl",
  hlslVersion?: "2018" | "2021" | "202x",
): Promise<Outcome> {
  const result = await simulate(text, {
    from,
    workgroups: [1, 1, 1],
    workgroupSize: [1, 1, 1],
    args: { o: new Uint32Array(1) },
    ...(hlslVersion ? { hlslVersion } : {}),
  });
  const problem = result.diagnostics.find((d) => d.severity === "error");
  // A float that is too large for the integer it becomes: DXC folds it to what its own compiler makes of that.
  if (result.findings.some((f) => f.kind === "undefined-arithmetic")) return "left open";
  return problem ? { refused: problem.message } : (result.buffers["o"] as Uint32Array)[0]!;
}

const hlslKernel = (body: string): string =>
  `RWStructuredBuffer<uint> o : register(u0);\n[numthreads(1, 1, 1)] void k() {\n  ${body}\n}\n`;

/** HLSL read as DXC means it. */
function readCase(seed: number): Case {
  const next = randomOf(seed);
  const pick: Pick = (list) => list[next(list.length)]!;
  const type = pick(["uint", "int", "float"] as const);
  const e = expression(next, pick, 1 + next(3), type !== "float" || next(3) === 0);
  const hlslVersion = pick(["2018", "2021", "202x"] as const);
  const value = type === "float" ? "asuint(r)" : "(uint)r";
  const text = hlslKernel(`${locals}\n  ${type} r = ${e};\n  o[0] = ${value};`);
  return {
    seed,
    text,
    fold: { statements: `${locals} ${type} r = ${e};`, values: [value], hlslVersion },
    float: type === "float",
    ours: () => simulated(text, "hlsl", hlslVersion),
  };
}

/** Numbers chosen at run time: DXC does not know the variables while it reads, and so does not compute the number then. */
function chosen(next: (n: number) => number, pick: Pick, depth: number): string {
  const number = (): string =>
    pick(next(4) === 0 ? integers : ["1", "2", "3", "7", "100", "100000", "2147483647", "-5"]);
  if (depth === 0)
    return next(3) === 0 ? number() : `(${pick(["b", "!b", "i < 0", "u > 9u"])} ? ${number()} : ${number()})`;
  const sub = (): string => chosen(next, pick, depth - 1);
  switch (next(12)) {
    case 10:
      return `mad(${sub()}, ${sub()}, ${sub()})`;
    case 11:
      return next(2) === 0 ? `dot(${sub()}, ${sub()})` : `reversebits(${sub()})`;
    case 7:
      return `${pick(["max", "min"])}(${sub()}, ${sub()})`;
    case 8:
      return `${pick(["abs", "-abs"])}(${sub()})`;
    case 9:
      return `clamp(${sub()}, ${pick(["-3, 7", "0, 255", "1, 5000000000"])})`;
    case 0:
      return `${pick(["~", "-"])}${wrap(sub())}`;
    case 1:
      return `(${sub()} ${pick(["<<", ">>"])} ${pick(["1", "4", "31", "(b ? 3 : 30)", "(b ? 31 : 1)"])})`;
    case 2:
      return `(${sub()} ${pick(["/", "%"])} ${pick(["3", "10", "-7", "(b ? 2 : 5)", "(b ? -3 : 4)"])})`;
    case 3:
      return `(${sub()} ${pick(["&", "|", "^"])} ${sub()})`;
    default:
      return `(${sub()} ${pick(["+", "-", "*"])} ${sub()})`;
  }
}

/** The same of floats, which functions take. */
function chosenFloat(next: (n: number) => number, pick: Pick, depth: number): string {
  const number = (): string => pick(["1", "2.5", "0.5", "-3", "100000.1", "0.1", "7", "16777217.0"]);
  if (depth === 0) return `(${pick(["b", "!b", "i < 0", "u > 9u"])} ? ${number()} : ${number()})`;
  const sub = (): string => (next(3) === 0 ? number() : chosenFloat(next, pick, depth - 1));
  switch (next(7)) {
    case 5:
      return next(3) === 0
        ? `smoothstep(${pick(["0.5, 1", "-3, 2.5", "0.1, 0.7"])}, ${sub()})`
        : `${pick(["dot", "distance"])}(${sub()}, ${sub()})`;
    case 6:
      return next(2) === 0
        ? `ldexp(${sub()}, ${pick(["1", "-2", "(b ? 1 : 3)", "0.5"])})`
        : `${pick(["length", "degrees", "radians", "tanh"])}(${chosenFloat(next, pick, depth - 1)})`;
    case 0:
      return `${pick(["max", "min", "step"])}(${sub()}, ${sub()})`;
    case 1:
      return `${pick(["mad", "lerp"])}(${sub()}, ${sub()}, ${sub()})`;
    case 2:
      return `(${sub()} ${pick(["+", "-", "*"])} ${sub()})`;
    default:
      return `${pick(["abs", "floor", "ceil", "trunc", "round", "frac", "saturate", "rcp"])}(${chosenFloat(next, pick, depth - 1)})`;
  }
}

function chosenCase(seed: number): Case {
  const next = randomOf(seed);
  const pick: Pick = (list) => list[next(list.length)]!;
  const type = pick(["int", "uint", "int", "uint", "int64_t", "uint64_t", "bool", "float", "float"]);
  const float = type === "float";
  const e = float ? chosenFloat(next, pick, 1 + next(2)) : chosen(next, pick, 1 + next(3));
  const hlslVersion = pick(["2018", "2021"] as const);
  const value = float ? "asuint(r)" : type.endsWith("64_t") ? "(uint)r ^ (uint)(r >> 32)" : "(uint)r";
  const compared = next(6) === 0 && !float ? ` ${pick(["<", ">", "=="])} ${chosen(next, pick, 1)}` : "";
  return {
    seed,
    text: hlslKernel(`${locals}\n  ${type} r = ${e}${compared};\n  o[0] = ${value};`),
    fold: { statements: `${locals} ${type} r = ${e}${compared};`, values: [value], hlslVersion },
    float,
    ours: () =>
      simulated(hlslKernel(`${locals}\n  ${type} r = ${e}${compared};\n  o[0] = ${value};`), "hlsl", hlslVersion),
  };
}

/** Statements of the same whose variables come from memory, so that they are computed when they run; each gives `r`, a number of 32 bits. */
export function runTimeStatements(seed: number, count: number): readonly string[] {
  const next = randomOf(seed);
  const pick: Pick = (list) => list[next(list.length)]!;
  return Array.from({ length: count }, () => {
    const type = pick(["int", "uint", "int64_t", "uint64_t", "bool"]);
    const value = type.endsWith("64_t") ? "(uint)v ^ (uint)(v >> 32)" : "(uint)v";
    return `${type} v = ${chosen(next, pick, 1 + next(3))}; uint r = ${value};`;
  });
}
/** A kernel that stores what each of them gives in `o`; `src` holds `runTimeWords`. */
export const runTimeKernel = (statements: readonly string[]): string => `StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)] void k() {
  int i = (int)src[0]; uint u = src[1]; bool b = src[2] != 0u;
${statements.map((s, at) => `  { ${s} o[${String(at)}] = r; }`).join("\n")}
}
`;
/** The numbers of `locals`: -5, 7 and true. */
export const runTimeWords = Uint32Array.of(0xfffffffb, 7, 1);

const cIntegers = [
  "1",
  "2",
  "3",
  "7",
  "31",
  "100000",
  "2147483647",
  "0x7fffffff",
  "46341",
  "1u",
  "0x80000000u",
  "4294967295u",
];

function cExpression(next: (n: number) => number, pick: Pick, depth: number): string {
  if (depth === 0) return next(6) === 0 ? pick(["n", "m"]) : pick(cIntegers);
  const sub = (): string => cExpression(next, pick, depth - 1);
  switch (next(9)) {
    case 7:
      return `(${pick(["m", "n", "++m"])}, ${sub()})`;
    case 0:
      return `(${sub()} << ${pick(["1", "30", "31", "m"])})`;
    case 1:
      return `(${sub()} >> ${pick(["1", "30", "31", "m"])})`;
    case 2:
      return `(n > 2 ? ${sub()} : ${sub()})`;
    case 3:
      return `~${wrap(sub())}`;
    case 4:
      return `(${sub()} ${pick(["&", "|", "^"])} ${sub()})`;
    case 5:
      return `${pick(["max", "min"])}((int)${wrap(sub())}, ${pick(["1", "-7", "(1 << 30)"])})`;
    default:
      return `(${sub()} ${pick(["+", "-", "*"])} ${sub()})`;
  }
}

/** OpenCL C written as HLSL, whose numbers have to mean the same in every version. */
async function writtenCase(seed: number): Promise<Case | undefined> {
  const next = randomOf(seed);
  const pick: Pick = (list) => list[next(list.length)]!;
  const e = cExpression(next, pick, 1 + next(3));
  const text = `__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(__global uint *o) {\n  int n = 5;\n  uint m = 3u;\n  uint r = ${e};\n  o[0] = r;\n}\n`;
  const { code } = await translate(text, { from: "opencl", to: "hlsl" });
  const body = code && /void k\([^)]*\) \{\n([\s\S]*)\n\}/.exec(code)?.[1]?.replace(/o\[0\] = r;/, "");
  if (!body?.includes("r = ")) return undefined;
  const hlslVersion = pick(["2018", "2021", "202x"] as const);
  return {
    seed,
    text: `${text}\nas HLSL ${hlslVersion}:\n${code!}`,
    fold: { statements: body, values: ["r"], hlslVersion },
    ours: () => simulated(text, "opencl"),
  };
}

const isNaNOf = (bits: number): boolean => (bits & 0x7fffffff) > 0x7f800000;

export const hlslLiterals: FuzzSuite = {
  name: "hlsl-literals",
  about: "numbers in HLSL expressions, read and written, are what DXC folds them to",
  sample: { seed: 1, cases: 120 },
  missing: missingForFold,
  async run(seed, cases) {
    const made: Case[] = [];
    for (let at = seed; at < seed + cases; at++) {
      const one = at % 3 === 0 ? await writtenCase(at) : at % 3 === 1 ? chosenCase(at) : readCase(at);
      if (one) made.push(one);
    }
    const folded = await foldWithDxc(made.map((m) => m.fold));
    const failures: FuzzFailure[] = [];
    const refused = new Map<string, number>();
    let decided = 0;
    for (const [i, one] of made.entries()) {
      const fold = folded[i]!;
      // DXC refuses a few by warnings it makes errors of, and leaves open what divides by zero.
      if (fold.kind === "refused" || typeof fold.values[0] !== "bigint") continue;
      const ours = await one.ours();
      if (ours === "left open") continue;
      if (typeof ours === "object") {
        if (/not supported yet/.test(ours.refused)) {
          refused.set(ours.refused, (refused.get(ours.refused) ?? 0) + 1);
          continue;
        }
        failures.push({
          seed: one.seed,
          what: `DXC has ${fold.values[0]}, crosslane says: ${ours.refused}`,
          text: one.text,
        });
      } else if (BigInt(ours) !== fold.values[0] && !(one.float && isNaNOf(ours) && isNaNOf(Number(fold.values[0])))) {
        failures.push({ seed: one.seed, what: `DXC has ${fold.values[0]}, crosslane ${ours}`, text: one.text });
      }
      decided++;
    }
    return { cases: decided, failures, refused };
  },
};
