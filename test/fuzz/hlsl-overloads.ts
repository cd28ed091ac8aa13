/** Calls in HLSL, of functions of the source, of its own, and of both under one name: which one DXC takes. */
import { simulate } from "../../src/api/simulate.js";
import type { HlslVersion } from "../../src/dialects/language.js";
import { foldWithDxc, missingForFold, type FoldCase } from "../support/oracles/dxc-fold.js";
import { randomOf } from "./hlsl-literals.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";

type Pick = <T>(list: readonly T[]) => T;

const plain = ["bool", "int", "uint", "float", "double", "int64_t", "uint64_t"];
/** Types of 16 bits, which DXC has with an option, or of at least as many, and `half` of 32. */
const narrow = ["int16_t", "uint16_t", "float16_t"];
const precise = ["half", "min16float", "min10float", "min16int", "min12int", "min16uint"];
/** Other names of the types of 16 bits, where those are there. */
const aliases = ["half", "min16float", "min16int", "min16uint"];
const sizes = ["", "", "", "2", "3", "4"];
const matrices = ["2x2", "2x3", "3x2", "3x3"];
/** Those of one row or column, which crosslane has not, are rarer still. */
const rareShapes: readonly (readonly string[])[] = [
  ["1", "2x4", "4x2", "3x4", "4x4"],
  ["1x1", "1x3", "2x1", "4x1"],
];
/** `C` and `G` have a scope. */
const enumerations = ["E", "D", "C", "G"];
const shared = `enum E { e0, e1 };
enum D : uint { d0, d1 };
enum class C : uint { c0, c1 };
enum class G : int64_t { g0, g1 };
struct S { float a; int2 b; };
struct Z { int a; };
typedef float A[2];
`;
const aggregates = ["S", "Z", "A"];

/** What a case may name: with the types of 16 bits or with those of at least 16, which are not both. */
interface World {
  /** Each a type of its own. */
  readonly told: readonly string[];
  readonly kinds: readonly string[];
  readonly args: readonly string[];
  readonly hlslVersion: HlslVersion;
}

const worldOf = (next: (n: number) => number): World => ({
  ...(next(3) === 0
    ? {
        told: [...plain, ...narrow],
        kinds: [...plain, ...narrow, ...(next(3) === 0 ? aliases : [])],
        args: ["-enable-16bit-types"],
      }
    : { told: [...plain, ...precise], kinds: [...plain, ...precise], args: [] }),
  hlslVersion: (["2018", "2021", "202x"] as const)[next(3)]!,
});

const literals = [
  "1",
  "2",
  "-1",
  "1.5",
  "0.5",
  "3000000000",
  "0x80000000",
  "1u",
  "2.0f",
  "1ll",
  "1ull",
  "1l",
  "1.0l",
  "1 + 2",
  "-(1.5)",
  "1 + 2.5",
  "1 << 3",
  "~1",
  "1 == 1",
  "!1",
  "true",
  "1.0h",
  "'a'",
  "e1",
  "d1",
  "C::c1",
];

interface Random {
  readonly next: (n: number) => number;
  readonly pick: Pick;
  readonly world: World;
}

function typeOf({ next, pick, world }: Random): string {
  const kind = next(24);
  if (kind < 2) return pick(enumerations);
  if (kind === 2) return pick(aggregates);
  if (kind === 3) return pick(world.kinds) + pick(rareShapes[next(4) === 0 ? 1 : 0]!);
  return kind < 8 ? pick(world.kinds) + pick(matrices) : pick(world.kinds) + pick(sizes);
}

function argument(random: Random): string {
  const { next, pick, world } = random;
  const form = next(12);
  if (form < 3) return pick(literals);
  if (form > 3) return `v_${typeOf(random)}`;
  const [a, b] = [`v_${typeOf(random)}`, `v_${typeOf(random)}`];
  return pick([
    () => `${a}.x`,
    () => `v_${pick(world.kinds)}${pick(["2", "3", "4"])}.${pick(["x", "yx", "xxx", "xyy"])}`,
    () => `v_${pick(world.kinds)}${pick(["2", "3x2", "2x3"])}[1]`,
    () => `v_${pick(world.kinds)}${pick(matrices)}.${pick(["_m01", "_m00_m11", "_11_12_21"])}`,
    () => `(${a} ${pick(["+", "*", "<", "=="])} ${b})`,
    () => `${pick(["-", "!", "~"])}${a}`,
    () => `(v_bool ? ${pick(["1", "-2", "1.5", "1u"])} : ${pick(["2", "0.5", "3"])})`,
    () => `(${pick(world.kinds)}${pick(sizes)})${pick(["1", a])}`,
    () => `${pick(world.kinds)}${pick(["2(1, 2)", "3(1, 2, 3)", "(1)"])}`,
  ])();
}

/** One variable of every type that the text names: `v_float3`. */
const localsOf = (text: string): string =>
  [...new Set([...text.matchAll(/\bv_(\w+)/g)].map((m) => m[1]!))].map((t) => `${t} v_${t} = (${t})1;`).join(" ");

/** Functions that tell the exact type of what they are given. */
const teller = (name: string, { told }: World): string =>
  [...told.flatMap((k) => ["", "2", "3", "4", ...matrices].map((n) => k + n)), ...enumerations]
    .map((type, i) => `uint ${name}(${type} a) { return ${100 + i}; }`)
    .join("\n");

const unary = [
  "abs",
  "sign",
  "sin",
  "floor",
  "sqrt",
  "countbits",
  "firstbithigh",
  "reversebits",
  "saturate",
  "length",
  "all",
  "isnan",
];
const binary = ["max", "min", "pow", "dot", "fmod", "step", "distance", "atan2", "mul"];
const ternary = ["clamp", "lerp", "mad", "smoothstep"];

interface Made {
  readonly declarations: string;
  readonly call: string;
  /** What the call may have changed. */
  readonly changed?: readonly string[];
}

const isNumber = (type: string): boolean => !enumerations.includes(type) && !aggregates.includes(type);

/** Overloads of one name, at times a name HLSL has, and a call of it. */
function userCall(random: Random): Made {
  const { next, pick } = random;
  const count = 1 + next(3);
  const name = next(4) === 0 ? pick(count === 1 ? unary : count === 2 ? binary : ternary) : "f";
  const set = new Map<string, string>();
  const wanted = 1 + next(4);
  for (let n = 0; n < wanted; n++) {
    const types = Array.from({ length: count }, () => typeOf(random));
    const modes = types.map(() => (next(12) === 0 ? pick(["inout ", "out ", "const ", "in "]) : ""));
    if (set.has(types.join())) continue;
    const given = next(10) === 0 ? modes.findLastIndex((m) => m !== "" && m !== "const ") + 1 + next(2) : types.length;
    const body = modes
      .map((m, i) =>
        m === "out "
          ? `p${i} = (${types[i]!})7; `
          : m === "inout " && isNumber(types[i]!)
            ? `p${i} = p${i} + (${types[i]!})3; `
            : "",
      )
      .join("");
    set.set(
      types.join(),
      `uint ${name}(${types.map((t, i) => `${modes[i]!}${t} p${i}${i >= given ? ` = (${t})1` : ""}`).join(", ")}) { ${body}return ${1000 + n}; }`,
    );
  }
  const args = Array.from({ length: next(16) === 0 ? count - 1 : count }, () => argument(random));
  const declarations = [...set.values()].join("\n");
  const places = args.filter((a) => /^v_\w+(\.\w+|\[1\])?$/.test(a) && isNumber(a.slice(2)));
  return {
    declarations,
    call: `(uint)${name}(${args.join(", ")})`,
    changed: /\b(in)?out\b/.test(declarations) ? places.map((place) => `(uint)${place}`) : [],
  };
}

/** A function of HLSL, and the type of what it gives. */
function ownCall(random: Random): Made {
  const { next, pick, world } = random;
  const count = 1 + next(3);
  const args = Array.from({ length: count }, () => argument(random));
  return {
    declarations: teller("t", world),
    call: `t(${pick(count === 1 ? unary : count === 2 ? binary : ternary)}(${args.join(", ")}))`,
  };
}

/** An operator, and the type of what it gives. */
function operatorCall(random: Random): Made {
  const { next, pick, world } = random;
  const [a, b] = [argument(random), argument(random)];
  const binary = `(${a}) ${pick(["+", "-", "*", "&", "<<", ">>", "<", "==", "&&"])} (${b})`;
  const unary = `${pick(["-", "~", "!", "+"])}${a.replace(/^-/, "+")}`;
  const choice = `(${pick(["v_bool", "v_bool", argument(random)])} ? ${a} : ${b})`;
  // DXC ends with a fault on such a choice in 202x, of two scalars.
  const faults = world.hlslVersion === "202x" && /v_min\d+u?int/.test(a + b);
  const e = next(5) === 0 && !faults ? choice : next(5) === 0 ? unary : binary;
  return { declarations: teller("t", world), call: `t(${e})` };
}

function madeOf(seed: number): Made & { readonly world: World } {
  const next = randomOf(seed);
  const world = worldOf(next);
  const random: Random = { next, pick: (list) => list[next(list.length)]!, world };
  const one = next(2) === 0 ? userCall(random) : next(2) === 0 ? ownCall(random) : operatorCall(random);
  return { ...one, world };
}

const valuesOf = ({ call, changed = [] }: Made): readonly string[] => [call, ...changed];

async function chosen(
  made: Made,
  world: World,
): Promise<string | { readonly refused: string; readonly text: string } | undefined> {
  // What names types of 16 bits is compiled with the option.
  const mark = world.args.length > 0 ? "int16_t marked = 1;" : "";
  const values = valuesOf(made);
  const stores = values.map((v, i) => `o[${i}] = ${v};`).join("\n  ");
  const text = `RWStructuredBuffer<uint> o : register(u0);\n${shared}${made.declarations}\n[numthreads(1, 1, 1)] void k() {\n  ${mark} ${localsOf(made.call)}\n  ${stores}\n}\n`;
  const result = await simulate(text, {
    from: "hlsl",
    hlslVersion: world.hlslVersion,
    workgroups: [1, 1, 1],
    args: { o: new Uint32Array(values.length) },
  });
  // A value of minimum precision that 16 bits do not hold (hlsl-minimum).
  if (result.findings.some((f) => f.kind === "broken-assumption")) return undefined;
  const problem = result.diagnostics.find((d) => d.severity === "error");
  return problem ? { refused: problem.message, text } : (result.buffers["o"] as Uint32Array).join();
}

const faulty = /ends with a fault|UNREACHABLE|llvm::/;

export const hlslOverloads: FuzzSuite = {
  name: "hlsl-overloads",
  about:
    "calls in HLSL take the function and write what DXC does, operators have the type it gives; what it refuses is refused",
  sample: { seed: 1, cases: 80 },
  missing: missingForFold,
  async run(seed, cases) {
    const made = Array.from({ length: cases }, (_, i) => madeOf(seed + i));
    const folded = await foldWithDxc(
      made.map((m): FoldCase => ({
        declarations: shared + m.declarations,
        statements: localsOf(m.call),
        values: valuesOf(m),
        args: m.world.args,
        hlslVersion: m.world.hlslVersion,
      })),
    );
    const failures: FuzzFailure[] = [];
    let decided = 0;
    for (const [i, m] of made.entries()) {
      const fold = folded[i]!;
      const ambiguous = fold.kind === "refused" && /is ambiguous/.test(fold.log);
      // A fault of DXC's is no answer.
      if (fold.kind === "refused" ? faulty.test(fold.log) : fold.values.some((v) => typeof v !== "bigint")) continue;
      const ours = await chosen(m, m.world);
      if (ours === undefined) continue;
      const theirs = fold.kind === "refused" ? (ambiguous ? "ambiguous" : "refused") : fold.values.join();
      const fail = (what: string): void =>
        void failures.push({
          seed: seed + i,
          what,
          text: `${m.declarations}\n${m.call} (${m.world.hlslVersion} ${m.world.args.join()})`,
        });
      if (typeof ours === "object") {
        // What is not translated yet is no choice.
        if (/not supported yet/.test(ours.refused)) continue;
        const same = ambiguous ? /fits several|ambiguous/.test(ours.refused) : fold.kind === "refused";
        if (!same) fail(`DXC: ${theirs}, crosslane says: ${ours.refused}`);
      } else if (String(ours) !== theirs) fail(`DXC: ${theirs}, crosslane: ${ours}`);
      decided++;
    }
    return { cases: decided, failures };
  },
};
