/**
 * DXC's validator refuses what is read where nothing has been written: the padding of a struct that is stored as a whole, the
 * fourth component of a vector of which three are set. C leaves open what is there (C99 6.2.6.1, 6.7.8): local variables that such parts
 * are read of begin as zeros.
 */
import { isOwnText } from "../../ast/lookup.js";
import type { Expr, FunctionDeclaration, FunctionId, Module, Place, Statement, VarId } from "../../ast/nodes.js";
import { rewriteFunction, walkExpr, walkStatement } from "../../ast/walk.js";
import type { StructType, Type } from "../../types/types.js";
import { callersFirst } from "../analysis/flow.js";
import type { TextPass } from "../pass.js";
import { zeroOf } from "./zero.js";

export const unsetParts: TextPass = {
  name: "unset-parts",
  run(module, context) {
    if (isOwnText(module, context.target) || !leavesOpen(module)) return module;
    const known = new Map<FunctionId, Parameters>();
    const members = new Map<string, ReadonlyMap<string, Type>>();
    const unset = new Set<VarId>();
    for (const f of callersFirst(module).reverse()) {
      const flow = new Flow(module, f, known, members);
      known.set(f.id, flow.run());
      for (const v of flow.unset) unset.add(v);
    }
    if (unset.size === 0) return module;
    const statement = (s: Statement): Statement => {
      if (s.kind !== "declare" || !unset.has(s.variable)) return s;
      const zero = zeroOf(module.variables.get(s.variable)!.type, module);
      return zero ? { ...s, initializer: zero } : s;
    };
    return { ...module, functions: module.functions.map((f) => rewriteFunction(f, { statement })) };
  },
};

/** Whether any variable begins without a value. */
function leavesOpen(module: Module): boolean {
  let found = false;
  const statement = (s: Statement): boolean => !found && !(found = s.kind === "declare" && !s.initializer);
  for (const f of module.functions) walkStatement(f.body, { statement });
  return found;
}

/** Scalars of an object, by their paths from it; a matrix is one. */
type Parts = readonly string[];

/** Of each parameter, the parts that the function may write, and those that it reads where nothing in it has written them. */
type Parameters = readonly { readonly written: Parts; readonly read: Parts }[];

/** Objects with more are not looked into. */
const mostParts = 256;

type Selector = { readonly member: string } | { readonly components: readonly number[] } | { readonly index: Expr };

interface Access {
  readonly variable: VarId;
  readonly parts: Parts;
  /** Where it is one of the parts, which an index chooses. */
  readonly any: boolean;
}

interface Accesses {
  readonly reads: readonly Access[];
  readonly writes: readonly Access[];
}

/** Which parts of local variables may have been written, statement by statement. */
class Flow {
  /** Variables of which something is read that nothing has written. */
  readonly unset = new Set<VarId>();
  private readonly written = new Map<VarId, Set<string>>();
  /** What was added to those, in order. */
  private readonly added: { readonly variable: VarId; readonly part: string }[] = [];
  private readonly exposed = new Map<VarId, Set<string>>();
  private readonly parameters: ReadonlySet<VarId>;

  constructor(
    private readonly module: Module,
    private readonly f: FunctionDeclaration,
    private readonly known: ReadonlyMap<FunctionId, Parameters>,
    /** By the names of structs. */
    private readonly members: Map<string, ReadonlyMap<string, Type>>,
  ) {
    this.parameters = new Set(f.parameters);
  }

  run(): Parameters {
    for (const p of this.f.parameters) this.begin(p);
    this.statement(this.f.body);
    return this.f.parameters.map((p) => ({
      written: [...(this.written.get(p) ?? [])],
      read: [...(this.exposed.get(p) ?? [])],
    }));
  }

  private begin(variable: VarId): void {
    if (this.count(this.typeOf(variable)) <= mostParts) this.written.set(variable, new Set());
  }

  private typeOf(variable: VarId): Type {
    return this.module.variables.get(variable)!.type;
  }

  private statement(s: Statement): void {
    switch (s.kind) {
      case "block":
        return s.statements.forEach((c) => this.statement(c));
      case "declare":
        if (!s.initializer) return this.begin(s.variable);
        this.written.delete(s.variable);
        return this.expr(s.initializer);
      case "expression":
        return this.expr(s.expression);
      case "if": {
        this.expr(s.condition);
        const before = this.added.length;
        this.statement(s.then);
        const then = this.added.splice(before);
        for (const { variable, part } of then) this.written.get(variable)?.delete(part);
        if (s.else) this.statement(s.else);
        for (const { variable, part } of then) this.write({ variable, parts: [part] });
        return;
      }
      case "switch":
        this.expr(s.value);
        // Each case may come behind the one before.
        return s.cases.forEach((c) => c.body.forEach((b) => this.statement(b)));
      case "for":
        s.initializer.forEach((i) => this.statement(i));
        return this.loop(s, [s.condition, s.step], s.body);
      case "while":
      case "do-while":
        return this.loop(s, [s.condition], s.body);
      case "return":
        if (s.value) this.expr(s.value);
        return;
      default:
        return;
    }
  }

  private loop(whole: Statement, around: readonly (Expr | undefined)[], body: Statement): void {
    // In the round before.
    walkStatement(whole, { expr: (e) => void this.accesses(e).writes.forEach((w) => this.write(w)) });
    for (const e of around) if (e) this.expr(e);
    this.statement(body);
  }

  /** What an expression reads, then what it writes. */
  private expr(e: Expr): void {
    const all: Accesses[] = [];
    walkExpr(e, { expr: (x) => void all.push(this.accesses(x)) });
    for (const { reads } of all) reads.forEach((r) => this.read(r));
    for (const { writes } of all) writes.forEach((w) => this.write(w));
  }

  /** Of an expression itself, not of its operands. */
  private accesses(e: Expr): Accesses {
    const at = (p: Place): Access[] => this.partsAt(p) ?? [];
    switch (e.kind) {
      case "load":
        return { reads: at(e.place), writes: [] };
      case "assign":
        return { reads: e.operator ? at(e.target) : [], writes: at(e.target) };
      case "increment":
        return { reads: at(e.place), writes: at(e.place) };
      case "op":
        return { reads: [], writes: e.places.flatMap(at) };
      case "call": {
        const parameters = this.known.get(e.function);
        const handed = e.arguments.flatMap((a, i) =>
          a.mode === "value" ? [] : [this.handedOver(a.place, parameters?.[i])],
        );
        return { reads: handed.flatMap((h) => h.reads), writes: handed.flatMap((h) => h.writes) };
      }
      default:
        return { reads: [], writes: [] };
    }
  }

  /** A whole object has the parts that the parameter has. */
  private handedOver(place: Place, parameter: Parameters[number] | undefined): Accesses {
    if (place.kind !== "variable" || !parameter) return { reads: [], writes: this.partsAt(place) ?? [] };
    const { variable } = place;
    return {
      reads: [{ variable, parts: parameter.read, any: false }],
      writes: [{ variable, parts: parameter.written, any: false }],
    };
  }

  private read({ variable, parts, any }: Access): void {
    const written = this.written.get(variable);
    if (!written) return;
    const missing = parts.filter((p) => !written.has(p));
    if (missing.length === 0 || (any && missing.length < parts.length)) return;
    if (!this.parameters.has(variable)) return void this.unset.add(variable);
    const all = this.exposed.get(variable) ?? new Set();
    for (const p of missing) all.add(p);
    this.exposed.set(variable, all);
  }

  private write({ variable, parts }: Pick<Access, "variable" | "parts">): void {
    const written = this.written.get(variable);
    if (!written) return;
    for (const part of parts) {
      if (written.has(part)) continue;
      written.add(part);
      this.added.push({ variable, part });
    }
  }

  /** The parts of a variable that a place has; nothing where it is no variable's. */
  private partsAt(place: Place): Access[] | undefined {
    const selectors: Selector[] = [];
    let p = place;
    for (; p.kind !== "variable"; p = p.base) {
      if (p.kind === "member") selectors.unshift({ member: p.member });
      else if (p.kind === "swizzle") selectors.unshift({ components: p.components });
      else if (p.kind === "element") selectors.unshift({ index: p.index });
      else return undefined;
    }
    if (!this.written.has(p.variable)) return undefined;
    const parts = this.selected(this.typeOf(p.variable), selectors, "");
    return [{ variable: p.variable, parts, any: selectors.some((s) => "index" in s && s.index.kind !== "literal") }];
  }

  /** All of them, where there is no selector; of a union there is one part. */
  private selectedMembers(type: StructType, selector: Selector | undefined): (readonly [string, Type])[] {
    const members = this.membersOf(type);
    if (!selector || !("member" in selector)) return [...members];
    const member = members.get(selector.member);
    return member ? [[selector.member, member]] : [...members];
  }

  private count(type: Type): number {
    switch (type.kind) {
      case "array":
        return (type.length ?? mostParts + 1) * this.count(type.element);
      case "struct":
        return [...this.membersOf(type).values()].reduce((sum, m) => sum + this.count(m), 0);
      case "vector":
        return type.size;
      default:
        return 1;
    }
  }

  private membersOf({ name }: StructType): ReadonlyMap<string, Type> {
    const known = this.members.get(name);
    if (known) return known;
    const { members, union } = this.module.structs.get(name)!;
    const made = new Map((union ? members.slice(0, 1) : members).map((m) => [m.name, m.type]));
    this.members.set(name, made);
    return made;
  }

  private selected(type: Type, [first, ...rest]: readonly Selector[], path: string): string[] {
    const all = (length: number): number[] => Array.from({ length }, (_, i) => i);
    const chosen = (length: number): number[] => {
      if (!first || "member" in first) return all(length);
      if ("components" in first) return [...first.components];
      return first.index.kind === "literal" ? [Number(first.index.value)] : all(length);
    };
    switch (type.kind) {
      case "array":
        return chosen(type.length ?? 0).flatMap((i) => this.selected(type.element, rest, `${path}[${i}]`));
      case "struct":
        return this.selectedMembers(type, first).flatMap(([name, member]) =>
          this.selected(member, rest, `${path}.${name}`),
        );
      case "vector":
        return chosen(type.size).map((i) => `${path}:${i}`);
      default:
        return [path];
    }
  }
}
