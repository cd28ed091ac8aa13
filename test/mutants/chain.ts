/** A text through the whole chain: what is wrong with the answer, apart from a diagnostic. */
import { compile } from "../../src/api/compile.js";
import { translateTo } from "../../src/api/translate.js";
import { targetOptions } from "../../src/build/translate-input.js";
import { twoWayDialects, targets } from "../../src/dialects/ids.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import type { LaunchFile } from "../../src/launch/launch-file.js";

export interface ChainResult {
  readonly checked: boolean;
  readonly translations: number;
  /** Exceptions, texts that cannot be read again, answers that took too long. */
  readonly wrong: readonly string[];
}

export async function throughTheChain(
  text: string,
  from: TwoWayDialect,
  launch: LaunchFile | undefined,
): Promise<ChainResult> {
  const wrong: string[] = [];
  let translations = 0;
  const timed = async <T>(what: string, body: () => Promise<T>): Promise<T | undefined> => {
    const start = process.cpuUsage();
    try {
      return await body();
    } catch (error) {
      wrong.push(`${what} throws: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return undefined;
    } finally {
      const { user, system } = process.cpuUsage(start);
      if (user + system > 5e6) wrong.push(`${what} takes ${String((user + system) / 1e6)} s`);
    }
  };
  const compilation = await timed("compiling", () => compile(text, { from }));
  if (!compilation?.module) return { checked: false, translations, wrong };
  for (const to of targets) {
    await timed(to, async () => {
      const flags = { local: {}, strict: false, ...(launch ? {} : { workgroupSize: [8, 1, 1] as const }) };
      const options = targetOptions(flags, to, launch, undefined, compilation);
      const { output } = await translateTo(compilation, to, options);
      if (!output) return;
      translations++;
      if (!(twoWayDialects as readonly string[]).includes(to)) return;
      const again = await compile(output.code, { from: to as TwoWayDialect });
      if (!again.module)
        wrong.push(
          `${to} cannot be read again: ${again.diagnostics.map((d) => `${d.code} ${String(d.location?.line)}: ${d.message}`).join("; ")}`,
        );
    });
  }
  return { checked: true, translations, wrong };
}
