/** One kernel on one Vulkan device: compiled, its interface checked against the module, and run. */
import { DeviceError } from "../failure.js";
import { Releases } from "../ffi.js";
import type { Block, NativeMemory } from "../ffi.js";
import type {
  DeviceKernel,
  DeviceLaunch,
  DeviceOutcome,
  DeviceProgram,
  HlslCompiler,
  InterfaceSlot,
  ScalarLayout,
} from "../kernel.js";
import { readField, readNumber } from "../structures.js";
import { check, vk } from "./api.js";
import type { LogicalDevice } from "./driver.js";
import { lacking } from "./features.js";
import { compileHlsl } from "./hlsl-compiler.js";
import { compileWithGlslang } from "./spirv-compiler.js";
import type { CompiledSpirv } from "./spirv-compiler.js";
import { readSpirv } from "./spirv.js";
import type { SpirvBlock, SpirvModule, SpirvResource } from "./spirv.js";
import * as s from "./structures.js";
import { takes } from "../kernel.js";
import { writingFacts } from "../../dialects/languages.js";

type Descriptor = Extract<InterfaceSlot, { kind: "descriptor" }>;
/** A resource of the module with the slot that fills it. */
interface Bound {
  readonly resource: SpirvResource;
  readonly slot: Descriptor;
  /** Where the compiler has the block's numbers, in order, where that is not where the language has them. */
  readonly moved?: readonly number[];
  /** Bytes that the module reads of a uniform block, which may end after the last value. */
  readonly extent?: number;
}

export function buildProgram(
  logical: LogicalDevice,
  kernel: DeviceKernel,
  hlslCompiler: HlslCompiler | undefined,
): DeviceProgram {
  const { device, call, handle, ffi } = logical;
  if (!takes("vulkan", kernel.language))
    throw new DeviceError("XL7010", "a Vulkan device takes GLSL and HLSL, not OpenCL C");
  const [major, minor] = device.version;
  // For Vulkan 1.3 glslang gives the workgroup's size in a way that needs this feature.
  const newest = device.features.has("maintenance4") ? 3 : 2;
  const environment = `vulkan1.${major > 1 ? newest : Math.min(newest, minor)}`;
  const hlsl = kernel.language === "hlsl";
  const compiled = hlsl ? compileHlsl(kernel, hlslCompiler) : compileWithGlslang(kernel, environment);
  const { words, log } = compiled;
  const module = readSpirv(words);
  const { name, subgroups } = device.info;
  const missing = lacking(module, device.features, subgroups!.operations);
  if (
    /GL_EXT_shader_subgroup_extended_types/.test(kernel.code) &&
    !device.features.has("shaderSubgroupExtendedTypes")
  ) {
    missing.push("the feature shaderSubgroupExtendedTypes");
  }
  if (missing.length > 0)
    throw new DeviceError("XL7004", `${name} lacks ${[...new Set(missing)].join(", ")}, which the kernel needs`);
  if (!subgroups!.stages.includes("compute") && kernel.usesSubgroups)
    throw new DeviceError("XL7004", `${name} has no subgroup operations in compute kernels`);
  const bound = matchInterface(kernel, module, compiled);

  const releases = new Releases();
  try {
    const memory = ffi.memory();
    releases.add(() => memory.free());
    const result = memory.result();
    const code = memory.bytes(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    const shaderInfo = memory.structure(s.VkShaderModuleCreateInfo, {
      codeSize: words.byteLength,
      pCode: code.address,
    });
    check(call.vkCreateShaderModule(handle, shaderInfo.address, 0n, result.address), "vkCreateShaderModule");
    const shader = result.handle();
    releases.add(() => void call.vkDestroyShaderModule(handle, shader, 0n));

    const sets = makeSetLayouts(logical, bound, memory, releases);
    const push = kernel.interface.find((x) => x.kind === "push-constants");
    const pushSize = push ? Math.ceil(push.size / 4) * 4 : 0;
    if (pushSize > device.info.limits.pushConstants!) {
      throw new DeviceError(
        "XL7006",
        `the kernel takes ${pushSize} bytes of push constants, and ${name} has ${device.info.limits.pushConstants}`,
      );
    }
    const range = memory.structure(s.VkPushConstantRange, {
      stageFlags: vk.VK_SHADER_STAGE_COMPUTE_BIT,
      size: pushSize,
    });
    const layoutInfo = memory.structure(s.VkPipelineLayoutCreateInfo, {
      setLayoutCount: sets.length,
      pSetLayouts: memory.pointers(sets).address,
      pushConstantRangeCount: pushSize > 0 ? 1 : 0,
      pPushConstantRanges: range.address,
    });
    check(call.vkCreatePipelineLayout(handle, layoutInfo.address, 0n, result.address), "vkCreatePipelineLayout");
    const layout = result.handle();
    releases.add(() => void call.vkDestroyPipelineLayout(handle, layout, 0n));

    const ready: Ready = { logical, kernel, module, bound, shader, sets, layout, pushSize };
    return {
      info: device.info,
      log,
      ...(hlsl ? { compiler: compiled.compiler } : {}),
      subgroupSize: subgroups!.size!,
      run: (launch) => runKernel(ready, launch),
      release: () => releases.run(),
    };
  } catch (error) {
    releases.run();
    throw error;
  }
}

/** Of each descriptor set up to the highest that the kernel names. */
function makeSetLayouts(
  { call, handle }: LogicalDevice,
  bound: readonly Bound[],
  memory: NativeMemory,
  releases: Releases,
): bigint[] {
  const result = memory.result();
  const setCount = bound.reduce((most, b) => Math.max(most, b.resource.set + 1), 0);
  return Array.from({ length: setCount }, (_, set) => {
    const own = bound.filter((b) => b.resource.set === set && (b.resource.element?.index ?? 0) === 0);
    const bindings = memory.structures(
      s.VkDescriptorSetLayoutBinding,
      own.map(({ resource }) => ({
        binding: resource.binding,
        descriptorCount: resource.element?.count ?? 1,
        stageFlags: vk.VK_SHADER_STAGE_COMPUTE_BIT,
        descriptorType: descriptorType(resource),
      })),
    );
    const info = memory.structure(s.VkDescriptorSetLayoutCreateInfo, {
      bindingCount: own.length,
      pBindings: bindings.address,
    });
    check(call.vkCreateDescriptorSetLayout(handle, info.address, 0n, result.address), "vkCreateDescriptorSetLayout");
    const layout = result.handle();
    releases.add(() => void call.vkDestroyDescriptorSetLayout(handle, layout, 0n));
    return layout;
  });
}

const descriptorTypes = {
  storage: vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
  uniform: vk.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
  texel: vk.VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
} as const;
const usages = {
  storage: vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
  uniform: vk.VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
  texel: vk.VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
} as const;
const descriptorType = (r: SpirvResource): number => descriptorTypes[r.what];

interface Ready {
  readonly logical: LogicalDevice;
  readonly kernel: DeviceKernel;
  readonly module: SpirvModule;
  readonly bound: readonly Bound[];
  readonly shader: bigint;
  readonly sets: readonly bigint[];
  readonly layout: bigint;
  readonly pushSize: number;
}

// ------------------------------------------------------------------ the interface as compiled

/** Several blocks of GLSL may be one buffer; its layout is that of one of them, the others have elements of other types. */
function oneOfEachBinding(resources: SpirvModule["resources"], slots: readonly Descriptor[]): SpirvModule["resources"] {
  const ofBinding = (r: (typeof resources)[number]): (typeof resources)[number][] =>
    resources.filter(
      (b) =>
        b.what === "storage" && b.set === r.set && b.binding === r.binding && b.element?.index === r.element?.index,
    );
  return resources.filter((r) => {
    if (r.what !== "storage") return true;
    const all = ofBinding(r);
    const slot = slots.find((x) => x.set === r.set && x.binding === r.binding);
    const meant = slot && all.find((b) => layoutDifference(slot.layout, b.block) === undefined);
    return r === (meant ?? all[0]);
  });
}

/**
 * Every resource of the module with what fills it. A validator passes a module whose bindings or offsets are not those
 * that were meant; a run of it would be wrong without a word. So the module is read, and a difference is an error.
 */
function matchInterface(kernel: DeviceKernel, module: SpirvModule, compiled: CompiledSpirv): Bound[] {
  const wrong = (message: string): DeviceError => new DeviceError("XL7011", message);
  const slots = kernel.interface.filter((x) => x.kind === "descriptor");
  const read = writingFacts(kernel.language).sharedBindings
    ? oneOfEachBinding(module.resources, slots)
    : module.resources;
  const found = read.map((read): Bound => {
    const name = compiled.names?.get(`${read.set}.${read.binding}`);
    const resource = name === undefined ? read : { ...read, names: [name] };
    const where = `set ${resource.set}, binding ${resource.binding}`;
    const element = resource.element?.index ?? 0;
    const candidates = slots.filter((x) => (x.element ?? 0) === element);
    const numbered = candidates.find((x) => x.set === resource.set && x.binding === resource.binding);
    const slot =
      numbered ?? candidates.find((x) => x.binding === undefined && x.names.some((n) => resource.names.includes(n)));
    if (!slot)
      throw wrong(
        `the compiled kernel has ${resource.names[0] ?? "a resource"} at ${where}, where nothing was meant to be`,
      );
    const what = resource.what === "texel" && compiled.layout === "words" ? "storage" : resource.what;
    if (slot.what !== what)
      throw wrong(
        `'${slot.key}' is a ${resource.what} buffer in the compiled kernel, and a ${slot.what} buffer was meant`,
      );
    const extent = resource.what === "uniform" ? { extent: extentOf(resource.block) } : {};
    if (compiled.layout === "words") {
      if (!isWords(resource)) throw wrong(`'${slot.key}' is no buffer of words in the compiled kernel`);
      return { resource, slot, ...extent };
    }
    const difference = layoutDifference(slot.layout, resource.block);
    // glslang rounds structs in a cbuffer up, as GLSL does and HLSL does not. The host alone sees where values of a
    // block are, so they are put where this module has them.
    const { offsets } = resource.block;
    if (
      difference !== undefined &&
      kernel.language === "hlsl" &&
      slot.what === "uniform" &&
      offsets.length === slot.layout.offsets.length
    ) {
      return { resource, slot, moved: offsets };
    }
    if (difference !== undefined)
      throw wrong(
        `the compiler lays '${slot.names[0] ?? slot.key}' out in another way than the language: ${difference}`,
      );
    return { resource, slot };
  });
  for (const a of found) {
    const twin = found.find(
      (b) =>
        b !== a &&
        (b.slot === a.slot ||
          (b.resource.set === a.resource.set &&
            b.resource.binding === a.resource.binding &&
            b.resource.element?.index === a.resource.element?.index)),
    );
    if (twin)
      throw wrong(`'${a.slot.key}' and '${twin.slot.key}' share set ${a.resource.set}, binding ${a.resource.binding}`);
  }
  const push = kernel.interface.find((x) => x.kind === "push-constants");
  if (module.pushConstants) {
    if (!push) throw wrong("the compiled kernel has push constants, and none were meant");
    const difference = layoutDifference(push.layout, module.pushConstants);
    if (difference !== undefined)
      throw wrong(`the compiler lays the push constants out in another way than the language: ${difference}`);
  }
  const known = [
    ...kernel.interface.flatMap((x) => (x.kind === "specialization" ? [x.id] : [])),
    ...(kernel.workgroupSizeIds ?? []),
  ];
  const unknown = module.specializationIds.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw wrong(`the compiled kernel has a specialisation constant ${unknown}, which was not meant`);
  return found;
}

/** Words in ascending order: what of a word belongs to the next number is written again by that. */
function move(bytes: Uint8Array, from: readonly number[], to: readonly number[]): Uint8Array {
  const moved = new Uint8Array(Math.ceil((to.at(-1)! + 4) / 16) * 16);
  from.forEach((at, i) => moved.set(bytes.subarray(at, at + 4), to[i]));
  return moved;
}

function layoutDifference(meant: ScalarLayout, compiled: SpirvBlock): string | undefined {
  const list = (a: readonly number[], b: readonly number[]): string | undefined => {
    if (a.length !== b.length) return `it has ${b.length} numbers, not ${a.length}`;
    const at = a.findIndex((x, i) => x !== b[i]);
    return at < 0 ? undefined : `a number is at byte ${b[at]}, not ${a[at]}`;
  };
  const fixed = list(meant.offsets, compiled.offsets);
  if (fixed !== undefined) return fixed;
  if (!meant.tail !== !compiled.tail)
    return compiled.tail ? "it ends in an array of any length" : "it has a fixed length";
  if (!meant.tail || !compiled.tail) return undefined;
  if (meant.tail.stride !== compiled.tail.stride)
    return `its elements are ${compiled.tail.stride} bytes apart, not ${meant.tail.stride}`;
  if (meant.tail.offset !== compiled.tail.offset)
    return `its elements start at byte ${compiled.tail.offset}, not ${meant.tail.offset}`;
  return list(meant.tail.offsets, compiled.tail.offsets);
}

/** As modules whose code has the offsets have them: words, texels, constants in vectors of four. */
function isWords({ what, block }: SpirvResource): boolean {
  if (what === "texel") return true;
  const { offsets, tail } = block;
  if (what === "uniform") return tail === undefined && offsets.every((o, i) => o === 4 * i);
  return offsets.length === 0 && tail?.offset === 0 && tail.stride === 4;
}

/** The end of the last number. */
const extentOf = ({ offsets }: SpirvBlock): number => (offsets.at(-1) ?? -4) + 4;

// ------------------------------------------------------------------ a run

function checkLaunch({ logical, kernel }: Ready, launch: DeviceLaunch): void {
  const { limits, name } = logical.device.info;
  const { workgroupSize, workgroups, gridSize } = launch;
  const threads = workgroupSize[0] * workgroupSize[1] * workgroupSize[2];
  if (threads > limits.workgroupInvocations || workgroupSize.some((n, i) => n > limits.workgroupSize[i]!)) {
    throw new DeviceError(
      "XL7006",
      `workgroups of ${workgroupSize.join(" x ")} are too large: ${name} runs workgroups of up to ${limits.workgroupInvocations} invocations`,
    );
  }
  if (kernel.workgroupSize && !kernel.workgroupSizeIds && kernel.workgroupSize.some((n, i) => n !== workgroupSize[i])) {
    throw new DeviceError(
      "XL7006",
      `the kernel is written for workgroups of ${kernel.workgroupSize.join(" x ")}, not ${workgroupSize.join(" x ")}`,
    );
  }
  if (gridSize.some((n, i) => n !== workgroups[i]! * workgroupSize[i]!)) {
    throw new DeviceError("XL7006", "the grid is no multiple of the workgroup, and Vulkan runs whole workgroups only");
  }
  const large = launch.data.find((d) => d.kind === "buffer" && d.bytes.length > limits.bufferBytes);
  if (large)
    throw new DeviceError(
      "XL7006",
      `the buffer '${large.key}' is larger than the ${limits.bufferBytes} bytes that ${name} allows`,
    );
}

interface DeviceBuffer {
  readonly buffer: bigint;
  /** Of texels. */
  readonly view?: bigint;
  /** What the kernel sees of it: `length()` counts from this. */
  readonly range: number;
  readonly bytes: Uint8Array;
}

interface Recorded {
  readonly pipeline: bigint;
  readonly sets: readonly bigint[];
  readonly queries: bigint | undefined;
}

function makeCommands({ call, handle, device }: LogicalDevice, memory: NativeMemory, releases: Releases): bigint {
  const result = memory.result();
  const poolInfo = memory.structure(s.VkCommandPoolCreateInfo, { queueFamilyIndex: device.queueFamily });
  check(call.vkCreateCommandPool(handle, poolInfo.address, 0n, result.address), "vkCreateCommandPool");
  const pool = result.handle();
  releases.add(() => void call.vkDestroyCommandPool(handle, pool, 0n));
  const allocate = memory.structure(s.VkCommandBufferAllocateInfo, {
    commandPool: pool,
    level: vk.VK_COMMAND_BUFFER_LEVEL_PRIMARY,
    commandBufferCount: 1,
  });
  check(call.vkAllocateCommandBuffers(handle, allocate.address, result.address), "vkAllocateCommandBuffers");
  return result.handle();
}

/** The dispatch with what it is given, between time stamps where the queue has them. */
function record(
  { logical, kernel, layout, pushSize }: Ready,
  launch: DeviceLaunch,
  commands: bigint,
  { pipeline, sets, queries }: Recorded,
  memory: NativeMemory,
): void {
  const { call } = logical;
  check(
    call.vkBeginCommandBuffer(
      commands,
      memory.structure(s.VkCommandBufferBeginInfo, {
        flags: vk.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
      }).address,
    ),
    "vkBeginCommandBuffer",
  );
  call.vkCmdBindPipeline(commands, vk.VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  if (sets.length > 0) {
    call.vkCmdBindDescriptorSets(
      commands,
      vk.VK_PIPELINE_BIND_POINT_COMPUTE,
      layout,
      0,
      sets.length,
      memory.pointers(sets).address,
      0,
      0n,
    );
  }
  if (pushSize > 0) {
    const slot = kernel.interface.find((x) => x.kind === "push-constants")!;
    const given = launch.data.find((d) => d.key === slot.key);
    if (given?.kind !== "bytes") throw new Error(`nothing is given for ${slot.key}`);
    const padded = new Uint8Array(pushSize);
    padded.set(given.bytes);
    call.vkCmdPushConstants(
      commands,
      layout,
      vk.VK_SHADER_STAGE_COMPUTE_BIT,
      0,
      pushSize,
      memory.bytes(padded).address,
    );
  }
  if (queries !== undefined) {
    call.vkCmdResetQueryPool(commands, queries, 0, 2);
    call.vkCmdWriteTimestamp(commands, vk.VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  }
  call.vkCmdDispatch(commands, ...launch.workgroups);
  if (queries !== undefined) call.vkCmdWriteTimestamp(commands, vk.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
  const barrier = memory.structure(s.VkMemoryBarrier, {
    srcAccessMask: vk.VK_ACCESS_SHADER_WRITE_BIT,
    dstAccessMask: vk.VK_ACCESS_HOST_READ_BIT,
  });
  call.vkCmdPipelineBarrier(
    commands,
    vk.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
    vk.VK_PIPELINE_STAGE_HOST_BIT,
    0,
    1,
    barrier.address,
    0,
    0n,
    0,
    0n,
  );
  check(call.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

/** Hands the commands to the queue and waits for their end. */
function submit(
  logical: LogicalDevice,
  commands: bigint,
  timeout: number,
  memory: NativeMemory,
  releases: Releases,
): { readonly ended: "done" | "timeout" | "lost"; readonly result: number; readonly milliseconds: number } {
  const { call, handle } = logical;
  const result = memory.result();
  check(call.vkCreateFence(handle, memory.structure(s.VkFenceCreateInfo).address, 0n, result.address), "vkCreateFence");
  const fence = result.handle();
  releases.add(() => void call.vkDestroyFence(handle, fence, 0n));
  const info = memory.structure(s.VkSubmitInfo, {
    commandBufferCount: 1,
    pCommandBuffers: memory.pointers([commands]).address,
  });
  const start = performance.now();
  check(call.vkQueueSubmit(logical.queue, 1, info.address, fence), "vkQueueSubmit");
  const waited = Number(
    call.vkWaitForFences(handle, 1, memory.pointers([fence]).address, 1, BigInt(timeout) * 1_000_000n),
  );
  return {
    ended: waited === vk.VK_TIMEOUT ? "timeout" : waited === vk.VK_ERROR_DEVICE_LOST ? "lost" : "done",
    result: waited,
    milliseconds: performance.now() - start,
  };
}

function runKernel(ready: Ready, launch: DeviceLaunch): DeviceOutcome {
  checkLaunch(ready, launch);
  const { logical, bound } = ready;
  const { ffi, device } = logical;
  const data = new Map(launch.data.map((d) => [d.key, d]));
  const releases = new Releases();
  let stuck = false;
  try {
    const memory = ffi.memory();
    releases.add(() => memory.free());
    const pipeline = makePipeline(ready, launch, memory, releases);

    const buffers = new Map<string, DeviceBuffer>();
    for (const { slot, resource, moved, extent } of bound) {
      const given = data.get(slot.key);
      if (given?.kind !== "buffer" && given?.kind !== "bytes") throw new Error(`nothing is given for ${slot.key}`);
      const content = moved ? move(given.bytes, slot.layout.offsets, moved) : given.bytes;
      const made = makeBuffer(logical, content, resource.what, slot.key, extent ?? 0, memory, releases);
      made.bytes.set(content);
      buffers.set(slot.key, made);
    }
    const sets = makeSets(ready, buffers, memory, releases);

    const queries = device.timestampBits > 0 ? makeQueries(logical, memory, releases) : undefined;
    const commands = makeCommands(logical, memory, releases);
    record(ready, launch, commands, { pipeline, sets, queries }, memory);
    const ran = submit(logical, commands, launch.timeout, memory, releases);
    if (ran.ended !== "done") {
      // Destroying what a running kernel holds is not allowed, and waiting for its end is what has just failed.
      stuck = true;
      logical.abandon();
      if (ran.ended === "timeout")
        throw new DeviceError("XL7007", `the kernel did not end within ${launch.timeout} ms`);
    }
    check(ran.result, "the run of the kernel");
    const kernelMilliseconds = queries === undefined ? ran.milliseconds : readQueries(logical, queries, memory);
    const writable = new Set(launch.data.flatMap((d) => (d.kind === "buffer" && d.writable ? [d.key] : [])));
    const out = new Map<string, Uint8Array>();
    for (const d of launch.data) {
      if (d.kind !== "buffer" || !writable.has(d.key)) continue;
      // What the compiler found to be unused stays as it was.
      out.set(d.key, buffers.get(d.key)?.bytes.slice(0, d.bytes.length) ?? d.bytes.slice());
    }
    return {
      buffers: out,
      kernelMilliseconds,
      subgroupSize: launch.subgroupSize ?? device.info.subgroups!.size!,
      validation: logical.takeMessages(),
    };
  } finally {
    if (!stuck) releases.run();
  }
}

/** Specialised for the launch: constants, sizes of the workgroup, width. */
function makePipeline(
  { logical, kernel, shader, layout, module }: Ready,
  launch: DeviceLaunch,
  memory: NativeMemory,
  releases: Releases,
): bigint {
  const { call, handle, device } = logical;
  const constants: { id: number; bytes: Uint8Array }[] = [];
  for (const slot of kernel.interface) {
    if (slot.kind !== "specialization") continue;
    const given = launch.data.find((d) => d.key === slot.key);
    if (given?.kind === "bytes") constants.push({ id: slot.id, bytes: given.bytes });
  }
  kernel.workgroupSizeIds?.forEach((id, i) => {
    if (id !== undefined)
      constants.push({ id, bytes: new Uint8Array(new Uint32Array([launch.workgroupSize[i]!]).buffer) });
  });
  const values = memory.alloc(8 * Math.max(1, constants.length));
  const entries = memory.structures(
    s.VkSpecializationMapEntry,
    constants.map((c, i) => ({ constantID: c.id, offset: 8 * i, size: c.bytes.length })),
  );
  constants.forEach((c, i) => new Uint8Array(values.view.buffer, values.offset + 8 * i, c.bytes.length).set(c.bytes));
  const specialization = memory.structure(s.VkSpecializationInfo, {
    mapEntryCount: constants.length,
    pMapEntries: entries.address,
    dataSize: 8 * constants.length,
    pData: values.address,
  });

  const { subgroups, name } = device.info;
  let required = 0n;
  let flags = 0;
  const width = launch.subgroupSize;
  if (width !== undefined && subgroups!.selectable && width >= subgroups!.min && width <= subgroups!.max) {
    required = memory.structure(s.VkPipelineShaderStageRequiredSubgroupSizeCreateInfo, {
      requiredSubgroupSize: width,
    }).address;
    // Lanes fill subgroups without gaps only where that is asked for.
    if (device.features.has("computeFullSubgroups") && launch.workgroupSize[0] % width === 0)
      flags = vk.VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  } else if (width !== undefined && width !== subgroups!.size) {
    throw new DeviceError(
      "XL7004",
      `${name} cannot run the kernel at a subgroup width of ${width}: its width is ${subgroups!.size}`,
    );
  }
  const stage = memory.structure(s.VkPipelineShaderStageCreateInfo, {
    pNext: required,
    flags,
    stage: vk.VK_SHADER_STAGE_COMPUTE_BIT,
    module: shader,
    pName: memory.text(module.entries[0] ?? kernel.entry).address,
    pSpecializationInfo: constants.length > 0 ? specialization.address : 0n,
  });
  const info = memory.structure(s.VkComputePipelineCreateInfo, {
    stage: (view, at) =>
      new Uint8Array(view.buffer, at, s.VkPipelineShaderStageCreateInfo.size).set(
        new Uint8Array(stage.view.buffer, stage.offset, s.VkPipelineShaderStageCreateInfo.size),
      ),
    layout,
  });
  const result = memory.result();
  check(call.vkCreateComputePipelines(handle, 0n, 1, info.address, 0n, result.address), "vkCreateComputePipelines");
  const pipeline = result.handle();
  releases.add(() => void call.vkDestroyPipeline(handle, pipeline, 0n));
  return pipeline;
}

/** Memory the host sees: in the device where that can be, else in the host. */
function makeBuffer(
  logical: LogicalDevice,
  content: Uint8Array,
  what: SpirvResource["what"],
  key: string,
  least: number,
  memory: NativeMemory,
  releases: Releases,
): DeviceBuffer {
  const { call, handle, device, ffi } = logical;
  const size = Math.max(16, Math.ceil(Math.max(content.length, least) / 16) * 16);
  const result = memory.result();
  const usage = usages[what];
  check(
    call.vkCreateBuffer(handle, memory.structure(s.VkBufferCreateInfo, { size, usage }).address, 0n, result.address),
    `vkCreateBuffer for '${key}'`,
  );
  const buffer = result.handle();
  releases.add(() => void call.vkDestroyBuffer(handle, buffer, 0n));
  const needs = memory.structure(s.VkMemoryRequirements);
  call.vkGetBufferMemoryRequirements(handle, buffer, needs.address);
  const allocationSize = readField(needs.view, needs.offset, s.VkMemoryRequirements, "size");
  const allowed = readNumber(needs.view, needs.offset, s.VkMemoryRequirements, "memoryTypeBits");
  const visible = vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const wanted = [
    visible | vk.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    visible | vk.VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
    visible,
  ];
  const types = wanted.flatMap((flags) =>
    device.memoryTypes.flatMap((t, i) => ((t & flags) === flags && (allowed & (1 << i)) !== 0 ? [i] : [])),
  );
  let status: number = vk.VK_ERROR_OUT_OF_DEVICE_MEMORY;
  for (const memoryTypeIndex of new Set(types)) {
    status = Number(
      call.vkAllocateMemory(
        handle,
        memory.structure(s.VkMemoryAllocateInfo, { allocationSize, memoryTypeIndex }).address,
        0n,
        result.address,
      ),
    );
    if (status === vk.VK_SUCCESS) break;
  }
  check(status, `vkAllocateMemory for '${key}' (${size} bytes)`);
  const allocation = result.handle();
  releases.add(() => void call.vkFreeMemory(handle, allocation, 0n));
  check(call.vkBindBufferMemory(handle, buffer, allocation, 0n), "vkBindBufferMemory");
  check(call.vkMapMemory(handle, allocation, 0n, BigInt(size), 0, result.address), "vkMapMemory");
  const bytes = new Uint8Array(ffi.view(result.handle(), size));
  releases.add(() => void call.vkUnmapMemory(handle, allocation));
  const range = what === "uniform" ? size : Math.max(4, Math.ceil(content.length / 4) * 4);
  if (what !== "texel") return { buffer, range, bytes };
  if (range / 4 > device.texelElements)
    throw new DeviceError(
      "XL7006",
      `the buffer '${key}' has more than the ${device.texelElements} words that ${device.info.name} reads as texels`,
    );
  const format = vk.VK_FORMAT_R32_UINT;
  const viewInfo = memory.structure(s.VkBufferViewCreateInfo, { buffer, format, offset: 0, range });
  check(call.vkCreateBufferView(handle, viewInfo.address, 0n, result.address), `vkCreateBufferView for '${key}'`);
  const view = result.handle();
  releases.add(() => void call.vkDestroyBufferView(handle, view, 0n));
  return { buffer, range, bytes, view };
}

function makeSets(
  { logical, bound, sets }: Ready,
  buffers: ReadonlyMap<string, DeviceBuffer>,
  memory: NativeMemory,
  releases: Releases,
): bigint[] {
  if (sets.length === 0) return [];
  const { call, handle } = logical;
  const result = memory.result();
  const count = (what: SpirvResource["what"]): number => bound.filter((b) => b.resource.what === what).length;
  const sizes = (["storage", "uniform", "texel"] as const)
    .map((what) => ({
      type: descriptorTypes[what],
      descriptorCount: count(what),
    }))
    .filter((x) => x.descriptorCount > 0);
  const poolInfo = memory.structure(s.VkDescriptorPoolCreateInfo, {
    maxSets: sets.length,
    poolSizeCount: sizes.length,
    pPoolSizes: memory.structures(s.VkDescriptorPoolSize, sizes).address,
  });
  check(call.vkCreateDescriptorPool(handle, poolInfo.address, 0n, result.address), "vkCreateDescriptorPool");
  const pool = result.handle();
  releases.add(() => void call.vkDestroyDescriptorPool(handle, pool, 0n));
  const allocate = memory.structure(s.VkDescriptorSetAllocateInfo, {
    descriptorPool: pool,
    descriptorSetCount: sets.length,
    pSetLayouts: memory.pointers(sets).address,
  });
  const made: Block = memory.alloc(8 * sets.length);
  check(call.vkAllocateDescriptorSets(handle, allocate.address, made.address), "vkAllocateDescriptorSets");
  const handles = sets.map((_, i) => made.view.getBigUint64(made.offset + 8 * i, true));
  const writes = bound.map(({ resource, slot }) => {
    const { buffer, range, view } = buffers.get(slot.key)!;
    const info = memory.structure(s.VkDescriptorBufferInfo, { buffer, range });
    return {
      dstSet: handles[resource.set]!,
      dstBinding: resource.binding,
      dstArrayElement: resource.element?.index ?? 0,
      descriptorCount: 1,
      descriptorType: descriptorType(resource),
      pBufferInfo: info.address,
      pTexelBufferView: view === undefined ? 0n : memory.pointers([view]).address,
    };
  });
  call.vkUpdateDescriptorSets(handle, writes.length, memory.structures(s.VkWriteDescriptorSet, writes).address, 0, 0n);
  return handles;
}

function makeQueries(logical: LogicalDevice, memory: NativeMemory, releases: Releases): bigint {
  const result = memory.result();
  const info = memory.structure(s.VkQueryPoolCreateInfo, {
    queryType: vk.VK_QUERY_TYPE_TIMESTAMP,
    queryCount: 2,
  });
  check(logical.call.vkCreateQueryPool(logical.handle, info.address, 0n, result.address), "vkCreateQueryPool");
  const pool = result.handle();
  releases.add(() => void logical.call.vkDestroyQueryPool(logical.handle, pool, 0n));
  return pool;
}

function readQueries(logical: LogicalDevice, pool: bigint, memory: NativeMemory): number {
  const stamps = memory.alloc(16);
  const flags = vk.VK_QUERY_RESULT_64_BIT | vk.VK_QUERY_RESULT_WAIT_BIT;
  check(
    logical.call.vkGetQueryPoolResults(logical.handle, pool, 0, 2, 16n, stamps.address, 8n, flags),
    "vkGetQueryPoolResults",
  );
  const ticks = stamps.view.getBigUint64(stamps.offset + 8, true) - stamps.view.getBigUint64(stamps.offset, true);
  return (Number(ticks) * logical.device.timestampPeriod) / 1e6;
}
