/** Macros that a host defines when it builds its kernels: a source that is read alone lacks them. */

/** A name as macros have it. */
export const looksLikeMacro = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name);

/** What the name stands for: a value, a type or a call. */
export type HostMacro = "value" | "type" | "call";

/** How a macro that the host defines is given. */
export function hostMacroHelp(name: string, stands: HostMacro): string {
  const given = stands === "call" ? `-D '${name}(x)=...'` : `-D ${name}=${stands}`;
  return `a macro that the host defines is given as ${given}`;
}

/** What `#error` may be about: macros that the conditions around it asked for and that nobody has defined. */
export function missingMacrosHelp(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, 3).map((name) => `'${name}'`);
  const are = names.length === 1 ? "is" : "are";
  return `${shown.join(", ")} ${are} not defined; a macro that the host defines is given as -D ${names[0]!}, or -D ${names[0]!}=value`;
}

/**
 * Of a statement that does not parse: the names in it that may be macros, and are declared nowhere in the text.
 * `start` and `end` are offsets of the error.
 */
export function undefinedMacros(
  text: string,
  start: number,
  end: number,
  known: (name: string) => boolean,
): readonly string[] {
  let from = start;
  while (from > 0 && start - from < 400 && !";{}".includes(text[from - 1]!)) from--;
  const names = text.slice(from, end).match(/\b[A-Za-z_]\w*\b/g) ?? [];
  const declared = (name: string): boolean =>
    new RegExp(`(?:\\w[\\s*&]+${name}\\s*[=;{\\[]|[{,]\\s*${name}\\s*[,=}])`).test(text);
  return [...new Set(names)].filter((name) => looksLikeMacro(name) && !known(name) && !declared(name)).slice(0, 3);
}
