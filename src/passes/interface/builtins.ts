/**
 * Values the launch provides. `computeBuiltins` replaces what the target does not have by expressions or derived arguments;
 * `placeBuiltins` makes entry parameters of them (MSL, HLSL), or named locals where the source had a name (GLSL, OpenCL C, and
 * HLSL's lane ids, which are functions).
 */
import { isOwnText } from "../../ast/lookup.js";
import {
  binary,
  builtin,
  construct,
  declare,
  load,
  opCall,
  swizzle,
  swizzleValue,
  u32Literal,
  variablePlace,
  ModuleEditor,
} from "../../ast/builders.js";
import type { BuiltinParameter } from "../../ast/legal.js";
import {
  noTrivia,
  vectorBuiltins,
  type BuiltinId,
  type Declare,
  type EntryPoint,
  type Expr,
  type FunctionDeclaration,
  type FunctionId,
  type Module,
  type Resource,
  type Statement,
  type Variable,
} from "../../ast/nodes.js";
import { rewriteFunction, walkStatement } from "../../ast/walk.js";
import { idCalledIn, idForm, idRows, parameterSizes, idRow } from "../../ops/ids.js";
import { hasAtom } from "../../caps/profiles.js";
import { lackOf } from "../../caps/decide.js";
import { satisfied } from "../../ops/features.js";
import { noSpan, type Span } from "../../support/span.js";
import { shaped, u32, vector, type Type } from "../../types/types.js";
import type { TargetDialect } from "../../dialects/ids.js";
import { languageFacts } from "../../dialects/languages.js";
import { defaultBuiltinNames } from "./builtin-names.js";
import { withResources } from "./buffer-lengths.js";
import { CallGraph } from "./select-entries.js";
import { emptyFacts, type TextContext, type TextPass } from "../pass.js";

const u32x3 = vector("u32", 3);

/** Whether the target has the value itself. */
function provided({ target, profile }: TextContext, id: BuiltinId): boolean {
  const form = idForm(id, target);
  if (!form || form.readOnly !== undefined) return false;
  return satisfied(form.needs, (atom) => hasAtom(profile, atom)) !== undefined;
}

/** What the device lacks for a builtin, as the end of a sentence. */
function why({ target, profile }: TextContext, id: BuiltinId): string {
  const form = idForm(id, target);
  const needs = form?.needs;
  const whole = profile.device?.whole;
  const atoms = whole && satisfied(needs, (atom) => hasAtom(whole, atom));
  const lacks = atoms && lackOf(profile, atoms);
  if (lacks !== undefined) return `: ${lacks}`;
  return needs === undefined ? "" : ` in ${profile.id}`;
}

// ------------------------------------------------------------------ computing

export const computeBuiltins: TextPass = {
  name: "compute-builtins",
  run: (module, context) => new ComputedBuiltins(module, context).run(),
};

type Size = EntryPoint["workgroupSize"];

/** How ids and sizes that the target lacks are computed from others. */
interface Known {
  /** The size of the workgroup where it is settled, and the same in all entries. */
  readonly size: Size;
  /** The id that the source reads, of which this one may be a part. */
  readonly asked: BuiltinId;
  readonly read: (id: BuiltinId) => Expr;
  readonly part: (id: BuiltinId, component: number) => Expr;
}

class ComputedBuiltins {
  private readonly editor: ModuleEditor;
  private readonly derived = new Map<BuiltinId, Resource>();
  private readonly entryOf = new Map<FunctionId, EntryPoint[]>();

  constructor(
    private readonly module: Module,
    private readonly context: TextContext,
  ) {
    this.editor = new ModuleEditor(module);
    const graph = new CallGraph(module);
    for (const e of module.entries)
      for (const f of graph.reachable([e.function])) {
        const entries = this.entryOf.get(f);
        if (entries) entries.push(e);
        else this.entryOf.set(f, [e]);
      }
  }

  run(): Module {
    const functions = this.module.functions.map((f) =>
      rewriteFunction(f, {
        enterExpr: (e) => {
          if (e.kind === "swizzle-value" && e.operand.kind === "builtin") {
            const whole = this.value(e.operand.builtin, f, e.span);
            return (
              whole &&
              (e.components.length === 1
                ? component(whole, e.components[0]!, e.span)
                : swizzleOf(whole, e.components, e.span))
            );
          }
          return e.kind === "builtin" ? this.value(e.builtin, f, e.span) : undefined;
        },
      }),
    );
    if (this.derived.size === 0) return this.editor.finish({ functions });
    return this.editor.finish({
      functions,
      ...withResources({ ...this.module, functions }, [...this.derived.values()]),
    });
  }

  private derive(id: BuiltinId, span: Span): Expr {
    let r = this.derived.get(id);
    if (!r) {
      const type = vectorBuiltins.has(id) ? u32x3 : u32;
      const v = this.editor.addVariable({
        name: id,
        type,
        space: "constant",
        role: "resource",
        constant: true,
        span: noSpan,
      });
      r = { variable: v.id, kind: "derived", path: id, access: "read", derived: id };
      this.derived.set(id, r);
      this.context.note(
        "emulated",
        `id.${id}`,
        `${this.context.target} cannot query ${idCalledIn(this.module.dialect, id)}: it is passed as the argument ${id}`,
        span,
      );
    }
    return load(variablePlace(this.editor.variables.get(r.variable)!, span), span);
  }

  /** What takes the place of a builtin value; undefined where the target has it. */
  private value(id: BuiltinId, f: FunctionDeclaration, span: Span, asked = id): Expr | undefined {
    const { target } = this.context;
    const read = (b: BuiltinId): Expr => this.value(b, f, span, asked) ?? builtin(b, span);
    const part = (b: BuiltinId, c: number): Expr => component(read(b), c, span);
    // A helper nobody calls is written as any entry would need it.
    const entries = this.entryOf.get(f.id) ?? this.module.entries;
    const sizes = entries.map((e) => e.workgroupSize);
    const size = sizes[0] && sizes.every((s) => s && s.every((n, i) => n === sizes[0]![i])) ? sizes[0] : undefined;
    // One-dimensional workgroups: the linear index is the first component, which every version has.
    if (
      id === "local_index" &&
      idForm(id, target)?.needs !== undefined &&
      !isOwnText(this.module, target) &&
      size &&
      size[1] === 1 &&
      size[2] === 1
    )
      return part("local_id", 0);
    if (provided(this.context, id)) return undefined;
    return this.computed(id, { size, asked, read, part }, span);
  }

  private computed(id: BuiltinId, { size, asked, read, part }: Known, span: Span): Expr | undefined {
    const { target } = this.context;
    switch (id) {
      case "workgroup_size":
      case "enqueued_workgroup_size":
        if (size && idRow(id).otherwise[target]?.kind === "constant")
          return construct(
            u32x3,
            size.map((n) => u32Literal(n, span)),
            span,
          );
        return id === "enqueued_workgroup_size" ? read("workgroup_size") : undefined;
      case "num_workgroups":
        return this.derive(id, span);
      case "global_size":
        return construct(
          u32x3,
          [0, 1, 2].map((c) => binary("mul", part("num_workgroups", c), part("workgroup_size", c), span)),
          span,
        );
      case "global_offset":
        this.context.note("assumed", "id.global_offset", "the launch has no global offset", span);
        return construct(
          u32x3,
          [0, 1, 2].map(() => u32Literal(0, span)),
          span,
        );
      case "local_index":
        return linear(
          (c) => part("local_id", c),
          (c) => part("workgroup_size", c),
          span,
        );
      case "global_linear_id":
        return linear(
          (c) => part("global_id", c),
          (c) => part("global_size", c),
          span,
        );
      case "work_dim":
        return this.derive(id, span);
      case "subgroup_id":
        this.context.note("assumed", "id.subgroup_id", "lanes fill subgroups in the order of the local index", span);
        return binary("div", read("local_index"), read("subgroup_size"), span);
      case "num_subgroups":
      case "enqueued_num_subgroups": {
        if (id === "enqueued_num_subgroups") return read("num_subgroups");
        this.context.note("assumed", "id.num_subgroups", "lanes fill subgroups in the order of the local index", span);
        const total = size
          ? u32Literal(size[0] * size[1] * size[2], span)
          : product3((c) => part("workgroup_size", c), span);
        const lanes = read("subgroup_size");
        return binary("div", binary("sub", binary("add", total, lanes, span), u32Literal(1, span), span), lanes, span);
      }
      case "subgroup_lanes": {
        this.context.note("assumed", "id.subgroup_lanes", "lanes fill subgroups in the order of the local index", span);
        const count = size && size[0] * size[1] * size[2];
        const total = count !== undefined ? u32Literal(count, span) : product3((c) => part("workgroup_size", c), span);
        const lanes = read("subgroup_size");
        // No subgroup has more than 128 lanes, and all have a power of two: none is left partly filled.
        if (count !== undefined && count % 128 === 0) return lanes;
        const left = binary("sub", total, binary("mul", read("subgroup_id"), lanes, span), span);
        return opCall("math.min", [lanes, left], u32, span);
      }
      case "quad_lane_id":
        return binary("and", read("lane_id"), u32Literal(3, span), span);
      case "quad_id": {
        const quads = binary("div", read("subgroup_size"), u32Literal(4, span), span);
        return binary(
          "add",
          binary("mul", read("subgroup_id"), quads, span),
          binary("div", read("lane_id"), u32Literal(4, span), span),
          span,
        );
      }
      case "num_quads": {
        this.context.note("assumed", "id.num_quads", "lanes fill quads in the order of the local index", span);
        const count = size && size[0] * size[1] * size[2];
        if (count !== undefined) return u32Literal(Math.ceil(count / 4), span);
        const total = product3((c) => part("workgroup_size", c), span);
        return binary("div", binary("add", total, u32Literal(3, span), span), u32Literal(4, span), span);
      }
      default:
        this.context.problems.error(
          "XL3005",
          `${target} does not provide ${idCalledIn(this.module.dialect, asked)}${why(this.context, id)}`,
          span,
        );
        return undefined;
    }
  }
}

function component(e: Expr, c: number, span: Span): Expr {
  if (e.type.kind === "scalar") return e;
  if (e.kind === "construct" && e.arguments.length === 3) return e.arguments[c]!;
  return swizzleValue(e, [c], span);
}

function swizzleOf(e: Expr, components: readonly number[], span: Span): Expr {
  return e.kind === "construct" && e.arguments.length === 3
    ? construct(
        shaped("u32", components.length),
        components.map((c) => e.arguments[c]!),
        span,
      )
    : swizzleValue(e, components, span);
}

/** x + size.x * (y + size.y * z) */
function linear(id: (c: number) => Expr, size: (c: number) => Expr, span: Span): Expr {
  const inner = binary("add", id(1), binary("mul", size(1), id(2), span), span);
  return binary("add", id(0), binary("mul", size(0), inner, span), span);
}

const product3 = (size: (c: number) => Expr, span: Span): Expr =>
  binary("mul", binary("mul", size(0), size(1), span), size(2), span);

// ------------------------------------------------------------------ placing

interface Uses {
  readonly components: Set<number>;
  whole: boolean;
  count: number;
  /** Uses that are the whole initialiser of a variable, or a whole index. */
  starts: number;
}

function usesIn(f: FunctionDeclaration): Map<BuiltinId, Uses> {
  const found = new Map<BuiltinId, Uses>();
  const of = (id: BuiltinId): Uses => {
    const known = found.get(id);
    if (known) return known;
    const made: Uses = { components: new Set(), whole: false, count: 0, starts: 0 };
    found.set(id, made);
    return made;
  };
  walkStatement(f.body, {
    statement(s) {
      const e = s.kind === "declare" ? s.initializer : undefined;
      const id =
        e?.kind === "builtin"
          ? e.builtin
          : e?.kind === "swizzle-value" && e.operand.kind === "builtin"
            ? e.operand.builtin
            : undefined;
      if (id) of(id).starts++;
    },
    place(p) {
      const e = p.kind === "element" ? p.index : undefined;
      const id =
        e?.kind === "builtin"
          ? e.builtin
          : e?.kind === "swizzle-value" && e.operand.kind === "builtin"
            ? e.operand.builtin
            : undefined;
      if (id) of(id).starts++;
    },
    expr(e) {
      if (e.kind === "swizzle-value" && e.operand.kind === "builtin") {
        const u = of(e.operand.builtin);
        u.count++;
        e.components.forEach((c) => u.components.add(c));
        return false;
      }
      if (e.kind === "builtin") {
        const u = of(e.builtin);
        u.count++;
        if (vectorBuiltins.has(e.builtin)) u.whole = true;
      }
      return true;
    },
  });
  return found;
}

export const placeBuiltins: TextPass = {
  name: "place-builtins",
  requires: ["ops-native"],
  ensures: ["ids-placed"],
  run(module, context) {
    // What is no parameter in the target is asked for where it is used.
    const placed = languageFacts[context.target].builtins === "parameters" ? asParameters(module, context) : module;
    return isOwnText(module, context.target) ? placed : asLocals(placed, context.target);
  },
};

/** Names of file scope, where resources may stand, too. */
function fileNames(module: Module): ReadonlySet<string> {
  const names = new Set<string>();
  for (const r of module.resources) names.add(module.variables.get(r.variable)!.name);
  for (const o of module.order) if (o.kind === "variable") names.add(module.variables.get(o.variable)!.name);
  for (const g of module.functions) names.add(g.name);
  return names;
}

/** Names of a function's parameters and locals. */
function namesIn(module: Module, f: FunctionDeclaration): Set<string> {
  const names = new Set<string>(f.parameters.map((p) => module.variables.get(p)!.name));
  walkStatement(f.body, {
    statement: (s) => void (s.kind === "declare" && names.add(module.variables.get(s.variable)!.name)),
  });
  return names;
}

function pickName(id: BuiltinId, given: string | undefined, taken: Set<string>, file: ReadonlySet<string>): string {
  const candidates = [...(given !== undefined ? [given] : []), ...defaultBuiltinNames[id]];
  const name = candidates.find((n) => !taken.has(n) && !file.has(n)) ?? candidates[0]!;
  taken.add(name);
  return name;
}

/** One form for all position attributes: as many components as are used anywhere. */
function positionSize(functions: readonly ReturnType<typeof usesIn>[], target: TextContext["target"]): number {
  let dims = Math.min(...(parameterSizes("global_id", target) ?? [1]));
  for (const [id, u] of functions.flatMap((uses) => [...uses])) {
    if (!vectorBuiltins.has(id)) continue;
    if (u.whole) dims = 3;
    for (const c of u.components) dims = Math.max(dims, c + 1);
  }
  return dims;
}

function asParameters(module: Module, context: TextContext): Module {
  const { target } = context;
  const own = new Map(module.functions.map((f) => [f.id, usesIn(f)]));
  const dims = positionSize([...own.values()], target);
  const typeOf = (id: BuiltinId): Type => (vectorBuiltins.has(id) ? shaped("u32", dims) : u32);
  const editor = new ModuleEditor(module);
  const needed = new Map<FunctionId, BuiltinId[]>();
  const graph = new CallGraph(module);
  const gathered = graph.gathered((id) => [...(own.get(id)?.keys() ?? [])].filter((b) => parameterSizes(b, target)));
  for (const f of module.functions) {
    const ids = gathered(f.id);
    needed.set(
      f.id,
      idRows.map((r) => r.id).filter((id) => ids.has(id)),
    );
  }

  const file = fileNames(module);
  const entries = new Map(module.entries.map((e) => [e.function, e]));
  const parameters = new Map<FunctionId, Map<BuiltinId, Variable>>();
  const builtinParameters = new Map<FunctionId, BuiltinParameter[]>();
  const dropped = new Map<FunctionId, Set<Statement>>();
  for (const f of module.functions) {
    const entry = entries.get(f.id);
    const taken = namesIn(module, f);
    const made = new Map<BuiltinId, Variable>();
    for (const id of needed.get(f.id)!) {
      const given = entry?.builtinNames.get(id);
      const adopted = entry && given === undefined ? adoptable(module, f, id, typeOf(id)) : undefined;
      if (adopted) {
        const v = { ...editor.variables.get(adopted.variable)!, role: "parameter" as const };
        editor.setVariable(v);
        made.set(id, v);
        dropped.set(f.id, (dropped.get(f.id) ?? new Set<Statement>()).add(adopted));
        continue;
      }
      const v = editor.addVariable({
        name: pickName(id, given, taken, file),
        type: typeOf(id),
        space: "private",
        role: "parameter",
        constant: false,
        span: noSpan,
        ...(entry ? {} : { mode: "value" as const }),
      });
      made.set(id, v);
    }
    parameters.set(f.id, made);
    if (entry)
      builtinParameters.set(
        f.id,
        orderOf(entry, made).map((id) => ({ builtin: id, variable: made.get(id)!.id })),
      );
  }

  const functions = module.functions.map((f): FunctionDeclaration => {
    const mine = parameters.get(f.id)!;
    const isEntry = builtinParameters.has(f.id);
    const gone = dropped.get(f.id);
    const body = gone ? { ...f, body: { ...f.body, statements: withoutStatements(f.body.statements, gone) } } : f;
    const next = rewriteFunction(body, {
      enterExpr(e) {
        if (e.kind === "swizzle-value" && e.operand.kind === "builtin") {
          const v = mine.get(e.operand.builtin);
          if (!v) return undefined;
          const place = variablePlace(v, e.span);
          if (v.type.kind === "scalar") return load(place, e.span);
          const whole =
            v.type.kind === "vector" && v.type.size === e.components.length && e.components.every((c, i) => c === i);
          return load(whole ? place : swizzle(place, e.components, e.span), e.span);
        }
        if (e.kind !== "builtin") return undefined;
        const v = mine.get(e.builtin);
        return v && load(variablePlace(v, e.span), e.span);
      },
      expr(e) {
        if (e.kind !== "call") return e;
        const extra = needed.get(e.function) ?? [];
        if (extra.length === 0) return e;
        const values = extra.map((id) => ({
          mode: "value" as const,
          value: load(variablePlace(mine.get(id)!, e.span), e.span),
        }));
        return { ...e, arguments: [...e.arguments, ...values] };
      },
    });
    return isEntry ? next : { ...next, parameters: [...next.parameters, ...[...mine.values()].map((v) => v.id)] };
  });
  return editor.finish({
    functions,
    legal: { ...emptyFacts(context), ...module.legal, builtinParameters },
  });
}

/** The source's own order of builtin parameters first. */
function orderOf(entry: EntryPoint, made: ReadonlyMap<BuiltinId, Variable>): BuiltinId[] {
  const named = [...entry.builtinNames.keys()].filter((id) => made.has(id));
  return [...named, ...[...made.keys()].filter((id) => !named.includes(id))];
}

/** `uint l = gl_LocalInvocationID.x;` at the top level of the entry, never written again: the parameter can be `l` itself. */
function adoptable(module: Module, f: FunctionDeclaration, id: BuiltinId, type: Type): Declare | undefined {
  for (const s of f.body.statements) {
    if (s.kind !== "declare" || !s.initializer) continue;
    const v = module.variables.get(s.variable)!;
    if (v.space !== "private" || v.volatile || v.precise) continue;
    if (!readsBuiltin(s.initializer, id, type) || v.type.kind !== type.kind) continue;
    if (v.type.kind === "scalar" && v.type.scalar !== "u32") continue;
    if (v.type.kind === "vector" && type.kind === "vector" && (v.type.size !== type.size || v.type.scalar !== "u32"))
      continue;
    // A use before the declaration would see the parameter in either case: the value is the same.
    let written = false;
    walkStatement(f.body, {
      place: (p, use) => void (p.kind === "variable" && p.variable === v.id && use !== "read" && (written = true)),
    });
    if (!written) return s;
  }
  return undefined;
}

function readsBuiltin(e: Expr, id: BuiltinId, type: Type): boolean {
  if (e.kind === "builtin") return e.builtin === id && (type.kind === "vector" ? type.size === 3 : true);
  return (
    e.kind === "swizzle-value" &&
    e.operand.kind === "builtin" &&
    e.operand.builtin === id &&
    type.kind === "scalar" &&
    e.components.length === 1 &&
    e.components[0] === 0
  );
}

/** Drops statements; their comments go to the next one. */
export function withoutStatements(list: readonly Statement[], gone: ReadonlySet<Statement>): readonly Statement[] {
  const out: Statement[] = [];
  let pending: Statement["trivia"] | undefined;
  for (const s of list) {
    if (gone.has(s)) {
      const comments = [...(pending?.leading ?? []), ...s.trivia.leading, ...s.trivia.trailing];
      pending = {
        leading: comments,
        trailing: [],
        blankBefore: (pending?.blankBefore ?? false) || s.trivia.blankBefore,
      };
      continue;
    }
    if (pending) {
      const { leading, blankBefore } = pending;
      out.push({
        ...s,
        trivia: {
          ...s.trivia,
          leading: [...leading, ...s.trivia.leading],
          blankBefore: s.trivia.blankBefore || blankBefore,
        },
      });
      pending = undefined;
    } else out.push(s);
  }
  return out;
}

/** GLSL, OpenCL C and, of lanes, HLSL spell builtins at their uses; one that the source named and uses often gets a local of that name. */
function asLocals(module: Module, target: TargetDialect): Module {
  const editor = new ModuleEditor(module);
  const file = fileNames(module);
  const entries = new Map(module.entries.map((e) => [e.function, e]));
  const functions = module.functions.map((f): FunctionDeclaration => {
    const entry = entries.get(f.id);
    if (!entry) return f;
    const locals = new Map<BuiltinId, Variable>();
    const statements: Declare[] = [];
    const uses = usesIn(f);
    const taken = namesIn(module, f);
    for (const [id, u] of uses) {
      if (u.whole || u.components.size > 1) continue;
      const given = entry.builtinNames.get(id);
      // OpenCL C's ids are size_t: computing with one is plainer after it became a uint.
      const form = idForm(id, target);
      const computes = form?.size === true && u.starts < u.count;
      if (!computes && (given === undefined || u.count < 2)) continue;
      const name = pickName(id, given, taken, file);
      const v = editor.addLocal(name, u32, noSpan);
      locals.set(id, v);
      const read = vectorBuiltins.has(id) ? swizzleValue(builtin(id), [[...u.components][0]!]) : builtin(id);
      statements.push(declare(v.id, read, noSpan, noTrivia));
    }
    if (locals.size === 0) return f;
    const next = rewriteFunction(f, {
      enterExpr(e) {
        const id =
          e.kind === "builtin"
            ? e.builtin
            : e.kind === "swizzle-value" && e.operand.kind === "builtin"
              ? e.operand.builtin
              : undefined;
        const v = id && locals.get(id);
        return v ? load(variablePlace(v, e.span), e.span) : undefined;
      },
    });
    return { ...next, body: { ...next.body, statements: [...statements, ...next.body.statements] } };
  });
  return editor.finish({ functions });
}
