/**
 * The kernel interface in the target's terms: forms of buffers, slots, blocks of by-value arguments, workgroup sizes and
 * workgroup memory sized at launch. Slots are deterministic (see DESIGN): list order, explicit numbers of the source kept
 * where the target has the same kind of slot.
 */
import { typeIn } from "../../dialects/show-type.js";
import { functionOf, resourceOf } from "../../ast/lookup.js";
import { convert, element, i32Literal, rootVariable } from "../../ast/builders.js";
import type { SlotAssignment, ValueBlock } from "../../ast/legal.js";
import type { EntryPoint, Expr, Module, Place, Resource, Variable, VarId } from "../../ast/nodes.js";
import { rewriteModule, walkModule } from "../../ast/walk.js";
import { ConstantScope } from "../../ast/constant-values.js";
import { decideType } from "../../caps/decide.js";
import type { Dialect, TargetDialect } from "../../dialects/ids.js";
import { bufferLayout, languageFacts, layoutOfResource, writingFacts } from "../../dialects/languages.js";
import {
  arrayStride,
  hasRuntimeTail,
  launchLeaves,
  layoutDifference,
  layoutOf,
  memberOffsets,
  scalarSize,
  scalarsOf,
  type LayoutRule,
} from "../../types/layout.js";
import { array, bitWidth, sameType, scalar, vector, type ScalarKind, type Type } from "../../types/types.js";
import { viewedTypes } from "../memory/viewed-objects.js";
import { copiedByElements } from "../memory/array-loops.js";
import { emptyFacts, type Pass, type PassContext, type TextContext, type TextPass } from "../pass.js";
import { append } from "../../support/append.js";
import { own } from "../../support/own.js";

function variableOf(module: Module, id: VarId): Variable {
  const v = module.variables.get(id);
  if (!v) throw new Error(`variable ${id} is not in the module`);
  return v;
}

const isArgument = (r: Resource): boolean => r.kind === "value" || r.kind === "derived";

// ------------------------------------------------------------------ layouts

/**
 * Whether a buffer is words in the target, addressed in bytes and laid out as in the source: one the target would lay out
 * in another way (vectors of three components, matrices, doubles among smaller members); one that holds 8- or 16-bit
 * values the profile has no type for in memory, or bools of one byte; one that pointers to something else point into; in HLSL one whose elements follow other members; in MSL and
 * OpenCL C one with atomic ops on components of vectors. Between dialects with pointers none is: what points into it would
 * have to become a number too.
 */
export function isBoundAsWords(r: Resource, module: Module, context: PassContext): boolean {
  const { target, profile } = context;
  if (target === "ts" || module.dialect === target || r.kind !== "buffer" || r.block?.kind === "uniform") return false;
  const { type } = variableOf(module, r.variable);
  if (writingFacts(target).openEnded === "nowhere" && hasRuntimeTail(type, module.structs)) return true;
  const { pointers } = languageFacts[target];
  if (pointers && languageFacts[module.dialect].pointers) return false;
  if (bufferDifference(r, module, target) !== undefined || viewedTypes(module).has(r.variable)) return true;
  if (pointers) return hasAtomicComponent(r.variable, module);
  const lacking = (k: ScalarKind, ...stored: ["stored"?]): boolean =>
    "refused" in decideType(scalar(k), target, profile, ...stored);
  return scalarsOf(type, module.structs).some((k) => {
    if (k === "bool") return scalarSize(k, bufferLayout(module.dialect)) !== scalarSize(k, bufferLayout(target));
    return bitWidth(k) < 32 && (lacking(k) || lacking(k, "stored"));
  });
}

/** Where the target would lay the buffer out in another way, in words. */
export function bufferDifference(r: Resource, module: Module, target: Dialect): string | undefined {
  const source = layoutOfResource(module.dialect, r);
  const to = r.kind === "value" ? source : bufferLayout(target);
  const { type } = variableOf(module, r.variable);
  return layoutDifference(type, source, to, module.structs, withoutPacked(module), plainType(type), shownIn(module));
}

/** An atomic op works on a component of a vector in this buffer, which has no address in dialects with pointers. */
function hasAtomicComponent(buffer: VarId, module: Module): boolean {
  let found = atomicComponents.get(module);
  if (!found) {
    const roots = new Set<VarId | undefined>();
    walkModule(module, {
      expr: (e) => {
        if (e.kind === "op") for (const p of e.places) if (isComponent(p)) roots.add(rootVariable(p));
      },
    });
    atomicComponents.set(module, (found = roots));
  }
  return found.has(buffer);
}

/** Asked for each buffer; a module never changes. */
const atomicComponents = new WeakMap<Module, ReadonlySet<VarId | undefined>>();

const isComponent = (p: Place): boolean =>
  p.kind === "swizzle" || (p.kind === "element" && p.base.type.kind === "vector");

/** A type as dialects without packed vectors have it. */
function plainType(type: Type): Type {
  if (type.kind === "array") return { ...type, element: plainType(type.element) };
  return type.kind === "vector" && type.packed ? vector(type.scalar, type.size) : type;
}

/** The structs as dialects without packed vectors have them. */
function withoutPacked(module: Module): Module["structs"] {
  let known = plainStructs.get(module.structs);
  if (!known) plainStructs.set(module.structs, (known = plainStructsOf(module)));
  return known;
}

const plainStructs = new WeakMap<Module["structs"], Module["structs"]>();

function plainStructsOf(module: Module): Module["structs"] {
  const changed = (type: Type): boolean => !sameType(type, plainType(type));
  if (![...module.structs.values()].some((s) => s.members.some((m) => changed(m.type)))) return module.structs;
  return new Map(
    [...module.structs].map(([name, s]) => [
      name,
      { ...s, members: s.members.map((m) => ({ ...m, type: plainType(m.type) })) },
    ]),
  );
}

/** What the host fills, as dialects without packed vectors have it: offsets and types are those of plain ones. */
function withPlainVectors(module: Module): Module {
  const structs = withoutPacked(module);
  const variables = new Map(module.variables);
  for (const r of module.resources) {
    const v = variableOf(module, r.variable);
    variables.set(v.id, { ...v, type: plainType(v.type) });
  }
  return { ...module, structs, variables };
}

const shownIn =
  ({ dialect }: Module) =>
  (type: Type): string =>
    typeIn(dialect, type);

/** Refuses casts to pointers to what the target lays out in another way: between languages with pointers they stay. */
function checkCasts(module: Module, context: PassContext): void {
  const target = context.target as Dialect;
  if (!languageFacts[target].pointers) return;
  const [from, to] = [bufferLayout(module.dialect), bufferLayout(target)];
  walkModule(module, {
    expr: (e) => {
      if (e.kind !== "bitcast" || e.type.kind !== "pointer" || e.type.pointee.kind === "void") return;
      const list = array(e.type.pointee, undefined);
      const difference = layoutDifference(
        list,
        from,
        to,
        module.structs,
        withoutPacked(module),
        plainType(list),
        shownIn(module),
      );
      if (difference !== undefined)
        context.problems.error(
          "XL3002",
          `a pointer is cast to one to ${typeIn(module.dialect, e.type.pointee)}, which lies in memory otherwise in ${languageFacts[target].name}: ${difference}`,
          e.span,
        );
    },
  });
}

/** Refuses buffers that the target would lay out in another way. */
export const checkLayouts: Pass = {
  name: "check-layouts",
  run(module, context) {
    if (context.target === module.dialect || context.target === "ts") return module;
    checkCasts(module, context);
    const packed = withoutPacked(module) !== module.structs;
    // Arguments by value have offsets of their own, unless a struct is one parameter.
    const whole = languageFacts[context.target].valueArguments === "parameters";
    for (const r of module.resources) {
      if (r.kind !== "buffer" && !(r.kind === "value" && whole && packed)) continue;
      const v = variableOf(module, r.variable);
      if (isBoundAsWords(r, module, context)) continue;
      const difference = bufferDifference(r, module, context.target);
      if (difference !== undefined) {
        context.problems.error(
          "XL3002",
          `buffer ${v.name} would hold its data in another layout in ${context.target}: ${difference}`,
          v.span,
        );
      }
    }
    return module;
  },
};

// ------------------------------------------------------------------ forms of buffers

/**
 * Buffers that hold one object or an array of fixed size become runtime-sized arrays where the target binds pointers or
 * structured buffers: `count` is then `count[0]`.
 */
export const shapeBuffers: TextPass = {
  name: "shape-buffers",
  requires: ["sizes-settled"],
  ensures: ["buffers-shaped"],
  run(module, context) {
    const { target, problems } = context;
    const { bufferTypes, largestElement = Infinity } = writingFacts(target);
    if (bufferTypes === "any") return module;
    const changed = new Map<VarId, Variable>();
    const wrapped = new Set<VarId>();
    for (const r of module.resources) {
      if (r.kind !== "buffer") continue;
      const v = variableOf(module, r.variable);
      if (v.type.kind === "array") {
        if (v.type.length !== undefined) changed.set(v.id, { ...v, type: array(v.type.element, undefined) });
        continue;
      }
      if (bufferTypes === "objects and rows") continue;
      const bytes = layoutOf(v.type, bufferLayout(target), module.structs).size;
      if (bytes > largestElement)
        problems.error(
          "XL4008",
          `the elements of a structured buffer have at most ${largestElement} bytes, ${v.name} would have ${bytes}`,
          v.span,
        );
      changed.set(v.id, { ...v, type: array(v.type, undefined) });
      wrapped.add(v.id);
    }
    if (changed.size === 0) return module;
    const lists = new Set([...changed.keys()].filter((id) => !wrapped.has(id)));
    const next = rewriteModule(copiedByElements(module, lists), {
      place(p) {
        if (p.kind !== "variable") return p;
        const v = changed.get(p.variable);
        if (!v) return p;
        const whole = { ...p, type: v.type };
        return wrapped.has(v.id) ? element(whole, i32Literal(0, p.span), p.span) : whole;
      },
    });
    return { ...next, variables: new Map([...next.variables, ...changed]) };
  },
};

// ------------------------------------------------------------------ specialisation constants

/** Buffers that the host gives only where a constant is true are always bound where the target has no such thing. */
export const bindAlways: Pass = {
  name: "bind-always",
  run(module, context) {
    if (module.resources.every((r) => r.givenIf === undefined)) return module;
    const native = writingFacts(context.target)?.conditionalBuffers === true;
    const resources = module.resources.map((r): Resource => {
      if (r.givenIf === undefined) return r;
      const settled = resourceOf(module, r.givenIf) === undefined;
      if (native && !settled) return r;
      const { name, span } = variableOf(module, r.variable);
      const constant = variableOf(module, r.givenIf);
      const { givenIf: _, ...rest } = r;
      const given = settled && new ConstantScope(new Map(), module.structs).valueOf(constant.initializer!);
      if (given !== true) {
        const message = `${name} is bound ${settled ? "though" : "whether"} ${constant.name} is ${settled ? "false" : "true or not"}`;
        context.note("emulated", "function-constant", message, span);
      }
      return rest;
    });
    return { ...module, resources };
  },
};

/** Where a target has no specialisation constants they become arguments by value. */
export const specializationsToValues: Pass = {
  name: "specializations-to-values",
  run(module, context) {
    const as = writingFacts(context.target)?.specializationConstants ?? "native";
    if (as === "native") return module;
    const stored = scalar(as.boolAs);
    const bools = new Set<VarId>();
    const variables = new Map(module.variables);
    const resources = module.resources.map((r): Resource => {
      if (r.kind !== "specialization") return r;
      const v = variableOf(module, r.variable);
      context.note(
        "emulated",
        "specialization",
        `${context.target} has no specialisation constants: ${v.name} is passed as an argument`,
        v.span,
      );
      if (v.type.kind === "scalar" && v.type.scalar === "bool") {
        bools.add(v.id);
        variables.set(v.id, { ...v, type: stored });
      }
      const { defaultValue: _default, slot: _slot, ...rest } = r;
      return { ...rest, kind: "value" };
    });
    if (bools.size === 0) return { ...module, resources };
    const tested = (e: Expr): Expr =>
      e.kind === "load" && e.place.kind === "variable" && bools.has(e.place.variable)
        ? convert({ ...e, place: { ...e.place, type: stored }, type: stored }, e.type)
        : e;
    return rewriteModule({ ...module, variables, resources }, { expr: tested });
  },
};

/** OpenCL C kernels take no arrays by value: those come in constant memory. */
export const arraysInConstantMemory: Pass = {
  name: "arrays-in-constant-memory",
  run(module, context) {
    const variables = new Map(module.variables);
    const resources = module.resources.map((r): Resource => {
      const v = variableOf(module, r.variable);
      if (r.kind !== "value" || v.type.kind !== "array") return r;
      variables.set(v.id, { ...v, space: "constant" });
      context.note(
        "emulated",
        "array-argument",
        `${languageFacts.opencl.name} kernels take no arrays by value: ${v.name} comes in constant memory`,
        v.span,
      );
      return { ...r, kind: "buffer", access: "read" };
    });
    return { ...module, resources, variables };
  },
};

// ------------------------------------------------------------------ sizes the launch would choose

export const settleSizes: TextPass = {
  name: "settle-sizes",
  requires: ["entries-selected"],
  ensures: ["sizes-settled"],
  run(module, context) {
    const { target, options, problems } = context;
    const fixed = languageFacts[target].statesSizes;
    const entries = module.entries.map((e): EntryPoint => {
      const asked = e.workgroupSize ?? options.workgroupSize;
      // A target that leaves sizes to specialisation itself leaves this one to it.
      if (!asked && e.workgroupSizeIds && writingFacts(target).sizeConstants) return e;
      const size = asked ?? (fixed ? writtenFor(e, module, context) : undefined);
      if (!fixed)
        return writingFacts(target).boundsWorkgroups && e.workgroupSize
          ? { ...e, maxTotalThreads: e.maxTotalThreads ?? product(e.workgroupSize) }
          : e;
      if (!size) {
        const f = functionOf(module, e.function);
        problems.error(
          "XL4003",
          `${target} fixes the workgroup size, and kernel ${e.name} leaves it to the launch`,
          f?.nameSpan,
          {
            help: "give it with --workgroup-size x,y,z",
          },
        );
        return e;
      }
      const known = e.workgroupSize ?? e.workgroupSizeStated;
      if (options.workgroupSize && known?.some((n, i) => n !== undefined && n !== options.workgroupSize![i])) {
        const f = functionOf(module, e.function);
        problems.error(
          "XL4003",
          `kernel ${e.name} has workgroup size ${known.map((n) => n ?? "any").join(",")} already`,
          f?.nameSpan,
        );
      }
      if (e.maxTotalThreads !== undefined && product(size) > e.maxTotalThreads) {
        const f = functionOf(module, e.function);
        problems.error(
          "XL4003",
          `kernel ${f?.name ?? e.name} is written for workgroups of up to ${e.maxTotalThreads} invocations, not ${size.join(",")}`,
          f?.nameSpan,
        );
      }
      const { workgroupSizeHint: _hint, workgroupSizeIds: _ids, workgroupSizeStated: _stated, ...rest } = e;
      return { ...rest, workgroupSize: size };
    });

    const variables = new Map(module.variables);
    const resources = module.resources.map((r): Resource => {
      if (r.kind !== "workgroup-sized-at-launch" || !fixed) return r;
      const v = variableOf(module, r.variable);
      const element = v.type.kind === "array" ? v.type.element : v.type;
      const stride = arrayStride(element, bufferLayout(module.dialect), module.structs);
      const bytes = own(options.local, r.path) ?? own(options.local, v.name);
      if (bytes === undefined) {
        problems.error(
          "XL4004",
          `${target} fixes the size of workgroup memory, and ${v.name} is sized at launch`,
          v.span,
          {
            help: `give its bytes with --local ${r.path}=bytes`,
          },
        );
        return r;
      }
      if (bytes % stride !== 0) {
        problems.error(
          "XL4004",
          `${bytes} bytes for ${v.name} are not a whole number of ${typeIn(module.dialect, element)}`,
          v.span,
        );
        return r;
      }
      variables.set(v.id, { ...v, type: array(element, bytes / stride) });
      return r;
    });
    const settled = { ...module, entries, resources, variables };
    const sized = (id: VarId): boolean => variables.get(id) !== module.variables.get(id);
    if (![...variables.keys()].some(sized)) return settled;
    return rewriteModule(settled, {
      place: (p) => (p.kind === "variable" && sized(p.variable) ? { ...p, type: variables.get(p.variable)!.type } : p),
    });
  },
};

/** The default of a size that the text leaves to specialisation, which is taken where a target wants one and none is given. */
function writtenFor(e: EntryPoint, module: Module, context: TextContext): EntryPoint["workgroupSize"] {
  const { workgroupSizeHint: size } = e;
  if (!e.workgroupSizeIds || !size) return undefined;
  const message = `the workgroups of ${e.name} are ${size.join(" x ")}, their default, since ${context.target} fixes their size`;
  context.note("assumed", "specialisation-default", message, functionOf(module, e.function)?.nameSpan);
  return size;
}

const product = (size: readonly number[]): number => size.reduce((a, b) => a * b, 1);

// ------------------------------------------------------------------ slots

export const assignSlots: TextPass = {
  name: "assign-slots",
  requires: ["globals-placed"],
  run(given, context) {
    const module = writingFacts(context.target).packedVectors ? given : withPlainVectors(given);
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

/** Arguments of the kernel itself: MSL and OpenCL. */
function argumentSlots(module: Module, entry: EntryPoint, context: TextContext): SlotAssignment[] {
  const { target } = context;
  const { name: language, slots } = languageFacts[target];
  const { mostBuffers = Infinity } = writingFacts(target);
  const own = target === module.dialect && slots !== "positions";
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
  return list.flatMap((r): SlotAssignment[] => {
    const v = variableOf(module, r.variable);
    const c = classOf(r);
    let number = keep(r);
    if (number === undefined) {
      while (used[c].has(next[c])) next[c]++;
      number = next[c]++;
    }
    if (c === "buffer" && number >= mostBuffers)
      context.problems.error(
        "XL4008",
        `${v.name} would be buffer ${number} of kernel ${entry.name}, and ${language} has ${mostBuffers}`,
        v.span,
      );
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
        return [{ ...base, path: r.path, kind: "workgroup", offset: 0, size: 0, type: v.type }];
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
function bufferSlots(module: Module, target: TargetDialect): BufferSlots {
  const own = target === module.dialect;
  const registers = languageFacts[target].slots === "registers";
  const kept = languageFacts[module.dialect].resources === "file scope";
  const buffers = module.resources.filter((r) => r.kind === "buffer");
  const assigned = new Map<VarId, NonNullable<Resource["slot"]>>();
  const register = (r: Resource): "t" | "u" =>
    own && r.slot?.register && r.slot.register !== "b" ? r.slot.register : r.access === "read" ? "t" : "u";
  // Registers t and u are numbered apart, bindings are one row: numbers that meet in the target are not kept.
  const row = (r: Resource): string => (registers ? register(r) : "");
  const key = (r: Resource): string => `${r.slot?.set ?? 0} ${row(r)} ${r.slot?.number}`;
  const keys = buffers.filter((r) => r.slot?.number !== undefined).map(key);
  const keepNumbers = kept && (own || (new Set(keys).size === keys.length && keys.length === buffers.length));
  const taken = new Set<string>();
  // Uniform blocks are in one row with buffers.
  if (own && !registers)
    for (const r of module.resources)
      if (isArgument(r) && r.block?.kind === "uniform" && r.slot?.number !== undefined) taken.add(key(r));
  if (keepNumbers) for (const r of buffers) if (r.slot?.number !== undefined) taken.add(key(r));
  let next = 0;
  for (const r of buffers) {
    const explicit = keepNumbers && r.slot?.number !== undefined;
    const letter = registers ? { register: register(r) } : {};
    if (explicit) {
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

/** Numbers of specialisation constants: those of the source, the others fill up. */
function constantNumbers(module: Module): (r: Resource) => number {
  let constantId = 0;
  const usedIds = new Set(
    module.resources.flatMap((r) =>
      r.kind === "specialization" && r.slot?.number !== undefined ? [r.slot.number] : [],
    ),
  );
  for (const e of module.entries) for (const id of e.workgroupSizeIds ?? []) if (id !== undefined) usedIds.add(id);
  return (r) => {
    if (r.slot?.number !== undefined) return r.slot.number;
    while (usedIds.has(constantId)) constantId++;
    return constantId++;
  };
}

/** Resources at file scope: GLSL and HLSL. */
function fileScopeSlots(module: Module, context: TextContext, slots: SlotAssignment[]): Module {
  const { target } = context;
  const own = target === module.dialect;
  const { assigned, taken, next } = bufferSlots(module, target);
  const values = module.resources.filter(isArgument);
  const blocks = own
    ? ownBlocks(module, values, target, languageFacts[target].slots === "registers" ? new Set() : taken)
    : crossBlock(module, values, target, next, taken);
  const inBlock = new Map(blocks.flatMap((b) => b.members.map((m) => [m, b] as const)));
  const byVariable = new Map(module.resources.map((r) => [r.variable, r]));
  const offsets = blockOffsets(module, blocks, (id) => (own ? byVariable.get(id)?.block?.offset : undefined));
  const numberOf = constantNumbers(module);
  for (const entry of module.entries) {
    for (const id of entry.resources) {
      const r = byVariable.get(id)!;
      const v = variableOf(module, id);
      const rule = own ? layoutOfResource(target, r) : bufferLayout(target);
      switch (r.kind) {
        case "buffer":
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
              ...(b.kind === "cbuffer" ? { register: "b" as const } : {}),
              ...(r.derived ? { derived: r.derived } : {}),
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
  const numbers = new Set(
    values.flatMap((r) => (r.slot?.number === undefined ? [] : [`${r.slot.set ?? 0}  ${r.slot.number}`])),
  );
  const next = new Map<number, number>();
  const firstFree = (set: number): number => {
    let n = next.get(set) ?? 0;
    while (numbers.has(`${set}  ${n}`) || taken.has(`${set}  ${n}`)) n++;
    next.set(set, n + 1);
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
                number: r.slot?.number ?? firstFree(r.slot?.set ?? 0),
                ...(r.slot?.set !== undefined ? { set: r.slot.set } : {}),
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
