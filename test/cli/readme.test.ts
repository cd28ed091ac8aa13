/** What the README says the commands print is what they print. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { crosslane, workspace } from "./command-line.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const indented = (text: string): string => text.trimEnd().replace(/^(?=.)/gm, "    ");

describe("README", () => {
  test("the command a newcomer types", async () => {
    const command = readme.match(/npm install && npx crosslane (verify \S+ --to \S+)/)?.[1];
    expect(command).toBe("verify fixtures/reduce/kernel.metal --to glsl,opencl,hlsl,ts");
    const { code, out, err } = await crosslane(root, command!.split(" "));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(readme).toContain(indented(out));
  });

  test("a kernel of one's own", async () => {
    const folder = workspace();
    const kernel = readme.match(/Say `my\.metal` is\n\n((?: {4}.*\n|\n)+)/)?.[1];
    writeFileSync(join(folder, "my.metal"), kernel!.replace(/^ {4}/gm, "").trimEnd() + "\n");
    const translated = await crosslane(folder, ["translate", "my.metal", "--to", "hlsl", "--workgroup-size", "64"]);
    expect(readme).toContain(indented(translated.out));
    const verified = await crosslane(folder, ["verify", "my.metal", "--to", "glsl,hlsl"]);
    expect(verified.code).toBe(0);
    expect(readme).toContain(indented(verified.out));
    expect((await crosslane(folder, ["translate", "my.metal", "--to", "hlsl"])).code).toBe(1);
  });

  test("a target without subgroups", async () => {
    const folder = workspace();
    const kernel = readme.match(/Say `my\.metal` is\n\n((?: {4}.*\n|\n)+)/)?.[1];
    writeFileSync(join(folder, "my.metal"), kernel!.replace(/^ {4}/gm, "").trimEnd() + "\n");
    const command = readme.match(/`npx crosslane (translate my\.metal --to opencl [^`]+)`/)![1]!.split(" ");
    const { code, out } = await crosslane(folder, command);
    expect(code).toBe(0);
    expect(readme).toContain(indented(out));
    const without = await crosslane(folder, command.slice(0, command.indexOf("--emulate-subgroups")));
    expect(without.code).toBe(1);
    expect(without.err).toContain("--emulate-subgroups");
  });

  test("widths of subgroups", async () => {
    const folder = workspace();
    const kernel = readme.match(/Say `tally\.comp` is\n\n((?: {4}.*\n|\n)+)/)?.[1];
    writeFileSync(join(folder, "tally.comp"), kernel!.replace(/^ {4}/gm, "").trimEnd() + "\n");
    const args = {
      values: { type: "u32", count: 256, init: { iota: { start: 0, step: 1 } } },
      sums: { type: "u32", count: 4, init: { fill: 0 }, output: true },
    };
    writeFileSync(join(folder, "tally.launch.json"), JSON.stringify({ workgroups: [4], args }));
    const checked = await crosslane(folder, ["check", "tally.comp", "--to", "opencl", "--target-profile", "opencl3.0"]);
    expect(readme).toContain(indented(checked.out));
    const verified = await crosslane(folder, ["verify", "tally.comp", "--to", "opencl"]);
    const warning = readme.match(/`(warning\[XL6015\][^`]+)`/)?.[1]?.replace(/\n/g, " ");
    expect(verified.err).toContain(warning!);
    expect(verified.err).toContain("XL6016");
  });

  test("what planted faults say of a launch", async () => {
    const command = readme.match(/`npx crosslane (verify \S+ --to hlsl --mutants 50)`/)![1]!.split(" ");
    const { code, out } = await crosslane(root, command);
    expect(code).toBe(0);
    // The lines of the target, with what it takes for granted.
    const [, , , , ...lines] = out.split("\n");
    expect(readme).toContain(indented(lines.slice(0, lines.indexOf("")).join("\n")));
  });

  test("the launch file it shows is one", async () => {
    const { parseLaunchFile } = await import("../../src/launch/launch-file.js");
    const text = readme.match(/`my\.launch\.json` beside it:\n\n((?: {4}.*\n)+)/)?.[1];
    expect(parseLaunchFile(text!, "my.launch.json").diagnostics).toEqual([]);
  });

  test("docs/launch-files.md has every key there is", async () => {
    const { parseLaunchFile } = await import("../../src/launch/launch-file.js");
    const document = readFileSync(join(root, "docs/launch-files.md"), "utf8");
    const example = document.match(/\n\n((?: {4}.*\n)+)/)?.[1];
    expect(parseLaunchFile(example!, "launch.json").diagnostics).toEqual([]);
    const buffer = (part: string): string => `{"workgroups":[1],"args":{"x":{"type":"f32","count":1,${part}}}}`;
    const wrong = [
      '{"zzzzzzzzzz":1}',
      buffer('"init":{"fill":0},"zzzzzzzzzz":1'),
      buffer('"init":{"zzzzzzzzzz":1}'),
      buffer('"init":{"fill":0},"tolerance":{"zzzzzzzzzz":1}'),
    ];
    for (const text of wrong) {
      const help = parseLaunchFile(text, "launch.json").diagnostics.find((d) => d.code === "XL6002")!.help!;
      const keys = [...help.matchAll(/'(\w+)'/g)].map((m) => m[1]!);
      expect(keys.length, text).toBeGreaterThan(2);
      for (const key of keys) expect(document, key).toMatch(new RegExp(`[\`"]${key}[\`"]`));
    }
  });
});
