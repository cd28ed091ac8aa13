/**
 * Resources in the forms the target has: buffers and arrays the host gives, specialisation constants, workgroup sizes and
 * workgroup memory sized at launch.
 */
import { typeIn } from "../../dialects/show-type.js";
import { functionOf, resourceOf, variableOf } from "../../ast/lookup.js";
import { convert, literalValue } from "../../ast/builders.js";
import type { EntryPoint, Expr, Module, Resource, VarId } from "../../ast/nodes.js";
import { rewriteModule, walkModule, walkStatement } from "../../ast/walk.js";
import { ConstantScope } from "../../ast/constant-values.js";
import { bufferLayout, languageFacts, writingFacts } from "../../dialects/languages.js";
import { arrayStride } from "../../types/layout.js";
import { array, scalar } from "../../types/types.js";
import { type Pass, type TextContext, type TextPass } from "../pass.js";
import { variablesUsed } from "./select-entries.js";
import { handedOn } from "../pointers/references.js";
import { own } from "../../support/own.js";

// ------------------------------------------------------------------ specialisation constants

/** Buffers that the host gives only where a constant is true are always bound where the target has no such thing. */
export const bindAlways: Pass = {
  name: "bind-always",
  run(module, context) {
    if (module.resources.every((r) => r.givenIf === undefined)) return module;
    const native = writingFacts(context.target)?.conditionalBuffers === true;
    const computed = new Set<VarId>();
    const resources = module.resources.map((r): Resource => {
      if (r.givenIf === undefined) return r;
      const constant = variableOf(module, r.givenIf);
      const { initializer } = constant;
      // One that is computed of others is known where they are.
      const given = initializer && new ConstantScope(new Map(), module.structs).valueOf(initializer);
      const settled = given !== undefined;
      if (native && !settled) return r;
      if (!settled && resourceOf(module, r.givenIf) === undefined) computed.add(r.givenIf);
      const { name, span } = variableOf(module, r.variable);
      const { givenIf: _, ...rest } = r;
      if (given !== true) {
        const message = `${name} is bound ${settled ? "though" : "whether"} ${constant.name} is ${settled ? "false" : "true or not"}`;
        context.note("emulated", "function-constant", message, span);
      }
      return rest;
    });
    // They are there for nothing else.
    const order = module.order.filter((o) => o.kind !== "variable" || !computed.has(o.variable));
    return { ...module, resources, order };
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

/** OpenCL C kernels take no arrays by value, and have values in private memory: arrays, and numbers that are pointed to, come in constant memory. */
export const arraysInConstantMemory: Pass = {
  name: "arrays-in-constant-memory",
  run(module, context) {
    const variables = new Map(module.variables);
    const pointedTo = new Set<VarId>();
    walkModule(module, {
      expr(e) {
        if (e.kind !== "address-of" || e.type.kind !== "pointer" || e.type.space !== "constant") return;
        // Members of structs are arguments by themselves, to the host, and have no slots of their own in a buffer.
        if (e.place.kind === "variable" && e.place.type.kind !== "struct") pointedTo.add(e.place.variable);
      },
    });
    const values = module.resources.filter((r) => r.kind === "value").map((r) => r.variable);
    // What helpers get by reference beside what lies in constant memory lies there, too.
    for (let before = -1; before !== pointedTo.size;) {
      before = pointedTo.size;
      const own = new Set(values.filter((id) => !pointedTo.has(id) && variableOf(module, id).type.kind !== "array"));
      for (const { root } of handedOn(module, own).elsewhere)
        if (variableOf(module, root).type.kind !== "struct") pointedTo.add(root);
    }
    const resources = module.resources.map((r): Resource => {
      const v = variableOf(module, r.variable);
      if (r.kind !== "value" || (v.type.kind !== "array" && !pointedTo.has(v.id))) return r;
      variables.set(v.id, { ...v, space: "constant" });
      const { name } = languageFacts.opencl;
      const why =
        v.type.kind === "array" ? `kernels take no arrays by value` : `has arguments by value in private memory`;
      const what = v.type.kind === "array" ? "" : `, and pointers into constant memory lead to it`;
      context.note("emulated", "array-argument", `${name} ${why}: ${v.name} comes in constant memory${what}`, v.span);
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
          `${target} fixes the workgroup size, and kernel ${f?.name ?? e.name} leaves it to the launch`,
          f?.nameSpan,
          { help: "give it with --workgroup-size x,y,z; a build's config has workgroupSize" },
        );
        return e;
      }
      const known = e.workgroupSize ?? e.workgroupSizeStated;
      const wanted = options.keepStatedSizes ? undefined : options.workgroupSize;
      if (wanted && known?.some((n, i) => n !== undefined && n !== wanted[i])) {
        const f = functionOf(module, e.function);
        const states = `kernel ${f?.name ?? e.name} has workgroup size ${known.map((n) => n ?? "any").join(",")} already`;
        if (options.sizeForOthers) problems.warning("XL4003", `${states}, and keeps it`, f?.nameSpan);
        else problems.error("XL4003", states, f?.nameSpan);
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
      if (r.kind !== "workgroup-sized-at-launch") return r;
      const v = variableOf(module, r.variable);
      const element = v.type.kind === "array" ? v.type.element : v.type;
      const stride = arrayStride(element, bufferLayout(module.dialect), module.structs);
      if (!fixed) return { ...r, sourceStride: stride };
      const bytes = own(options.local, r.path) ?? own(options.local, v.name);
      const length = bytes === undefined ? lengthUsed(module, v.id) : bytes / stride;
      if (length === undefined) {
        problems.error(
          "XL4004",
          `${target} fixes the size of workgroup memory, and ${v.name} is sized at launch`,
          v.span,
          {
            help: `give its bytes with --local ${r.path}=bytes; a build's config has local`,
          },
        );
        return r;
      }
      if (!Number.isInteger(length)) {
        problems.error(
          "XL4004",
          `${bytes} bytes for ${v.name} are not a whole number of ${typeIn(module.dialect, element)}`,
          v.span,
        );
        return r;
      }
      variables.set(v.id, { ...v, type: array(element, length) });
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

/** How many elements of an array are used, where all indices are constants: memory that is sized at launch has at least these. */
function lengthUsed(module: Module, id: VarId): number | undefined {
  let length = 0;
  let uses = 0;
  let constant = 0;
  for (const f of module.functions) {
    if (!variablesUsed(f).has(id)) continue;
    walkStatement(f.body, {
      place(p) {
        if (p.kind === "variable" && p.variable === id) uses++;
        if (p.kind !== "element" || p.base.kind !== "variable" || p.base.variable !== id) return;
        const index = Number(literalValue(p.index) ?? -1);
        if (index < 0) return;
        constant++;
        length = Math.max(length, index + 1);
      },
    });
  }
  return uses > 0 && uses === constant ? length : undefined;
}

/** The default of a size that the text leaves to specialisation, which is taken where a target wants one and none is given. */
function writtenFor(e: EntryPoint, module: Module, context: TextContext): EntryPoint["workgroupSize"] {
  const { workgroupSizeHint: size } = e;
  if (!e.workgroupSizeIds || !size) return undefined;
  const message = `the workgroups of ${e.name} are ${size.join(" x ")}, their default, since ${context.target} fixes their size`;
  context.note("assumed", "specialisation-default", message, functionOf(module, e.function)?.nameSpan);
  return size;
}

const product = (size: readonly number[]): number => size.reduce((a, b) => a * b, 1);
