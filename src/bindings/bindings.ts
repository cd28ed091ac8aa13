/** Modules and headers for host code, written from the interface of a source's kernels. */
import type { Compilation } from "../api/compile.js";
import type { SourceOptions, TargetOptions } from "../api/types.js";
import type { Target } from "../dialects/ids.js";
import { printC } from "./c.js";
import { hostInterface } from "./host-interface.js";
import type { HostInterface } from "./host-interface.js";
import type { BindingLanguage } from "./languages.js";
import { printTs } from "./typescript.js";

const printers: Readonly<Record<BindingLanguage, (host: HostInterface) => string>> = { ts: printTs, c: printC };

export { bindingLanguages, type BindingLanguage } from "./languages.js";

/**
 * The text of a module or header. Sizes that the source leaves to the launch change nothing in it. Throws for a source with
 * errors, whose diagnostics say why.
 */
export async function bindings(
  compilation: Compilation,
  language: BindingLanguage,
  options: TargetOptions & Pick<SourceOptions, "entry"> & { readonly targets?: readonly Target[] } = {},
): Promise<string> {
  return printers[language](await hostInterface(compilation, options));
}
