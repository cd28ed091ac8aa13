/** What the build left beside the command line (scripts/capabilities.mjs) is printed as what the passes say, and only where it is what they would. */
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { capabilities } from "../../src/api/capabilities.js";
import { commandFile, crosslane } from "../build/real-command.js";

/** Where it lies. */
const known = async (): Promise<string> => join(dirname(await commandFile()), "../dist/cli/capabilities.json");
afterAll(async () => rmSync(await known(), { force: true }));

/** Of one category, as people and as machines read it, of one target and of all. */
const asked = [
  ["capabilities", "logic", "--target", "hlsl"],
  ["capabilities", "logic", "--format", "json"],
];
const printed = async (): Promise<string[]> => Promise.all(asked.map(async (args) => (await crosslane(".", args)).out));

test("the same is printed with and without it", async () => {
  const computed = await printed();
  expect(computed[0]).toContain("logic.any");
  writeFileSync(await known(), JSON.stringify(capabilities({ filter: "logic" })));
  expect(await printed()).toEqual(computed);
});

test("it is read where no profile is named, and only whole", async () => {
  const row = capabilities({ filter: "logic.any" })[0]!;
  const summary = "a row that no pass gave";
  const print = async (...more: string[]): Promise<string> =>
    (await crosslane(".", ["capabilities", "logic.any", "--format", "json", ...more])).out;
  writeFileSync(await known(), JSON.stringify([{ ...row, summary }]));
  expect(await print()).toContain(summary);
  expect(await print("--profile", "vulkan1.1")).not.toContain(summary);
  writeFileSync(await known(), JSON.stringify([{ ...row, summary }]).slice(0, -1));
  const computed = await print();
  expect(computed).not.toContain(summary);
  expect(computed).toContain(row.summary);
});
