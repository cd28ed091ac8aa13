/**
 * How time grows with the size of the source: every shape of test/support/scaling-shapes.ts at n, 2n and 4n, each in a process of its own.
 * `node bench/scaling.mjs [--scale 0.2] [--seconds 60] [part of a name...]`. The test holds counted work (test/scaling.test.ts); this is for looking.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { table } from "./measure.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const asked = process.argv.slice(2);
const option = (name, missing) => {
  const at = asked.indexOf(name);
  return at < 0 ? missing : Number(asked.splice(at, 2)[1]);
};
const scale = option("--scale", 1);
const seconds = option("--seconds", 60);
const folder = mkdtempSync(join(tmpdir(), "scaling-"));
const shapes = join(folder, "shapes.mjs");
buildSync({
  entryPoints: [join(here, "../test/support/scaling-shapes.ts")],
  outfile: shapes,
  bundle: true,
  format: "esm",
});
const { scalingShapes } = await import(pathToFileURL(shapes));

const measure = (at) =>
  new Promise((done) => {
    const child = spawn(
      process.execPath,
      ["--max-old-space-size=2048", join(here, "scaling-child.mjs"), pathToFileURL(shapes).href, at, scale],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let out = "";
    let err = "";
    let late = false;
    child.stdout.on("data", (d) => (out += d));
    child.stderr.on("data", (d) => (err += d));
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, seconds * 1000);
    child.on("exit", (code) => {
      clearTimeout(timer);
      done({
        lines: out
          .trim()
          .split("\n")
          .filter((l) => l.endsWith("}"))
          .map((l) => JSON.parse(l)),
        ended: late
          ? `not done in ${seconds} s`
          : code === 0
            ? ""
            : /heap out of memory/.test(err)
              ? "out of memory"
              : (err
                  .trim()
                  .split("\n")
                  .find((l) => /Error/.test(l)) ?? err.slice(0, 200)),
      });
    });
  });

const rows = [];
for (const [at, shape] of scalingShapes.entries()) {
  const title = `${shape.name} (${shape.from})`;
  if (asked.length > 0 && !asked.some((a) => title.includes(a))) continue;
  const { lines, ended } = await measure(String(at));
  const stages = [...new Set(lines.filter((l) => l.stage).map((l) => l.stage))];
  const n = Math.round(shape.large * scale);
  const timeOf = (stage, factor) => lines.find((l) => l.stage === stage && l.n === factor * n);
  for (const stage of stages) {
    const [a, b, c] = [1, 2, 4].map((f) => timeOf(stage, f));
    const error = (c ?? b ?? a)?.error ?? "";
    rows.push([
      title,
      String(n),
      stage,
      ...[a, b, c].map((l) => l?.ms.toFixed(0)),
      b && c ? (c.ms / Math.max(b.ms, 1)).toFixed(1) : undefined,
      `${error.slice(0, 60)}${(c ?? b ?? a)?.unplaced ? " [no place]" : ""}`,
    ]);
    if ((b && c && c.ms > 150 && c.ms / b.ms > 2.7) || error) console.error(rows.at(-1).join(" | "));
  }
  if (ended) {
    rows.push([
      title,
      String(n),
      "-",
      undefined,
      undefined,
      undefined,
      undefined,
      `${ended} after ${JSON.stringify(lines.at(-1) ?? {})}`,
    ]);
    console.error(rows.at(-1).join(" | "));
  }
}
rmSync(folder, { recursive: true });
console.log(table(["shape", "n", "stage", "n ms", "2n ms", "4n ms", "4n/2n", "says"], rows));
