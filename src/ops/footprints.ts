/**
 * What evaluating an expression reads and writes, and whether two expressions meet: one changes what the other uses.
 * Only then does it matter which of them comes first.
 */
import { literalValue, rootVariable } from "../ast/builders.js";
import type {
  Argument,
  Expr,
  FunctionCall,
  FunctionDeclaration,
  FunctionId,
  Module,
  Place,
  Statement,
  Variable,
  VarId,
} from "../ast/nodes.js";
import type { AddressSpace } from "../types/types.js";
import { walkExpr, walkPlace, walkStatement, type Visitor } from "../ast/walk.js";
import { append } from "../support/append.js";
import { opWrites } from "./effects.js";

/** A place, a variable as a whole, or what a pointer leads to. */
interface Touched {
  /** Undefined of a variable as a whole. */
  readonly place?: Place | undefined;
  /** Undefined of what a pointer leads to. */
  readonly root: VarId | undefined;
  /** The memory it lies in, where pointers may lead to it. */
  readonly memory: AddressSpace | undefined;
  /** What finds it, so that it may be any object of that memory; a reference, none of the function's own. */
  readonly led?: "pointer" | "reference" | undefined;
  /** A variable of the function, which no reference that it is given leads to. */
  readonly own?: boolean;
}

export interface Footprint {
  readonly reads: Touched[];
  readonly writes: Touched[];
  /** Calls a function whose body is not known: it may do anything. */
  anything: boolean;
}

/** What footprints are taken of. A function without declaration is one whose body is still to come. */
export interface FootprintSource {
  readonly declaration: (id: FunctionId) => FunctionDeclaration | undefined;
  readonly variable: (id: VarId) => Variable;
  /** Whether the address of a local variable is taken somewhere. Without it, of any. */
  readonly addressed?: (id: VarId) => boolean;
}

/** Of the functions and variables of a module. */
export function footprintsOf(module: Module): Footprints {
  const declarations = new Map(module.functions.map((f) => [f.id, f]));
  let addressed: ReadonlySet<VarId> | undefined;
  return new Footprints({
    declaration: (id) => declarations.get(id),
    variable: (id) => module.variables.get(id)!,
    addressed: (id) => (addressed ??= addressedIn(module)).has(id),
  });
}

function addressedIn(module: Module): ReadonlySet<VarId> {
  const found = new Set<VarId>();
  for (const f of module.functions)
    walkStatement(f.body, {
      place: (p, use) => {
        const root = use === "address" ? rootVariable(p) : undefined;
        if (root !== undefined) found.add(root);
      },
    });
  return found;
}

const ledTo = (memory: AddressSpace): Touched => ({ root: undefined, memory, led: "pointer" });

/** The memory that the pointer leads into by which a place is found. */
function spaceLedTo(p: Place): AddressSpace {
  if (p.kind === "variable") throw new Error("broken tree: a variable is found by no pointer");
  if (p.kind !== "deref") return spaceLedTo(p.base);
  const { type } = p.pointer;
  if (type.kind !== "pointer") throw new Error("broken tree: no pointer is followed");
  return type.space;
}

const empty = (): Footprint => ({ reads: [], writes: [], anything: false });

/** Whether running both in one order may give something else than in the other. */
export function meet(a: Footprint, b: Footprint): boolean {
  const touches = (x: Footprint): boolean => x.anything || x.reads.length > 0 || x.writes.length > 0;
  if ((a.anything && touches(b)) || (b.anything && touches(a))) return true;
  return disturbs(a, b) || disturbs(b, a);
}

/** Whether `a` changes what `b` uses. */
function disturbs(a: Footprint, b: Footprint): boolean {
  return a.writes.some((w) => b.reads.some((r) => mayOverlap(w, r)) || b.writes.some((x) => mayOverlap(w, x)));
}

function mayOverlap(a: Touched, b: Touched): boolean {
  if (a.root !== undefined && a.root === b.root) return !a.place || !b.place || mayBeOnePlace(a.place, b.place);
  if (a.root === undefined && b.root === undefined) return true;
  return a.memory !== undefined && a.memory === b.memory && (leadsTo(a, b) || leadsTo(b, a));
}

const leadsTo = (a: Touched, b: Touched): boolean => a.led === "pointer" || (a.led === "reference" && !b.own);

/** Whether two places may have a part in common: not different variables, members, components, or elements known by number. */
export function mayBeOnePlace(a: Place, b: Place): boolean {
  if (rootVariable(a) !== rootVariable(b)) return false;
  const steps = (p: Place): Place[] => (p.kind === "variable" || p.kind === "deref" ? [] : [...steps(p.base), p]);
  const [x, y] = [steps(a), steps(b)];
  return x.every((s, i) => y[i] === undefined || !apart(s, y[i]));
}

function apart(a: Place, b: Place): boolean {
  if (a.kind === "member" && b.kind === "member")
    return a.member !== b.member && !(a.base.type.kind === "struct" && a.base.type.union);
  const [x, y] = [partsOf(a), partsOf(b)];
  return x !== undefined && y !== undefined && !x.some((n) => y.includes(n));
}

/** The numbers of the elements or components that a step takes, where they are known. */
function partsOf(p: Place): readonly number[] | undefined {
  if (p.kind === "swizzle") return p.components;
  const index = p.kind === "element" ? literalValue(p.index) : undefined;
  return index === undefined ? undefined : [Number(index)];
}

export class Footprints {
  /** Globals and memory, by the declaration: sema may read a function twice. */
  private readonly functions = new WeakMap<FunctionDeclaration, Footprint>();
  private readonly written = new WeakMap<FunctionDeclaration, ReadonlySet<VarId>>();

  constructor(private readonly source: FootprintSource) {}

  /** Whether running `a` may change what lies at the place, wherever that is found. */
  changesAt(a: Footprint, p: Place): boolean {
    const at = this.touched(p);
    return a.anything || a.writes.some((w) => mayOverlap(w, at));
  }

  private touched(p: Place): Touched {
    const root = rootVariable(p);
    return root === undefined ? ledTo(spaceLedTo(p)) : { ...this.variable(root), place: p };
  }

  private variable(id: VarId): Touched {
    const { role, mode, space } = this.source.variable(id);
    if (mode === "ref") return { root: id, memory: space, led: "reference" };
    const own = role === "local" || role === "parameter";
    const reached = !own || (this.source.addressed?.(id) ?? true);
    return { root: id, memory: reached ? space : undefined, own };
  }

  of(e: Expr): Footprint {
    const found = empty();
    walkExpr(e, this.visitor(found));
    return found;
  }

  /** Reading what lies at a place: finding it, and the object. */
  ofReading(p: Place): Footprint {
    const found = empty();
    walkPlace(p, this.visitor(found), "read");
    return found;
  }

  /** What finding a place evaluates: its indices and pointers. */
  ofFinding(p: Place): Footprint {
    const found = empty();
    this.find(p, this.visitor(found));
    return found;
  }

  /** Of an argument: its value, or finding its place and what the callee is handed there. */
  ofArgument(a: Argument): Footprint {
    if (a.mode === "value") return this.of(a.value);
    return a.mode === "out" ? this.ofFinding(a.place) : this.ofReading(a.place);
  }

  /** Nodes that change something. */
  effects(e: Expr): Expr[] {
    const found: Expr[] = [];
    walkExpr(e, { expr: (x) => void (this.isEffect(x) && found.push(x)) });
    return found;
  }

  private isEffect(x: Expr): boolean {
    if (x.kind === "assign" || x.kind === "increment") return true;
    if (x.kind === "op") return opWrites(x);
    if (x.kind !== "call") return false;
    const { anything, writes } = this.ofFunction(x.function);
    return anything || writes.length > 0 || x.arguments.some((a) => a.mode !== "value");
  }

  /** Whether there is such a node, `known` from the ones asked before: each is looked at once. */
  hasEffects(e: Expr, known: WeakMap<Expr, boolean>): boolean {
    const before = known.get(e);
    if (before !== undefined) return before;
    let some = this.isEffect(e);
    walkExpr(e, {
      expr: (x) => {
        if (x === e) return true;
        if (this.hasEffects(x, known)) some = true;
        return false;
      },
    });
    known.set(e, some);
    return some;
  }

  /** Whether evaluating the expression changes something. */
  changes(e: Expr): boolean {
    const { writes, anything } = this.of(e);
    return anything || writes.length > 0;
  }

  private visitor(found: Footprint): Visitor {
    const visitor: Visitor = {
      place: (p, use) => {
        this.touch(found, p, use);
        this.find(p, visitor);
        return false;
      },
      expr: (e) => {
        if (walkedAsRead(e, visitor)) return false;
        if (e.kind !== "call") return true;
        add(found, this.ofFunction(e.function));
        e.arguments.forEach((a, i) => this.walkArgument(e, a, i, visitor));
        return false;
      },
    };
    return visitor;
  }

  /** What the function does not write is read: a reference to const, or what is copied in and out. */
  private walkArgument(e: FunctionCall, a: Argument, i: number, visitor: Visitor): void {
    if (a.mode === "value") return walkExpr(a.value, visitor);
    const parameter = this.source.declaration(e.function)?.parameters[i];
    const readOnly =
      parameter !== undefined &&
      ((a.mode === "ref" && this.source.variable(parameter).constant) ||
        (a.mode !== "out" && !this.writtenParameters(e.function).has(parameter)));
    walkPlace(a.place, visitor, readOnly ? "read" : a.mode === "out" ? "write" : "both");
  }

  /** The parameters that a function's body may write. */
  private writtenParameters(id: FunctionId): ReadonlySet<VarId> {
    const f = this.source.declaration(id)!;
    const known = this.written.get(f);
    if (known) return known;
    const found = new Set<VarId>();
    this.written.set(f, found);
    const visitor: Visitor = {
      place: (p, use) => {
        const root = rootVariable(p);
        if (use !== "read" && root !== undefined) found.add(root);
        this.find(p, visitor);
        return false;
      },
      expr: (e) => {
        if (walkedAsRead(e, visitor)) return false;
        if (e.kind !== "call") return true;
        e.arguments.forEach((a, i) => this.walkArgument(e, a, i, visitor));
        return false;
      },
    };
    walkStatement(f.body, visitor);
    return found;
  }

  private find(p: Place, visitor: Visitor): void {
    if (p.kind === "variable") return;
    if (p.kind === "deref") return walkExpr(p.pointer, visitor);
    this.find(p.base, visitor);
    if (p.kind === "element") walkExpr(p.index, visitor);
  }

  /** What an address is handed to may do both. */
  private touch(found: Footprint, p: Place, use: "read" | "write" | "both" | "address"): void {
    const object = this.touched(p);
    if (use !== "write") found.reads.push(object);
    if (use !== "read") found.writes.push(object);
  }

  /** Globals and memory that a function touches. */
  private ofFunction(id: FunctionId): Footprint {
    const f = this.source.declaration(id);
    if (!f) return { ...empty(), anything: true };
    const known = this.functions.get(f);
    if (known) return known;
    const found = empty();
    this.functions.set(f, found);
    const mine = new Set<VarId>(f.parameters);
    walkStatement(f.body, { statement: (s: Statement) => void (s.kind === "declare" && mine.add(s.variable)) });
    // Those of functions are whole variables.
    const [reads, writes] = [new Map<VarId | AddressSpace, Touched>(), new Map<VarId | AddressSpace, Touched>()];
    const put = (to: typeof reads, t: Touched): void => void to.set(t.root ?? t.memory!, t);
    const visitor: Visitor = {
      place: (p, use) => {
        if (p.kind !== "deref" && (p.kind !== "variable" || mine.has(p.variable))) return;
        const object = p.kind === "deref" ? this.touched(p) : this.variable(p.variable);
        if (use !== "write") put(reads, object);
        if (use !== "read") put(writes, object);
      },
      expr: (e) => {
        if (walkedAsRead(e, visitor)) return false;
        if (e.kind !== "call") return true;
        const inner = this.ofFunction(e.function);
        if (inner.anything) found.anything = true;
        inner.reads.forEach((o) => put(reads, o));
        inner.writes.forEach((o) => put(writes, o));
        return true;
      },
    };
    walkStatement(f.body, visitor);
    append(found.reads, reads.values());
    append(found.writes, writes.values());
    return found;
  }
}

/** An operation that writes none of its places reads them. */
function walkedAsRead(e: Expr, visitor: Visitor): boolean {
  if (e.kind !== "op" || e.places.length === 0 || opWrites(e)) return false;
  e.places.forEach((p) => walkPlace(p, visitor, "read"));
  e.arguments.forEach((a) => walkExpr(a, visitor));
  return true;
}

function add(to: Footprint, from: Footprint): void {
  append(to.reads, from.reads);
  append(to.writes, from.writes);
  if (from.anything) to.anything = true;
}
