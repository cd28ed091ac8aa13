/**
 * Joins the suites that run on devices into one module, dist/test/device/suites.mjs: what they need of the tests inside,
 * crosslane itself from dist/src. For machines with what is built and nothing else.
 */
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function bundleSuites() {
  await build({
    entryPoints: [resolve(root, "test/device/suites.ts")],
    outfile: resolve(root, "dist/test/device/suites.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    define: { "import.meta.url": "__url" },
    // The module lies one folder deeper than its sources.
    banner: { js: 'const __url = new URL("../../../test/device/suites.mjs", import.meta.url).href;' },
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleSuites();
