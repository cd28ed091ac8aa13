/**
 * Arrays of pointers: arrays of indices. All elements point into one object, or an array beside them holds the number of the
 * object that each points into.
 */
import {
  assign,
  binary,
  comma,
  element,
  i32Literal,
  increment,
  load,
  variablePlace,
  literal,
} from "../../ast/builders.js";
import { noTrivia, type Expr, type Place, type Statement, type Variable, type VarId } from "../../ast/nodes.js";
import { isPure } from "../../ast/walk.js";
import { noSpan, type Span } from "../../support/span.js";
import { i32, type PointerType, type Type } from "../../types/types.js";
import type { FunctionLowering } from "./function-lowering.js";
import {
  asType,
  Choice,
  inArray,
  indices,
  integerType,
  isVariable,
  keyOf,
  mentions,
  movedOn,
  NotLowerable,
  sequence,
  valueKey,
  type Binding,
  type ExpressionStatement,
  type Pointer,
  type Shape,
} from "./pointer-values.js";

type Assignment = Expr & { readonly kind: "assign" };
type ElementPlace = Place & { readonly kind: "element" };

/** An element: its array, and the indices that find it there. */
interface At {
  readonly array: Variable;
  readonly path: readonly Expr[];
  readonly pointer: PointerType;
}

export class PointerArrays {
  constructor(private readonly body: FunctionLowering) {}

  /** Found on the way: arrays whose elements point into several objects. */
  private readonly several = new Map<VarId, readonly Shape[]>();

  /** `p[2] = {a, b}`: an assignment to each. */
  declaration(s: Statement & { kind: "declare" }): readonly Statement[] {
    const place = variablePlace(this.body.whole.variable(s.variable), s.span);
    return s.initializer ? this.each(place, s.initializer, s.span) : [];
  }

  /** The assignments of all elements, of a list or of another array. */
  each(place: Place, value: Expr, span: Span): readonly Statement[] {
    const { type } = place;
    const at = (p: Place, i: number): Place => element(p, i32Literal(i, value.span), value.span);
    if (type.kind === "array" && value.kind === "construct")
      return value.arguments.flatMap((a, i) => this.each(element(place, i32Literal(i, a.span), a.span), a, span));
    if (type.kind === "array" && value.kind === "load") {
      const from = value.place;
      return Array.from({ length: type.length! }, (_, i) =>
        this.each(at(place, i), load(at(from, i), value.span), span),
      ).flat();
    }
    const expression = assign(place, value, span);
    return [{ kind: "expression", expression, span, trivia: noTrivia } satisfies ExpressionStatement];
  }

  read(e: Expr & { kind: "load" }): Pointer {
    const at = this.at(e.place as ElementPlace);
    const known = this.known(at, e.span);
    const b = this.oneOf(at, known, e);
    return { root: b.root, steps: b.steps, holes: b.holes.map((h) => this.held(at, h)) };
  }

  assigned(e: Assignment, target: ElementPlace): Expr | undefined {
    const at = this.at(target);
    if (e.operator) {
      const place = this.lastIndex(at, e.span);
      return movedOn(place, this.body.amount(this.body.expr(e.value)), e.operator, e.span);
    }
    const like: Variable = { ...at.array, type: at.pointer };
    const value = inArray(this.body.nulls.valueOf(like, e.value), at.pointer.pointee);
    const b = this.body.bindings.get(at.array.id) ?? this.bind(at, value, e.span);
    const shapes = b.several?.shapes ?? [b];
    const number = shapes.findIndex((s) => keyOf(s) === keyOf(value));
    if (number < 0) {
      const all = [...shapes, value].map(({ root, steps }) => ({ root, steps }));
      this.several.set(at.array.id, all);
      this.body.variables.again = true;
      return undefined;
    }
    const own = b.several ? this.body.variables.intoOneOf(b, shapes[number]!) : b;
    const list = own.holes.map((h, i) => ({ hole: h as Variable, value: value.holes[i]! }));
    if (b.several) list.push({ hole: b.several.which, value: literal("i32", number, e.span) });
    return this.together(at, list, e.span);
  }

  /** `p[i]++`: the value is the index. */
  step(e: Expr & { kind: "increment" }): Expr {
    return increment(this.lastIndex(this.at(e.place as ElementPlace), e.span), e.delta, e.prefix, e.span);
  }

  /** `*(p[i] = q)`, `r = p[i] = q`: the pointer that was assigned. */
  assignedPointer(e: Assignment, target: ElementPlace): Pointer {
    const decided = this.body.choices.decided.get(e);
    if (decided?.pointer) return decided.pointer;
    const moved = this.body.variables.pointerAssignment(e) ?? i32Literal(0, e.span);
    const at = this.at(target);
    const b = this.known(at, e.span);
    const pointerOf = ({ root, steps, holes }: Binding): Pointer => ({
      root,
      steps,
      holes: holes.map((h) => this.held(at, h)),
    });
    if (!b.several) {
      const now = pointerOf(b);
      const [first, ...rest] = now.holes;
      if (!first) return now;
      const isIt = rest.length === 0 && moved.kind === "assign" && valueKey(load(moved.target)) === valueKey(first);
      return { ...now, holes: [isIt ? moved : comma(moved, first, e.span), ...rest] };
    }
    const { shapes } = b.several;
    throw this.choice(e, at, b, b.several, {
      before: moved,
      pointers: shapes.map((s) => pointerOf(this.body.variables.intoOneOf(b, s))),
    });
  }

  stepped(e: Expr & { kind: "increment" }): Pointer {
    const at = this.at(e.place as ElementPlace);
    const b = this.oneOf(at, this.known(at, e.span), e);
    return {
      root: b.root,
      steps: b.steps,
      holes: [...b.holes.slice(0, -1).map((h) => this.held(at, h)), this.step(e)],
    };
  }

  /** What stands around has been lowered for the object that an element pointed into before. */
  mustStandStill(target: ElementPlace): void {
    const { array } = this.at(target);
    for (const on of this.body.choices.decided.keys())
      if (typeof on !== "number" && on.kind === "load" && mentions(on, array.id))
        throw new NotLowerable(
          "XL4005",
          `pointers of ${array.name} are set where what they point into is used`,
          target.span,
        );
  }

  // ---------------------------------------------------------------- elements

  private at(p: ElementPlace): At {
    const path: Expr[] = [];
    let place: Place = p;
    for (; place.kind === "element"; place = place.base) path.unshift(this.body.expr(place.index));
    if (place.kind !== "variable" || p.type.kind !== "pointer")
      throw new NotLowerable("XL4006", "a pointer is kept in memory", p.span);
    const array = this.body.whole.variable(place.variable);
    if (!path.every(isPure))
      throw new NotLowerable("XL4006", `an index into ${array.name}, which holds pointers, has side effects`, p.span);
    return { array, path, pointer: p.type };
  }

  private known({ array }: At, span: Span): Binding {
    const b = this.body.bindings.get(array.id);
    if (!b) throw new NotLowerable("XL4006", `a pointer of ${array.name} is used before it points anywhere`, span);
    return b;
  }

  /** Of several objects the one that is meant, where that is settled. */
  private oneOf(at: At, b: Binding, e: Expr): Binding {
    if (!b.several) return b;
    const { shapes } = b.several;
    const decided = this.body.choices.decided.get(e);
    if (decided) return this.body.variables.intoOneOf(b, shapes[decided.at]!);
    throw this.choice(e, at, b, b.several);
  }

  private choice(
    e: Expr,
    at: At,
    b: Binding,
    several: NonNullable<Binding["several"]>,
    done?: NonNullable<Choice["done"]>,
  ): Choice {
    const { shapes } = several;
    const objects = shapes.map((s) => s.root);
    const [by, says, first] = [this.byNumber(at, several), this.ofSeveral(at, shapes), this.whereFirst(b, shapes)];
    return new Choice(e, by, says, e.span, first, objects, done);
  }

  private byNumber(at: At, { shapes, which }: NonNullable<Binding["several"]>): () => readonly Expr[] {
    return () =>
      shapes.slice(1).map((_, i) => {
        const number = this.held(at, which);
        return binary("eq", number, asType(i32Literal(i, noSpan), number.type), noSpan);
      });
  }

  private ofSeveral({ array }: At, [first, second]: readonly Shape[]): string {
    return `pointers of ${array.name} may point into ${this.nameOf(first!)} or ${this.nameOf(second!)}`;
  }

  private whereFirst(b: Binding, [first]: readonly Shape[]): { readonly message: string; readonly span: Span } {
    return { message: `here one points into ${this.nameOf(first!)}`, span: b.span };
  }

  private nameOf(s: Shape): string {
    return this.body.whole.variable(s.root).name;
  }

  private place({ path }: At, hole: Variable): Place {
    return path.reduce<Place>((base, index) => element(base, index, index.span), variablePlace(hole));
  }

  private held(at: At, hole: Variable | Expr): Expr {
    return isVariable(hole) ? load(this.place(at, hole)) : hole;
  }

  private lastIndex(at: At, span: Span): Place {
    const b = this.known(at, span);
    const hole = b.holes.at(-1);
    if (
      !hole ||
      !isVariable(hole) ||
      (b.several && new Set(b.several.shapes.map((s) => s.steps.at(-1)?.kind)).size > 1)
    )
      throw new NotLowerable("XL4006", "a pointer to a single object is moved", span);
    return this.place(at, hole);
  }

  /** The arrays of indices, as many as the objects need, declared at the top of the function. */
  private bind(at: At, value: Pointer, span: Span): Binding {
    const { array } = at;
    const shapes = this.several.get(array.id);
    const count = shapes ? Math.max(...shapes.map((s) => indices(s.steps))) : value.holes.length;
    const local = (name: string, type: Type): Variable => {
      const made = this.body.editor.addLocal(name, arrayLike(array.type, type), noSpan);
      this.body.late.push(made);
      return made;
    };
    const holes = Array.from({ length: count }, (_, n) => {
      const given = value.holes[n - (count - value.holes.length)];
      const type = shapes || !given || given.kind === "literal" ? i32 : integerType(given.type);
      return local(`${array.name}_${n + 1 === count ? "offset" : `index${n}`}`, type);
    });
    const first = shapes?.[0] ?? value;
    const several = shapes ? { several: { shapes, which: local(`${array.name}_object`, i32) } } : {};
    const binding: Binding = { root: first.root, steps: first.steps, holes, span, ...several };
    this.body.bindings.set(array.id, binding);
    return binding;
  }

  /** Assigns the indices of one element: all values are those from before. */
  private together(
    at: At,
    list: readonly { readonly hole: Variable; readonly value: Expr }[],
    span: Span,
  ): Expr | undefined {
    const typed = list.map(({ hole, value }) => {
      const place = this.place(at, hole);
      return { hole, place, value: this.body.offsetAs(value, place.type) };
    });
    const moved = typed.filter((x) => valueKey(x.value) !== valueKey(load(x.place)));
    // Which element is meant may be read from what is set, too.
    const read = (x: Expr, hole: Variable): boolean => mentions(x, hole.id);
    const inTurn = moved.every((x, i) => moved.slice(0, i).every(({ hole }) => !read(x.value, hole)));
    if (inTurn) return sequence(moved.map((x) => assign(x.place, x.value, span)))!;
    const kept = moved.map((x) => ({ ...x, kept: this.body.lateLocal(`next_${x.hole.name}`, x.place.type) }));
    return comma(
      sequence(kept.map((x) => assign(variablePlace(x.kept, span), x.value, span)))!,
      sequence(kept.map((x) => assign(x.place, load(variablePlace(x.kept, span)), span)))!,
      span,
    );
  }
}

/** An array of the same lengths, of something else. */
function arrayLike(type: Type, of: Type): Type {
  return type.kind === "array" ? { ...type, element: arrayLike(type.element, of) } : of;
}
