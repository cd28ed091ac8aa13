/** `verify --judge`: the compilers that are installed, one that refuses, and none. */
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { verify } from "../../src/index.js";
import { glslJudge } from "../../src/judges/glsl.js";
import { openclJudge } from "../../src/judges/opencl.js";
import { runProgram } from "../../src/judges/run-program.js";
import { toolTest } from "../support/tool-test.js";
import { crosslane, workspace } from "./command-line.js";

const reduce = { "reduce.metal": "reduce/kernel.metal", "reduce.launch.json": "reduce/launch.json" };
const path = process.env["PATH"];
afterEach(() => {
  process.env["PATH"] = path;
});

/** A folder with a program of that name that says so and fails, or does not. */
function withProgram(name: string, script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-judges-"));
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

describe("verify --judge", () => {
  toolTest([...glslJudge.missing(), ...openclJudge.missing()], "names the compilers that took the texts", async () => {
    const { code, out } = await crosslane(workspace(reduce), [
      "verify",
      "reduce.metal",
      "--to",
      "glsl,opencl",
      "--judge",
    ]);
    expect(code).toBe(0);
    expect(out).toContain("statements run, accepted by glslangValidator and spirv-val");
    expect(out).toContain("statements run, accepted by clang");
  });

  test("ends with 3 where a compiler refuses, at its place in the text", async () => {
    process.env["PATH"] = `${withProgram("dxc", 'echo "kernel.hlsl:3:5: error: no such thing"; exit 1')}:${path ?? ""}`;
    const { code, out, err } = await crosslane(workspace(reduce), [
      "verify",
      "reduce.metal",
      "--to",
      "hlsl",
      "--judge",
    ]);
    expect(code).toBe(3);
    expect(out).toContain("hlsl    refused by dxc");
    expect(err).toContain("error[XL6018]: dxc refuses the HLSL text: no such thing");
    expect(err).toContain("reduce.metal, as hlsl:3:5");
  });

  toolTest(openclJudge.missing(), "puts includes, preludes and macros in front of texts that need them", async () => {
    const folder = workspace({});
    writeFileSync(join(folder, "two.h"), "#define TWO 2\n");
    writeFileSync(join(folder, "pre.h"), "typedef int number;\n");
    writeFileSync(
      join(folder, "k.cl"),
      '#include "two.h"\n__kernel void k(__global number *o) { o[get_global_id(0)] = TWO + N; }\n',
    );
    const flags = ["--judge", "--prelude", "pre.h", "-D", "N=3"];
    const { code, out, err } = await crosslane(folder, ["verify", "k.cl", "--to", "opencl", ...flags]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("accepted by clang");
  });

  test("says where in an include the compiler's complaint lies", async () => {
    process.env["PATH"] =
      `${withProgram("clang-21", 'echo "kernel.cl:2:7: error: no such thing" >&2; exit 1')}:${path ?? ""}`;
    const folder = workspace({});
    writeFileSync(join(folder, "two.h"), "// two\nint two(void) { return 2; }\n");
    writeFileSync(
      join(folder, "k.cl"),
      '#include "two.h"\n__kernel void k(__global int *o) { o[get_global_id(0)] = two(); }\n',
    );
    const { code, err } = await crosslane(folder, ["verify", "k.cl", "--to", "opencl", "--judge"]);
    expect(code).toBe(3);
    expect(err).toContain("two.h:2:");
  });

  test("says which compilers are not there", async () => {
    process.env["PATH"] = mkdtempSync(join(tmpdir(), "crosslane-none-"));
    const { code, out, err } = await crosslane(workspace(reduce), [
      "verify",
      "reduce.metal",
      "--to",
      "hlsl",
      "--judge",
    ]);
    expect(code).toBe(0);
    expect(out).not.toContain("accepted");
    expect(err).toContain("the HLSL text was put before no compiler: dxc is not on the path");
  });

  test("is a field of the API's options and result", async () => {
    process.env["PATH"] = withProgram("dxc", "exit 0");
    const source = "__kernel void k(__global uint *dst) { dst[get_global_id(0)] = 3u; }";
    const options = { from: "opencl", to: "hlsl", workgroupSize: [4, 1, 1] } as const;
    expect((await verify(source, { ...options, judge: true })).judged).toEqual({
      verdict: "accepted",
      tool: "dxc",
      missing: [],
    });
    expect((await verify(source, options)).judged).toBeUndefined();
  });
});

test("a compiler that does not end is ended with what it started", async () => {
  // A script around a compiler, as wine's is, and one that does not hear of it when the script ends.
  // Were they waited for, this test would not end in its time.
  const folder = withProgram("endless", 'sleep 1000 & echo $! >"$1"; wait');
  const { status, stderr } = await runProgram(join(folder, "endless"), ["inner"], folder, { mostTime: 1000 });
  expect(status).toBeNull();
  expect(stderr).toContain("did not end within 1 seconds");
  const inner = Number(readFileSync(join(folder, "inner"), "utf8"));
  expect(inner).toBeGreaterThan(1);
  // It is told in no time, and gone soon after: what no one waits for stays in the list as a zombie until it is collected.
  const runs = (): boolean => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${String(inner)}/status`, "utf8"));
    } catch {
      return false;
    }
  };
  for (let wait = 0; runs() && wait < 100; wait++) await setTimeout(50);
  expect(runs()).toBe(false);
});
