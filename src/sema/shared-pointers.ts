/**
 * Pointers that lie in workgroup memory (`global float *local q`, members of `threadgroup View v`): what one lane sets, all read. Each leads
 * into one array or object, and what lies there is how far from its beginning; a read is that beginning moved so far. Structs have been
 * taken apart before (split-pointer-members.ts).
 */
import {
  addressOf,
  assign,
  binary,
  bitcast,
  conditional,
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
import type { Assign, Expr, FunctionId, Module, Place, Statement, Variable, VarId } from "../ast/nodes.js";
import { isPure, rewriteExpr, rewriteFunction, walkModule, walkStatement, type Rewriter } from "../ast/walk.js";
import { add } from "../ops/trees.js";
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

class SharedPointers {
  private readonly editor: ModuleEditor<Module<"canonical">>;
  /** What each pointer of the module is given, where it is a variable. */
  private readonly values = new Map<VarId, Expr[]>();
  private readonly beginnings = new Map<VarId, Beginning>();
  private readonly nullable = new Set<VarId>();
  private readonly owners = new Map<VarId, FunctionId>();
  /** What declares the distances that are kept in the function that is rewritten, as finding them changes something. */
  private held: Statement[] = [];

  constructor(
    private readonly module: Module<"canonical">,
    private readonly shared: ReadonlySet<VarId>,
    private readonly refuse: Refuse,
  ) {
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

  /** Gives each the one beginning of all that it is given. */
  private settle(): boolean {
    for (const id of this.shared) {
      const v = this.module.variables.get(id)!;
      const found = this.ofVariable(id, new Set());
      if ((this.values.get(id) ?? []).some((e) => this.mayBeNull(e))) this.nullable.add(id);
      const [first, ...others] = found ?? [];
      if (!first) {
        this.refuse(`the pointer '${v.name}' in workgroup memory, of which is not known where it leads, is`, v.span);
        return false;
      }
      const other = others.find((o) => o.key !== first.key);
      if (other) {
        const [a, b] = [first, other].map((o) => this.module.variables.get(o.root)!.name);
        this.refuse(`the pointer '${v.name}' in workgroup memory that leads into '${a}' and '${b}' is`, v.span);
        return false;
      }
      const root = this.module.variables.get(first.root)!;
      if (root.role === "local" && this.owners.get(root.id) !== this.owners.get(id)) {
        this.refuse(`the pointer '${v.name}' in workgroup memory that leads into another function's is`, v.span);
        return false;
      }
      const elements = elementsOf(v.type);
      if (!this.isCounted(first.at(elements, v.span), elements) && !this.isFromBeginning(id, first.key)) {
        const name = this.module.variables.get(first.root)!.name;
        this.refuse(`the pointer '${v.name}' in workgroup memory to what begins anywhere in '${name}' is`, v.span);
        return false;
      }
      this.beginnings.set(id, first);
    }
    return true;
  }

  // ---------------------------------------------------------------- rewriting

  rewritten(): Module<"canonical"> {
    if (!this.settle()) return this.module;
    for (const id of this.shared) {
      const v = this.editor.variables.get(id)!;
      this.editor.setVariable({ ...v, name: `${v.name}_offset`, type: asDistances(v.type) });
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
    const id = rootVariable(p)!;
    if (p.kind === "element") return element(this.distanceAt(p.base), rewriteExpr(p.index, this.rewriter), p.span);
    return { ...variablePlace(this.editor.variables.get(id)!), span: p.span };
  }

  private readonly rewriter: Rewriter = {
    enterStatement: (s) => {
      const e = s.kind === "expression" ? s.expression : undefined;
      if (s.kind !== "expression" || (e?.kind !== "assign" && e?.kind !== "increment")) return undefined;
      const id = this.sharedIn(e.kind === "assign" ? e.target : e.place);
      return id === undefined ? undefined : [{ ...s, expression: this.changed(e, id) }];
    },
    enterExpr: (e) => {
      const place = e.kind === "load" || e.kind === "increment" ? e.place : e.kind === "assign" ? e.target : undefined;
      const id = place && this.sharedIn(place);
      if (id === undefined) return undefined;
      const distance =
        e.kind === "load" ? load(this.distanceAt(e.place), e.span) : this.changed(e as Assign & Expr, id);
      return this.pointer(distance, id, e.type as PointerType, e.span);
    },
    enterPlace: (p) => {
      if (this.sharedIn(p) === undefined) return undefined;
      this.refuse("the address of a pointer in workgroup memory is", p.span);
      return p;
    },
  };

  /** The pointer that is so far from the beginning. */
  private pointer(distance: Expr, id: VarId, type: PointerType, span: Span): Expr {
    const movedBy = (by: Expr): Expr => pointerOffset(this.beginnings.get(id)!.at(type, span), by, span);
    if (!this.nullable.has(id)) return movedBy(distance);
    const chosen = (first: Expr, again: Expr): Expr =>
      conditional(binary("eq", first, i32Literal(nowhere, span), span), nullPointer(type, span), movedBy(again), span);
    if (isPure(distance)) return chosen(distance, distance);
    const v = this.editor.addLocal(`${this.module.variables.get(id)!.name}_now`, i32, span);
    this.held.push(declare(v.id, undefined, span));
    const now = variablePlace(v, span);
    return chosen(assign(now, distance, span), load(now, span));
  }

  /** What changes a distance. */
  private changed(e: Expr & { kind: "assign" | "increment" }, id: VarId): Expr {
    if (e.kind === "increment") return { ...e, place: this.distanceAt(e.place), type: i32 };
    const target = this.distanceAt(e.target);
    const copied = e.operator ? undefined : this.copied(e.value, id);
    if (copied) return { ...e, target, value: copied, type: i32 };
    const value = rewriteExpr(e.value, this.rewriter);
    if (e.operator) {
      return assign(target, convert(value, i32), e.span, e.operator);
    }
    return { ...e, target, value: this.distance(value, this.beginnings.get(id)!, e.type as PointerType), type: i32 };
  }

  /** The distance of another pointer that leads to the same, as it is. */
  private copied(e: Expr, to: VarId): Expr | undefined {
    const from = e.kind === "load" ? this.sharedIn(e.place) : undefined;
    if (e.kind !== "load" || from === undefined) return undefined;
    const [a, b] = [from, to].map((id) => elementsOf(this.module.variables.get(id)!.type));
    const same = this.beginnings.get(from)!.key === this.beginnings.get(to)!.key && sameType(a!.pointee, b!.pointee);
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
