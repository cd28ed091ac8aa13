/**
 * The interface of the kernels of a module as one list per entry, in source order: what launch files, the API's `args`
 * and reports refer to. By-value structs are flattened to leaves, also in arrays; an array of numbers is one leaf; a buffer is one argument.
 */
import { ConstantScope, literalForm } from "../ast/constant-values.js";
import type { Derived, EntryPoint, Module, Resource, SubgroupSizes, VarId } from "../ast/nodes.js";
import type { SourceDialect, Target } from "../dialects/ids.js";
import { layoutOfResource } from "../dialects/languages.js";
import { arrayStride, launchLeaves, layoutOf, leavesOf, memberOffsets } from "../types/layout.js";
import type { LayoutRule, LayoutStructs } from "../types/layout.js";
import { bitWidth, showType } from "../types/types.js";
import type { Access, ScalarKind, Type } from "../types/types.js";
import { fixedWidth } from "../ast/subgroups.js";
import { scalarBytes, writeScalar } from "./scalars.js";

export interface Reflection {
  readonly dialect: SourceDialect;
  readonly entries: readonly EntryReflection[];
}

export interface EntryReflection {
  readonly name: string;
  /** Fixed by the source; absent where the launch chooses. */
  readonly workgroupSize?: readonly [number, number, number];
  /** A width the source asks for (`[WaveSize(n)]`). */
  readonly subgroupSize?: number;
  /** A range of widths it asks for (`[WaveSize(min, max)]`). */
  readonly subgroupSizes?: SubgroupSizes;
  /** The most invocations of a workgroup the source is written for. */
  readonly maxTotalThreads?: number;
  readonly arguments: readonly ArgumentReflection[];
  /** Features the kernel needs of a device, by target: what `#extension`, `#pragma` and profiles name. */
  readonly features: readonly string[];
}

export type ArgumentKind = "buffer" | "value" | "workgroup" | "specialization" | "derived";

export interface ArgumentReflection {
  /** What launch keys are matched with: `x`, `p.a`, `Params.n`. */
  readonly path: string;
  readonly kind: ArgumentKind;
  readonly access: Access;
  readonly type: string;
  /** Buffers: the distance of elements in a runtime-sized buffer, in bytes. */
  readonly stride?: number;
  /** Values: bytes of their packed components. Buffers of a fixed type: its bytes. */
  readonly size?: number;
  /** Scalars of one element of a buffer of structs, with their offsets. */
  readonly leaves?: readonly { readonly path: string; readonly type: string; readonly offset: number }[];
  /** What fills a derived value. */
  readonly derived?: Derived;
  /** A specialisation constant with a default need not be given. */
  readonly optional?: boolean;
  /** Memory of the program, which the host keeps from launch to launch: "zeros", or `0x` and the bytes it begins as. */
  readonly begins?: string;
  readonly slots: { readonly [T in Target]?: SlotReflection };
}

/** Where a target has the argument. */
export interface SlotReflection {
  readonly name?: string;
  readonly kind?: string;
  /** Binding, register, argument or buffer number. */
  readonly slot?: number;
  readonly register?: "b" | "t" | "u";
  /** Descriptor set or register space. */
  readonly set?: number;
  /** Of an address: the buffer it lies in, which is reached by an address as well. */
  readonly holder?: string;
  /** Bytes from the start of the block for by-value arguments, of what holds it for addresses. */
  readonly offset?: number;
  readonly size?: number;
  /** Of memory that is sized at launch, where they differ: bytes from element to element here and in the source. */
  readonly strides?: { readonly here: number; readonly source: number };
}

/** An argument with what running needs beyond the report: its type as such and where a leaf lies in its resource. */
export interface ArgumentShape {
  readonly path: string;
  readonly kind: ArgumentKind;
  readonly access: Access;
  readonly variable: VarId;
  readonly resource: Resource;
  /** The leaf's type for values, the element's or block's for buffers. */
  readonly type: Type;
  readonly derived?: Derived;
  readonly optional: boolean;
}

export interface EntryShape {
  readonly entry: EntryPoint;
  readonly arguments: readonly ArgumentShape[];
  readonly structs: LayoutStructs;
  readonly dialect: SourceDialect;
}

/** Only the order of scalars counts for by-value arguments: launches give them packed. */
const valueLayout: LayoutRule = "natural";

export const resourcesByVariable = (module: Module): ReadonlyMap<VarId, Resource> =>
  new Map(module.resources.map((r) => [r.variable, r]));

/** Who asks for the shapes of many entries looks the resources up once. */
export function shapeOf(module: Module, entry: EntryPoint, byVariable = resourcesByVariable(module)): EntryShape {
  const structs: LayoutStructs = module.structs;
  const list = entry.resources.flatMap((id): ArgumentShape[] => {
    const resource = byVariable.get(id);
    const variable = module.variables.get(id);
    if (!resource || !variable) throw new Error(`resource ${id} of ${entry.name} is not declared`);
    const common = { variable: id, resource, access: resource.access };
    switch (resource.kind) {
      case "buffer":
        if (resource.addressesOnly) return [];
        return [
          {
            ...common,
            path: resource.path,
            kind: "buffer",
            type: variable.type,
            optional: resource.begins !== undefined,
          },
        ];
      case "workgroup-sized-at-launch":
        return [{ ...common, path: resource.path, kind: "workgroup", type: variable.type, optional: false }];
      case "derived":
        return [
          {
            ...common,
            path: resource.path,
            kind: "derived",
            type: variable.type,
            derived: resource.derived,
            optional: true,
          },
        ];
      case "specialization":
        return [
          {
            ...common,
            path: resource.path,
            kind: "specialization",
            type: variable.type,
            optional: resource.defaultValue !== undefined,
          },
        ];
      case "value":
        if (resource.addressesOnly) return [];
        return launchLeaves(variable.type, valueLayout, structs, resource.path).flatMap(({ path, type, derived }) =>
          derived && "gap" in derived ? [] : [{ ...common, path, type, kind: "value", optional: false }],
        );
    }
  });
  return { entry, arguments: list, structs, dialect: module.dialect };
}

/** The scalars of a by-value leaf in order. */
export function valueScalars(type: Type, structs: LayoutStructs): { scalar: ScalarKind }[] {
  return leavesOf(type, valueLayout, structs).map((leaf) => {
    if (leaf.type.kind !== "scalar") throw new Error(`${showType(leaf.type)} is no scalar`);
    return { scalar: leaf.type.scalar };
  });
}

/** Bytes of the packed components of a by-value leaf: what a launch file gives. A bool counts one byte. */
export function packedSize(type: Type, structs: LayoutStructs): number {
  return valueScalars(type, structs).reduce((sum, s) => sum + (s.scalar === "bool" ? 1 : bitWidth(s.scalar) / 8), 0);
}

/** The bytes of a specialisation constant's default, where it is made of numbers alone. */
export function defaultBytes({ resource, type }: ArgumentShape): Uint8Array | undefined {
  const value = resource.defaultValue && new ConstantScope(new Map(), new Map()).valueOf(resource.defaultValue);
  if (value === undefined || typeof value === "object" || type.kind !== "scalar") return undefined;
  const bytes = new Uint8Array(scalarBytes(type.scalar));
  const problem = writeScalar(new DataView(bytes.buffer), 0, type.scalar, literalForm(value));
  return problem === undefined ? bytes : undefined;
}

/** What memory of the program begins as. */
export function bytesOfProgram(
  shape: ArgumentShape,
  structs: LayoutStructs,
  dialect: SourceDialect,
): Uint8Array | undefined {
  const { begins } = shape.resource;
  if (begins === undefined) return undefined;
  if (begins === "zeros") return new Uint8Array(bufferExtent(shape, structs, dialect).fixed);
  return Uint8Array.from(begins.slice(2).match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

/** What a buffer's size must be: a fixed number of bytes, then a multiple of `stride`. */
export function bufferExtent(
  shape: ArgumentShape,
  structs: LayoutStructs,
  dialect: SourceDialect,
): { fixed: number; stride?: number } {
  const own = extentOfType(shape, structs, dialect);
  const others = shape.resource?.others;
  if (!others || own.stride !== undefined) return own;
  const fixed = Math.max(own.fixed, others.bytes);
  return { fixed, ...(others.stride === undefined ? {} : { stride: others.stride }) };
}

function extentOfType(
  shape: ArgumentShape,
  structs: LayoutStructs,
  dialect: SourceDialect,
): { fixed: number; stride?: number } {
  const rule = layoutOfResource(dialect, shape.resource);
  const { type } = shape;
  if (type.kind === "array" && type.length === undefined)
    return { fixed: 0, stride: arrayStride(type.element, rule, structs) };
  if (type.kind === "struct") {
    const declared = structs.get(type.name);
    const members = declared?.members ?? [];
    const last = members.at(-1);
    if (last?.type.kind === "array" && last.type.length === undefined) {
      const offsets = memberOffsets(declared!, rule, structs);
      return { fixed: offsets.at(-1)!, stride: arrayStride(last.type.element, rule, structs) };
    }
  }
  return { fixed: layoutOf(type, rule, structs).size };
}

/** The slots of each target for one entry, by path, as the pass that assigned them reports. */
export type SlotTable = ReadonlyMap<string, { readonly [T in Target]?: SlotReflection }>;

export function reflectEntry(
  shape: EntryShape,
  features: readonly string[],
  slots: SlotTable = new Map(),
): EntryReflection {
  const { entry, structs, dialect } = shape;
  return {
    name: entry.name,
    ...(entry.workgroupSize ? { workgroupSize: entry.workgroupSize } : {}),
    ...(fixedWidth(entry.subgroupSizes) === undefined
      ? entry.subgroupSizes
        ? { subgroupSizes: entry.subgroupSizes }
        : {}
      : { subgroupSize: fixedWidth(entry.subgroupSizes)! }),
    ...(entry.maxTotalThreads === undefined ? {} : { maxTotalThreads: entry.maxTotalThreads }),
    features,
    arguments: shape.arguments.map((a): ArgumentReflection => {
      const extent = a.kind === "buffer" ? bufferExtent(a, structs, dialect) : undefined;
      const size = extent ? extent.fixed : a.kind === "workgroup" ? 0 : packedSize(a.type, structs);
      const element = a.type.kind === "array" ? a.type.element : a.type;
      const isStruct = a.kind === "buffer" && element.kind === "struct";
      return {
        path: a.path,
        kind: a.kind,
        access: a.access,
        type: showType(a.type),
        ...(extent?.stride ? { stride: extent.stride } : {}),
        ...(size > 0 ? { size } : {}),
        ...(isStruct ? { leaves: structLeaves(element, structs, layoutOfResource(dialect, a.resource)) } : {}),
        ...(a.derived ? { derived: a.derived } : {}),
        ...(a.optional && a.kind === "specialization" ? { optional: true } : {}),
        ...(a.resource.begins === undefined ? {} : { begins: a.resource.begins }),
        slots: slots.get(a.path) ?? {},
      };
    }),
  };
}

function structLeaves(type: Type, structs: LayoutStructs, rule: LayoutRule): ArgumentReflection["leaves"] {
  return leavesOf(type, rule, structs).map((leaf) => ({
    path: leaf.path.replace(/^\./, ""),
    type: showType(leaf.type),
    offset: leaf.offset,
  }));
}
