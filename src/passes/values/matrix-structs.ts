/**
 * Matrices that the target does not have become structs of their columns (docs/design/matrices.md), when `matrix-operations`
 * has left nothing of them but whole values, columns, and matrices made of columns: `m[c]` is `m.c[c]`. By every rule of layout an
 * array of columns, in a struct or not, lies as the matrix does, so that no buffer changes.
 */
import { construct, element, elementValue, matrixColumns, member, memberValue } from "../../ast/builders.js";
import {
  noTrivia,
  type Expr,
  type Module,
  type Place,
  type StructDeclaration,
  type TopLevel,
  type Variable,
} from "../../ast/nodes.js";
import { rewriteModule, walkModule } from "../../ast/walk.js";
import { NumberedNames } from "../../support/numbered-names.js";
import { noSpan, type Span } from "../../support/span.js";
import { array, shaped, struct, withLeaves, type ArrayType, type MatrixType, type Type } from "../../types/types.js";
import type { TextPass } from "../pass.js";
import { lacksMatrix, mentionsMatrix, typeWord } from "./matrix-operations.js";

/** The member that holds the columns. */
const columnsName = "c";

const columnsType = (type: MatrixType): ArrayType => array(shaped(type.scalar, type.rows), type.columns);

class MatrixStructs {
  private readonly byShape = new Map<string, string>();
  readonly declarations = new Map<string, StructDeclaration>();
  private readonly numbers = new NumberedNames();

  constructor(
    private readonly module: Module,
    private readonly lacks: (type: Type) => type is MatrixType,
  ) {}

  type(type: Type, span: Span = noSpan): Type {
    return withLeaves(type, (t) => (this.lacks(t) ? struct(this.name(t, span)) : t));
  }

  private name(type: MatrixType, span: Span): string {
    const word = typeWord(type);
    const known = this.byShape.get(word);
    if (known !== undefined) return known;
    const name = this.numbers.free(word, (n) => this.module.structs.has(n), `${word}_`);
    this.byShape.set(word, name);
    const members = [{ name: columnsName, type: columnsType(type), trivia: noTrivia, span }];
    this.declarations.set(name, { name, matrix: type, members, span, trivia: noTrivia, innerComments: [] });
    return name;
  }

  /** The columns of what stands for a matrix. */
  columns(type: Type): ArrayType | undefined {
    const made = type.kind === "struct" ? this.declarations.get(type.name) : undefined;
    return made?.members[0]!.type as ArrayType | undefined;
  }

  retyped<T extends { readonly type: Type; readonly span: Span }>(x: T): T {
    const type = this.type(x.type, x.span);
    return type === x.type ? x : { ...x, type };
  }

  place(p: Place): Place {
    const columns = p.kind === "element" ? this.columns(p.base.type) : undefined;
    if (!columns || p.kind !== "element") return this.retyped(p);
    return element(member(p.base, columnsName, columns, p.span), p.index, p.span);
  }

  expression(e: Expr): Expr {
    if (e.kind === "construct" && this.lacks(e.type)) {
      const type = this.type(e.type, e.span);
      return construct(type, [construct(columnsType(e.type), matrixColumns(e), e.span, true)], e.span, true);
    }
    if (e.kind === "element-value") {
      const columns = this.columns(e.operand.type);
      if (columns) return elementValue(memberValue(e.operand, columnsName, columns, e.span), e.index, e.span);
    }
    return this.retyped(e);
  }
}

export const matrixStructs: TextPass = {
  name: "matrix-structs",
  run(module, context) {
    const lacks = lacksMatrix(context.target);
    if (!mentionsMatrix(module, lacks)) return module;
    const made = new MatrixStructs(module, lacks);
    const variables = new Map([...module.variables].map(([id, v]): [number, Variable] => [id, made.retyped(v)]));
    const functions = module.functions.map((f) => {
      const returnType = made.type(f.returnType, f.nameSpan);
      return returnType === f.returnType ? f : { ...f, returnType };
    });
    const structs = [...module.structs.values()].map((s): StructDeclaration => {
      const members = s.members.map((m) => made.retyped(m));
      return members.some((m, i) => m !== s.members[i]) ? { ...s, members } : s;
    });
    walkModule(module, { expr: (e) => void made.type(e.type, e.span), place: (p) => void made.type(p.type, p.span) });
    const declared = new Map([...made.declarations.values(), ...structs].map((s) => [s.name, s] as const));
    const next = rewriteModule(
      { ...module, variables, functions, structs: declared },
      { expr: (e) => made.expression(e), place: (p) => made.place(p) },
    );
    const order = [...made.declarations.keys()].map((name): TopLevel => ({ kind: "struct", name }));
    return { ...next, order: [...order, ...module.order] };
  },
};
