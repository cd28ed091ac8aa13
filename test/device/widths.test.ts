/** Drivers that decide a kernel's subgroup width by its workgroup: the simulator runs at what the driver answers. */
import { expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { verifyOnDevice } from "../../src/api/device.js";
import { prepareVerification } from "../../src/api/verify.js";
import type { DeviceConnection } from "../../src/device/connection.js";
import type { DeviceInfo, DeviceKernel } from "../../src/device/kernel.js";
import { parseLaunchFile } from "../../src/launch/launch-file.js";

const source = `kernel void k(global uint *x) {
  x[get_global_id(0)] = sub_group_reduce_add(x[get_global_id(0)]);
}
`;

/** As PoCL 5 has it: no list of widths, and a subgroup is a row of the workgroup. `built` gets the texts it was given. */
function rows(selectable: boolean, built: DeviceKernel[], widthOf = (size: number): number => size): DeviceConnection {
  const info: DeviceInfo = {
    api: "opencl",
    index: 0,
    name: "rows",
    vendor: "",
    driver: "",
    version: "",
    kind: "CPU",
    languages: ["opencl"],
    types: [],
    subgroups: { min: 1, max: 128, operations: ["basic", "arithmetic"], stages: ["compute"], selectable },
    limits: {
      workgroupInvocations: 1024,
      workgroupSize: [1024, 1024, 1024],
      workgroupMemory: 32768,
      bufferBytes: 2 ** 30,
    },
    extensions: ["cl_khr_subgroups"],
    report: {},
    float: [],
  };
  const asked = (text: string): number | undefined => {
    const n = /intel_reqd_sub_group_size\((\d+)\)/.exec(text)?.[1];
    return n === undefined ? undefined : Number(n);
  };
  return {
    info,
    build(kernel) {
      built.push(kernel);
      const width = (size: number): number => asked(kernel.code) ?? widthOf(size);
      return Promise.resolve({
        log: [],
        widthIn: ({ workgroupSize }) => Promise.resolve(width(workgroupSize[0])),
        run(launch) {
          const [x] = launch.data;
          if (x?.kind !== "buffer") throw new Error("one buffer");
          const values = new Uint32Array(x.bytes.slice().buffer);
          const n = width(launch.workgroupSize[0]);
          for (let at = 0; at < values.length; at += n) {
            const sum = values.slice(at, at + n).reduce((a, b) => a + b, 0);
            values.fill(sum, at, at + n);
          }
          return Promise.resolve({
            buffers: new Map([[x.key, new Uint8Array(values.buffer)]]),
            kernelMilliseconds: 0,
            validation: [],
          });
        },
        release: () => Promise.resolve(),
      });
    },
    close: () => Promise.resolve(),
  };
}

async function onRows(connection: DeviceConnection, what: "source" | "opencl", widths?: readonly number[]) {
  const compilation = await compile(source, { from: "opencl", fileName: "k.cl" });
  const { launch } = parseLaunchFile(
    JSON.stringify({
      workgroups: [2],
      workgroupSize: [16],
      ...(widths ? { subgroupSizes: widths } : {}),
      args: { x: { type: "u32", count: 32, init: { iota: { start: 1, step: 1 } }, output: true } },
    }),
    "launch.json",
  );
  const { ready } = await prepareVerification(compilation, {
    launches: [{ launch: launch! }],
    subgroupSizes: [32],
    seeds: 1,
  });
  return (await verifyOnDevice(ready!, what, connection, {})).verified.result;
}

test("the source runs at the width the driver answers", async () => {
  const result = await onRows(rows(false, []), "source");
  expect(result.result).toBe("equivalent");
  expect(result.runs.map((r) => r.subgroupSize)).toEqual([16]);
});

test("a width that is asked for in the text", async () => {
  const built: DeviceKernel[] = [];
  const result = await onRows(rows(true, built), "opencl", [8]);
  expect(built[0]!.code).toContain("__attribute__((intel_reqd_sub_group_size(8)))");
  expect(result.result).toBe("equivalent");
  expect(result.runs.map((r) => r.subgroupSize)).toEqual([8]);
});

test("a width the kernel is not meant for, and one no simulator has", async () => {
  const other = await onRows(rows(false, []), "source", [32]);
  expect(other.diagnostics[0]).toMatchObject({
    code: "XL7004",
    message: "the kernel is meant for subgroup widths 32, and rows has 16",
  });
  const odd = await onRows(
    rows(false, [], () => 12),
    "source",
  );
  expect(odd.diagnostics[0]!.message).toBe("rows runs the kernel in subgroups of 12, which the simulator has not");
});

test("bytes of the last word that the launch does not have are no part of what a device gives back", async () => {
  const bytes = "__kernel void k(__global uchar *x) { x[0] = x[0] + 1; }";
  const compilation = await compile(bytes, { from: "opencl", fileName: "k.cl" });
  const { launch } = parseLaunchFile(
    JSON.stringify({
      workgroups: [1],
      workgroupSize: [1],
      args: { x: { type: "u8", count: 1, init: { fill: 4 }, output: true } },
    }),
    "launch.json",
  );
  const { ready } = await prepareVerification(compilation, {
    launches: [{ launch: launch! }],
    subgroupSizes: [16],
    seeds: 1,
  });
  const base = rows(false, []);
  const connection: DeviceConnection = {
    ...base,
    build: async (kernel) => ({
      ...(await base.build(kernel)),
      run: (given) => {
        const x = given.data.find((d) => d.kind === "buffer")!;
        return Promise.resolve({
          buffers: new Map([[x.key, new Uint8Array([5, 9, 9, 9])]]),
          kernelMilliseconds: 0,
          validation: [],
        });
      },
    }),
  };
  const { result } = (await verifyOnDevice(ready!, "source", connection, {})).verified;
  expect(result.result).toBe("equivalent");
});
