/** The program of one kernel, which engines run and the `ts` target prints. */
import type { EntryPoint, Module, OpId } from "../ast/nodes.js";
import type { Expansion } from "../ops/row.js";
import { rows } from "../ops/table.js";
import { CannotRun } from "../regions/boundary-form.js";
import { buildProgram } from "../regions/build.js";
import type { Program } from "../regions/tree.js";
import type { Problem } from "../support/diagnostics.js";

export type ProgramOptions = Parameters<typeof buildProgram>[3] & {
  /** The capability table's where it is not given. */
  readonly expansionOf?: (op: OpId) => Expansion | undefined;
};

export function programOf(
  module: Module,
  entry: EntryPoint,
  { expansionOf = (op): Expansion | undefined => rows.get(op)?.expand, ...options }: ProgramOptions,
): { readonly program: Program } | { readonly problem: Problem } {
  try {
    return { program: buildProgram(module, entry, expansionOf, options) };
  } catch (e) {
    if (!(e instanceof CannotRun)) throw e;
    return { problem: { severity: "error", code: "XL5001", message: e.message, span: e.span } };
  }
}
