/**
 * Joins the suites that run on devices into one module, dist/test/device/suites.mjs, and the generated kernels into
 * dist/test/fuzz/kernels.mjs: what they need of the tests inside, crosslane itself from dist/src. For machines with what is built and nothing else.
 */
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

export const bundleSuites = () => bundle("test/device/suites");
/** Generated kernels, for a worker (scripts/fuzz-kernels.mjs). */
export const bundleShard = () => bundle("test/fuzz/kernels/shard", "test/fuzz/kernels");

async function bundle(source, built = source) {
  await build({
    entryPoints: [resolve(root, `${source}.ts`)],
    outfile: resolve(root, `dist/${built}.mjs`),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    define: { "import.meta.url": "__url" },
    // The module lies one folder deeper than its sources.
    banner: { js: `const __url = new URL("../../../${built}.mjs", import.meta.url).href;` },
    plugins: [
      {
        name: "crosslane as built",
        setup({ onResolve }) {
          onResolve({ filter: /\/(src|emitters)\// }, ({ path, resolveDir }) => ({
            path: `../../${relative(root, resolve(resolveDir, path))}`,
            external: true,
          }));
        },
      },
    ],
    logLevel: "warning",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await Promise.all([bundleSuites(), bundleShard()]);
