/** What a kernel says of the width of subgroups, and whether it matters to it. */
import { isAmongLanes } from "./op-ids.js";
import { subgroupWidths } from "../types/subgroup-width.js";
import type { Module, SubgroupSizes } from "./nodes.js";
import { walkModule } from "./walk.js";

export const widthsIn = ({ min, max }: SubgroupSizes): readonly number[] =>
  subgroupWidths.filter((w) => w >= min && w <= max);

export const allowsWidth = (sizes: SubgroupSizes | undefined, width: number): boolean =>
  sizes === undefined || (width >= sizes.min && width <= sizes.max);

/** The one width, where there is only one. */
export const fixedWidth = (sizes: SubgroupSizes | undefined): number | undefined =>
  sizes && sizes.min === sizes.max ? sizes.min : undefined;

/** `32` or `16 to 64`. */
export const showWidths = ({ min, max }: SubgroupSizes): string => (min === max ? String(min) : `${min} to ${max}`);

const widthBuiltins: readonly string[] = [
  "lane_id",
  "subgroup_size",
  "subgroup_id",
  "num_subgroups",
  "subgroup_lanes",
  "enqueued_num_subgroups",
  "quad_lane_id",
  "quad_id",
  "num_quads",
];

/** Whether anything in the module has to do with subgroups. */
export function usesSubgroups(module: Module): boolean {
  let found = false;
  walkModule(module, {
    expr(e) {
      if (e.kind === "op" && isAmongLanes(e.op)) found = true;
      if (e.kind === "builtin" && widthBuiltins.includes(e.builtin)) found = true;
    },
    statement(s) {
      if (s.kind === "barrier" && s.barrier.execution === "subgroup") found = true;
    },
  });
  return found;
}
