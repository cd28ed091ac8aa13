/** Calls in HLSL, of functions of the source, of its own, and of both under one name: which one DXC takes. */
import { simulate } from "../../src/api/simulate.js";
import { foldWithDxc, missingForFold, type FoldCase, type FoldResult } from "../support/oracles/dxc-fold.js";
import { randomOf } from "./hlsl-literals.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";

type Pick = <T>(list: readonly T[]) => T;

const kinds = ["bool", "int", "uint", "float", "double", "int64_t", "uint64_t", "int16_t", "uint16_t", "float16_t"];
const sizes = ["", "", "", "2", "3", "4"];
const matrices = ["float2x2", "float3x3", "int2x2"];

/** One variable of every type: `v_float3`. */
const locals = [...kinds.flatMap((k) => ["", "2", "3", "4"].map((n) => `${k}${n}`)), ...matrices]
  .map((t) => `${t} v_${t} = (${t})1;`)
  .join(" ");
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
];

function typeOf(next: (n: number) => number, pick: Pick): string {
  return next(20) === 0 ? pick(matrices) : `${pick(kinds)}${pick(sizes)}`;
}

const argument = (next: (n: number) => number, pick: Pick): string => {
  const kind = next(10);
  return kind < 3 ? pick(literals) : `v_${typeOf(next, pick)}`;
};

/** Functions that tell the exact type of what they are given. */
const teller = (name: string): string =>
  kinds
    .flatMap((k, i) => ["", "2", "3", "4"].map((n, j) => `uint ${name}(${k}${n} a) { return ${100 + i * 10 + j}; }`))
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
function userCall(next: (n: number) => number, pick: Pick): Made {
  const count = 1 + next(3);
  const name = next(4) === 0 ? pick(count === 1 ? unary : count === 2 ? binary : ternary) : "f";
  const set = new Map<string, string>();
  const wanted = 1 + next(4);
  for (let n = 0; n < wanted; n++) {
    const types = Array.from({ length: count }, () => typeOf(next, pick));
    const modes = types.map(() => (next(12) === 0 ? pick(["inout ", "out "]) : ""));
    if (set.has(types.join())) continue;
    const body = modes.map((m, i) => (m === "out " ? `p${i} = (${types[i]!})0; ` : "")).join("");
    set.set(
      types.join(),
      `uint ${name}(${types.map((t, i) => `${modes[i]!}${t} p${i}`).join(", ")}) { ${body}return ${1000 + n}; }`,
    );
  }
  const args = Array.from({ length: count }, () => argument(next, pick));
  return { declarations: [...set.values()].join("\n"), call: `(uint)${name}(${args.join(", ")})` };
}

/** A function of HLSL, and the type of what it gives. */
function ownCall(next: (n: number) => number, pick: Pick): Made {
  const count = 1 + next(3);
  const args = Array.from({ length: count }, () => argument(next, pick));
  return {
    declarations: teller("t"),
    call: `t(${pick(count === 1 ? unary : count === 2 ? binary : ternary)}(${args.join(", ")}))`,
  };
}

/** An operator, and the type of what it gives. */
function operatorCall(next: (n: number) => number, pick: Pick): Made {
  const [a, b] = [argument(next, pick), argument(next, pick)];
  const e =
    next(5) === 0 ? `(v_bool ? ${a} : ${b})` : `(${a}) ${pick(["+", "-", "*", "&", "<<", ">>", "<", "=="])} (${b})`;
  return { declarations: teller("t"), call: `t(${e})` };
}

async function chosen(
  declarations: string,
  call: string,
): Promise<number | { readonly refused: string; readonly text: string }> {
  const text = `RWStructuredBuffer<uint> o : register(u0);\n${declarations}\n[numthreads(1, 1, 1)] void k() {\n  ${locals}\n  o[0] = ${call};\n}\n`;
  const result = await simulate(text, {
    from: "hlsl",
    workgroups: [1, 1, 1],
    findings: "none",
    args: { o: new Uint32Array(1) },
  });
  const problem = result.diagnostics.find((d) => d.severity === "error");
  return problem ? { refused: problem.message, text } : (result.buffers["o"] as Uint32Array)[0]!;
}

/** DXC ends with a fault on some of these; the others are asked without them. */
async function foldedOf(cases: readonly FoldCase[]): Promise<FoldResult[]> {
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
  sample: { seed: 1, cases: 100 },
  missing: missingForFold,
  async run(seed, cases) {
    const made = Array.from({ length: cases }, (_, i): Made => {
      const next = randomOf(seed + i);
      const pick: Pick = (list) => list[next(list.length)]!;
      return next(2) === 0 ? userCall(next, pick) : next(2) === 0 ? ownCall(next, pick) : operatorCall(next, pick);
    });
    const folded = await foldedOf(
      made.map((m): FoldCase => ({
        declarations: m.declarations,
        statements: locals,
        values: [m.call],
        args: ["-enable-16bit-types"],
      })),
    );
    const failures: FuzzFailure[] = [];
    let decided = 0;
    for (const [i, m] of made.entries()) {
      const fold = folded[i]!;
      const ambiguous = fold.kind === "refused" && /ambiguous/.test(fold.log);
      if (!ambiguous && (fold.kind === "refused" || typeof fold.values[0] !== "bigint")) continue;
      const ours = await chosen(m.declarations, m.call);
      const theirs = fold.kind === "refused" ? "ambiguous" : String(fold.values[0]);
      const fail = (what: string): void =>
        void failures.push({ seed: seed + i, what, text: `${m.declarations}\n${m.call}` });
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
