/**
 * Names a dialect declares without the source doing so: constants, and words that builtins take (barrier flags, memory
 * orders and scopes). Words carry the number by which `ops` knows them: flags are 1 workgroup... as each dialect defines.
 */
import { readingFacts } from "../dialects/languages.js";
import { literal, nullPointer } from "../ast/builders.js";
import type { SourceDialect } from "../dialects/ids.js";
import { assertNever } from "../support/assert-never.js";
import type { Span } from "../support/span.js";
import { voidType, type ScalarKind } from "../types/types.js";
import { exprValue, type Value } from "./context.js";

interface Word {
  readonly kind: ScalarKind;
  readonly value: number;
  /** False for plain constants, which are no words for builtins. */
  readonly word: boolean;
}

const word = (value: number): Word => ({ kind: "i32", value, word: true });
const f32 = (value: number): Word => ({ kind: "f32", value: Math.fround(value), word: false });
const i32 = (value: number): Word => ({ kind: "i32", value, word: false });
const u32 = (value: number): Word => ({ kind: "u32", value, word: false });
const orders = { relaxed: 0, consume: 1, acquire: 2, release: 3, acq_rel: 4, seq_cst: 5 };
const orderWords: readonly (readonly [string, Word])[] = Object.entries(orders).map(([k, v]) => [
  `memory_order_${k}`,
  word(v),
]);

const limits: readonly (readonly [string, Word])[] = [
  ["INT_MAX", i32(2147483647)],
  ["INT_MIN", i32(-2147483648)],
  ["UINT_MAX", u32(4294967295)],
  ["SHRT_MAX", i32(32767)],
  ["SHRT_MIN", i32(-32768)],
  ["USHRT_MAX", i32(65535)],
  ["CHAR_BIT", i32(8)],
  ["CHAR_MAX", i32(127)],
  ["CHAR_MIN", i32(-128)],
  ["SCHAR_MAX", i32(127)],
  ["SCHAR_MIN", i32(-128)],
  ["UCHAR_MAX", i32(255)],
  ["FLT_MAX", f32(3.4028234663852886e38)],
  ["FLT_MIN", f32(1.1754943508222875e-38)],
  ["FLT_EPSILON", f32(1.1920928955078125e-7)],
  ["MAXFLOAT", f32(3.4028234663852886e38)],
  ["HUGE_VALF", f32(Infinity)],
  ["INFINITY", f32(Infinity)],
  ["NAN", f32(NaN)],
  ["M_E_F", f32(Math.E)],
  ["M_LOG2E_F", f32(Math.LOG2E)],
  ["M_LOG10E_F", f32(Math.LOG10E)],
  ["M_LN2_F", f32(Math.LN2)],
  ["M_LN10_F", f32(Math.LN10)],
  ["M_PI_F", f32(Math.PI)],
  ["M_PI_2_F", f32(Math.PI / 2)],
  ["M_PI_4_F", f32(Math.PI / 4)],
  ["M_1_PI_F", f32(1 / Math.PI)],
  ["M_2_PI_F", f32(2 / Math.PI)],
  ["M_2_SQRTPI_F", f32(2 / Math.sqrt(Math.PI))],
  ["M_SQRT2_F", f32(Math.SQRT2)],
  ["M_SQRT1_2_F", f32(Math.SQRT1_2)],
];

const mslWords: ReadonlyMap<string, Word> = new Map([
  ...orderWords,
  ...limits,
  ["mem_none", word(0)],
  ["mem_device", word(1)],
  ["mem_threadgroup", word(2)],
  ["mem_device_and_threadgroup", word(3)],
  ["mem_texture", word(4)],
  ["mem_threadgroup_imageblock", word(8)],
  ["mem_object_data", word(16)],
  ["thread_scope_thread", word(0)],
  ["thread_scope_simdgroup", word(1)],
  ["thread_scope_threadgroup", word(2)],
  ["thread_scope_device", word(3)],
]);

const openclDoubles: readonly (readonly [string, Word])[] = (
  [
    ["M_PI", Math.PI],
    ["M_E", Math.E],
    ["M_PI_2", Math.PI / 2],
    ["M_PI_4", Math.PI / 4],
    ["M_SQRT2", Math.SQRT2],
    ["M_LN2", Math.LN2],
  ] as const
).map(([k, value]) => [k, { kind: "f64", value, word: false }]);

const openclWords: ReadonlyMap<string, Word> = new Map([
  ...orderWords,
  ...limits,
  ...openclDoubles,
  ["CLK_LOCAL_MEM_FENCE", word(1)],
  ["CLK_GLOBAL_MEM_FENCE", word(2)],
  ["CLK_IMAGE_MEM_FENCE", word(4)],
  ["memory_scope_work_item", word(0)],
  ["memory_scope_work_group", word(1)],
  ["memory_scope_device", word(2)],
  ["memory_scope_all_svm_devices", word(3)],
  ["memory_scope_all_devices", word(3)],
  ["memory_scope_sub_group", word(4)],
  ["true", { kind: "bool", value: 1, word: false }],
  ["false", { kind: "bool", value: 0, word: false }],
]);

const glslWords: ReadonlyMap<string, Word> = new Map([
  ["gl_ScopeDevice", word(1)],
  ["gl_ScopeWorkgroup", word(2)],
  ["gl_ScopeSubgroup", word(3)],
  ["gl_ScopeInvocation", word(4)],
  ["gl_ScopeQueueFamily", word(5)],
  ["gl_SemanticsRelaxed", word(0)],
  ["gl_SemanticsAcquire", word(2)],
  ["gl_SemanticsRelease", word(4)],
  ["gl_SemanticsAcquireRelease", word(8)],
  ["gl_SemanticsMakeAvailable", word(0x2000)],
  ["gl_SemanticsMakeVisible", word(0x4000)],
  ["gl_SemanticsVolatile", word(0x8000)],
  ["gl_StorageSemanticsNone", word(0)],
  ["gl_StorageSemanticsBuffer", word(0x40)],
  ["gl_StorageSemanticsShared", word(0x100)],
  ["gl_StorageSemanticsImage", word(0x800)],
  ["gl_StorageSemanticsOutput", word(0x1000)],
]);

const hlslWords: ReadonlyMap<string, Word> = new Map([
  ["UAV_MEMORY", word(1)],
  ["GROUP_SHARED_MEMORY", word(2)],
  ["NODE_INPUT_MEMORY", word(4)],
  ["NODE_OUTPUT_MEMORY", word(8)],
  ["ALL_MEMORY", word(15)],
  ["GROUP_SYNC", word(1)],
  ["GROUP_SCOPE", word(2)],
  ["DEVICE_SCOPE", word(4)],
]);

function wordsOf(dialect: SourceDialect): ReadonlyMap<string, Word> {
  switch (dialect) {
    case "msl":
      return mslWords;
    case "glsl":
      return glslWords;
    case "opencl":
      return openclWords;
    case "hlsl":
      return hlslWords;
    default:
      return assertNever(dialect);
  }
}

/** Scopes such words may be written in: `mem_flags::mem_device`, `metal::memory_order_relaxed`. */
const wordScopes: ReadonlySet<string> = new Set([
  "",
  "metal",
  "mem_flags",
  "metal::mem_flags",
  "memory_order",
  "metal::memory_order",
  "thread_scope",
  "metal::thread_scope",
]);

export function predeclaredValue(
  dialect: SourceDialect,
  path: readonly string[],
  name: string,
  span: Span,
): Value | undefined {
  if (path.length > 0 && (dialect !== "msl" || !wordScopes.has(path.join("::")))) return undefined;
  if (readingFacts(dialect).nullNames.includes(name))
    return exprValue(nullPointer({ kind: "pointer", pointee: voidType, space: "private" }, span));
  const found = wordsOf(dialect).get(name);
  if (!found) return undefined;
  const expr = literal(found.kind, found.kind === "bool" ? found.value === 1 : found.value, span);
  return found.word ? { type: expr.type, expr, word: name } : { type: expr.type, expr };
}

export const predeclaredNames = (dialect: SourceDialect): Iterable<string> => wordsOf(dialect).keys();
