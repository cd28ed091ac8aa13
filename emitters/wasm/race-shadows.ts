/** What a screen for races (`race-screen.ts`) keeps of a program: which memory has stamps, and how its shadow is laid out. */
import { bytesOf, exprsOf, visitCode, visitExpr } from "../../src/regions/machine.js";
import { regionBodies, regionExprs } from "../../src/regions/queries.js";
import type { Code, MachineExpr, MemoryObject, Program, Region } from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";

/** Bits of a stamp that say which lane. */
export const laneBits = 11;
export const laneMask = 2 ** laneBits - 1;
/** So many lanes have numbers of their own. */
export const mostScreenedLanes = laneMask - 1;
/** Epochs beyond it could reach what means several workgroups. */
export const lastEpoch = 2 ** 32 - 2 ** 20;

/** Lists of stamps, one shadow each. */
export const lists = ["writers", "readers", "atomics"] as const;
export type List = (typeof lists)[number];

export interface ScreenedObject {
  /** Bytes of what has stamps of its own: of the smallest element that is accessed. */
  readonly granule: number;
  readonly atomics: boolean;
  readonly shared: boolean;
}

export interface RaceScreen {
  readonly objects: ReadonlyMap<number, ScreenedObject>;
  /** Bytes of a shadow for each byte of memory. */
  readonly scale: number;
  /** Shadows there are. */
  readonly shadows: number;
}

const canRace = (o: MemoryObject): boolean => o.written && (o.kind === "buffer" || o.kind === "workgroup");

/** What is screened in a program. */
export function raceScreen(program: Program): RaceScreen {
  const smallest = new Map<number, number>();
  const atomics = new Set<number>();
  const note = (object: unknown, scalar: ScalarKind): void => {
    if (typeof object !== "number" || !canRace(program.objects[object]!)) return;
    smallest.set(object, Math.min(smallest.get(object) ?? 8, bytesOf(scalar)));
  };
  const expr = (e: MachineExpr): void =>
    visitExpr(e, (x) => {
      if (x.kind === "load") note(x.address.object, x.scalar);
    });
  const code = (list: readonly Code[]): void =>
    visitCode(list, (c) => {
      if (c.kind === "store" || c.kind === "atomic") note(c.address.object, c.scalar);
      if (c.kind === "atomic" && typeof c.address.object === "number") atomics.add(c.address.object);
      exprsOf(c).forEach(expr);
    });
  const walk = (list: readonly Region[]): void => {
    for (const r of list) {
      if (r.kind === "lanes" || r.kind === "uniform") code(r.code);
      regionExprs(r).forEach(expr);
      regionBodies(r).forEach(walk);
    }
  };
  for (const h of program.helpers) code(h.body);
  walk(program.regions);
  const objects = new Map(
    [...smallest].map(([id, granule]): [number, ScreenedObject] => [
      id,
      { granule, atomics: atomics.has(id), shared: program.objects[id]!.kind === "workgroup" },
    ]),
  );
  const scale = Math.max(1, ...[...objects.values()].map((o) => 4 / Math.min(4, o.granule)));
  return { objects, scale, shadows: atomics.size > 0 ? lists.length : lists.length - 1 };
}
