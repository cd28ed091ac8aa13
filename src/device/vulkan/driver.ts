/** Compute kernels as SPIR-V on whatever Vulkan drivers there are. */
import type { DriverOptions } from "../drivers.js";
import { DeviceError } from "../failure.js";
import { Releases } from "../ffi.js";
import type { Ffi, NativeMemory } from "../ffi.js";
import type { DeviceKernel, Driver } from "../kernel.js";
import { readField, readText } from "../structures.js";
import { check, functions, libraries, vk } from "./api.js";
import { baseFeatures, featureGroups } from "./features.js";
import { describeDevice, versionOf } from "./info.js";
import type { Vk, VkDevice } from "./info.js";
import { buildProgram } from "./program.js";
import * as s from "./structures.js";

const validationLayer = "VK_LAYER_KHRONOS_validation";

/** A logical device; made when the first kernel is built for it. */
export interface LogicalDevice {
  readonly ffi: Ffi;
  readonly call: Vk;
  readonly device: VkDevice;
  readonly handle: bigint;
  readonly queue: bigint;
  /** Messages of the validation layer since they were last asked for. */
  takeMessages(): string[];
  /** After a loss or a kernel that does not end nothing of it can be used or released. */
  abandon(): void;
}

export function openVulkan(ffi: Ffi, options: DriverOptions): Driver {
  const library = ffi.open(libraries[process.platform] ?? [], functions);
  if (!library) {
    throw new DeviceError("XL7002", "there is no Vulkan loader on this machine", {
      help: "on Debian: apt-get install libvulkan1, and a driver such as mesa-vulkan-drivers",
    });
  }
  const { call } = library;
  const releases = new Releases();
  try {
    const validate = options.validate ?? false;
    const { instance, takeMessages } = createInstance(ffi, call, validate, releases);
    const devices = physicalDevices(ffi, call, instance)
      .map((handle) => handle)
      .reduce<VkDevice[]>(
        (list, handle) => [...list, ...[describeDevice(ffi, call, handle, list.length)].filter((d) => d !== undefined)],
        [],
      );
    const logical = new Map<number, { device: LogicalDevice; release: () => void }>();
    let abandoned = false;
    const deviceAt = (index: number): LogicalDevice => {
      const found = logical.get(index);
      if (found) return found.device;
      const made = createDevice(ffi, call, devices[index]!);
      const device: LogicalDevice = {
        ffi,
        call,
        takeMessages,
        device: devices[index]!,
        handle: made.handle,
        queue: made.queue,
        abandon() {
          abandoned = true;
          logical.delete(index);
        },
      };
      logical.set(index, { device, release: () => void call.vkDestroyDevice(made.handle, 0n) });
      return device;
    };
    return {
      devices: devices.map((d) => d.info),
      build: (index, kernel: DeviceKernel) => buildProgram(deviceAt(index), kernel, options.hlslCompiler),
      release() {
        for (const { release } of logical.values()) release();
        logical.clear();
        if (!abandoned) releases.run();
      },
    };
  } catch (error) {
    releases.run();
    throw error;
  }
}

function createInstance(
  ffi: Ffi,
  call: Vk,
  validate: boolean,
  releases: Releases,
): { instance: bigint; takeMessages: () => string[] } {
  const memory = ffi.memory();
  try {
    const loader = memory.result();
    call.vkEnumerateInstanceVersion(loader.address);
    const [major, minor] = versionOf(loader.number());
    // The newest that is known here; drivers may be older.
    const wanted = major > 1 || minor >= 3 ? [1, 3] : [major, minor];
    if (validate && !layerNames(call, memory).includes(validationLayer)) {
      throw new DeviceError("XL7012", `the validation layer ${validationLayer} is not installed`, {
        help: "on Debian: apt-get install vulkan-validationlayers",
      });
    }
    const application = memory.structure(s.VkApplicationInfo, {
      pApplicationName: memory.text("crosslane").address,
      apiVersion: (wanted[0]! << 22) | (wanted[1]! << 12),
    });
    const layers = validate ? [validationLayer] : [];
    const extensions = validate ? ["VK_EXT_debug_utils"] : [];
    const info = memory.structure(s.VkInstanceCreateInfo, {
      pApplicationInfo: application.address,
      enabledLayerCount: layers.length,
      ppEnabledLayerNames: memory.texts(layers).address,
      enabledExtensionCount: extensions.length,
      ppEnabledExtensionNames: memory.texts(extensions).address,
    });
    const result = memory.result();
    const status = Number(call.vkCreateInstance(info.address, 0n, result.address));
    if (status === -9)
      throw new DeviceError("XL7002", "there is no Vulkan driver on this machine", {
        help: "on Debian: apt-get install mesa-vulkan-drivers",
      });
    check(status, "vkCreateInstance");
    const instance = result.handle();
    releases.add(() => void call.vkDestroyInstance(instance, 0n));
    const messages: string[] = [];
    if (validate) watch(ffi, call, instance, memory, releases, messages);
    return { instance, takeMessages: () => messages.splice(0) };
  } finally {
    memory.free();
  }
}

function layerNames(call: Vk, memory: NativeMemory): string[] {
  const count = memory.result();
  call.vkEnumerateInstanceLayerProperties(count.address, 0n);
  const list = memory.alloc(Math.max(1, count.number()) * s.VkLayerProperties.size);
  call.vkEnumerateInstanceLayerProperties(count.address, list.address);
  return Array.from({ length: count.number() }, (_, i) =>
    readText(list.view, list.offset + i * s.VkLayerProperties.size, s.VkLayerProperties, "layerName"),
  );
}

/** Collects what the validation layer says. */
function watch(
  ffi: Ffi,
  call: Vk,
  instance: bigint,
  memory: NativeMemory,
  releases: Releases,
  messages: string[],
): void {
  const data = s.VkDebugUtilsMessengerCallbackDataEXT;
  const callback = ffi.callback("u32(u32, u32, ptr, ptr)", (_severity, _types, address) => {
    const view = new DataView(ffi.view(BigInt(address), data.size));
    messages.push(ffi.text(BigInt(readField(view, 0, data, "pMessage"))));
    return 0;
  });
  const proc = (name: string, signature: string): ReturnType<Ffi["at"]> =>
    ffi.at(BigInt(call.vkGetInstanceProcAddr(instance, memory.text(name).address)), signature);
  const create = proc("vkCreateDebugUtilsMessengerEXT", "i32(ptr, ptr, ptr, ptr)");
  const destroy = proc("vkDestroyDebugUtilsMessengerEXT", "void(ptr, ptr, ptr)");
  const info = memory.structure(s.VkDebugUtilsMessengerCreateInfoEXT, {
    messageSeverity:
      vk.VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | vk.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
    messageType: vk.VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | vk.VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
    pfnUserCallback: callback.address,
  });
  const result = memory.result();
  check(create(instance, info.address, 0n, result.address), "vkCreateDebugUtilsMessengerEXT");
  const messenger = result.handle();
  releases.add(() => {
    destroy(instance, messenger, 0n);
    callback.release();
  });
}

function physicalDevices(ffi: Ffi, call: Vk, instance: bigint): bigint[] {
  const memory = ffi.memory();
  try {
    const count = memory.result();
    const status = Number(call.vkEnumeratePhysicalDevices(instance, count.address, 0n));
    // Loaders say so where no driver can be started.
    if (status === -3) return [];
    check(status, "vkEnumeratePhysicalDevices");
    const list = memory.pointers(new Array<bigint>(count.number()).fill(0n));
    if (count.number() > 0)
      check(call.vkEnumeratePhysicalDevices(instance, count.address, list.address), "vkEnumeratePhysicalDevices");
    return Array.from({ length: count.number() }, (_, i) => list.view.getBigUint64(list.offset + 8 * i, true));
  } finally {
    memory.free();
  }
}

/** With every feature a kernel may need that the device has. */
function createDevice(ffi: Ffi, call: Vk, device: VkDevice): { handle: bigint; queue: bigint } {
  const memory = ffi.memory();
  try {
    let next = 0n;
    for (const group of featureGroups) {
      const on = group.features.filter((f) => device.features.has(f));
      if (on.length === 0) continue;
      next = memory.structure(group.structure, {
        pNext: next,
        ...Object.fromEntries(on.map((f) => [f, 1])),
      }).address;
    }
    const features = memory.structure(s.VkPhysicalDeviceFeatures2, { pNext: next });
    const at = features.offset + s.VkPhysicalDeviceFeatures2.fields.features.offset;
    for (const f of baseFeatures) {
      if (device.features.has(f)) features.view.setUint32(at + s.VkPhysicalDeviceFeatures.fields[f].offset, 1, true);
    }
    const priority = memory.alloc(4);
    priority.view.setFloat32(priority.offset, 1, true);
    const queueInfo = memory.structure(s.VkDeviceQueueCreateInfo, {
      queueFamilyIndex: device.queueFamily,
      queueCount: 1,
      pQueuePriorities: priority.address,
    });
    const info = memory.structure(s.VkDeviceCreateInfo, {
      pNext: features.address,
      queueCreateInfoCount: 1,
      pQueueCreateInfos: queueInfo.address,
      enabledExtensionCount: device.extensions.length,
      ppEnabledExtensionNames: memory.texts(device.extensions).address,
    });
    const result = memory.result();
    check(call.vkCreateDevice(device.handle, info.address, 0n, result.address), "vkCreateDevice");
    const queue = memory.result();
    call.vkGetDeviceQueue(result.handle(), device.queueFamily, 0, queue.address);
    return { handle: result.handle(), queue: queue.handle() };
  } finally {
    memory.free();
  }
}
