/** Values of a source that are buffers in its translation: OpenCL C takes arrays by value in constant memory alone. */
import type { SourceDialect } from "../dialects/ids.js";
import { bufferLayout } from "../dialects/languages.js";
import { arrayStride, leavesOf } from "../types/layout.js";
import type { LayoutStructs } from "../types/layout.js";
import { bitWidth, scalarOf } from "../types/types.js";
import type { Type } from "../types/types.js";
import type { BoundLaunch } from "../launch/bind.js";

/**
 * The numbers that the launch gives for `path`, or for the leaves of an array of structs there, laid out as a buffer of
 * `type` has them; nothing where the launch has no value of that name.
 */
export function valueAsBuffer(
  launch: BoundLaunch,
  path: string,
  type: Type,
  dialect: SourceDialect,
  structs: LayoutStructs,
): Uint8Array | undefined {
  const parts = launch.arguments.flatMap((a) =>
    a.kind === "value" && (a.path === path || a.path.startsWith(`${path}[`)) ? [a.bytes] : [],
  );
  if (parts.length === 0) return undefined;
  const packed = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  parts.reduce((at, p) => (packed.set(p, at), at + p.length), 0);

  const rule = bufferLayout(dialect);
  const element = type.kind === "array" ? type.element : type;
  const leaves = leavesOf(element, rule, structs).map((l) => ({
    offset: l.offset,
    bytes: bitWidth(scalarOf(l.type)!) / 8,
  }));
  const length = leaves.reduce((sum, l) => sum + l.bytes, 0);
  const stride = arrayStride(element, rule, structs);
  const count = packed.length / length;
  if (!Number.isInteger(count))
    throw new Error(`${packed.length} bytes are given for elements of ${length} at ${path}`);
  const bytes = new Uint8Array(count * stride);
  let from = 0;
  for (let i = 0; i < count; i++)
    for (const leaf of leaves) {
      bytes.set(packed.subarray(from, from + leaf.bytes), i * stride + leaf.offset);
      from += leaf.bytes;
    }
  return bytes;
}
