/**
 * What DXC takes, and what it refuses: constructors, casts, initialisers, lists, operators, conditions and calls on operands of
 * every type, in each version of the language. What it refuses is refused here too, and what it takes is taken or refused by name.
 */
import { compile } from "../../src/api/compile.js";
import type { HlslVersion } from "../../src/dialects/language.js";
import { missingForDxc } from "../support/judges/dxc.js";
import { acceptedByDxc } from "../support/oracles/dxc-accepts.js";
import { randomOf } from "./hlsl-literals.js";
import type { FuzzFailure, FuzzSuite } from "./suite.js";

type Pick = <T>(list: readonly T[]) => T;
interface Random {
  readonly next: (n: number) => number;
  readonly pick: Pick;
}

const plainKinds = ["bool", "int", "uint", "float", "double", "int64_t", "uint64_t"];
/** `half` and types of at least 16 bits, or types of exactly 16, which DXC has with an option. */
const narrowKinds = [
  ["half", "min16int", "min16uint", "min16float"],
  ["int16_t", "uint16_t", "float16_t", "half"],
] as const;
const sizes = ["", "", "", "2", "3", "4"];
const shapes = ["2x2", "2x3", "3x2", "3x3", "4x4"];
const aggregates = ["S", "N", "A2", "A4", "E", "C"];

/** `C` is an enumeration with a scope. */
const declarations = `struct S { float a; int2 b; };
struct N { S s; uint c[2]; };
typedef float A2[2];
typedef int A4[4];
enum E { e0, e1 = 5 };
enum class C : uint { c0, c1 };
`;

const literals = [
  "0",
  "1",
  "-1",
  "2",
  "1.5",
  "1u",
  "2.0f",
  "1ll",
  "1.0l",
  "1.0h",
  "true",
  "false",
  "3000000000",
  "'a'",
  "e1",
  "C::c1",
];

function typeOf({ next, pick }: Random, narrow: readonly string[]): string {
  const kinds = next(3) === 0 ? narrow : plainKinds;
  switch (next(12)) {
    case 0:
    case 1:
      return `${pick(kinds)}${pick(shapes)}`;
    case 2:
      return pick(aggregates);
    default:
      return `${pick(kinds)}${pick(sizes)}`;
  }
}

interface Scope {
  readonly random: Random;
  readonly narrow: readonly string[];
  /** Variables by their types. */
  readonly used: Map<string, string>;
}

function variable(scope: Scope, type = typeOf(scope.random, scope.narrow)): string {
  const name = `v_${type}`;
  scope.used.set(name, type);
  return name;
}

/** Mostly a variable, at times a number, or a part of a variable. */
function operand(scope: Scope): string {
  const { next, pick } = scope.random;
  switch (next(8)) {
    case 0:
    case 1:
      return pick(literals);
    case 2: {
      const part = pick([
        ".x",
        ".xy",
        ".zyx",
        ".xxxx",
        "[1]",
        "._m00",
        "._m01_m10",
        "[0][1]",
        ".a",
        ".b",
        ".s",
        ".r",
        ".rgb",
      ]);
      return `${variable(scope)}${part}`;
    }
    default:
      return variable(scope);
  }
}

function list(scope: Scope, depth: number): string {
  const { next } = scope.random;
  const parts = Array.from({ length: 1 + next(4) }, () =>
    depth > 0 && next(4) === 0 ? list(scope, depth - 1) : operand(scope),
  );
  return `{ ${parts.join(", ")} }`;
}

const operators = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">=", "==", "!=", "&&", "||"];
const functions: readonly (readonly [string, number])[] = [
  ...[
    "abs",
    "sign",
    "sin",
    "floor",
    "sqrt",
    "countbits",
    "firstbithigh",
    "saturate",
    "length",
    "all",
    "any",
    "isnan",
  ].map((f) => [f, 1] as const),
  ...[
    "normalize",
    "transpose",
    "determinant",
    "asuint",
    "asfloat",
    "asint",
    "f32tof16",
    "rcp",
    "exp2",
    "reversebits",
  ].map((f) => [f, 1] as const),
  ...["max", "min", "pow", "dot", "fmod", "step", "distance", "atan2", "mul", "cross", "ldexp", "reflect"].map(
    (f) => [f, 2] as const,
  ),
  ...["clamp", "lerp", "mad", "smoothstep"].map((f) => [f, 3] as const),
];

interface Piece {
  readonly functions?: string;
  readonly statement: string;
}

function piece(scope: Scope): Piece {
  const { next, pick } = scope.random;
  const type = typeOf(scope.random, scope.narrow);
  const of = (): string => operand(scope);
  switch (next(14)) {
    case 0:
      return {
        statement: `${type} r = ${type}(${Array.from({ length: next(9) === 0 ? 0 : 1 + next(4) }, of).join(", ")});`,
      };
    case 1:
      return { statement: `${type} r = (${type})${of()};` };
    case 2:
      return { statement: `${type} r = ${of()};` };
    case 3:
      return { statement: `${type} r = ${list(scope, 1)};` };
    case 4:
    case 5:
      return { statement: `(${of()}) ${pick(operators)} (${of()});` };
    case 6:
      return { statement: `${variable(scope)} ${pick(["", "", ...operators.slice(0, 10)])}= ${of()};` };
    case 7:
      return { statement: `(${of()}) ? (${of()}) : (${of()});` };
    case 8:
      return {
        statement: pick([`${pick(["-", "+", "~", "!", "++", "--"])}${of()};`, `${of()}${pick(["++", "--"])};`]),
      };
    case 9: {
      const mode = pick(["", "", "", "inout ", "out "]);
      return {
        functions: `void f(${mode}${type} p) { ${mode === "out " ? `p = (${type})0;` : ""} }\n`,
        statement: `f(${of()});`,
      };
    }
    case 10:
      return { functions: `${type} f(${typeOf(scope.random, scope.narrow)} p) { return p; }\n`, statement: "" };
    case 11:
      return {
        statement: pick([
          `if (${of()}) {}`,
          `while (${of()}) break;`,
          `for (; ${of()};) break;`,
          `switch (${of()}) { case 1: break; }`,
          `do {} while (${of()});`,
        ]),
      };
    case 12:
      return {
        statement: `${pick(["v_float4", "v_A4", "v_int3x3", "v_N.c"])}[${of()}];`.replace(/v_(\w+)/, (_, t: string) =>
          variable(scope, t),
        ),
      };
    default: {
      const [name, count] = pick(functions);
      return { statement: `${name}(${Array.from({ length: count }, of).join(", ")});` };
    }
  }
}

interface Made {
  /** Functions of the case, to be asked beside others. */
  readonly functions: string;
  readonly text: string;
  readonly hlslVersion: HlslVersion;
  readonly args: readonly string[];
}

function made(seed: number): Made {
  const next = randomOf(seed);
  const random: Random = { next, pick: (all) => all[next(all.length)]! };
  const native16Bit = next(4) === 0;
  const scope: Scope = { random, narrow: narrowKinds[native16Bit ? 1 : 0], used: new Map() };
  const { functions: declared = "", statement } = piece(scope);
  const variables = [...scope.used].map(([name, type]) => `  ${type} ${name} = (${type})0;\n`).join("");
  // What names types of 16 bits is compiled with the option.
  const mark = native16Bit ? "  int16_t marked = 1;\n" : "";
  const body = `{\n${mark}${variables}  ${statement}\n}\n`;
  return {
    functions: `${declared}void k() ${body}`.replace(/\b([fk])\(/g, `$1_${seed}(`),
    text: `${declarations}${declared}[numthreads(1, 1, 1)] void k() ${body}`,
    hlslVersion: random.pick(["2018", "2021", "202x"] as const),
    args: native16Bit ? ["-enable-16bit-types"] : [],
  };
}

export const hlslAcceptance: FuzzSuite = {
  name: "hlsl-acceptance",
  about: "HLSL that DXC refuses is refused, and what it takes is taken or refused by name, in each version",
  sample: { seed: 1, cases: 400 },
  missing: missingForDxc,
  async run(seed, cases) {
    const all = Array.from({ length: cases }, (_, i) => made(seed + i));
    const asked = all.map(({ functions: text, hlslVersion, args }) => ({
      shared: declarations,
      text,
      hlslVersion,
      args,
    }));
    const answers = await acceptedByDxc(asked);
    const failures: FuzzFailure[] = [];
    let decided = 0;
    for (const [i, m] of all.entries()) {
      const answer = answers[i]!;
      if (answer === "fault") continue;
      const taken = answer === "taken";
      const { diagnostics } = await compile(m.text, { from: "hlsl", hlslVersion: m.hlslVersion, keepUnused: true });
      const problem = diagnostics.find((d) => d.severity === "error");
      if (taken && problem && /not supported yet/.test(problem.message)) continue;
      decided++;
      if (taken === (problem === undefined)) continue;
      const what = taken
        ? `DXC takes it, crosslane says: ${problem!.message}`
        : `DXC says: ${(answer as { readonly refused: string }).refused}, crosslane takes it`;
      failures.push({ seed: seed + i, what: `${what} (${m.hlslVersion})`, text: m.text });
    }
    return { cases: decided, failures };
  },
};
