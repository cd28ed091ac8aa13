/**
 * Descriptors as calls of the dialects (memory.md section 4). Writing may strengthen (and says so), never weaken.
 *
 * GLSL's `barrier()` acquires and releases workgroup memory only (glslang: OpControlBarrier Workgroup Workgroup 0x108), and
 * a fence before it releases buffer writes without anything acquiring them afterwards. One `controlBarrier` with buffer
 * semantics (0x148) orders both ways, and GLSL450 modules accept it from vulkan1.1 on; so that is what is written.
 */
import type { BarrierDescriptor, MemoryScope } from "../ast/nodes.js";
import { isSourceDialect, type Dialect, type SourceDialect } from "../dialects/ids.js";
import { languageFacts } from "../dialects/languages.js";
import { i32 } from "../types/types.js";
import { fuseBarriers, withoutCoherentViews, type Memory } from "./barriers.js";
import { instructions, resolveBarrier } from "./read-barriers.js";
import type { BuiltinArgument } from "./row.js";

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
/** Those of calls that are written in a target. */
export const instructionsOf = (dialect: Dialect, calls: readonly string[]): readonly string[] =>
  isSourceDialect(dialect) ? calls.flatMap((call) => instructions[dialect]?.(readCall(dialect, call)) ?? []) : [];
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
