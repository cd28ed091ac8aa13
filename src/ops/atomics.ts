/**
 * Atomics of memory.md section 6. Places: the object, then `expected`, or in HLSL's form the out result. Orders and scopes
 * stand in the call (`OpCall.order`, `failureOrder`, `scope`, `memory`): a cell either writes them, or holds for relaxed calls
 * alone; what is ordered then becomes a relaxed call between fences, or is refused.
 */
import { opId } from "../ast/op-ids.js";
import type { OpId } from "../ast/op-ids.js";
import { scalarOf, type Type } from "../types/types.js";
import { define, native, reads, lowering, refused, set, writes } from "./define.js";
import type { Cell, NativeCell, OpRow, OpUse } from "./row.js";
import type { Operand } from "../ast/target.js";
import { isRelaxed } from "./use-of.js";
import { loadedPlainly } from "./coherent-loads.js";
import { precedence } from "../ast/operators.js";

const ints = set("i32 u32", 1);
const wide = set("i64 u64", 1);
const float = set("f32", 1);
const double = set("f64", 1);
const floats = set("f16 f32 f64", 1);
/** A part of a word of 32 bits. In buffers bools are integers of their size. */
const parts = set("f16 u8 bool", 1);
const bytes = set("u8", 1);
const integers = set("i32 u32 i64 u64", 1);
const cFloats = set("i32 u32 i64 u64 f32 f64", 1);
const numbers = set("i32 u32 i64 u64 f16 f32 f64", 1);
/** MSL has atomic bools, which are loaded, stored, exchanged and compared. */
const moved = set("bool u8 i32 u32 i64 u64 f16 f32 f64", 1);

/** No order, and a scope that atomics have anyway. */
const plain = (use: OpUse): boolean => isRelaxed(use) && use.scope !== "system";
const isSeqCst = (use: OpUse): boolean => use.order === "seq_cst" || use.failureOrder === "seq_cst";
/** Ordered by acquire and release, which fences do as well. */
const fenced = (use: OpUse): boolean => !isRelaxed(use) && !isSeqCst(use) && use.scope !== "system";

/** What is left where nothing before it holds: why the target does not have it. */
const refusals = (seqCst: string, beyond: string): readonly Cell[] => [
  refused("its atomics reach one device, and this one other devices, too (scope of all devices)", {
    when: (use) => use.scope === "system",
  }),
  refused(seqCst, { when: isSeqCst }),
  refused(beyond),
];
const byFences: Cell = lowering("order-by-fences", { when: fenced });
/** Nothing in the target acts on such an object, but on the words it is (memory/raw-buffers.ts): the buffer or array is declared as those. */
const inWords = (on: typeof ints, needs?: string): Cell =>
  lowering("object-in-words", {
    on,
    when: (use) => !isSeqCst(use) && use.scope !== "system",
    ...(needs === undefined ? {} : { needs }),
  });

// ------------------------------------------------------------------ HLSL

const hlslRefusals = refusals(
  "Direct3D has no sequentially consistent order, and these atomics are of more than one object",
  "HLSL has no such atomic on this type",
);

/** HLSL has the old value in an out argument: written as a statement, with that argument or with the value unused. */
const interlockedForm = (use: OpUse): boolean => plain(use) && (use.discarded === true || use.placeTypes.length === 2);

const outForm = (use: OpUse): boolean => plain(use) && use.placeTypes.length === 2;

function interlockedCells(name: string, operands: number, on = ints, discardable = true, needs?: string): Cell[] {
  const values = Array.from({ length: operands }, () => "T").join(", ");
  return [
    native(name, "DXC", {
      on,
      ...(needs === undefined ? {} : { needs }),
      when: discardable ? interlockedForm : outForm,
      signatures: [...(discardable ? [`&T, ${values} -> void`] : []), `&T, ${values}, &T -> void`],
      write: (use) => ({
        kind: "call",
        name,
        result: { kind: "void" },
        operands: [
          { kind: "place", index: 0, addressOf: false },
          ...use.operandTypes.map((type, index) => ({ kind: "value", index, type }) as const),
          ...(use.placeTypes.length === 2 ? ([{ kind: "place", index: 1, addressOf: false }] as const) : []),
        ],
      }),
    }),
    lowering("interlocked-result", { when: plain, on, ...(needs === undefined ? {} : { needs }) }),
  ];
}

/** Of 32 and of 64 bits. */
const interlocked = (name: string, operands: number, discardable = true): readonly Cell[] => [
  ...interlockedCells(name, operands, ints, discardable),
  ...interlockedCells(name, operands, wide, discardable, "sm>=6.6"),
];

// ------------------------------------------------------------------ MSL

const mslSource = "MSL 3.1 6.15.2";

/** A fence of MSL 3.2 on each side is as strong as the order of the access; before, a barrier has to do. */
const mslFenced: readonly Cell[] = [
  byFences,
  lowering("order-by-fences", { when: (use) => isSeqCst(use) && use.scope !== "system", needs: "msl>=3.2" }),
];
const mslRefusals = refusals(
  "MSL before 3.2 has no sequentially consistent order, and these atomics are of more than one object",
  "MSL has no such atomic on this type",
);
const notThreadgroup = (use: OpUse): boolean => plain(use) && use.space !== "workgroup";
/** Its atomics on floats are of device memory and of 3.0; elsewhere the bits are words. */
const mslAsWord: readonly Cell[] = [
  lowering("access-as-word", { on: float, when: plain }),
  lowering("access-as-bool", { on: bytes, when: plain, needs: "msl>=2.4" }),
  inWords(parts),
];
const mslLoop: readonly Cell[] = [lowering("exchange-loop", { on: float, when: plain }), inWords(set("f16", 1))];

function mslAtomic(
  name: string,
  operands: number,
  {
    place = "*T:gw",
    result = "T",
    floats = false,
    bools = false,
  }: { readonly place?: string; readonly result?: string; readonly floats?: boolean; readonly bools?: boolean } = {},
): readonly Cell[] {
  const values = Array.from({ length: operands }, () => "T");
  const text = (...more: string[]): string => `${[place, ...values, ...more].join(", ")} -> ${result}`;
  const sequential = name.replace("_explicit", "");
  const all = floats ? set("i32 u32 f32", 1) : ints;
  return [
    native(name, mslSource, { on: ints, when: plain, signatures: [text("order")] }),
    ...(bools
      ? [native(name, mslSource, { on: set("bool", 1), needs: "msl>=2.4", when: plain, signatures: [text("order")] })]
      : []),
    ...(floats
      ? [native(name, mslSource, { on: float, needs: "msl>=3.0", when: notThreadgroup, signatures: [text("order")] })]
      : []),
    reads(name, "MSL 2.0 6.13.2", { on: all, signatures: [text("order", "scope")] }),
    reads(sequential, "MSL 2.0 6.13.2", { on: all, signatures: [text("=seq_cst")] }),
    ...mslFenced,
  ];
}

// ------------------------------------------------------------------ OpenCL

const atomicNames: Readonly<Record<string, string>> = {
  i32: "atomic_int",
  u32: "atomic_uint",
  i64: "atomic_long",
  u64: "atomic_ulong",
  f32: "atomic_float",
  f64: "atomic_double",
};

/** The object as the C11 forms take it: plain memory, whose address becomes one of an atomic type. */
function openclObject(use: OpUse): Operand {
  const kind = scalarOf(use.placeTypes[0]!)!;
  const space = use.space === "workgroup" ? "__local" : "__global";
  return { kind: "place", index: 0, addressOf: true, cast: `volatile ${space} ${atomicNames[kind]!} *` };
}

const openclScopes = {
  invocation: "memory_scope_work_item",
  subgroup: "memory_scope_sub_group",
  workgroup: "memory_scope_work_group",
  device: "memory_scope_device",
  system: "memory_scope_all_svm_devices",
} as const;

/** Workgroup memory is seen by one workgroup. */
const openclScope = (use: OpUse): string =>
  openclScopes[
    use.space === "workgroup" ? "workgroup" : use.scope === "invocation" ? "subgroup" : (use.scope ?? "device")
  ];

type Reach = "near" | "device" | "system";
const reachOf = (use: OpUse): Reach => {
  if (use.space === "workgroup" || use.scope === "workgroup" || use.scope === "subgroup" || use.scope === "invocation")
    return "near";
  return use.scope === "system" ? "system" : "device";
};
const scopeNeeds: Readonly<Record<Reach, string>> = {
  near: "",
  device: " cl.atomic_scope_device",
  system: " cl.atomic_scope_all_devices",
};
const text = (t: string): Operand => ({ kind: "text", text: t });

/** The C11 form, for what the names of OpenCL 1.x do not say; each order and scope is a feature of its own in 3.0. */
function openclExplicit(
  id: OpId,
  name: string,
  on: typeof ints,
  { result, places = 1, always = false }: { result?: Type; places?: 1 | 2; always?: boolean } = {},
): NativeCell[] {
  const orders: readonly (readonly [string, (use: OpUse) => boolean])[] = [
    ["", (use) => isRelaxed(use) && (always || use.scope === "system")],
    [" cl.atomic_order_acq_rel", (use) => !isRelaxed(use) && !isSeqCst(use)],
    [" cl.atomic_order_seq_cst", isSeqCst],
  ];
  const write: NativeCell["write"] = (use) => ({
    kind: "call",
    name: `${name}_explicit`,
    result: result ?? use.result,
    operands: [
      openclObject(use),
      ...(places === 2 ? [{ kind: "place", index: 1, addressOf: true } as const] : []),
      ...use.operandTypes.map((type, index) => ({ kind: "value", index, type }) as const),
      text(`memory_order_${use.order ?? "relaxed"}`),
      ...(places === 2 ? [text(`memory_order_${use.failureOrder ?? "relaxed"}`)] : []),
      text(openclScope(use)),
    ],
  });
  return orders.flatMap(([order, holds]) =>
    (["near", "device", "system"] as const).map((reach) =>
      writes(`${name}_explicit`, id, "clang-19", {
        on,
        needs: `cl>=2.0${order}${scopeNeeds[reach]}`,
        when: (use) => holds(use) && reachOf(use) === reach && use.space !== undefined,
        write,
      }),
    ),
  );
}

const openclRefusals = refusals(
  "a sequentially consistent order needs OpenCL C 2.0 and __opencl_c_atomic_order_seq_cst",
  "OpenCL C has no such atomic on this type",
);

/** Of what no function of the C11 form acts on: a fence on either side is as strong as the order of the access. */
const openclSeqCst: Cell = lowering("order-by-fences", {
  when: (use) => isSeqCst(use) && use.scope !== "system",
  needs: "cl>=2.0 cl.atomic_order_seq_cst",
});

interface ClNames {
  /** Of OpenCL 1.1, on 32-bit integers: `atomic_add`. Written. */
  readonly one?: string;
  /** Which extension has it on 64 bits. */
  readonly set?: "base" | "extended";
  /** Of OpenCL C 2.0, without `_explicit`, which alone is sequentially consistent. */
  readonly two: string;
}

function clAtomic(id: OpId, { one, set: group, two }: ClNames, operands: number, result = "T", on = integers): Cell[] {
  const values = Array.from({ length: operands }, () => "T");
  const signature = (...more: string[]): string => `${["*T:gw", ...values, ...more].join(", ")} -> ${result}`;
  const old = one?.replace("atomic_", "atom_");
  const narrow = on.scalars.includes("f32") && one === "atomic_xchg" ? set("i32 u32 f32", 1) : ints;
  return [
    ...(one === undefined ? [] : [native(one, "clang-19", { on: narrow, when: plain, signatures: [signature()] })]),
    ...(old === undefined || group === undefined
      ? []
      : [
          reads(old, "cl_khr_global_int32_base_atomics", { on: ints, signatures: [signature()] }),
          native(old, "clang-19", {
            on: wide,
            when: plain,
            needs: `cl.khr_int64_${group}_atomics`,
            signatures: [signature()],
          }),
        ]),
    reads(`${two}_explicit`, "clang-19", { on, signatures: [signature("order"), signature("order", "scope")] }),
    reads(two, "clang-19: seq_cst", { on, signatures: [signature("=seq_cst")] }),
    ...openclExplicit(id, two, on, {
      ...(result === "void" ? { result: { kind: "void" } } : {}),
      always: one === undefined,
    }),
    byFences,
  ];
}

// ------------------------------------------------------------------ GLSL

const glslRefusals = refusals(
  "Vulkan has no sequentially consistent order, and these atomics are of more than one object",
  "GLSL has no such atomic on this type",
);
const scoped = "glsl.KHR_memory_scope_semantics";

function glslScope(use: OpUse): string {
  const scope = use.scope ?? (use.space === "workgroup" ? "workgroup" : "device");
  return (
    { invocation: "gl_ScopeSubgroup", subgroup: "gl_ScopeSubgroup", workgroup: "gl_ScopeWorkgroup" }[
      scope as "workgroup"
    ] ?? "gl_ScopeDevice"
  );
}

function glslStorage(use: OpUse): string {
  const { memory } = use;
  const words = [
    ...(memory?.global ? ["gl_StorageSemanticsBuffer"] : []),
    ...(memory?.workgroup ? ["gl_StorageSemanticsShared"] : []),
    ...(memory?.image ? ["gl_StorageSemanticsImage"] : []),
  ];
  return words.length === 0 ? "gl_StorageSemanticsNone" : words.join(" | ");
}

const semantics = {
  relaxed: "gl_SemanticsRelaxed",
  acquire: "gl_SemanticsAcquire",
  release: "gl_SemanticsRelease",
  acq_rel: "gl_SemanticsAcquireRelease",
  seq_cst: "",
} as const;

type GlslTypes = readonly (readonly [typeof ints, string])[];
/** Sums, and what moves a value; minima and maxima. Halves came with the second extension. */
const floatMoves: GlslTypes = [
  [float, "glsl.EXT_shader_atomic_float"],
  [double, "glsl.EXT_shader_atomic_float glsl.float64"],
  [set("f16", 1), "glsl.EXT_shader_atomic_float2"],
];
const floatAdds: GlslTypes = [
  [float, "glsl.EXT_shader_atomic_float"],
  [double, "glsl.EXT_shader_atomic_float glsl.float64 glsl.atomic_add_float64"],
  [set("f16", 1), "glsl.EXT_shader_atomic_float2 glsl.atomic_add_float16"],
];
const floatLeasts: GlslTypes = [
  [float, "glsl.EXT_shader_atomic_float2"],
  [double, "glsl.EXT_shader_atomic_float2 glsl.float64 glsl.atomic_min_max_float64"],
  [set("f16", 1), "glsl.EXT_shader_atomic_float2 glsl.atomic_min_max_float16"],
];
/** What a type needs in buffers and in workgroup memory. */
const glslTypes = (floats: GlslTypes): readonly (readonly [typeof ints, string | undefined])[] => [
  [ints, undefined],
  [wide, "glsl.EXT_shader_atomic_int64"],
  ...floats,
];

/** The plain form where the call is relaxed and has one, and the one with scope and semantics. */
function glslAtomic(
  name: string,
  operands: number,
  { relaxed = true, floats = [], result = "T" }: { relaxed?: boolean; floats?: GlslTypes; result?: string } = {},
): readonly Cell[] {
  const values = Array.from({ length: operands }, () => "T");
  const compares = operands === 2;
  const words = compares
    ? ["scope", "storage", "semantics", "storage", "semantics2"]
    : ["scope", "storage", "semantics"];
  const explicit = `${["&T", ...values, ...words].join(", ")} -> ${result}`;
  return glslTypes(floats).flatMap(([on, needs]) => [
    ...(relaxed
      ? [
          native(name, "glslang", {
            on,
            when: plain,
            signatures: [`${["&T", ...values].join(", ")} -> ${result}`],
            ...(needs === undefined ? {} : { needs }),
          }),
        ]
      : []),
    native(name, "glslang", {
      on,
      needs: needs === undefined ? scoped : `${scoped} ${needs}`,
      when: (use) => (relaxed ? fenced(use) : plain(use) || fenced(use)),
      signatures: [explicit],
      write: (use) => ({
        kind: "call",
        name,
        result: result === "void" ? { kind: "void" } : use.result,
        operands: [
          { kind: "place", index: 0, addressOf: false },
          ...use.operandTypes.map((type, index) => ({ kind: "value", index, type }) as const),
          text(glslScope(use)),
          text(glslStorage(use)),
          text(semantics[use.order ?? "relaxed"]),
          ...(compares ? [text(glslStorage(use)), text(semantics[use.failureOrder ?? "relaxed"])] : []),
        ],
      }),
    }),
  ]);
}

/** Halves of cl_ext_float_atomics, which are read and never written: no profile has them. */
function openclReadsHalf(name: string, operands: number, result = "T"): readonly Cell[] {
  const text = (...more: string[]): string =>
    `${["*T:gw", ...Array.from({ length: operands }, () => "T"), ...more].join(", ")} -> ${result}`;
  const on = set("f16", 1);
  return [
    reads(`${name}_explicit`, "cl_ext_float_atomics", { on, signatures: [text("order"), text("order", "scope")] }),
    reads(name, "cl_ext_float_atomics", { on, signatures: [text("=seq_cst")] }),
  ];
}

// ------------------------------------------------------------------ rows

const loop = (on = float): Cell => lowering("exchange-loop", { on, when: plain });

/** Floats of 32 and of 64 bits, by compare-exchange of what the language has; halves and bools as parts of words. */
const glslWords: readonly Cell[] = [
  inWords(set("f32 f16 u8 bool", 1)),
  refused("GLSL compares integers alone, and the bits of a double are no object of its own", { on: double }),
];
const openclWords: readonly Cell[] = [
  lowering("access-as-word", { on: set("f32 f64", 1), when: plain }),
  byFences,
  openclSeqCst,
  inWords(parts),
];
/** Before Shader Model 6.6 no float, and never half or double: the bits of the words. A double is one of 64 bits, which 6.6 has. */
const hlslWords: readonly Cell[] = [inWords(set("f32 f16 u8 bool", 1)), inWords(double, "sm>=6.6")];

const fetch = (["add", "sub", "min", "max", "and", "or", "xor"] as const).map((name) => {
  const capital = name[0]!.toUpperCase() + name.slice(1);
  const id = opId(`atomic.${name}`);
  const sums = name === "add" || name === "sub";
  const leasts = name === "min" || name === "max";
  const ofFloats = sums || leasts;
  const subtracted = lowering("atomic-sub", {
    on: set("i32 u32 i64 u64 f16 f32 f64", 1),
    when: (use) => use.scope !== "system" && !isSeqCst(use),
  });
  const msl64 = leasts
    ? [
        native(`atomic_${name}_explicit`, "MSL 2.4 6.15.2.6", {
          on: set("u64", 1),
          needs: "msl>=2.4",
          when: (use) => notThreadgroup(use) && use.discarded === true,
          signatures: ["*T:g, T, order -> void"],
        }),
        refused("MSL gives no old value of a 64-bit minimum or maximum, and has no other atomic on 64 bits", {
          on: wide,
        }),
      ]
    : [refused("MSL has minimum and maximum alone of atomics on 64 bits", { on: wide })];
  return define("atomic", `atomic.${name}`, {
    summary: `atomic ${name}; the old value`,
    signature: "&T, T -> T",
    on: ofFloats ? numbers : integers,
    effect: "atomic",
    expand: { kind: "atomic", op: name },
    msl: [
      ...mslAtomic(`atomic_fetch_${name}_explicit`, 1, { floats: sums }),
      ...msl64,
      ...(ofFloats ? mslLoop : []),
      ...mslRefusals,
    ],
    glsl: [
      ...(name === "sub"
        ? [subtracted]
        : glslAtomic(`atomic${capital}`, 1, { floats: sums ? floatAdds : leasts ? floatLeasts : [] })),
      byFences,
      ...(ofFloats ? glslWords : []),
      ...glslRefusals,
    ],
    opencl: [
      ...clAtomic(
        id,
        {
          one: `atomic_${name}`,
          set: sums ? "base" : "extended",
          two: `atomic_fetch_${name}`,
        },
        1,
      ),
      ...(ofFloats
        ? [
            reads(`atomic_fetch_${name}_explicit`, "cl_ext_float_atomics", {
              on: floats,
              signatures: ["*T:gw, T, order -> T", "*T:gw, T, order, scope -> T"],
            }),
            reads(`atomic_fetch_${name}`, "cl_ext_float_atomics", {
              on: floats,
              signatures: ["*T:gw, T, =seq_cst -> T"],
            }),
            loop(set("f32 f64", 1)),
            openclSeqCst,
            inWords(set("f16", 1)),
          ]
        : []),
      ...openclRefusals,
    ],
    hlsl: [
      ...(name === "sub" ? [subtracted] : interlocked(`Interlocked${capital}`, 1)),
      byFences,
      ...(ofFloats ? [lowering("exchange-loop", { on: float, when: plain, needs: "sm>=6.6" }), ...hlslWords] : []),
      ...hlslRefusals,
    ],
  });
});

export const atomicRows: readonly OpRow[] = [
  ...fetch,
  define("atomic", "atomic.load", {
    summary: "atomic load",
    signature: "&T -> T",
    on: moved,
    effect: "atomic",
    expand: { kind: "atomic", op: "load" },
    msl: [
      ...mslAtomic("atomic_load_explicit", 0, { place: "*T:gwr", floats: true, bools: true }),
      ...mslAsWord,
      ...mslRefusals,
    ],
    glsl: [
      ...glslAtomic("atomicLoad", 0, { relaxed: false, floats: floatMoves }),
      lowering("atomic-load", { when: plain, on: integers }),
      byFences,
      ...glslWords,
      ...glslRefusals,
    ],
    opencl: [
      ...clAtomic(opId("atomic.load"), { two: "atomic_load" }, 0, "T", cFloats),
      lowering("atomic-load", { when: plain, on: integers }),
      ...openclReadsHalf("atomic_load", 0),
      ...openclWords,
      ...openclRefusals,
    ],
    hlsl: [
      writes("[]", opId("atomic.load"), "D3D11 functional specification 7.14.2", {
        on: loadedPlainly,
        when: (use) => plain(use) && use.plainly === true && use.space === "global" && use.discarded !== true,
        write: (use) => ({
          kind: "text",
          pieces: [{ kind: "place", index: 0, addressOf: false }],
          precedence: precedence.postfix,
          result: use.result,
        }),
      }),
      lowering("atomic-load", { when: plain, on: integers }),
      lowering("load-by-exchange", { when: plain, on: float, needs: "sm>=6.6" }),
      byFences,
      ...hlslWords,
      ...hlslRefusals,
    ],
  }),
  define("atomic", "atomic.store", {
    summary: "atomic store",
    signature: "&T, T -> void",
    on: moved,
    effect: "atomic",
    expand: { kind: "atomic", op: "store" },
    msl: [
      ...mslAtomic("atomic_store_explicit", 1, { result: "void", floats: true, bools: true }),
      ...mslAsWord,
      ...mslRefusals,
    ],
    glsl: [
      ...glslAtomic("atomicStore", 1, { relaxed: false, floats: floatMoves, result: "void" }),
      lowering("atomic-store", { when: plain, on: integers }),
      byFences,
      ...glslWords,
      ...glslRefusals,
    ],
    opencl: [
      ...clAtomic(opId("atomic.store"), { two: "atomic_store" }, 1, "void", cFloats),
      lowering("atomic-store", { when: plain, on: set("i32 u32 i64 u64 f32", 1) }),
      ...openclReadsHalf("atomic_store", 1, "void"),
      ...openclWords,
      ...openclRefusals,
    ],
    hlsl: [
      lowering("atomic-store", { when: plain, on: integers }),
      lowering("atomic-store", { when: plain, on: float, needs: "sm>=6.6" }),
      byFences,
      ...hlslWords,
      ...hlslRefusals,
    ],
  }),
  define("atomic", "atomic.exchange", {
    summary: "atomic exchange; the old value",
    signature: "&T, T -> T",
    on: moved,
    effect: "atomic",
    expand: { kind: "atomic", op: "exchange" },
    msl: [...mslAtomic("atomic_exchange_explicit", 1, { floats: true, bools: true }), ...mslAsWord, ...mslRefusals],
    glsl: [...glslAtomic("atomicExchange", 1, { floats: floatMoves }), byFences, ...glslWords, ...glslRefusals],
    opencl: [
      ...clAtomic(
        opId("atomic.exchange"),
        { one: "atomic_xchg", set: "base", two: "atomic_exchange" },
        1,
        "T",
        cFloats,
      ),
      ...openclReadsHalf("atomic_exchange", 1),
      ...openclWords,
      ...openclRefusals,
    ],
    hlsl: [
      ...interlocked("InterlockedExchange", 1, false),
      ...interlockedCells("InterlockedExchange", 1, float, false, "sm>=6.6"),
      byFences,
      ...hlslWords,
      ...hlslRefusals,
    ],
  }),
  ...(["inc", "dec"] as const).map((name) =>
    define("atomic", `atomic.${name}`, {
      summary: `atomic ${name === "inc" ? "add" : "subtract"} of 1; the old value (OpenCL)`,
      signature: "&T -> T",
      on: integers,
      effect: "atomic",
      expand: { kind: "atomic", op: name },
      msl: lowering("atomic-step"),
      glsl: lowering("atomic-step"),
      opencl: [
        native(`atomic_${name}`, "clang-19", { on: ints, signatures: ["*T:gw -> T"] }),
        reads(`atom_${name}`, "cl_khr_global_int32_base_atomics", { on: ints, signatures: ["*T:gw -> T"] }),
        native(`atom_${name}`, "clang-19", {
          on: wide,
          needs: "cl.khr_int64_base_atomics",
          signatures: ["*T:gw -> T"],
        }),
      ],
      hlsl: lowering("atomic-step"),
    }),
  ),
  define("atomic", "atomic.compare_exchange", {
    summary: "stores `value` where the object has the bits of `compare`; the old value; never fails without reason",
    signature: "&T, T, T -> T",
    on: moved,
    effect: "atomic",
    expand: { kind: "atomic", op: "compare_exchange" },
    msl: [
      lowering("exchange-until-decided", { when: plain, on: ints }),
      lowering("exchange-until-decided", { when: notThreadgroup, on: float, needs: "msl>=3.0" }),
      ...mslFenced,
      ...mslAsWord,
      ...mslRefusals,
    ],
    glsl: [...glslAtomic("atomicCompSwap", 2), byFences, ...glslWords, ...glslRefusals],
    opencl: [
      native("atomic_cmpxchg", "clang-19", { on: ints, when: plain, signatures: ["*T:gw, T, T -> T"] }),
      reads("atom_cmpxchg", "cl_khr_global_int32_base_atomics", { on: ints, signatures: ["*T:gw, T, T -> T"] }),
      native("atom_cmpxchg", "clang-19", {
        on: wide,
        needs: "cl.khr_int64_base_atomics",
        when: plain,
        signatures: ["*T:gw, T, T -> T"],
      }),
      ...openclWords,
      ...openclRefusals,
    ],
    hlsl: [
      ...hlslCompareExchange("", ints),
      ...hlslCompareExchange("", wide, "sm>=6.6"),
      ...hlslCompareExchange("FloatBitwise", float, "sm>=6.6"),
      byFences,
      ...hlslWords,
      ...hlslRefusals,
    ],
  }),
  ...(["weak", "strong"] as const).map((form) => expectedForm(form)),
];

function expectedForm(form: "weak" | "strong"): OpRow {
  const id = opId(`atomic.compare_exchange_${form}`);
  const name = `atomic_compare_exchange_${form}`;
  const weakly = (on: typeof ints, when: (use: OpUse) => boolean, more: { readonly needs?: string } = {}): Cell =>
    form === "weak"
      ? native(`${name}_explicit`, mslSource, {
          on,
          when,
          signatures: ["*T:gw, *T:p, T, order, order2 -> bool"],
          ...more,
        })
      : lowering("exchange-until-decided", { when, on, ...more });
  return define("atomic", id, {
    summary: `stores \`desired\` where the object has the bits of the second place, else puts the object's value there; whether it stored${form === "weak" ? "; may fail without reason" : ""}`,
    signature: "&T, &T, T -> bool",
    on: moved,
    effect: "atomic",
    expand: { kind: "atomic", op: `compare_exchange_${form}` },
    msl: [
      weakly(ints, plain),
      weakly(float, notThreadgroup, { needs: "msl>=3.0" }),
      weakly(set("bool", 1), plain, { needs: "msl>=2.4" }),
      ...(form === "weak"
        ? [
            reads(`${name}_explicit`, "MSL 2.0 6.13.2", {
              on: set("i32 u32 f32", 1),
              signatures: ["*T:gw, *T:p, T, order, order2, scope -> bool"],
            }),
            reads(name, "MSL 2.0 6.13.2", {
              on: set("i32 u32 f32", 1),
              signatures: ["*T:gw, *T:p, T, =seq_cst, =seq_cst -> bool"],
            }),
          ]
        : []),
      ...mslFenced,
      ...(form === "weak" ? [lowering("access-as-bool", { on: bytes, when: plain, needs: "msl>=2.4" })] : []),
      lowering("expected-by-compare", { when: plain, on: set("f32 f16 u8 bool", 1) }),
      ...mslRefusals,
    ],
    glsl: [
      lowering("expected-by-compare", { when: (use) => !isSeqCst(use) && use.scope !== "system" }),
      ...glslRefusals,
    ],
    opencl: [
      reads(`${name}_explicit`, "clang-19", {
        on: cFloats,
        signatures: ["*T:gw, *T:gwp, T, order, order2 -> bool", "*T:gw, *T:gwp, T, order, order2, scope -> bool"],
      }),
      reads(name, "clang-19: seq_cst", {
        on: cFloats,
        signatures: ["*T:gw, *T:gwp, T, =seq_cst, =seq_cst -> bool"],
      }),
      lowering("expected-by-compare", { when: plain }),
      ...openclExplicit(id, name, cFloats, { places: 2 }),
      byFences,
      ...openclRefusals,
    ],
    hlsl: [
      lowering("expected-by-compare", { when: (use) => !isSeqCst(use) && use.scope !== "system" }),
      ...hlslRefusals,
    ],
  });
}

function hlslCompareExchange(suffix: string, on: typeof ints, needs?: string): Cell[] {
  const more = needs === undefined ? {} : { needs };
  const name = `InterlockedCompareExchange${suffix}`;
  return [
    native(`InterlockedCompareStore${suffix}`, "DXC", {
      on,
      ...more,
      when: (use) => plain(use) && use.discarded === true && use.placeTypes.length === 1,
      signatures: ["&T, T, T -> void"],
    }),
    native(name, "DXC", {
      on,
      ...more,
      when: (use) => plain(use) && use.placeTypes.length === 2,
      signatures: ["&T, T, T, &T -> void"],
      write: (use) => ({
        kind: "call",
        name,
        result: { kind: "void" },
        operands: [
          { kind: "place", index: 0, addressOf: false },
          { kind: "value", index: 0, type: use.operandTypes[0]! },
          { kind: "value", index: 1, type: use.operandTypes[1]! },
          { kind: "place", index: 1, addressOf: false },
        ],
      }),
    }),
    lowering("interlocked-result", { when: plain, on, ...more }),
  ];
}
