/**
 * Arithmetic of `size_t` by which elements are counted is done in 32 bits where those hold it. Whether they do shows before
 * a launch, from its sizes and numbers, or while it runs: on marked arithmetic (`relies`: "index"), whose first value beyond them
 * gives that run up for one in 64 bits.
 */
import { intervalOf, intervalOfKind, within, type Interval } from "../ast/interval.js";
import { resourceOf } from "../ast/lookup.js";
import type { BuiltinId, Expr, FunctionDeclaration, Module, VarId } from "../ast/nodes.js";
import { walkStatement } from "../ast/walk.js";
import { Ranges, type KnownBounds } from "../passes/analysis/ranges.js";
import { isInteger, scalarOf } from "../types/types.js";
import { extentOf, givenValue, type RunSettings } from "./kernel.js";
import type { CompiledKernel } from "./index.js";

export interface CountedSizes {
  /** With the marks. */
  readonly module: () => Module;
  /** The kernel compiled from it, and the one whose sizes have 64 bits. */
  readonly counted: () => CompiledKernel;
  readonly wide: () => CompiledKernel;
}

/** Whether something is marked at all. */
export function countsSizes(module: Module): boolean {
  return module.functions.some((f) => marksOf(f).length > 0);
}

function marksOf(f: FunctionDeclaration): Expr[] {
  const found: Expr[] = [];
  walkStatement(f.body, { expr: (e) => void (e.relies === "index" && found.push(e)) });
  return found;
}

type Launched = Omit<RunSettings, "wanted">;

/** Whether the launch shows that 32 bits hold all that is marked. */
export function holdsSizes(module: Module, workgroupSize: readonly number[] | undefined, launch: Launched): boolean {
  const known = boundsOf(module, workgroupSize, launch);
  return module.functions.every((f) => {
    const marks = marksOf(f);
    if (marks.length === 0) return true;
    const ranges = new Ranges(module, f, known);
    return marks.every((e) => holds(ranges, e));
  });
}

function holds(ranges: Ranges, e: Expr): boolean {
  const kind = scalarOf(e.type);
  if (!kind || !isInteger(kind)) return false;
  if (e.kind === "assign" || e.kind === "increment") {
    const place = e.kind === "assign" ? e.target : e.place;
    return place.kind === "variable" && ranges.steps(place.variable);
  }
  const shown = e.kind === "unary" ? undefined : ranges.shown(e);
  return shown !== undefined && within(shown, intervalOfKind(kind));
}

function boundsOf(module: Module, workgroupSize: readonly number[] | undefined, launch: Launched): KnownBounds {
  const { size, threads, workgroups, offset } = extentOf({ workgroupSize }, launch);
  const ends = threads.map((n, i) => n + offset[i]!);
  const span = (low: number, high: number): Interval => intervalOf(BigInt(low), BigInt(Math.max(low, high)));
  const of: Partial<Record<BuiltinId, (axis: number) => Interval>> = {
    global_id: (i) => span(0, ends[i]! - 1),
    local_id: (i) => span(0, size[i]! - 1),
    workgroup_id: (i) => span(0, workgroups[i]! - 1),
    workgroup_size: (i) => span(1, size[i]!),
    enqueued_workgroup_size: (i) => span(1, size[i]!),
    num_workgroups: (i) => span(1, workgroups[i]!),
    global_size: (i) => span(1, threads[i]!),
    global_offset: (i) => span(0, offset[i]!),
  };
  return {
    builtin: (id, axis) => of[id]?.(axis),
    variable: (id) => givenBounds(module, id, launch),
  };
}

/** A value that the launch gives. */
function givenBounds(module: Module, id: VarId, launch: Launched): Interval | undefined {
  const resource = resourceOf(module, id);
  const type = module.variables.get(id)?.type;
  if (resource?.kind !== "value" || type?.kind !== "scalar" || !isInteger(type.scalar)) return undefined;
  const given = givenValue(resource.path, type.scalar, launch);
  return given === undefined ? undefined : intervalOf(BigInt(given));
}
