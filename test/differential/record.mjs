// Records what an OpenCL driver computes for the kernels beside this file; crosslane has no part in it.
//
//   node test/differential/record.mjs "PoCL 3.1 on x86-64"
//
// Each kernel is built by the driver from its source as it is and run once by bench/peers/ocl_run.c on input.json and a
// buffer of zeros, whose bytes afterwards are the expectation.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const driver = process.argv[2];
if (!driver) throw new Error("usage: node test/differential/record.mjs NAME-AND-VERSION-OF-THE-DRIVER");
const scratch = mkdtempSync(join(tmpdir(), "record-"));
try {
  const host = join(scratch, "ocl_run");
  execFileSync("gcc", ["-O1", "-o", host, join(here, "..", "..", "bench", "peers", "ocl_run.c"), "-lOpenCL"]);
  const input = join(scratch, "input");
  const words = JSON.parse(readFileSync(join(here, "opencl", "input.json"), "utf8"));
  writeFileSync(
    input,
    Uint32Array.from(words, (w) => parseInt(w, 16)),
  );
  const kernels = {};
  for (const file of readdirSync(join(here, "opencl"))
    .filter((f) => f.endsWith(".cl"))
    .sort()) {
    const source = join(here, "opencl", file);
    const settings = readFileSync(source, "utf8").split("\n")[1];
    const setting = (name) => Number(new RegExp(`\\b${name} (\\d+)`).exec(settings)?.[1] ?? 0);
    const bytes = setting("words") * 4;
    const [zeros, output, job] = ["zeros", "output", "job"].map((n) => join(scratch, n));
    writeFileSync(zeros, new Uint8Array(bytes));
    const lines = [
      `source ${source}`,
      "entry k",
      `global ${setting("invocations")} 1 1`,
      `local ${setting("workgroup")} 1 1`,
      `buffer ${input} ${words.length * 4}`,
      `buffer ${zeros} ${bytes}`,
      `output 1 ${output}`,
      ...(setting("local") ? [`workgroup ${setting("local")}`] : []),
    ];
    writeFileSync(job, `${lines.join("\n")}\n`);
    execFileSync(host, [job]);
    kernels[file.replace(/\.cl$/, "")] = readFileSync(output).toString("base64");
  }
  writeFileSync(join(here, "opencl", "expected.json"), `${JSON.stringify({ driver, kernels }, undefined, 1)}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
