/** Attributes under the one name each is known by. */
import { nearest } from "../support/did-you-mean.js";
import type * as syntax from "../ast/syntax.js";
import { wordSet } from "../dialects/words.js";
import type { Sema } from "./context.js";

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

/** Attributes of GNU form that change what a declaration means, or that a kernel depends on. */
const meaningful =
  wordSet(`packed aligned mode vector_size ext_vector_type address_space opencl_global opencl_local opencl_private
  opencl_constant opencl_generic transparent_union cleanup alias ifunc weak weakref matrix_type enable_if diagnose_if
  device_kernel kernel noderef constructor destructor ms_struct gcc_struct swift_name nosvm disable_sanitizer_instrumentation
  reqd_work_group_size work_group_size_hint intel_reqd_sub_group_size asm_label naked returns_twice overloadable`);

/** Those that say nothing about what is computed: how it is compiled, and what compilers warn of. */
const advice =
  wordSet(`always_inline noinline unused maybe_unused used pure const convergent flatten noduplicate nodebug hot cold
  leaf nothrow malloc nonnull returns_nonnull warn_unused_result deprecated unavailable noalias noescape may_alias artificial
  optnone minsize no_builtin no_instrument_function nomerge visibility section gnu_inline fallthrough likely unlikely
  no_sanitize speculative_load_hardening type_visibility guarded_by annotate min_vector_width format assume_aligned alloc_size
  opencl_unroll_hint nocf_check disable_tail_calls not_tail_called`);

/**
 * Whether a declaration may have the attribute: vendors' own (clang ignores what it does not know) are noted, since they are kept
 * where the text stays in its language alone.
 */
export function isAllowed(s: Pick<Sema, "language" | "problems">, a: syntax.Attribute): boolean {
  const kind = kindOf(a);
  if (kind === "unknown") noteKept(s, a);
  return kind !== "meaningful";
}

/** One of a function, or of an entry point's buffer, that the language does not have: its compiler ignores it, and says so. */
export function isForeign(s: Sema, a: syntax.Attribute, of: "function" | "buffer" = "function"): boolean {
  const known = s.reading.declarations[`${of}Attributes`];
  if (a.form !== "cxx" || !known || known.has(plainName(a))) return false;
  // What says where a buffer is bound may be misspelled.
  if (of === "buffer" && nearest(a.name, known) !== undefined) return false;
  noteKept(s, a);
  return true;
}

export const noteKept = (s: Pick<Sema, "language" | "problems">, a: syntax.Attribute): void =>
  s.problems.warning("XL2010", `attribute '${a.name}' is kept in ${s.language.name} alone`, a.span);

export function kindOf(a: syntax.Attribute): "meaningful" | "advice" | "unknown" {
  const name = plainName(a);
  if (a.form !== "gnu" || meaningful.has(name)) return "meaningful";
  return advice.has(name) ? "advice" : "unknown";
}

export const notCarried = (s: Pick<Sema, "problems">, a: Pick<syntax.Attribute, "name" | "span">): void =>
  s.problems.warning("XL2010", `attribute '${a.name}' is not carried over`, a.span);

/** `[[host_name("k_f32")]]`: what the host calls a kernel by. */
export function hostName(attributes: readonly syntax.Attribute[]): string | undefined {
  const given = attributes.find((a) => plainName(a) === "host_name")?.arguments?.[0];
  return given?.kind === "literal" && given.form === "string" ? given.text.slice(1, -1) : undefined;
}
