import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  findProgram,
  type Judge as ProductJudge,
  type JudgedDialect,
  type JudgeOptions,
} from "../../../src/judges/judge.js";

/** A text that a real compiler is to accept. `name` only serves messages. */
export interface JudgedText<Options> {
  readonly name: string;
  readonly text: string;
  readonly options?: Options;
}

export interface Verdict {
  readonly ok: boolean;
  /** What the compiler said; empty or warnings only where `ok`. */
  readonly log: string;
}

export interface Judge<Options = object> {
  readonly id: JudgedDialect;
  /** The compiler in words, for messages. */
  readonly tool: string;
  /** The programs and files that are needed and not there; read at call time. */
  missing(): readonly string[];
  available(): Promise<boolean>;
  /** One verdict per text, in order. Throws where the tool itself does not work. */
  accept(texts: readonly JudgedText<Options>[]): Promise<Verdict[]>;
}

export { findProgram };

const judgesFolder = new URL("../../../src/judges/", import.meta.url);
const ownCode = readdirSync(judgesFolder).map((file) => fileURLToPath(new URL(file, judgesFolder)));

const here = dirname(fileURLToPath(import.meta.url));

export const repositoryRoot = join(here, "..", "..", "..");

/** Scratch folder of the judges: compiled helpers, the wine prefix, verdicts by content. Ignored by git. */
export function cacheFolder(...parts: string[]): string {
  const folder = join(repositoryRoot, ".cache", "judges", ...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function missingPrograms(names: readonly string[]): string[] {
  return names.filter((name) => findProgram(name) === undefined);
}

/** Changes when the program is replaced, without starting it. */
function fingerprint(path: string): string {
  const real = realpathSync(path);
  const { size, mtimeMs } = statSync(real);
  return `${real}:${size}:${mtimeMs}`;
}

/**
 * crosslane's own judge of a dialect, with a cache: a text that was judged before with the same tools and options is not
 * compiled again. `dependsOn`: files whose contents decide the verdict beside the text.
 */
export function makeJudge<D extends JudgedDialect>(
  judge: ProductJudge<D>,
  dependsOn: () => readonly string[],
  /** How many are judged at a time. */
  together = 2,
): Judge<JudgeOptions[D]> {
  const { dialect: id, tool } = judge;
  const missing = (): readonly string[] => judge.missing();
  async function accept(texts: readonly JudgedText<JudgeOptions[D]>[]): Promise<Verdict[]> {
    const absent = missing();
    if (absent.length > 0) throw new Error(`the ${id} judge needs ${absent.join(", ")}`);
    const folder = cacheFolder("verdicts", id);
    const base = createHash("sha256");
    for (const path of [...dependsOn(), ...ownCode]) base.update(fingerprint(path)).update("\0");
    const tools = base.digest("hex");
    const keys = texts.map(({ text, options }) =>
      createHash("sha256")
        .update(tools)
        .update(JSON.stringify(Object.entries(options ?? {}).sort()))
        .update("\0")
        .update(text)
        .digest("hex"),
    );
    const verdicts = keys.map((key) => readVerdict(join(folder, key)));
    const open = texts.flatMap((text, index) => (verdicts[index] === undefined ? [{ text, index }] : []));
    if (open.length > 0) {
      await mapTogether(open, together, async ({ text: { text, options }, index }) => {
        const { ok, log } = await judge.judge(text, options ?? {});
        verdicts[index] = { ok, log };
        writeVerdict(join(folder, keys[index]!), { ok, log });
      });
    }
    return verdicts.map((verdict) => verdict!);
  }
  return { id, tool, missing, available: () => Promise.resolve(missing().length === 0), accept };
}

function readVerdict(path: string): Verdict | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Verdict;
  } catch {
    return undefined;
  }
}

function writeVerdict(path: string, verdict: Verdict): void {
  // Renamed into place: test files run in several processes.
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(verdict));
  renameSync(temporary, path);
}

async function mapTogether<T>(items: readonly T[], together: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  async function lane(): Promise<void> {
    while (next < items.length) await work(items[next++]!);
  }
  await Promise.all(Array.from({ length: Math.min(together, items.length) }, lane));
}
