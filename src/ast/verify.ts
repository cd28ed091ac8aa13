/**
 * Whether a tree keeps what `nodes.ts` and `target.ts` promise of it: every name declared before its use, every node of the
 * type its parts give it, places where places are wanted, jumps where they lead somewhere. Passes are run with this between
 * them in tests and by `LegalizeOptions.verifyTrees`: a broken tree is found at the pass that broke it, not at the printer.
 *
 * The walk is written for both trees; what a tree may not hold at all its type says already.
 */
import { assertNever } from "../support/assert-never.js";
import {
  bitWidth,
  componentCount,
  isInteger,
  sameType,
  scalarOf,
  shaped,
  showType,
  type Type,
} from "../types/types.js";
import type {
  Argument,
  Expr,
  FunctionDeclaration,
  Module,
  OpCall,
  Place,
  Print,
  Stage,
  Statement,
  Variable,
  VarId,
} from "./nodes.js";

type AnyExpr = Expr<Stage>;
type AnyPlace = Place<Stage>;
type AnyStatement = Statement<Stage>;

export interface VerifyOptions {
  /** Whether the table has this op for these operands: what is wrong, undefined where nothing is. */
  readonly op?: (e: OpCall<Stage>) => string | undefined;
}

/** What is wrong with the tree, a sentence each; at most `most`. */
export function verifyTree(module: Module<Stage>, options: VerifyOptions = {}, most = 20): readonly string[] {
  const verifier = new TreeVerifier(module, options);
  verifier.run();
  return verifier.problems.slice(0, most);
}

class TreeVerifier {
  readonly problems: string[] = [];
  private readonly functions: ReadonlyMap<number, FunctionDeclaration<Stage>>;
  /** Variables that can be named here: globals and resources, then parameters and what is declared on the way. */
  private visible = new Set<VarId>();
  private f: FunctionDeclaration<Stage> | undefined;
  private loops = 0;
  private switches = 0;

  constructor(
    private readonly module: Module<Stage>,
    private readonly options: VerifyOptions,
  ) {
    this.functions = new Map(module.functions.map((f) => [f.id, f]));
  }

  private wrong(message: string): void {
    this.problems.push(`${this.f ? `in ${this.f.name}: ` : ""}${message}`);
  }

  private expect(holds: boolean, message: () => string): void {
    if (!holds) this.wrong(message());
  }

  run(): void {
    const { module } = this;
    const global = new Set<VarId>();
    for (const v of module.variables.values()) {
      // Workgroup memory that a kernel declares in its body belongs to the workgroup: lowered pointers name it from helpers.
      if (v.role === "global" || v.role === "resource" || v.space === "workgroup") global.add(v.id);
      this.expect(
        v.id < module.nextVariable,
        () => `${v.name} has the id ${v.id}, and the next is ${module.nextVariable}`,
      );
    }
    for (const r of module.resources) global.add(r.variable);
    for (const list of module.legal?.builtinParameters.values() ?? []) for (const b of list) global.add(b.variable);
    this.visible = global;
    for (const v of module.variables.values()) {
      if (!v.initializer) continue;
      this.expr(v.initializer);
      this.same(v.initializer.type, v.type, () => `the initialiser of ${v.name}`);
    }
    for (const r of module.resources) if (r.defaultValue) this.expr(r.defaultValue);
    const ids = new Set<number>();
    for (const f of module.functions) {
      this.expect(!ids.has(f.id), () => `two functions have the id ${f.id}`);
      ids.add(f.id);
      this.function(f, global);
    }
    for (const e of module.entries) this.expect(ids.has(e.function), () => `entry ${e.name} has no function`);
    for (const item of module.order)
      if (item.kind === "function")
        this.expect(ids.has(item.function), () => `function ${item.function} is in the order and not in the module`);
  }

  private function(f: FunctionDeclaration<Stage>, global: ReadonlySet<VarId>): void {
    this.f = f;
    this.visible = new Set(global);
    for (const p of f.parameters) {
      const v = this.variable(p);
      if (v) this.expect(v.role === "parameter", () => `parameter ${v.name} is a ${v.role}`);
      this.visible.add(p);
    }
    this.statement(f.body);
    this.f = undefined;
  }

  private variable(id: VarId): Variable<Stage> | undefined {
    const v = this.module.variables.get(id);
    if (!v) this.wrong(`variable ${id} is not in the module`);
    return v;
  }

  private same(given: Type, wanted: Type, what: () => string): void {
    this.expect(sameType(given, wanted), () => `${what()} is ${showType(given)}, not ${showType(wanted)}`);
  }

  // ---------------------------------------------------------------- statements

  private scope(run: () => void): void {
    const outer = this.visible;
    this.visible = new Set(outer);
    run();
    this.visible = outer;
  }

  private statement(s: AnyStatement): void {
    switch (s.kind) {
      case "block":
        return this.scope(() => s.statements.forEach((x) => this.statement(x)));
      case "declare": {
        const v = this.variable(s.variable);
        if (s.initializer) {
          this.expr(s.initializer);
          if (v) this.same(s.initializer.type, v.type, () => `the initialiser of ${v.name}`);
        }
        if (v) this.expect(v.role === "local", () => `${v.name} is declared in a body and is a ${v.role}`);
        this.visible.add(s.variable);
        return;
      }
      case "expression":
        return this.expr(s.expression);
      case "if":
        this.condition(s.condition);
        this.scope(() => this.statement(s.then));
        if (s.else) this.scope(() => this.statement(s.else!));
        return;
      case "switch":
        this.expr(s.value);
        this.expect(isIntegerScalar(s.value.type), () => `a switch on ${showType(s.value.type)}`);
        this.switches++;
        // The cases share a scope: what one declares another may name.
        this.scope(() => {
          for (const c of s.cases) {
            for (const l of c.labels) {
              if (l === "default") continue;
              this.expr(l);
              const constant = l.kind === "convert" ? l.operand : l;
              this.expect(
                constant.kind === "literal" || constant.kind === "enumerator",
                () => `a label is a ${constant.kind}`,
              );
              this.same(l.type, s.value.type, () => "a label");
            }
            c.body.forEach((x) => this.statement(x));
          }
        });
        this.switches--;
        return;
      case "for":
        return this.scope(() => {
          s.initializer.forEach((x) => this.statement(x));
          if (s.condition) this.condition(s.condition);
          if (s.step) this.expr(s.step);
          this.loop(s.body);
        });
      case "while":
        this.condition(s.condition);
        return this.loop(s.body);
      case "do-while":
        this.loop(s.body);
        return this.condition(s.condition);
      case "break":
        return this.expect(this.loops + this.switches > 0, () => "a break leads nowhere");
      case "continue":
        return this.expect(this.loops > 0, () => "a continue leads nowhere");
      case "return": {
        const wanted = this.f!.returnType;
        if (s.value) {
          this.expr(s.value);
          this.same(s.value.type, wanted, () => "what is returned");
        } else this.expect(wanted.kind === "void", () => `nothing is returned where ${showType(wanted)} is wanted`);
        return;
      }
      case "barrier":
      case "native-barrier":
        return;
      default:
        return assertNever(s);
    }
  }

  private loop(body: AnyStatement): void {
    this.loops++;
    this.scope(() => this.statement(body));
    this.loops--;
  }

  private condition(e: AnyExpr): void {
    this.expr(e);
    this.same(e.type, { kind: "scalar", scalar: "bool" }, () => "a condition");
  }

  // ---------------------------------------------------------------- places

  private place(p: AnyPlace): void {
    switch (p.kind) {
      case "variable": {
        const v = this.variable(p.variable);
        if (!v) return;
        this.expect(this.visible.has(p.variable), () => `${v.name} is named where it is not declared`);
        return this.same(p.type, v.type, () => `the place ${v.name}`);
      }
      case "deref":
        this.expr(p.pointer);
        if (p.pointer.type.kind !== "pointer") return this.wrong(`${showType(p.pointer.type)} is dereferenced`);
        return this.same(p.type, p.pointer.type.pointee, () => "what is pointed to");
      case "element": {
        this.place(p.base);
        this.expr(p.index);
        this.expect(isIntegerScalar(p.index.type), () => `an index is ${showType(p.index.type)}`);
        // An object as an array of one: what is run has such places where a pointer may be null.
        if (sameType(p.type, p.base.type)) return;
        const part = elementOf(p.base.type);
        if (!part) return this.wrong(`${showType(p.base.type)} has no elements`);
        return this.same(p.type, part, () => `an element of ${showType(p.base.type)}`);
      }
      case "member":
        this.place(p.base);
        return this.member(p.base.type, p.member, p.type);
      case "swizzle":
        this.place(p.base);
        return this.components(p.base.type, p.components, p.type);
      case "view":
        this.place(p.base);
        this.expr(p.offset);
        this.expect(p.base.kind === "variable" || p.base.kind === "member", () => "a view of a part");
        return this.expect(
          /^[iu]32$/.test(scalarOf(p.offset.type) ?? ""),
          () => `the start of a view is ${showType(p.offset.type)}`,
        );
      case "raw-word":
        this.expr(p.address);
        return this.expect(isIntegerScalar(p.address.type), () => `an address is ${showType(p.address.type)}`);
      default:
        return assertNever(p);
    }
  }

  private member(base: Type, name: string, type: Type): void {
    const struct = base.kind === "struct" ? this.module.structs.get(base.name) : undefined;
    const member = struct?.members.find((m) => m.name === name);
    if (!member) return this.wrong(`${showType(base)} has no member ${name}`);
    if (base.kind === "struct")
      this.expect(base.union === struct?.union, () => `${name} is a member of a union or not`);
    this.same(type, member.type, () => `member ${name}`);
  }

  private components(base: Type, components: readonly number[], type: Type): void {
    if (base.kind !== "vector") return this.wrong(`components of ${showType(base)} are named`);
    this.expect(
      components.every((c) => c >= 0 && c < base.size),
      () => `component ${Math.max(...components)} of ${showType(base)}`,
    );
    this.same(type, shaped(base.scalar, components.length), () => `components of ${showType(base)}`);
  }

  // ---------------------------------------------------------------- expressions

  private expr(e: AnyExpr): void {
    this.expect(e.span.end >= e.span.start, () => `the ${e.kind} stands from ${e.span.start} to ${e.span.end}`);
    switch (e.kind) {
      case "literal":
        return this.expect(
          typeof e.value === "boolean" ? e.type.scalar === "bool" : e.type.scalar !== "bool",
          () => `the literal ${String(e.value)} is ${showType(e.type)}`,
        );
      case "enumerator":
        return this.expect(this.module.enums[e.enum] !== undefined, () => `${e.name} is of no enumeration`);
      case "builtin":
        return;
      case "length":
        this.place(e.place);
        return this.expect(e.place.type.kind === "array", () => `the length of ${showType(e.place.type)} is asked for`);
      case "load":
        this.place(e.place);
        return this.same(e.type, e.place.type, () => "a load");
      case "unary":
      case "binary":
      case "logical":
      case "conditional":
      case "convert":
      case "bitcast":
      case "splat":
        return this.operation(e);
      case "construct":
        return this.construct(e.type, e.arguments, e.member);
      case "print":
        return this.print(e.format, e.arguments);
      case "swizzle-value":
        this.expr(e.operand);
        return this.components(e.operand.type, e.components, e.type);
      case "element-value": {
        this.expr(e.operand);
        this.expr(e.index);
        const part = elementOf(e.operand.type);
        if (!part) return this.wrong(`${showType(e.operand.type)} has no elements`);
        return this.same(e.type, part, () => `an element of ${showType(e.operand.type)}`);
      }
      case "member-value":
        this.expr(e.operand);
        return this.member(e.operand.type, e.member, e.type);
      case "op": {
        e.arguments.forEach((a) => this.expr(a));
        e.places.forEach((p) => this.place(p));
        const problem = this.options.op?.(e);
        if (problem !== undefined) this.wrong(problem);
        return;
      }
      case "native-call":
        e.arguments.forEach((a) => this.expr(a));
        e.places.forEach((p) => this.place(p));
        for (const o of e.spelling.kind === "call" ? e.spelling.operands : e.spelling.pieces) {
          if (typeof o === "string" || o.kind === "text") continue;
          const list: readonly unknown[] = o.kind === "value" ? e.arguments : e.places;
          this.expect(
            list[o.index] !== undefined,
            () => `a native call is spelled with operand ${o.index} and has ${list.length}`,
          );
        }
        return;
      case "call":
        return this.call(e.function, e.arguments, e.type);
      case "assign": {
        this.place(e.target);
        this.expr(e.value);
        if (!e.operator) this.same(e.value.type, e.target.type, () => "what is assigned");
        return this.same(e.type, e.target.type, () => "an assignment");
      }
      case "increment":
        this.place(e.place);
        return this.same(e.type, e.place.type, () => "an increment");
      case "comma":
        this.expr(e.left);
        this.expr(e.right);
        return this.same(e.type, e.right.type, () => "a comma");
      case "address-of":
        this.place(e.place);
        if (e.type.kind !== "pointer") return this.wrong(`an address is ${showType(e.type)}`);
        return this.same(e.place.type, e.type.pointee, () => "what an address is taken of");
      case "null-pointer":
        return this.expect(e.type.kind === "pointer", () => `a null pointer is ${showType(e.type)}`);
      case "pointer-offset":
        this.expr(e.pointer);
        this.expr(e.offset);
        this.expect(isIntegerScalar(e.offset.type), () => `an offset is ${showType(e.offset.type)}`);
        return this.same(e.type, e.pointer.type, () => "a pointer moved on");
      case "raw-load":
        return this.expr(e.address);
      case "raw-store":
        this.expr(e.address);
        return this.expr(e.value);
      default:
        return assertNever(e);
    }
  }

  private print(format: Print["format"], given: readonly AnyExpr[]): void {
    given.forEach((a) => this.expr(a));
    const taken = format.filter((p) => typeof p !== "string").length;
    this.expect(taken <= given.length, () => `a print of ${taken} conversions has ${given.length} arguments`);
  }

  private operation(
    e: AnyExpr & { readonly kind: "unary" | "binary" | "logical" | "conditional" | "convert" | "bitcast" | "splat" },
  ): void {
    switch (e.kind) {
      case "unary":
        this.expr(e.operand);
        if (e.operator === "not")
          this.expect(scalarOf(e.operand.type) === "bool", () => `not of ${showType(e.operand.type)}`);
        return this.same(e.type, e.operand.type, () => e.operator);
      case "binary":
        return this.binary(e);
      case "logical":
        this.condition(e.left);
        this.condition(e.right);
        return this.same(e.type, { kind: "scalar", scalar: "bool" }, () => e.operator);
      case "conditional":
        this.condition(e.condition);
        this.expr(e.whenTrue);
        this.expr(e.whenFalse);
        this.same(e.whenTrue.type, e.type, () => "the first arm of ?:");
        return this.same(e.whenFalse.type, e.type, () => "the second arm of ?:");
      case "convert": {
        this.expr(e.operand);
        const shapes = [componentCount(e.operand.type), componentCount(e.type)];
        const matrices = e.operand.type.kind === "matrix" && e.type.kind === "matrix";
        return this.expect(
          matrices || (shapes[0] !== undefined && shapes[0] === shapes[1]),
          () => `${showType(e.operand.type)} is converted to ${showType(e.type)}`,
        );
      }
      case "bitcast":
        this.expr(e.operand);
        return this.expect(
          (e.type.kind === "pointer") === (e.operand.type.kind === "pointer") ||
            (e.operand.type.kind === "pointer" && scalarOf(e.type) !== undefined && bitWidth(scalarOf(e.type)!) === 64),
          () => `${showType(e.operand.type)} is taken as ${showType(e.type)}`,
        );
      case "splat":
        this.expr(e.operand);
        return this.expect(
          e.operand.type.kind === "scalar" && e.type.kind === "vector" && e.type.scalar === e.operand.type.scalar,
          () => `${showType(e.operand.type)} is splatted to ${showType(e.type)}`,
        );
    }
  }

  private binary(e: AnyExpr & { readonly kind: "binary" }): void {
    this.expr(e.left);
    this.expr(e.right);
    const [l, r] = [e.left.type, e.right.type];
    const shown = (): string => `${showType(l)} ${e.operator} ${showType(r)}`;
    if (l.kind === "pointer" || r.kind === "pointer") return;
    if (e.operator === "shl" || e.operator === "shr") {
      const kind = scalarOf(r);
      this.expect(
        kind !== undefined && isInteger(kind) && componentCount(l) === componentCount(r),
        () => `${shown()}: the count`,
      );
      return this.same(e.type, l, shown);
    }
    if (e.operator === "mul" && (l.kind === "matrix" || r.kind === "matrix")) return;
    this.expect(sameType(l, r), () => `${shown()}: operands of two types`);
    const comparison = ["eq", "ne", "lt", "le", "gt", "ge"].includes(e.operator);
    if (!comparison) return this.same(e.type, l, shown);
    const size = componentCount(l);
    if (size !== undefined) this.same(e.type, shaped("bool", size), shown);
  }

  private construct(type: Type, args: readonly AnyExpr[], member?: string): void {
    args.forEach((a) => this.expr(a));
    const what = (): string => `${showType(type)} is made of ${args.map((a) => showType(a.type)).join(", ")}`;
    switch (type.kind) {
      case "vector": {
        const count = args.reduce((n, a) => n + (componentCount(a.type) ?? Number.NaN), 0);
        return this.expect(count === type.size && args.every((a) => scalarOf(a.type) === type.scalar), what);
      }
      case "array":
        return args.forEach((a) => this.same(a.type, type.element, what));
      case "struct": {
        const members = this.module.structs.get(type.name)?.members;
        if (!members) return this.wrong(`struct ${type.name} is not in the module`);
        if (this.module.structs.get(type.name)?.union) {
          const given = members.find((m) => m.name === (member ?? members[0]!.name));
          if (!given || args.length !== 1) return this.wrong(what());
          return this.same(args[0]!.type, given.type, what);
        }
        return args.forEach((a, i) => (members[i] ? this.same(a.type, members[i].type, what) : this.wrong(what())));
      }
      case "matrix":
        return this.expect(
          args.every((a) => scalarOf(a.type) === type.scalar),
          what,
        );
      default:
        return this.wrong(what());
    }
  }

  private call(id: number, args: readonly Argument<Stage>[], type: Type): void {
    const f = this.functions.get(id);
    args.forEach((a) => (a.mode === "value" ? this.expr(a.value) : this.place(a.place)));
    if (!f) return this.wrong(`function ${id} is called and not in the module`);
    this.same(type, f.returnType, () => `a call of ${f.name}`);
    if (args.length !== f.parameters.length)
      return this.wrong(`${f.name} is called with ${args.length} arguments, and has ${f.parameters.length} parameters`);
    args.forEach((a, i) => {
      const v = this.module.variables.get(f.parameters[i]!);
      if (!v) return;
      const given = a.mode === "value" ? a.value.type : a.place.type;
      // What is said of its elements may be said of fewer: an array is handed over by its first element.
      if (v.type.kind === "array" && given.kind === "array")
        this.same(given.element, v.type.element, () => `argument ${v.name} of ${f.name}`);
      else this.same(given, v.type, () => `argument ${v.name} of ${f.name}`);
      const wanted = v.mode === "in" || v.mode === undefined ? "value" : v.mode;
      this.expect(
        a.mode === wanted,
        () => `argument ${v.name} of ${f.name} is handed over as ${a.mode}, not ${wanted}`,
      );
    });
  }
}

const isIntegerScalar = (t: Type): boolean => t.kind === "scalar" && isInteger(t.scalar);

function elementOf(type: Type): Type | undefined {
  switch (type.kind) {
    case "array":
      return type.element;
    case "vector":
      return { kind: "scalar", scalar: type.scalar };
    case "matrix":
      return shaped(type.scalar, type.rows);
    default:
      return undefined;
  }
}
