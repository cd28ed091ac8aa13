/**
 * Where each argument of a kernel lives in the target: positions, bindings, registers, and its place in a block of arguments by
 * value. Deterministic: in the order of the list, numbers of the source kept where the target has the same kind of slot.
 */
import type { SlotAssignment, ValueBlock } from "../../ast/legal.js";
import { isOwnText, resourceOf, variableOf } from "../../ast/lookup.js";
import type { Resource, Module, VarId, EntryPoint } from "../../ast/nodes.js";
import type { TargetDialect } from "../../dialects/ids.js";
import { writingFacts, languageFacts, layoutOfResource, bufferLayout } from "../../dialects/languages.js";
import { append } from "../../support/append.js";
import { arrayStride, memberOffsets, launchLeaves, type LayoutRule, layoutOf } from "../../types/layout.js";
import type { Type } from "../../types/types.js";
import { type TextPass, type TextContext, emptyFacts } from "../pass.js";

const isArgument = (r: Resource): boolean => r.kind === "value" || r.kind === "derived";

export const assignSlots: TextPass = {
  name: "assign-slots",
  requires: ["globals-placed"],
  run(module, context) {
    const slots: SlotAssignment[] = [];
    if (languageFacts[context.target].resources === "file scope") return fileScopeSlots(module, context, slots);
    for (const entry of module.entries) append(slots, argumentSlots(module, entry, context));
    return withFacts(numbered(module, slots), context, slots, []);
  },
};

function numbered(module: Module, slots: readonly SlotAssignment[]): Module {
  const first = new Map<VarId, number>();
  for (const s of slots) if (s.number !== undefined && !first.has(s.variable)) first.set(s.variable, s.number);
  return {
    ...module,
    resources: module.resources.map((r) => {
      const number = first.get(r.variable);
      return number === undefined ? r : { ...r, slot: { number } };
    }),
  };
}

/** Memory that is sized at launch in the source, and whose elements take other bytes here: whoever launches it has to know. */
function stridesOf(r: Resource, module: Module, context: TextContext): Pick<SlotAssignment, "strides"> {
  const v = variableOf(module, r.variable);
  const { sourceStride: source } = r;
  if (source === undefined || v.type.kind !== "array") return {};
  // Words of the source's layout.
  const inWords = Math.ceil(source / 4) * 4;
  const here = r.view === "raw" ? inWords : arrayStride(v.type.element, bufferLayout(context.target), module.structs);
  if (here === source) return {};
  const message = `${v.name} is given ${String(here)} bytes for each ${String(source)} that a launch of the source gives it`;
  context.note("assumed", "workgroup.bytes", message, v.span);
  return { strides: { here, source } };
}

/** Arguments of the kernel itself: MSL and OpenCL. */
function argumentSlots(module: Module, entry: EntryPoint, context: TextContext): SlotAssignment[] {
  const { target } = context;
  const { name: language, slots } = languageFacts[target];
  const { mostBuffers = Infinity } = writingFacts(target);
  const own = isOwnText(module, target) && slots !== "positions";
  const list = entry.resources.map((id) => resourceOf(module, id)!);
  const used = { buffer: new Set<number>(), workgroup: new Set<number>(), specialization: new Set<number>() };
  const classOf = (r: Resource): keyof typeof used =>
    slots === "positions" || r.kind === "buffer" || isArgument(r)
      ? "buffer"
      : r.kind === "specialization"
        ? "specialization"
        : "workgroup";
  const keep = (r: Resource): number | undefined => (own || r.kind === "specialization" ? r.slot?.number : undefined);
  for (const r of list) {
    const n = keep(r);
    if (n !== undefined) used[classOf(r)].add(n);
  }
  const next = { buffer: 0, workgroup: 0, specialization: 0 };
  let isBeyond = false;
  return (own ? hostsFirst(list) : list).flatMap((r): SlotAssignment[] => {
    const v = variableOf(module, r.variable);
    const c = classOf(r);
    let number = keep(r);
    if (number === undefined) {
      while (used[c].has(next[c])) next[c]++;
      number = next[c]++;
    }
    if (c === "buffer" && number >= mostBuffers && !isBeyond)
      context.problems.error(
        "XL4008",
        `${v.name} would be buffer ${number} of kernel ${entry.name}, and ${language} has ${mostBuffers}`,
        v.span,
      );
    isBeyond ||= number >= mostBuffers;
    const base = {
      entry: entry.name,
      variable: r.variable,
      number,
      rule: "natural" as const,
      ...(r.derived ? { derived: r.derived } : {}),
    };
    switch (r.kind) {
      case "buffer":
        return [
          { ...base, path: r.path, kind: "buffer", offset: 0, size: sizeOf(v.type, "natural", module), type: v.type },
        ];
      case "workgroup-sized-at-launch":
        return [
          {
            ...base,
            ...stridesOf(r, module, context),
            path: r.path,
            kind: "workgroup",
            offset: 0,
            size: 0,
            type: v.type,
          },
        ];
      case "specialization":
        return [
          {
            ...base,
            path: r.path,
            kind: "specialization",
            offset: 0,
            size: sizeOf(v.type, "natural", module),
            type: v.type,
          },
        ];
      case "value":
      case "derived":
        if (r.gathered) {
          const { members } = module.structs.get((v.type as Type & { kind: "struct" }).name)!;
          const offsets = memberOffsets({ members }, "natural", module.structs);
          return r.gathered.flatMap((g, i) =>
            launchLeaves(members[i]!.type, "natural", module.structs, g.path, offsets[i]).map((l): SlotAssignment => ({
              ...base,
              kind: "value",
              ...l,
              ...(g.derived ? { derived: g.derived } : {}),
            })),
          );
        }
        return launchLeaves(v.type, "natural", module.structs, r.path).map((l) => ({ ...base, kind: "value", ...l }));
    }
  });
}

/** Buffers whose addresses the host writes have no number in the source: the others have what they have without them. */
const hostsFirst = (list: readonly Resource[]): readonly Resource[] => [
  ...list.filter((r) => !r.pointerIn),
  ...list.filter((r) => r.pointerIn),
];

function sizeOf(type: Type, rule: LayoutRule, module: Module): number {
  if (type.kind === "array" && type.length === undefined) return 0;
  return layoutOf(type, rule, module.structs).size;
}

type Slot = NonNullable<Resource["slot"]>;

interface BufferSlots {
  readonly assigned: Map<VarId, Slot>;
  /** Keys of numbers that stand for something: set, register, number. */
  readonly taken: ReadonlySet<string>;
  /** The first number that is free. */
  readonly next: number;
}

/** Bindings or registers of buffers: those of the source where the target has the same, else one after the other. */
function bufferSlots(module: Module, context: TextContext): BufferSlots {
  const { target } = context;
  const own = isOwnText(module, target);
  const registers = languageFacts[target].slots === "registers";
  const kept = languageFacts[module.dialect].resources === "file scope";
  const all = module.resources.filter((r) => r.kind === "buffer" && r.beside === undefined);
  const buffers = own ? hostsFirst(all) : all;
  const assigned = new Map<VarId, NonNullable<Resource["slot"]>>();
  const register = (r: Resource): "t" | "u" =>
    own && r.slot?.register && r.slot.register !== "b" ? r.slot.register : r.access === "read" ? "t" : "u";
  // Registers t and u are numbered apart, bindings are one row: numbers that meet in the target are not kept.
  const row = (r: Resource): string => (registers ? register(r) : "");
  const key = (r: Resource): string => `${r.slot?.set ?? 0} ${row(r)} ${r.slot?.number}`;
  const keys = buffers.filter((r) => r.slot?.number !== undefined).map(key);
  const { mostBinding: most } = writingFacts(target);
  const fits = ({ slot }: Resource): boolean =>
    own || !most || ((slot?.number ?? 0) <= most.number && (slot?.set ?? 0) <= most.set);
  const keepNumbers = kept && (own || (new Set(keys).size === keys.length && keys.length === buffers.length));
  const taken = new Set<string>();
  // Uniform blocks are in one row with buffers, texture buffers in that of what is read.
  if (own)
    for (const r of module.resources)
      if (isArgument(r) && r.block?.kind === "uniform" && r.slot?.number !== undefined)
        if (!registers || r.slot.register === "t") taken.add(key(r));
  if (keepNumbers) for (const r of buffers) if (r.slot?.number !== undefined && fits(r)) taken.add(key(r));
  let next = 0;
  for (const r of buffers) {
    const explicit = keepNumbers && r.slot?.number !== undefined;
    const letter = registers ? { register: register(r) } : {};
    if (explicit && !fits(r))
      context.note(
        "emulated",
        "binding-number",
        `binding ${r.slot.number} of set ${r.slot.set ?? 0} of the source is beyond ${most!.number} and set ${most!.set} here, and has another number`,
        variableOf(module, r.variable).span,
      );
    else if (explicit) {
      assigned.set(r.variable, {
        number: r.slot.number,
        ...(r.slot.set !== undefined ? { set: r.slot.set } : {}),
        ...letter,
      });
      continue;
    }
    const free = (n: number): boolean => !taken.has(`0 ${row(r)} ${n}`);
    while (!free(next)) next++;
    taken.add(`0 ${row(r)} ${next}`);
    assigned.set(r.variable, { number: next++, ...letter });
  }
  for (const r of module.resources) {
    const shared = r.beside === undefined ? undefined : assigned.get(r.beside);
    if (shared) assigned.set(r.variable, shared);
  }
  return { assigned, taken, next };
}

const ruleOf = (b: ValueBlock): LayoutRule =>
  b.layout ?? (b.kind === "push-constant" ? "std430" : b.kind === "uniform" ? "std140" : "cbuffer");

/** Where each by-value argument lies in its block. */
function blockOffsets(
  module: Module,
  blocks: readonly ValueBlock[],
  given: (id: VarId) => number | undefined,
): Map<VarId, number> {
  const offsets = new Map<VarId, number>();
  for (const b of blocks) {
    const members = b.members.map((id) => ({ name: String(id), type: variableOf(module, id).type, offset: given(id) }));
    memberOffsets({ members }, ruleOf(b), module.structs).forEach((o, i) => offsets.set(b.members[i]!, o));
  }
  return offsets;
}

/** Numbers of specialisation constants: those of the source as far as the target has such, the others fill up. */
function constantNumbers(module: Module, context: TextContext): (r: Resource) => number {
  const { mostConstantNumber: most = Infinity } = writingFacts(context.target);
  let constantId = 0;
  const usedIds = new Set(
    module.resources.flatMap((r) =>
      r.kind === "specialization" && r.slot?.number !== undefined ? [r.slot.number] : [],
    ),
  );
  for (const e of module.entries) for (const id of e.workgroupSizeIds ?? []) if (id !== undefined) usedIds.add(id);
  return (r) => {
    const kept = r.slot?.number;
    if (kept !== undefined && kept <= most) return kept;
    while (usedIds.has(constantId)) constantId++;
    if (kept !== undefined)
      context.note(
        "emulated",
        "constant-number",
        `constant ${kept} of the source has a number up to ${most} here`,
        variableOf(module, r.variable).span,
      );
    return constantId++;
  };
}

/** Resources at file scope: GLSL and HLSL. */
function fileScopeSlots(module: Module, context: TextContext, slots: SlotAssignment[]): Module {
  const { target } = context;
  const own = isOwnText(module, target);
  const { assigned, taken, next } = bufferSlots(module, context);
  const values = module.resources.filter(isArgument);
  const blocks = own ? ownBlocks(module, values, target, taken) : crossBlock(module, values, target, next, taken);
  const inBlock = new Map(blocks.flatMap((b) => b.members.map((m) => [m, b] as const)));
  const byVariable = new Map(module.resources.map((r) => [r.variable, r]));
  const offsets = blockOffsets(module, blocks, (id) => (own ? byVariable.get(id)?.block?.offset : undefined));
  const numberOf = constantNumbers(module, context);
  for (const entry of module.entries) {
    for (const id of entry.resources) {
      const r = byVariable.get(id)!;
      const v = variableOf(module, id);
      const rule = own ? layoutOfResource(target, r) : bufferLayout(target);
      switch (r.kind) {
        case "buffer":
          if (r.beside !== undefined) break;
          slots.push({
            entry: entry.name,
            path: r.path,
            variable: id,
            kind: "buffer",
            ...assigned.get(id)!,
            offset: 0,
            size: sizeOf(v.type, rule, module),
            type: v.type,
            rule,
          });
          break;
        case "value":
        case "derived": {
          const b = inBlock.get(id)!;
          const blockRule = ruleOf(b);
          for (const l of launchLeaves(v.type, blockRule, module.structs, r.path, offsets.get(id))) {
            slots.push({
              entry: entry.name,
              variable: id,
              kind: "block",
              block: { name: b.name, kind: b.kind },
              rule: blockRule,
              ...l,
              ...(b.number !== undefined ? { number: b.number } : {}),
              ...(b.set !== undefined ? { set: b.set } : {}),
              ...(b.kind === "cbuffer" ? { register: b.register ?? ("b" as const) } : {}),
              ...(r.derived ? { derived: r.derived } : r.addressesOnly ? { derived: { gap: true } } : {}),
            });
          }
          break;
        }
        case "workgroup-sized-at-launch":
          slots.push({
            entry: entry.name,
            path: r.path,
            variable: id,
            kind: "static-workgroup",
            offset: 0,
            size: sizeOf(v.type, rule, module),
            type: v.type,
            rule,
          });
          break;
        case "specialization": {
          const number = numberOf(r);
          assigned.set(id, { number });
          slots.push({
            entry: entry.name,
            path: r.path,
            variable: id,
            kind: "specialization",
            number,
            offset: 0,
            size: sizeOf(v.type, rule, module),
            type: v.type,
            rule,
          });
          break;
        }
      }
    }
  }
  const resources = module.resources.map((r) => {
    const slot = assigned.get(r.variable);
    return slot ? { ...r, slot } : r;
  });
  return withFacts({ ...module, resources }, context, slots, blocks);
}

/** The blocks of the source, as they were; one without a number gets the first that is free. `taken`: keys of buffers in the same row. */
function ownBlocks(
  module: Module,
  values: readonly Resource[],
  target: TargetDialect,
  taken: ReadonlySet<string>,
): ValueBlock[] {
  const registers = languageFacts[target].slots === "registers";
  const row = (r: Resource): string => `${r.slot?.set ?? 0} ${registers ? (r.slot?.register ?? "b") : ""}`;
  const numbers = new Set(values.flatMap((r) => (r.slot?.number === undefined ? [] : [`${row(r)} ${r.slot.number}`])));
  const next = new Map<string, number>();
  const firstFree = (of: string): number => {
    let n = next.get(of) ?? 0;
    while (numbers.has(`${of} ${n}`) || taken.has(`${of} ${n}`)) n++;
    next.set(of, n + 1);
    return n;
  };
  const blocks = new Map<string, { block: ValueBlock; members: VarId[] }>();
  for (const r of values) {
    const kind =
      languageFacts[target].valueArguments === "constant buffers"
        ? ("cbuffer" as const)
        : r.block?.kind === "uniform"
          ? ("uniform" as const)
          : ("push-constant" as const);
    const name = r.block?.name ?? "Params";
    const key = `${kind} ${name} ${r.block?.instance ?? ""}`;
    let found = blocks.get(key);
    if (!found) {
      const members: VarId[] = [];
      const instance = r.block?.instance;
      found = {
        members,
        block: {
          name,
          kind,
          members,
          ...(instance ? { instance } : {}),
          ...(r.layout ? { layout: r.layout } : {}),
          ...(kind !== "push-constant"
            ? {
                number: r.slot?.number ?? firstFree(row(r)),
                ...(r.slot?.set !== undefined ? { set: r.slot.set } : {}),
                ...(r.slot?.register === "t" ? { register: "t" } : {}),
              }
            : {}),
        },
      };
      blocks.set(key, found);
    }
    found.members.push(r.variable);
  }
  return [...blocks.values()].map((b) => ({ ...b.block, members: b.members }));
}

/** One block for all by-value arguments. */
function crossBlock(
  module: Module,
  values: readonly Resource[],
  target: TargetDialect,
  nextBinding: number,
  taken: ReadonlySet<string>,
): ValueBlock[] {
  if (values.length === 0) return [];
  const members = values.map((r) => r.variable);
  const names = new Set(values.map((r) => r.block?.name));
  const name = names.size === 1 ? ([...names][0] ?? "Params") : "Params";
  if (languageFacts[target].valueArguments === "constant buffers")
    return [{ name, kind: "cbuffer", number: 0, members }];
  const list = members.map((id) => ({ name: String(id), type: variableOf(module, id).type }));
  const whole = new Map<string, { readonly members: readonly { readonly name: string; readonly type: Type }[] }>(
    module.structs,
  );
  whole.set("", { members: list });
  const { size } = layoutOf({ kind: "struct", name: "" }, "std430", whole);
  if (size <= 128) return [{ name, kind: "push-constant", members }];
  let number = nextBinding;
  for (const t of taken) number = Math.max(number, Number(t.split(" ").at(-1)) + 1);
  return [{ name, kind: "uniform", number, set: 0, members }];
}

function withFacts(
  module: Module,
  context: TextContext,
  slots: readonly SlotAssignment[],
  blocks: readonly ValueBlock[],
): Module {
  return {
    ...module,
    legal: { ...emptyFacts(context), ...module.legal, slots, valueBlocks: blocks },
  };
}
