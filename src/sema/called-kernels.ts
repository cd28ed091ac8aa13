/** Kernels that are called: as a function of its own each, with the parameters as they are written (OpenCL C 3.0 6.9). */
import { plainName } from "./attributes.js";
import { type FunctionInfo, type Sema } from "./context.js";
import { inScopeOf } from "./scopes.js";
import type { declaredSignature } from "./functions.js";

/** The function that a call of a kernel means. Its body is read where it is called first. */
export function calledKernel(
  s: Sema,
  entry: FunctionInfo,
  signatureOf: typeof declaredSignature,
): FunctionInfo | undefined {
  if (!entry.kernel || entry.called) return entry.called;
  const { words, attributes } = s.reading.entryPoint;
  const own = (a: Parameters<typeof plainName>[0]): boolean =>
    !words.has(plainName(a)) && !attributes.has(plainName(a));
  const declaration = {
    ...entry.kernel,
    attributes: entry.kernel.attributes.filter(own),
    trailingAttributes: entry.kernel.trailingAttributes.filter(own),
  };
  const signature = inScopeOf(s, s.globalScope, () => signatureOf(s, declaration));
  if (!signature) return undefined;
  const info: FunctionInfo = {
    id: s.functions.length,
    name: entry.name,
    ...signature,
    span: entry.span,
    defined: false,
    calls: new Map(),
    readFrom: entry,
    later: {
      declaration,
      outer: declaration,
      scope: s.globalScope,
      shown: `the kernel '${entry.name}', called as a function`,
      visibleBefore: entry.span.start,
    },
  };
  s.functions.push(info);
  entry.called = info;
  s.templates.undo.push(() => {
    delete entry.called;
  });
  return info;
}
