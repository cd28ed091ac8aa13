/** Arrays of buffers that say no length: how many there are is the host's to say (`--array-length`, a launch's arguments). */
import type { Sema, SemaOptions } from "./context.js";

export function givenLength(s: Sema, name: string): number | undefined {
  (s.openArrays ??= new Set()).add(name);
  const of = (lengths: SemaOptions["arrayLength"]): number | undefined =>
    lengths && Object.hasOwn(lengths, name) ? lengths[name] : undefined;
  return of(s.options.arrayLength) ?? of(s.options.listedArrays);
}
