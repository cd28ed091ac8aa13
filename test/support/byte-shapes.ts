/**
 * Kernels of OpenCL C and MSL about bytes of memory: written once for both, with what they do worked out in JavaScript, run in the
 * simulator at two widths, and so each of their translations, which the compilers have to take.
 */
import { expect, test } from "vitest";
import { simulate, translate, type SourceDialect } from "../../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./judges/outputs.js";
import { judgeTest } from "./tool-test.js";

const all: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];
/** Bytes of x that a kernel may read, and of y that it writes. */
export const size = 512;
const lanes = 8;
const before = 7;

/** Bytes that are no NaN as floats of either size: every pair of them is a small number. */
export const given = (): Uint8Array => {
  const bytes = Uint8Array.from({ length: size }, (_, k) => (k % 2 === 0 ? (k * 37) & 255 : 60 + ((k * 11) % 8)));
  return bytes;
};

export const half = (bits: number): number => {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
};
/** The bits of a half that has this value exactly. */
export function bitsOfHalf(x: number): number {
  for (let b = 0; b < 65536; b++) if (half(b) === x && ((b >> 10) & 31) < 31) return b;
  throw new Error(`${String(x)} is no half`);
}

interface Memory {
  readonly x: DataView;
  readonly y: DataView;
}

export interface Shape {
  readonly name: string;
  /** GP: a pointer into device memory, to const where `GC`; LP: into workgroup memory; PP: into a lane's own; CC: into a table, a TABLE of the file. */
  readonly helpers?: string;
  /** x and y are pointers to char, n is 3, stride is 32 as a 64-bit integer, i is the lane, lane in `tile` workgroup memory. */
  readonly body: string;
  /** Workgroup memory of 32 words, `tile`, as an array of this type. */
  readonly tile?: string;
  readonly types?: string;
  /** Members without a name, which C99 does not have and compilers of OpenCL C do. */
  readonly extension?: boolean;
  /** The languages that can say it; both where absent. */
  readonly from?: readonly ("msl" | "opencl")[];
  readonly does: (m: Memory, i: number) => void;
}

function textOf(shape: Shape, from: "msl" | "opencl"): string {
  const [device, tile, own, constant] =
    from === "msl"
      ? ["device ", "threadgroup ", "thread ", "constant "]
      : ["__global ", "__local ", "", "__constant const "];
  const typed = (s: string): string =>
    s
      .replaceAll(/GC\((\w+)\)/g, `${device}const $1 *`)
      .replaceAll(/GP\((\w+)\)/g, `${device}$1 *`)
      .replaceAll(/LP\((\w+)\)/g, `${tile}$1 *`)
      .replaceAll(/PP\((\w+)\)/g, `${own}$1 *`)
      .replaceAll(/CC\((\w+)\)/g, `${constant}$1 *`)
      .replaceAll("TABLE", constant)
      .replaceAll(
        "BARRIER",
        from === "msl" ? "threadgroup_barrier(mem_flags::mem_threadgroup);" : "barrier(CLK_LOCAL_MEM_FENCE);",
      );
  const shared = shape.tile ? `${tile}${shape.tile} tile[${shape.tile === "char" ? 128 : 32}];` : "";
  if (from === "msl")
    return `#include <metal_stdlib>\nusing namespace metal;\n${shape.types ?? ""}\n${typed(shape.helpers ?? "")}\nstruct sizes { ulong stride; int n; };\nkernel void k(constant sizes &args [[buffer(0)]], device const char *x [[buffer(1)]], device char *y [[buffer(2)]], uint id [[thread_position_in_grid]]) {\n  int i = int(id); ulong stride = args.stride; int n = args.n;\n  ${shared}\n  ${typed(
      shape.body,
    )
      .replaceAll("none = 0", "none = nullptr")
      .replaceAll(/\(float4\)\(/g, "float4(")}\n}\n`;
  const halves = /\bhalf\b/.test(shape.body + (shape.types ?? ""))
    ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    : "";
  return `${halves}${shape.types ?? ""}\n${typed(shape.helpers ?? "")}\ntypedef struct { ulong stride; int n; } sizes;\n__kernel void k(sizes args, __global const char *x, __global char *y) {\n  int i = (int)get_global_id(0); ulong stride = args.stride; int n = args.n;\n  ${shared}\n  ${typed(shape.body)}\n}\n`;
}

function expected(shape: Shape): readonly number[] {
  const y = new Uint8Array(size).fill(before);
  for (let i = 0; i < lanes; i++) shape.does({ x: new DataView(given().buffer), y: new DataView(y.buffer) }, i);
  return [...y];
}

async function run(text: string, from: SourceDialect, subgroupSize: number): Promise<number[]> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [lanes],
    subgroupSize,
    seed: 1,
    args: { x: given(), y: new Uint8Array(size).fill(before), "args.stride": 32n, "args.n": 3 },
  });
  expect(
    [...findings, ...diagnostics.filter((d) => d.severity === "error")].map((d) => d.message),
    text,
  ).toEqual([]);
  const y = buffers["y"] as Uint8Array;
  return [...new Uint8Array(y.buffer, y.byteOffset, y.byteLength)];
}

/** The tests of a list of shapes. */
export function testShapes(shapes: readonly Shape[]): void {
  const texts: Judgeable[] = [];
  for (const shape of shapes) {
    for (const from of shape.from ?? (["msl", "opencl"] as const)) {
      test(`${shape.name}, from ${from}`, async () => {
        const source = textOf(shape, from);
        const wanted = expected(shape);
        if (!shape.extension) texts.push(judgeable(from, `${shape.name} in ${from}`, source));
        for (const width of [4, 32]) expect(await run(source, from, width), source).toEqual(wanted);
        for (const to of all) {
          const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [lanes, 1, 1] });
          expect(
            diagnostics.filter((d) => d.severity === "error"),
            source,
          ).toEqual([]);
          if (to !== from) texts.push(judgeable(to, `${shape.name}, ${from} to ${to}`, code!));
          for (const width of [4, 32]) expect(await run(code!, to, width), `${source}\n${code!}`).toEqual(wanted);
        }
      });
    }
  }

  for (const dialect of all) {
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const mine = texts.filter((t) => t.dialect === dialect);
      expect(mine.length).toBeGreaterThanOrEqual(shapes.length);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
  }
}
