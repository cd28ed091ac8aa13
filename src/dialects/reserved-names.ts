/**
 * Names that a program of the dialect may not use, by what they are for. What a dialect reads as something else than a
 * name stands in `words.ts`; here is what it reserves beyond that, what is declared before the first line, and the macros
 * its compiler defines. `test/names` holds these tables against the compilers, name by name and role by role.
 */

/**
 * What a name is for. `variable`, `enumerator`, `block`: at file scope; `buffer`: a resource, wherever the target declares
 * it; `local`: parameters too.
 */
export type NameRole =
  "macro" | "variable" | "buffer" | "enumerator" | "block" | "function" | "entry" | "type" | "local" | "member";

export interface Reserved {
  /** Free in no role: keywords, words kept for later, macros of the compiler. */
  readonly words: ReadonlySet<string>;
  /** Names of this form are the implementation's; members may have those of which no macro is made. */
  readonly form: RegExp;
  readonly memberForm?: RegExp;
  /** Declared before the first line: functions, and constants, types and namespaces that are no words. */
  readonly declared: ReadonlySet<string>;
  readonly declaredForm?: RegExp;
  /** The roles in which a declaration of the program's and one of those do not go together. */
  readonly clashes: ReadonlySet<NameRole>;
  /** The usual name of an entry point, taken in other roles. */
  readonly entry?: string;
  /** Beyond `words`, by role. */
  readonly more?: Partial<Record<NameRole, ReadonlySet<string>>>;
}

export const c11 = `_Alignas _Alignof _Atomic _Bool _BitInt _Complex _Decimal32 _Decimal64 _Decimal128 _Float16 _Generic _Imaginary
  _Noreturn _Pragma _Static_assert _Thread_local`;

export const c = `auto break case char const continue default do double else enum extern float for goto if inline int long
  register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false`;

export const cpp = `${c} alignas alignof and and_eq asm bitand bitor catch class compl const_cast constexpr decltype delete
  dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
  public reinterpret_cast static_assert static_cast template this thread_local throw try typeid typename using virtual wchar_t
  xor xor_eq char16_t char32_t char8_t concept requires`;

/** Limits and constants that the headers of C-like dialects define as macros. */
export const constants = [
  ...["FLT", "HALF"].flatMap((t) =>
    "DIG MANT_DIG MAX MIN EPSILON RADIX MAX_EXP MIN_EXP MAX_10_EXP MIN_10_EXP".split(" ").map((x) => `${t}_${x}`),
  ),
  ..."CHAR SCHAR SHRT INT LONG".split(" ").flatMap((t) => [`${t}_MAX`, `${t}_MIN`]),
  ..."UCHAR_MAX USHRT_MAX UINT_MAX ULONG_MAX CHAR_BIT MAXFLOAT HUGE_VALF INFINITY NAN NULL FP_ILOGB0 FP_ILOGBNAN".split(
    " ",
  ),
  ..."E LOG2E LOG10E LN2 LN10 PI PI_2 PI_4 1_PI 2_PI 2_SQRTPI SQRT2 SQRT1_2"
    .split(" ")
    .flatMap((x) => [`M_${x}_F`, `M_${x}_H`]),
];

export const doubleConstants = [
  ..."DIG MANT_DIG MAX MIN EPSILON RADIX MAX_EXP MIN_EXP MAX_10_EXP MIN_10_EXP".split(" ").map((x) => `DBL_${x}`),
  ..."E LOG2E LOG10E LN2 LN10 PI PI_2 PI_4 1_PI 2_PI 2_SQRTPI SQRT2 SQRT1_2".split(" ").map((x) => `M_${x}`),
  "HUGE_VAL",
];

export const anyOf = (...forms: readonly string[]): RegExp => new RegExp(`^(?:${forms.join("|")})$`);
