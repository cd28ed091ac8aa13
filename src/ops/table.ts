/** All rows, by id. */
import type { OpId } from "../ast/nodes.js";
import { asyncCopyRows } from "./async-copies.js";
import { atomicRows } from "./atomics.js";
import { bitRows } from "./bits.js";
import { clusteredRows } from "./clustered.js";
import { convertRows, packRows } from "./convert.js";
import { geometryRows, logicRows } from "./logic.js";
import { matrixRows } from "./matrix.js";
import { mathRows } from "./math/math.js";
import { memoryRows } from "./memory.js";
import { quadRows } from "./quad.js";
import { normalizedPackRows } from "./normalized-packs.js";
import { packedByteRows } from "./packed-bytes.js";
import { partitionedRows } from "./partitioned.js";
import type { OpRow } from "./row.js";
import { subgroupRows } from "./subgroup.js";
import { workgroupRows } from "./workgroup.js";

export const allRows: readonly OpRow[] = [
  ...mathRows,
  ...bitRows,
  ...packedByteRows,
  ...logicRows,
  ...geometryRows,
  ...matrixRows,
  ...convertRows,
  ...packRows,
  ...normalizedPackRows,
  ...subgroupRows,
  ...clusteredRows,
  ...quadRows,
  ...partitionedRows,
  ...workgroupRows,
  ...asyncCopyRows,
  ...atomicRows,
  ...memoryRows,
];

export const rows: ReadonlyMap<OpId, OpRow> = new Map(allRows.map((r) => [r.id, r]));
if (rows.size !== allRows.length) {
  const ids = new Set<string>();
  for (const r of allRows) {
    if (ids.has(r.id)) throw new Error(`two rows for ${r.id}`);
    ids.add(r.id);
  }
}

/** By an op, the one that is like it but leaves some operands open. */
const openOnes: ReadonlyMap<OpId, OpId> = new Map(
  allRows.flatMap(({ id, variant }) => (variant?.in === "domain" ? [[variant.of, id] as const] : [])),
);

export function openVariant(id: OpId): OpId {
  const found = openOnes.get(id);
  if (!found) throw new Error(`${id} has no variant that leaves operands open`);
  return found;
}

export function row(id: OpId): OpRow {
  const found = rows.get(id);
  if (!found) throw new Error(`no row for the op ${id}`);
  return found;
}
