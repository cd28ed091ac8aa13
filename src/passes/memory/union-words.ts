/** Unions as their words: see lower-unions.ts. */
import {
  assign,
  bitcast,
  construct,
  constantOf,
  declare,
  element,
  expressionStatement,
  functionCall,
  i32Literal,
  literal,
  literalValue,
  load,
  member,
  ModuleEditor,
  returnStatement,
  variablePlace,
} from "../../ast/builders.js";
import {
  noTrivia,
  type Expr,
  type FunctionDeclaration,
  type Module,
  type Place,
  type Statement,
  type StructDeclaration,
  type TopLevel,
  type Variable,
} from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import { bufferLayout } from "../../dialects/languages.js";
import type { Comment } from "../../support/expanded-source.js";
import { NumberedNames } from "../../support/numbered-names.js";
import { noSpan, type Span } from "../../support/span.js";
import { layoutOf, unitOfUnion } from "../../types/layout.js";
import { array, bitWidth, scalar, withLeaves, type ArrayType, type StructType, type Type } from "../../types/types.js";
import type { PassContext } from "../pass.js";

export class Unions {
  private readonly editor: ModuleEditor;
  /** What stands for each union: its words. */
  private readonly words = new Map<string, ArrayType>();
  private readonly helpers = new Map<string, FunctionDeclaration>();
  /** No member of a union has this name. */
  private readonly wordsName: string;

  constructor(
    private readonly module: Module,
    private readonly context: PassContext,
  ) {
    this.editor = new ModuleEditor(module);
    const taken = new Set([...module.structs.values()].flatMap((s) => (s.union ? s.members.map((m) => m.name) : [])));
    this.wordsName = new NumberedNames().free("words", (n) => taken.has(n));
    for (const s of module.structs.values()) {
      if (!s.union) continue;
      const { size, align } = this.layout(s);
      const unit = unitOfUnion(align);
      this.words.set(s.name, array(scalar(unit), size / (bitWidth(unit) / 8)));
    }
  }

  run(): Module {
    const structs = new Map([...this.module.structs].map(([name, s]) => [name, this.declared(s)] as const));
    const rewritten = rewriteModule(this.module, {
      expr: (e) => this.expression(e),
      place: (p) => this.place(p),
    });
    const helpers = [...this.helpers.values()];
    const made = helpers.map((f): TopLevel => ({ kind: "function", function: f.id }));
    const variables = new Map(
      [...this.editor.variables].map(([id, v]) => [id, retyped(rewritten.variables.get(id) ?? v)] as const),
    );
    for (const v of variables.values())
      if (v.initializer && holdsCall(v.initializer))
        this.context.problems.error("XL4006", `${v.name} holds a union that has a value at file scope`, v.span);
    const functions = [...helpers, ...rewritten.functions];
    return {
      ...this.editor.finish({ resources: rewritten.resources }),
      structs,
      variables,
      functions: functions.map((f) => ({ ...f, returnType: plainType(f.returnType) })),
      order: helpers.length === 0 ? rewritten.order : withFunctions(rewritten.order, made),
    };
  }

  private layout(s: StructDeclaration): { readonly size: number; readonly align: number } {
    return layoutOf({ kind: "struct", name: s.name }, bufferLayout(this.module.dialect), this.module.structs);
  }

  private declared({ anonymous: _anonymous, union, ...s }: StructDeclaration): StructDeclaration {
    const members = s.members.map(({ anonymous: _unnamed, ...m }) => ({ ...m, type: plainType(m.type) }));
    const type = this.words.get(s.name);
    if (!union || !type) return { ...s, members };
    const { align } = this.layout({ ...s, members });
    const said = s.members.flatMap((m) => [...m.trivia.leading, ...m.trivia.trailing]);
    const names: Comment = {
      kind: "line",
      text: `// a union: ${s.members.map((m) => m.name).join(", ")}`,
      offset: s.span.start,
      end: s.span.start,
      ownLine: true,
    };
    return {
      ...s,
      ...(align > bitWidth((type.element as Type & { kind: "scalar" }).scalar) / 8 ? { align } : {}),
      members: [{ name: this.wordsName, type, trivia: noTrivia, span: s.span }],
      trivia: { ...s.trivia, leading: [...s.trivia.leading, names, ...said] },
    };
  }

  private wordsOf(type: Type): ArrayType | undefined {
    return type.kind === "struct" ? this.words.get(type.name) : undefined;
  }

  private place(given: Place): Place {
    const p = retyped(given);
    const words = p.kind === "member" && p.member !== this.wordsName ? this.wordsOf(p.base.type) : undefined;
    if (!words || p.kind !== "member") return p;
    return this.view(p.base, words, p.type, p.span);
  }

  private view(whole: Place, words: ArrayType, type: Type, span: Span): Place {
    const base = member(whole, this.wordsName, words, span);
    const offset = literal("u32", 0, span);
    return element({ kind: "view", base, offset, type: array(type, undefined), span }, i32Literal(0, span), span);
  }

  private expression(given: Expr): Expr {
    const e = retyped(given);
    if (e.kind === "member-value" && this.wordsOf(e.operand.type)) {
      const f = this.reader(e.operand.type as StructType, e.member, e.type);
      return functionCall(f.id, [{ mode: "value", value: e.operand }], e.type, e.span);
    }
    const words = e.kind === "construct" ? this.wordsOf(e.type) : undefined;
    return e.kind === "construct" && words ? this.made(e, words) : e;
  }

  /** A union of the value of one member. */
  private made(e: Expr & { kind: "construct" }, words: ArrayType): Expr {
    const [value] = e.arguments as [Expr];
    const zero = constantOf(words.element, 0, e.span);
    const of = (first: Expr | undefined): Expr =>
      construct(
        e.type,
        [
          construct(
            words,
            Array.from({ length: words.length! }, (_, i) => (i === 0 ? (first ?? zero) : zero)),
            e.span,
            true,
          ),
        ],
        e.span,
        true,
      );
    const isWord = value.type.kind === "scalar" && value.type.scalar !== "bool";
    if (isWord && bitWidth(value.type.scalar) === bitWidth(kindOf(words))) {
      const known = literalValue(value);
      return of(
        Object.is(known, 0) || known === 0n || known === false ? undefined : bitcast(value, words.element, e.span),
      );
    }
    if (isZero(value)) return of(undefined);
    const { members } = this.module.structs.get((e.type as StructType).name)!;
    const f = this.maker(e.type as StructType, e.member ?? members[0]!.name, value.type, of(undefined));
    return functionCall(f.id, [{ mode: "value", value }], e.type, e.span);
  }

  private maker(type: StructType, name: string, valueType: Type, zeros: Expr): FunctionDeclaration {
    return this.helper(`${type.name}_of_${name}`, type, "a union made of one member", valueType, (value) => {
      const made = this.editor.addLocal("made", type);
      const place = this.view(variablePlace(made), this.wordsOf(type)!, valueType, noSpan);
      return [
        declare(made.id, zeros),
        expressionStatement(assign(place, load(variablePlace(value)), noSpan), noSpan),
        returnStatement(load(variablePlace(made))),
      ];
    });
  }

  private reader(type: StructType, name: string, result: Type): FunctionDeclaration {
    return this.helper(`${name}_of_${type.name}`, result, "a member of the value of a union", type, (value) => {
      const place = this.view(variablePlace(value), this.wordsOf(type)!, result, noSpan);
      return [returnStatement(load(place))];
    });
  }

  private helper(
    name: string,
    returnType: Type,
    emulates: string,
    type: Type,
    body: (value: Variable) => readonly Statement[],
  ): FunctionDeclaration {
    // By what they do: a union and a member may have each other's names.
    const key = `${emulates}: ${name}`;
    const known = this.helpers.get(key);
    if (known) return known;
    const value = this.editor.addParameter("value", type);
    const made = this.editor.helper({ name, emulates, parameters: [value], returnType, statements: body(value) });
    this.helpers.set(key, made);
    return made;
  }
}

/** Functions after the types they name. */
function withFunctions(order: readonly TopLevel[], made: readonly TopLevel[]): readonly TopLevel[] {
  const last = order.findLastIndex((o) => o.kind === "struct");
  return [...order.slice(0, last + 1), ...made, ...order.slice(last + 1)];
}

const kindOf = (words: ArrayType): "u8" | "u16" | "u32" =>
  (words.element as Type & { kind: "scalar" }).scalar as "u8" | "u16" | "u32";

function isZero(e: Expr): boolean {
  if (e.kind === "literal") return (e.value === 0 && !Object.is(e.value, -0)) || e.value === 0n || e.value === false;
  if (e.kind === "construct") return e.arguments.every(isZero);
  return (e.kind === "splat" || e.kind === "convert") && isZero(e.operand);
}

const holdsCall = (e: Expr): boolean => e.kind === "call" || (e.kind === "construct" && e.arguments.some(holdsCall));

/** The type with structs in the place of unions. */
const plainType = (type: Type): Type =>
  withLeaves(type, (t) => (t.kind === "struct" && t.union ? { kind: "struct", name: t.name } : t));

function retyped<T extends { readonly type: Type }>(x: T): T {
  const type = plainType(x.type);
  return type === x.type ? x : { ...x, type };
}
