import { readFileSync } from "node:fs";
import { Command } from "commander";
import { codes, codeStages } from "../support/codes.js";
import { nearest } from "../support/did-you-mean.js";
import { fileOfPackage } from "./bug-report.js";
import type { CommandContext } from "./command.js";
import { UsageError } from "./usage-error.js";

export function explainCommand({ terminal }: CommandContext): Command {
  return new Command("explain")
    .description("Say what a diagnostic code stands for.")
    .argument("<code>", "e.g. XL2001")
    .action((asked: string) => {
      const code = asked.toUpperCase();
      if (!Object.hasOwn(codes, code)) {
        const near = nearest(code, Object.keys(codes));
        throw new UsageError(`there is no code '${asked}'`, near ? `did you mean '${near}'?` : undefined);
      }
      const { what, then } = codes[code as keyof typeof codes];
      const indent = " ".repeat(code.length + 2);
      terminal.out(`${code}: ${what}\n${indent}${then}\n${indent}(${codeStages[Number(code[2])]})\n${messageOf(code)}`);
    });
}

/** A message with the code, of docs/messages.md; nothing where no command brings it about. */
function messageOf(code: string): string {
  const page = fileOfPackage("docs/messages.md");
  if (page === undefined) return "";
  const [, shown] = new RegExp(`^## ${code}\n\n\`{3}text\n([^]*?)\n\`{3}$`, "m").exec(readFileSync(page, "utf8")) ?? [];
  return shown === undefined ? "" : `\nFor example:\n\n${shown}\n`;
}
