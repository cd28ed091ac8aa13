/** Places and expressions of the text form of trees. */
import { noSpan } from "../../support/span.js";
import {
  bool,
  eventType,
  i32,
  pointer,
  shapedLike,
  u32,
  type AddressSpace,
  type ScalarKind,
  type Type,
} from "../../types/types.js";
import { binary, builtin, elementType, literal } from "../builders.js";
import type {
  Argument,
  BuiltinId,
  EnumDeclaration,
  Expr,
  FunctionId,
  MemoryOrder,
  MemoryScope,
  OpCall,
  Place,
  Print,
  Stage,
  StructDeclaration,
  Unary,
  Variable,
  VarId,
} from "../nodes.js";
import { opId } from "../op-ids.js";
import { operatorOfToken } from "../operators.js";
import type { Spelling } from "../target.js";
import { plain, pointedFrom, readType, Scanner, spaces, typeFrom } from "./scanner.js";

type AnyExpr = Expr<Stage>;
type AnyPlace = Place<Stage>;
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const unaryOperator: Readonly<Record<string, Unary["operator"]>> = {
  "-": "negate",
  "!": "not",
  "~": "complement",
  "+": "plus",
};
const relied = ["value", "offset", "count", "edges", "shift", "minimum", "block", "index"] as const;
const number =
  /(-?(?:inf_|nan_|\d+(?:\.\d+)?(?:e[-+]?\d+)?))(min)?(i8|u8|i16|u16|i32|u32|i64|u64|f16|bf16|f32|f64|event)\b/y;
const operators = /(?:<<|>>|==|!=|<=|>=|[-+*/%&|^<>])/y;
const compound = /(?:<<|>>|[-+*/%&|^])?=(?!=)/y;

/** What stands before the name of a variable. */
export type VariableFacts = Pick<Variable, "space" | "volatile" | "restrict" | "precise"> & { readonly atomic?: true };

export class ExpressionReader {
  protected readonly s: Scanner;
  protected readonly structs = new Map<string, StructDeclaration>();
  protected readonly enums: EnumDeclaration[] = [];
  protected readonly variables = new Map<VarId, Variable<Stage>>();
  /** Those that legalization declares with atomic types. */
  protected readonly atomics = new Set<VarId>();
  /** By name with its number. */
  protected readonly fileNames = new Map<string, Variable<Stage>>();
  protected readonly localNames = new Map<string, Variable<Stage>>();
  protected readonly headers = new Map<string, { readonly id: FunctionId; readonly returnType: Type }>();

  constructor(text: string) {
    this.s = new Scanner(text);
  }

  /** With operators that need no parentheses here. */
  protected open(): AnyExpr {
    const { s } = this;
    const sign = /(\+\+|--|[!~+]|-(?!\d|inf_)|&(?=\s*(?:global|workgroup|private|constant)\b))/y;
    const prefix = s.match(sign)?.[1];
    if (prefix === "++" || prefix === "--") {
      const place = this.place();
      return {
        kind: "increment",
        place,
        delta: prefix === "++" ? 1 : -1,
        prefix: true,
        type: place.type,
        span: noSpan,
      };
    }
    if (prefix === "&") return this.address();
    if (prefix) {
      const operand = this.expr();
      return { kind: "unary", operator: unaryOperator[prefix]!, operand, type: operand.type, span: noSpan };
    }
    return this.infix(this.expr());
  }

  private address(): AnyExpr {
    const space = this.s.word(spaces);
    const readOnly = this.s.take("const");
    const pointed = pointedFrom(this.s);
    const place = this.place();
    return { kind: "address-of", place, type: { ...pointer(place.type, space, readOnly), ...pointed }, span: noSpan };
  }

  private infix(left: AnyExpr): AnyExpr {
    const { s } = this;
    const assigned = s.match(compound)?.[0];
    if (assigned) {
      const target = this.placeOf(left);
      const operator = operatorOfToken[assigned.slice(0, -1)];
      const value = this.open();
      const compute = s.take("in") ? this.type() : undefined;
      return {
        kind: "assign",
        target,
        value,
        ...(operator ? { operator } : {}),
        ...(compute ? { compute } : {}),
        type: target.type,
        span: noSpan,
      };
    }
    if (s.take("++") || s.take("--")) {
      const place = this.placeOf(left);
      return {
        kind: "increment",
        place,
        delta: s.text[s.at - 1] === "+" ? 1 : -1,
        prefix: false,
        type: place.type,
        span: noSpan,
      };
    }
    if (s.take("+>"))
      return { kind: "pointer-offset", pointer: left, offset: this.expr(), type: left.type, span: noSpan };
    const lazy = s.one(["&&", "||"]);
    if (lazy) {
      const right = this.expr();
      return {
        kind: "logical",
        operator: lazy === "&&" ? "and" : "or",
        left,
        right,
        type: bool,
        grouped: false,
        span: noSpan,
      };
    }
    if (s.take("?")) {
      const whenTrue = this.expr();
      s.must(":");
      const whenFalse = this.expr();
      return { kind: "conditional", condition: left, whenTrue, whenFalse, type: whenTrue.type, span: noSpan };
    }
    const token = s.match(operators)?.[0];
    return token ? this.binary(token, left, this.expr()) : left;
  }

  private binary(token: string, left: AnyExpr, right: AnyExpr): AnyExpr {
    const operator = operatorOfToken[token]!;
    // The builder is written for the canonical tree, and looks at types alone.
    const node = binary(operator, left as Expr, right as Expr);
    const type = operator === "sub" && left.type.kind === "pointer" ? i32 : node.type;
    return { ...node, type, grouped: false } as AnyExpr;
  }

  protected expr(): AnyExpr {
    return this.marks(this.unmarked());
  }

  private marks(e: AnyExpr): AnyExpr {
    const { s } = this;
    let marked = e;
    for (;;) {
      if (s.text[s.at] !== "'") return marked;
      s.at++;
      if (s.take("made")) {
        const { grouped: _grouped, ...rest } = marked as AnyExpr & { grouped?: boolean };
        marked = rest;
        continue;
      }
      if (s.take("contracts")) {
        marked = { ...marked, contracts: true } as AnyExpr;
        continue;
      }
      if (s.take("text:")) {
        if (marked.kind === "literal") marked = { ...marked, text: s.match(/[\w.+]+(?:(?<=[eEpP])-\w+)?/y)![0] };
        continue;
      }
      if (s.take("macro:")) {
        marked = { ...marked, macro: { name: plain(s.name()) } };
        continue;
      }
      const moved = s.take("moved:") ? { moved: true as const } : undefined;
      if (moved ?? s.take("within:")) {
        const [, list, end] = s.match(/(\d+\+\d+(?:,\d+\+\d+)*)(\+)?/y)!;
        const objects = list!.split(",").map((o) => o.split("+").map(Number) as [number, number]);
        marked = { ...marked, within: { objects, ...(end ? { end: true } : {}), ...moved } };
        continue;
      }
      marked = { ...marked, relies: s.word(relied) };
    }
  }

  private unmarked(): AnyExpr {
    const found = this.primary();
    return "expr" in found ? found.expr : { kind: "load", place: found.place, type: found.place.type, span: noSpan };
  }

  protected place(): AnyPlace {
    const found = this.primary();
    return "place" in found ? found.place : this.s.fail("a place is wanted");
  }

  private placeOf(e: AnyExpr): AnyPlace {
    return e.kind === "load" ? e.place : this.s.fail("a place is wanted on the left");
  }

  /** A place or a value, with what is taken out of it. */
  private primary(): { readonly place: AnyPlace } | { readonly expr: AnyExpr } {
    const { s } = this;
    if (s.take("(")) {
      if (s.take("*")) {
        const pointer = this.expr();
        s.must(")");
        const type = pointer.type.kind === "pointer" ? pointer.type.pointee : s.fail("a pointer is wanted");
        return { place: this.placePostfix({ kind: "deref", pointer, type, span: noSpan }) };
      }
      let e = this.open();
      if (s.take(",")) {
        const right = this.open();
        e = { kind: "comma", left: e, right, type: right.type, span: noSpan };
      }
      s.must(")");
      return { expr: this.valuePostfix(e) };
    }
    const digits = s.match(number);
    if (digits) return { expr: readLiteral(digits[1]!, digits[2] !== undefined, digits[3] as ScalarKind | "event") };
    if (s.take("@")) return { expr: this.valuePostfix(builtin(this.builtinId())) };
    const called = this.called();
    if (called) return { expr: this.valuePostfix(called) };
    if (s.take("raw(")) return this.rawAccess();
    if (s.take("view<")) return { place: this.placePostfix(this.view()) };
    const named = s.name();
    if (s.text[s.at] === "(") return { expr: this.valuePostfix(this.call(named)) };
    const v = this.variable(named);
    return { place: this.placePostfix({ kind: "variable", variable: v.id, type: v.type, span: noSpan }) };
  }

  private view(): AnyPlace {
    const { s } = this;
    const type = this.type();
    s.must(">");
    s.must("(");
    const base = this.place();
    s.must(",");
    const offset = this.open() as Expr;
    s.must(")");
    return { kind: "view", base: base as Place, offset, type, span: noSpan };
  }

  private rawAccess(): { readonly place: AnyPlace } | { readonly expr: AnyExpr } {
    const { s } = this;
    const buffer = this.variable(s.name()).id;
    s.must("[");
    const address = this.open();
    s.must("]");
    if (s.take(")")) return { place: { kind: "raw-word", buffer, address, type: u32, span: noSpan } };
    s.must(",");
    const words = s.integer();
    s.must(",");
    const value = this.open();
    s.must(")");
    return { expr: { kind: "raw-store", buffer, address, value, words, type: { kind: "void" }, span: noSpan } };
  }

  /** Forms with a word of their own, and ops. */
  private called(): AnyExpr | undefined {
    const { s } = this;
    if (s.take("true")) return literal("bool", true);
    if (s.take("false")) return literal("bool", false);
    const typed = s.match(/(to!?|splat!?|bits!?|make|null|native|raw)<|([a-z][a-z0-9_]*\.[a-z0-9_]+)</y);
    if (typed) {
      const type = this.type();
      s.must(">");
      return typed[2] === undefined ? this.typed(typed[1]!, type) : this.op(typed[2], type);
    }
    if (s.take("print")) {
      const format = s.json<Print["format"]>();
      return { kind: "print", format, arguments: this.operands().arguments, type: { kind: "void" }, span: noSpan };
    }
    if (s.take("length(")) {
      const place = this.place();
      s.must(")");
      return { kind: "length", place, type: u32, span: noSpan };
    }
    if (s.take("enum(")) {
      const index = s.integer();
      s.must(".");
      const named = plain(s.name());
      s.must(")");
      const of = this.enums[index] ?? s.fail("there is no such enum");
      const found = of.enumerators.find((x) => x.name === named) ?? s.fail("there is no such enumerator");
      return { kind: "enumerator", enum: index, name: named, value: found.value, type: of.type, span: noSpan };
    }
    return undefined;
  }

  private typed(word: string, type: Type): AnyExpr {
    const { s } = this;
    if (word === "null") return { kind: "null-pointer", type, span: noSpan };
    if (word === "native") {
      const { requires, ...spelling } = s.json<Spelling & { requires: string[] }>((key, value) =>
        (key === "type" || key === "result") && typeof value === "string" ? readType(value) : value,
      );
      return { kind: "native-call", spelling, requires, ...this.operands(), type, span: noSpan };
    }
    if (word === "make") {
      const member = s.take("[") ? plain(s.name()) : undefined;
      if (member !== undefined) s.must("]");
      const given = member === undefined ? {} : { member };
      return { kind: "construct", arguments: this.operands().arguments, ...given, type, span: noSpan };
    }
    s.must("(");
    if (word === "raw") {
      const buffer = this.variable(s.name()).id;
      s.must("[");
      const address = this.open();
      s.must("]");
      s.must(")");
      return { kind: "raw-load", buffer, address, words: type.kind === "vector" ? type.size : 1, type, span: noSpan };
    }
    const operand = this.open();
    s.must(")");
    if (word.startsWith("bits"))
      return { kind: "bitcast", operand, type, ...(word === "bits!" ? { volatile: true as const } : {}), span: noSpan };
    return {
      kind: word.startsWith("to") ? "convert" : "splat",
      operand,
      explicit: word.endsWith("!"),
      type,
      span: noSpan,
    };
  }

  private op(id: string, type: Type): AnyExpr {
    const { s } = this;
    const facts: Mutable<
      Partial<Pick<OpCall, "order" | "failureOrder" | "scope" | "memory" | "precondition" | "plainly">>
    > = {};
    if (s.take("[")) {
      while (!s.take("]")) {
        if (s.take("order=")) facts.order = s.match(/\w+/y)![0] as MemoryOrder;
        else if (s.take("failure=")) facts.failureOrder = s.match(/\w+/y)![0] as MemoryOrder;
        else if (s.take("scope=")) facts.scope = s.match(/\w+/y)![0] as MemoryScope;
        else if (s.take("memory=")) {
          const letters = s.match(/\w+/y)![0];
          const has = (letter: string): boolean => letters !== "none" && letters.includes(letter);
          facts.memory = { workgroup: has("w"), global: has("g"), image: has("i") };
        } else if (s.take("plainly")) facts.plainly = true;
        else {
          s.must("precondition=");
          facts.precondition = s.word(["uniform-operands", "uniform"]);
        }
      }
    }
    return { kind: "op", op: opId(id), ...this.operands(), type, span: noSpan, ...facts };
  }

  /** In parentheses: places behind `&`, then values. */
  private operands(): { readonly places: readonly AnyPlace[]; readonly arguments: readonly AnyExpr[] } {
    const { s } = this;
    const places: AnyPlace[] = [];
    const values: AnyExpr[] = [];
    s.must("(");
    while (!s.take(")")) {
      if (s.match(/&(?!\s*(?:global|workgroup|private|constant)\b)/y)) places.push(this.place());
      else values.push(this.open());
      s.take(",");
    }
    return { places, arguments: values };
  }

  private call(named: string): AnyExpr {
    const { s } = this;
    const { id, returnType } = this.header(named);
    const args: Argument<Stage>[] = [];
    s.must("(");
    while (!s.take(")")) {
      const mode = s.one(["inout", "out", "ref"]);
      args.push(mode ? { mode, place: this.place() } : { mode: "value", value: this.open() });
      s.take(",");
    }
    return { kind: "call", function: id, arguments: args, type: returnType, span: noSpan };
  }

  private placePostfix(place: AnyPlace): AnyPlace {
    const { s } = this;
    for (let p = place; ;) {
      if (s.text[s.at] === "[") {
        s.at++;
        const index = this.open();
        s.must("]");
        p = { kind: "element", base: p, index, type: elementType(p.type), span: noSpan };
      } else if (s.text[s.at] === ".") {
        s.at++;
        if (p.type.kind === "vector") {
          const components = this.components();
          p = { kind: "swizzle", base: p, components, type: shapedLike(p.type, components.length), span: noSpan };
        } else {
          const member = plain(s.name());
          p = { kind: "member", base: p, member, type: this.memberType(p.type, member), span: noSpan };
        }
      } else return p;
    }
  }

  private valuePostfix(value: AnyExpr): AnyExpr {
    const { s } = this;
    for (let e = value; ;) {
      if (s.text[s.at] === "[") {
        s.at++;
        const index = this.open();
        s.must("]");
        e = { kind: "element-value", operand: e, index, type: elementType(e.type), span: noSpan };
      } else if (s.text[s.at] === ".") {
        s.at++;
        if (e.type.kind === "vector") {
          const components = this.components();
          e = {
            kind: "swizzle-value",
            operand: e,
            components,
            type: shapedLike(e.type, components.length),
            span: noSpan,
          };
        } else {
          const member = plain(s.name());
          e = { kind: "member-value", operand: e, member, type: this.memberType(e.type, member), span: noSpan };
        }
      } else return e;
    }
  }

  private components(): number[] {
    const { s } = this;
    const text = s.match(/[xyzw]+|s[0-9a-f]+/y)?.[0] ?? s.fail("components are wanted");
    return text.startsWith("s")
      ? [...text.slice(1)].map((c) => Number.parseInt(c, 16))
      : [...text].map((c) => "xyzw".indexOf(c));
  }

  private memberType(type: Type, member: string): Type {
    const found =
      type.kind === "struct" ? this.structs.get(type.name)?.members.find((m) => m.name === member) : undefined;
    return found?.type ?? this.s.fail(`there is no member ${member}`);
  }

  // ---------------------------------------------------------------- names and types

  protected facts(usual: AddressSpace): VariableFacts {
    const { s } = this;
    const facts: Mutable<VariableFacts> = { space: usual };
    for (;;) {
      const word = s.one([...spaces, "volatile", "restrict", "precise", "atomic"] as const);
      if (!word) return facts;
      if (word === "volatile" || word === "restrict" || word === "precise" || word === "atomic") facts[word] = true;
      else facts.space = word;
    }
  }

  protected add(
    named: string,
    { atomic, ...facts }: Omit<Variable<Stage>, "id" | "name" | "span"> & Pick<VariableFacts, "atomic">,
    to: Map<string, Variable<Stage>>,
  ): Variable<Stage> {
    if (to.has(named)) this.s.fail(`${named} is declared twice`);
    const variable = { id: this.variables.size, name: plain(named), span: noSpan, ...facts };
    this.variables.set(variable.id, variable);
    if (atomic) this.atomics.add(variable.id);
    to.set(named, variable);
    return variable;
  }

  protected variable(named: string): Variable<Stage> {
    return this.localNames.get(named) ?? this.fileNames.get(named) ?? this.s.fail(`${named} is not declared`);
  }

  protected header(named: string): { readonly id: FunctionId; readonly returnType: Type } {
    return this.headers.get(named) ?? this.s.fail(`there is no function ${named}`);
  }

  protected builtinId(): BuiltinId {
    return this.s.match(/[a-z_]+/y)![0] as BuiltinId;
  }

  protected type(): Type {
    return typeFrom(this.s);
  }
}

function readLiteral(digits: string, minimum: boolean, kind: ScalarKind | "event"): AnyExpr {
  if (kind === "event") return { ...literal("u32", Number(digits)), type: eventType };
  const special: Readonly<Record<string, number>> = { inf_: Infinity, "-inf_": -Infinity, nan_: Number.NaN };
  const wide = kind === "i64" || kind === "u64";
  const made = literal(kind, wide ? BigInt(digits) : (special[digits] ?? Number(digits)));
  return minimum ? { ...made, type: { ...made.type, minimum } } : made;
}
