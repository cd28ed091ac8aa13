/** docs/assumptions.md lists all that may be assumed; the table behind it has every kind there is. UPDATE_DOCS=1 writes it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assumptionKinds } from "../src/ast/assumptions.js";
import { rows } from "../src/ops/table.js";
import { findingKinds } from "../src/sim/index.js";
import { codes } from "../src/support/codes.js";
import { translate } from "../src/index.js";
import { repositoryRoot } from "./support/judges/judge.js";

const file = join(repositoryRoot, "docs/assumptions.md");

/** What rows of ops assume, by the op. */
function ofOps(): [op: string, dialects: string[], assumes: string][] {
  const found = new Map<string, [string, string[], string]>();
  for (const row of rows.values())
    for (const [dialect, cells] of Object.entries(row.cells))
      for (const cell of cells) {
        if (cell.kind !== "lowering" || cell.assumes === undefined) continue;
        const key = `${row.id} ${cell.assumes}`;
        const known = found.get(key) ?? [row.id, [], cell.assumes];
        if (!known[1].includes(dialect)) known[1].push(dialect);
        found.set(key, known);
      }
  return [...found.values()];
}

function text(): string {
  const table = Object.entries(assumptionKinds).map(
    ([kind, f]) => `| \`${kind}\` | ${f.what} | ${f.why} | ${f.checkedBy} | ${f.strict} |`,
  );
  const ops = ofOps().map(([op, dialects, assumes]) => `| \`${op}\` | ${dialects.join(", ")} | ${assumes} |`);
  return `# What a translation may take for granted

Sources leave things to the program that uses them. A translation relies on that where it must, and lists each such
assumption with its places; a run checks it, and \`--strict\` does without it or refuses (XL4009). A translation to the
source's own dialect assumes nothing. \`crosslane explain <code>\` says more of a code.

| kind | it is assumed that | why | checked by | with \`--strict\` |
| --- | --- | --- | --- | --- |
${table.join("\n")}

What holds of every kernel of floats is not listed, since the device and not the text decides it:

- Subnormals are kept or made zero as the device does: open in OpenCL's single precision and halves (CL_FP_DENORM), in Metal's and HLSL's single
  precision (\`-denorm preserve\` asks for them), and in Vulkan but for what float controls ask for. The simulator keeps them.
- Sums and products whose terms do not cancel may be taken in another order where the language lets a compiler: GLSL and HLSL
  but for \`precise\`, MSL with fast math, OpenCL C with -cl-fast-relaxed-math. Each order rounds as well as the other; where terms cancel,
  and the order is all there is, \`reassociation\` says so. The simulator keeps the order of the text.

Launches have to be what the target can start: GLSL and HLSL start whole workgroups only, so that \`verify\` refuses a
launch whose grid is no multiple of the workgroup (XL6007).

Lowerings of ops that assume something; \`--strict\` refuses them, and a comparison shows where they do not hold:

| op | target | it is assumed that |
| --- | --- | --- |
${ops.join("\n")}
`;
}

test("the document has every assumption", () => {
  if (process.env["UPDATE_DOCS"]) writeFileSync(file, text());
  expect(readFileSync(file, "utf8")).toBe(text());
  expect(readFileSync(join(repositoryRoot, "README.md"), "utf8")).toContain("docs/assumptions.md");
});

test("every assumption in the sources is in the table, and every one in the table in the sources", () => {
  const files = ["src/passes", "src/sema", "src/frontend"].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile() && f.name.endsWith(".ts"))
      .map((f) => readFileSync(join(f.parentPath, f.name), "utf8")),
  );
  const noted = files.flatMap((t) =>
    [...t.matchAll(/note\(\s*"assumed",\s*"([^"]+)"/g), ...t.matchAll(/kind: "([a-z0-9^-]+)",\s*message/g)].map(
      (m) => m[1]!,
    ),
  );
  // The kind is handed to a helper there.
  const handed = files.flatMap((t) => [...t.matchAll(/wrapsHere\("([^"]+)"/g)].map((m) => m[1]!));
  expect([...new Set([...noted, ...handed])].sort()).toEqual(Object.keys(assumptionKinds).sort());
});

test("the codes are findings, or refusals of a launch", () => {
  for (const { checkedBy } of Object.values(assumptionKinds))
    for (const [code] of checkedBy.matchAll(/XL\d{4}/g)) expect(Object.keys(codes)).toContain(code);
  expect(findingKinds).toContain("integer-overflow");
});

test("lane numbers of 16 bits are cut to them under strict", async () => {
  const source =
    "kernel void k(device uint *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = simd_shuffle(i, ushort(y[i])); }";
  const { code, diagnostics } = await translate(source, { from: "msl", to: "glsl", workgroupSize: [64], strict: true });
  expect(diagnostics).toEqual([]);
  expect(code).toContain("0xffff");
});
