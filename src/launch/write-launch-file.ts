/** A launch as a launch file (docs/launch-files.md) that binds to the same bytes. */
import type { ScalarKind } from "../types/types.js";
import type { BoundArgument, BoundBuffer, BoundLaunch } from "./bind.js";
import type { Triple } from "./triple.js";
import type { LaunchFile } from "./launch-file.js";
import { valueScalars } from "./reflection.js";
import type { EntryShape } from "./reflection.js";
import { readBits, readScalar, scalarBytes } from "./scalars.js";

/** What a file says, ready for JSON. */
export interface WrittenLaunch {
  readonly file: Readonly<Record<string, unknown>>;
  /** Bytes of buffers that stand in files of their own, by the names the launch file has for them. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export interface WriteOptions {
  readonly subgroupSizes: readonly number[];
  /** What the kernel was read with. */
  readonly spec?: LaunchFile["spec"];
  /** Name of a file for the bytes of a buffer with more than `mostInline` numbers; without it all are written out. */
  readonly fileFor?: (path: string) => string;
}

/** Numbers that are written out where buffers may stand in files of their own. */
const mostInline = 1024;

type Json = number | string | boolean;

export function writeLaunch(launch: BoundLaunch, shape: EntryShape, options: WriteOptions): WrittenLaunch {
  const contents = new Map<string, Uint8Array>();
  const args = launch.arguments.map((a): [string, object] => [a.path, argument(a, shape, options, contents)]);
  const { workgroups, gridSize, gridOffset, workgroupSize, dimensions } = launch;
  const whole = gridSize.every((n, i) => n === workgroups[i]! * workgroupSize[i]!);
  const sizes = (t: Triple): number[] => t.slice(0, dimensions);
  return {
    file: {
      entry: shape.entry.name,
      ...(whole ? { workgroups: sizes(workgroups) } : { gridSize: sizes(gridSize) }),
      ...(gridOffset.some((n) => n !== 0) ? { gridOffset: sizes(gridOffset) } : {}),
      workgroupSize: [...workgroupSize],
      subgroupSizes: [...options.subgroupSizes],
      ...(options.spec ? { spec: specJson(options.spec) } : {}),
      args: Object.fromEntries(args),
    },
    contents,
  };
}

const specJson = (spec: NonNullable<LaunchFile["spec"]>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(spec).map(([key, v]): [string, Json] => {
      if (typeof v === "boolean") return [key, v];
      const exact = typeof v === "bigint" ? Number.isSafeInteger(Number(v)) : Number.isFinite(v) && !Object.is(v, -0);
      if (exact) return [key, Number(v)];
      return [key, Object.is(v, -0) ? "-0" : String(v).replace("Infinity", "inf").toLowerCase()];
    }),
  );

function argument(
  a: BoundArgument,
  shape: EntryShape,
  options: WriteOptions,
  contents: Map<string, Uint8Array>,
): object {
  switch (a.kind) {
    case "workgroup":
      return { bytes: a.byteLength };
    case "value": {
      const { type } = shape.arguments.find((s) => s.path === a.path)!;
      const [{ scalar }] = valueScalars(type, shape.structs) as [{ scalar: ScalarKind }];
      const numbers = numbersOf(a.bytes, scalar);
      return { type: scalar, value: numbers.length === 1 ? numbers[0] : numbers };
    }
    case "buffer":
      return buffer(a, options, contents);
  }
}

function buffer(b: BoundBuffer, { fileFor }: WriteOptions, contents: Map<string, Uint8Array>): object {
  const size = scalarBytes(b.type.scalar);
  // Bytes that are no whole number of elements are written as bytes.
  const [text, scalar] = b.bytes.length % size === 0 ? [b.type.text, b.type.scalar] : ["u8", "u8" as const];
  const count = b.bytes.length / (b.bytes.length % size === 0 ? size : 1);
  const output = b.output ? { output: true } : {};
  if (fileFor && count > mostInline) {
    const name = fileFor(b.path);
    contents.set(name, b.bytes);
    return { type: text, init: { file: name }, ...output };
  }
  const numbers = numbersOf(b.bytes, scalar);
  const [first] = numbers;
  const same = numbers.length > 1 && numbers.every((n) => n === first);
  return same
    ? { type: text, count, init: { fill: first }, ...output }
    : { type: text, init: { values: numbers }, ...output };
}

/** Each number as JSON has it; the bits of one that JSON has no way to write. */
function numbersOf(bytes: Uint8Array, scalar: ScalarKind): Json[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = scalarBytes(scalar);
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i): Json => {
    const value = readScalar(view, i * size, scalar);
    if (scalar === "bool" && (value === 0 || value === 1)) return value === 1;
    if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (Number.isFinite(value) && !Object.is(value, -0)) return value;
    return `0x${readBits(view, i * size, scalar)
      .toString(16)
      .padStart(2 * size, "0")}`;
  });
}

/** As text: an argument a line. */
export function launchText({ file }: WrittenLaunch): string {
  const entries = Object.entries(file).map(([key, value]) => {
    if (key !== "args") return `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    const lines = Object.entries(value as object).map(([k, v]) => `    ${JSON.stringify(k)}: ${JSON.stringify(v)}`);
    return lines.length === 0 ? `  "args": {}` : `  "args": {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n${entries.join(",\n")}\n}\n`;
}
