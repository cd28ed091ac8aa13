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

const ints = set("i32 u32", 1);
const wide = set("i64 u64", 1);
const float = set("f32", 1);
const integers = set("i32 u32 i64 u64", 1);
const withFloat = set("i32 u32 i64 u64 f32", 1);

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
const threadgroupFloats = refused("MSL has atomics on floats in device memory only", {
  on: float,
  when: (use) => use.space === "workgroup",
});

function mslAtomic(
  name: string,
  operands: number,
  {
    place = "*T:gw",
    result = "T",
    floats = false,
  }: { readonly place?: string; readonly result?: string; readonly floats?: boolean } = {},
): readonly Cell[] {
  const values = Array.from({ length: operands }, () => "T");
  const text = (...more: string[]): string => `${[place, ...values, ...more].join(", ")} -> ${result}`;
  const sequential = name.replace("_explicit", "");
  const all = floats ? set("i32 u32 f32", 1) : ints;
  return [
    native(name, mslSource, { on: ints, when: plain, signatures: [text("order")] }),
    ...(floats
      ? [native(name, mslSource, { on: float, needs: "msl>=3.0", when: notThreadgroup, signatures: [text("order")] })]
      : []),
    reads(name, "MSL 2.0 6.13.2", { on: all, signatures: [text("order", "scope")] }),
    reads(sequential, "MSL 2.0 6.13.2", { on: all, signatures: [text("=seq_cst")] }),
    ...mslFenced,
    ...(floats ? [threadgroupFloats] : []),
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

/** What a type needs in buffers and in workgroup memory. */
const glslTypes = (float32?: string): readonly (readonly [typeof ints, string | undefined])[] => [
  [ints, undefined],
  [wide, "glsl.EXT_shader_atomic_int64"],
  ...(float32 === undefined ? [] : [[float, float32] as const]),
];

/** The plain form where the call is relaxed and has one, and the one with scope and semantics. */
function glslAtomic(
  name: string,
  operands: number,
  { relaxed = true, float32, result = "T" }: { relaxed?: boolean; float32?: string; result?: string } = {},
): readonly Cell[] {
  const values = Array.from({ length: operands }, () => "T");
  const compares = operands === 2;
  const words = compares
    ? ["scope", "storage", "semantics", "storage", "semantics2"]
    : ["scope", "storage", "semantics"];
  const explicit = `${["&T", ...values, ...words].join(", ")} -> ${result}`;
  return glslTypes(float32).flatMap(([on, needs]) => [
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

// ------------------------------------------------------------------ rows

const floatAdd = "glsl.EXT_shader_atomic_float";

const loop = (...needs: string[]): Cell =>
  lowering("exchange-loop", { on: float, when: plain, ...(needs.length > 0 ? { needs: needs.join(" ") } : {}) });

const fetch = (["add", "sub", "min", "max", "and", "or", "xor"] as const).map((name) => {
  const capital = name[0]!.toUpperCase() + name.slice(1);
  const id = opId(`atomic.${name}`);
  const floats = name === "add" || name === "sub";
  const subtracted = lowering("atomic-sub", {
    on: floats ? withFloat : integers,
    when: (use) => use.scope !== "system" && !isSeqCst(use),
  });
  const msl64 =
    name === "min" || name === "max"
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
    on: floats ? withFloat : integers,
    effect: "atomic",
    expand: { kind: "atomic", op: name },
    msl: [
      ...mslAtomic(`atomic_fetch_${name}_explicit`, 1, { floats }),
      ...msl64,
      ...(floats ? [loop("msl>=3.0")] : []),
      ...mslRefusals,
    ],
    glsl: [
      ...(name === "sub"
        ? [subtracted]
        : glslAtomic(`atomic${capital}`, 1, name === "add" ? { float32: floatAdd } : {})),
      byFences,
      ...(floats ? [loop()] : []),
      ...glslRefusals,
    ],
    opencl: [
      ...clAtomic(
        id,
        {
          one: `atomic_${name}`,
          set: floats ? "base" : "extended",
          two: `atomic_fetch_${name}`,
        },
        1,
      ),
      ...(floats
        ? [
            reads(`atomic_fetch_${name}_explicit`, "cl_ext_float_atomics", {
              on: float,
              signatures: ["*T:gw, T, order -> T", "*T:gw, T, order, scope -> T"],
            }),
            reads(`atomic_fetch_${name}`, "cl_ext_float_atomics", {
              on: float,
              signatures: ["*T:gw, T, =seq_cst -> T"],
            }),
            loop(),
          ]
        : []),
      ...openclRefusals,
    ],
    hlsl: [
      ...(name === "sub" ? [subtracted] : interlocked(`Interlocked${capital}`, 1)),
      byFences,
      ...(floats ? [loop("sm>=6.6")] : []),
      ...hlslRefusals,
    ],
  });
});

export const atomicRows: readonly OpRow[] = [
  ...fetch,
  define("atomic", "atomic.load", {
    summary: "atomic load",
    signature: "&T -> T",
    on: withFloat,
    effect: "atomic",
    expand: { kind: "atomic", op: "load" },
    msl: [...mslAtomic("atomic_load_explicit", 0, { place: "*T:gwr", floats: true }), ...mslRefusals],
    glsl: [
      ...glslAtomic("atomicLoad", 0, { relaxed: false, float32: floatAdd }),
      lowering("atomic-load", { when: plain, on: integers }),
      byFences,
      ...glslRefusals,
    ],
    opencl: [
      ...clAtomic(opId("atomic.load"), { two: "atomic_load" }, 0, "T", withFloat),
      lowering("atomic-load", { when: plain, on: integers }),
      lowering("load-by-exchange", { when: plain, on: float }),
      ...openclRefusals,
    ],
    hlsl: [
      lowering("atomic-load", { when: plain, on: integers }),
      lowering("load-by-exchange", { when: plain, on: float, needs: "sm>=6.6" }),
      byFences,
      ...hlslRefusals,
    ],
  }),
  define("atomic", "atomic.store", {
    summary: "atomic store",
    signature: "&T, T -> void",
    on: withFloat,
    effect: "atomic",
    expand: { kind: "atomic", op: "store" },
    msl: [...mslAtomic("atomic_store_explicit", 1, { result: "void", floats: true }), ...mslRefusals],
    glsl: [
      ...glslAtomic("atomicStore", 1, { relaxed: false, float32: floatAdd, result: "void" }),
      lowering("atomic-store", { when: plain }),
      byFences,
      ...glslRefusals,
    ],
    opencl: [
      ...clAtomic(opId("atomic.store"), { two: "atomic_store" }, 1, "void", withFloat),
      lowering("atomic-store", { when: plain }),
      ...openclRefusals,
    ],
    hlsl: [lowering("atomic-store", { when: plain }), byFences, ...hlslRefusals],
  }),
  define("atomic", "atomic.exchange", {
    summary: "atomic exchange; the old value",
    signature: "&T, T -> T",
    on: withFloat,
    effect: "atomic",
    expand: { kind: "atomic", op: "exchange" },
    msl: [...mslAtomic("atomic_exchange_explicit", 1, { floats: true }), ...mslRefusals],
    glsl: [...glslAtomic("atomicExchange", 1, { float32: floatAdd }), byFences, ...glslRefusals],
    opencl: [
      ...clAtomic(
        opId("atomic.exchange"),
        { one: "atomic_xchg", set: "base", two: "atomic_exchange" },
        1,
        "T",
        withFloat,
      ),
      ...openclRefusals,
    ],
    hlsl: [
      ...interlocked("InterlockedExchange", 1, false),
      ...interlockedCells("InterlockedExchange", 1, float, false, "sm>=6.6"),
      byFences,
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
    on: withFloat,
    effect: "atomic",
    expand: { kind: "atomic", op: "compare_exchange" },
    msl: [
      lowering("exchange-until-decided", { when: plain, on: ints }),
      lowering("exchange-until-decided", { when: notThreadgroup, on: float, needs: "msl>=3.0" }),
      ...mslFenced,
      threadgroupFloats,
      ...mslRefusals,
    ],
    glsl: [
      ...glslAtomic("atomicCompSwap", 2),
      refused("GLSL compares integers alone, not floats", { on: float }),
      byFences,
      ...glslRefusals,
    ],
    opencl: [
      native("atomic_cmpxchg", "clang-19", { on: ints, when: plain, signatures: ["*T:gw, T, T -> T"] }),
      reads("atom_cmpxchg", "cl_khr_global_int32_base_atomics", { on: ints, signatures: ["*T:gw, T, T -> T"] }),
      native("atom_cmpxchg", "clang-19", {
        on: wide,
        needs: "cl.khr_int64_base_atomics",
        when: plain,
        signatures: ["*T:gw, T, T -> T"],
      }),
      lowering("exchange-as-word", { on: float, when: plain }),
      byFences,
      ...openclRefusals,
    ],
    hlsl: [
      ...hlslCompareExchange("", ints),
      ...hlslCompareExchange("", wide, "sm>=6.6"),
      ...hlslCompareExchange("FloatBitwise", float, "sm>=6.6"),
      byFences,
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
    on: withFloat,
    effect: "atomic",
    expand: { kind: "atomic", op: `compare_exchange_${form}` },
    msl: [
      weakly(ints, plain),
      weakly(float, notThreadgroup, { needs: "msl>=3.0" }),
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
      threadgroupFloats,
      ...mslRefusals,
    ],
    glsl: [
      lowering("expected-by-compare", { when: (use) => !isSeqCst(use) && use.scope !== "system" }),
      ...glslRefusals,
    ],
    opencl: [
      reads(`${name}_explicit`, "clang-19", {
        on: withFloat,
        signatures: ["*T:gw, *T:gwp, T, order, order2 -> bool", "*T:gw, *T:gwp, T, order, order2, scope -> bool"],
      }),
      reads(name, "clang-19: seq_cst", {
        on: withFloat,
        signatures: ["*T:gw, *T:gwp, T, =seq_cst, =seq_cst -> bool"],
      }),
      lowering("expected-by-compare", { when: plain }),
      ...openclExplicit(id, name, withFloat, { places: 2 }),
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
