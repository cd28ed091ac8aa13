/**
 * Pointers that lie in workgroup memory (`global float *local q`, members of `threadgroup View v`): what one lane sets, all read. What lies
 * there is how far from the beginning of the array or object it leads into, and a read is that beginning moved so far. Where it may lead into several,
 * the number of the one lies beside it; so it is with a lane's own pointers that such a one is set to. Structs have been taken apart before
 * (split-pointer-members.ts).
 */
import {
  addressOf,
  assign,
  binary,
  bitcast,
  comma,
  conditional,
  construct,
  convert,
  declare,
  element,
  i32Literal,
  literalValue,
  load,
  ModuleEditor,
  nullPointer,
  pointerOffset,
  rootVariable,
  variablePlace,
} from "../ast/builders.js";
import { functionOf } from "../ast/lookup.js";
import {
  noTrivia,
  type Assign,
  type Declare,
  type Expr,
  type FunctionId,
  type Module,
  type Place,
  type Statement,
  type Variable,
  type VarId,
} from "../ast/nodes.js";
import {
  isPure,
  rewriteExpr,
  rewriteFunction,
  walkExpr,
  walkModule,
  walkStatement,
  type Rewriter,
} from "../ast/walk.js";
import { add, sub } from "../ops/trees.js";
import type { Span } from "../support/span.js";
import { layoutOf } from "../types/layout.js";
import { i32, isArrayOfPointers, sameType, scalar, type PointerType, type Type } from "../types/types.js";
import type { Refuse } from "./inline-calls.js";
import { variablesIn } from "./object-pointers.js";

/** No object is so far before its beginning. */
const nowhere = -(2 ** 31);

const isSharedPointer = ({ type, space, role }: Variable): boolean =>
  space === "workgroup" && role === "local" && (type.kind === "pointer" || isArrayOfPointers(type));

export function withoutSharedPointers(module: Module<"canonical">, refuse: Refuse): Module<"canonical"> {
  // Few kernels have one, and which variables are in use is long to say.
  if (![...module.variables.values()].some(isSharedPointer)) return module;
  const shared = [...variablesIn(module)].filter((id) => isSharedPointer(module.variables.get(id)!));
  return shared.length === 0 ? module : new SharedPointers(module, new Set(shared), refuse).rewritten();
}

const asDistances = (type: Type): Type =>
  type.kind === "array" ? { ...type, element: asDistances(type.element) } : i32;

/** Where a pointer leads: the array that its object is in, or the object itself. */
interface Beginning {
  readonly key: string;
  readonly root: VarId;
  readonly at: (type: PointerType, span: Span) => Expr;
}

/** The longest list of objects that one such pointer may lead into. */
const mostObjects = 16;

class SharedPointers {
  private readonly editor: ModuleEditor<Module<"canonical">>;
  /** What each pointer of the module is given, where it is a variable. */
  private readonly values = new Map<VarId, Expr[]>();
  private readonly beginnings = new Map<VarId, readonly Beginning[]>();
  /** What holds the number of the object, where a pointer may lead into several. */
  private readonly objects = new Map<VarId, Variable>();
  /** The numbers of those objects, by their keys. */
  private readonly numbers = new Map<string, number>();
  private readonly shared: Set<VarId>;
  private readonly nullable = new Set<VarId>();
  private readonly owners = new Map<VarId, FunctionId>();
  /** What declares the distances that are kept in the function that is rewritten, as finding them changes something. */
  private held: Statement[] = [];

  constructor(
    private readonly module: Module<"canonical">,
    shared: ReadonlySet<VarId>,
    private readonly refuse: Refuse,
  ) {
    this.shared = new Set(shared);
    this.editor = new ModuleEditor(module);
    for (const f of module.functions)
      walkStatement(f.body, { statement: (s) => void (s.kind === "declare" && this.owners.set(s.variable, f.id)) });
    const gets = (id: VarId | undefined, e: Expr): void => {
      if (id !== undefined) this.values.set(id, [...(this.values.get(id) ?? []), e]);
    };
    walkModule(module, {
      statement: (s) => {
        if (s.kind === "declare" && s.initializer) gets(s.variable, s.initializer);
      },
      expr: (e) => {
        if (e.kind === "assign" && !e.operator && e.type.kind === "pointer") gets(rootVariable(e.target), e.value);
        if (e.kind !== "call") return;
        const { parameters } = functionOf(module, e.function)!;
        e.arguments.forEach((a, i) => {
          if (a.mode === "value") gets(parameters[i], a.value);
        });
      },
    });
  }

  // ---------------------------------------------------------------- where they lead

  /** All that a value may lead to; undefined where that is not known. Null leads nowhere. */
  private sources(e: Expr, seen: ReadonlySet<VarId>): readonly Beginning[] | undefined {
    switch (e.kind) {
      case "address-of": {
        const found = this.beginningOf(e.place);
        return found && [found];
      }
      case "null-pointer":
        return [];
      case "pointer-offset":
        return this.sources(e.pointer, seen);
      case "bitcast":
        return e.operand.type.kind === "pointer" ? this.sources(e.operand, seen) : undefined;
      case "comma":
        return this.sources(e.right, seen);
      case "conditional": {
        const [a, b] = [this.sources(e.whenTrue, seen), this.sources(e.whenFalse, seen)];
        return a && b && [...a, ...b];
      }
      case "load":
      case "increment":
        return this.ofVariable(rootVariable(e.place), seen);
      case "assign":
        return this.ofVariable(rootVariable(e.target), seen);
      default:
        return undefined;
    }
  }

  private ofVariable(id: VarId | undefined, seen: ReadonlySet<VarId>): readonly Beginning[] | undefined {
    if (id === undefined) return undefined;
    if (seen.has(id)) return [];
    const all = (this.values.get(id) ?? []).flatMap((e) => (e.kind === "construct" ? e.arguments : [e]));
    const found = all.map((e) => this.sources(e, new Set([...seen, id])));
    return found.every((list) => list !== undefined) && found.length > 0 ? found.flat() : undefined;
  }

  /** Whether it may be null, by itself or as a copy. */
  private mayBeNull(e: Expr, seen: ReadonlySet<VarId> = new Set()): boolean {
    const ofVariable = (id: VarId | undefined): boolean => {
      if (id === undefined || seen.has(id)) return false;
      const all = (this.values.get(id) ?? []).flatMap((v) => (v.kind === "construct" ? v.arguments : [v]));
      return all.some((v) => this.mayBeNull(v, new Set([...seen, id])));
    };
    switch (e.kind) {
      case "null-pointer":
        return true;
      case "bitcast":
        return this.mayBeNull(e.operand, seen);
      case "comma":
        return this.mayBeNull(e.right, seen);
      case "conditional":
        return this.mayBeNull(e.whenTrue, seen) || this.mayBeNull(e.whenFalse, seen);
      case "load":
      case "increment":
        return ofVariable(rootVariable(e.place));
      case "assign":
        return this.mayBeNull(e.value, seen) || ofVariable(rootVariable(e.target));
      default:
        return false;
    }
  }

  private beginningOf(place: Place): Beginning | undefined {
    const whole = place.kind === "element" && place.base.type.kind === "array" ? place.base : place;
    const key = keyOf(whole);
    const root = rootVariable(whole);
    const v = root === undefined ? undefined : this.module.variables.get(root)!;
    if (key === undefined || !v || (v.space !== "global" && v.space !== "constant" && v.space !== "workgroup"))
      return undefined;
    const { space } = v;
    return {
      key,
      root: v.id,
      at: (type, span) => {
        const first = whole === place ? place : element(whole, i32Literal(0, span), span);
        const p = addressOf(first, space, span, type.readOnly === true);
        return sameType(p.type, type) ? ({ ...p, type } as Expr) : bitcast(p, type, span);
      },
    };
  }

  /** Whether what such pointers lead to lies a number of its sizes behind the beginning. */
  private isCounted(beginning: Expr, { pointee }: PointerType): boolean {
    if (beginning.kind === "address-of") return true;
    const { size, align } = layoutOf(pointee, "natural", this.module.structs);
    return size === align;
  }

  /** Whether all that it is given has been made such a pointer at the beginning, and moved since. */
  private isFromBeginning(id: VarId, key: string): boolean {
    const { pointee } = elementsOf(this.module.variables.get(id)!.type);
    const isSame = (e: Expr): boolean => {
      if (e.type.kind !== "pointer" || !sameType(e.type.pointee, pointee)) return false;
      switch (e.kind) {
        case "null-pointer":
          return true;
        case "pointer-offset":
          return isSame(e.pointer);
        case "load":
        case "increment":
          return rootVariable(e.place) === id;
        case "assign":
          return rootVariable(e.target) === id;
        case "bitcast":
          return e.operand.kind === "address-of" && isFirst(e.operand.place, key);
        default:
          return false;
      }
    };
    return this.values.get(id)!.every((e) => isSame(e));
  }

  /** A lane's own pointers that may lead into several, and that one of these is set to, are such pointers, too. */
  private withOwn(): void {
    const add = (e: Expr): void => {
      switch (e.kind) {
        case "conditional":
          add(e.whenTrue);
          add(e.whenFalse);
          break;
        case "pointer-offset":
          add(e.pointer);
          break;
        case "bitcast":
          add(e.operand);
          break;
        case "construct":
          e.arguments.forEach(add);
          break;
        case "load": {
          const id = rootVariable(e.place);
          const v = id === undefined ? undefined : this.module.variables.get(id);
          if (!v || this.shared.has(v.id) || v.role !== "local" || v.space !== "private") break;
          if (distinct(this.ofVariable(v.id, new Set()) ?? []).length < 2) break;
          this.shared.add(v.id);
          this.values.get(v.id)!.forEach(add);
          break;
        }
        default:
      }
    };
    for (const id of [...this.shared]) (this.values.get(id) ?? []).forEach(add);
  }

  /** Gives each the beginnings of all that it is given. */
  private settle(): boolean {
    this.withOwn();
    for (const id of this.shared) {
      const v = this.module.variables.get(id)!;
      const found = distinct(this.ofVariable(id, new Set()) ?? []);
      if ((this.values.get(id) ?? []).some((e) => this.mayBeNull(e))) this.nullable.add(id);
      const why = found.length === 0 ? `, of which is not known where it leads, is` : this.hindrance(v, found);
      if (why !== undefined) {
        this.refuse(`the pointer '${v.name}' in workgroup memory${why}`, v.span);
        return false;
      }
      this.beginnings.set(id, found);
      if (found.length > 1)
        for (const { key } of found) if (!this.numbers.has(key)) this.numbers.set(key, this.numbers.size);
    }
    return true;
  }

  /** Why a pointer that leads to these cannot be kept as a distance from where they begin. */
  private hindrance(v: Variable, found: readonly Beginning[]): string | undefined {
    const named = found.map((b) => this.module.variables.get(b.root)!);
    const foreign = named.some((r) => r.role === "local" && this.owners.get(r.id) !== this.owners.get(v.id));
    if (foreign) return " that leads into another function's is";
    const elements = elementsOf(v.type);
    const isFirstOf = (b: Beginning): boolean => found.length === 1 && this.isFromBeginning(v.id, b.key);
    const anywhere = found.findIndex((b) => !this.isCounted(b.at(elements, v.span), elements) && !isFirstOf(b));
    if (anywhere >= 0) return ` to what begins anywhere in '${named[anywhere]!.name}' is`;
    if (found.length > mostObjects) return ` that leads into more than ${mostObjects} objects is`;
    const other = named.find((r) => r.space !== named[0]!.space);
    return other && ` that leads into '${named[0]!.name}' and '${other.name}' is`;
  }

  // ---------------------------------------------------------------- rewriting

  rewritten(): Module<"canonical"> {
    if (!this.settle()) return this.module;
    for (const id of this.shared) {
      const v = this.editor.variables.get(id)!;
      this.editor.setVariable({ ...v, name: `${v.name}_offset`, type: asDistances(v.type) });
      if (this.beginnings.get(id)!.length < 2) continue;
      this.objects.set(id, this.editor.addVariable({ ...v, name: `${v.name}_object`, type: asDistances(v.type) }));
    }
    const functions = this.module.functions.map((f) => {
      this.held = [];
      const next = rewriteFunction(f, this.rewriter);
      const { held } = this;
      return held.length === 0
        ? next
        : { ...next, body: { ...next.body, statements: [...held, ...next.body.statements] } };
    });
    return this.editor.finish({ functions });
  }

  /** The variable that such a place is of. */
  private sharedIn(p: Place): VarId | undefined {
    const root = p.type.kind === "pointer" ? rootVariable(p) : undefined;
    return root !== undefined && this.shared.has(root) && (p.kind === "variable" || p.kind === "element")
      ? root
      : undefined;
  }

  private distanceAt(p: Place): Place {
    return this.heldAt(p, this.editor.variables.get(rootVariable(p)!)!);
  }

  /** Where the distance of such a pointer lies, or the number of its object. */
  private heldAt(p: Place, holder: Variable): Place {
    if (p.kind === "element") return element(this.heldAt(p.base, holder), rewriteExpr(p.index, this.rewriter), p.span);
    return { ...variablePlace(holder), span: p.span };
  }

  private readonly rewriter: Rewriter = {
    enterStatement: (s) => {
      if (s.kind === "declare" && this.objects.has(s.variable)) return this.declared(s);
      const e = s.kind === "expression" ? s.expression : undefined;
      if (s.kind !== "expression" || (e?.kind !== "assign" && e?.kind !== "increment")) return undefined;
      const id = this.sharedIn(e.kind === "assign" ? e.target : e.place);
      if (id === undefined) return undefined;
      return this.steps(e, id).map((expression, i) => ({ ...s, expression, ...(i > 0 ? { trivia: noTrivia } : {}) }));
    },
    enterExpr: (e) => {
      const place = e.kind === "load" || e.kind === "increment" ? e.place : e.kind === "assign" ? e.target : undefined;
      const id = place && this.sharedIn(place);
      if (id === undefined) return undefined;
      const objects = this.objects.get(id);
      const object = objects && load(this.heldAt(place!, objects), e.span);
      if (object && !isPure(object)) this.refuse(`${inTurn}, is`, e.span);
      const distance =
        e.kind === "load" ? load(this.distanceAt(e.place), e.span) : this.changedValue(e as Changing, id);
      return this.pointer(distance, id, e.type as PointerType, object, e.span);
    },
    enterPlace: (p) => {
      if (this.sharedIn(p) === undefined) return undefined;
      this.refuse("the address of a pointer in workgroup memory is", p.span);
      return p;
    },
  };

  /** The pointer that is so far from the beginning, of the object with this number where there are several. */
  private pointer(distance: Expr, id: VarId, type: PointerType, object: Expr | undefined, span: Span): Expr {
    const movedBy = (by: Expr): Expr => {
      const all = this.beginnings.get(id)!;
      const moved = all.map((b) => ({
        to: pointerOffset(b.at(type, span), by, span),
        number: this.numbers.get(b.key),
      }));
      return moved.slice(0, -1).reduceRight<Expr>((rest, { to, number }) => {
        const isThis = binary("eq", object!, i32Literal(number!, span), span);
        return conditional(isThis, to, rest, span);
      }, moved.at(-1)!.to);
    };
    const chosen = (first: Expr, again: Expr): Expr =>
      conditional(binary("eq", first, i32Literal(nowhere, span), span), nullPointer(type, span), movedBy(again), span);
    const isNullable = this.nullable.has(id);
    if (!isNullable && (isPure(distance) || !object)) return movedBy(distance);
    if (isPure(distance)) return chosen(distance, distance);
    const now = this.holder(`${this.module.variables.get(id)!.name}_now`, i32, span);
    const kept = assign(now, distance, span);
    return isNullable ? chosen(kept, load(now, span)) : comma(kept, movedBy(load(now, span)), span);
  }

  private holder(name: string, type: Type, span: Span): Place {
    const v = this.editor.addLocal(name, type, span);
    this.held.push(declare(v.id, undefined, span));
    return variablePlace(v, span);
  }

  /** What declares a lane's own pointer that may lead into several objects. */
  private declared(s: Declare): readonly Statement[] {
    const object = this.objects.get(s.variable)!;
    if (!s.initializer) return [s, { ...s, variable: object.id, trivia: noTrivia }];
    const [distance, number] = [this.distanceOf(s.initializer), this.numberOf(s.initializer)];
    return [
      { ...s, initializer: distance },
      { ...s, variable: object.id, initializer: number, trivia: noTrivia },
    ];
  }

  /** What changes a pointer, one after the other. */
  private steps(e: Changing, id: VarId): readonly Expr[] {
    const objects = this.objects.get(id);
    if (!objects || e.kind === "increment" || e.operator) return [this.changed(e, id)];
    const [distance, number] = [this.distanceOf(e.value), this.numberOf(e.value)];
    const target = this.distanceAt(e.target);
    const object = this.heldAt(e.target, objects);
    if (![target, object].every((p) => isPure(load(p)))) this.refuse(`${inTurn}, is`, e.span);
    const toDistance = assign(target, distance, e.span);
    if (number.kind === "literal") return [toDistance, assign(object, number, e.span)];
    if (!mentions(e.value, id)) return [assign(object, number, e.span), toDistance];
    // What chooses it is of what it was.
    const led = this.holder(`${this.module.variables.get(id)!.name}_next`, i32, e.span);
    return [assign(led, number, e.span), toDistance, assign(object, load(led, e.span), e.span)];
  }

  /** The distance that a pointer has when it has been changed. */
  private changedValue(e: Changing, id: VarId): Expr {
    const steps = this.steps(e, id);
    if (steps.length === 1) return steps[0]!;
    const now = load(this.distanceAt((e as Assign).target), e.span);
    return steps.reduceRight<Expr>((rest, step) => comma(step, rest, e.span), now);
  }

  /** What changes a distance. */
  private changed(e: Changing, id: VarId): Expr {
    if (e.kind === "increment") return { ...e, place: this.distanceAt(e.place), type: i32 };
    const target = this.distanceAt(e.target);
    const copied = e.operator ? undefined : this.copied(e.value, id);
    if (copied) return { ...e, target, value: copied, type: i32 };
    const value = rewriteExpr(e.value, this.rewriter);
    if (e.operator) {
      return assign(target, convert(value, i32), e.span, e.operator);
    }
    const [beginning] = this.beginnings.get(id)!;
    return { ...e, target, value: this.distance(value, beginning!, e.type as PointerType), type: i32 };
  }

  // ---------------------------------------------------------------- of several objects

  /** How far a value is from the beginning of the one of several objects that it leads into. */
  private distanceOf(e: Expr): Expr {
    if (e.kind === "construct")
      return construct(
        asDistances(e.type),
        e.arguments.map((a) => this.distanceOf(a)),
        e.span,
      );
    const [one, ...others] = this.alternatives(e);
    if (e.kind === "null-pointer") return i32Literal(nowhere, e.span);
    if (one && others.length === 0) return this.distance(rewriteExpr(e, this.rewriter), one, e.type as PointerType);
    switch (e.kind) {
      case "conditional": {
        const [a, b] = [this.distanceOf(e.whenTrue), this.distanceOf(e.whenFalse)];
        const same = literalValue(a) !== undefined && literalValue(a) === literalValue(b);
        return same ? a : conditional(rewriteExpr(e.condition, this.rewriter), a, b, e.span);
      }
      case "pointer-offset": {
        const { offset } = e;
        const by = (x: Expr): Expr => convert(rewriteExpr(x, this.rewriter), i32);
        const from = this.distanceOf(e.pointer);
        return offset.kind === "unary" && offset.operator === "negate"
          ? sub(from, by(offset.operand))
          : add(from, by(offset));
      }
      case "bitcast":
        if (sameType(elementsOf(e.type).pointee, elementsOf(e.operand.type).pointee)) return this.distanceOf(e.operand);
        break;
      case "load":
        if (this.sharedIn(e.place) !== undefined) return load(this.distanceAt(e.place), e.span);
        break;
      default:
    }
    this.refuse(`${inTurn}, is`, e.span);
    return i32Literal(0, e.span);
  }

  /** The number of the object that a value leads into. */
  private numberOf(e: Expr): Expr {
    if (e.kind === "construct")
      return construct(
        asDistances(e.type),
        e.arguments.map((a) => this.numberOf(a)),
        e.span,
      );
    const [one, ...others] = this.alternatives(e);
    if (others.length === 0) return i32Literal(one ? this.numbers.get(one.key)! : 0, e.span);
    if (!isPure(e)) this.refuse(`${inTurn}, is`, e.span);
    switch (e.kind) {
      case "conditional": {
        const [a, b] = [this.numberOf(e.whenTrue), this.numberOf(e.whenFalse)];
        return conditional(rewriteExpr(e.condition, this.rewriter), a, b, e.span);
      }
      case "pointer-offset":
        return this.numberOf(e.pointer);
      case "bitcast":
        return this.numberOf(e.operand);
      case "load": {
        const id = this.sharedIn(e.place);
        if (id !== undefined) return load(this.heldAt(e.place, this.objects.get(id)!), e.span);
        break;
      }
      default:
    }
    this.refuse(`${inTurn}, is`, e.span);
    return i32Literal(0, e.span);
  }

  private alternatives(e: Expr): readonly Beginning[] {
    return distinct(this.sources(e, new Set()) ?? []);
  }

  /** The distance of another pointer that leads to the same, as it is. */
  private copied(e: Expr, to: VarId): Expr | undefined {
    const from = e.kind === "load" ? this.sharedIn(e.place) : undefined;
    if (e.kind !== "load" || from === undefined) return undefined;
    const [a, b] = [from, to].map((id) => elementsOf(this.module.variables.get(id)!.type));
    const [of, into] = [from, to].map((id) => this.beginnings.get(id)!);
    const same = of!.length === 1 && of![0]!.key === into![0]!.key && sameType(a!.pointee, b!.pointee);
    return same ? load(this.distanceAt(e.place), e.span) : undefined;
  }

  private distance(e: Expr, beginning: Beginning, type: PointerType): Expr {
    if (e.kind === "null-pointer") return i32Literal(nowhere, e.span);
    if (this.mayBeNull(e)) return this.distanceOrNowhere(e, beginning, type);
    if (e.kind === "pointer-offset" && e.offset.kind !== "unary") {
      const inner = this.distance(e.pointer, beginning, type);
      const more = convert(e.offset, i32);
      return literalValue(inner) === 0 ? more : add(inner, more);
    }
    const place = e.kind === "address-of" ? e.place : undefined;
    const array = place?.kind === "element" ? place.base : place;
    if (place && array && keyOf(array) === beginning.key && sameType((e.type as PointerType).pointee, type.pointee))
      return place.kind === "element" ? convert(place.index, i32) : i32Literal(0, e.span);
    return {
      kind: "binary",
      operator: "sub",
      left: e,
      right: beginning.at(type, e.span),
      type: scalar("i32"),
      span: e.span,
    };
  }

  private distanceOrNowhere(e: Expr, beginning: Beginning, type: PointerType): Expr {
    if (e.kind === "conditional") {
      const [a, b] = [e.whenTrue, e.whenFalse].map((way) => this.distance(way, beginning, type));
      return conditional(e.condition, a!, b!, e.span);
    }
    const from = e.type as PointerType;
    const chosen = (first: Expr, again: Expr): Expr => {
      const by: Expr = {
        ...{ kind: "binary", operator: "sub", left: again, right: beginning.at(type, e.span) },
        ...{ type: scalar("i32"), span: e.span },
      };
      const isNull = binary("eq", first, nullPointer(from, e.span), e.span);
      return conditional(isNull, i32Literal(nowhere, e.span), by, e.span);
    };
    if (isPure(e)) return chosen(e, e);
    const v = this.editor.addLocal("led", from, e.span);
    this.held.push(declare(v.id, undefined, e.span));
    const now = variablePlace(v, e.span);
    return chosen(assign(now, e, e.span), load(now, e.span));
  }
}

type Changing = Expr & { kind: "assign" | "increment" };

const inTurn = "a pointer in workgroup memory that may lead into several objects, set in such a way";

/** Each once. */
const distinct = (list: readonly Beginning[]): readonly Beginning[] =>
  list.filter((b, i) => list.findIndex((other) => other.key === b.key) === i);

function mentions(e: Expr, id: VarId): boolean {
  let found = false;
  walkExpr(e, { place: (p) => void (found ||= p.kind === "variable" && p.variable === id) });
  return found;
}

const isFirst = (p: Place, key: string): boolean =>
  keyOf(p) === key || (p.kind === "element" && literalValue(p.index) === 0 && keyOf(p.base) === key);

/** A pointer, or those of an array. */
const elementsOf = (type: Type): PointerType =>
  type.kind === "array" ? elementsOf(type.element) : (type as PointerType);

/** A variable and the members and elements behind it that the text names. */
function keyOf(p: Place): string | undefined {
  if (p.kind === "variable") return `${p.variable}`;
  if (p.kind === "member") {
    const base = keyOf(p.base);
    return base && `${base}.${p.member}`;
  }
  const index = p.kind === "element" ? literalValue(p.index) : undefined;
  const base = p.kind === "element" && index !== undefined ? keyOf(p.base) : undefined;
  return base && `${base}[${String(index)}]`;
}
