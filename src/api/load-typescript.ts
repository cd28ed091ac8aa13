/** The module of the `ts` target, loaded and run. */
import type { Module } from "../ast/nodes.js";
import type { BoundLaunch } from "../launch/bind.js";
import { codeFromText } from "../sim/code-from-text.js";
import * as runtime from "../sim/runtime.js";
import { runtimeNames } from "../sim/runtime.js";
import type { ExpandedSource } from "../support/expanded-source.js";
import type { Runner } from "../verify/verify.js";
import { printPrograms } from "./typescript.js";

type KernelFunction = (launch: object, args: Record<string, unknown>) => void;

/**
 * Loads the text without its types: the same text but for annotations, which mean nothing to a run. It holds names the
 * printer made, numbers, and comments; nothing else of the kernel's text.
 */
export function loadTypescript(module: Module, expanded: ExpandedSource): ReadonlyMap<string, KernelFunction> {
  const printed = printPrograms(module, false, expanded);
  if ("problems" in printed) throw new Error("a module that was printed with types is printed without them");
  const exported: string[] = [];
  const body = printed.text
    .replace(/^import \{([^}]*)\} from "crosslane\/runtime";$/m, "const {$1} = runtime;")
    .replace(/^export function (\w+)/gm, (_, name: string) => {
      exported.push(name);
      return `function ${name}`;
    });
  // The text is what the printer made: names of its own, numbers, nothing of the kernel's.
  const load = codeFromText(
    () =>
      // eslint-disable-next-line @typescript-eslint/no-implied-eval
      new Function("runtime", `"use strict";\n${body}\nreturn { ${exported.join(", ")} };`) as (
        names: object,
      ) => Record<string, KernelFunction>,
  );
  return new Map(Object.entries(load({ ...runtimeNames(), ...runtime })));
}

/** Runs the one kernel of a loaded module on launches. */
export function typescriptRunner(kernel: KernelFunction): Runner {
  return {
    run(launch: BoundLaunch, { subgroupSize, seed }) {
      // Arguments may be called anything, `__proto__` too.
      const args = Object.create(null) as Record<string, unknown>;
      const buffers = new Map<string, Uint8Array>();
      for (const argument of launch.arguments) {
        if (argument.kind === "workgroup") args[argument.path] = { byteLength: argument.byteLength };
        else if (argument.kind === "value") args[argument.path] = argument.bytes;
        else {
          // Written in place, so it gets its own.
          const own = argument.bytes.slice();
          args[argument.path] = own;
          buffers.set(argument.path, own);
        }
      }
      const { dimensions, gridSize, gridOffset, workgroupSize } = launch;
      // What it prints is no output that is compared, and no message for who asked.
      const print = (): void => undefined;
      kernel({ gridSize, dimensions, gridOffset, workgroupSize, subgroupSize, seed, print }, args);
      return Promise.resolve({ buffers, findings: [] });
    },
  };
}
