/** Pointer variables: the index variables that stand for them, and their assignments. */
import {
  assign,
  comma,
  declare,
  increment,
  leadsForward,
  ledBackBy,
  literal,
  literalValue,
  load,
  nullPointer,
  variablePlace,
} from "../../ast/builders.js";
import {
  noTrivia,
  type BinaryOperator,
  type Expr,
  type FunctionDeclaration,
  type Statement,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import { walkStatement } from "../../ast/walk.js";
import { append } from "../../support/append.js";
import { onceEach } from "../../support/once.js";
import { noSpan, type Span } from "../../support/span.js";
import { i32, sameType, scalarOf, u32, type PointerType, type Type } from "../../types/types.js";
import {
  assignedAgain,
  asType,
  type Binding,
  Choice,
  FollowsFromAnother,
  inArray,
  integerType,
  isLoadOf,
  isNullIndex,
  isVariable,
  keyOf,
  mentions,
  movedOn,
  NotLowerable,
  type Pointer,
  sequence,
  type Shape,
  withTriviaOf,
  pointeeOf,
  type ExpressionStatement,
  indices,
} from "./pointer-values.js";
import type { FunctionLowering } from "./function-lowering.js";

interface IndexValue {
  readonly hole: Variable;
  readonly value: Expr;
}

type Assignment = Expr & { kind: "assign" };

const isView = (s: Shape): boolean => s.steps[0]?.kind === "view";

const isAssignmentOf = (e: Expr, read: Expr): boolean =>
  (e.kind === "assign" &&
    e.target.kind === "variable" &&
    read.kind === "load" &&
    read.place.kind === "variable" &&
    read.place.variable === e.target.variable) ||
  (e.kind === "comma" && isAssignmentOf(e.right, read));

/** A number that either type of offsets has. */
const isShort = (e: Expr): boolean => e.kind === "literal" && (Number(e.value) < 2 ** 31 || isNullIndex(e));

/** The type of the first offset, no short literal, that each pointer is moved by. */
const offsetTypesIn = onceEach((f: FunctionDeclaration): ReadonlyMap<VarId, Type> => {
  const types = new Map<VarId, Type>();
  walkStatement(f.body, {
    expr: (e) => {
      if (e.kind !== "assign" || e.target.kind !== "variable" || types.has(e.target.variable)) return;
      const offset =
        e.value.kind === "pointer-offset" ? e.value.offset : e.value.type.kind !== "pointer" ? e.value : undefined;
      if (offset && !isShort(offset)) types.set(e.target.variable, integerType(offset.type));
    },
  });
  return types;
});

/** Whether a function sets such a variable somewhere. */
function setsLater(f: FunctionDeclaration, id: VarId): boolean {
  let found = false;
  walkStatement(f.body, {
    expr: (e) =>
      void (found ||= e.kind === "assign" && !e.operator && e.target.kind === "variable" && e.target.variable === id),
  });
  return found;
}

export class PointerVariables {
  constructor(private readonly body: FunctionLowering) {}

  /** Where a variable that starts as null points later, found on the way; `again`: found just now. */
  readonly learned = new Map<VarId, Shape>();

  again = false;

  /** Those whose declaration sets them in one of several ways. */
  private readonly inTurn = new Set<VarId>();

  /** Where variables point that point into several objects; found on the way, as `learned` is. */
  private readonly several = new Map<VarId, readonly Shape[]>();

  /** Once more, with one more object that `v` may point into. */
  private alsoInto(v: Variable, known: readonly Shape[], value: Shape): undefined {
    this.several.set(
      v.id,
      [...known, value].map(({ root, steps }) => ({ root, steps })),
    );
    this.again = true;
    return undefined;
  }

  /** What a pointer variable stands for: of several objects the one that is meant. */
  bound(id: VarId, span: Span): Binding | undefined {
    const b = this.body.bindings.get(id);
    if (!b?.several) return b;
    const { shapes, which } = b.several;
    const decided = this.body.choices.decided.get(id);
    if (!decided) {
      const [first, second] = shapes.map((s) => this.body.whole.variable(s.root).name);
      throw new Choice(
        id,
        this.body.choices.byNumber(which, shapes.length),
        `pointer ${this.body.whole.variable(id).name} may point into ${first!} or ${second!}`,
        span,
        { message: `here it points into ${first!}`, span: b.span },
        shapes.map((s) => s.root),
      );
    }
    return this.intoOneOf(b, shapes[decided.at]!);
  }

  /** Of a variable that may point into several objects: into this one. */
  intoOneOf(b: Binding, shape: Shape): Binding {
    const { several: _several, ...rest } = b;
    return { ...rest, ...shape, holes: b.holes.slice(b.holes.length - indices(shape.steps)) };
  }

  current(b: Binding): Pointer {
    return {
      root: b.root,
      steps: b.steps,
      holes: b.holes.map((h) => (isVariable(h) ? load(variablePlace(h)) : h)),
    };
  }

  /** Those that the text uses before it sets them, perhaps where no run comes: null until then. */
  private readonly unset = new Set<VarId>();

  /** Whether all is done again with such a pointer as null. */
  private beginsAsNull(id: VarId): boolean {
    if (this.body.whole.variable(id).role !== "local" || this.unset.has(id)) return false;
    this.unset.add(id);
    this.again = true;
    return true;
  }

  /** What is said of one that is used before it is set, where that is not done again. */
  unbound(id: VarId, used: "used" | "moved", span: Span): NotLowerable {
    if (setsLater(this.body.f, id)) this.beginsAsNull(id);
    const { name } = this.body.whole.variable(id);
    // Where it was to be set, something may have been refused.
    return new FollowsFromAnother("XL4006", `pointer ${name} is ${used} before it points anywhere`, span);
  }

  /** `p++` and the like: the index moves; the value is the index. */
  step(e: Expr & { kind: "increment" }): Expr {
    const b = e.place.kind === "variable" ? this.body.bindings.get(e.place.variable) : undefined;
    const hole = b?.holes.at(-1);
    if (!b && e.place.kind === "variable" && this.beginsAsNull(e.place.variable)) return literal("i32", 0, e.span);
    if (!b || !hole || !isVariable(hole) || b.steps.at(-1)?.kind !== "index")
      throw new NotLowerable("XL4006", "a pointer to a single object is moved", e.span);
    return increment(variablePlace(hole, e.span), e.delta, e.prefix, e.span);
  }

  /** Parameters that every call of this copy of the function gives null, and those that point into several objects. */
  ownParameters(): readonly Statement[] {
    return this.body.f.parameters.flatMap((p) => {
      const v = this.body.whole.variable(p);
      if (v.type.kind !== "pointer") return [];
      const given = this.body.bindings.get(p);
      const several = this.several.get(p);
      // One that the function sets to point into other objects starts where the caller says.
      if (given && several)
        return this.bindSeveral(v, several, this.current(given), v.span).values.map((x) => declare(x.hole.id, x.value));
      if (given) return [];
      return this.bind(v, this.body.nulls.nullOf(v, v.span), v.span).values.map((x) => declare(x.hole.id, x.value));
    });
  }

  declaration(s: Statement & { kind: "declare" }): readonly Statement[] {
    const v = this.body.whole.variable(s.variable);
    const initializer = s.initializer ?? (this.unset.has(v.id) ? nullPointer(v.type, s.span) : undefined);
    if (!initializer) return [];
    try {
      const value = this.body.nulls.valueOf(v, initializer);
      const { binding, values } = this.bind(v, value, initializer.span);
      const made: Statement[] = values.map(({ hole, value: e }) => ({
        ...declare(hole.id, e, s.span),
        trivia: noTrivia,
      }));
      return made.length === 0 ? this.kept(s, binding) : withTriviaOf(made, s);
    } catch (error) {
      if (error instanceof Choice) {
        // One after the other, with the indices declared before.
        this.inTurn.add(v.id);
        const set = assign(variablePlace(v, s.span), initializer, s.span) as Assignment;
        const statement: ExpressionStatement = { kind: "expression", expression: set, span: s.span, trivia: s.trivia };
        const made = this.assignmentStatement(statement, set);
        return made === statement ? [] : [made];
      }
      this.body.whole.report(error);
      return [];
    }
  }

  /** Nothing is left of the declaration; its comments stay on an empty block. */
  private kept(s: Statement, _binding: Binding): readonly Statement[] {
    if (s.trivia.leading.length === 0 && s.trivia.trailing.length === 0) return [];
    return [
      {
        kind: "block",
        statements: [],
        span: noSpan,
        trivia: noTrivia,
        innerComments: [...s.trivia.leading, ...s.trivia.trailing],
      },
    ];
  }

  /** Gives a pointer variable its index variables. Indices that are literals and never change need none. */
  private bind(
    v: Variable,
    given: Pointer,
    span: Span,
    assignedLater = false,
  ): {
    readonly binding: Binding;
    readonly values: readonly { readonly hole: Variable; readonly value: Expr }[];
  } {
    const several = this.several.get(v.id);
    if (several) return this.bindSeveral(v, several, given, span);
    const fixed = !assignedAgain(this.body.f, v.id) && !this.inTurn.has(v.id);
    const value = fixed ? given : inArray(given, (v.type as PointerType).pointee);
    const values: { hole: Variable; value: Expr }[] = [];
    let n = 0;
    const count = value.holes.length;
    const holes = value.holes.map((start): Variable | Expr => {
      const h = this.body.amount(start);
      const last = n + 1 === count;
      const name = last ? `${v.name}_offset` : n === 0 && isView(value) ? `${v.name}_bytes` : `${v.name}_index${n}`;
      n++;
      if (fixed && h.kind === "literal") return h;
      const type = isShort(h) ? this.offsetType(v.id) : integerType(h.type);
      const hole = this.body.editor.addVariable({
        name,
        type,
        space: "private",
        role: "local",
        constant: fixed && v.constant && !assignedLater,
        span: noSpan,
      });
      // 2^31 is null's, where there is one.
      const staysOfSource =
        fixed && !this.body.whole.hasNull && sameType(type, u32) && leadsForward(h) && this.body.isOfSource(h);
      if (staysOfSource) this.body.unmoved.add(hole.id);
      values.push({ hole, value: staysOfSource ? asType(h, type) : this.started(h, type, last) });
      return hole;
    });
    const binding: Binding = { root: value.root, steps: value.steps, holes, span };
    this.body.bindings.set(v.id, binding);
    return { binding, values };
  }

  /** As `bind`, of a variable that may point into several objects. */
  private bindSeveral(
    v: Variable,
    shapes: readonly Shape[],
    value: Pointer,
    span: Span,
  ): ReturnType<PointerVariables["bind"]> {
    const local = (name: string, type: Type): Variable => this.body.editor.addLocal(name, type, noSpan);
    const which = local(`${v.name}_object`, this.offsetType(v.id));
    const count = Math.max(...shapes.map((s) => indices(s.steps)));
    const holes = Array.from({ length: count }, (_, n) =>
      local(n + 1 === count ? `${v.name}_offset` : `${v.name}_index${n}`, this.offsetType(v.id)),
    );
    const binding: Binding = { ...shapes[0]!, holes, span, several: { shapes, which } };
    this.body.bindings.set(v.id, binding);
    const values = this.valuesOfSeveral(v, binding, value) ?? [];
    // Indices that only other objects have.
    append(
      this.body.late,
      holes.filter((h) => !values.some((x) => x.hole === h)),
    );
    return { binding, values };
  }

  private valuesOfSeveral(
    v: Variable,
    { holes, several }: Binding,
    given: Pointer,
  ): { readonly hole: Variable; readonly value: Expr }[] | undefined {
    const { shapes, which } = several!;
    const value = inArray(given, (v.type as PointerType).pointee);
    const at = shapes.findIndex((s) => keyOf(s) === keyOf(value));
    if (at < 0) return this.alsoInto(v, shapes, value);
    const own = holes.slice(holes.length - value.holes.length) as Variable[];
    return [
      { hole: which, value: asType(literal("i32", at), which.type) },
      ...own.map((hole, i) => ({ hole, value: this.started(value.holes[i]!, hole.type, i + 1 === own.length) })),
    ];
  }

  /** What a pointer starts at, as its index holds it; it is moved by its last. */
  private started(value: Expr, type: Type, last: boolean): Expr {
    return last ? this.body.offsetAs(value, type) : asType(value, type);
  }

  /** The type of what the pointer is moved by, where it starts at a literal. */
  offsetType(id: VarId): Type {
    return offsetTypesIn(this.body.f).get(id) ?? i32;
  }

  /** `p = q`, `p += n`: assignments to the indices; undefined where there is nothing to assign. */
  pointerAssignment(e: Assignment): Expr | undefined {
    this.mustStandStill(e);
    return this.body.choices.eitherExpr(e, () => this.plainAssignment(e));
  }

  /** The same, as a statement: itself where there is nothing to assign. */
  assignmentStatement(s: ExpressionStatement, e: Assignment): Statement {
    try {
      this.mustStandStill(e);
    } catch (error) {
      this.body.whole.report(error);
      return s;
    }
    return this.body.choices.eitherStatement(s, e, () => this.plainAssignment(e));
  }

  /** What stands around an assignment has been lowered for the object that the pointer pointed into before. */
  private mustStandStill(e: Assignment): void {
    if (e.target.kind === "element") return this.body.arrays.mustStandStill(e.target);
    if (e.target.kind === "variable" && this.body.choices.decided.has(e.target.variable))
      throw new NotLowerable(
        "XL4005",
        `pointer ${this.body.whole.variable(e.target.variable).name} is set where what it points into is used`,
        e.span,
      );
  }

  /** `*(p = q)`: the pointer that was assigned. */
  assignedPointer(e: Assignment): Pointer {
    if (e.target.kind === "element") return this.body.arrays.assignedPointer(e, e.target);
    if (e.target.kind !== "variable") throw new NotLowerable("XL4006", "a pointer is kept in memory", e.span);
    const decided = this.body.choices.decided.get(e);
    if (decided?.pointer) return decided.pointer;
    const { variable: id } = e.target;
    const moved = this.pointerAssignment(e);
    const b = this.body.bindings.get(id);
    if (!b) throw new NotLowerable("XL4006", "the value of a pointer assignment is used", e.span);
    if (b.several) {
      const { shapes, which } = b.several;
      const names = shapes.map((s) => this.body.whole.variable(s.root).name);
      throw new Choice(
        e,
        this.body.choices.byNumber(which, shapes.length),
        `pointer ${this.body.whole.variable(id).name} may point into ${names[0]!} or ${names[1]!}`,
        e.span,
        { message: `here it points into ${names[0]!}`, span: b.span },
        shapes.map((s) => s.root),
        {
          before: moved ?? literal("i32", 0, e.span),
          pointers: shapes.map((shape) => this.current(this.intoOneOf(b, shape))),
        },
      );
    }
    const now = this.current(b);
    const [first, ...rest] = now.holes;
    if (!moved || !first) return now;
    return {
      ...now,
      holes: [rest.length === 0 && isAssignmentOf(moved, first) ? moved : comma(moved, first, e.span), ...rest],
    };
  }

  private plainAssignment(e: Assignment): Expr | undefined {
    try {
      if (e.target.kind === "element") return this.body.arrays.assigned(e, e.target);
      if (e.target.kind !== "variable") throw new NotLowerable("XL4006", "a pointer is kept in memory", e.span);
      const v = this.body.whole.variable(e.target.variable);
      const known = this.body.bindings.get(v.id);
      if (e.operator) {
        if (!known && this.beginsAsNull(v.id)) return undefined;
        if (!known) throw new NotLowerable("XL4006", "a pointer is moved before it points anywhere", e.span);
        const hole = known.holes.at(-1);
        if (!hole || !isVariable(hole) || known.steps.at(-1)?.kind !== "index")
          throw new NotLowerable("XL4006", "a pointer to a single object is moved", e.span);
        return this.movedOn(hole, this.body.amount(this.body.expr(e.value)), e.operator, e.span);
      }
      if (known?.several) {
        const moved = this.advance(known, e);
        if (moved) return moved;
        const values = this.valuesOfSeveral(v, known, this.body.nulls.valueOf(v, e.value));
        return values && this.together(values, e.span);
      }
      const plain = this.body.nulls.valueOf(v, e.value);
      const value = known && keyOf(known) !== keyOf(plain) ? inArray(plain, pointeeOf(e)) : plain;
      if (known && keyOf(known) !== keyOf(value) && known.root === this.body.nulls.nowhere.get(v.id)?.id) {
        // Null up to here, and what it gets was not to be seen before: once more with it.
        if (this.learned.has(v.id)) throw new NotLowerable("XL4006", `what ${v.name} points at is not known`, e.span);
        this.learned.set(v.id, { root: value.root, steps: inArray(value, pointeeOf(e)).steps });
        this.again = true;
        return undefined;
      }
      if (!known) {
        // Declared without a value: its indices are declared at the top of the function.
        const { values } = this.bind(v, value, e.span, true);
        append(
          this.body.late,
          values.map((x) => x.hole),
        );
        return sequence(values.map((x) => assign(variablePlace(x.hole, e.span), x.value, e.span)));
      }
      if (keyOf(known) !== keyOf(value)) {
        const type = pointeeOf(e);
        return this.alsoInto(v, [inArray<Shape>({ root: known.root, steps: known.steps }, type)], inArray(value, type));
      }
      // Moved by an amount: `p += n` reads better than `p = p + n`.
      const single = this.advance(known, e);
      if (single) return single;
      const list = known.holes.flatMap((h, i): IndexValue[] => {
        const next = value.holes[i]!;
        if (!isVariable(h)) {
          if (literalValue(next) === literalValue(h)) return [];
          throw new NotLowerable("XL4006", `pointer ${v.name} is moved where it was taken to stand still`, e.span);
        }
        const set = (): Expr => this.started(next, h.type, i + 1 === known.holes.length);
        return isLoadOf(next, h.id) ? [] : [{ hole: h, value: set() }];
      });
      return this.together(list, e.span);
    } catch (error) {
      if (error instanceof Choice || this.body.choices.decided.size > 0) throw error;
      this.body.whole.report(error);
      return undefined;
    }
  }

  /** Assigns indices of one pointer: all values are those from before, `p = p == a ? q : 0` among them. */
  private together(list: readonly IndexValue[], span: Span): Expr | undefined {
    const inTurn = (all: readonly IndexValue[]): boolean =>
      all.every((x, i) => !all.slice(0, i).some(({ hole }) => mentions(x.value, hole.id)));
    // The number of the object, which comes first, is a literal.
    const [first, ...rest] = list;
    const order = [list, first ? [...rest, first] : []].find(inTurn);
    const set = ({ hole, value }: IndexValue): Expr => assign(variablePlace(hole, span), value, span);
    if (order) return sequence(order.map(set));
    const kept = list.map((x) => ({ ...x, kept: this.body.lateLocal(`next_${x.hole.name}`, x.hole.type) }));
    return sequence([
      ...kept.map((x) => assign(variablePlace(x.kept, span), x.value, span)),
      ...kept.map((x) => assign(variablePlace(x.hole, span), load(variablePlace(x.kept, span)), span)),
    ]);
  }

  private advance(known: Binding, e: Expr & { kind: "assign" }): Expr | undefined {
    const { value } = e;
    if (value.kind !== "pointer-offset" || e.target.kind !== "variable" || !isLoadOf(value.pointer, e.target.variable))
      return undefined;
    const hole = known.holes.at(-1);
    if (!hole || !isVariable(hole)) return undefined;
    const { offset } = value;
    const back = ledBackBy(offset);
    const [by, operator]: readonly [Expr, BinaryOperator] = back ? [back, "sub"] : [offset, "add"];
    return this.movedOn(hole, this.body.amount(this.body.expr(by)), operator, e.span);
  }

  private movedOn(hole: Variable, amount: Expr, operator: BinaryOperator, span: Span): Expr {
    const wide = isNarrowUnsigned(amount) && sameType(hole.type, u32) ? asType(amount, u32) : amount;
    return movedOn(variablePlace(hole, span), wide, operator, span);
  }
}

const isNarrowUnsigned = (e: Expr): boolean => ["u8", "u16"].includes(scalarOf(e.type)!);
