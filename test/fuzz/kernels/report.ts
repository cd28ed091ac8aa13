/** Failures of generated kernels as the suite and the shards tell them: made smaller first. */
import type { FuzzFailure } from "../suite.js";
import { checkKernel, linesOf, textOf, type GeneratedKernel, type WrongKernel } from "./check.js";
import { shrink } from "./shrink.js";

export async function failureOf(kernel: GeneratedKernel, first: WrongKernel): Promise<FuzzFailure> {
  const { question } = first;
  const values = first.what.includes(" of buffer ");
  let { made } = first;
  const without = await shrink(linesOf(kernel), async (lines) => {
    const { wrong } = await checkKernel({ ...kernel, without: lines }, question);
    const same = wrong.find((w) => w.question === question && w.what.includes(" of buffer ") === values);
    if (same) made = same.made;
    return same !== undefined;
  });
  const text = textOf({ ...kernel, without });
  return {
    seed: kernel.seed,
    what: `${kernel.kind.name}, ${kernel.from}: ${first.what}`,
    text: made === undefined ? text : `${text}\n// made of it:\n${made}`,
  };
}
