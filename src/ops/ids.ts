/** Work-item and subgroup ids (data.md section 7, cross-lane.md 1.1): one row per `BuiltinId`, read and written. */
import type { Interval } from "../ast/interval.js";
import { builtinIds, vectorBuiltins, type BuiltinId } from "../ast/nodes.js";
import { byDialect, type Dialect } from "../dialects/ids.js";
import type { FeatureExpression } from "./row.js";

export interface IdRow {
  readonly id: BuiltinId;
  readonly summary: string;
  /** The lanes that all have the same value; without it lanes of a subgroup may differ. */
  readonly sameIn?: "workgroup" | "subgroup";
  readonly msl?: {
    /** Entry parameter attribute. */
    readonly attribute: string;
    /** Older or equal spellings, read only. */
    readonly also?: readonly string[];
    /** Component counts the parameter may have; each as ushort or uint. */
    readonly sizes: readonly (1 | 2 | 3)[];
    readonly needs?: FeatureExpression;
    /** Why it is not written. */
    readonly readOnly?: string;
  };
  readonly glsl?: {
    readonly variable: string;
    /** Older spellings, read only. */
    readonly also?: readonly string[];
    readonly needs?: FeatureExpression;
  };
  readonly opencl?: {
    readonly function: string;
    /** Takes a dimension; `outside` is its result for a dimension beyond the range. */
    readonly dimension?: { readonly outside: 0 | 1 };
    /** size_t where true, uint where not. */
    readonly size: boolean;
    readonly needs?: FeatureExpression;
    /** Why it is not written: the value is computed from others instead. */
    readonly readOnly?: string;
  };
  readonly hlsl?:
    | { readonly kind: "semantic"; readonly semantic: string }
    | { readonly kind: "function"; readonly function: string; readonly needs: FeatureExpression };
  /** How a dialect without the value gets it. */
  readonly otherwise: { readonly [D in Dialect]?: IdFallback };
}

/**
 * computed: from other ids, by the pass that lowers ids (`how` says the formula). constant: the launch's or source's
 * workgroup size as a literal. derived: an argument the runner fills in. zero, one: that constant.
 */
export interface IdFallback {
  readonly kind: "computed" | "constant" | "derived" | "zero";
  readonly how: string;
  readonly assumes?: string;
}

const basic = "glsl.KHR_shader_subgroup_basic";
const sizes3 = [1, 2, 3] as const;
const noOffset: IdFallback = { kind: "zero", how: "launches have no offset" };
const everywhere = (how: string, assumes?: string): Record<Dialect, IdFallback> =>
  byDialect(() => ({ kind: "computed", how, ...(assumes === undefined ? {} : { assumes }) }));
const linear: IdFallback = { kind: "computed", how: "x + y*size.x + z*size.x*size.y" };

export const idRows: readonly IdRow[] = [
  {
    id: "global_id",
    summary: "position in the grid, global offset included",
    msl: { attribute: "thread_position_in_grid", sizes: sizes3 },
    glsl: { variable: "gl_GlobalInvocationID" },
    opencl: { function: "get_global_id", dimension: { outside: 0 }, size: true },
    hlsl: { kind: "semantic", semantic: "SV_DispatchThreadID" },
    otherwise: {},
  },
  {
    id: "local_id",
    summary: "position in the workgroup",
    msl: { attribute: "thread_position_in_threadgroup", sizes: sizes3 },
    glsl: { variable: "gl_LocalInvocationID" },
    opencl: { function: "get_local_id", dimension: { outside: 0 }, size: true },
    hlsl: { kind: "semantic", semantic: "SV_GroupThreadID" },
    otherwise: {},
  },
  {
    id: "local_index",
    summary: "linear index in the workgroup, x fastest",
    msl: { attribute: "thread_index_in_threadgroup", sizes: [1] },
    glsl: { variable: "gl_LocalInvocationIndex" },
    opencl: { function: "get_local_linear_id", size: true, needs: "cl>=2.0" },
    hlsl: { kind: "semantic", semantic: "SV_GroupIndex" },
    otherwise: { opencl: linear },
  },
  {
    id: "workgroup_id",
    summary: "position of the workgroup in the grid",
    sameIn: "workgroup",
    msl: { attribute: "threadgroup_position_in_grid", sizes: sizes3 },
    glsl: { variable: "gl_WorkGroupID" },
    opencl: { function: "get_group_id", dimension: { outside: 0 }, size: true },
    hlsl: { kind: "semantic", semantic: "SV_GroupID" },
    otherwise: {},
  },
  {
    id: "workgroup_size",
    summary: "size of this workgroup (smaller at a partial edge)",
    sameIn: "workgroup",
    msl: { attribute: "threads_per_threadgroup", sizes: sizes3 },
    glsl: { variable: "gl_WorkGroupSize" },
    opencl: { function: "get_local_size", dimension: { outside: 1 }, size: true },
    otherwise: { hlsl: { kind: "constant", how: "the size in numthreads" } },
  },
  {
    id: "enqueued_workgroup_size",
    summary: "size of a full workgroup",
    sameIn: "workgroup",
    msl: { attribute: "dispatch_threads_per_threadgroup", sizes: sizes3 },
    opencl: { function: "get_enqueued_local_size", dimension: { outside: 1 }, size: true, needs: "cl>=2.0" },
    otherwise: {
      glsl: { kind: "computed", how: "workgroup_size" },
      hlsl: { kind: "constant", how: "the size in numthreads" },
      opencl: { kind: "computed", how: "workgroup_size" },
    },
  },
  {
    id: "num_workgroups",
    summary: "number of workgroups",
    sameIn: "workgroup",
    msl: { attribute: "threadgroups_per_grid", sizes: sizes3 },
    glsl: { variable: "gl_NumWorkGroups" },
    opencl: { function: "get_num_groups", dimension: { outside: 1 }, size: true },
    otherwise: { hlsl: { kind: "derived", how: "an argument the runner fills in" } },
  },
  {
    id: "global_size",
    summary: "size of the grid in invocations",
    sameIn: "workgroup",
    msl: { attribute: "threads_per_grid", sizes: sizes3 },
    opencl: { function: "get_global_size", dimension: { outside: 1 }, size: true },
    otherwise: {
      glsl: { kind: "computed", how: "num_workgroups * workgroup_size" },
      hlsl: { kind: "derived", how: "an argument the runner fills in" },
    },
  },
  {
    id: "global_offset",
    summary: "offset of the grid",
    sameIn: "workgroup",
    // Of launches that read per-thread data by stage-in alone (MSL 3.1 5.2.3.6).
    msl: { attribute: "grid_origin", sizes: sizes3, readOnly: "launches have no offset" },
    opencl: { function: "get_global_offset", dimension: { outside: 0 }, size: true },
    otherwise: { msl: noOffset, glsl: noOffset, hlsl: noOffset },
  },
  {
    id: "global_linear_id",
    summary: "linear index in the grid without the offset, x fastest",
    opencl: { function: "get_global_linear_id", size: true, needs: "cl>=2.0" },
    otherwise: { msl: linear, glsl: linear, opencl: linear, hlsl: linear },
  },
  {
    id: "work_dim",
    summary: "number of dimensions of the launch",
    sameIn: "workgroup",
    opencl: { function: "get_work_dim", size: false },
    otherwise: {
      msl: { kind: "derived", how: "an argument the runner fills in" },
      glsl: { kind: "derived", how: "an argument the runner fills in" },
      hlsl: { kind: "derived", how: "an argument the runner fills in" },
    },
  },
  {
    id: "lane_id",
    summary: "lane in the subgroup",
    msl: { attribute: "thread_index_in_simdgroup", sizes: [1] },
    glsl: { variable: "gl_SubgroupInvocationID", also: ["gl_SubGroupInvocationARB"], needs: basic },
    opencl: { function: "get_sub_group_local_id", size: false, needs: "cl.subgroups" },
    hlsl: { kind: "function", function: "WaveGetLaneIndex", needs: "sm>=6.0" },
    otherwise: {},
  },
  {
    id: "subgroup_size",
    summary: "nominal subgroup size, also in a partial subgroup",
    sameIn: "workgroup",
    msl: { attribute: "threads_per_simdgroup", also: ["thread_execution_width"], sizes: [1] },
    glsl: { variable: "gl_SubgroupSize", also: ["gl_SubGroupSizeARB"], needs: basic },
    opencl: { function: "get_max_sub_group_size", size: false, needs: "cl.subgroups" },
    hlsl: { kind: "function", function: "WaveGetLaneCount", needs: "sm>=6.0" },
    otherwise: {},
  },
  {
    id: "subgroup_lanes",
    summary: "lanes this subgroup really has (OpenCL)",
    sameIn: "subgroup",
    opencl: { function: "get_sub_group_size", size: false, needs: "cl.subgroups" },
    otherwise: {
      msl: {
        kind: "computed",
        how: "min(subgroup_size, workgroup lanes - subgroup_id*subgroup_size)",
        assumes: "subgroups are formed of consecutive local indices",
      },
      glsl: {
        kind: "computed",
        how: "min(subgroup_size, workgroup lanes - subgroup_id*subgroup_size)",
        assumes: "subgroups are formed of consecutive local indices",
      },
      hlsl: {
        kind: "computed",
        how: "min(subgroup_size, workgroup lanes - subgroup_id*subgroup_size)",
        assumes: "subgroups are formed of consecutive local indices",
      },
    },
  },
  {
    id: "subgroup_id",
    summary: "index of the subgroup in the workgroup",
    sameIn: "subgroup",
    msl: { attribute: "simdgroup_index_in_threadgroup", sizes: [1] },
    glsl: { variable: "gl_SubgroupID", needs: basic },
    opencl: { function: "get_sub_group_id", size: false, needs: "cl.subgroups" },
    hlsl: { kind: "function", function: "GetGroupWaveIndex", needs: "sm>=6.10" },
    otherwise: {
      hlsl: {
        kind: "computed",
        how: "local_index / subgroup_size",
        assumes: "waves are formed of consecutive local indices",
      },
    },
  },
  {
    id: "num_subgroups",
    summary: "number of subgroups in the workgroup",
    sameIn: "workgroup",
    msl: { attribute: "simdgroups_per_threadgroup", sizes: [1] },
    glsl: { variable: "gl_NumSubgroups", needs: basic },
    opencl: { function: "get_num_sub_groups", size: false, needs: "cl.subgroups" },
    hlsl: { kind: "function", function: "GetGroupWaveCount", needs: "sm>=6.10" },
    otherwise: {
      hlsl: {
        kind: "computed",
        how: "(workgroup lanes + subgroup_size - 1) / subgroup_size",
        assumes: "waves are formed of consecutive local indices",
      },
    },
  },
  {
    id: "enqueued_num_subgroups",
    summary: "number of subgroups in a full workgroup",
    sameIn: "workgroup",
    msl: { attribute: "dispatch_simdgroups_per_threadgroup", sizes: [1] },
    opencl: { function: "get_enqueued_num_sub_groups", size: false, needs: "cl.subgroups" },
    otherwise: { glsl: { kind: "computed", how: "num_subgroups" }, hlsl: { kind: "computed", how: "num_subgroups" } },
  },
  {
    id: "quad_lane_id",
    summary: "lane in the quad",
    msl: { attribute: "thread_index_in_quadgroup", sizes: [1], needs: "msl.quad" },
    otherwise: everywhere("lane_id & 3"),
  },
  {
    id: "quad_id",
    summary: "index of the quad in the workgroup",
    msl: { attribute: "quadgroup_index_in_threadgroup", sizes: [1], needs: "msl.quad" },
    otherwise: everywhere("subgroup_id * (subgroup_size / 4) + lane_id / 4"),
  },
  {
    id: "num_quads",
    summary: "number of quads in the workgroup",
    sameIn: "workgroup",
    msl: { attribute: "quadgroups_per_threadgroup", sizes: [1], needs: "msl.quad" },
    otherwise: everywhere("(workgroup lanes + 3) / 4", "quads are formed of consecutive local indices"),
  },
];

const byId = new Map(idRows.map((r) => [r.id, r]));

/** What the forms of all dialects may say. */
interface IdForm {
  readonly needs?: FeatureExpression;
  readonly readOnly?: string;
  readonly size?: boolean;
  /** Of an expression that is the value: a name, or a call, for each dimension or of all. */
  readonly variable?: string;
  readonly function?: string;
  readonly dimension?: { readonly outside: 0 | 1 };
  /** Of an entry parameter that is the value, with the component counts it may have; a semantic's has three. */
  readonly attribute?: string;
  readonly semantic?: string;
  readonly sizes?: readonly number[];
}

/** What a dialect has for an id: a dialect without a form does not have the value. */
export const idForm = (id: BuiltinId, dialect: Dialect): IdForm | undefined =>
  (idRow(id) as { readonly [D in Dialect]?: IdForm })[dialect];

/** Whether launches in a dialect have an offset of the grid. */
export function hasGridOffset(dialect: Dialect): boolean {
  const form = idForm("global_offset", dialect);
  return form !== undefined && form.readOnly === undefined;
}

/** What a source in a dialect calls an id; what it is where the dialect has no name for it. */
export function idCalledIn(dialect: Dialect, id: BuiltinId): string {
  const { attribute, semantic, variable, function: called } = idForm(id, dialect) ?? {};
  return attribute ?? semantic ?? variable ?? called ?? `the ${idRow(id).summary}`;
}

/** The component counts of the entry parameter that is the value; undefined where the dialect has none. */
export function parameterSizes(id: BuiltinId, dialect: Dialect): readonly number[] | undefined {
  const { attribute, semantic, sizes = [3] } = idForm(id, dialect) ?? {};
  return attribute === undefined && semantic === undefined ? undefined : sizes;
}

export function idRow(id: BuiltinId): IdRow {
  const found = byId.get(id);
  if (!found) throw new Error(`no id row for ${id}`);
  return found;
}

const mslAttributes = new Map(
  idRows.flatMap((r) => (r.msl ? [r.msl.attribute, ...(r.msl.also ?? [])].map((name) => [name, r.id] as const) : [])),
);
const hlslSemantics = new Map(
  idRows.flatMap((r) => (r.hlsl?.kind === "semantic" ? [[r.hlsl.semantic.toLowerCase(), r.id] as const] : [])),
);
const glslVariables = new Map(
  idRows.flatMap((r) => (r.glsl ? [r.glsl.variable, ...(r.glsl.also ?? [])].map((name) => [name, r.id] as const) : [])),
);
const openclFunctions = new Map(idRows.flatMap((r) => (r.opencl ? [[r.opencl.function, r.id] as const] : [])));
const hlslFunctions = new Map(
  idRows.flatMap((r) => (r.hlsl?.kind === "function" ? [[r.hlsl.function, r.id] as const] : [])),
);

/** The functions of a language that give ids. */
export const idFunctions = (dialect: Dialect): readonly string[] =>
  idRows.flatMap((r) => {
    const cell = r[dialect];
    return cell && "function" in cell ? [cell.function] : [];
  });

/** The id an MSL entry parameter attribute stands for. */
export const idOfAttribute = (attribute: string): BuiltinId | undefined => mslAttributes.get(attribute);
/** The id an HLSL semantic stands for; semantics do not distinguish case. */
export const idOfSemantic = (semantic: string): BuiltinId | undefined => hlslSemantics.get(semantic.toLowerCase());
export const idOfGlslVariable = (name: string): BuiltinId | undefined => glslVariables.get(name);
export const idOfOpenclFunction = (name: string): BuiltinId | undefined => openclFunctions.get(name);
export const idOfHlslFunction = (name: string): BuiltinId | undefined => hlslFunctions.get(name);

export const isVectorId = (id: BuiltinId): boolean => vectorBuiltins.has(id);
export { builtinIds };

/** Of an id, or of each of its components: no target has larger workgroups or subgroups (data.md sections 7 and 8). */
export const idBounds: Partial<Record<BuiltinId, Interval>> = {
  local_id: { low: 0n, high: 1023n },
  local_index: { low: 0n, high: 1023n },
  workgroup_size: { low: 1n, high: 1024n },
  enqueued_workgroup_size: { low: 1n, high: 1024n },
  lane_id: { low: 0n, high: 127n },
  subgroup_size: { low: 1n, high: 128n },
  subgroup_id: { low: 0n, high: 1023n },
  num_subgroups: { low: 1n, high: 1024n },
  subgroup_lanes: { low: 1n, high: 128n },
  enqueued_num_subgroups: { low: 1n, high: 1024n },
  work_dim: { low: 1n, high: 3n },
  quad_lane_id: { low: 0n, high: 3n },
  quad_id: { low: 0n, high: 255n },
  num_quads: { low: 1n, high: 256n },
  num_workgroups: { low: 1n, high: 0xffffffffn },
  global_size: { low: 1n, high: 0xffffffffn },
};
