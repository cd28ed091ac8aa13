import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../support/judges/judge.js";

/**
 * Brings the compiled `src/device` up to date, which the process for a driver is started from: as the build would make
 * it, without the time of a build. At run time it imports nothing else of the project.
 *
 * Several test files do this at once, and processes for drivers start meanwhile: a file is replaced whole, and only when
 * it says something else.
 */
export function buildHost(): void {
  const from = join(repositoryRoot, "src", "device");
  for (const file of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(from, file), "utf8"), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    });
    const to = join(repositoryRoot, "dist", "src", "device", file.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(to), { recursive: true });
    if (existsSync(to) && readFileSync(to, "utf8") === outputText) continue;
    const whole = `${to}.${process.pid}`;
    writeFileSync(whole, outputText);
    renameSync(whole, to);
  }
}
