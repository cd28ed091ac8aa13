/** Attributes under the one name each is known by. */
import type * as syntax from "../ast/syntax.js";

/** HLSL does not heed the case of attributes; these are the spellings the rest looks for. */
const hlslNames: readonly string[] = ["WaveSize", "RootSignature"];

/** `__x__` of GNU attributes is `x`; HLSL's `[NumThreads(...)]` is `numthreads`. */
export function plainName(a: syntax.Attribute): string {
  switch (a.form) {
    case "gnu":
      return /^__(.+)__$/.exec(a.name)?.[1] ?? a.name;
    case "brackets":
      return hlslNames.find((n) => n.toLowerCase() === a.name.toLowerCase()) ?? a.name.toLowerCase();
    case "cxx":
    case "semantic":
      return a.name;
  }
}

/** `[[host_name("k_f32")]]`: what the host calls a kernel by. */
export function hostName(attributes: readonly syntax.Attribute[]): string | undefined {
  const given = attributes.find((a) => plainName(a) === "host_name")?.arguments?.[0];
  return given?.kind === "literal" && given.form === "string" ? given.text.slice(1, -1) : undefined;
}
