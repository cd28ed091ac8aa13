import { copyFileSync, existsSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cacheFolder, findProgram, makeJudge, missingPrograms, repositoryRoot } from "./judge.js";
import { run, withScratch } from "./run.js";

export interface HlslOptions {
  /** Entry point; without it every function that has `[numthreads]` is compiled. */
  readonly entry?: string;
  /** The default is that of the default profile. */
  readonly profile?: `cs_6_${number}`;
  /** 16-bit types of their true width (`-enable-16bit-types`); needs `cs_6_2`. */
  readonly native16Bit?: boolean;
}

const library = join(repositoryRoot, "node_modules", "webgpu", "dist", "win32-x64", "dxcompiler.dll");
const driver = fileURLToPath(new URL("dxc_check.c", import.meta.url));
const mingw = "x86_64-w64-mingw32-gcc";

export const hlslJudge = makeJudge<HlslOptions>({
  id: "hlsl",
  tool: "DXC under wine",
  missing: () => [
    ...missingPrograms(["wine", mingw]),
    ...(existsSync(library) ? [] : ["dxcompiler.dll of the npm package webgpu"]),
  ],
  dependsOn: () => [library, driver, findProgram("wine")!, fileURLToPath(import.meta.url)],
  judge: (texts) =>
    withScratch(async (folder) => {
      // One process for all: starting wine costs more than compiling.
      const requests: { readonly text: number; readonly entry: string }[] = [];
      const lines: string[] = [];
      texts.forEach(({ text, options }, index) => {
        const path = join(folder, `${index}.hlsl`);
        writeFileSync(path, text);
        const entries = options?.entry === undefined ? hlslEntries(text) : [options.entry];
        for (const entry of entries) {
          requests.push({ text: index, entry });
          const extra = options?.native16Bit === true ? "\t-enable-16bit-types" : "";
          lines.push(`${options?.profile ?? "cs_6_6"}\t${entry}\t${path}${extra}\n`);
        }
      });
      const answers = lines.length === 0 ? [] : await ask(lines);
      return texts.map((_, index) => {
        const mine = requests.flatMap((request, i) =>
          request.text === index ? [{ ...request, answer: answers[i]! }] : [],
        );
        if (mine.length === 0) return { ok: false, log: "no function has [numthreads]" };
        const bad = mine.filter(({ answer }) => answer !== "ok");
        return {
          ok: bad.length === 0,
          log: bad.map(({ entry, answer }) => `${entry}: ${answer}`).join("\n"),
        };
      });
    }),
});

async function ask(lines: readonly string[]): Promise<string[]> {
  const home = cacheFolder("dxc");
  await build(home);
  const answers: string[] = [];
  // Wine now and then fails to start while an earlier server of the same prefix is going down.
  for (let idle = 0; answers.length < lines.length;) {
    const finished = await run("wine", ["dxc_check.exe"], {
      cwd: home,
      input: lines.slice(answers.length).join(""),
      env: {
        WINEPREFIX: cacheFolder("wine"),
        WINEDEBUG: "-all",
        // No Gecko, no Mono, no menus: the first start would otherwise look for them.
        WINEDLLOVERRIDES: "mscoree,mshtml,winemenubuilder.exe=",
      },
    });
    const fresh = finished.stdout
      .split(/\r?\n/)
      .filter((line) => line === "ok" || line.startsWith("error: "));
    answers.push(...fresh);
    if (fresh.length > 0) continue;
    if (++idle === 3) {
      const request = lines[answers.length]!.trim();
      throw new Error(
        `DXC gives no answer (status ${finished.status}) for ${request}: ${finished.stderr}${finished.stdout}`,
      );
    }
    await setTimeout(2000 * idle);
  }
  return answers;
}

async function build(home: string): Promise<void> {
  const program = join(home, "dxc_check.exe");
  const beside = join(home, "dxcompiler.dll");
  if (!isFresh(program, driver)) {
    const made = join(home, `dxc_check.${process.pid}.exe`);
    const compiled = await run(mingw, ["-O2", "-o", made, driver, "-lole32"]);
    if (compiled.status !== 0) throw new Error(`dxc_check.c does not build: ${compiled.stderr}`);
    renameSync(made, program);
  }
  if (!isFresh(beside, library)) {
    const made = join(home, `dxcompiler.${process.pid}.dll`);
    copyFileSync(library, made);
    renameSync(made, beside);
  }
}

function isFresh(made: string, from: string): boolean {
  return existsSync(made) && statSync(made).mtimeMs >= statSync(from).mtimeMs;
}

/** Names of the functions that carry `[numthreads(...)]`, in any case, whatever other attributes stand around it. */
export function hlslEntries(text: string): string[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
  const attribute =
    /\[\s*numthreads\s*\([^)]*\)\s*\]\s*(?:\[[^\]]*\]\s*)*[A-Za-z_]\w*\s+([A-Za-z_]\w*)\s*\(/gi;
  return [...plain.matchAll(attribute)].map((match) => match[1]!);
}
