import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { build as esbuild } from "esbuild";
import { rollup } from "rollup";
import { build as vite } from "vite";
import webpack from "webpack";

/** Bundles `folder/app.js` for browsers as a user of the bundler would, into `folder/out/app.js` and its chunks. */
export type Bundler = (folder: string) => Promise<void>;

export const bundlers: Readonly<Record<string, Bundler>> = {
  async esbuild(folder) {
    await esbuild({
      entryPoints: [join(folder, "app.js")],
      outdir: join(folder, "out"),
      bundle: true,
      splitting: true,
      format: "esm",
      minify: true,
      logLevel: "error",
    });
  },
  async rollup(folder) {
    const bundle = await rollup({ input: join(folder, "app.js"), plugins: [nodeResolve({ browser: true })] });
    await bundle.write({ dir: join(folder, "out"), format: "es" });
    await bundle.close();
  },
  async vite(folder) {
    writeFileSync(join(folder, "index.html"), `<script type="module" src="./app.js"></script>`);
    const output = { entryFileNames: "app.js" };
    await vite({
      root: folder,
      configFile: false,
      logLevel: "error",
      build: { outDir: "out", modulePreload: { polyfill: false }, rollupOptions: { output } },
    });
  },
  async webpack(folder) {
    mkdirSync(join(folder, "out"), { recursive: true });
    await runWebpack({
      context: folder,
      mode: "production",
      entry: "./app.js",
      output: { path: join(folder, "out"), filename: "app.js", publicPath: "auto" },
      performance: false,
      // The package is minified, and webpack's own minifier takes a minute for it.
      optimization: { minimize: false },
    });
  },
};

/** Rejects with webpack's own words where something is wrong. */
export function runWebpack(options: webpack.Configuration): Promise<webpack.Stats> {
  return new Promise((resolve, reject) => {
    const compiler = webpack(options);
    if (!compiler) return reject(new Error("webpack made no compiler"));
    compiler.run((error, stats) => {
      compiler.close(() => {
        if (error) return reject(error);
        if (!stats || stats.hasErrors()) return reject(new Error(stats?.toString({ all: false, errors: true })));
        resolve(stats);
      });
    });
  });
}
