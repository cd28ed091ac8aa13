/** What the fixtures' launches come to, and how many planted faults they notice: docs/correctness.md, regenerated with UPDATE_GOLDEN=1. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { VerifyResult } from "../../src/index.js";
import { crosslane } from "../cli/command-line.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const fixtures = readdirSync(join(root, "fixtures")).filter((f) => existsSync(join(root, "fixtures", f, "kernel.cl")));
const document = join(root, "docs/correctness.md");
const marked = /(<!-- mutants: [^>]* -->\n)[^]*?(<!-- end -->)/;

test("the ledger says how many faults are noticed in the fixtures' translations", async () => {
  const scores: { readonly name: string; readonly noticed: number; readonly planted: number }[] = [];
  const statements = { run: 0, reachable: 0 };
  for (const name of fixtures) {
    const args = ["verify", `fixtures/${name}/kernel.cl`, "--to", "glsl", "--mutants", "20", "--format", "json"];
    // Of several kernels the first.
    type Report = { results?: readonly VerifyResult[]; verifications?: readonly Report[] };
    const report = JSON.parse((await crosslane(root, args)).out) as Report;
    const { results } = report.verifications?.[0] ?? report;
    // A kernel that GLSL refuses has no score.
    const { mutants, result, coverage } = results?.[0] ?? {};
    statements.run += coverage?.statements.run ?? 0;
    statements.reachable += coverage?.statements.reachable ?? 0;
    if (mutants) scores.push({ name, ...mutants });
    else expect(result, name).toBe("not-run");
  }
  const sum = (of: "noticed" | "planted"): number => scores.reduce((all, s) => all + s[of], 0);
  const [noticed, planted] = [sum("noticed"), sum("planted")];
  expect(planted).toBeGreaterThan(fixtures.length * 10);
  expect(noticed / planted).toBeGreaterThan(0.95);
  const passing = scores.filter((s) => s.noticed < s.planted).map((s) => `${s.name} ${s.noticed}/${s.planted}`);
  expect(statements.run / statements.reachable).toBeGreaterThan(0.98);
  const came = `${statements.run} of the ${statements.reachable} statements that can be reached`;
  const table = `\nThe launches come to ${came}. Faults noticed: ${noticed} of ${planted} in ${scores.length} kernels. Not all of: ${passing.join(", ")}.\n\n`;
  const text = readFileSync(document, "utf8");
  expect(text).toMatch(marked);
  const written = text.replace(marked, (_, begin: string, end: string) => begin + table + end);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(document, written);
  expect(readFileSync(document, "utf8"), "regenerate with UPDATE_GOLDEN=1").toBe(written);
});
