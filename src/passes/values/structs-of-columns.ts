/** The structs that matrices become: see matrix-structs.ts. */
import { construct, element, elementValue, matrixColumns, member, memberValue } from "../../ast/builders.js";
import { noTrivia, type Expr, type Module, type Place, type StructDeclaration } from "../../ast/nodes.js";
import { NumberedNames } from "../../support/numbered-names.js";
import { noSpan, type Span } from "../../support/span.js";
import { array, shaped, struct, withLeaves, type ArrayType, type MatrixType, type Type } from "../../types/types.js";
import { typeWord } from "./matrix-arithmetic.js";

/** The member that holds the columns. */
const columnsName = "c";

const columnsType = (type: MatrixType): ArrayType => array(shaped(type.scalar, type.rows), type.columns);

export class MatrixStructs {
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
