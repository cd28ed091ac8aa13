/**
 * Functions of numbers written in TypeScript as WebAssembly that does the same: a number is a double (f32 where `fround` made it,
 * an integer where a bit operation did), a tuple several results. What it has no instructions for is `Unsupported`.
 */
import ts from "typescript";
import { Code, empty, f32, f64, i32, type FunctionBody, type ValueType } from "../../../emitters/wasm/bytes.js";
import { plain, Unsupported, type FunctionNode, type Meaning, type Symbols } from "./symbols.js";
import type { FunctionModule } from "./module.js";

/** How a value is held. */
export type Held = "f64" | "f32" | "s32" | "u32" | "bool";

export const typeOfHeld = (held: Held): ValueType => (held === "f64" ? f64 : held === "f32" ? f32 : i32);

export interface Parameter {
  readonly held: Held;
}
/** What a parameter is given: a value, or a function. */
export type Given = Parameter | Extract<Meaning, { kind: "function" | "math" }>;

const K = ts.SyntaxKind;

const arithmetic: Partial<Record<ts.SyntaxKind, number>> = {
  [K.PlusToken]: 0xa0,
  [K.MinusToken]: 0xa1,
  [K.AsteriskToken]: 0xa2,
  [K.SlashToken]: 0xa3,
};
const bitwise: Partial<Record<ts.SyntaxKind, number>> = {
  [K.AmpersandToken]: 0x71,
  [K.BarToken]: 0x72,
  [K.CaretToken]: 0x73,
  [K.LessThanLessThanToken]: 0x74,
  [K.GreaterThanGreaterThanToken]: 0x75,
  [K.GreaterThanGreaterThanGreaterThanToken]: 0x76,
};
/** Of doubles, of signed and of unsigned integers. */
const comparisons: Partial<Record<ts.SyntaxKind, readonly [number, number, number]>> = {
  [K.EqualsEqualsEqualsToken]: [0x61, 0x46, 0x46],
  [K.ExclamationEqualsEqualsToken]: [0x62, 0x47, 0x47],
  [K.LessThanToken]: [0x63, 0x48, 0x49],
  [K.GreaterThanToken]: [0x64, 0x4a, 0x4b],
  [K.LessThanEqualsToken]: [0x65, 0x4c, 0x4d],
  [K.GreaterThanEqualsToken]: [0x66, 0x4e, 0x4f],
};
const assignments: Partial<Record<ts.SyntaxKind, ts.SyntaxKind>> = {
  [K.PlusEqualsToken]: K.PlusToken,
  [K.MinusEqualsToken]: K.MinusToken,
  [K.AsteriskEqualsToken]: K.AsteriskToken,
  [K.SlashEqualsToken]: K.SlashToken,
  [K.PercentEqualsToken]: K.PercentToken,
};
/** Of one double. */
const mathOps: Readonly<Record<string, number>> = { abs: 0x99, ceil: 0x9b, floor: 0x9c, trunc: 0x9d, sqrt: 0x9f };

const elements = {
  Float64Array: { bytes: 8, load: 0x2b, store: 0x39, held: "f64" },
  Float32Array: { bytes: 4, load: 0x2a, store: 0x38, held: "f32" },
  Int32Array: { bytes: 4, load: 0x28, store: 0x36, held: "s32" },
  Uint32Array: { bytes: 4, load: 0x28, store: 0x36, held: "u32" },
} as const;
export type ElementArray = keyof typeof elements;
export const bytesOfElement = (kind: ElementArray): number => elements[kind].bytes;

interface Variable {
  readonly local: number;
  readonly held: Held;
}

export class FunctionCompiler {
  private readonly code = new Code();
  private readonly locals: ValueType[] = [];
  private readonly variables = new Map<ts.Symbol, Variable>();
  private readonly functions = new Map<ts.Symbol, Extract<Given, { kind: string }>>();
  private readonly parameters: ValueType[] = [];
  readonly results: readonly Held[];

  constructor(
    private readonly module: FunctionModule,
    private readonly symbols: Symbols,
    private readonly node: FunctionNode,
    given: readonly Given[],
  ) {
    const assigned: Parameter[] = [];
    node.parameters.forEach((p, i) => {
      if (!ts.isIdentifier(p.name)) throw new Unsupported(p, "a pattern");
      const symbol = symbols.symbolOf(p.name);
      const g = given[i];
      if (!g) return;
      if ("kind" in g) return void this.functions.set(symbol, g);
      assigned.push(g);
      this.variables.set(symbol, { local: this.parameters.push(typeOfHeld(g.held)) - 1, held: g.held });
    });
    const returned = symbols.typesOf(node);
    this.results =
      returned.length === 1 && !ts.isBlock(node.body!)
        ? [this.heldBy(node.body as ts.Expression)]
        : returned.map((t) => (t === "boolean" ? "bool" : "f64"));
    for (const [symbol, v] of [...this.variables])
      if (v.held !== "f64" && v.held !== "bool") this.widenIfSet(symbol, v);
  }

  /** A parameter that is assigned to holds any number. */
  private widenIfSet(symbol: ts.Symbol, from: Variable): void {
    const body = this.node.body!;
    let set = false;
    const walk = (n: ts.Node): void => {
      if (
        ts.isBinaryExpression(n) &&
        ts.isIdentifier(n.left) &&
        (n.operatorToken.kind === K.EqualsToken || assignments[n.operatorToken.kind] !== undefined)
      )
        set ||= this.symbols.symbolOf(n.left) === symbol;
      n.forEachChild(walk);
    };
    walk(body);
    if (!set) return;
    const local = this.local(f64);
    this.code.get(from.local);
    this.convert(from.held, "f64");
    this.code.set(local);
    this.variables.set(symbol, { local, held: "f64" });
  }

  finish(): FunctionBody {
    const { body } = this.node;
    if (!body) throw new Unsupported(this.node, "a declaration");
    if (ts.isBlock(body)) {
      this.statement(body);
      this.code.op(0x00);
    } else this.values(body);
    return {
      type: { parameters: this.parameters, results: this.results.map(typeOfHeld) },
      locals: this.locals,
      code: this.code,
    };
  }

  private local(type: ValueType): number {
    return this.parameters.length + this.locals.push(type) - 1;
  }

  // ------------------------------------------------------------------ statements

  private statement(s: ts.Statement): void {
    const { code } = this;
    if (ts.isBlock(s)) for (const inner of s.statements) this.statement(inner);
    else if (ts.isVariableStatement(s)) this.declare(s.declarationList);
    else if (ts.isExpressionStatement(s)) this.effect(s.expression);
    else if (ts.isReturnStatement(s)) {
      this.values(s.expression!);
      code.op(0x0f);
    } else if (ts.isIfStatement(s)) {
      this.as(s.expression, "bool");
      code.op(0x04, empty);
      this.statement(s.thenStatement);
      if (s.elseStatement) {
        code.op(0x05);
        this.statement(s.elseStatement);
      }
      code.op(0x0b);
    } else if (ts.isForStatement(s)) {
      if (s.initializer) {
        if (!ts.isVariableDeclarationList(s.initializer)) throw new Unsupported(s, "a loop");
        this.declare(s.initializer);
      }
      this.loop(s.condition, s.statement, s.incrementor);
    } else if (ts.isWhileStatement(s)) this.loop(s.expression, s.statement, undefined);
    else if (ts.isSwitchStatement(s)) this.switch(s);
    else throw new Unsupported(s, "a statement");
  }

  private loop(condition: ts.Expression | undefined, body: ts.Statement, step: ts.Expression | undefined): void {
    const { code } = this;
    code.op(0x02, empty, 0x03, empty);
    if (condition) {
      this.as(condition, "bool");
      code.op(0x45, 0x0d).unsigned(1);
    }
    this.loopBody(body);
    if (step) this.effect(step);
    code.op(0x0c).unsigned(0).op(0x0b, 0x0b);
  }

  /** `if (c) break;` among the statements of a loop leaves it; other places of `break` are not there. */
  private loopBody(body: ts.Statement): void {
    for (const s of ts.isBlock(body) ? body.statements : [body]) {
      if (ts.isIfStatement(s) && ts.isBreakStatement(s.thenStatement) && !s.elseStatement) {
        this.as(s.expression, "bool");
        this.code.op(0x0d).unsigned(1);
      } else this.statement(s);
    }
  }

  /** Each case ends with a return. */
  private switch(s: ts.SwitchStatement): void {
    const { code } = this;
    const held = this.heldBy(s.expression);
    const local = this.local(typeOfHeld(held));
    this.as(s.expression, held);
    code.set(local);
    for (const c of s.caseBlock.clauses) {
      if (ts.isDefaultClause(c)) {
        for (const inner of c.statements) this.statement(inner);
        continue;
      }
      code.get(local);
      this.as(c.expression, held);
      code.op(held === "f64" ? 0x61 : 0x46, 0x04, empty);
      for (const inner of c.statements) this.statement(inner);
      code.op(0x0b);
    }
  }

  private declare(list: ts.VariableDeclarationList): void {
    const constant = (list.flags & ts.NodeFlags.Const) !== 0;
    for (const d of list.declarations) {
      if (ts.isArrayBindingPattern(d.name)) {
        const names = d.name.elements.map((e) => {
          if (!ts.isBindingElement(e) || !ts.isIdentifier(e.name)) throw new Unsupported(d, "a pattern");
          return e.name;
        });
        const types = names.map((n) => this.symbols.typesOf(n)[0]);
        const targets = names.map((n, i) => this.newVariable(n, types[i] === "boolean" ? "bool" : "f64"));
        const held = this.values(d.initializer!);
        targets.reverse().forEach((v, i) => {
          this.convert(held[held.length - 1 - i]!, v.held);
          this.code.set(v.local);
        });
        continue;
      }
      if (!ts.isIdentifier(d.name)) throw new Unsupported(d, "a pattern");
      if (!d.initializer) {
        this.newVariable(d.name, this.symbols.typesOf(d.name)[0] === "boolean" ? "bool" : "f64");
        continue;
      }
      // A function of its own is compiled where it is called.
      if (ts.isArrowFunction(plain(d.initializer))) continue;
      const [type] = this.symbols.typesOf(d.name);
      const held = constant ? this.heldBy(d.initializer) : type === "boolean" ? "bool" : "f64";
      this.as(d.initializer, held);
      this.code.set(this.newVariable(d.name, held).local);
    }
  }

  private newVariable(name: ts.Identifier, held: Held): Variable {
    const v = { local: this.local(typeOfHeld(held)), held };
    this.variables.set(this.symbols.symbolOf(name), v);
    return v;
  }

  /** An expression for what it does. */
  private effect(e: ts.Expression): void {
    if (ts.isPostfixUnaryExpression(e)) {
      const v = this.variable(e.operand);
      this.code
        .get(v.local)
        .f64(1)
        .op(e.operator === K.PlusPlusToken ? 0xa0 : 0xa1)
        .set(v.local);
      return;
    }
    if (!ts.isBinaryExpression(e)) throw new Unsupported(e, "an effect");
    const { left, right, operatorToken } = e;
    if (operatorToken.kind !== K.EqualsToken) {
      const op = assignments[operatorToken.kind];
      if (op === undefined) throw new Unsupported(e, "an effect");
      const v = this.variable(left);
      this.binary(left, op, right);
      this.code.set(v.local);
    } else if (ts.isArrayLiteralExpression(left)) {
      const targets = left.elements.map((x) => this.variable(x));
      const held = this.values(right);
      targets.reverse().forEach((v, i) => {
        this.convert(held[held.length - 1 - i]!, v.held);
        this.code.set(v.local);
      });
    } else if (ts.isElementAccessExpression(left)) {
      const { kind, at } = this.element(left);
      const { store, held } = elements[kind];
      this.as(right, held);
      this.code.memory(store, at);
    } else {
      const v = this.variable(left);
      this.as(right, v.held);
      this.code.set(v.local);
    }
  }

  private variable(e: ts.Expression): Variable {
    const found = ts.isIdentifier(e) ? this.variables.get(this.symbols.symbolOf(e)) : undefined;
    if (!found) throw new Unsupported(e, "a variable");
    return found;
  }

  // ------------------------------------------------------------------ values

  /** All values of an expression, as `results` where it is returned. */
  private values(e: ts.Expression): readonly Held[] {
    const x = plain(e);
    if (ts.isArrayLiteralExpression(x)) {
      for (const part of x.elements) this.as(part, "f64");
      return x.elements.map(() => "f64");
    }
    if (this.symbols.typesOf(x).length > 1) return this.call(x as ts.CallExpression);
    const [result] = this.results;
    this.as(x, result!);
    return [result!];
  }

  private as(e: ts.Expression, held: Held): void {
    const value = this.symbols.constantOf(e);
    if (value !== undefined) return this.constant(value, held);
    const x = plain(e);
    if (ts.isConditionalExpression(x)) return this.conditional(x, held);
    this.convert(this.value(x), held);
  }

  private constant(value: number | boolean, held: Held): void {
    if (held === "f64") this.code.f64(Number(value));
    else if (held === "f32") this.code.f32(Number(value));
    else if (held === "bool") this.code.i32(value ? 1 : 0);
    else this.code.i32(Number(value) | 0);
  }

  private convert(from: Held, to: Held): void {
    const { code } = this;
    if (from === to) return;
    if (from === "f32") code.op(0xbb);
    const double = from === "f32" || from === "f64";
    if (to === "bool") {
      if (!double) return void code.i32(0).op(0x47);
      // Neither zero nor NaN.
      const x = this.local(f64);
      code.op(0x99).tee(x).f64(0).op(0x64);
    } else if (to === "f64" || to === "f32") {
      if (!double) code.op(from === "s32" ? 0xb7 : 0xb8);
      if (to === "f32") code.op(0xb6);
    } else if (double) {
      // Modulo 2^32, exactly; of infinities and NaN 0.
      const x = this.local(f64);
      code
        .tee(x)
        .get(x)
        .f64(2 ** -32)
        .op(0xa2, 0x9d)
        .f64(2 ** 32)
        .op(0xa2, 0xa1, 0xfc, 6, 0xa7);
    }
  }

  /** How the value is held that `value` leaves. */
  private heldBy(e: ts.Expression): Held {
    const value = this.symbols.constantOf(e);
    if (typeof value === "boolean") return "bool";
    if (value !== undefined) return Object.is(value | 0, value) ? "s32" : "f64";
    const x = plain(e);
    if (ts.isIdentifier(x)) return this.variable(x).held;
    if (ts.isConditionalExpression(x)) {
      const [a, b] = [this.heldBy(x.whenTrue), this.heldBy(x.whenFalse)];
      return a === b ? a : "f64";
    }
    if (ts.isPrefixUnaryExpression(x))
      return x.operator === K.ExclamationToken ? "bool" : x.operator === K.TildeToken ? "s32" : "f64";
    if (ts.isBinaryExpression(x)) {
      const op = x.operatorToken.kind;
      if (comparisons[op] || op === K.AmpersandAmpersandToken || op === K.BarBarToken) return "bool";
      if (op === K.GreaterThanGreaterThanGreaterThanToken) return "u32";
      return bitwise[op] ? "s32" : "f64";
    }
    if (ts.isElementAccessExpression(x)) return elements[this.module.array(this.arrayOf(x)).kind].held;
    if (ts.isCallExpression(x)) return this.heldByCall(x);
    throw new Unsupported(x, "an expression");
  }

  private value(x: ts.Expression): Held {
    const { code } = this;
    if (ts.isIdentifier(x)) {
      const v = this.variable(x);
      code.get(v.local);
      return v.held;
    }
    if (ts.isPrefixUnaryExpression(x)) return this.unary(x);
    if (ts.isBinaryExpression(x)) return this.binary(x.left, x.operatorToken.kind, x.right);
    if (ts.isElementAccessExpression(x)) {
      const { kind, at } = this.element(x);
      code.memory(elements[kind].load, at);
      return elements[kind].held;
    }
    if (ts.isCallExpression(x)) {
      const [held, ...more] = this.call(x);
      if (!held || more.length > 0) throw new Unsupported(x, "several values");
      return held;
    }
    throw new Unsupported(x, "an expression");
  }

  private conditional(x: ts.ConditionalExpression, held: Held): void {
    const { code } = this;
    this.as(x.condition, "bool");
    code.op(0x04, typeOfHeld(held));
    this.as(x.whenTrue, held);
    code.op(0x05);
    this.as(x.whenFalse, held);
    code.op(0x0b);
  }

  private unary(x: ts.PrefixUnaryExpression): Held {
    const { code } = this;
    switch (x.operator) {
      case K.ExclamationToken:
        this.as(x.operand, "bool");
        code.op(0x45);
        return "bool";
      case K.MinusToken:
        this.as(x.operand, "f64");
        code.op(0x9a);
        return "f64";
      case K.TildeToken:
        this.as(x.operand, "s32");
        code.i32(-1).op(0x73);
        return "s32";
      default:
        throw new Unsupported(x, "an operator");
    }
  }

  private binary(left: ts.Expression, op: ts.SyntaxKind, right: ts.Expression): Held {
    const { code } = this;
    const number = arithmetic[op];
    if (number !== undefined) {
      this.as(left, "f64");
      this.as(right, "f64");
      code.op(number);
      return "f64";
    }
    if (op === K.PercentToken) {
      this.as(left, "f64");
      this.as(right, "f64");
      code.call(this.module.remainder());
      return "f64";
    }
    const bits = bitwise[op];
    if (bits !== undefined) {
      this.as(left, "s32");
      this.as(right, "s32");
      code.op(bits);
      return op === K.GreaterThanGreaterThanGreaterThanToken ? "u32" : "s32";
    }
    if (op === K.AmpersandAmpersandToken || op === K.BarBarToken) {
      this.as(left, "bool");
      code.op(0x04, i32);
      if (op === K.AmpersandAmpersandToken) this.as(right, "bool");
      else code.i32(1);
      code.op(0x05);
      if (op === K.AmpersandAmpersandToken) code.i32(0);
      else this.as(right, "bool");
      code.op(0x0b);
      return "bool";
    }
    const compare = comparisons[op];
    if (!compare) throw new Unsupported(left.parent, "an operator");
    const [a, b] = [this.heldBy(left), this.heldBy(right)];
    const same = a === b && a !== "f32" ? a : "f64";
    this.as(left, same);
    this.as(right, same);
    code.op(compare[same === "f64" ? 0 : same === "s32" ? 1 : 2]);
    return "bool";
  }

  // ------------------------------------------------------------------ arrays

  private arrayOf(x: ts.ElementAccessExpression): ts.VariableDeclaration {
    const found = this.symbols.meaningOf(x.expression);
    if (found?.kind !== "array") throw new Unsupported(x, "an array");
    return found.declaration;
  }

  /** Leaves the address of an element but for `at`. */
  private element(x: ts.ElementAccessExpression): { readonly kind: ElementArray; readonly at: number } {
    const { kind, at } = this.module.array(this.arrayOf(x));
    const { bytes } = elements[kind];
    const constant = this.symbols.constantOf(x.argumentExpression);
    if (constant !== undefined) {
      this.code.i32(0);
      return { kind, at: at + Number(constant) * bytes };
    }
    this.as(x.argumentExpression, "s32");
    this.code.i32(bytes).op(0x6c);
    return { kind, at };
  }

  // ------------------------------------------------------------------ calls

  private called(x: ts.CallExpression): Meaning | Extract<Given, { kind: string }> {
    const own = ts.isIdentifier(x.expression) ? this.functions.get(this.symbols.symbolOf(x.expression)) : undefined;
    const found = own ?? this.symbols.meaningOf(x.expression);
    if (!found) throw new Unsupported(x, "a call");
    return found;
  }

  private heldByCall(x: ts.CallExpression): Held {
    if (x.expression.getText() === "Object.is") return "bool";
    const f = this.called(x);
    if (f.kind === "math") return f.name === "fround" ? "f32" : ["imul", "clz32"].includes(f.name) ? "s32" : "f64";
    if (f.kind !== "function") throw new Unsupported(x, "a call");
    return this.module.function(f.node, this.given(x, f.node)).results[0]!;
  }

  private given(x: ts.CallExpression, f: FunctionNode): readonly Given[] {
    const given: Given[] = [];
    for (const a of x.arguments) {
      if (ts.isSpreadElement(a)) {
        for (const _ of this.symbols.typesOf(a.expression)) given.push({ held: "f64" });
        continue;
      }
      const own = ts.isIdentifier(a) ? this.functions.get(this.symbols.symbolOf(a)) : undefined;
      const meaning = own ?? this.symbols.meaningOf(a);
      if (meaning?.kind === "function" || meaning?.kind === "math") given.push(meaning);
      else if (this.module.isWritten(f)) given.push({ held: "f64" });
      else if (this.symbols.constantOf(a) !== undefined)
        given.push({ held: this.heldBy(a) === "bool" ? "bool" : "f64" });
      else {
        const held = this.heldBy(a);
        given.push({ held: held === "f32" ? "f64" : held });
      }
    }
    if (given.length !== f.parameters.length) throw new Unsupported(x, "default arguments");
    return given;
  }

  private call(x: ts.CallExpression): readonly Held[] {
    const { code } = this;
    if (x.expression.getText() === "Object.is") return [this.same(x)];
    const f = this.called(x);
    if (f.kind === "math") return [this.math(f.name, x)];
    if (f.kind !== "function") throw new Unsupported(x, "a call");
    const given = this.given(x, f.node);
    let at = 0;
    for (const a of x.arguments) {
      if (ts.isSpreadElement(a)) at += this.values(a.expression).length;
      else {
        const g = given[at++]!;
        if (!("kind" in g)) this.as(a, g.held);
      }
    }
    const { ref, results } = this.module.function(f.node, given);
    code.call(ref);
    return results;
  }

  /** `Object.is(x, -0)`. */
  private same(x: ts.CallExpression): Held {
    const [value, other] = x.arguments as unknown as readonly [ts.Expression, ts.Expression];
    if (!Object.is(this.symbols.constantOf(other), -0)) throw new Unsupported(x, "a call");
    this.as(value, "f64");
    this.code
      .op(0xbd)
      .i64(1n << 63n)
      .op(0x51);
    return "bool";
  }

  private math(name: string, x: ts.CallExpression): Held {
    const { code } = this;
    const args = x.arguments;
    const op = mathOps[name];
    if (op !== undefined) {
      this.as(args[0]!, "f64");
      code.op(op);
      return "f64";
    }
    switch (name) {
      case "fround":
        this.as(args[0]!, "f32");
        return "f32";
      case "imul":
        this.as(args[0]!, "s32");
        this.as(args[1]!, "s32");
        code.op(0x6c);
        return "s32";
      case "clz32":
        this.as(args[0]!, "s32");
        code.op(0x67);
        return "s32";
      case "min":
      case "max":
        if (args.length !== 2) throw new Unsupported(x, "a call");
        for (const a of args) this.as(a, "f64");
        code.op(name === "min" ? 0xa4 : 0xa5);
        return "f64";
      default:
        throw new Unsupported(x, "a call");
    }
  }
}
