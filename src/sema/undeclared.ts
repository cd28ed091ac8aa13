/** What is said of names that nothing declares. */
import { isBuiltin } from "../dialects/builtins.js";
import { builtinNames, isBuiltinName } from "../ops/index.js";
import type { Refusal } from "../ops/later.js";
import { nearest } from "../support/did-you-mean.js";
import { hostMacroHelp, looksLikeMacro } from "../support/host-macros.js";
import type { Span } from "../support/span.js";
import { errorOnce, type Sema } from "./context.js";
import { visibleNames } from "./scopes.js";

const endedLoop = (s: Sema, name: string): string =>
  `'${name}' ends with the loop it is declared in, although old ${s.language.name} compilers let it live on: declare it before the loop`;

/** A function of the language that is not translated, with the reason. */
export function refusedBuiltin(s: Sema, name: string, refusal: Refusal, span: Span): undefined {
  const { code, why, help } = refusal;
  return errorOnce(s, code, `'${name}' ${why}`, span, help === undefined ? {} : { help });
}

const isMacro = (name: string): boolean => name.length > 1 && looksLikeMacro(name);

/** The names that are near are looked for among all, and not for every one of thousands of problems. */
const mostHelped = 100;

export function undeclared(s: Sema, what: string, name: string, span: Span, more: Iterable<string> = []): undefined {
  const path = name.split("::");
  const last = path.pop()!;
  if ((path.length === 0 || (path.length === 1 && path[0] === s.reading.namespace)) && isBuiltin(s.form, last)) {
    if (what === "name" && isBuiltinName(s.dialect, last))
      return errorOnce(s, "XL2017", `'${name}' is a function, it must be called`, span);
    const heap = s.reading.declarations.heaps?.has(last);
    return errorOnce(
      s,
      "XL1900",
      heap
        ? `'${name}' is not supported: it is a heap of descriptors, in which the host puts what no declaration names, so that no launch can give it`
        : `'${name}' is not supported yet`,
      span,
      heap ? { help: "declare the buffers, or an array of them with its length: StructuredBuffer<float> b[4]" } : {},
    );
  }
  const near =
    s.problems.list.length < mostHelped
      ? nearest(name, [...visibleNames(s), ...(what === "function" ? builtinNames(s.dialect) : []), ...more])
      : undefined;
  // `ADD` is a macro that somebody else defines rather than a slip for `hadd`; `MAX` may be one for `max`.
  const isMeant = near !== undefined && (!isMacro(name) || isMacro(near) || near === name.toLowerCase());
  const help =
    (s.fn?.loopNames.has(name) ? endedLoop(s, name) : undefined) ??
    (isMeant ? `did you mean '${near}'?` : undefined) ??
    (looksLikeMacro(name) ? hostMacroHelp(name, what === "function" ? "call" : "value") : undefined);
  return errorOnce(s, "XL2001", `${what} '${name}' is not declared`, span, help ? { help } : {});
}
