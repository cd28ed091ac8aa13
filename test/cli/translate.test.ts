import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { crosslane, workspace } from "./command-line.js";

const saxpy = { "saxpy.metal": "saxpy/kernel.metal", "saxpy.launch.json": "saxpy/launch.json" };
const broken = "kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = y; }\n";

describe("one target", () => {
  test("the text alone on standard output", async () => {
    const folder = workspace(saxpy);
    const { code, out, err } = await crosslane(folder, ["translate", "saxpy.metal", "--to", "hlsl"]);
    expect(code).toBe(0);
    expect(err).toBe("");
    expect(out).toContain("[numthreads(64, 1, 1)]");
    expect(out.startsWith("cbuffer Params")).toBe(true);
    expect((await crosslane(folder, ["translate", "saxpy.metal", "--to", "hlsl", "-o", "-"])).out).toBe(out);
    expect(readdirSync(folder).sort()).toEqual(["saxpy.launch.json", "saxpy.metal"]);
  });

  test("from standard input", async () => {
    const folder = workspace(saxpy);
    const text = readFileSync(join(folder, "saxpy.metal"), "utf8");
    const sized = ["translate", "-", "--to", "glsl", "--workgroup-size", "32"];
    expect((await crosslane(folder, sized, text)).code).toBe(2);
    const { code, out } = await crosslane(folder, [...sized, "--from", "msl"], text);
    expect(code).toBe(0);
    expect(out).toContain("layout(local_size_x = 32) in;");
  });

  test("for widths of subgroups there are", async () => {
    const folder = workspace(saxpy);
    const { code, err } = await crosslane(folder, [
      "translate",
      "saxpy.metal",
      "--to",
      "hlsl",
      "--subgroup-size",
      "33",
    ]);
    expect({ code, err }).toEqual({ code: 2, err: "error[XL8001]: a subgroup width is a power of two, not 33\n" });
  });

  test("into a file", async () => {
    const folder = workspace(saxpy);
    expect(await crosslane(folder, ["translate", "saxpy.metal", "--to", "opencl", "-o", "out/k.cl"])).toEqual({
      code: 0,
      out: "",
      err: "opencl: assumed: accesses are in bounds (saxpy.metal:6)\n",
    });
    expect(readFileSync(join(folder, "out/k.cl"), "utf8")).toContain("__kernel void saxpy");
    expect(readdirSync(join(folder, "out"))).toEqual(["k.cl"]);
  });

  test("as JSON", async () => {
    const { code, out, err } = await crosslane(workspace(saxpy), [
      "translate",
      "saxpy.metal",
      "--to",
      "glsl",
      "--format",
      "json",
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { outputs, diagnostics } = JSON.parse(out) as {
      outputs: { target: string; code: string }[];
      diagnostics: unknown[];
    };
    expect(outputs).toHaveLength(1);
    expect(outputs[0]).toMatchObject({ input: "saxpy.metal", target: "glsl", refused: false });
    expect(outputs[0]!.code).toContain("void main()");
    expect(diagnostics).toEqual([]);
  });
});

describe("several", () => {
  test("kernels and targets say once that accesses are in bounds", async () => {
    const kernels = ["a", "b"].map(
      (name) =>
        `kernel void ${name}(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = x[i + 1u]; }\n`,
    );
    const folder = workspace({});
    writeFileSync(join(folder, "k.metal"), `#include <metal_stdlib>\nusing namespace metal;\n${kernels.join("")}`);
    const args = ["translate", "k.metal", "--to", "glsl,opencl,hlsl", "--workgroup-size", "64", "--out-dir", "out"];
    // HLSL defines them.
    expect(await crosslane(folder, args)).toEqual({
      code: 0,
      out: "",
      err: "glsl, opencl: assumed: accesses are in bounds (k.metal:3, k.metal:4)\n",
    });
  });

  test("targets and inputs go into a folder", async () => {
    const folder = workspace({ ...saxpy, "reduce.comp": "reduce/kernel.comp" });
    const { code } = await crosslane(folder, [
      "translate",
      "*.{metal,comp}",
      "--to",
      "glsl,opencl,hlsl,msl",
      "--out-dir",
      "out",
    ]);
    expect(code).toBe(0);
    expect(readdirSync(join(folder, "out")).sort()).toEqual([
      "reduce.cl",
      "reduce.comp",
      "reduce.hlsl",
      "reduce.metal",
      "saxpy.cl",
      "saxpy.comp",
      "saxpy.hlsl",
      "saxpy.metal",
    ]);
  });

  test("need a folder", async () => {
    const folder = workspace(saxpy);
    expect(await crosslane(folder, ["translate", "saxpy.metal", "--to", "glsl,hlsl"])).toMatchObject({
      code: 2,
      out: "",
    });
    expect(
      (await crosslane(folder, ["translate", "saxpy.metal", "--to", "glsl,hlsl", "-o", "a", "--out-dir", "b"])).code,
    ).toBe(2);
  });

  test("two inputs for one output are an error, and the first stands", async () => {
    const folder = workspace({ "k.metal": "saxpy/kernel.metal", "k.cl": "saxpy/kernel.cl" });
    const { code, err } = await crosslane(folder, [
      "translate",
      "k.metal",
      "k.cl",
      "--to",
      "hlsl",
      "--out-dir",
      "out",
      "--workgroup-size",
      "64",
    ]);
    expect(code).toBe(2);
    expect(err).toContain("'k.metal' and 'k.cl' would both be written to");
  });

  test("one input with errors does not keep the others from being written", async () => {
    const folder = workspace(saxpy);
    writeFileSync(join(folder, "bad.metal"), broken);
    const { code, err } = await crosslane(folder, [
      "translate",
      "bad.metal",
      "saxpy.metal",
      "--to",
      "hlsl",
      "--out-dir",
      "out",
    ]);
    expect(code).toBe(1);
    expect(err).toContain("bad.metal:1:");
    expect(readdirSync(join(folder, "out"))).toEqual(["saxpy.hlsl"]);
  });
});

describe("files", () => {
  test("an output never replaces an input, under whatever name", async () => {
    const folder = workspace(saxpy);
    symlinkSync(join(folder, "saxpy.metal"), join(folder, "link.metal"));
    const before = readFileSync(join(folder, "saxpy.metal"), "utf8");
    for (const target of [
      ["--out-dir", "."],
      ["-o", "saxpy.metal"],
      ["-o", "link.metal"],
      ["-o", "./x/../saxpy.metal"],
    ]) {
      const { code, err } = await crosslane(folder, ["translate", "saxpy.metal", "--to", "msl", ...target]);
      expect(code).toBe(2);
      expect(err).toContain("would replace an input");
    }
    expect(readFileSync(join(folder, "saxpy.metal"), "utf8")).toBe(before);
  });

  test("a failing input never replaces a good output", async () => {
    const folder = workspace(saxpy);
    await crosslane(folder, ["translate", "saxpy.metal", "--to", "hlsl", "-o", "out.hlsl"]);
    const good = readFileSync(join(folder, "out.hlsl"), "utf8");
    writeFileSync(join(folder, "saxpy.metal"), broken);
    expect((await crosslane(folder, ["translate", "saxpy.metal", "--to", "hlsl", "-o", "out.hlsl"])).code).toBe(1);
    expect(readFileSync(join(folder, "out.hlsl"), "utf8")).toBe(good);
  });

  test("--check and --diff write nothing", async () => {
    const folder = workspace(saxpy);
    const base = ["translate", "saxpy.metal", "--to", "hlsl", "-o", "out.hlsl"];
    expect((await crosslane(folder, [...base, "--check"])).code).toBe(3);
    expect(existsSync(join(folder, "out.hlsl"))).toBe(false);
    await crosslane(folder, base);
    expect(await crosslane(folder, [...base, "--check"])).toEqual({ code: 0, out: "", err: "" });
    const time = statSync(join(folder, "out.hlsl")).mtimeMs;
    writeFileSync(
      join(folder, "out.hlsl"),
      readFileSync(join(folder, "out.hlsl"), "utf8").replace("uint n;", "int n;"),
    );
    const { code, out } = await crosslane(folder, [...base, "--diff"]);
    expect(code).toBe(0);
    expect(out).toContain("-  int n;\n+  uint n;\n");
    expect((await crosslane(folder, [...base, "--diff", "--check"])).code).toBe(3);
    expect(statSync(join(folder, "out.hlsl")).mtimeMs).toBeGreaterThanOrEqual(time);
    expect(readFileSync(join(folder, "out.hlsl"), "utf8")).toContain("  int n;");
    expect((await crosslane(folder, ["translate", "saxpy.metal", "--to", "hlsl", "--diff"])).code).toBe(2);
  });

  test("--watch writes again when an input changes", async () => {
    const folder = workspace(saxpy);
    const { main } = await import("../../src/cli/main.js");
    const { plain } = await import("../../src/support/render.js");
    const stop = new AbortController();
    const ended = main(
      ["translate", "saxpy.metal", "--to", "hlsl", "-o", "out.hlsl", "--watch"],
      {
        cwd: folder,
        out: () => {},
        err: () => {},
        readStandardInput: () => Promise.resolve(new Uint8Array()),
        errPaint: plain,
        outPaint: plain,
        interactive: false,
      },
      stop.signal,
    );
    const output = join(folder, "out.hlsl");
    const until = async (holds: () => boolean): Promise<void> => {
      for (let i = 0; i < 400 && !holds(); i++) await new Promise((r) => setTimeout(r, 25));
      expect(holds()).toBe(true);
    };
    await until(() => existsSync(output));
    await new Promise((r) => setTimeout(r, 200));
    writeFileSync(
      join(folder, "saxpy.metal"),
      readFileSync(join(folder, "saxpy.metal"), "utf8").replaceAll("saxpy", "renamed"),
    );
    writeFileSync(
      join(folder, "saxpy.launch.json"),
      readFileSync(join(folder, "saxpy.launch.json"), "utf8").replaceAll('"saxpy"', '"renamed"'),
    );
    await until(() => readFileSync(output, "utf8").includes("void renamed("));
    stop.abort();
    expect(await ended).toBe(0);
  });
});

describe("includes and macros", () => {
  const kernel =
    '#include "scale.h"\nkernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = x[i] * SCALE; }\n';
  test("are read below the file's folder and -I folders only", async () => {
    const folder = workspace();
    mkdirSync(join(folder, "in/lib"), { recursive: true });
    mkdirSync(join(folder, "elsewhere"));
    writeFileSync(join(folder, "in/k.metal"), kernel);
    writeFileSync(join(folder, "elsewhere/scale.h"), "#define SCALE 2.0f\n");
    const command = ["translate", "in/k.metal", "--to", "glsl", "--workgroup-size", "64"];
    expect((await crosslane(folder, command)).code).toBe(1);
    expect((await crosslane(folder, [...command, "-I", "elsewhere"])).out).toContain("2.0");
    writeFileSync(join(folder, "in/k.metal"), kernel.replace("scale.h", "../elsewhere/scale.h"));
    const outside = await crosslane(folder, command);
    expect(outside.code).toBe(1);
    expect(outside.err).toContain("elsewhere/scale.h lies outside");
    expect(outside.err).toContain("-I elsewhere adds its own");
    expect((await crosslane(folder, [...command, "-I", "elsewhere"])).out).toContain("2.0");
    writeFileSync(join(folder, "in/k.metal"), kernel.replace("scale.h", "lib/scale.h"));
    symlinkSync(join(folder, "elsewhere/scale.h"), join(folder, "in/lib/scale.h"));
    const link = await crosslane(folder, command);
    expect(link.code).toBe(1);
    expect(link.err).toContain("in/lib/scale.h is a link to elsewhere/scale.h, which lies outside");
    expect(link.err).toContain("-I elsewhere adds its own");
    writeFileSync(join(folder, "in/k.metal"), kernel.replace("scale.h", join(folder, "elsewhere/scale.h")));
    expect((await crosslane(folder, [...command, "-I", "elsewhere"])).code).toBe(1);
  });

  test("errors in an include are shown there", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "k.metal"), kernel);
    writeFileSync(join(folder, "scale.h"), "#define SCALE factor\n");
    const { err } = await crosslane(folder, ["translate", "k.metal", "--to", "glsl", "--workgroup-size", "64"]);
    expect(err).toContain("name 'factor' is not declared");
    expect(err).toMatch(/k\.metal:2:\d+/);
  });

  test("-D", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "k.metal"), kernel.split("\n")[1]!);
    const command = ["translate", "k.metal", "--to", "glsl", "--workgroup-size", "64"];
    expect((await crosslane(folder, command)).code).toBe(1);
    expect((await crosslane(folder, [...command, "-D", "SCALE=3.0f"])).out).toContain("3.0");
    expect((await crosslane(folder, [...command, "-D", "1X=2"])).code).toBe(2);
  });
});

describe("wrong usage", () => {
  test.each([
    [[]],
    [["translate"]],
    [["translate", "saxpy.metal"]],
    [["translate", "saxpy.metal", "--to", "cuda"]],
    [["translate", "nowhere.metal.txt", "--to", "glsl"]],
    [["translate", "*.cl", "--to", "glsl"]],
    [["translate", "saxpy.metal", "--to", "glsl", "--from", "metal"]],
    [["translate", "saxpy.metal", "--to", "glsl", "--workgroup-size", "0"]],
    [["translate", "saxpy.metal", "--to", "glsl", "--workgroup-size", "1,2,3,4"]],
    [["translate", "saxpy.metal", "--to", "glsl", "--target-profile", "vulkan9"]],
    [["translate", "saxpy.metal", "--to", "glsl", "--target-profile", "sm6.0"]],
    [["translate", "saxpy.metal", "--to", "glsl", "--local", "x"]],
    [["translate", "saxpy.metal", "--to", "glsl", "--wrong"]],
    [["translate", "saxpy.metal", "--to", "opencl", "-o", "o.cl", "--watch=forever"]],
    ...["--check", "--diff"].map((flag): [string[]] => [
      ["translate", "saxpy.metal", "--to", "opencl", "-o", "o.cl", "--watch", flag],
    ]),
    [["translat", "saxpy.metal", "--to", "glsl"]],
    [["explain", "XL0"]],
    [["capabilities", "nothing"]],
    [["capabilities", "--target", "msl", "--profile", "sm6.0"]],
  ])("%j", async (args) => {
    const { code, out, err } = await crosslane(workspace(saxpy), args);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).not.toBe("");
    expect(err).not.toContain("    at ");
  });

  test("a file that is not there is an error of the input", async () => {
    const { code, err } = await crosslane(workspace(), ["translate", "nowhere.metal", "--to", "glsl"]);
    expect(code).toBe(1);
    expect(err).toContain("'nowhere.metal' cannot be read: there is no such file");
  });

  test("a file that is no text", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "a.metal"), Buffer.from([0x4d, 0x5a, 0, 1, 2]));
    const { code, err } = await crosslane(folder, ["translate", "a.metal", "--to", "glsl"]);
    expect(code).toBe(1);
    expect(err).toContain("error[XL0010]: the file is not a text file");
  });

  test("help is no error", async () => {
    const { code, out } = await crosslane(workspace(), ["translate", "--help"]);
    expect(code).toBe(0);
    expect(out).toContain("--out-dir");
  });
});
