/** With little memory a large source ends in a result or in a limit that is named, never in the end of the process. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "crosslane-heap-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As it is now, whatever is in dist. */
beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    outfile: join(folder, "crosslane.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["prettier", "koffi"],
    logLevel: "warning",
  });
  writeFileSync(
    join(folder, "translate.mjs"),
    `import { readFileSync } from "node:fs";
import { translate } from "./crosslane.mjs";
const source = readFileSync(process.argv[2], "utf8");
const { code, diagnostics } = await translate(source, { from: "opencl", to: process.argv[3], workgroupSize: [64, 1, 1] });
console.log(JSON.stringify({ length: code?.length, errors: diagnostics.map((d) => [d.code, d.location?.line, d.message]) }));
`,
  );
});

const lines = (characters: number, line: (i: number) => string): string => {
  const made: string[] = [];
  for (let length = 0; length < characters; length += made.at(-1)!.length + 1) made.push(line(made.length));
  return made.join("\n");
};
const kernel = (body: string): string =>
  `__kernel void k(__global uint *x) {\nuint i = get_global_id(0);\n${body}\n}\n`;
const name = "a_name_that_is_long_and_stands_for_much_text";
const shapes = {
  functions: (n: number) => `${lines(n, (i) => `uint f${i}(uint a) { return a + ${i}; }`)}\n${kernel("x[i] = f7(i);")}`,
  statements: (n: number) => kernel(lines(n, (i) => `x[i + ${i}] += ${i};`)),
  variables: (n: number) => kernel(lines(n, (i) => `uint v${i} = x[i + ${i}]; x[i] += v${i};`)),
  // Long names: there is a limit on the tokens that macros make, too.
  "expanded text": (n: number) =>
    `#define M(k) ${name} += x[${name} + k];\n${kernel(`uint ${name} = i;\n${lines(n / 12, (i) => `M(${i})`)}\nx[i] = ${name};`)}`,
};

const megabyte = 2 ** 20;
type Told = { readonly length?: number; readonly errors: readonly [string, number | undefined, string][] };

function translated(text: string, to: string, heap: number): Told {
  const file = join(folder, "source.cl");
  writeFileSync(file, text);
  const child = spawnSync(process.execPath, [`--max-old-space-size=${heap}`, join(folder, "translate.mjs"), file, to], {
    encoding: "utf8",
    maxBuffer: 16 * megabyte,
  });
  expect(child.status, child.stderr.slice(0, 2000)).toBe(0);
  return JSON.parse(child.stdout) as Told;
}

test.each<[keyof typeof shapes, string]>([
  ["functions", "msl"],
  ["variables", "hlsl"],
  ["expanded text", "glsl"],
])("%s of 0.6 MB in 128 MB, to %s", (shape, to) => {
  const { length, errors } = translated(shapes[shape](0.6 * megabyte), to, 128);
  expect(errors.filter(([code]) => code < "XL3")).toEqual([]);
  expect(length).toBeGreaterThan(megabyte / 3);
});

test.each([
  ["functions", /^the file is larger than \d\.\d MB, which is what/, 1],
  ["expanded text", /^the expanded text is longer than \d\.\d MB, which is what/, 1000],
] as const)("%s of 2 MB in 128 MB: a limit, in its place", (shape, message, after) => {
  const { length, errors } = translated(shapes[shape](2 * megabyte), "hlsl", 128);
  expect(length).toBeUndefined();
  expect(errors).toEqual([["XL0011", expect.any(Number), expect.stringMatching(message)]]);
  expect(errors[0]![1]).toBeGreaterThanOrEqual(after);
});
