/** `--line-directives`: compilers of the target name the lines of the source. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TraceMap, originalPositionFor } from "@jridgewell/trace-mapping";
import { describe, expect, test } from "vitest";
import { translate } from "../../src/index.js";
import type { TargetDialect } from "../../src/index.js";
import { crosslane, workspace } from "../cli/command-line.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";

const header = `int twice(int v) {
  return v * 2;
}
`;
const kernel = `#include "twice.h"
#define ADD(a, b) \\
  ((a) + (b))

kernel void sums(device int *x [[buffer(0)]], constant int &n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  for (int j = 0; j < n; j++) {
    x[i] += ADD(j, twice(j));
  }

  x[i] ^= 7;
}
`;

const options = {
  from: "msl",
  fileName: "sums.metal",
  include: { "twice.h": header },
  workgroupSize: [64],
  lineDirectives: true,
} as const;

async function written(to: TargetDialect, lineDirectives = true): Promise<string> {
  const { code } = await translate(kernel, { ...options, to, lineDirectives });
  return code!;
}

describe("#line", () => {
  toolTest(missingPrograms(["clang-19"]), "of OpenCL C: clang names file and line", async () => {
    const folder = workspace();
    // A name that is not there, in three places.
    const text = (await written("opencl"))
      .replace("return v * 2", "return v * absent")
      .replace("j + twice(j)", "j + missing")
      .replace("^= 7", "^= gone");
    writeFileSync(join(folder, "k.cl"), text);
    const { stderr } = spawnSync("clang-19", ["-x", "cl", "-cl-std=CL3.0", "-fsyntax-only", join(folder, "k.cl")], {
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^twice\.h:2:\d+: error: use of undeclared identifier 'absent'/m);
    expect(stderr).toMatch(/^sums\.metal:7:\d+: error: use of undeclared identifier 'missing'/m);
    expect(stderr).toMatch(/^sums\.metal:10:\d+: error: use of undeclared identifier 'gone'/m);
  });

  toolTest(missingPrograms(["glslangValidator"]), "of GLSL: glslang names line and number of the file", async () => {
    const text = await written("glsl");
    const number = (file: string): string =>
      new RegExp(`(\\d+) ${file.replace(".", "\\.")}`).exec(text.split("\n").at(-2)!)![1]!;
    const folder = workspace();
    const errorOf = (from: string, to: string): string => {
      writeFileSync(join(folder, "k.comp"), text.replace(from, to));
      return spawnSync("glslangValidator", ["-V", "--target-env", "vulkan1.3", join(folder, "k.comp")], {
        encoding: "utf8",
      }).stdout;
    };
    expect(errorOf("return v * 2", "return v * absent")).toContain(`ERROR: ${number("twice.h")}:2: 'absent'`);
    expect(errorOf("j + twice(j)", "j + missing")).toContain(`ERROR: ${number("sums.metal")}:7: 'missing'`);
    expect(errorOf("^= 7", "^= gone")).toContain(`ERROR: ${number("sums.metal")}:10: 'gone'`);
    expect(errorOf("no such text", "")).not.toContain("ERROR");
  });

  test.each(["msl", "glsl", "opencl", "hlsl"] as const)("of %s: read again it is the same program", async (to) => {
    const [plain, lines] = [await written(to, false), await written(to)];
    expect(lines).toContain("#line ");
    expect(lines.replace(/^(?:#line .*|\/\/ files of #line: .*)\n/gm, "")).toBe(plain);
    const again = {
      from: to,
      to: to === "hlsl" ? "opencl" : "hlsl",
      include: options.include,
      workgroupSize: [64],
    } as const;
    // The comment that lists the files is the only difference.
    const from = (await translate(lines, again)).code!;
    expect(from.replace(/\n+\/\/ files of #line: .*\n$/, "\n")).toBe((await translate(plain, again)).code);
  });

  test("a map beside it is of the text with its directives", async () => {
    const { code, map } = await translate(kernel, { ...options, to: "hlsl", sourceMap: true });
    const line = code!.split("\n").findIndex((l) => l.includes("^= 7")) + 1;
    expect(originalPositionFor(new TraceMap(map as never), { line, column: 4 })).toMatchObject({
      source: "sums.metal",
      line: 10,
    });
  });

  test("code of no line of the source has the lines of the output", async () => {
    // The helper of the emulation is nobody's.
    const source =
      "kernel void k(device int *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n  x[i] = simd_max(x[i]);\n}\n";
    const { code } = await translate(source, {
      from: "msl",
      fileName: "k.metal",
      to: "opencl",
      profile: "opencl1.2",
      workgroupSize: [64],
      emulateSubgroups: 32,
      lineDirectives: true,
    });
    const lines = code!.split("\n");
    let at = { file: '"k.cl"', line: 1 };
    let helper: typeof at | undefined;
    let physical = 0;
    for (const [index, line] of lines.entries()) {
      const directive = /^#line (\d+) (.*)$/.exec(line);
      if (directive) at = { file: directive[2]!, line: Number(directive[1]) };
      else {
        if (line.includes("uint base =")) [helper, physical] = [at, index + 1];
        at = { ...at, line: at.line + 1 };
      }
    }
    expect(helper).toEqual({ file: '"k.cl"', line: physical });
  });

  test("on the command line; ts has none", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "sums.metal"), kernel);
    writeFileSync(join(folder, "twice.h"), header);
    const { out } = await crosslane(folder, ["translate", "sums.metal", "--to", "opencl", "--line-directives"]);
    expect(out).toContain('#line 6 "sums.metal"\n');
    const refused = await crosslane(folder, ["translate", "sums.metal", "--to", "ts", "--line-directives"]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("ts has no #line");
    expect(refused.err).toContain("--source-map");
    await expect(translate(kernel, { ...options, to: "ts" })).rejects.toThrow(TypeError);
  });
});

describe("files of source maps", () => {
  test("beside the text, checked and shown with it", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "sums.metal"), kernel);
    writeFileSync(join(folder, "twice.h"), header);
    const args = [
      "translate",
      "sums.metal",
      "--to",
      "glsl,ts",
      "--workgroup-size",
      "64",
      "--out-dir",
      "out dir",
      "--source-map",
    ];
    expect((await crosslane(folder, [...args, "--check"])).code).toBe(3);
    expect((await crosslane(folder, args)).code).toBe(0);
    expect((await crosslane(folder, [...args, "--check"])).code).toBe(0);
    const { readFileSync } = await import("node:fs");
    const read = (name: string): string => readFileSync(join(folder, "out dir", name), "utf8");
    expect(read("sums.comp")).toMatch(/\n\/\/# sourceMappingURL=sums\.comp\.map\n$/);
    const map = JSON.parse(read("sums.comp.map")) as { sources: string[]; file: string };
    expect(map.file).toBe("sums.comp");
    expect([...map.sources].sort()).toEqual(["../sums.metal", "../twice.h"]);
    writeFileSync(join(folder, "out dir", "sums.ts.map"), "{}");
    const stale = await crosslane(folder, [...args, "--check"]);
    expect(stale.code).toBe(3);
    expect(stale.err).toContain("sums.ts.map");
  });

  test("within the text, which is the only way to standard output", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "sums.metal"), kernel);
    writeFileSync(join(folder, "twice.h"), header);
    const { out } = await crosslane(folder, [
      "translate",
      "sums.metal",
      "--to",
      "hlsl",
      "--workgroup-size",
      "64",
      "--inline-source-map",
    ]);
    const url = /\n\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,(\S+)\n$/.exec(out)![1]!;
    const map = JSON.parse(Buffer.from(url, "base64").toString("utf8")) as { sources: string[] };
    expect([...map.sources].sort()).toEqual(["sums.metal", "twice.h"]);
    const beside = await crosslane(folder, ["translate", "sums.metal", "--to", "msl", "--source-map"]);
    expect(beside.code).toBe(2);
  });
});
