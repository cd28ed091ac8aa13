/** Files of which a part is translated, on the command line. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { crosslane, workspace } from "./command-line.js";

const header = `// licence of the header
typedef image1d_t wide;
float scaled(float v) { return v * 2.0f; }
float all(wide v) { return read_imagef(v, 0).x; }
`;
const kernels = `#include "common.h"
__kernel void good(__global float *x) { x[get_global_id(0)] += scaled(1.0f); }
__kernel void bad(__global float *x, wide v) { x[get_global_id(0)] += all(v); }
`;

function library(source = kernels): string {
  const folder = workspace();
  writeFileSync(join(folder, "common.h"), header);
  writeFileSync(join(folder, "k.cl"), source);
  return folder;
}

describe("translate", () => {
  test("a kernel that cannot be is named, and the exit code says that something is missing", async () => {
    const { code, out, err } = await crosslane(library(), ["translate", "k.cl", "--to", "msl"]);
    expect(code).toBe(1);
    expect(out).toContain("kernel void good(");
    expect(out).not.toMatch(/bad|wide|all/);
    expect(err).toMatch(/warning\[XL1900\]: type 'image1d_t' is not supported yet\n +--> common\.h:2/);
    expect(err).toContain("warning[XL4011]: kernel 'bad' cannot be translated, and is left out");
  });

  test("the file is written all the same", async () => {
    const folder = library();
    const { code } = await crosslane(folder, [
      "translate",
      "k.cl",
      "--to",
      "msl,hlsl,glsl",
      "--out-dir",
      "out",
      "--workgroup-size",
      "32",
    ]);
    expect(code).toBe(1);
    expect(readdirSync(join(folder, "out")).sort()).toEqual(["k.comp", "k.hlsl", "k.metal"]);
    expect(readFileSync(join(folder, "out/k.hlsl"), "utf8")).toContain("void good(");
  });

  test("one that is asked for, and needs nothing of the rest, is done", async () => {
    const { code, out, err } = await crosslane(library(), ["translate", "k.cl", "--to", "msl", "--entry", "good"]);
    expect(code).toBe(0);
    expect(out).toContain("kernel void good(");
    expect(err).not.toContain("warning");
  });

  test("one that is asked for and cannot be is an error", async () => {
    const folder = library();
    const { code, out, err } = await crosslane(folder, [
      "translate",
      "k.cl",
      "--to",
      "msl",
      "--entry",
      "bad",
      "-o",
      "k.metal",
    ]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("error[XL1900]");
    expect(existsSync(join(folder, "k.metal"))).toBe(false);
  });

  test("what no kernel needs is listed", async () => {
    const one = kernels.replace(/.*void bad.*\n/, "");
    const { code, out, err } = await crosslane(library(one), ["translate", "k.cl", "--to", "msl"]);
    expect(code).toBe(0);
    expect(err).toContain("msl: left out: 1 type, 1 function of common.h, which no kernel needs (wide, all)\n");
    expect(out).not.toMatch(/wide|all/);
    // A formatter of its own dialect leaves the text as it is.
    const own = await crosslane(library(one), ["translate", "k.cl", "--to", "opencl"]);
    expect(own.out).toContain('#include "common.h"');
    expect(own.err).not.toContain("left out");
    const kept = await crosslane(library(one), ["translate", "k.cl", "--to", "msl", "--keep-unused"]);
    expect(kept.code).toBe(1);
    expect(kept.err).toContain("error[XL1900]");
  });

  test("as JSON", async () => {
    const { code, out } = await crosslane(library(), ["translate", "k.cl", "--to", "msl", "--format", "json"]);
    const [output] = (JSON.parse(out) as { outputs: { refused: boolean; refusedEntries: { entry: string }[] }[] })
      .outputs;
    expect(code).toBe(1);
    expect(output!.refused).toBe(false);
    expect(output!.refusedEntries.map((r) => r.entry)).toEqual(["bad"]);
  });
});

describe("check", () => {
  test("reports what kernels need, and with --all everything", async () => {
    const one = kernels.replace(/.*void bad.*\n/, "");
    const plain = await crosslane(library(one), ["check", "k.cl", "--to", "msl"]);
    expect(plain.code).toBe(0);
    expect(plain.err).toBe("");
    expect(plain.out).toContain("left out: 1 type, 1 function of common.h, which no kernel needs (wide, all)");
    const all = await crosslane(library(one), ["check", "k.cl", "--to", "msl", "--all"]);
    expect(all.code).toBe(1);
    expect(all.err).toContain("error[XL1900]");
  });

  test("with --all, kernels that can be translated have their table beside the errors", async () => {
    const { code, out, err } = await crosslane(library(), ["check", "k.cl", "--to", "msl", "--all"]);
    expect(code).toBe(1);
    expect(err).toContain("error[XL1900]");
    expect(err).toContain("kernel 'bad' cannot be translated, and is left out");
    expect(out).toMatch(/^k\.cl\n {2}msl {5}msl2\.0-macos to msl[\d.]+: assumed/);
  });

  test("a block of clang is said once where it stands, and nothing that follows from it", async () => {
    const source = `__kernel void good(__global int *o) { o[0] = 1; }
__kernel void bad(__global int *o) { int (^b)(int) = ^(int x) { return x + 1; }; void (^c)(void) = ^{ o[1] = 2; }; o[0] = b(1); c(); }
`;
    for (const flags of [[], ["--all"]]) {
      const { err } = await crosslane(library(source), ["check", "k.cl", "--to", "msl", ...flags]);
      const said = [...err.matchAll(/^(?:error|warning)\[(XL1900)\]: (.*)\n +--> k\.cl:2:(\d+)/gm)];
      expect(said.map(([, , message, column]) => `${message} ${column}`)).toEqual([
        "a block is not supported yet 43",
        "a block is not supported yet 88",
      ]);
    }
  });

  test("a kernel that cannot be translated is no success", async () => {
    const { code, err } = await crosslane(library(), ["check", "k.cl", "--to", "msl"]);
    expect(code).toBe(1);
    expect(err).toContain("kernel 'bad' cannot be translated, and is left out");
  });
});

describe("verify", () => {
  test("runs each kernel, and says which it does not run", async () => {
    const one = await crosslane(library(), ["verify", "k.cl", "--to", "msl", "--entry", "good"]);
    expect(one.code).toBe(0);
    const none = await crosslane(library(), ["verify", "k.cl", "--to", "msl"]);
    expect(none.code).toBe(1);
    expect(none.err).toContain("kernel 'bad' cannot be translated, and is left out");
    expect(none.out).toMatch(/^good in k.cl\n {2}msl {5}equivalent [^\n]*\nbad in k.cl: not run: see the errors\n/);
    const bad = await crosslane(library(), ["verify", "k.cl", "--to", "msl", "--entry", "bad"]);
    expect(bad.code).toBe(1);
    expect(bad.err).toContain("error[XL1900]");
  });
});
