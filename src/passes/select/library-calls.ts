/** Calls of library functions that the target has: of matrices that the lanes of a subgroup hold together (MSL 3.1 section 6.7). */
import { literalValue } from "../../ast/builders.js";
import type { Expr, FunctionCall, FunctionDeclaration, Place, Stage, SubgroupMatrixFunction } from "../../ast/nodes.js";
import { precedence } from "../../ast/operators.js";
import type { NativeCall, Operand } from "../../ast/target.js";

type Pieces = readonly (string | Operand)[];

type LibraryFunction = Pick<FunctionDeclaration, "name"> & { readonly library: SubgroupMatrixFunction };
type TypeText = (type: Expr["type"]) => string;

export function libraryCall(e: FunctionCall<Stage>, f: LibraryFunction, typeText: TypeText): NativeCall<Stage> {
  const values: Expr<Stage>[] = [];
  const places: Place<Stage>[] = [];
  const operands = e.arguments.map((a): Operand => {
    if (a.mode === "value") return { kind: "value", index: values.push(a.value) - 1, type: a.value.type };
    return { kind: "place", index: places.push(a.place) - 1, addressOf: false };
  });
  return {
    kind: "native-call",
    spelling: { kind: "text", ...spelled(f, operands, values, typeText), result: e.type },
    arguments: values,
    places,
    requires: [],
    type: e.type,
    span: e.span,
    ...(e.macro ? { macro: e.macro } : {}),
  };
}

function spelled(
  { name, library }: LibraryFunction,
  operands: readonly Operand[],
  values: readonly Expr<Stage>[],
  typeText: TypeText,
): { readonly pieces: Pieces; readonly precedence: number } {
  if (library.operation === "product")
    return { pieces: [operands[0]!, " * ", operands[1]!], precedence: precedence.multiplicative };
  const called = library.operation === "fill" ? `${name}<${typeText(values[0]!.type)}, 8, 8>` : name;
  const inner = "origin" in library ? moved(library, operands, values) : listed(operands);
  return { pieces: [`${called}(`, ...inner, ")"], precedence: precedence.postfix };
}

const listed = (operands: Pieces): Pieces => operands.flatMap((o, i) => (i === 0 ? [o] : [", ", o]));

/** Operands at the end that are what they are without being written are left out. */
function moved(
  { origin, transposed }: SubgroupMatrixFunction & { operation: "load" | "store" },
  operands: readonly Operand[],
  values: readonly Expr<Stage>[],
): Pieces {
  const [matrix, pointer, stride, ...rest] = operands;
  const pieces = [matrix!, ", ", pointer!];
  const perRow = stride?.kind === "value" ? literalValue(values[stride.index]!) : undefined;
  const further = origin || transposed !== false;
  if (further || perRow !== 8) pieces.push(", ", stride!);
  if (origin) pieces.push(", ulong2(", rest[0]!, ", ", rest[1]!, ")");
  else if (further) pieces.push(", 0");
  if (transposed === true) pieces.push(", true");
  else if (transposed === "given") pieces.push(", ", rest.at(-1)!);
  return pieces;
}
