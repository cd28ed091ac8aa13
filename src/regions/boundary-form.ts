/**
 * One entry of a module as scalar code of one lane in boundary form: vectors, matrices and structs are scalars, places in
 * memory are addresses, helpers with a boundary or with places as parameters are inlined (the calls kept in the sites),
 * every barrier and cross-lane op is a statement of its own, with what `&&`, `||`, `?:` and loop conditions hide made
 * control flow.
 */
import { functionOf } from "../ast/lookup.js";
import { fixedWidth } from "../ast/subgroups.js";
import type { EntryPoint, Expr, Module, OpId, Resource, Variable } from "../ast/nodes.js";
import { layoutOfResource } from "../dialects/languages.js";
import type { Expansion } from "../ops/row.js";
import { launchLeaves, leavesOf, layoutOf, type SizedLeaf } from "../types/layout.js";
import type { ScalarKind, Type } from "../types/types.js";
import {
  Again,
  CannotRun,
  BoundaryLowering,
  type BoundaryChecks,
  type Knowledge,
  type LoweredPlace,
} from "./boundary-lowering.js";
import { withDecidingValues } from "./deciding-values.js";
import { declareVariable, bindWorkgroup, lowerStatements } from "./lower-statements.js";
import { constantMemory, tryConstants, type Value } from "./large-arrays.js";
import { lowerExpr } from "./lower-expressions.js";
import { constantOf } from "./machine.js";
import type { BoundaryForm, LaunchValue } from "./tree.js";

export { CannotRun } from "./boundary-lowering.js";

export type ExpansionOf = (op: OpId) => Expansion | undefined;

export function boundaryForm(
  module: Module,
  entry: EntryPoint,
  expansionOf: ExpansionOf,
  checks: BoundaryChecks = {},
): BoundaryForm {
  const knowledge: Knowledge = { dynamicPointers: new Set(), bytePointers: new Set() };
  // Each repetition learns that one more pointer is general, so this ends.
  for (;;) {
    try {
      return attempt(module, entry, expansionOf, knowledge, checks);
    } catch (e) {
      if (!(e instanceof Again)) throw e;
    }
  }
}

function attempt(
  module: Module,
  entry: EntryPoint,
  expansionOf: ExpansionOf,
  knowledge: Knowledge,
  checks: BoundaryChecks,
): BoundaryForm {
  const cx = new BoundaryLowering(module, entry, expansionOf, knowledge, checks);
  const declaration = functionOf(module, entry.function);
  if (!declaration) throw new Error(`broken tree: function of entry ${entry.name}`);
  for (const id of entry.resources) bindResource(cx, cx.resourceOf.get(id)!);
  for (const v of module.variables.values()) if (v.role === "global") bindGlobal(cx, v);
  cx.frames.push({ declaration, returnLabel: undefined, result: undefined, outOfLine: false });
  lowerStatements(cx, declaration.body.statements);
  return {
    name: entry.name,
    dialect: module.dialect,
    ...(entry.workgroupSize ? { workgroupSize: entry.workgroupSize } : {}),
    ...(fixedWidth(entry.subgroupSizes) === undefined ? {} : { subgroupSize: fixedWidth(entry.subgroupSizes)! }),
    objects: cx.finishedObjects(),
    values: cx.values,
    locals: cx.locals,
    helpers: cx.helpers,
    sites: cx.sites,
    readSites: cx.readSites,
    formats: cx.formats,
    points: withDecidingValues(cx.points, [cx.out, ...cx.helpers.map((h) => h.body)], cx.values),
    body: cx.out,
  };
}

// ------------------------------------------------------------------ interface

function bindResource(cx: BoundaryLowering, r: Resource): void {
  const v = cx.variable(r.variable);
  switch (r.kind) {
    case "buffer":
    case "workgroup-sized-at-launch": {
      const workgroup = r.kind !== "buffer";
      const object = cx.newObject({
        name: v.name,
        kind: workgroup ? "workgroup" : "buffer",
        path: r.path,
        bytes: undefined,
        variable: v.id,
        type: v.type,
        access: r.access,
        ...(r.coherent ? { coherent: true } : {}),
      });
      const rule = workgroup ? cx.rule : layoutOfResource(cx.module.dialect, r);
      // A pointer parameter points at the first element; buffers are arrays.
      if (v.type.kind === "pointer") {
        cx.bindings.set(v.id, { kind: "pointer-value", value: { object, terms: [], offset: 0 }, type: v.type });
      } else {
        cx.bindings.set(v.id, { kind: "memory", object, terms: [], offset: 0, type: v.type, rule });
      }
      return;
    }
    case "value":
    case "specialization":
    case "derived":
      cx.bindings.set(v.id, bindValue(cx, r, v));
      return;
  }
}

function bindValue(cx: BoundaryLowering, r: Resource, v: Variable): LoweredPlace {
  const kind = r.kind as LaunchValue["kind"];
  // Lengths are no argument here.
  const derived = typeof r.derived === "string" ? { derived: r.derived } : {};
  const filled = (leaf: SizedLeaf): Pick<LaunchValue, "kind" | "derived"> =>
    leaf.derived && "gap" in leaf.derived ? { kind: "derived", derived: "nothing" } : { kind, ...derived };
  const defaults = r.defaultValue ? { defaults: constantsOf(cx, r.defaultValue) } : {};
  if (cx.containsArray(v.type)) {
    const layout = layoutOf(v.type, "structured", cx.structs);
    const object = cx.newObject({
      name: v.name,
      kind: "constant",
      path: r.path,
      bytes: layout.size,
      variable: v.id,
      type: v.type,
      access: "read",
    });
    for (const leaf of launchLeaves(v.type, "structured", cx.structs, r.path)) {
      const scalars = leavesOf(leaf.type, "structured", cx.structs, "", leaf.offset);
      cx.values.push({
        path: leaf.path,
        scalar: scalarAt(leaf.type),
        count: scalars.length,
        type: leaf.type,
        ...filled(leaf),
        object: { id: object, offsets: scalars.map((s) => s.offset) },
      });
    }
    return { kind: "memory", object, terms: [], offset: 0, type: v.type, rule: "structured" };
  }
  const names = cx.leafNames(v.type, v.name);
  const locals = cx.leaves(v.type, v.span).map((scalar, i) => cx.newLocal(names[i]!, scalar, true));
  let from = 0;
  for (const leaf of launchLeaves(v.type, "structured", cx.structs, r.path)) {
    const count = cx.countLeaves(leaf.type, v.span);
    cx.values.push({
      path: leaf.path,
      scalar: scalarAt(leaf.type),
      count,
      type: leaf.type,
      ...filled(leaf),
      locals: locals.slice(from, from + count),
      ...(defaults.defaults ? { defaults: defaults.defaults.slice(from, from + count) } : {}),
    });
    from += count;
  }
  return { kind: "locals", locals, type: v.type };
}

function scalarAt(type: Type): ScalarKind {
  if (type.kind === "array") return scalarAt(type.element);
  if (type.kind === "scalar" || type.kind === "vector" || type.kind === "matrix") return type.scalar;
  return "u8";
}

// ------------------------------------------------------------------ globals

function bindGlobal(cx: BoundaryLowering, v: Variable): void {
  if (cx.bindings.has(v.id)) return;
  if (v.space === "workgroup") return bindWorkgroup(cx, v);
  const constant =
    v.initializer && (v.space === "constant" || v.constant) ? tryConstants(cx, v.initializer) : undefined;
  if (constant && !cx.containsArray(v.type) && !cx.addressTaken.has(v.id)) {
    const kinds = cx.leaves(v.type, v.span);
    cx.bindings.set(v.id, { kind: "values", values: constant.map((c, i) => constantOf(kinds[i]!, c)), type: v.type });
    return;
  }
  if (constant) {
    cx.bindings.set(v.id, constantMemory(cx, v, constant));
    return;
  }
  if (v.type.kind === "pointer") throw new CannotRun("a pointer at file scope cannot be run", v.span);
  const given = v.initializer ? lowerExpr(cx, v.initializer) : undefined;
  cx.bindings.set(v.id, declareVariable(cx, v, given, v.span));
}

function constantsOf(cx: BoundaryLowering, e: Expr): readonly Value[] {
  const values = tryConstants(cx, e);
  if (!values) throw new CannotRun("the default of a specialization constant is not a constant", e.span);
  return values;
}
