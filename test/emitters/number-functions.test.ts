/**
 * emitters/wasm/number-functions.ts and number-module.ts are what the runtime's TypeScript says (UPDATE_GOLDEN=1 writes them), and their
 * functions give the same bits as that.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { beforeAll, describe, expect, test } from "vitest";
import { numberFunction, signatureKey } from "../../src/sim/number-functions.js";
import type { ScalarKind } from "../../src/types/types.js";
import { f16FromBits, f32FromBits, f64FromBits } from "../../src/types/numeric.js";
import { runtimeNames } from "../../src/sim/runtime.js";
import { repositoryRoot } from "../support/judges/judge.js";
import { FunctionModule } from "../support/wasm-functions/module.js";

const fileOf = (name: string): string => join(repositoryRoot, "emitters/wasm", name);

let built: ReturnType<FunctionModule["build"]>;
beforeAll(() => {
  built = new FunctionModule().build();
});

/** The files by name. */
async function texts(): Promise<readonly (readonly [name: string, text: string])[]> {
  const { bytes, data, signatures } = built;
  const bySignature = new Map<string, string[]>();
  for (const [name, { parameters, result }] of signatures) {
    const key = signatureKey(parameters, result);
    bySignature.set(key, [...(bySignature.get(key) ?? []), name]);
  }
  const names = [...bySignature].map(([key, list]) => `"${key}": "${list.join(" ")}"`);
  const origin =
    "Written by test/emitters/number-functions.test.ts from src/sim/scalar-functions.ts; not to be edited.";
  const written = {
    "number-functions.ts": `/** The runtime's functions of numbers that are there as WebAssembly (number-module.ts). ${origin} */
/** Names by the types of their operands and result. */
export const numberFunctions: Readonly<Record<string, string>> = { ${names.join(", ")} };
`,
    "number-module.ts": `/** The runtime's functions of numbers as WebAssembly. ${origin} */
/** A module in base64. It imports \`m.memory\`. */
const code = "${Buffer.from(bytes).toString("base64")}";
/** Doubles at the start of its memory. */
const tables: readonly number[] = [${data.map((x) => (Object.is(x, -0) ? "-0" : String(x))).join(", ")}];
/** A function, so that a page can have it later (src/support/deferred.ts). */
export function numberModule(): { readonly code: string; readonly tables: readonly number[] } { return { code, tables }; }
`,
  };
  return Promise.all(
    Object.entries(written).map(
      async ([name, text]) =>
        [name, await format(text, { ...(await resolveConfig(fileOf(name))), parser: "typescript" })] as const,
    ),
  );
}

test("the module is up to date", async () => {
  for (const [name, wanted] of await texts()) {
    if (process.env.UPDATE_GOLDEN) writeFileSync(fileOf(name), wanted);
    expect(readFileSync(fileOf(name), "utf8") === wanted, name).toBe(true);
  }
});

test("what is left to JavaScript is known", () => {
  // Exact arithmetic on whole numbers of any length. 32 bits of a product have instructions (emitters/wasm/expressions.ts).
  expect([...built.others.keys()].sort()).toEqual([
    "f64_cos",
    "f64_fma",
    "f64_sin",
    "f64_tan",
    "i32_mulhi",
    "u32_mulhi",
  ]);
});

/** Numbers below 2^32, the same in every run. */
function generator(seed: number): () => number {
  let s = seed;
  return () => {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    return s >>> 0;
  };
}
const next = generator(0x9e3779b9);

const edges = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2,
  -2,
  3,
  8,
  -27,
  0.125,
  1e-3,
  2 ** -14,
  2 ** -24,
  2 ** -27,
  0.1716,
  10,
  -10,
  88.5,
  104,
  127.25,
  1023,
  65504,
  65520,
  -65504,
  2 ** 20,
  2 ** 20 + 0.5,
  2 ** 24 - 1,
  2 ** 24,
  1e10,
  -1e30,
  Infinity,
  -Infinity,
  NaN,
  Math.PI,
  Math.PI / 2,
  2 ** -126,
  2 ** -149,
  -(2 ** -149),
  3.4028234663852886e38,
  2 ** -1022,
  5e-324,
  1.7976931348623157e308,
  -1e-300,
];

function random(kind: ScalarKind): number | boolean {
  const bits = next();
  switch (kind) {
    case "bool":
      return (bits & 1) === 1;
    case "f16":
      return f16FromBits(bits & 65535);
    case "f32":
      return (bits & 3) === 0 ? Math.fround((next() / 2 ** 32 - 0.5) * 2 ** (bits % 9)) : f32FromBits(bits);
    case "f64":
      return (bits & 3) === 0
        ? (next() / 2 ** 32 - 0.5) * 2 ** (bits % 23)
        : f64FromBits((BigInt(bits) << 32n) | BigInt(next()));
    default: {
      const width = Number(kind.slice(1));
      const few = (bits & 1) === 0 ? next() % 130 : next();
      return kind[0] === "u" ? few >>> (32 - width) : (few << (32 - width)) >> (32 - width);
    }
  }
}

const rounded: Partial<Record<ScalarKind, (x: number) => number>> = {
  f16: (x) => f16FromBits(0) + (runtimeNames()["roundF16"] as (x: number) => number)(x),
  f32: Math.fround,
  f64: (x) => x,
};
const edgesOf = (kind: ScalarKind): (number | boolean)[] => {
  const round = rounded[kind];
  if (round) return edges.map(round);
  if (kind === "bool") return [false, true];
  const width = Number(kind.slice(1));
  const list = [0, 1, 2, 3, 7, 8, 15, 31, 32, 33, 64, 127, 128, 2 ** (width - 1) - 1, 2 ** (width - 1), 2 ** width - 1];
  return kind[0] === "u" ? list.map((x) => x % 2 ** width) : list.map((x) => (x << (32 - width)) >> (32 - width));
};

describe("the same bits as JavaScript", () => {
  const check = (name: string, parameters: readonly ScalarKind[], result: ScalarKind): void => {
    const reference = runtimeNames()[name] as (...x: unknown[]) => number | boolean;
    const compiled = numberFunction(name, parameters, result) as (...x: unknown[]) => number;
    expect(compiled, name).toBeTypeOf("function");
    const one = (args: readonly unknown[]): void => {
      const wanted = reference(...args);
      let found: number | boolean = compiled(...args.map(Number));
      if (result === "bool") found = found !== 0;
      else if (result[0] === "u") found = found >>> 0;
      if (!Object.is(found, wanted)) expect([name, args, found]).toEqual([name, args, wanted]);
    };
    const lists = parameters.map(edgesOf);
    const grid = (at: number, args: readonly unknown[]): void => {
      if (at === lists.length) return one(args);
      // Of three operands every fifth edge.
      for (const [i, x] of lists[at]!.entries()) if (lists.length < 3 || (i + at) % 5 === 0) grid(at + 1, [...args, x]);
    };
    grid(0, []);
    for (let i = 0; i < 400; i++) one(parameters.map(random));
  };
  test("on edges and on numbers from all of their range", () => {
    for (const [name, { parameters, result }] of built.signatures) check(name, parameters, result);
    expect(built.signatures.size).toBeGreaterThan(200);
  });
});
