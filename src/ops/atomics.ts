/** 32-bit atomics of memory.md section 6. Places: the object, then `expected`, or in HLSL's form the out result. */
import { opId } from "../ast/op-ids.js";
import { define, native, reads, lowering, refused, set } from "./define.js";
import type { Cell, NativeCell, OpRow, OpUse } from "./row.js";

const ints = set("i32 u32", 1);
const withFloat = set("i32 u32 f32", 1);
const relaxed = (use: OpUse): boolean => use.order === undefined || use.order === "relaxed";
const strong = refused("atomics with an order stronger than relaxed are not supported yet", {
  when: (use) => !relaxed(use),
});
const floating = refused("atomics on floats are not supported in this dialect yet", { on: set("f32", 1) });
const plainOnly = refused("this atomic has no form in this dialect");
/** What is left where nothing before it holds. */
const ordered: readonly Cell[] = [strong, floating, plainOnly];

/** HLSL has the old value in an out argument: written as a statement, with that argument or with the value unused. */
const interlockedForm = (use: OpUse): boolean =>
  relaxed(use) && (use.discarded === true || use.placeTypes.length === 2);

const outForm = (use: OpUse): boolean => relaxed(use) && use.placeTypes.length === 2;

function interlocked(name: string, operands: number, on = ints, discardable = true): readonly Cell[] {
  const values = Array.from({ length: operands }, () => "T").join(", ");
  return [
    native(name, "DXC", {
      on,
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
    lowering("interlocked-result", { when: relaxed, on }),
    ...ordered,
  ];
}

const mslSource = "MSL 3.1 6.15.2";

const mslAtomic = (
  name: string,
  operands: number,
  on = ints,
  { place = "*T:gw", result = "T" }: { readonly place?: string; readonly result?: string } = {},
): readonly Cell[] => [
  native(name, mslSource, {
    on,
    when: relaxed,
    signatures: [`${[place, ...Array.from({ length: operands }, () => "T"), "order"].join(", ")} -> ${result}`],
  }),
  ...ordered,
];

/** OpenCL 1.x spelling, written; 2.0 spellings, read. Without `_explicit` they are sequentially consistent. */
function clAtomic(one: string | undefined, two: string, operands: number, result = "T", on = ints): NativeCell[] {
  const values = Array.from({ length: operands }, () => "T");
  const signature = (...more: string[]): string => `${["*T:gw", ...values, ...more].join(", ")} -> ${result}`;
  return [
    ...(one === undefined ? [] : [native(one, "clang-19", { on, when: relaxed, signatures: [signature()] })]),
    reads(`${two}_explicit`, "clang-19", {
      on,
      signatures: [signature("order"), signature("order", "scope")],
    }),
    reads(two, "clang-19: seq_cst", { on, signatures: [signature("=seq_cst")] }),
  ];
}

const fetch = (["add", "sub", "min", "max", "and", "or", "xor"] as const).map((name) => {
  const capital = name[0]!.toUpperCase() + name.slice(1);
  return define("atomic", `atomic.${name}`, {
    summary: `atomic ${name}, relaxed; the old value`,
    signature: "&T, T -> T",
    on: ints,
    effect: "atomic",
    expand: { kind: "atomic", op: name },
    msl: mslAtomic(`atomic_fetch_${name}_explicit`, 1),
    glsl:
      name === "sub"
        ? [lowering("atomic-sub", { when: relaxed }), ...ordered]
        : [native(`atomic${capital}`, "glslang", { when: relaxed }), ...ordered],
    opencl: [...clAtomic(`atomic_${name}`, `atomic_fetch_${name}`, 1), ...ordered],
    hlsl:
      name === "sub"
        ? [lowering("atomic-sub", { when: relaxed }), ...ordered]
        : interlocked(`Interlocked${capital}`, 1),
  });
});

export const atomicRows: readonly OpRow[] = [
  ...fetch,
  define("atomic", "atomic.load", {
    summary: "atomic load, relaxed",
    signature: "&T -> T",
    on: withFloat,
    effect: "atomic",
    expand: { kind: "atomic", op: "load" },
    msl: mslAtomic("atomic_load_explicit", 0, ints, { place: "*T:gwr" }),
    glsl: [lowering("atomic-load", { when: relaxed, on: ints }), ...ordered],
    opencl: [
      ...clAtomic(undefined, "atomic_load", 0),
      lowering("atomic-load", { when: relaxed, on: ints }),
      ...ordered,
    ],
    hlsl: [lowering("atomic-load", { when: relaxed, on: ints }), ...ordered],
  }),
  define("atomic", "atomic.store", {
    summary: "atomic store, relaxed",
    signature: "&T, T -> void",
    on: withFloat,
    effect: "atomic",
    expand: { kind: "atomic", op: "store" },
    msl: mslAtomic("atomic_store_explicit", 1, ints, { result: "void" }),
    glsl: [lowering("atomic-store", { when: relaxed, on: ints }), ...ordered],
    opencl: [
      ...clAtomic(undefined, "atomic_store", 1, "void"),
      lowering("atomic-store", { when: relaxed }),
      ...ordered,
    ],
    hlsl: [lowering("atomic-store", { when: relaxed, on: ints }), ...ordered],
  }),
  define("atomic", "atomic.exchange", {
    summary: "atomic exchange, relaxed; the old value",
    signature: "&T, T -> T",
    on: withFloat,
    effect: "atomic",
    expand: { kind: "atomic", op: "exchange" },
    msl: mslAtomic("atomic_exchange_explicit", 1),
    glsl: [native("atomicExchange", "glslang", { when: relaxed, on: ints }), ...ordered],
    opencl: [...clAtomic("atomic_xchg", "atomic_exchange", 1, "T", withFloat), ...ordered],
    hlsl: interlocked("InterlockedExchange", 1, ints, false),
  }),
  ...(["inc", "dec"] as const).map((name) =>
    define("atomic", `atomic.${name}`, {
      summary: `atomic ${name === "inc" ? "add" : "subtract"} of 1, relaxed; the old value (OpenCL)`,
      signature: "&T -> T",
      on: ints,
      effect: "atomic",
      expand: { kind: "atomic", op: name },
      msl: lowering("atomic-step"),
      glsl: lowering("atomic-step"),
      opencl: native(`atomic_${name}`, "clang-19", { signatures: ["*T:gw -> T"] }),
      hlsl: lowering("atomic-step"),
    }),
  ),
  define("atomic", "atomic.compare_exchange", {
    summary: "stores `value` where the object equals `compare`; the old value; never fails without reason",
    signature: "&T, T, T -> T",
    on: ints,
    effect: "atomic",
    expand: { kind: "atomic", op: "compare_exchange" },
    msl: [lowering("exchange-until-decided", { when: relaxed }), ...ordered],
    glsl: [native("atomicCompSwap", "glslang", { when: relaxed }), ...ordered],
    opencl: [native("atomic_cmpxchg", "clang-19", { when: relaxed, signatures: ["*T:gw, T, T -> T"] }), ...ordered],
    hlsl: [
      native("InterlockedCompareStore", "DXC", {
        when: (use) => relaxed(use) && use.discarded === true && use.placeTypes.length === 1,
        signatures: ["&T, T, T -> void"],
      }),
      ...hlslCompareExchange(),
      ...ordered,
    ],
  }),
  ...(["weak", "strong"] as const).map((form) =>
    define("atomic", opId(`atomic.compare_exchange_${form}`), {
      summary: `stores \`desired\` where the object equals the second place, else puts the object's value there; whether it stored${form === "weak" ? "; may fail without reason" : ""}`,
      signature: "&T, &T, T -> bool",
      on: ints,
      effect: "atomic",
      expand: { kind: "atomic", op: `compare_exchange_${form}` },
      msl:
        form === "weak"
          ? [
              native("atomic_compare_exchange_weak_explicit", mslSource, {
                when: relaxed,
                signatures: ["*T:gw, *T:p, T, order, order2 -> bool"],
              }),
              ...ordered,
            ]
          : [lowering("exchange-until-decided", { when: relaxed }), ...ordered],
      glsl: [lowering("expected-by-compare", { when: relaxed }), ...ordered],
      opencl: [
        reads(`atomic_compare_exchange_${form}_explicit`, "clang-19", {
          signatures: ["*T:gw, *T:gwp, T, order, order2 -> bool", "*T:gw, *T:gwp, T, order, order2, scope -> bool"],
        }),
        reads(`atomic_compare_exchange_${form}`, "clang-19: seq_cst", {
          signatures: ["*T:gw, *T:gwp, T, =seq_cst -> bool"],
        }),
        lowering("expected-by-compare", { when: relaxed }),
        ...ordered,
      ],
      hlsl: [lowering("expected-by-compare", { when: relaxed }), ...ordered],
    }),
  ),
];

function hlslCompareExchange(): Cell[] {
  return [
    native("InterlockedCompareExchange", "DXC", {
      when: (use) => relaxed(use) && use.placeTypes.length === 2,
      signatures: ["&T, T, T, &T -> void"],
      write: (use) => ({
        kind: "call",
        name: "InterlockedCompareExchange",
        result: { kind: "void" },
        operands: [
          { kind: "place", index: 0, addressOf: false },
          { kind: "value", index: 0, type: use.operandTypes[0]! },
          { kind: "value", index: 1, type: use.operandTypes[1]! },
          { kind: "place", index: 1, addressOf: false },
        ],
      }),
    }),
    lowering("interlocked-result", { when: relaxed }),
  ];
}
