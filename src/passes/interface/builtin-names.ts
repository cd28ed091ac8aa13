/** Names for builtin values where the source gave none, in order of preference. */
import type { BuiltinId } from "../../ast/nodes.js";

export const defaultBuiltinNames: Readonly<Record<BuiltinId, readonly string[]>> = {
  global_id: ["gid", "tid", "thread_id"],
  local_id: ["lid", "ltid", "local_id"],
  workgroup_id: ["wid", "group_id", "workgroup_id"],
  workgroup_size: ["wsize", "group_size", "workgroup_size"],
  enqueued_workgroup_size: ["wsize_full", "enqueued_size"],
  num_workgroups: ["ngroups", "group_count", "num_workgroups"],
  global_size: ["gsize", "grid_size", "global_size"],
  global_offset: ["goffset", "global_offset"],
  local_index: ["li", "local_index"],
  global_linear_id: ["gli", "global_index"],
  work_dim: ["work_dim"],
  lane_id: ["lane", "lane_id"],
  subgroup_size: ["lanes", "simd_size"],
  subgroup_id: ["sg", "simd_id"],
  num_subgroups: ["nsg", "simd_count"],
  subgroup_lanes: ["active_lanes", "lanes_here"],
  quad_lane_id: ["quad_lane", "quad_lane_id"],
  quad_id: ["quad", "quad_id"],
  num_quads: ["nquads", "quad_count"],
  enqueued_num_subgroups: ["nsg_full", "simd_count_full"],
};
