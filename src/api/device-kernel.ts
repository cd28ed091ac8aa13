/**
 * From a compiled text and a bound launch to what a device takes: which place of the text's interface each argument
 * goes to, and the bytes laid out as that place has them. The interface is read from the text itself, so that a source
 * and a translation go the same way.
 */
import type { EntryPoint, Module, Resource } from "../ast/nodes.js";
import { usesSubgroups } from "../ast/subgroups.js";
import { registerShift, isKernelLanguage, type KernelLanguage } from "../device/kernel.js";
import type { DeviceData, DeviceKernel, DeviceLaunch, InterfaceSlot, ScalarLayout } from "../device/kernel.js";
import type { SourceDialect } from "../dialects/ids.js";
import { cxxVersion } from "../dialects/language.js";
import { languageFacts, layoutOfResource } from "../dialects/languages.js";
import { namesNarrowTypes } from "../dialects/words.js";
import { preprocessedText } from "../support/expanded-source.js";
import { arrayStride, layoutOf, leavesOf, memberOffsets, scalarSize } from "../types/layout.js";
import type { LayoutRule, LayoutStruct, LayoutStructs } from "../types/layout.js";
import { bitWidth, scalarOf } from "../types/types.js";
import type { ScalarKind, Type } from "../types/types.js";
import type { TranslatedArgument } from "../verify/arguments-of-translation.js";
import type { BoundLaunch } from "../launch/bind.js";
import { shapeOf } from "../launch/reflection.js";
import type { ArgumentShape } from "../launch/reflection.js";
import type { Compilation } from "./compile.js";
import { valueAsBuffer } from "./value-buffers.js";
import { derivedBytes, isWords, wholeWords, widened, workgroupBytesHere } from "./runners.js";

/** A kernel for devices, with what its launches need. */
export interface PreparedKernel {
  readonly kernel: DeviceKernel;
  /** Data of a launch whose arguments go by the source's paths. */
  data(launch: BoundLaunch): DeviceData[];
  /** The source's path of a buffer that comes back. */
  pathOf(key: string): string | undefined;
}

/** A scalar of a by-value resource: where it lies in its place. */
interface Leaf {
  readonly scalar: ScalarKind;
  readonly offset: number;
}

/** Bytes that several resources share: a parameter, a block. */
interface Place {
  readonly key: string;
  readonly size: number;
  readonly rule: LayoutRule;
  readonly parts: readonly { readonly resource: Resource; readonly leaves: readonly Leaf[] }[];
}

export function prepareKernel(
  compilation: Compilation,
  entry: EntryPoint,
  translated: readonly TranslatedArgument[] | undefined,
): PreparedKernel | { readonly problem: string } {
  const module = compilation.module;
  if (!module) throw new Error("a source with errors is not run");
  const { dialect } = compilation;
  if (!isKernelLanguage(dialect)) return { problem: `no device takes ${dialect}` };
  const shape = shapeOf(module, entry);
  const typed = shape.arguments.find((a) => a.resource.view === "typed");
  const addressed = shape.arguments.find((a) => a.resource.pointerIn);
  if (addressed)
    return {
      problem: `'${addressed.path}' is reached by an address that the host writes, which is not done on devices yet`,
    };
  const kept = shape.arguments.find((a) => a.resource.begins !== undefined);
  if (kept)
    return { problem: `'${kept.path}' lies in global memory at file scope, which no host reads or writes on a device` };
  const arrayed = module.resources.find((r) => r.kind === "value" && r.block?.element && !r.slot?.register);
  if (arrayed) return { problem: `'${arrayed.path}' is of an array of uniform blocks, which has one binding` };
  const texels = module.resources.find((r) => r.kind === "value" && r.slot?.register === "t");
  if (texels)
    return { problem: `'${texels.path}' is of a texture buffer, which would be a texel buffer on the device` };
  if (typed) return { problem: `'${typed.path}' is a typed buffer, which would be a texel buffer on the device` };
  const places = placesOf(module, entry, dialect);
  const wrong = translated && misplaced(translated, places);
  if (wrong) return { problem: wrong };
  const slots =
    languageFacts[dialect].slots === "positions"
      ? parameters(entry, module, places)
      : descriptors(shape.arguments, module, dialect, places);
  const sourcePath = new Map((translated ?? []).map((t) => [t.shape.path, t.sourcePath]));
  // A text that is read again does not say which of its values a runner provides; whoever wrote it does.
  const derived = new Map((translated ?? []).map((t) => [t.shape.path, t.slot.derived]));
  const strides = new Map((translated ?? []).map((t) => [t.shape.path, t.slot.strides]));
  const own = (path: string): string | undefined => (translated ? sourcePath.get(path) : path);
  const kernel: DeviceKernel = {
    language: dialect,
    ...textFor(compilation),
    entry: entry.name,
    interface: slots,
    usesSubgroups: usesSubgroups(module),
    narrowTypes: compilation.options.enable16bitTypes === true || namesNarrowTypes(compilation.expanded.text),
    ...(compilation.form !== dialect ? { cxx: cxxVersion(compilation.options.clStd) } : {}),
    ...(compilation.options.hlslVersion ? { hlslVersion: compilation.options.hlslVersion } : {}),
    ...(entry.workgroupSizeIds ? { workgroupSizeIds: entry.workgroupSizeIds } : {}),
    ...(entry.workgroupSize ? { workgroupSize: entry.workgroupSize } : {}),
  };
  return {
    kernel,
    pathOf: own,
    data(launch) {
      const given = new Map(launch.arguments.map((a) => [a.path, a]));
      const bytesOf = (a: ArgumentShape): Uint8Array | undefined => {
        const builtin = a.derived ?? derived.get(a.path);
        if (builtin !== undefined) return derivedBytes(builtin, launch, a.type);
        const argument = given.get(own(a.path) ?? "");
        return argument?.kind === "value" ? widened(argument.bytes, a.type) : undefined;
      };
      const data: DeviceData[] = [];
      for (const a of shape.arguments) {
        const argument = given.get(own(a.path) ?? "");
        if (a.kind === "buffer" && argument?.kind === "buffer") {
          data.push({
            key: a.path,
            kind: "buffer",
            bytes: translated && isWords(a.type) ? wholeWords(argument.bytes) : argument.bytes,
            writable: a.access !== "read",
          });
        } else if (a.kind === "buffer" && own(a.path) !== undefined) {
          const bytes = valueAsBuffer(launch, own(a.path)!, a.type, dialect, module.structs);
          if (bytes) data.push({ key: a.path, kind: "buffer", bytes, writable: false });
        } else if (a.kind === "workgroup" && argument?.kind === "workgroup") {
          data.push({
            key: a.path,
            kind: "workgroup",
            byteLength: workgroupBytesHere(argument.byteLength, strides.get(a.path)),
          });
        } else if (a.kind === "specialization") {
          const bytes = bytesOf(a);
          if (bytes)
            data.push({
              key: a.path,
              kind: "bytes",
              bytes: spread(
                bytes,
                [{ scalar: scalarOf(a.type)!, offset: 0 }],
                scalarSize(scalarOf(a.type)!, "std430"),
                "std430",
              ),
            });
        }
      }
      for (const place of places)
        data.push({ key: place.key, kind: "bytes", bytes: fill(place, shape.arguments, bytesOf) });
      return data;
    },
  };
}

export function deviceLaunch(
  prepared: PreparedKernel,
  launch: BoundLaunch,
  subgroupSize: number | undefined,
  timeout: number,
): DeviceLaunch {
  const { workgroups, workgroupSize, gridSize, gridOffset, dimensions } = launch;
  return {
    workgroups,
    workgroupSize,
    gridSize,
    gridOffset,
    dimensions,
    timeout,
    data: prepared.data(launch),
    ...(subgroupSize === undefined ? {} : { subgroupSize }),
  };
}

// ------------------------------------------------------------------ where by-value arguments lie

const isValue = (r: Resource): boolean => r.kind === "value" || r.kind === "derived";

function placesOf(module: Module, entry: EntryPoint, dialect: SourceDialect): Place[] {
  const resources = new Map(module.resources.map((r) => [r.variable, r]));
  const values = entry.resources.map((id) => resources.get(id)!).filter(isValue);
  const typeOf = (r: Resource): Type => module.variables.get(r.variable)!.type;
  const structs: LayoutStructs = module.structs;
  const { valueArguments } = languageFacts[dialect];
  if (valueArguments === "parameters") {
    return values.map((r) => ({
      key: r.path,
      size: layoutOf(typeOf(r), "natural", structs).size,
      rule: "natural",
      parts: [{ resource: r, leaves: scalars(typeOf(r), "natural", structs) }],
    }));
  }
  const blocks = new Map<string, Resource[]>();
  // All members of a block count for its layout.
  for (const r of module.resources.filter(isValue)) {
    const key = blockKey(r);
    if (values.some((v) => blockKey(v) === key)) blocks.set(key, [...(blocks.get(key) ?? []), r]);
  }
  return [...blocks].map(([key, members]): Place => {
    const first = members[0]!;
    const rule: LayoutRule =
      valueArguments === "constant buffers"
        ? "cbuffer"
        : (first.layout ?? (first.block?.kind === "push-constant" ? "std430" : "std140"));
    const types = members.map((r) => ({ name: r.path, type: typeOf(r), offset: r.block?.offset }));
    const offsets = memberOffsets({ members: types }, rule, structs);
    const end = Math.max(...types.map((t, i) => offsets[i]! + layoutOf(t.type, rule, structs).size));
    const round = rule === "std430" || rule === "structured" || rule === "scalar" ? 4 : 16;
    return {
      key,
      size: Math.ceil(end / round) * round,
      rule,
      parts: members.map((r, i) => ({
        resource: r,
        leaves: scalars(typeOf(r), rule, structs).map((l) => ({ ...l, offset: l.offset + offsets[i]! })),
      })),
    };
  });
}

const blockKey = (r: Resource): string =>
  `block ${r.block?.kind ?? ""} ${r.block?.name ?? ""} ${r.block?.instance ?? ""}`;

function scalars(type: Type, rule: LayoutRule, structs: LayoutStructs): Leaf[] {
  return leavesOf(type, rule, structs).map((l) => ({ scalar: scalarOf(l.type)!, offset: l.offset }));
}

const packedBytes = (kind: ScalarKind): number => (kind === "bool" ? 1 : bitWidth(kind) / 8);

/** Packed components to their places. */
function spread(packed: Uint8Array, leaves: readonly Leaf[], size: number, rule: LayoutRule): Uint8Array {
  const bytes = new Uint8Array(size);
  let from = 0;
  for (const { scalar, offset } of leaves) {
    const length = packedBytes(scalar);
    bytes.set(packed.subarray(from, from + length), offset);
    from += length;
  }
  if (from !== packed.length) throw new Error(`${packed.length} bytes are given for ${from} in ${rule} layout`);
  return bytes;
}

function fill(
  place: Place,
  shapes: readonly ArgumentShape[],
  bytesOf: (a: ArgumentShape) => Uint8Array | undefined,
): Uint8Array {
  const bytes = new Uint8Array(place.size);
  for (const { resource, leaves } of place.parts) {
    const own = shapes.filter((a) => a.variable === resource.variable).map((a) => bytesOf(a));
    // A member of the block that this entry does not use.
    if (own.length === 0) continue;
    const packed = new Uint8Array(own.reduce((sum, b) => sum + (b?.length ?? 0), 0));
    let at = 0;
    for (const part of own) {
      if (!part) throw new Error(`nothing is given for ${resource.path}`);
      packed.set(part, at);
      at += part.length;
    }
    const spreadOut = spread(packed, leaves, place.size, place.rule);
    for (const { scalar, offset } of leaves)
      bytes.set(spreadOut.subarray(offset, offset + packedBytes(scalar)), offset);
  }
  return bytes;
}

/** Legalization and the text that was read again must say the same of where a leaf lies. */
function misplaced(translated: readonly TranslatedArgument[], places: readonly Place[]): string | undefined {
  for (const { shape, slot } of translated) {
    if (slot.kind !== "block") continue;
    const place = places.find((p) => p.parts.some((part) => part.resource.variable === shape.variable));
    const part = place?.parts.find((p) => p.resource.variable === shape.variable);
    const offsets = part?.leaves.map((l) => l.offset) ?? [];
    if (!offsets.includes(slot.offset))
      return `'${shape.path}' lies at byte ${offsets[0] ?? "?"} of its block, and byte ${slot.offset} was meant`;
  }
  return undefined;
}

// ------------------------------------------------------------------ slots

function parameters(entry: EntryPoint, module: Module, places: readonly Place[]): InterfaceSlot[] {
  const resources = new Map(module.resources.map((r) => [r.variable, r]));
  return entry.resources.map((id, index): InterfaceSlot => {
    const r = resources.get(id)!;
    const space = r.kind === "buffer" ? "global" : r.kind === "workgroup-sized-at-launch" ? "workgroup" : "value";
    const place = places.find((p) => p.parts.some((part) => part.resource === r));
    return { kind: "argument", key: place?.key ?? r.path, index: r.slot?.number ?? index, space };
  });
}

function descriptors(
  list: readonly ArgumentShape[],
  module: Module,
  dialect: KernelLanguage,
  places: readonly Place[],
): InterfaceSlot[] {
  const structs: LayoutStructs = module.structs;
  const registers = languageFacts[dialect].slots === "registers";
  const binding = (r: Resource): { binding?: number } =>
    r.slot?.number === undefined
      ? {}
      : {
          binding: r.slot.number + (registers && r.slot.register ? registerShift[r.slot.register] : 0),
        };
  const slots: InterfaceSlot[] = [];
  for (const a of list) {
    if (a.kind === "buffer") {
      const variable = module.variables.get(a.variable)!;
      const names = [variable.name, a.resource.block?.name, a.resource.block?.instance].filter((n) => n !== undefined);
      const layout = bufferScalars(a.type, layoutOfResource(dialect, a.resource), structs);
      slots.push({
        kind: "descriptor",
        key: a.path,
        what: "storage",
        names,
        set: a.resource.slot?.set ?? 0,
        ...binding(a.resource),
        ...(a.resource.block?.element ? { element: a.resource.block.element.index } : {}),
        layout,
      });
    } else if (a.kind === "specialization") {
      if (a.resource.slot?.number !== undefined)
        slots.push({ kind: "specialization", key: a.path, id: a.resource.slot.number });
    }
  }
  for (const place of places) {
    const { resource } = place.parts[0]!;
    const layout = {
      offsets: place.parts.flatMap((p) => p.leaves.map((l) => l.offset)).sort((x, y) => x - y),
    };
    if (resource.block?.kind === "push-constant") {
      slots.push({ kind: "push-constants", key: place.key, size: place.size, layout });
    } else {
      const names = [resource.block?.instance, resource.block?.name]
        .filter((n) => n !== undefined)
        .map((n) => (n === "$Globals" ? "$Global" : n));
      slots.push({
        kind: "descriptor",
        key: place.key,
        what: "uniform",
        names,
        set: resource.slot?.set ?? 0,
        ...binding(resource),
        layout,
      });
    }
  }
  return slots;
}

function bufferScalars(type: Type, rule: LayoutRule, structs: LayoutStructs): ScalarLayout {
  const offsetsOf = (t: Type): number[] =>
    leavesOf(t, rule, structs)
      .map((l) => l.offset)
      .sort((a, b) => a - b);
  const tail = (element: Type, offset: number): ScalarLayout["tail"] => ({
    offset,
    stride: arrayStride(element, rule, structs),
    offsets: offsetsOf(element),
  });
  if (type.kind === "array" && type.length === undefined) return { offsets: [], tail: tail(type.element, 0) };
  if (type.kind === "struct") {
    const { members }: { readonly members: readonly (LayoutStruct["members"][number] & { readonly gap?: boolean })[] } =
      structs.get(type.name)!;
    const last = members.at(-1)!;
    const open = last.type.kind === "array" && last.type.length === undefined ? last.type : undefined;
    if (open || members.some((m) => m.gap)) {
      const offsets = memberOffsets(structs.get(type.name)!, rule, structs);
      const fixed = (open ? members.slice(0, -1) : members).flatMap((m, i) =>
        m.gap ? [] : offsetsOf(m.type).map((o) => o + offsets[i]!),
      );
      return { offsets: fixed, ...(open ? { tail: tail(open.element, offsets.at(-1)!) } : {}) };
    }
  }
  return { offsets: offsetsOf(type) };
}

// ------------------------------------------------------------------ the text

/** As it was given; with includes, what preprocessing made of it, since drivers have no files. */
function textFor(compilation: Compilation): Pick<DeviceKernel, "code" | "defines"> {
  const { expanded, source, options } = compilation;
  const included = expanded.directives.some((d) => d.kind === "include") || (options.prelude ?? []).length > 0;
  if (!included) {
    const defines = Object.fromEntries(
      Object.entries(options.defines ?? {}).map(([name, value]) => [
        name,
        typeof value === "boolean" ? String(Number(value)) : String(value),
      ]),
    );
    return { code: source, defines };
  }
  return { code: preprocessedText(expanded), defines: {} };
}
