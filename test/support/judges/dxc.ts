import { copyFileSync, existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cacheFolder, findProgram, missingPrograms, repositoryRoot } from "./judge.js";
import { runProgram } from "../../../src/judges/run-program.js";

/** One file for DXC. */
export interface DxcRequest {
  readonly profile: string;
  readonly entry: string;
  readonly path: string;
  readonly args?: readonly string[];
  /** Takes the DXIL container, unsigned; its disassembly where the name ends in `.ll`. */
  readonly output?: string;
}

const library = join(repositoryRoot, "node_modules", "webgpu", "dist", "win32-x64", "dxcompiler.dll");
const driver = fileURLToPath(new URL("dxc_check.c", import.meta.url));
const mingw = "x86_64-w64-mingw32-gcc";

export function missingForDxc(): string[] {
  return [
    ...missingPrograms(["wine", mingw]),
    ...(existsSync(library) ? [] : ["dxcompiler.dll of the npm package webgpu"]),
  ];
}

/** The files that decide what DXC answers. */
export function dxcDependsOn(): string[] {
  return [library, driver, findProgram("wine")!, fileURLToPath(import.meta.url)];
}

class NoAnswer extends Error {
  constructor(
    message: string,
    /** Of the requests before the one without. */
    readonly answers: readonly string[],
  ) {
    super(message);
  }
}

/** As `askDxc`, and "fault" for what ends the compiler. */
export async function askDxcPastFaults(requests: readonly DxcRequest[]): Promise<string[]> {
  const answers: string[] = [];
  while (answers.length < requests.length) {
    try {
      answers.push(...(await askDxc(requests.slice(answers.length))));
    } catch (fault) {
      if (!(fault instanceof NoAnswer)) throw fault;
      answers.push(...fault.answers, "fault");
    }
  }
  return answers;
}

/** `ok` or `error: ...` for each request, in order; one process for all, since starting wine costs more than compiling. */
export async function askDxc(requests: readonly DxcRequest[]): Promise<string[]> {
  if (requests.length === 0) return [];
  const home = cacheFolder("dxc");
  await build(home);
  const lines = requests.map(
    ({ profile, entry, path, args, output }) =>
      `${[profile, entry, path, (args ?? []).join(" "), output ?? ""].join("\t")}\n`,
  );
  const answers: string[] = [];
  // Wine now and then fails to start while an earlier server of the same prefix is going down.
  for (let idle = 0; answers.length < lines.length;) {
    const finished = await runProgram("wine", ["dxc_check.exe"], home, {
      // Of a text that DXC never ends with, those before it are answered; it is then the first, and named.
      mostTime: 150_000 + 1000 * (lines.length - answers.length),
      input: lines.slice(answers.length).join(""),
      env: {
        WINEPREFIX: cacheFolder("wine"),
        WINEDEBUG: "-all",
        // No Gecko, no Mono, no menus: the first start would otherwise look for them.
        WINEDLLOVERRIDES: "mscoree,mshtml,winemenubuilder.exe=",
      },
    });
    const fresh = finished.stdout.split(/\r?\n/).filter((line) => line === "ok" || line.startsWith("error: "));
    answers.push(...fresh);
    if (fresh.length > 0) continue;
    if (++idle === 3 || finished.status === null) {
      const request = lines[answers.length]!.trim();
      throw new NoAnswer(
        `DXC gives no answer (status ${finished.status}) for ${request}: ${finished.stderr}${finished.stdout}`,
        answers,
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
    const compiled = await runProgram(mingw, ["-O2", "-o", made, driver, "-lole32"], home);
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
