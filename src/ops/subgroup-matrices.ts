/**
 * Matrices of 8 by 8 elements that the lanes of a subgroup hold together, in plain code (docs/design/subgroup-matrices.md;
 * MSL 3.1 sections 2.4 and 6.7). The matrix is a struct with an array of the elements that a lane holds. Element (row, column) has the number
 *
 *     bit   5      4         3 2         1 0
 *           row 2  column 2  row 1, 0    column 1, 0
 *
 * and a lane holds 64 / width elements one after the other by that number, at width 32 two of a row, as Apple's GPUs do. MSL leaves
 * it open. In a subgroup of 128 lanes the upper half holds copies, which are not stored.
 */
import {
  assign,
  binary,
  block,
  builtin,
  conditional,
  convert,
  declare,
  element,
  expressionStatement,
  ifStatement,
  increment,
  literalValue,
  load,
  member,
  opCall,
  pointerElement,
  read,
  returnStatement,
  store,
  u32Literal,
  variablePlace,
} from "../ast/builders.js";
import { binaryConstant } from "../ast/constant-values.js";
import type { Expr, Place, Statement, SubgroupMatrixFunction, Variable } from "../ast/nodes.js";
import { noTrivia } from "../ast/nodes.js";
import { noSpan } from "../support/span.js";
import { array, bitWidth, f32, scalar, scalarOf, u32, type ScalarKind, type Type } from "../types/types.js";

const elements = 64;
/** The member with the elements of a lane. */
export const matrixMember = "elements";

/** Elements a lane has room for, where subgroups have at least so many lanes. */
export const heldBy = (least: number): number => Math.max(1, elements / least);

/** What is known of the width of subgroups. */
export interface Lanes {
  readonly width?: number;
  readonly least: number;
}

/** Makes a local variable of the function. */
export type MakeLocal = (name: string, type: Type) => Variable;

/** The name of a matrix type in MSL, and of the struct. */
export const matrixName = (kind: ScalarKind): string =>
  `simdgroup_${{ f16: "half", bf16: "bfloat" }[kind as string] ?? "float"}8x8`;

/** The function in words, for the comment over it. */
export function saysMatrixFunction({ operation }: SubgroupMatrixFunction): string {
  switch (operation) {
    case "fill":
      return "a matrix of 8 by 8, spread over the lanes of a subgroup, with one value everywhere";
    case "diagonal":
      return "a matrix of 8 by 8, spread over the lanes of a subgroup, with a value on the diagonal and zeros";
    case "load":
      return "each lane of a subgroup reads its elements of a matrix of 8 by 8";
    case "store":
      return "each lane of a subgroup writes its elements of a matrix of 8 by 8";
    case "multiply":
    case "product":
      return "a * b, of matrices of 8 by 8 spread over the lanes of a subgroup";
    case "multiply-accumulate":
      return "a * b + c, of matrices of 8 by 8 spread over the lanes of a subgroup";
  }
}

// ------------------------------------------------------------------ arithmetic on u32, done where operands are known

const n = (value: number): Expr => u32Literal(value);
function bin(operator: "add" | "mul" | "and" | "or" | "shl" | "shr" | "div", a: Expr, b: Expr): Expr {
  const [x, y] = [literalValue(a), literalValue(b)];
  if (x !== undefined && y !== undefined) return n(Number(binaryConstant(operator, x, y, "u32")));
  if (y === 0 && operator !== "mul" && operator !== "and") return a;
  if (y === 1 && operator === "mul") return a;
  if (x === 0 && (operator === "add" || operator === "or")) return b;
  return binary(operator, a, b);
}

class Body {
  private readonly before: Statement[] = [];
  /** The lanes that hold different elements, at most 64, and the elements of each. */
  private readonly size: Expr;
  private readonly count: Expr;

  constructor(
    private readonly lanes: Lanes,
    private readonly local: MakeLocal,
  ) {
    const { width } = lanes;
    if (width !== undefined) {
      this.size = n(Math.min(width, elements));
      this.count = n(heldBy(width));
      return;
    }
    const size = builtin("subgroup_size");
    this.size = this.kept("size", conditional(binary("lt", size, n(elements)), size, n(elements)));
    this.count = this.kept("count", bin("div", n(elements), this.size));
  }

  /** The statements, after what they need. */
  with(...statements: readonly Statement[]): readonly Statement[] {
    return [...this.before, ...statements];
  }

  private kept(name: string, value: Expr): Expr {
    const v = this.local(name, value.type);
    this.before.push(declare(v.id, value));
    return load(variablePlace(v));
  }

  /** Elements that a lane has room for. */
  get room(): number {
    return heldBy(this.lanes.least);
  }

  of(matrix: Variable, kind: ScalarKind, index: Expr): Place {
    const type = array(scalar(kind), this.room);
    return element(member(variablePlace(matrix), matrixMember, type), index);
  }

  /** For each element of the lane: `at` is its number, `index` its place in the array. */
  each(body: (index: Expr, at: Expr) => readonly Statement[]): Statement {
    const first = bin("mul", builtin("lane_id"), this.count);
    return this.loop("k", this.count, (k) => this.holding("at", bin("add", first, k), (at) => body(k, at)));
  }

  /** The statements with a local that has the value. */
  holding(name: string, value: Expr, statements: (v: Expr) => readonly Statement[]): readonly Statement[] {
    const v = this.local(name, value.type);
    return [declare(v.id, value), ...statements(read(v))];
  }

  /** The same for each element, with its row and column. */
  eachPlace(body: (index: Expr, at: Expr, row: Expr, column: Expr) => readonly Statement[]): Statement {
    return this.each((k, at) =>
      this.holding("row", rowOf(at), (row) =>
        this.holding("column", columnOf(at), (column) => body(k, at, row, column)),
      ),
    );
  }

  loop(name: string, end: Expr, body: (i: Expr) => readonly Statement[]): Statement {
    if (literalValue(end) === 1) return block(body(n(0)));
    const i = this.local(name, u32);
    return {
      kind: "for",
      initializer: [declare(i.id, n(0))],
      condition: binary("lt", read(i), end),
      step: increment(variablePlace(i), 1, true),
      body: block(body(read(i))),
      span: noSpan,
      trivia: noTrivia,
    };
  }

  /** Whether the subgroup may have lanes whose elements are copies. */
  get hasCopies(): boolean {
    return (this.lanes.width ?? Infinity) > elements;
  }

  /** The element of this number, from the lane that has it; of all lanes the same place in the array. */
  fromLane(matrix: Variable, kind: ScalarKind, at: Expr): Expr {
    const { width } = this.lanes;
    const count = Number(literalValue(this.count) ?? 0);
    const index = count === 1 ? n(0) : bin("and", at, count === 0 ? binary("sub", this.count, n(1)) : n(count - 1));
    const lane =
      width === undefined
        ? bin("shr", bin("mul", at, this.size), n(Math.log2(elements)))
        : bin("shr", at, n(Math.log2(count)));
    const value = convert(load(this.of(matrix, kind, index)), f32);
    return opCall("subgroup.shuffle", [value, lane], f32, noSpan, { precondition: "uniform" });
  }
}

const rowOf = (at: Expr): Expr =>
  bin("or", bin("and", bin("shr", at, n(2)), n(3)), bin("and", bin("shr", at, n(3)), n(4)));
const columnOf = (at: Expr): Expr => bin("or", bin("and", at, n(3)), bin("and", bin("shr", at, n(2)), n(4)));
/** The bits of an element's number that its row has, and those that its column has. */
const rowBits = 0b101100;
const columnBits = 0b010011;
const asRow = (row: Expr): Expr =>
  bin("or", bin("shl", bin("and", row, n(3)), n(2)), bin("shl", bin("and", row, n(4)), n(3)));
const asColumn = (column: Expr): Expr =>
  bin("or", bin("and", column, n(3)), bin("shl", bin("and", column, n(4)), n(2)));

// ------------------------------------------------------------------ the functions

/** What a function is given and gives: each matrix and value with the kind of its elements. */
export interface MatrixOperands {
  readonly operands: readonly Variable[];
  readonly kinds: readonly ScalarKind[];
  /** The matrix that is made; `into`: it is stored there, and else returned. Absent for stores. */
  readonly result?: { readonly type: Type; readonly kind: ScalarKind; readonly into?: Variable };
}

/** The body of a function. */
export function matrixFunction(
  f: SubgroupMatrixFunction,
  { operands, kinds, result }: MatrixOperands,
  lanes: Lanes,
  local: MakeLocal,
): readonly Statement[] {
  const body = new Body(lanes, local);
  if (f.operation === "store") return body.with(moved(body, f, operands.slice(1), operands[0]!, kinds[0]!));
  const { type, kind, into } = result!;
  const m = local("m", type);
  const made =
    f.operation === "load"
      ? moved(body, f, operands, m, kind)
      : computed(body, f.operation, operands, kinds, m, kind, local);
  const all = [declare(m.id), made, into ? store(variablePlace(into), read(m)) : returnStatement(read(m))];
  return f.operation === "fill" ? all : body.with(...all);
}

function computed(
  body: Body,
  operation: Exclude<SubgroupMatrixFunction["operation"], "load" | "store">,
  operands: readonly Variable[],
  kinds: readonly ScalarKind[],
  m: Variable,
  kind: ScalarKind,
  local: MakeLocal,
): Statement {
  if (operation === "fill")
    return body.loop("k", n(body.room), (k) => [store(body.of(m, kind, k), read(operands[0]!))]);
  if (operation === "diagonal") return diagonal(body, operands[0]!, m, kind);
  return multiplied(body, operands, kinds, m, kind, local("sum", f32));
}

function diagonal(body: Body, value: Variable, m: Variable, kind: ScalarKind): Statement {
  const zero: Expr = { kind: "literal", type: scalar(kind), value: 0, span: noSpan };
  return body.eachPlace((k, _at, row, column) => [
    store(body.of(m, kind, k), conditional(binary("eq", row, column), read(value), zero)),
  ]);
}

/** The type that places in memory are computed in: that of an operand with 64 bits, else a signed one among them. */
function indexType(operands: readonly Variable[]): Type {
  const types = operands.map((v) => v.type);
  return types.find((t) => bitWidth(scalarOf(t)!) === 64) ?? types.find((t) => scalarOf(t) === "i32") ?? u32;
}

/** Of memory, element (x, y) is that in column x of row y; the origin is such a place, whether the matrix is transposed or not. */
function moved(
  body: Body,
  f: SubgroupMatrixFunction & { operation: "load" | "store" },
  operands: readonly Variable[],
  matrix: Variable,
  kind: ScalarKind,
): Statement {
  const [pointer, stride, ...rest] = operands;
  const [x, y] = f.origin ? rest : [];
  const transposed = f.transposed === "given" ? read(rest.at(-1)!) : f.transposed;
  const type = indexType([stride!, ...(x && y ? [x, y] : [])]);
  const as = (e: Expr): Expr => convert(e, type);
  const sum = (origin: Variable | undefined, e: Expr): Expr =>
    origin ? binary("add", as(read(origin)), as(e)) : as(e);
  const turned = (a: Expr, b: Expr): Expr =>
    typeof transposed === "boolean" ? (transposed ? b : a) : conditional(transposed, b, a);
  return body.eachPlace((k, at, row, column) => {
    const line = sum(y, turned(row, column));
    const index = binary("add", binary("mul", line, as(read(stride!))), sum(x, turned(column, row)));
    const memory = pointerElement(read(pointer!), index);
    const own = body.of(matrix, kind, k);
    if (f.operation === "load") return [store(own, load(memory))];
    const stored = store(memory, load(own));
    return [body.hasCopies ? ifStatement(binary("lt", at, n(elements)), block([stored])) : stored];
  });
}

/** The products are summed from the first column of `a` on, after `c`, as floats; each element is rounded once to its type. */
function multiplied(
  body: Body,
  [a, b, c]: readonly Variable[],
  [aKind, bKind, cKind]: readonly ScalarKind[],
  m: Variable,
  kind: ScalarKind,
  sum: Variable,
): Statement {
  const zero: Expr = { kind: "literal", type: f32, value: 0, span: noSpan };
  return body.each((k, at) => [
    declare(sum.id, c ? convert(load(body.of(c, cKind!, k)), f32) : zero),
    body.loop("j", n(8), (j) =>
      body.holding("left", bin("or", bin("and", at, n(rowBits)), asColumn(j)), (left) =>
        body.holding("right", bin("or", bin("and", at, n(columnBits)), asRow(j)), (right) => {
          const product = binary("mul", body.fromLane(a!, aKind!, left), body.fromLane(b!, bKind!, right));
          return [expressionStatement(assign(variablePlace(sum), product, noSpan, "add"))];
        }),
      ),
    ),
    store(body.of(m, kind, k), convert(read(sum), scalar(kind))),
  ]);
}
