/** Calls in HLSL, of functions of the source, of its own, and of both under one name: which one DXC takes. */
import { simulate } from "../../src/api/simulate.js";
import type { HlslVersion } from "../../src/dialects/language.js";
import { foldWithDxc, missingForFold, type FoldCase, type FoldResult } from "../support/oracles/dxc-fold.js";
import { randomOf } from "./hlsl-literals.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";

type Pick = <T>(list: readonly T[]) => T;

const plain = ["bool", "int", "uint", "float", "double", "int64_t", "uint64_t"];
/** Types of 16 bits, which DXC has with an option, or of at least as many, and `half` of 32. */
const narrow = ["int16_t", "uint16_t", "float16_t"];
const precise = ["half", "min16float", "min10float", "min16int", "min12int", "min16uint"];
const sizes = ["", "", "", "2", "3", "4"];
const matrices = ["2x2", "2x3", "3x2", "3x3"];
/** `C` has a scope. */
const enumerations = ["E", "C"];
const shared = "enum E { e0, e1 };\nenum class C : uint { c0, c1 };\n";

/** What a case may name: with the types of 16 bits or with those of at least 16, which are not both. */
interface World {
  readonly kinds: readonly string[];
  readonly args: readonly string[];
  readonly hlslVersion: HlslVersion;
}

const worldOf = (next: (n: number) => number): World => ({
  ...(next(3) === 0
    ? { kinds: [...plain, ...narrow], args: ["-enable-16bit-types"] }
    : { kinds: [...plain, ...precise], args: [] }),
  hlslVersion: (["2018", "2021", "202x"] as const)[next(3)]!,
});

const literals = [
  "1",
  "2",
  "-1",
  "1.5",
  "0.5",
  "3000000000",
  "1u",
  "2.0f",
  "1ll",
  "1ull",
  "1.0l",
  "1 + 2",
  "-(1.5)",
  "true",
  "1.0h",
  "e1",
  "C::c1",
];

interface Random {
  readonly next: (n: number) => number;
  readonly pick: Pick;
  readonly world: World;
}

function typeOf({ next, pick, world }: Random): string {
  const kind = next(20);
  return kind === 0
    ? pick(enumerations)
    : kind < 4
      ? pick(world.kinds) + pick(matrices)
      : pick(world.kinds) + pick(sizes);
}

const argument = (random: Random): string => (random.next(10) < 3 ? random.pick(literals) : `v_${typeOf(random)}`);

/** One variable of every type that the text names: `v_float3`. */
const localsOf = (text: string): string =>
  [...new Set([...text.matchAll(/\bv_(\w+)/g)].map((m) => m[1]!))].map((t) => `${t} v_${t} = (${t})1;`).join(" ");

/** Functions that tell the exact type of what they are given. */
const teller = (name: string, { kinds }: World): string =>
  [...kinds.flatMap((k) => ["", "2", "3", "4", ...matrices].map((n) => k + n)), ...enumerations]
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
const binary = ["max", "min", "pow", "dot", "fmod", "step", "distance", "atan2"];
const ternary = ["clamp", "lerp", "mad", "smoothstep"];

interface Made {
  readonly declarations: string;
  readonly call: string;
}

/** Overloads of one name, at times a name HLSL has, and a call of it. */
function userCall(random: Random): Made {
  const { next, pick } = random;
  const count = 1 + next(3);
  const name = next(4) === 0 ? pick(count === 1 ? unary : count === 2 ? binary : ternary) : "f";
  const set = new Map<string, string>();
  const wanted = 1 + next(4);
  for (let n = 0; n < wanted; n++) {
    const types = Array.from({ length: count }, () => typeOf(random));
    const modes = types.map(() => (next(12) === 0 ? pick(["inout ", "out "]) : ""));
    if (set.has(types.join())) continue;
    const body = modes.map((m, i) => (m === "out " ? `p${i} = (${types[i]!})0; ` : "")).join("");
    set.set(
      types.join(),
      `uint ${name}(${types.map((t, i) => `${modes[i]!}${t} p${i}`).join(", ")}) { ${body}return ${1000 + n}; }`,
    );
  }
  const args = Array.from({ length: count }, () => argument(random));
  return { declarations: [...set.values()].join("\n"), call: `(uint)${name}(${args.join(", ")})` };
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
  // DXC ends with a fault on such a choice in 202x.
  const faulty = world.hlslVersion === "202x" && /v_min/.test(a + b);
  const e = next(5) === 0 && !faulty ? choice : next(5) === 0 ? unary : binary;
  return { declarations: teller("t", world), call: `t(${e})` };
}

async function chosen(
  { declarations, call }: Made,
  world: World,
): Promise<number | { readonly refused: string; readonly text: string }> {
  // What names types of 16 bits is compiled with the option.
  const mark = world.args.length > 0 ? "int16_t marked = 1;" : "";
  const text = `RWStructuredBuffer<uint> o : register(u0);\n${shared}${declarations}\n[numthreads(1, 1, 1)] void k() {\n  ${mark} ${localsOf(call)}\n  o[0] = ${call};\n}\n`;
  const result = await simulate(text, {
    from: "hlsl",
    hlslVersion: world.hlslVersion,
    workgroups: [1, 1, 1],
    findings: "none",
    args: { o: new Uint32Array(1) },
  });
  const problem = result.diagnostics.find((d) => d.severity === "error");
  return problem ? { refused: problem.message, text } : (result.buffers["o"] as Uint32Array)[0]!;
}

/** So many are asked at a time: a fault costs the answers of all. */
const together = 100;

/** DXC ends with a fault on some of these; the others are asked without them. */
async function foldedOf(cases: readonly FoldCase[]): Promise<FoldResult[]> {
  if (cases.length > together)
    return [...(await foldedOf(cases.slice(0, together))), ...(await foldedOf(cases.slice(together)))];
  try {
    return await foldWithDxc(cases);
  } catch (fault) {
    if (!/DXC gives no answer/.test(String(fault))) throw fault;
    if (cases.length === 1) return [{ kind: "refused", log: "DXC ends with a fault" }];
    const half = cases.length >> 1;
    return [...(await foldedOf(cases.slice(0, half))), ...(await foldedOf(cases.slice(half)))];
  }
}

export const hlslOverloads: FuzzSuite = {
  name: "hlsl-overloads",
  about:
    "calls in HLSL take the function, and operators have the type, that DXC takes and gives; what it calls ambiguous is",
  sample: { seed: 1, cases: 60 },
  missing: missingForFold,
  async run(seed, cases) {
    const made = Array.from({ length: cases }, (_, i) => {
      const next = randomOf(seed + i);
      const world = worldOf(next);
      const random: Random = { next, pick: (list) => list[next(list.length)]!, world };
      const one = next(2) === 0 ? userCall(random) : next(2) === 0 ? ownCall(random) : operatorCall(random);
      return { ...one, world };
    });
    const folded = await foldedOf(
      made.map((m): FoldCase => ({
        declarations: shared + m.declarations,
        statements: localsOf(m.call),
        values: [m.call],
        args: m.world.args,
        hlslVersion: m.world.hlslVersion,
      })),
    );
    const failures: FuzzFailure[] = [];
    let decided = 0;
    for (const [i, m] of made.entries()) {
      const fold = folded[i]!;
      const ambiguous = fold.kind === "refused" && /ambiguous/.test(fold.log);
      if (!ambiguous && (fold.kind === "refused" || typeof fold.values[0] !== "bigint")) continue;
      const ours = await chosen(m, m.world);
      const theirs = fold.kind === "refused" ? "ambiguous" : String(fold.values[0]);
      const fail = (what: string): void =>
        void failures.push({
          seed: seed + i,
          what,
          text: `${m.declarations}\n${m.call} (${m.world.hlslVersion} ${m.world.args.join()})`,
        });
      if (typeof ours === "object") {
        // What is not translated yet is no choice.
        if (/not supported yet/.test(ours.refused)) continue;
        const same = ambiguous && /fits several|ambiguous/.test(ours.refused);
        if (!same) fail(`DXC: ${theirs}, crosslane says: ${ours.refused}`);
      } else if (String(ours) !== theirs) fail(`DXC: ${theirs}, crosslane: ${ours}`);
      decided++;
    }
    return { cases: decided, failures };
  },
};
