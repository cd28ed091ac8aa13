/** One emitted text before its target's real compiler: `yes`, or what the compiler said. */
import { judgeable, judgeOutputs } from "../test/support/judges/outputs.js";
import type { JudgedDialect } from "../test/support/judges/outputs.js";

export async function judgeTexts(dialect: JudgedDialect, text: string): Promise<string> {
  const [verdict] = await judgeOutputs([judgeable(dialect, `survey.${dialect}`, text)]);
  return verdict?.ok ? "yes" : `no: ${verdict?.log ?? "no verdict"}`;
}
