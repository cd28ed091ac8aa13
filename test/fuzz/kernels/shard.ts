/**
 * Generated kernels without compilers and drivers, for machines with Node and nothing else: scripts/fuzz-kernels.mjs starts
 * one of these a core. Takes seeds as messages, answers each with what came of it.
 */
import { parentPort } from "node:worker_threads";
import { checkKernel, generatedKernel } from "./check.js";
import { failureOf } from "./report.js";

parentPort?.on("message", (seed: number) => {
  void (async () => {
    try {
      const kernel = generatedKernel(seed);
      const tag = { seed, kind: kernel.kind.name, from: kernel.from };
      const { wrong, refused, translations } = await checkKernel(kernel);
      const failure = wrong[0] ? await failureOf(kernel, wrong[0]) : undefined;
      parentPort!.postMessage({ ...tag, refused, translations, ...(failure ? { failure } : {}) });
    } catch (error) {
      const what = `throws: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
      parentPort!.postMessage({ seed, refused: [], translations: 0, failure: { seed, what, text: "" } });
    }
  })();
});
