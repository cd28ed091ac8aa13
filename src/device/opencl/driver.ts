/** OpenCL C on whatever OpenCL drivers there are. */
import { DeviceError } from "../failure.js";
import { Releases } from "../ffi.js";
import type { Ffi } from "../ffi.js";
import type { DeviceKernel, DeviceLaunch, DeviceOutcome, DeviceProgram, Driver, WorkgroupShape } from "../kernel.js";
import { pause } from "../pause.js";
import { cl, errorName, functions, libraries } from "./api.js";
import { describeDevice, numberOf, readProperty, textOf } from "./info.js";
import type { Cl, ClDevice } from "./info.js";
import { parseBuildLog } from "./log.js";
import type { DriverOptions } from "../drivers.js";
import { takes } from "../kernel.js";

export function openOpenCl(ffi: Ffi, { optimize = true }: DriverOptions = {}): Driver {
  const library = ffi.open(libraries[process.platform] ?? [], functions);
  if (!library) {
    throw new DeviceError("XL7002", "there is no OpenCL loader on this machine", {
      help: "on Debian: apt-get install ocl-icd-libopencl1, and a driver such as pocl-opencl-icd",
    });
  }
  const { call } = library;
  const devices = platforms(ffi, call).flatMap((platform) =>
    devicesOf(ffi, call, platform).map((id) => ({ platform, id })),
  );
  const described = devices.map(({ platform, id }, index) => describeDevice(ffi, call, platform, id, index));
  const contexts = new Contexts(ffi, call);
  return {
    devices: described.map((d) => d.info),
    build: (index, kernel) => buildProgram(ffi, call, contexts, described[index]!, kernel, optimize),
    release: () => contexts.release(),
  };
}

/**
 * A context for each device, made for its first program and kept for those after it: what a driver loads for a context goes with
 * it, and PoCL takes longer to load its library of builtin functions than to compile a kernel. What is made in a context keeps it
 * (OpenCL 3.0 API, 4.4, clReleaseContext).
 */
class Contexts {
  private readonly known = new Map<bigint, bigint>();

  constructor(
    private readonly ffi: Ffi,
    private readonly call: Cl,
  ) {}

  of({ id }: ClDevice): bigint {
    const found = this.known.get(id);
    if (found !== undefined) return found;
    const memory = this.ffi.memory();
    try {
      const status = memory.result();
      const made = this.call.clCreateContext(0n, 1, memory.pointers([id]).address, 0n, 0n, status.address);
      check(status.view.getInt32(status.offset, true), "clCreateContext");
      this.known.set(id, BigInt(made));
      return BigInt(made);
    } finally {
      memory.free();
    }
  }

  /** A kernel failed, after which some drivers do nothing more in its context: programs to come have another one. */
  leave({ id }: ClDevice): void {
    const context = this.known.get(id);
    this.known.delete(id);
    if (context !== undefined) this.call.clReleaseContext(context);
  }

  release(): void {
    for (const context of this.known.values()) this.call.clReleaseContext(context);
    this.known.clear();
  }
}

function platforms(ffi: Ffi, call: Cl): bigint[] {
  const memory = ffi.memory();
  try {
    const count = memory.result();
    const status = Number(call.clGetPlatformIDs(0, 0n, count.address));
    if (status === cl.CL_PLATFORM_NOT_FOUND_KHR) return [];
    check(status, "clGetPlatformIDs");
    const list = memory.pointers(new Array<bigint>(count.number()).fill(0n));
    if (count.number() > 0) check(call.clGetPlatformIDs(count.number(), list.address, 0n), "clGetPlatformIDs");
    return Array.from({ length: count.number() }, (_, i) => list.view.getBigUint64(list.offset + 8 * i, true));
  } finally {
    memory.free();
  }
}

function devicesOf(ffi: Ffi, call: Cl, platform: bigint): bigint[] {
  const memory = ffi.memory();
  try {
    const count = memory.result();
    const status = Number(call.clGetDeviceIDs(platform, cl.CL_DEVICE_TYPE_ALL, 0, 0n, count.address));
    if (status === cl.CL_DEVICE_NOT_FOUND) return [];
    check(status, "clGetDeviceIDs");
    const list = memory.pointers(new Array<bigint>(count.number()).fill(0n));
    check(call.clGetDeviceIDs(platform, cl.CL_DEVICE_TYPE_ALL, count.number(), list.address, 0n), "clGetDeviceIDs");
    return Array.from({ length: count.number() }, (_, i) => list.view.getBigUint64(list.offset + 8 * i, true));
  } finally {
    memory.free();
  }
}

function check(status: number | bigint, what: string): void {
  const code = Number(status);
  if (code !== cl.CL_SUCCESS)
    throw new DeviceError("XL7008", `the OpenCL driver failed: ${what} gave ${errorName(code)}`);
}

/** What was an extension and is a feature of OpenCL C 3.0: one of them will do. */
const featureOf: Readonly<Record<string, readonly string[]>> = {
  cl_khr_subgroups: ["cl_khr_subgroups", "__opencl_c_subgroups"],
  cl_khr_fp64: ["cl_khr_fp64", "__opencl_c_fp64"],
};

/** Features of OpenCL C 3.0 that no pragma turns on, by the functions they bring; a device of 2.x has them all. */
const featuresByUse: readonly (readonly [string, RegExp])[] = [
  ["__opencl_c_work_group_collective_functions", /\bwork_group_(all|any|broadcast|(reduce|scan)_\w+)\s*\(/],
];

/** Extensions a text turns on, and features it uses, that the device has not. */
function missingExtensions(kernel: DeviceKernel, device: ClDevice): string[] {
  const enabled = [
    ...kernel.code.matchAll(/^[ \t]*#[ \t]*pragma[ \t]+OPENCL[ \t]+EXTENSION[ \t]+(\w+)[ \t]*:[ \t]*enable/gm),
  ].map((m) => m[1]!);
  const listsFeatures = device.info.extensions.some((n) => n.startsWith("__opencl_c_"));
  const used = listsFeatures ? featuresByUse.filter(([, use]) => use.test(kernel.code)).map(([name]) => name) : [];
  return [...new Set([...enabled, ...used])]
    .filter((name) => name !== "all" && !(featureOf[name] ?? [name]).some((n) => device.info.extensions.includes(n)))
    .sort();
}

/** What the kernel needs of the device. */
function requireParts(device: ClDevice, kernel: DeviceKernel): void {
  const missing = missingExtensions(kernel, device);
  if (missing.length > 0)
    throw new DeviceError("XL7004", `${device.info.name} has no ${missing.join(", ")}, which the kernel needs`);
  if (kernel.cxx && !device.info.extensions.includes("cl_ext_cxx_for_opencl"))
    throw new DeviceError(
      "XL7004",
      `${device.info.name} has no cl_ext_cxx_for_opencl, which C++ for OpenCL needs: its translation to OpenCL C runs there`,
    );
  if (kernel.usesSubgroups && !device.info.subgroups) {
    throw new DeviceError("XL7004", `${device.info.name} has no sub-groups, which the kernel needs`);
  }
}

function buildProgram(
  ffi: Ffi,
  call: Cl,
  contexts: Contexts,
  device: ClDevice,
  kernel: DeviceKernel,
  optimize: boolean,
): DeviceProgram {
  if (!takes("opencl", kernel.language)) {
    throw new DeviceError("XL7010", `an OpenCL device takes OpenCL C, not ${kernel.language.toUpperCase()}`);
  }
  requireParts(device, kernel);
  const releases = new Releases();
  try {
    const memory = ffi.memory();
    releases.add(() => memory.free());
    const status = memory.result();
    const made = (handle: number | bigint, what: string): bigint => {
      check(status.view.getInt32(status.offset, true), what);
      return BigInt(handle);
    };
    const ids = memory.pointers([device.id]);
    const context = contexts.of(device);
    const text = memory.texts([withMacros(kernel)]);
    const program = made(
      call.clCreateProgramWithSource(context, 1, text.address, 0n, status.address),
      "clCreateProgramWithSource",
    );
    releases.add(() => void call.clReleaseProgram(program));

    const exact = device.info.float.includes("correctly rounded division and square root")
      ? ["-cl-fp32-correctly-rounded-divide-sqrt"]
      : [];
    const plain = optimize ? [] : ["-cl-opt-disable"];
    const options = memory.text(
      [
        `-cl-std=${kernel.cxx ? `CLC++${kernel.cxx}` : `CL${device.languageVersion}`}`,
        "-cl-kernel-arg-info",
        ...exact,
        ...plain,
      ].join(" "),
    );
    const built = Number(call.clBuildProgram(program, 1, ids.address, options.address, 0n, 0n));
    const log = textOf(
      readProperty(memory, (size, value, out) =>
        Number(call.clGetProgramBuildInfo(program, device.id, cl.CL_PROGRAM_BUILD_LOG, size, value, out)),
      ),
    );
    const lines = parseBuildLog(log);
    if (built !== cl.CL_SUCCESS) {
      throw new DeviceError("XL7005", `the compiler of ${device.info.name} refuses the kernel (${errorName(built)})`, {
        log: lines,
        notes: lines.some((l) => l.severity === "error") ? [] : log.split("\n").slice(0, 20),
      });
    }
    const handle = made(
      call.clCreateKernel(program, memory.text(kernel.entry).address, status.address),
      "clCreateKernel",
    );
    releases.add(() => void call.clReleaseKernel(handle));
    const parameters = numberOf(
      readProperty(memory, (size, value, out) =>
        Number(call.clGetKernelInfo(handle, cl.CL_KERNEL_NUM_ARGS, size, value, out)),
      ),
    );
    if (parameters !== kernel.interface.length) {
      throw new DeviceError(
        "XL7011",
        `the driver sees ${parameters} parameters of '${kernel.entry}', and ${kernel.interface.length} were meant`,
      );
    }
    const queue = made(
      call.clCreateCommandQueue(context, device.id, cl.CL_QUEUE_PROFILING_ENABLE, status.address),
      "clCreateCommandQueue",
    );
    releases.add(() => void call.clReleaseCommandQueue(queue));
    return {
      info: device.info,
      log: lines,
      widthIn: (workgroup) => {
        if (!device.info.subgroups) return undefined;
        const own = ffi.memory();
        try {
          return subgroupSizeOf(call, device, handle, workgroup, own);
        } finally {
          own.free();
        }
      },
      run: (launch) =>
        runKernel(ffi, call, device, kernel, { context, queue, handle, failed: () => contexts.leave(device) }, launch),
      release: () => releases.run(),
    };
  } catch (error) {
    releases.run();
    throw error;
  }
}

interface Ready {
  readonly context: bigint;
  readonly queue: bigint;
  readonly handle: bigint;
  /** Is told where the device fails, as opposed to launches that are too large for it. */
  readonly failed: () => void;
}

function runKernel(
  ffi: Ffi,
  call: Cl,
  device: ClDevice,
  kernel: DeviceKernel,
  { context, queue, handle, failed }: Ready,
  launch: DeviceLaunch,
): DeviceOutcome {
  const releases = new Releases();
  const memory = ffi.memory();
  releases.add(() => memory.free());
  let stuck = false;
  let begun = false;
  try {
    checkSizes(call, device, handle, launch, memory, kernel);
    begun = true;
    const status = memory.result();
    const buffers = new Map<string, { buffer: bigint; bytes: Uint8Array }>();
    for (const slot of kernel.interface) {
      if (slot.kind !== "argument") throw new Error(`${slot.key} is no parameter of an OpenCL kernel`);
      const data = launch.data.find((d) => d.key === slot.key);
      if (!data) throw new Error(`nothing is given for ${slot.key}`);
      let result: number | bigint;
      if (data.kind === "workgroup") {
        result = call.clSetKernelArg(handle, slot.index, BigInt(data.byteLength), 0n);
      } else if (data.kind === "bytes") {
        result = call.clSetKernelArg(handle, slot.index, BigInt(data.bytes.length), memory.bytes(data.bytes).address);
      } else {
        const flags = data.writable ? cl.CL_MEM_READ_WRITE : cl.CL_MEM_READ_ONLY;
        const buffer = BigInt(
          call.clCreateBuffer(context, flags, BigInt(Math.max(4, data.bytes.length)), 0n, status.address),
        );
        check(
          status.view.getInt32(status.offset, true),
          `clCreateBuffer for '${slot.key}' (${data.bytes.length} bytes)`,
        );
        releases.add(() => void call.clReleaseMemObject(buffer));
        if (data.bytes.length > 0) {
          check(
            call.clEnqueueWriteBuffer(queue, buffer, 1, 0n, BigInt(data.bytes.length), data.bytes, 0, 0n, 0n),
            "clEnqueueWriteBuffer",
          );
        }
        if (data.writable) buffers.set(slot.key, { buffer, bytes: new Uint8Array(data.bytes.length) });
        result = call.clSetKernelArg(handle, slot.index, 8n, memory.pointers([buffer]).address);
      }
      check(result, `clSetKernelArg for '${slot.key}'`);
    }
    const sizes = (list: readonly number[]): bigint =>
      memory.pointers(list.slice(0, launch.dimensions).map(BigInt)).address;
    const event = memory.result();
    check(
      call.clEnqueueNDRangeKernel(
        queue,
        handle,
        launch.dimensions,
        sizes(launch.gridOffset),
        sizes(launch.gridSize),
        sizes(launch.workgroupSize),
        0,
        0n,
        event.address,
      ),
      "clEnqueueNDRangeKernel",
    );
    releases.add(() => void call.clReleaseEvent(event.handle()));
    check(call.clFlush(queue), "clFlush");
    if (!waitFor(call, event.handle(), launch.timeout, memory)) {
      // Releasing what a running kernel holds would wait for its end.
      stuck = true;
      throw new DeviceError("XL7007", `the kernel did not end within ${launch.timeout} ms`);
    }
    for (const { buffer, bytes } of buffers.values()) {
      if (bytes.length > 0)
        check(
          call.clEnqueueReadBuffer(queue, buffer, 1, 0n, BigInt(bytes.length), bytes, 0, 0n, 0n),
          "clEnqueueReadBuffer",
        );
    }
    const stamp = (what: number): bigint => {
      const value = memory.result();
      return Number(call.clGetEventProfilingInfo(event.handle(), what, 8n, value.address, 0n)) === cl.CL_SUCCESS
        ? value.handle()
        : 0n;
    };
    const kernelMilliseconds = Number(stamp(cl.CL_PROFILING_COMMAND_END) - stamp(cl.CL_PROFILING_COMMAND_START)) / 1e6;
    const subgroupSize = device.info.subgroups ? subgroupSizeOf(call, device, handle, launch, memory) : undefined;
    return {
      buffers: new Map([...buffers].map(([key, { bytes }]) => [key, bytes])),
      kernelMilliseconds,
      validation: [],
      ...(subgroupSize ? { subgroupSize } : {}),
    };
  } catch (error) {
    if (begun) failed();
    throw error;
  } finally {
    if (!stuck) releases.run();
  }
}

/** Limits are asked first: what a driver says of a launch that is too large is seldom clear. */
function checkSizes(
  call: Cl,
  device: ClDevice,
  handle: bigint,
  launch: DeviceLaunch,
  memory: ReturnType<Ffi["memory"]>,
  kernel: DeviceKernel,
): void {
  const { limits, name } = device.info;
  const threads = launch.workgroupSize[0] * launch.workgroupSize[1] * launch.workgroupSize[2];
  const own = numberOf(
    readProperty(memory, (size, value, out) =>
      Number(call.clGetKernelWorkGroupInfo(handle, device.id, cl.CL_KERNEL_WORK_GROUP_SIZE, size, value, out)),
    ),
  );
  const most = own > 0 ? Math.min(own, limits.workgroupInvocations) : limits.workgroupInvocations;
  if (threads > most || launch.workgroupSize.some((n, i) => n > limits.workgroupSize[i]!)) {
    throw new DeviceError(
      "XL7006",
      `workgroups of ${launch.workgroupSize.join(" x ")} are too large: ${name} runs '${kernel.entry}' in workgroups of up to ${most} invocations`,
    );
  }
  const inKernel = numberOf(
    readProperty(memory, (size, value, out) =>
      Number(call.clGetKernelWorkGroupInfo(handle, device.id, cl.CL_KERNEL_LOCAL_MEM_SIZE, size, value, out)),
    ),
  );
  // Drivers differ in whether arguments set before count here; the larger sum is too much only if the smaller is.
  const asked = launch.data.reduce((sum, d) => sum + (d.kind === "workgroup" ? d.byteLength : 0), 0);
  if (Math.max(asked, inKernel) > limits.workgroupMemory) {
    throw new DeviceError(
      "XL7006",
      `'${kernel.entry}' takes ${Math.max(asked, inKernel)} bytes of workgroup memory, and ${name} has ${limits.workgroupMemory}`,
    );
  }
  const tooLarge = launch.data.find((d) => d.kind === "buffer" && d.bytes.length > limits.bufferBytes);
  if (tooLarge)
    throw new DeviceError(
      "XL7006",
      `the buffer '${tooLarge.key}' is larger than the ${limits.bufferBytes} bytes that ${name} allows`,
    );
  const partial = launch.gridSize.some((n, i) => n % launch.workgroupSize[i]! !== 0);
  if (partial && !device.nonUniformWorkgroups) {
    throw new DeviceError("XL7006", `the grid is no multiple of the workgroup, and ${name} runs whole workgroups only`);
  }
}

/** Whether the command completed in time. */
function waitFor(call: Cl, event: bigint, timeout: number, memory: ReturnType<Ffi["memory"]>): boolean {
  const start = performance.now();
  const status = memory.result();
  for (let wait = 0; ; wait = Math.min(20, wait + 0.25)) {
    check(call.clGetEventInfo(event, cl.CL_EVENT_COMMAND_EXECUTION_STATUS, 4n, status.address, 0n), "clGetEventInfo");
    const state = status.view.getInt32(status.offset, true);
    if (state < 0) throw new DeviceError("XL7008", `the kernel failed on the device: ${errorName(state)}`);
    if (state === cl.CL_COMPLETE) return true;
    if (performance.now() - start > timeout) return false;
    pause(wait);
  }
}

/** Drivers differ in how they take blanks and parentheses after -D; the text says it to all of them alike. */
function withMacros({ code, defines }: DeviceKernel): string {
  const lines = Object.entries(defines).map(([name, value]) => `#define ${name} ${value.replace(/\s+/g, " ")}\n`);
  return lines.length === 0 ? code : `${lines.join("")}#line 1\n${code}`;
}

function subgroupSizeOf(
  call: Cl,
  device: ClDevice,
  handle: bigint,
  launch: WorkgroupShape,
  memory: ReturnType<Ffi["memory"]>,
): number | undefined {
  const local = memory.pointers(launch.workgroupSize.slice(0, launch.dimensions).map(BigInt));
  const value = memory.result();
  try {
    const what = cl.CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
    const status = call.clGetKernelSubGroupInfo(
      handle,
      device.id,
      what,
      BigInt(8 * launch.dimensions),
      local.address,
      8n,
      value.address,
      0n,
    );
    return Number(status) === cl.CL_SUCCESS ? Number(value.handle()) : undefined;
  } catch (error) {
    // Loaders before OpenCL 2.1 have no such function.
    if (error instanceof DeviceError) return undefined;
    throw error;
  }
}
