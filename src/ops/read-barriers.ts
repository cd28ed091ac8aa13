/** Calls of the dialects decoded into `BarrierDescriptor` (memory.md section 3). */
import { own } from "../support/own.js";
import type { BarrierDescriptor, CompiledBarrier, MemoryScope } from "../ast/nodes.js";
import type { SourceDialect } from "../dialects/ids.js";
import { descriptor, mem, syncInstruction, type Memory } from "./barriers.js";
import type { BuiltinArgument, RefusedCall } from "./row.js";

/** `notYet` as of every call. */
type Refused = Omit<RefusedCall, "candidates">;
type Decoded =
  { readonly barrier: BarrierDescriptor; readonly needs?: string; readonly strengthened?: string } | Refused;
type Result = ResolvedBarrier | Refused;

export interface ResolvedBarrier {
  readonly barrier: BarrierDescriptor;
  /** Of languages whose compilers have a name for what they make of it. */
  readonly compiled?: CompiledBarrier;
}

/** Barrier calls without arguments. */
const plain: { readonly [D in SourceDialect]?: Readonly<Record<string, BarrierDescriptor>> } = {
  msl: {},
  opencl: {},
  glsl: {
    barrier: descriptor("workgroup", mem(true, false), "workgroup"),
    memoryBarrier: descriptor("none", mem(true, true, true), "device"),
    memoryBarrierBuffer: descriptor("none", mem(false, true), "device"),
    memoryBarrierAtomicCounter: descriptor("none", mem(false, true), "device"),
    memoryBarrierShared: descriptor("none", mem(true, false), "workgroup"),
    memoryBarrierImage: descriptor("none", mem(false, false, true), "device"),
    groupMemoryBarrier: descriptor("none", mem(true, true, true), "workgroup"),
    subgroupBarrier: descriptor("subgroup", mem(true, true, true), "subgroup"),
    subgroupMemoryBarrier: descriptor("none", mem(true, true, true), "subgroup"),
    subgroupMemoryBarrierBuffer: descriptor("none", mem(false, true), "subgroup"),
    subgroupMemoryBarrierShared: descriptor("none", mem(true, false), "subgroup"),
    subgroupMemoryBarrierImage: descriptor("none", mem(false, false, true), "subgroup"),
  },
  hlsl: {
    GroupMemoryBarrier: descriptor("none", mem(true, false), "workgroup"),
    GroupMemoryBarrierWithGroupSync: descriptor("workgroup", mem(true, false), "workgroup"),
    DeviceMemoryBarrier: descriptor("none", mem(false, true, true), "device"),
    DeviceMemoryBarrierWithGroupSync: descriptor("workgroup", mem(false, true, true), "device"),
    AllMemoryBarrier: descriptor("none", mem(true, true, true), "device"),
    AllMemoryBarrierWithGroupSync: descriptor("workgroup", mem(true, true, true), "device"),
  },
};

/** Where a language has such names. */
export const instructions: { readonly [D in SourceDialect]?: (b: BarrierDescriptor) => string | undefined } = {
  hlsl: (b) => syncInstruction(b)?.name,
};

interface WithArguments {
  readonly names: readonly string[];
  readonly read: (name: string, args: readonly BuiltinArgument[]) => Decoded;
}

/** And those with arguments. */
const withArguments: { readonly [D in SourceDialect]?: WithArguments } = {
  msl: { names: ["threadgroup_barrier", "simdgroup_barrier", "atomic_thread_fence"], read: mslBarrier },
  glsl: { names: ["controlBarrier", "memoryBarrier"], read: glslBarrier },
  opencl: {
    names: [
      "barrier",
      "work_group_barrier",
      "sub_group_barrier",
      "mem_fence",
      "read_mem_fence",
      "write_mem_fence",
      "atomic_work_item_fence",
    ],
    read: openclBarrier,
  },
  hlsl: { names: ["Barrier"], read: (_name, args) => hlslBarrier(args) },
};

/** Barriers of optional features and stages we do not have: known, so that the message says so. */
export const barrierNames = (dialect: SourceDialect): readonly string[] => [
  ...Object.keys(plain[dialect] ?? {}),
  ...(withArguments[dialect]?.names ?? []),
];

export const isBarrierName = (dialect: SourceDialect, name: string): boolean =>
  own(plain[dialect] ?? {}, name) !== undefined || (withArguments[dialect]?.names.includes(name) ?? false);

const bareWord = (word: string | undefined): string | undefined => word?.split("::").at(-1);

export function flagBits(argument: BuiltinArgument | undefined): number | undefined {
  const value = argument?.constant;
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

const openclMemory = (bits: number): Memory => mem((bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0);
const localAndGlobal = 3;
const mslMemory = (bits: number): Memory => mem((bits & 2) !== 0, (bits & 1) !== 0, (bits & 4) !== 0);
export const glslMemory = (bits: number): Memory =>
  mem((bits & 0x100) !== 0, (bits & 0x40) !== 0, (bits & 0x800) !== 0);

const glslScopes: Readonly<Record<number, MemoryScope>> = {
  1: "device",
  2: "workgroup",
  3: "subgroup",
  4: "invocation",
  5: "device",
};

const openclScopes: Readonly<Record<string, MemoryScope>> = {
  memory_scope_work_item: "invocation",
  memory_scope_sub_group: "subgroup",
  memory_scope_work_group: "workgroup",
  memory_scope_device: "device",
  memory_scope_all_svm_devices: "system",
  memory_scope_all_devices: "system",
};

const mslScopes: Readonly<Record<string, MemoryScope>> = {
  thread_scope_thread: "invocation",
  thread_scope_simdgroup: "subgroup",
  thread_scope_threadgroup: "workgroup",
  thread_scope_device: "device",
};

const orders: Readonly<Record<string, BarrierDescriptor["order"]>> = {
  memory_order_acquire: "acquire",
  memory_order_release: "release",
  memory_order_acq_rel: "acq_rel",
  memory_order_seq_cst: "seq_cst",
};

/**
 * A fence by itself. A relaxed one orders nothing (C++14 29.8, which MSL 3.2 section 6.15.3 follows; OpenCL C 3.0 section 6.15.12.6): it
 * is one of no memory.
 */
function fence(
  name: string,
  memory: BarrierDescriptor["memory"],
  word: string | undefined,
  scope: BarrierDescriptor["scope"] | undefined,
): Decoded {
  const relaxed = word === "memory_order_relaxed";
  const order = relaxed ? "acq_rel" : orders[word ?? ""];
  if (order === undefined || scope === undefined)
    return { error: `the order and scope of ${name} must be named constants` };
  return { barrier: descriptor("none", relaxed ? mem(false, false) : memory, scope, order) };
}

/** Decodes a barrier call; undefined where the name is no barrier of the dialect. */
export function resolveBarrier(
  dialect: SourceDialect,
  name: string,
  args: readonly BuiltinArgument[],
): Result | undefined {
  const found = decoded(dialect, name, args);
  if (!found || "error" in found) return found;
  const { barrier, needs, strengthened } = found;
  const instruction = instructions[dialect]?.(barrier);
  if (instruction === undefined && needs === undefined && strengthened === undefined) return { barrier };
  const compiled = {
    instructions: instruction === undefined ? [] : [instruction],
    ...(needs === undefined ? {} : { needs }),
    ...(strengthened === undefined ? {} : { strengthened }),
  };
  return { barrier, compiled };
}

function decoded(dialect: SourceDialect, name: string, args: readonly BuiltinArgument[]): Decoded | undefined {
  const fixed = own(plain[dialect] ?? {}, name);
  if (fixed && args.length === 0) return { barrier: fixed };
  const reader = withArguments[dialect];
  if (!reader?.names.includes(name)) return fixed ? { error: `${name} takes no arguments` } : undefined;
  return reader.read(name, args);
}

const wrongCount = (name: string, wanted: string): Decoded => ({ error: `${name} takes ${wanted}` });
const notConstant = (name: string): Decoded => ({ error: `the arguments of ${name} must be constants` });

/**
 * Of what is `nonprivate`: buffers are coherent where the source has that word, so that whatever orders them makes their contents
 * available and visible.
 */
const [makeAvailable, makeVisible] = [0x2000, 0x4000];
export const unknownSemantics = (semantics: number): boolean =>
  (semantics & ~(0xe | makeAvailable | makeVisible)) !== 0;

/** The order that the bits of `gl_Semantics*` name; undefined where they are those of a relaxed access. */
export function glslOrder(semantics: number): "acq_rel" | "acquire" | "release" | undefined {
  if ((semantics & 8) !== 0 || (semantics & 6) === 6) return "acq_rel";
  return (semantics & 2) !== 0 ? "acquire" : (semantics & 4) !== 0 ? "release" : undefined;
}

function glslBarrier(name: string, args: readonly BuiltinArgument[]): Decoded {
  const [bits, execution] = name === "controlBarrier" ? [args.slice(1), flagBits(args[0])] : [args, 0];
  if (bits.length !== 3)
    return wrongCount(
      name,
      name === "controlBarrier"
        ? "an execution scope, a memory scope, storage and semantics"
        : "a memory scope, storage and semantics",
    );
  const [scopeValue, storage, semantics] = bits.map(flagBits);
  if (scopeValue === undefined || storage === undefined || semantics === undefined || execution === undefined)
    return notConstant(name);
  const scope = glslScopes[scopeValue];
  if (scope === undefined) return { error: `unknown memory scope ${scopeValue}` };
  if (unknownSemantics(semantics))
    return {
      error: "volatile semantics of a barrier are not supported yet",
      notYet: "leave them out, and declare the buffers volatile",
    };
  if ((semantics & makeAvailable) !== 0 && (semantics & 0xc) === 0)
    return { error: "what makes available releases: gl_SemanticsRelease or gl_SemanticsAcquireRelease" };
  if ((semantics & makeVisible) !== 0 && (semantics & 0xa) === 0)
    return { error: "what makes visible acquires: gl_SemanticsAcquire or gl_SemanticsAcquireRelease" };
  if ((storage & 0x1000) !== 0) return { error: "output storage has no meaning in a compute kernel" };
  const order = glslOrder(semantics);
  const memory = order === undefined ? mem(false, false) : glslMemory(storage);
  if (name === "memoryBarrier") {
    if (order === undefined) return { error: "a relaxed memory barrier has no effect" };
    return { barrier: descriptor("none", memory, scope, order) };
  }
  if (execution !== 2 && execution !== 3)
    return { error: "the execution scope of a control barrier must be the workgroup or the subgroup" };
  return {
    barrier: descriptor(
      execution === 2 ? "workgroup" : "subgroup",
      memory,
      order === undefined ? (execution === 2 ? "workgroup" : "subgroup") : scope,
      order ?? "acq_rel",
    ),
  };
}

function mslBarrier(name: string, args: readonly BuiltinArgument[]): Decoded {
  const bits = flagBits(args[0]);
  if (args.length === 0) return wrongCount(name, "mem_flags");
  if (bits === undefined) return notConstant(name);
  if ((bits & ~7) !== 0) return { error: "imageblock and object data fences are not supported" };
  if (name === "atomic_thread_fence") {
    const scope = args.length === 2 ? "device" : mslScopes[bareWord(args[2]?.word) ?? ""];
    if (args.length < 2 || args.length > 3) return wrongCount(name, "mem_flags, an order and a scope");
    return fence(name, mslMemory(bits), bareWord(args[1]!.word), scope);
  }
  const execution = name === "threadgroup_barrier" ? "workgroup" : "subgroup";
  if (args.length !== 1)
    return {
      error: `${name} with an order and scope is not supported yet`,
      notYet: `give ${name} the flags alone, and call atomic_thread_fence with flags, order and scope before and after it`,
    };
  return { barrier: descriptor(execution, mslMemory(bits), execution) };
}

function openclBarrier(name: string, args: readonly BuiltinArgument[]): Decoded {
  const [flags] = args;
  if (!flags) return wrongCount(name, "memory fence flags");
  const bits = flagBits(flags);
  if (bits === undefined) {
    // Whatever they are, a fence of both memories does it (OpenCL C 3.0 section 6.15.8); images are none of a kernel's here.
    if (flags.type.kind !== "scalar") return notConstant(name);
    const read = openclBarrier(name, [{ ...flags, constant: localAndGlobal }, ...args.slice(1)]);
    const strengthened = "flags that are no constant are read as those of both memories";
    return "error" in read ? read : { ...read, strengthened };
  }
  if (bits < 0 || bits > 7) return { error: `unknown memory fence flags ${bits}` };
  const memory = openclMemory(bits);
  if (name === "atomic_work_item_fence") {
    const scope = openclScopes[args[2]?.word ?? ""];
    if (args.length !== 3) return wrongCount(name, "flags, an order and a scope");
    return fence(name, memory, args[1]!.word, scope);
  }
  if (name.endsWith("mem_fence")) {
    if (args.length !== 1) return wrongCount(name, "memory fence flags");
    return {
      barrier: descriptor(
        "none",
        memory,
        "workgroup",
        name === "read_mem_fence" ? "acquire" : name === "write_mem_fence" ? "release" : "acq_rel",
      ),
    };
  }
  const execution = name === "sub_group_barrier" ? "subgroup" : "workgroup";
  if (args.length > 2 || (name === "barrier" && args.length > 1))
    return wrongCount(name, name === "barrier" ? "memory fence flags" : "flags and a scope");
  const scope = args.length === 2 ? openclScopes[args[1]!.word ?? ""] : execution;
  if (scope === undefined) return { error: `the scope of ${name} must be a named constant` };
  return { barrier: descriptor(execution, memory, scope) };
}

/**
 * `Barrier` of shader model 6.8, of kinds of memory or of one buffer (Work Graphs specification, "Barrier" and "Barrier Rules", which
 * DXC holds to). The scope of the device includes that of the workgroup; without a scope nothing is made visible to others.
 */
function hlslBarrier(args: readonly BuiltinArgument[]): Decoded {
  const [first, second] = args;
  if (!first || !second || args.length !== 2)
    return wrongCount("Barrier", "memory flags or a writable buffer, and semantic flags");
  const semantics = flagBits(second);
  if (semantics === undefined) return notConstant("Barrier");
  if ((semantics & ~7) !== 0) return { error: `unknown semantic flags ${semantics}` };
  const [sync, group, device] = [1, 2, 4].map((bit) => (semantics & bit) !== 0);
  const made = (
    memory: Memory,
    scope: MemoryScope,
  ): { readonly barrier: BarrierDescriptor; readonly needs: string } => ({
    needs: "sm>=6.8",
    barrier: descriptor(sync ? "workgroup" : "none", group || device ? memory : mem(false, false), scope),
  });
  if (first.buffer) {
    if (!first.buffer.writable) return { error: "Barrier takes no buffer that is only read" };
    const { barrier, needs } = made(
      mem(false, true, true),
      device && first.buffer.coherent !== false ? "device" : "workgroup",
    );
    if (!group && !device) return { barrier, needs };
    const { variable } = first.buffer;
    const strengthened = "the barrier of one buffer orders all of them";
    return { barrier: { ...barrier, ...(variable === undefined ? {} : { buffers: [variable] }) }, needs, strengthened };
  }
  const memory = flagBits(first);
  if (memory === undefined) return notConstant("Barrier");
  if ((memory & ~15) !== 0) return { error: `unknown memory flags ${memory}` };
  if ((memory & 12) !== 0 && memory !== 15) return { error: "memory of nodes is none of a compute kernel's" };
  if (device && (memory & 1) === 0) return { error: "DEVICE_SCOPE is of no memory without UAV_MEMORY" };
  if (group && memory === 0) return { error: "GROUP_SCOPE is of no memory without memory flags" };
  const uav = (memory & 1) !== 0;
  return made(mem((memory & 2) !== 0, uav, uav), device ? "device" : "workgroup");
}
