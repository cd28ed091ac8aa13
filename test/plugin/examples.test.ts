import { execFile, spawn } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { createServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askedBy } from "../../src/plugin/plugin.js";
import { packedPackage } from "../support/packed-package.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const run = promisify(execFile);

/** What the example's `npm run <bundler>` starts; webpack without its command, which is a package of its own. */
const builds: Readonly<Record<string, readonly string[]>> = {
  vite: [join(root, "node_modules/vite/bin/vite.js"), "build"],
  rollup: [join(root, "node_modules/rollup/dist/bin/rollup"), "-c"],
  esbuild: ["esbuild.mjs"],
  webpack: ["run-webpack.mjs"],
};

const runWebpack = `
import webpack from "webpack";
import config from "./webpack.config.mjs";
webpack(config, (error, stats) => {
  if (error || stats.hasErrors()) {
    console.error(error ?? stats.toString({ all: false, errors: true }));
    process.exitCode = 1;
  }
});
`;

/** Keep building until they are ended. */
const watches: Readonly<Record<string, string>> = {
  rollup: `
    import { watch } from "rollup";
    import config from "./rollup.config.mjs";
    watch(config).on("event", (e) => e.result?.close());`,
  esbuild: `
    import { crosslane } from "crosslane/esbuild";
    import { context } from "esbuild";
    const building = await context({
      entryPoints: ["src/main.js"], outdir: "dist", bundle: true, format: "esm", plugins: [crosslane()], logLevel: "silent",
    });
    await building.watch();`,
  webpack: `
    import webpack from "webpack";
    import config from "./webpack.config.mjs";
    webpack({ ...config, mode: "development", devtool: false }).watch({}, () => {});`,
};

describe("bundlers", () => {
  let packed: Awaited<ReturnType<typeof packedPackage>>;
  beforeAll(async () => {
    packed = await packedPackage();
  }, 120_000);
  afterAll(() => packed?.remove());

  const example = (bundler: string, name: string): string => {
    const folder = join(packed.folder, name);
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(root, "examples"), folder, { recursive: true });
    if (bundler === "webpack") writeFileSync(join(folder, "run-webpack.mjs"), runWebpack);
    return folder;
  };
  const build = (bundler: string, folder: string): ReturnType<typeof run> =>
    run(process.execPath, [...builds[bundler]!], { cwd: folder, env: { ...process.env, NO_COLOR: "1" } });

  test.each(Object.keys(builds))("%s builds the example, which runs", async (bundler) => {
    const folder = example(bundler, `example-${bundler}`);
    await build(bundler, folder);
    const { stdout } = await run(process.execPath, [join(folder, "dist/main.js")]);
    const result = JSON.parse(stdout as string) as { out: number[]; slots: unknown; msl: string };
    // 3 * (1 + 2 + 3 + 4) and 3 * (5 + 6 + 7 + 8)
    expect(result.out).toEqual([30, 78]);
    expect(result.slots).toEqual([
      ["x", 0],
      ["out", 1],
    ]);
    expect(result.msl).toMatch(/kernel void sums\(/);
    expect(result.msl).toContain("threadgroup_barrier(mem_flags::mem_threadgroup)");
  });

  test.each(Object.keys(builds))("%s shows what is wrong with its place and a code frame", async (bundler) => {
    const folder = example(bundler, `wrong-${bundler}`);
    writeFileSync(join(folder, "src/scale.h"), "#define SCALE missing\n");
    const failed = await build(bundler, folder).then(
      () => undefined,
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );
    expect(failed).toMatch(/error\[XL\d{4}\]: .*missing/);
    expect(failed).toMatch(/--> src[/\\](scale\.h:1:15|sums\.cl:8:13)/);
    expect(failed).toMatch(/\d \| .*(missing|SCALE)[^]*\^+/);
  });

  test.each(Object.keys(watches))(
    "%s rebuilds when a file changes that a kernel includes, after errors too",
    { timeout: 60_000 },
    async (bundler) => {
      const folder = example(bundler, `watched-${bundler}`);
      writeFileSync(join(folder, "watch.mjs"), watches[bundler]!);
      const child = spawn(process.execPath, ["watch.mjs"], { cwd: folder, stdio: "ignore" });
      try {
        const written = (): string => {
          try {
            return readFileSync(join(folder, "dist/main.js"), "utf8");
          } catch {
            return "";
          }
        };
        const include = join(folder, "src/scale.h");
        const options = { timeout: 20_000, interval: 100 };
        await expect.poll(written, options).toContain("SCALE 3.0f");
        // Their watchers tell times apart by more than a moment.
        const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000));
        await pause();
        writeFileSync(include, "#define SCALE 5.0f\n");
        await expect.poll(written, options).toContain("SCALE 5.0f");
        await pause();
        writeFileSync(include, "#define SCALE missing\n");
        await pause();
        writeFileSync(include, "#define SCALE 7.0f\n");
        await expect.poll(written, options).toContain("SCALE 7.0f");
      } finally {
        child.kill();
      }
    },
  );

  test("a source map of the running kernel leads to the kernel", async () => {
    const folder = example("rollup", "mapped");
    await build("rollup", folder);
    const text = readFileSync(join(folder, "dist/main.js"), "utf8").split("\n");
    const line = text.findIndex((l) => l.includes("// 8: tile[i] = SCALE * x[get_global_id(0)];"));
    expect(line).toBeGreaterThan(0);
    const map = new TraceMap(readFileSync(join(folder, "dist/main.js.map"), "utf8"));
    const at = originalPositionFor(map, { line: line + 1, column: text[line]!.search(/\S/) });
    expect([at.source, at.line]).toEqual(["../src/sums.cl", 8]);
  });

  test("Vite's server: an include is watched, errors have a place, and what is mended is served", async () => {
    const folder = example("vite", "served");
    const server = await createServer({ root: folder, logLevel: "silent", server: { middlewareMode: true } });
    try {
      const ask = async (): Promise<string> => (await server.transformRequest("/src/sums.cl?glsl"))?.code ?? "";
      // As a page does: what imports it first.
      await server.transformRequest("/src/main.js");
      expect(await ask()).toContain("3.0");
      const include = join(folder, "src/scale.h");
      const save = async (text: string): Promise<void> => {
        const seen = new Promise<void>((resolve) => server.watcher.once("change", () => resolve()));
        writeFileSync(include, text);
        await seen;
      };
      await new Promise<void>((resolve) => setTimeout(resolve, 300));
      await save("#define SCALE 5.0f\n");
      await expect.poll(ask, { timeout: 10_000 }).toContain("5.0");
      await save("#define SCALE missing\n");
      await expect
        .poll(
          () =>
            ask().then(
              () => undefined,
              (e: { loc?: { line: number }; id?: string }) => e.loc?.line,
            ),
          {
            timeout: 10_000,
          },
        )
        .toBe(8);
      await save("#define SCALE 7.0f\n");
      await expect.poll(ask, { timeout: 10_000 }).toContain("7.0");
    } finally {
      await server.close();
    }
  });

  test("imports that are none of ours are left alone, and misspelt ones are not", () => {
    expect(askedBy("/a/x.cl")).toBeUndefined();
    expect(askedBy("/a/x.cl?raw")).toBeUndefined();
    expect(askedBy("/a/x.js?msl")).toBeUndefined();
    expect(askedBy("/a/x.cl?import&msl&t=17")).toEqual({ path: "/a/x.cl", dialect: "opencl", target: "msl" });
    expect(askedBy("/a/x.hlsl?ts&entry=main")).toEqual({
      path: "/a/x.hlsl",
      dialect: "hlsl",
      target: "ts",
      entry: "main",
    });
    expect(() => askedBy("/a/x.cl?msl&profil=msl2.0")).toThrow("there is no 'profil'");
  });
});
