/**
 * The interface of kernels as a host sees it: bytes of buffers, places of arguments in each target. What the printers of
 * bindings write, and nothing of how.
 */
import { entryTranslations } from "../api/reflect.js";
import { describeSlot, slotsByEntry } from "../api/reflect-compilation.js";
import type { Compilation } from "../api/compile.js";
import type { SourceOptions, TargetOptions } from "../api/types.js";
import type { SlotAssignment } from "../ast/legal.js";
import type { Target } from "../dialects/ids.js";
import { layoutOfResource } from "../dialects/languages.js";
import { bufferExtent, shapeOf } from "../launch/reflection.js";
import type { ArgumentKind, ArgumentShape, SlotReflection } from "../launch/reflection.js";
import { assertNever } from "../support/assert-never.js";
import { arrayStride, layoutOf, memberOffsets, scalarSize, scalarsOf } from "../types/layout.js";
import type { LayoutRule, LayoutStructs } from "../types/layout.js";
import { shaped, u64, type Access, type ScalarKind, type Type } from "../types/types.js";

/** Bytes of a value: `size` is what it takes, without what may follow it. */
export type HostType =
  | { readonly kind: "scalar"; readonly scalar: ScalarKind; readonly size: number }
  | { readonly kind: "vector"; readonly scalar: ScalarKind; readonly components: number; readonly size: number }
  /** Without a length: as long as the buffer. */
  | {
      readonly kind: "array";
      readonly element: HostType;
      readonly length: number | undefined;
      readonly stride: number;
      readonly size: number;
    }
  | { readonly kind: "struct"; readonly name: string; readonly size: number }
  /** Members that share their bytes. */
  | { readonly kind: "bytes"; readonly size: number };

export interface HostMember {
  /** As the kernel calls it; of blocks the path of the argument. */
  readonly name: string;
  readonly offset: number;
  readonly type: HostType;
}

export interface HostStruct {
  readonly name: string;
  readonly size: number;
  readonly members: readonly HostMember[];
}

export interface HostArgument {
  readonly path: string;
  readonly kind: ArgumentKind;
  readonly access: Access;
  /** Of buffers all of it. */
  readonly type: HostType;
}

/** Where one argument of its own is in a target. */
export interface HostSlot extends Pick<SlotReflection, "kind" | "slot" | "set" | "register"> {
  readonly path: string;
}

/** Arguments by value that a target has in one piece of memory. */
export interface HostBlock extends HostStruct, Pick<SlotReflection, "kind" | "slot" | "set" | "register"> {}

export interface HostTarget {
  readonly target: Target;
  /** The entry point, as the target calls it. */
  readonly entry: string;
  readonly slots: readonly HostSlot[];
  readonly blocks: readonly HostBlock[];
}

export interface HostEntry {
  readonly name: string;
  readonly workgroupSize?: readonly [number, number, number];
  readonly arguments: readonly HostArgument[];
  /** Those that take it. */
  readonly targets: readonly HostTarget[];
}

export interface HostInterface {
  /** Without its folder. */
  readonly fileName: string;
  /** Of buffers, a struct before those that hold it. */
  readonly structs: readonly HostStruct[];
  readonly entries: readonly HostEntry[];
}

/** `targets`: only their slots; else of all. */
export async function hostInterface(
  compilation: Compilation,
  options: TargetOptions & Pick<SourceOptions, "entry"> & { readonly targets?: readonly Target[] },
): Promise<HostInterface> {
  const { module } = compilation;
  if (!module) throw new Error("a source with errors has no bindings");
  const structs = new Map<string, HostStruct>();
  const entries: HostEntry[] = [];
  for await (const { entry, translations } of entryTranslations(compilation, options)) {
    const shape = shapeOf(module, entry);
    const describe = (a: ArgumentShape): HostArgument => ({
      path: a.path,
      kind: a.kind,
      access: a.access,
      type:
        a.kind === "buffer"
          ? bufferType(
              a,
              shape.structs,
              layoutOfResource(module.dialect, a.resource),
              structs,
              bufferExtent(a, shape.structs, module.dialect).fixed,
            )
          : hostType(a.type, "natural", shape.structs, structs),
    });
    const wanted = translations.filter((t) => options.targets === undefined || options.targets.includes(t.target));
    entries.push({
      name: entry.name,
      ...(entry.workgroupSize ? { workgroupSize: entry.workgroupSize } : {}),
      arguments: shape.arguments.map(describe),
      targets: wanted.flatMap(({ target, output }): HostTarget[] => {
        if (!output) return [];
        const slots = slotsByEntry(output.slots, output.module)(entry.name);
        const inTarget = output.module.entries[0]?.name ?? entry.name;
        return [{ target, entry: inTarget, ...placesOf(slots, target, output.module.structs) }];
      }),
    });
  }
  return { fileName: compilation.fileName.replace(/^.*[\\/]/, ""), structs: [...structs.values()], entries };
}

const bufferType = (
  { type }: ArgumentShape,
  declared: LayoutStructs,
  rule: LayoutRule,
  structs: Map<string, HostStruct>,
  fixed: number,
): HostType => ({ ...hostType(type, rule, declared, structs), size: fixed });

function placesOf(
  assigned: readonly SlotAssignment[],
  target: Target,
  structs: LayoutStructs,
): Pick<HostTarget, "slots" | "blocks"> {
  const slots = new Map<string, HostSlot>();
  const blocks = new Map<
    string,
    { readonly at: HostSlot; readonly members: HostMember[]; end: number; unit: number }
  >();
  for (const s of assigned) {
    const { kind: ofSlot, slot, set, register } = describeSlot(s, target);
    const kind = s.block ? s.block.kind : ofSlot;
    const at: HostSlot = {
      path: s.path,
      ...(kind === undefined ? {} : { kind }),
      ...(slot === undefined ? {} : { slot }),
      ...(set === undefined ? {} : { set }),
      ...(register === undefined ? {} : { register }),
    };
    if (!s.block) {
      // What lies in several places is where the first of them is.
      if (!slots.has(s.path)) slots.set(s.path, at);
      continue;
    }
    // Only what a shader reads as vectors of four words has to be whole ones.
    const known = blocks.get(s.block.name) ?? {
      at,
      members: [],
      end: 0,
      unit: s.block.kind === "push-constant" ? 4 : 16,
    };
    blocks.set(s.block.name, known);
    // Leaves are numbers, vectors, matrices and arrays of those: no struct is met on the way.
    const held = s.kind === "address" ? u64 : s.type;
    known.members.push({ name: s.path, offset: s.offset, type: hostType(held, s.rule, structs, new Map()) });
    known.end = Math.max(known.end, s.offset + layoutOf(held, s.rule, structs).size);
    known.unit = Math.max(known.unit, ...scalarsOf(held, structs).map((k) => scalarSize(k, s.rule)));
  }
  return {
    slots: [...slots.values()],
    blocks: [...blocks].map(
      ([
        name,
        {
          at: { path: _, ...at },
          members,
          end,
          unit,
        },
      ]) => ({
        ...at,
        name,
        size: Math.ceil(end / unit) * unit,
        members: members.toSorted((a, b) => a.offset - b.offset),
      }),
    ),
  };
}

function hostType(type: Type, rule: LayoutRule, declared: LayoutStructs, structs: Map<string, HostStruct>): HostType {
  const { size } = layoutOf(type, rule, declared);
  switch (type.kind) {
    case "scalar":
      return { kind: "scalar", scalar: type.scalar, size };
    case "vector":
      return {
        kind: "vector",
        scalar: type.scalar,
        components: type.size,
        size: scalarSize(type.scalar, rule) * type.size,
      };
    case "matrix": {
      const column = shaped(type.scalar, type.rows);
      const element = hostType(column, rule, declared, structs);
      return { kind: "array", element, length: type.columns, stride: arrayStride(column, rule, declared), size };
    }
    case "array": {
      const element = hostType(type.element, rule, declared, structs);
      return { kind: "array", element, length: type.length, stride: arrayStride(type.element, rule, declared), size };
    }
    case "struct": {
      const { members, union } = declared.get(type.name)!;
      if (union) return { kind: "bytes", size };
      const offsets = memberOffsets(declared.get(type.name)!, rule, declared);
      const shown = members.flatMap((m, i) =>
        m.gap ? [] : [{ name: m.name, offset: offsets[i]!, type: hostType(m.type, rule, declared, structs) }],
      );
      structs.set(type.name, { name: type.name, size, members: shown });
      return { kind: "struct", name: type.name, size };
    }
    case "pointer":
    case "void":
      throw new Error(`${type.kind} is no type of an argument`);
    default:
      return assertNever(type);
  }
}
