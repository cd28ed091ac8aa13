/** `translate` of several files in threads: texts, messages, reports and codes are those of one thread, in the same order. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandFile } from "../build/real-command.js";
import { workspace } from "./command-line.js";

const good = "kernel void k(global int *a) { a[get_global_id(0)] = 3; }\n";
const files: Readonly<Record<string, string>> = {
  "a.cl": good,
  "b.cl": "kernel void k(global int *a) { a[get_global_id(0)] = nothing; }\n",
  "c.cl": '#include "half.h"\nkernel void k(global float *a) { a[get_global_id(0)] = HALF; }\n',
  "half.h": "#define HALF 0.5f\n",
  // Written over something of one's own: refused when it is its turn.
  "d.cl": good,
  // Doubles, which MSL has not.
  "e.cl": "kernel void k(global double *a) { a[get_global_id(0)] *= 2.0; }\n",
  "f.cl": '#include "missing.h"\n' + good,
};

async function commands() {
  const file = await commandFile();
  return (...flags: string[]) => {
    const folder = workspace();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const command = ["translate", "*.cl", "--to", "msl,glsl", "--out-dir", ".", "--workgroup-size", "4", ...flags];
    writeFileSync(join(folder, "d.metal"), "// mine\n");
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...command], {
      cwd: folder,
      encoding: "utf8",
    });
    const texts = readdirSync(folder)
      .filter((name) => !(name in files))
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    return { status, stdout, stderr, texts: Object.fromEntries(texts) as Readonly<Record<string, string>> };
  };
}

test("threads say and write what one thread does", async () => {
  const run = await commands();
  const alone = run("--jobs", "1");
  expect(alone.status).toBe(1);
  expect(alone.stderr).toMatch(/XL2001[^]*b\.cl:1[^]*XL8010[^]*d\.metal[^]*XL3003[^]*e\.cl[^]*XL0006[^]*missing\.h/);
  const written = Object.keys(alone.texts).sort();
  expect(written).toEqual(["a.comp", "a.metal", "c.comp", "c.metal", "d.comp", "d.metal", "e.comp"]);
  expect(alone.texts["c.metal"]).toContain("0.5f");
  expect(alone.texts["d.metal"]).toBe("// mine\n");
  expect(run("--jobs", "3")).toEqual(alone);
  expect(run("--jobs", "3", "--format", "json")).toEqual(run("--jobs", "1", "--format", "json"));
  expect(run("--jobs", "2", "--quiet")).toEqual(run("--jobs", "1", "--quiet"));
});

test("in threads, too, only what verifies is written, and depfiles name what was read", async () => {
  const run = await commands();
  const verified = run("--jobs", "3", "--verify");
  expect(verified).toEqual(run("--jobs", "1", "--verify"));
  expect(verified.texts["c.metal"]).toContain("0.5f");
  const { texts } = run("--jobs", "3", "--depfile", "all.d");
  expect(texts["all.d"]).toBe(run("--jobs", "1", "--depfile", "all.d").texts["all.d"]);
  expect(texts["all.d"]).toContain("half.h");
});
