import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProgram } from "../../../src/judges/judge.js";

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
  readonly id: "glsl" | "opencl" | "hlsl" | "msl";
  /** The compiler in words, for messages. */
  readonly tool: string;
  /** The programs and files that are needed and not there; read at call time. */
  missing(): readonly string[];
  available(): Promise<boolean>;
  /** One verdict per text, in order. Throws where the tool itself does not work. */
  accept(texts: readonly JudgedText<Options>[]): Promise<Verdict[]>;
}

export { findProgram };

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

interface JudgeParts<Options> {
  readonly id: Judge["id"];
  readonly tool: string;
  missing(): readonly string[];
  /** Files whose contents decide the verdict beside the text: programs, and our own checking code. */
  dependsOn(): readonly string[];
  judge(texts: readonly JudgedText<Options>[]): Promise<Verdict[]>;
}

/** Adds the cache: a text that was judged before with the same tools and options is not compiled again. */
export function makeJudge<Options extends object>(parts: JudgeParts<Options>): Judge<Options> {
  const { id, tool, missing } = parts;
  async function accept(texts: readonly JudgedText<Options>[]): Promise<Verdict[]> {
    const absent = missing();
    if (absent.length > 0) throw new Error(`the ${id} judge needs ${absent.join(", ")}`);
    const folder = cacheFolder("verdicts", id);
    const base = createHash("sha256");
    for (const path of parts.dependsOn()) base.update(fingerprint(path)).update("\0");
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
      const fresh = await parts.judge(open.map(({ text }) => text));
      open.forEach(({ index }, i) => {
        const verdict = fresh[i];
        if (verdict === undefined)
          throw new Error(`the ${id} judge gave ${fresh.length} verdicts for ${open.length} texts`);
        verdicts[index] = verdict;
        writeVerdict(join(folder, keys[index]!), verdict);
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
