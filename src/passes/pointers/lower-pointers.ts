/**
 * Pointers without pointers (GLSL, HLSL, the simulator): a pointer is a place it points into, known at translation time,
 * and the indices that move it, which become integer variables. Helpers with pointer or reference parameters are made anew
 * for each such place. What cannot be told apart at translation time is refused, with both places.
 */
import { resourceOf } from "../../ast/lookup.js";
import { familyOf } from "../../ast/op-ids.js";
import { literal, ModuleEditor, nullPointer, rootVariable } from "../../ast/builders.js";
import {
  noTrivia,
  type Expr,
  type FunctionDeclaration,
  type FunctionId,
  type Module,
  type TopLevel,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import { rewriteModule, walkExpr, walkModule, walkPlace, walkStatement, type Visitor } from "../../ast/walk.js";
import { Effects, opReads } from "../../ops/effects.js";
import { row } from "../../ops/table.js";
import { append } from "../../support/append.js";
import { noSpan } from "../../support/span.js";
import { i32, isArrayOfPointers, scalarOf, type PointerType } from "../../types/types.js";
import { analyseFlow, type FlowLevels, type Level } from "../analysis/flow.js";
import type { Pass, PassContext } from "../pass.js";
import { FunctionLowering } from "./function-lowering.js";
import { withHeldIndices } from "./held-indices.js";
import { isCast } from "./pointer-casts.js";
import { withObjectsInScope } from "./objects-in-scope.js";
import { pointersOverRows, type OverRows } from "./pointers-over-rows.js";
import { PointerUses } from "./pointer-uses.js";
import {
  integerType,
  type Binder,
  type Binding,
  type Chooser,
  FollowsFromAnother,
  indices,
  isLoadOf,
  isPointerLike,
  isVariable,
  keyOfBinder,
  type Lowered,
  mentions,
  NotLowerable,
  renamed,
  type Result,
  type Specialisation,
} from "./pointer-values.js";

/** `a == b` of two buffers, `(a + 4)[i]`, `*(c ? a : b)`: pointers without a variable that holds one. */
function hasBarePointers(module: Module): boolean {
  let found = false;
  walkModule(module, { expr: (e) => !(found ||= e.type.kind === "pointer" || isCast(e)) });
  return found;
}

function usesNull(module: Module): boolean {
  let found = false;
  walkModule(module, {
    expr: (e) => {
      found ||= e.kind === "null-pointer";
      const tests = e.kind === "binary" && [e.left, e.right].some((x) => x.kind === "null-pointer");
      if (tests)
        [e.left, e.right].forEach(
          (x) => x.kind !== "null-pointer" && walkExpr(x, { expr: (y) => void (found ||= y.kind === "null-pointer") }),
        );
      return !found && !tests;
    },
  });
  return found;
}

/** What null is cast to is null (C99 6.3.2.3 (4)). */
function withoutNullCasts(module: Module): Module {
  let found = false;
  walkModule(module, { expr: (e) => void (found ||= isNullCast(e)) });
  return found
    ? rewriteModule(module, {
        expr: (e) => (isNullCast(e) ? nullPointer(e.type as PointerType, e.span) : e),
        keepsMeaning: true,
      })
    : module;
}

const isNullCast = (e: Expr): boolean => isCast(e) && e.operand.kind === "null-pointer";

export const lowerPointers: Pass = {
  name: "lower-pointers",
  requires: ["entries-selected"],
  ensures: ["no-pointers"],
  run(module, context) {
    if (
      ![...module.variables.values()].some((v) => isPointerLike(v) || isArrayOfPointers(v.type)) &&
      !hasBarePointers(module) &&
      !module.functions.some((f) => f.returnType.kind === "pointer")
    )
      return module;
    return withObjectsInScope(new PointerLowering(withHeldIndices(withoutNullCasts(module)), context).run());
  },
};

interface LoweringMark {
  readonly helpers: number;
  readonly problems: number;
}

/** Rounds in which helpers for places may still become known: each knows more of their indices than the one before. */
const mostRounds = 16;

/** What these functions call, and the helpers that they call. */
function calledFrom(
  functions: readonly FunctionDeclaration[],
  helpers: ReadonlyMap<FunctionId, FunctionDeclaration>,
): ReadonlySet<FunctionId> {
  const called = new Set<FunctionId>();
  const visit = (f: FunctionDeclaration): void =>
    walkStatement(f.body, {
      expr: (e) => {
        if (e.kind !== "call" || called.has(e.function)) return;
        called.add(e.function);
        const helper = helpers.get(e.function);
        if (helper) visit(helper);
      },
    });
  functions.forEach(visit);
  return called;
}

export class PointerLowering {
  private readonly editor: ModuleEditor;
  private readonly specialisations = new Map<string, Specialisation>();
  private readonly queue: Specialisation[] = [];
  private readonly byId = new Map<FunctionId, Specialisation>();
  private readonly firstOf = new Map<FunctionDeclaration, Specialisation>();
  private readonly byName = new Map<string, number>();
  private readonly functions: ReadonlyMap<FunctionId, FunctionDeclaration>;
  readonly uses: PointerUses;

  /** Objects that are read-only, and into which a pointer that is not has been made by a cast. */
  readonly unconst = new Set<VarId>();

  /** A pointer is null somewhere: beside comparisons with it. */
  readonly hasNull: boolean;

  readonly overRows: OverRows;

  constructor(
    readonly module: Module,
    readonly context: PassContext,
  ) {
    this.hasNull = usesNull(module);
    this.overRows = pointersOverRows(module);
    this.editor = new ModuleEditor(module);
    this.functions = new Map(module.functions.map((f) => [f.id, f]));
    this.uses = new PointerUses(this.functions);
  }

  private function(id: FunctionId): FunctionDeclaration {
    return this.functions.get(id)!;
  }

  /** Whether the expression may stand under a condition that says which object is meant: lanes that have to meet in it agree. */
  mayStandUnder(on: Chooser, e: Expr, before?: Chooser): boolean {
    const needed = this.lanesThatMeet(e, before);
    if (needed === 0) return true;
    this.flow ??= analyseFlow(this.module);
    return this.flow.agreedPointer(on) >= needed;
  }

  private flow: FlowLevels | undefined;

  /** Which lanes come together in barriers and cross-lane ops, in the functions it calls too. */
  private lanesThatMeet(e: Expr, before: Chooser | undefined): Level {
    const seen = new Set<FunctionId>();
    let found: Level = 0;
    const meet = (level: Level): void => void (found = level > found ? level : found);
    const visitor: Visitor = {
      statement: (s) => void (s.kind === "barrier" && meet(2)),
      expr: (x) => {
        if (x === before) return false;
        if (x.kind === "op") {
          const { effect, family } = row(x.op);
          if (effect === "barrier") meet(2);
          if (effect === "crosslane") meet(family === "workgroup" ? 2 : 1);
        }
        if (x.kind === "call" && !seen.has(x.function)) {
          seen.add(x.function);
          walkStatement(this.function(x.function).body, visitor);
        }
        return true;
      },
    };
    walkExpr(e, visitor);
    return found;
  }

  private needsSpecialising(f: FunctionDeclaration): boolean {
    return f.returnType.kind === "pointer" || f.parameters.some((p) => isPointerLike(this.module.variables.get(p)!));
  }

  run(): Module {
    const roots = this.module.functions.filter((f) => !this.needsSpecialising(f));
    // Discovery: which helpers are needed for which places, and which indices are always 0.
    for (const f of roots) this.body(f, new Map(), f.id, undefined);
    for (let i = 0; i < this.queue.length; i++) this.lowered(this.queue[i]!);
    if (this.context.problems.hasErrors) return this.module;
    this.final = true;
    const functions = new Map<FunctionId, FunctionDeclaration>();
    let lowered: Lowered[] = [];
    // What is known of indices now may ask for other helpers, of which calls and parameters have to agree, too.
    for (let round = 0, known = -1; this.news.size > 0 || known !== this.specialisations.size; round++) {
      if (round === mostRounds) throw new Error("helpers for places come to no end");
      known = this.specialisations.size;
      this.news.clear();
      this.done.clear();
      for (const f of roots) functions.set(f.id, this.body(f, new Map(), f.id, undefined).function);
      lowered = [];
      for (let i = 0; i < this.queue.length; i++) lowered.push(this.lowered(this.queue[i]!));
    }
    const made = new Map<FunctionId, FunctionDeclaration[]>();
    const called = calledFrom([...functions.values()], new Map(lowered.map((l) => [l.function.id, l.function])));
    const names = new Set(lowered.flatMap((l) => (called.has(l.function.id) ? [l.function.name] : [])));
    for (const [i, s] of this.queue.entries()) {
      const list = made.get(s.source.id) ?? [];
      const { function: f } = lowered[i]!;
      // Others are not wanted any more, or give a place that their callers know.
      if (called.has(f.id)) {
        list.push(names.has(s.source.name) ? f : { ...f, name: s.source.name });
        names.add(s.source.name);
      }
      made.set(s.source.id, list);
    }
    this.refuseWrites([...functions.values(), ...lowered.map((l) => l.function)]);
    const out: FunctionDeclaration[] = [];
    const order: TopLevel[] = [];
    for (const f of this.module.functions) {
      const done = functions.get(f.id);
      append(out, done ? [done] : (made.get(f.id) ?? []));
      if (!done && !made.has(f.id))
        this.context.note("emulated", "unused-function", `${f.name} is never called and is left out`, f.nameSpan);
    }
    for (const item of this.module.order) {
      if (item.kind !== "function" || functions.has(item.function)) order.push(item);
      else for (const f of made.get(item.function) ?? []) order.push({ kind: "function", function: f.id });
    }
    // A copy's trivia is the first one's.
    const seen = new Set<FunctionDeclaration["nameSpan"]>();
    const unique = out.map((f) => {
      if (!seen.has(f.nameSpan)) {
        seen.add(f.nameSpan);
        return f;
      }
      return { ...f, trivia: { ...noTrivia, blankBefore: f.trivia.blankBefore } };
    });
    return this.editor.finish({
      functions: unique,
      order,
      ...(this.choosesObjects ? { choosesObjects: true } : {}),
    });
  }

  /** Rewrites a function under bindings of its pointer parameters. */
  private body(
    f: FunctionDeclaration,
    bindings: Map<VarId, Binding>,
    id: FunctionId,
    copies: ReadonlyMap<VarId, VarId> | undefined,
  ): Lowered {
    const lowering = new FunctionLowering(this, this.editor, f, bindings);
    let statements = lowering.run();
    if (copies) statements = renamed(statements, copies);
    const { result } = lowering.results;
    const { returnsReference: _reference, ...rest } = f;
    return {
      function: { ...rest, id, body: { ...f.body, statements }, ...(result ? { returnType: result.type } : {}) },
      result,
    };
  }

  /** After the first round all calls are known, but for those of helpers that a round asks for. */
  final = false;
  /** Something is written once for each of several objects. */
  private choosesObjects = false;

  /** Those of one array of resources are one resource of the source, and the number that is chosen its index. */
  choosesAmong(objects: readonly VarId[]): void {
    const arrays = new Set(objects.map((id) => /^(.*?)\[/.exec(resourceOf(this.module, id)?.path ?? "")?.[1] ?? id));
    if (arrays.size > 1) this.choosesObjects = true;
  }

  /** Helpers of whose indices the round has learned what those before did not know. */
  private readonly news = new Set<Specialisation>();
  private readonly done = new Map<Specialisation, Lowered>();

  private lowered(s: Specialisation): Lowered {
    let known = this.done.get(s);
    if (!known) this.done.set(s, (known = this.lower(s, this.final)));
    return known;
  }

  /** What a helper returns that returns a pointer. */
  result(s: Specialisation): Result | undefined {
    return this.lowered(s).result;
  }

  /** A helper for particular places. `final`: indices that are always 0 are left out. */
  private lower(s: Specialisation, final: boolean): Lowered {
    const parameters: VarId[] = [];
    const bindings = new Map<VarId, Binding>();
    const objects = new Map<VarId, Variable>();
    for (const p of s.source.parameters) {
      const v = this.module.variables.get(p)!;
      const binder = s.binders.get(p);
      if (!binder) {
        parameters.push(p);
        continue;
      }
      if (binder.kind === "null") continue;
      if (binder.kind === "object") {
        let object = objects.get(binder.leader);
        if (!object) {
          object = this.editor.addVariable({
            name: v.name,
            type: binder.type,
            space: "private",
            role: "parameter",
            constant: false,
            span: v.span,
            mode: binder.mode === "none" ? "value" : binder.mode,
          });
          objects.set(binder.leader, object);
          if (binder.mode !== "none") parameters.push(object.id);
        }
        const count = indices(binder.steps);
        const holes = Array.from({ length: count }, (_, n) =>
          this.hole(s, p, n, `${v.name}_index${n + 1 === count ? "" : n}`, final),
        );
        append(
          parameters,
          holes.filter(isVariable).map((h) => h.id),
        );
        bindings.set(p, { root: object.id, steps: binder.steps, holes, span: v.span });
        continue;
      }
      let n = 0;
      const count = indices(binder.shape.steps);
      const holes = binder.shape.steps.flatMap((x): (Variable | Expr)[] => {
        if (x.kind === "member") return [];
        const suffix = n + 1 === count ? "_offset" : x.kind === "view" ? "_bytes" : `_index${n}`;
        const hole = this.hole(s, p, n++, v.name + suffix, final);
        if (isVariable(hole)) parameters.push(hole.id);
        return [hole];
      });
      bindings.set(p, { ...binder.shape, holes, span: v.span });
    }
    // Copies beyond the first have locals of their own.
    const first = this.firstOf.get(s.source) === s;
    const copies = first ? undefined : this.copies(s.source, parameters);
    const done = this.body(s.source, bindings, s.id, copies);
    return {
      ...done,
      function: {
        ...done.function,
        name: s.name,
        parameters: [
          ...(copies ? parameters.map((p) => copies.get(p) ?? p) : parameters),
          ...(done.result?.outs.map((v) => v.id) ?? []),
        ],
      },
    };
  }

  /** Notes what a call passes as an index of a helper; gives whether it is left out, since all calls pass 0. */
  leavesOut(s: Specialisation, key: string, value: Expr, isZero: boolean): boolean {
    if (!isZero && value.kind !== "literal" && !s.holeTypes.has(key)) {
      s.holeTypes.set(key, integerType(value.type));
      this.news.add(s);
    }
    const before = s.zero.get(key);
    const zero = (before ?? true) && isZero;
    s.zero.set(key, zero);
    if (before === true && !zero) this.news.add(s);
    return zero && before !== undefined;
  }

  private hole(s: Specialisation, p: VarId, index: number, name: string, final: boolean): Variable | Expr {
    const key = `${p}:${index}`;
    const type = s.holeTypes.get(key) ?? i32;
    if (final && s.zero.get(key)) return literal(scalarOf(type)!, 0);
    return this.editor.addVariable({
      name,
      type,
      space: "private",
      role: "parameter",
      constant: false,
      mode: "value",
      span: noSpan,
    });
  }

  private copies(f: FunctionDeclaration, parameters: readonly VarId[]): ReadonlyMap<VarId, VarId> {
    const map = new Map<VarId, VarId>();
    const copy = (id: VarId): void => {
      const { id: _id, ...rest } = this.editor.variables.get(id)!;
      if (rest.role !== "resource" && rest.role !== "global") map.set(id, this.editor.addVariable(rest).id);
    };
    f.parameters.filter((p) => parameters.includes(p)).forEach(copy);
    walkStatement(f.body, { statement: (s) => void (s.kind === "declare" && copy(s.variable)) });
    return map;
  }

  /** The helper for a call, made when it is first asked for. */
  specialise(f: FunctionDeclaration, binders: ReadonlyMap<VarId, Binder>): Specialisation {
    const key = `${f.id} ${[...binders].map(([p, b]) => `${p}:${keyOfBinder(b)}`).join("; ")}`;
    let s = this.specialisations.get(key);
    if (!s) {
      const count = this.byName.get(f.name) ?? 0;
      this.byName.set(f.name, count + 1);
      const paths = [...binders.values()].flatMap((b) =>
        b.kind === "path" ? [this.editor.variables.get(b.shape.root)!.name] : [],
      );
      const suffix = paths.length > 0 ? paths.join("_") : String(count + 1);
      s = {
        key,
        source: f,
        binders,
        id: this.editor.newFunctionId(),
        name: count === 0 ? f.name : `${f.name}_${suffix}`,
        zero: new Map(),
        holeTypes: new Map(),
      };
      this.specialisations.set(key, s);
      this.queue.push(s);
      this.byId.set(s.id, s);
      if (!this.firstOf.has(f)) this.firstOf.set(f, s);
    }
    return s;
  }

  /** Whether a function is one of those made here, whose result may be an index. */
  isSpecialisation(id: FunctionId): boolean {
    return this.byId.has(id);
  }

  /** Whether a function does nothing but give a result. */
  isFreeFunction(source: FunctionDeclaration): boolean {
    return !new Effects(this.module).ofFunctionWithReferences(source);
  }

  /** Whether a call does nothing but give a result. */
  isFree(e: Expr & { kind: "call" }): boolean {
    const { source } = this.byId.get(e.function)!;
    const effects = new Effects(this.module);
    const values = e.arguments.filter((a) => a.mode === "value");
    return !effects.ofFunctionWithReferences(source) && !effects.of({ ...e, function: source.id, arguments: values });
  }

  callee(id: FunctionId): FunctionDeclaration | undefined {
    const f = this.function(id);
    return this.needsSpecialising(f) ? f : undefined;
  }

  variable(id: VarId): Variable {
    return this.editor.variables.get(id)!;
  }

  /** Whether a helper moves a pointer parameter, or hands it to one that does. */
  moves(f: FunctionDeclaration, p: VarId): boolean {
    let found = false;
    walkStatement(f.body, {
      expr: (e) => {
        if (
          e.kind === "pointer-offset" &&
          (isLoadOf(e.pointer, p) || (e.pointer.kind === "call" && mentions(e.pointer, p)))
        )
          found = true;
        if (
          (e.kind === "assign" && e.target.kind === "variable" && e.target.variable === p) ||
          (e.kind === "increment" && e.place.kind === "variable" && e.place.variable === p)
        )
          found = true;
        // Kept in another pointer: that one may move.
        if (e.kind === "assign" && e.type.kind === "pointer" && mentions(e.value, p)) found = true;
        if (e.kind === "call") {
          const g = this.function(e.function);
          e.arguments.forEach((a, i) => {
            if (a.mode === "value" && isLoadOf(a.value, p) && this.moves(g, g.parameters[i]!)) found = true;
          });
        }
        if (
          e.kind === "op" &&
          e.places.some((x) => x.kind === "deref" && mentions(x.pointer, p)) &&
          (familyOf(e.op) === "memory" || row(e.op).goesOn)
        )
          found = true;
        return !found;
      },
      statement: (s) => {
        const given = s.kind === "declare" ? s.initializer : undefined;
        if (given && (given.type.kind === "pointer" || isArrayOfPointers(given.type)) && mentions(given, p))
          found = true;
        return !found;
      },
    });
    return found;
  }

  /** What a function that is lowered once more takes back: helpers it asked for, and what was said of them. */
  mark(): LoweringMark {
    return { helpers: this.queue.length, problems: this.context.problems.list.length };
  }
  backTo(mark: LoweringMark): void {
    for (const gone of this.queue.splice(mark.helpers)) {
      this.specialisations.delete(gone.key);
      this.byId.delete(gone.id);
      this.news.delete(gone);
      if (this.firstOf.get(gone.source) === gone) this.firstOf.delete(gone.source);
      this.byName.set(gone.source.name, this.byName.get(gone.source.name)! - 1);
    }
    this.context.problems.truncate(mark.problems);
  }

  /** Who casts const away may not write then: what the kernel is given as read-only is that, and what is declared const (C99 6.7.3). */
  private refuseWrites(functions: readonly FunctionDeclaration[]): void {
    if (this.unconst.size === 0) return;
    const visitor: Visitor = {
      expr: (e) => {
        if (e.kind !== "op" || !opReads(e.op)) return;
        e.places.forEach((p) => walkPlace(p, visitor, "read"));
        e.arguments.forEach((a) => walkExpr(a, visitor));
        return false;
      },
      place: (p, use) => {
        const root = use === "write" || use === "both" ? rootVariable(p) : undefined;
        if (root === undefined || !this.unconst.has(root)) return;
        // Pointers to constant memory are not written through, whatever they say of const.
        if (this.variable(root).space === "constant") return;
        const resource = this.module.resources.find((r) => r.variable === root);
        const { name, constant } = this.variable(root);
        if (resource ? resource.access !== "read" : !constant) return;
        this.context.problems.error("XL4006", `${name} is const, and is written through a pointer that is not`, p.span);
        return false;
      },
    };
    for (const f of functions) walkStatement(f.body, visitor);
  }

  report(e: unknown): void {
    if (!(e instanceof NotLowerable)) throw e;
    if (e instanceof FollowsFromAnother && this.context.problems.hasErrors) return;
    this.context.problems.error(e.code, e.message, e.span, e.other ? { notes: [e.other] } : {});
  }
}
