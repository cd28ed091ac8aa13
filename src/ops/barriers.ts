/**
 * Barriers and fences (memory.md sections 2 to 4): each dialect's calls decoded into `BarrierDescriptor`, and descriptors
 * written. Writing may strengthen (and says so), never weaken.
 *
 * GLSL's `barrier()` acquires and releases workgroup memory only (glslang: OpControlBarrier Workgroup Workgroup 0x108), and
 * a fence before it releases buffer writes without anything acquiring them afterwards. One `controlBarrier` with buffer
 * semantics (0x148) orders both ways, and GLSL450 modules accept it from vulkan1.1 on; so that is what is written.
 */
import { own } from "../support/own.js";
import type { BarrierDescriptor, CompiledBarrier, MemoryScope, VarId } from "../ast/nodes.js";
import { isSourceDialect, type Dialect, type SourceDialect } from "../dialects/ids.js";
import { i32 } from "../types/types.js";
import type { BuiltinArgument, RefusedCall } from "./row.js";
import { languageFacts } from "../dialects/languages.js";

type Memory = BarrierDescriptor["memory"];
const mem = (workgroup: boolean, global: boolean, image = false): Memory => ({ workgroup, global, image });
const descriptor = (
  execution: BarrierDescriptor["execution"],
  memory: Memory,
  scope: MemoryScope,
  order: BarrierDescriptor["order"] = "acq_rel",
): BarrierDescriptor => ({ execution, memory, scope, order });

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

/**
 * The instruction of shader model 5 that does what a barrier of HLSL does, to which its functions compile: `sync[_uglobal|_ugroup][_g][_t]` (D3D11.3 functional specification
 * 22.17.7; Microsoft's "sync (sm5 - asm)"), with the mode that DXC gives `dx.op.barrier` for it (`DXIL::BarrierMode`). The functions
 * of shader model 5 make no `_ugroup`; `Barrier` of 6.8 asks for it, of which this names the counterpart (DXC makes `dx.op.barrierByMemoryType` or `barrierByMemoryHandle` of it). Undefined where no memory
 * is fenced, which no `sync` says.
 */
export function syncInstruction(b: BarrierDescriptor): { readonly name: string; readonly mode: number } | undefined {
  const buffers = b.memory.global || b.memory.image;
  if (!buffers && !b.memory.workgroup) return undefined;
  const everywhere = b.scope === "device" || b.scope === "system";
  const parts = [
    ...(buffers ? [everywhere ? (["_uglobal", 2] as const) : (["_ugroup", 4] as const)] : []),
    ...(b.memory.workgroup ? [["_g", 8] as const] : []),
    ...(b.execution === "workgroup" ? [["_t", 1] as const] : []),
  ];
  return { name: `sync${parts.map(([name]) => name).join("")}`, mode: parts.reduce((sum, [, bit]) => sum + bit, 0) };
}

/** The instructions that order buffers for all workgroups, where those are `globallycoherent`. */
export const globalInstructions: ReadonlySet<string> = new Set(
  [false, true].flatMap((shared) =>
    (["none", "workgroup"] as const).flatMap(
      (execution) => syncInstruction(descriptor(execution, mem(shared, true), "device"))?.name ?? [],
    ),
  ),
);

/** Where a language has such names. */
const instructions: { readonly [D in SourceDialect]?: (b: BarrierDescriptor) => string | undefined } = {
  hlsl: (b) => syncInstruction(b)?.name,
};

/** Those of calls that are written in a target. */
export const instructionsOf = (dialect: Dialect, calls: readonly string[]): readonly string[] =>
  isSourceDialect(dialect) ? calls.flatMap((call) => instructions[dialect]?.(readCall(dialect, call)) ?? []) : [];

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

/** HLSL device-scope fences reach beyond the workgroup only for `globallycoherent` views; without one in the module they are workgroup-scope. */
export const withoutCoherentViews = (b: BarrierDescriptor): BarrierDescriptor =>
  b.scope === "device" ? { ...b, scope: "workgroup" } : b;

const bareWord = (word: string | undefined): string | undefined => word?.split("::").at(-1);

export function flagBits(argument: BuiltinArgument | undefined): number | undefined {
  const value = argument?.constant;
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

const openclMemory = (bits: number): Memory => mem((bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0);
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
  if (instruction === undefined && needs === undefined) return { barrier };
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
  if ((semantics & ~0xe) !== 0)
    return {
      error: "make-available, make-visible and volatile semantics are not supported yet",
      notYet: "leave them out, and declare the buffers coherent",
    };
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
    const order = orders[bareWord(args[1]?.word) ?? ""];
    const scope = args.length === 2 ? "device" : mslScopes[bareWord(args[2]?.word) ?? ""];
    if (args.length < 2 || args.length > 3) return wrongCount(name, "mem_flags, an order and a scope");
    if (order === undefined || scope === undefined)
      return {
        error: "the order and scope of atomic_thread_fence must be named constants, and the order not relaxed",
      };
    return { barrier: descriptor("none", mslMemory(bits), scope, order) };
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
  const bits = flagBits(args[0]);
  if (args.length === 0) return wrongCount(name, "memory fence flags");
  if (bits === undefined) return notConstant(name);
  if (bits < 0 || bits > 7) return { error: `unknown memory fence flags ${bits}` };
  const memory = openclMemory(bits);
  if (name === "atomic_work_item_fence") {
    const order = orders[args[1]?.word ?? ""];
    const scope = openclScopes[args[2]?.word ?? ""];
    if (args.length !== 3) return wrongCount(name, "flags, an order and a scope");
    if (order === undefined || scope === undefined)
      return {
        error: "the order and scope of atomic_work_item_fence must be named constants, and the order not relaxed",
      };
    return { barrier: descriptor("none", memory, scope, order) };
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

/** One barrier for two that follow each other: at least as strong as both. Undefined where that would reach further than either. */
export function fuseBarriers(a: BarrierDescriptor, b: BarrierDescriptor): BarrierDescriptor | undefined {
  if (a.execution !== "none" && b.execution !== "none" && a.execution !== b.execution) return undefined;
  const ranks: readonly MemoryScope[] = ["invocation", "subgroup", "workgroup", "device", "system"];
  const scope = ranks[Math.max(ranks.indexOf(a.scope), ranks.indexOf(b.scope))]!;
  // Of several buffers at scopes of their own.
  const buffers = fusedBuffers(a, b);
  if (buffers === "apart") return undefined;
  const order = a.order === b.order ? a.order : a.order === "seq_cst" || b.order === "seq_cst" ? "seq_cst" : "acq_rel";
  return {
    execution: a.execution === "none" ? b.execution : a.execution,
    memory: mem(
      a.memory.workgroup || b.memory.workgroup,
      a.memory.global || b.memory.global,
      a.memory.image || b.memory.image,
    ),
    scope,
    order: a.execution === "none" && b.execution === "none" ? order : order === "seq_cst" ? "seq_cst" : "acq_rel",
    ...(buffers ? { buffers } : {}),
  };
}

/** The buffers of both, undefined for all; where one orders some of them alone, two that differ in more than those stay two. */
function fusedBuffers(a: BarrierDescriptor, b: BarrierDescriptor): readonly VarId[] | undefined | "apart" {
  if (!a.buffers && !b.buffers) return undefined;
  const orders = (x: BarrierDescriptor): boolean => x.memory.global || x.memory.image;
  if (!orders(a) || !orders(b)) return orders(a) ? a.buffers : b.buffers;
  if (a.scope !== b.scope || a.order !== b.order) return "apart";
  return a.buffers && b.buffers && [...new Set([...a.buffers, ...b.buffers])];
}

// ------------------------------------------------------------------ writing

export interface BarrierWriting {
  /** Whether a feature expression holds in the profile. */
  readonly has: (needs: string) => boolean;
  /** The barrier stands in workgroup-uniform flow. */
  readonly uniform: boolean;
  /** The module has images; without them image memory is left out. */
  readonly images?: boolean;
}

export type WrittenBarrier =
  | {
      readonly kind: "native";
      /** Calls, to be written as statements. */
      readonly calls: readonly string[];
      readonly requires: readonly string[];
      /** What the calls mean when they are read again: as strong as asked for, or stronger. */
      readonly means: BarrierDescriptor;
      /** What is stronger than asked for. */
      readonly strengthened?: string;
      /** Buffers whose contents the barrier orders must be declared coherent (`coherent`, `globallycoherent`). */
      readonly coherent?: boolean;
    }
  | { readonly kind: "refused"; readonly reason: string };

const refuse = (reason: string): Written => ({ kind: "refused", reason });
type Written =
  Omit<Extract<WrittenBarrier, { kind: "native" }>, "means"> | { readonly kind: "refused"; readonly reason: string };

const write = (
  calls: readonly string[],
  more: Omit<Extract<Written, { kind: "native" }>, "kind" | "calls" | "requires"> & {
    requires?: readonly string[];
  } = {},
): Written => ({
  kind: "native",
  calls,
  requires: [],
  ...more,
});

/** The numbers of the flags, scopes and semantics that are written. */

const flagNumbers: Readonly<Record<string, number>> = {
  "mem_flags::mem_none": 0,
  "mem_flags::mem_device": 1,
  "mem_flags::mem_threadgroup": 2,
  "mem_flags::mem_texture": 4,
  CLK_LOCAL_MEM_FENCE: 1,
  CLK_GLOBAL_MEM_FENCE: 2,
  CLK_IMAGE_MEM_FENCE: 4,
  gl_ScopeDevice: 1,
  gl_ScopeWorkgroup: 2,
  gl_ScopeSubgroup: 3,
  gl_StorageSemanticsBuffer: 0x40,
  gl_StorageSemanticsShared: 0x100,
  gl_StorageSemanticsImage: 0x800,
  gl_SemanticsAcquireRelease: 8,
  UAV_MEMORY: 1,
  GROUP_SHARED_MEMORY: 2,
  GROUP_SYNC: 1,
  GROUP_SCOPE: 2,
  "0": 0,
};

function readCall(dialect: SourceDialect, call: string): BarrierDescriptor {
  const open = call.indexOf("(");
  const inside = call.slice(open + 1, -1);
  const args = (inside === "" ? [] : inside.split(",")).map((text): BuiltinArgument => {
    const words = text.split("|").map((word) => word.trim());
    const known = words.every((word) => Object.hasOwn(flagNumbers, word));
    return {
      type: i32,
      word: words[0]!,
      ...(known ? { constant: words.reduce((sum, word) => sum | flagNumbers[word]!, 0) } : {}),
    };
  });
  const found = resolveBarrier(dialect, call.slice(0, open), args);
  if (!found || "error" in found) throw new Error(`${call} is written and not read`);
  return found.barrier;
}

function meaning(
  dialect: Dialect,
  b: BarrierDescriptor,
  written: Extract<Written, { kind: "native" }>,
  images: boolean,
): BarrierDescriptor {
  // What is never read says what it was written for.
  if (written.calls.length === 0 || !isSourceDialect(dialect)) return b;
  const read = written.calls
    .map((call) => readCall(dialect, call))
    .reduce((all, next) => fuseBarriers(all, next) ?? all);
  const coherent = languageFacts[dialect].deviceFences === "any buffer" || written.coherent;
  const scoped = coherent ? read : withoutCoherentViews(read);
  return images ? scoped : { ...scoped, memory: { ...scoped.memory, image: false } };
}

export function writeBarrier(dialect: Dialect, b: BarrierDescriptor, w: BarrierWriting): WrittenBarrier {
  const wanted: BarrierDescriptor = w.images ? b : { ...b, memory: { ...b.memory, image: false } };
  const written = spelled(dialect, wanted, w);
  return written.kind === "refused"
    ? written
    : { ...written, means: meaning(dialect, wanted, written, w.images ?? false) };
}

/** A dialect that is not here has no barriers. */
const writers: { readonly [D in Dialect]?: (wanted: BarrierDescriptor, w: BarrierWriting) => Written } = {
  msl: writeMsl,
  glsl: writeGlsl,
  opencl: writeOpencl,
  hlsl: writeHlsl,
};

function spelled(dialect: Dialect, wanted: BarrierDescriptor, w: BarrierWriting): Written {
  if (wanted.scope === "system" && !languageFacts[dialect].systemFences)
    return refuse("there is no fence of system scope");
  if (wanted.execution === "none" && !wanted.memory.workgroup && !wanted.memory.global && !wanted.memory.image)
    return write([]);
  return writers[dialect]?.(wanted, w) ?? refuse("it has no barriers");
}

function mslFlags(m: Memory): string {
  const flags = [
    ...(m.global ? ["mem_flags::mem_device"] : []),
    ...(m.workgroup ? ["mem_flags::mem_threadgroup"] : []),
    ...(m.image ? ["mem_flags::mem_texture"] : []),
  ];
  return flags.length === 0 ? "mem_flags::mem_none" : flags.join(" | ");
}

function writeMsl(b: BarrierDescriptor, w: BarrierWriting): Written {
  const flags = mslFlags(b.memory);
  const fences = w.has("msl>=3.2");
  const scopes: Readonly<Record<MemoryScope, string>> = {
    invocation: "thread_scope_thread",
    subgroup: "thread_scope_simdgroup",
    workgroup: "thread_scope_threadgroup",
    device: "thread_scope_device",
    system: "thread_scope_device",
  };
  // What one threadgroup writes another sees in `coherent(device)` memory alone (MSL 3.2 section 4.8).
  const coherent = b.memory.global && (b.scope === "device" || b.scope === "system") ? { coherent: true } : {};
  const fence = `atomic_thread_fence(${flags}, memory_order_seq_cst, ${scopes[b.scope]})`;
  if (b.execution === "none") {
    if (fences)
      return write([fence], {
        requires: ["msl>=3.2"],
        ...coherent,
        ...(b.order === "seq_cst" ? {} : { strengthened: "the fence is sequentially consistent" }),
      });
    if (b.order !== "seq_cst" && b.scope === "subgroup")
      return write([`simdgroup_barrier(${flags})`], {
        strengthened: "the fence is a barrier of the SIMD-group",
      });
    if (b.order !== "seq_cst" && b.scope === "workgroup" && w.uniform)
      return write([`threadgroup_barrier(${flags})`], { strengthened: "the fence is a barrier" });
    return refuse(
      `MSL before 3.2 has no fence${b.scope === "device" ? " of device scope" : " without a barrier, and here a barrier is not reached by all lanes"}`,
    );
  }
  if (b.order === "seq_cst" && !fences) return refuse("MSL before 3.2 has no sequentially consistent fence");
  const call = b.execution === "workgroup" ? `threadgroup_barrier(${flags})` : `simdgroup_barrier(${flags})`;
  const reach = b.execution === "workgroup" ? ["invocation", "subgroup", "workgroup"] : ["invocation", "subgroup"];
  // Workgroup memory is seen by one workgroup only: a wider scope adds nothing to a barrier of the whole workgroup.
  const orderless = !b.memory.global && !b.memory.image && (b.execution === "workgroup" || !b.memory.workgroup);
  if (b.order !== "seq_cst" && (reach.includes(b.scope) || orderless)) return write([call]);
  if (!fences) return refuse(`a barrier that orders memory at ${b.scope} scope needs the fences of MSL 3.2`);
  return write([fence, call, fence], { requires: ["msl>=3.2"], ...coherent });
}

function writeGlsl(b: BarrierDescriptor): Written {
  const m = b.memory;
  if (b.order === "seq_cst") return refuse("Vulkan has no sequentially consistent fences");
  const coherent = m.global || m.image ? { coherent: true } : {};
  const storage = [
    ...(m.global ? ["gl_StorageSemanticsBuffer"] : []),
    ...(m.workgroup ? ["gl_StorageSemanticsShared"] : []),
    ...(m.image ? ["gl_StorageSemanticsImage"] : []),
  ].join(" | ");
  const extension = ["glsl.KHR_memory_scope_semantics"];
  if (b.execution === "subgroup") {
    if (storage !== "" && (b.scope === "workgroup" || b.scope === "device")) {
      return write(
        [
          `controlBarrier(gl_ScopeSubgroup, gl_Scope${b.scope === "device" ? "Device" : "Workgroup"}, ${storage}, gl_SemanticsAcquireRelease)`,
        ],
        { requires: [...extension, "glsl.KHR_shader_subgroup_basic"], ...coherent },
      );
    }
    return write(["subgroupBarrier()"], {
      requires: ["glsl.KHR_shader_subgroup_basic"],
      ...coherent,
      ...(m.global && m.workgroup ? {} : { strengthened: "the barrier orders all memory" }),
    });
  }
  if (b.execution === "workgroup") {
    if (!m.global && !m.image)
      return write(["barrier()"], m.workgroup ? {} : { strengthened: "the barrier orders workgroup memory" });
    const scope = b.scope === "device" ? "gl_ScopeDevice" : "gl_ScopeWorkgroup";
    return write([`controlBarrier(gl_ScopeWorkgroup, ${scope}, ${storage}, gl_SemanticsAcquireRelease)`], {
      requires: extension,
      ...coherent,
    });
  }
  const stronger = b.order === "acq_rel" ? {} : { strengthened: "the fence acquires and releases" };
  if (b.scope === "invocation" || b.scope === "subgroup") {
    const suffix =
      m.global && !m.workgroup && !m.image ? "Buffer" : m.workgroup && !m.global && !m.image ? "Shared" : "";
    return write([`subgroupMemoryBarrier${suffix}()`], {
      requires: ["glsl.KHR_shader_subgroup_basic"],
      ...coherent,
      ...stronger,
    });
  }
  if (m.workgroup && !m.global && !m.image) return write(["memoryBarrierShared()"], stronger);
  if (b.scope === "workgroup") return write(["groupMemoryBarrier()"], { ...coherent, ...stronger });
  return write([m.global && !m.workgroup && !m.image ? "memoryBarrierBuffer()" : "memoryBarrier()"], {
    ...coherent,
    ...stronger,
  });
}

function openclFlags(m: Memory, w: BarrierWriting): string {
  const two = w.has("cl>=2.0");
  const flags = [
    ...(m.workgroup ? ["CLK_LOCAL_MEM_FENCE"] : []),
    ...(m.global || (m.image && !two) ? ["CLK_GLOBAL_MEM_FENCE"] : []),
    ...(m.image && two ? ["CLK_IMAGE_MEM_FENCE"] : []),
  ];
  return flags.join(" | ");
}

function writeOpencl(b: BarrierDescriptor, w: BarrierWriting): Written {
  const flags = openclFlags(b.memory, w);
  const scopeNames: Readonly<Record<MemoryScope, string>> = {
    invocation: "memory_scope_work_item",
    subgroup: "memory_scope_sub_group",
    workgroup: "memory_scope_work_group",
    device: "memory_scope_device",
    system: "memory_scope_all_svm_devices",
  };
  const two = w.has("cl>=2.0");
  const explicitFence = `atomic_work_item_fence(${flags}, memory_order_${b.order}, ${scopeNames[b.scope]})`;
  if (b.execution === "none") {
    if (b.scope !== "device" && b.scope !== "system" && b.order !== "seq_cst") {
      const name = b.order === "acquire" ? "read_mem_fence" : b.order === "release" ? "write_mem_fence" : "mem_fence";
      if (b.scope === "workgroup" || !two) return write([`${name}(${flags})`]);
    }
    const far = b.scope === "device" || b.scope === "system" || b.order === "seq_cst";
    if (!two) return refuse("OpenCL 1.2 has no fence between workgroups and none that is sequentially consistent");
    if (far && !w.has("cl.atomic_scope_device"))
      return refuse("without __opencl_c_atomic_scope_device there is no fence between workgroups");
    return write([explicitFence], { requires: far ? ["cl>=2.0", "cl.atomic_scope_device"] : ["cl>=2.0"] });
  }
  if (b.order === "seq_cst") return refuse("OpenCL has no sequentially consistent barrier");
  if (b.execution === "subgroup") {
    if (!w.has("cl.subgroups")) return refuse("OpenCL C without sub-groups has no sub-group barrier");
    const scope = b.scope === "invocation" || b.scope === "subgroup" ? "" : `, ${scopeNames[b.scope]}`;
    return write([`sub_group_barrier(${flags || "CLK_LOCAL_MEM_FENCE"}${scope})`], {
      requires: ["cl.subgroups"],
    });
  }
  if (flags === "")
    return write(["barrier(CLK_LOCAL_MEM_FENCE)"], { strengthened: "the barrier orders workgroup memory" });
  if (b.scope === "device" || b.scope === "system") {
    if (!b.memory.global && !b.memory.image) return write([`barrier(${flags})`]);
    if (!two) return refuse("OpenCL 1.2 has no barrier that orders memory between workgroups");
    if (!w.has("cl.atomic_scope_device"))
      return refuse("without __opencl_c_atomic_scope_device no barrier orders memory between workgroups");
    return write([`work_group_barrier(${flags}, ${scopeNames[b.scope]})`], {
      requires: ["cl>=2.0", "cl.atomic_scope_device"],
    });
  }
  return write([`barrier(${flags})`]);
}

function writeHlsl(b: BarrierDescriptor, w: BarrierWriting): Written {
  const device = b.memory.global || b.memory.image;
  if (b.order === "seq_cst") return refuse("HLSL has no sequentially consistent fences");
  if (b.execution === "subgroup" && !w.uniform)
    return refuse("HLSL has no wave barrier, and here a workgroup barrier is not reached by all lanes");
  const waits = b.execution !== "none";
  const far = device && (b.scope === "device" || b.scope === "system");
  const stronger =
    b.execution === "subgroup"
      ? { strengthened: "the barrier of the subgroup is one of the workgroup" }
      : !waits && b.order !== "acq_rel"
        ? { strengthened: "the fence acquires and releases" }
        : {};
  // What the functions of shader model 5 say only with more: nothing but waiting, and buffers within the workgroup.
  if (w.has("sm>=6.8") && (device ? !far : !b.memory.workgroup)) {
    const memory = [...(device ? ["UAV_MEMORY"] : []), ...(b.memory.workgroup ? ["GROUP_SHARED_MEMORY"] : [])];
    const semantics = [...(waits ? ["GROUP_SYNC"] : []), ...(device ? ["GROUP_SCOPE"] : [])];
    const call = `Barrier(${memory.join(" | ") || "0"}, ${semantics.join(" | ")})`;
    return write([call], { requires: ["sm>=6.8"], ...stronger });
  }
  const name = device ? (b.memory.workgroup ? "AllMemoryBarrier" : "DeviceMemoryBarrier") : "GroupMemoryBarrier";
  return write([`${name}${waits ? "WithGroupSync" : ""}()`], {
    ...(far ? { coherent: true } : {}),
    ...(!device && !b.memory.workgroup ? { strengthened: "the barrier orders workgroup memory" } : {}),
    ...stronger,
  });
}
