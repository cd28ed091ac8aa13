/** Operations on matrices, written out: see matrix-operations.ts. */
import {
  binary,
  construct,
  convert,
  elementValue,
  i32Literal,
  load,
  matrixColumns,
  ModuleEditor,
  returnStatement,
  splat,
  swizzleValue,
  unary,
  variablePlace,
} from "../../ast/builders.js";
import { ConstantScope, constantTree } from "../../ast/constant-values.js";
import type { Binary, Expr, FunctionDeclaration, Module, OpCall, TopLevel, VarId } from "../../ast/nodes.js";
import { shortName } from "../../ast/op-ids.js";
import { isPure, rewriteExpr, rewriteStatements, walkExpr } from "../../ast/walk.js";
import { cLike, cScalarNames } from "../../dialects/type-names.js";
import { calledIn } from "../../ops/spell.js";
import { row } from "../../ops/table.js";
import { useOf } from "../../ops/use-of.js";
import { prepend } from "../../support/append.js";
import { isNumeric, sameType, shapedLike, type MatrixType, type Type } from "../../types/types.js";
import { Linearizer, type Linear } from "../../ast/linearize.js";
import { helperOf, Lowerings } from "../lowerings/lowering.js";
import type { TextContext } from "../pass.js";
import { assignmentApart } from "./assignments-apart.js";

/** How names of functions and structs say a type: `float4x3`, with the columns first. */
const cWord = cLike(cScalarNames);
export const typeWord = (type: Type): string => (isNumeric(type) ? cWord(type) : type.kind);

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
const column = (m: Expr, c: number): Expr => elementValue(m, i32Literal(c, m.span), m.span);
const columnType = (type: MatrixType): Type => shapedLike(type, type.rows);
/** A matrix of the columns `of` gives. */
const byColumns = (type: MatrixType, of: (c: number) => Expr): Expr => construct(type, range(type.columns).map(of));

export class MatrixOperations {
  private readonly editor: ModuleEditor;
  private readonly lowerings: Lowerings;

  constructor(
    private readonly module: Module,
    private readonly context: TextContext,
    private readonly lacks: (type: Type) => type is MatrixType,
  ) {
    this.editor = new ModuleEditor(module);
    // No operation on matrices asks for lanes.
    this.lowerings = new Lowerings(this.editor, context.target, context.profile, 1, 1);
    this.lowerings.source = module.dialect;
  }

  run(): Module {
    this.initializers();
    const resources = this.module.resources.map((r) =>
      r.defaultValue ? { ...r, defaultValue: this.done(r.defaultValue) } : r,
    );
    const bodies = this.module.functions.map((f) => this.function(f));
    const helpers = this.helpers();
    const order = [
      ...helpers.map((f): TopLevel => ({ kind: "function", function: f.id })),
      ...this.module.order.filter((o) => o.kind !== "constant-macro" || !this.lacks(o.value.type)),
    ];
    return this.editor.finish({ resources, functions: [...helpers, ...bodies], order });
  }

  /** What is constant as its value: no target calls a function in the initialiser of a constant. */
  private initializers(): void {
    const values = new Map<VarId, Expr>();
    const scope = new ConstantScope(values, this.module.structs);
    const tree = (e: Expr): Expr | undefined => {
      const value = scope.valueOf(e);
      return value === undefined ? undefined : constantTree(value, e.type, e, this.module.structs);
    };
    for (const v of this.module.variables.values()) {
      if (!v.initializer) continue;
      if (v.compileTime) values.set(v.id, v.initializer);
      const computes = this.computes(v.initializer);
      const initializer = computes ? (tree(v.initializer) ?? this.done(v.initializer)) : v.initializer;
      if (computes) this.editor.setVariable({ ...v, initializer });
    }
  }

  private computes(e: Expr): boolean {
    let found = false;
    walkExpr(e, { expr: (x) => !(found ||= this.isOperation(x)) });
    return found;
  }

  private function(f: FunctionDeclaration): FunctionDeclaration {
    return new Linearizer(this.editor, (e, discarded, original): Linear | undefined => {
      const apart = this.isAssignmentApart(e) ? assignmentApart(this.editor, e, discarded, original) : undefined;
      if (apart)
        return {
          before: rewriteStatements(apart.before, { expr: (x) => this.operation(x) ?? x }),
          value: this.done(apart.value),
        };
      const value = this.operation(e);
      return value && { before: [], value };
    }).function(f);
  }

  private isAssignmentApart(e: Expr): boolean {
    if (e.kind === "increment") return this.lacks(e.type);
    return (
      e.kind === "assign" && e.operator !== undefined && [e.type, e.compute ?? e.type, e.value.type].some(this.lacks)
    );
  }

  /** With the helpers that helpers call before them. */
  private helpers(): FunctionDeclaration[] {
    const out: FunctionDeclaration[] = [];
    for (let made = this.lowerings.takeHelpers(); made.length > 0; made = this.lowerings.takeHelpers())
      prepend(
        out,
        made.map((h) => this.function(h)),
      );
    return out;
  }

  private done(e: Expr): Expr {
    return rewriteExpr(e, { expr: (x) => this.operation(x) ?? x });
  }

  private isOperation(e: Expr): boolean {
    switch (e.kind) {
      case "binary":
        return this.lacks(e.left.type) || this.lacks(e.right.type);
      case "unary":
        return this.lacks(e.type);
      case "convert":
        return this.lacks(e.type) || this.lacks(e.operand.type);
      case "op":
        return this.lacks(e.type) || e.arguments.some((a) => this.lacks(a.type));
      case "element-value":
        return this.lacks(e.operand.type);
      default:
        return false;
    }
  }

  /** What takes the place of an operation on matrices; undefined for what is none, or stays. */
  private operation(e: Expr): Expr | undefined {
    if (!this.isOperation(e)) return undefined;
    switch (e.kind) {
      case "binary":
        return this.call(e, [e.left, e.right], binaryName(e), binarySays(e), ([l, r]) => binaryByColumns(e, l!, r!));
      case "unary": {
        if (e.operator === "plus") return e.operand;
        const type = e.type as MatrixType;
        const word = e.operator === "negate" ? "negate" : "complement";
        const says = e.operator === "negate" ? "a matrix with its components negated" : "the complement of a matrix";
        return this.call(e, [e.operand], `${word}_${typeWord(type)}`, says, ([m]) =>
          byColumns(type, (c) => unary(e.operator, column(m!, c))),
        );
      }
      case "convert": {
        const type = e.type as MatrixType;
        if (sameType(e.operand.type, type)) return e.operand;
        const name = `${typeWord(e.operand.type)}_to_${typeWord(type)}`;
        return this.call(e, [e.operand], name, "the conversion of a matrix", ([m]) =>
          byColumns(type, (c) => convert(column(m!, c), columnType(type), true)),
        );
      }
      case "op":
        return this.op(e);
      case "element-value": {
        const { operand, index } = e;
        if (operand.kind !== "construct" || index.kind !== "literal" || !isPure(operand)) return undefined;
        return matrixColumns(operand)[Number(index.value)];
      }
      default:
        return undefined;
    }
  }

  private op(e: OpCall): Expr | undefined {
    const { expand, summary } = row(e.op);
    if (expand.kind !== "tree" || e.places.length > 0)
      throw new Error(`${e.op} of matrices is not taken apart by columns`);
    const words = e.arguments.map((a) => typeWord(a.type));
    const unlike = e.arguments.some((a) => !sameType(a.type, e.arguments[0]!.type));
    const name = [shortName(e.op), ...(unlike || e.op === "geometry.outer_product" ? words : words.slice(0, 1))];
    const called = calledIn(this.module.dialect, useOf(e));
    this.context.note("emulated", e.op, `${called} is carried out by expand`, e.span, {
      lowering: "expand",
      cost: "composed",
    });
    return this.call(e, e.arguments, name.join("_"), summary, (args) => expand.build(args, e.type));
  }

  private call(
    e: Expr,
    args: readonly Expr[],
    name: string,
    says: string,
    build: (args: readonly Expr[]) => Expr,
  ): Expr {
    const marks = (e.kind === "binary" && e.contracts ? " contracts" : "") + (e.relies ? ` ${e.relies}` : "");
    return helperOf(
      { arguments: args, type: e.type, span: e.span },
      this.lowerings,
      (_, parameters) => [returnStatement(build(parameters.map((p) => load(variablePlace(p)))))],
      { name, key: name + marks, names: parameterNames(args), says },
    );
  }
}

/** m and n for matrices, v and w for vectors, s for a scalar. */
function parameterNames(args: readonly Expr[]): readonly string[] {
  const names = { matrix: ["m", "n"], vector: ["v", "w"], scalar: ["s"] };
  const used = { matrix: 0, vector: 0, scalar: 0 };
  return args.map(({ type }) => {
    const kind = type.kind === "matrix" || type.kind === "vector" ? type.kind : "scalar";
    return names[kind][used[kind]++] ?? "x";
  });
}

function binaryName({ operator, left, right }: Binary): string {
  const words = [left, right].map((x) => typeWord(x.type));
  return [operator, ...(operator !== "mul" && words[0] === words[1] ? words.slice(0, 1) : words)].join("_");
}

function binarySays({ operator, left, right }: Binary): string {
  const kinds = `${left.type.kind} ${right.type.kind}`;
  if (operator !== "mul")
    return operator === "add" ? "the sum of two matrices" : "an operation on matrices by component";
  if (kinds === "matrix matrix") return "the product of two matrices";
  if (kinds === "matrix vector") return "a matrix times a column vector";
  return kinds === "vector matrix" ? "a row vector times a matrix" : "a matrix times a scalar";
}

/** The operation on its operands' columns. A sum goes along the operands' common side, first to last. */
function binaryByColumns(e: Binary, l: Expr, r: Expr): Expr {
  const made = (operator: Binary["operator"], a: Expr, b: Expr): Expr => ({
    ...binary(operator, a, b, e.span),
    ...(e.relies ? { relies: e.relies } : {}),
    ...(e.contracts ? { contracts: e.contracts } : {}),
  });
  const sum = (terms: readonly Expr[]): Expr => terms.reduce((a, b) => made("add", a, b));
  const [left, right] = [l.type, r.type];
  if (e.operator !== "mul" || left.kind === "scalar" || right.kind === "scalar") {
    const type = e.type as MatrixType;
    const part = (x: Expr, c: number): Expr => (x.type.kind === "scalar" ? splat(x, columnType(type)) : column(x, c));
    return byColumns(type, (c) => made(e.operator, part(l, c), part(r, c)));
  }
  if (left.kind === "matrix" && right.kind === "vector") {
    const side = columnType(left);
    return sum(range(left.columns).map((c) => made("mul", column(l, c), splat(swizzleValue(r, [c]), side))));
  }
  if (left.kind === "vector" && right.kind === "matrix")
    return construct(
      e.type,
      range(right.columns).map((c) =>
        sum(range(right.rows).map((i) => made("mul", swizzleValue(l, [i]), swizzleValue(column(r, c), [i])))),
      ),
    );
  return byColumns(e.type as MatrixType, (c) => made("mul", l, column(r, c)));
}
