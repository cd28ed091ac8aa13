import { Command } from "commander";
import { codes } from "../support/codes.js";
import { nearest } from "../support/did-you-mean.js";
import type { CommandContext } from "./command.js";
import { UsageError } from "./usage-error.js";

/** What the thousands digit of a code says. */
const stages = [
  "found by the preprocessor: directives, macros, includes",
  "found while parsing",
  "found while names and types were checked",
  "the target or its profile cannot do it; `crosslane capabilities` shows what it can",
  "found while the kernel was fitted to the target",
  "found by the simulator while the kernel ran",
  "about launch files and verification",
  "about devices",
  "about the command line and files",
  "a bug of crosslane itself",
];

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
      const sentence = codes[code as keyof typeof codes];
      terminal.out(`${code}: ${sentence}\n${" ".repeat(code.length)}  (${stages[Number(code[2])]})\n`);
    });
}
