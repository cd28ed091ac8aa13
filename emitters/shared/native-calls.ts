/** Calls of the target's own functions, by the spelling a row of the table gave them. */
import { precedence } from "../../src/ast/operators.js";
import type { Operand } from "../../src/ast/target.js";
import { takesBack } from "../../src/ops/coerce.js";
import { assertNever } from "../../src/support/assert-never.js";
import { i32, sameType, scalarOf, type Type } from "../../src/types/types.js";
import type { ExpressionPrinter } from "./expressions.js";
import { asInt, retyped } from "./numbers.js";
import type { Text } from "./syntax.js";
import { postfix, wrap } from "./text.js";
import type { Expr, NativeCall } from "./tree.js";

export function nativeCallText(printer: ExpressionPrinter, e: NativeCall): Text {
  const { spelling } = e;
  const operand = (o: Operand, least: number): string => {
    switch (o.kind) {
      case "text":
        return o.text;
      case "place": {
        const place = e.places[o.index]!;
        const text = printer.place(place);
        if (!o.addressOf) return wrap(text, least);
        const { places } = printer;
        const address = o.elements ? places.addressOf(place, place.type).text : places.addressText(place, text);
        return o.cast === undefined ? address : `(${o.cast})${/^(&|\w+$)/.test(address) ? address : `(${address})`}`;
      }
      case "value": {
        const arg = e.arguments[o.index]!;
        if (openArguments && o.index === 0 && sameType(o.type, i32))
          return wrap(asInt(printer, printer.value(arg, "exact")), least);
        // Widened to the canonical type only: the operand has the target's own type already.
        if (arg.kind === "convert" && !sameType(o.type, arg.type) && takesBack(arg, o.type))
          return wrap(printer.value(arg.operand, "argument"), least);
        if (printer.own && sameType(o.type, arg.type) && !arg.macro) {
          const text = printer.free(arg, "argument");
          // The source chose its function by the types of its arguments; in a pass's call a size_t would choose another.
          const chosen = !text.size || e.span.end > e.span.start;
          return wrap(
            chosen ? text : printer.syntax.cast({ ...text, size: undefined }, o.type, printer.typeText(o.type)),
            least,
          );
        }
        const bool = boolOperand(printer, arg, o.type);
        if (bool) return wrap(bool, least);
        const text = printer.value(arg, "exact");
        if (sameType(o.type, arg.type)) return wrap(text, least);
        if (arg.kind === "splat" && o.type.kind === "scalar" && sameType(arg.operand.type, o.type))
          return wrap(printer.value(arg.operand, "exact"), least);
        if (printer.syntax.rules.implicit(text.type, o.type, "argument", text.literal ?? false))
          return wrap(text, least);
        // A mask of another width stays a mask.
        if (text.mask && o.type.kind === "vector")
          return wrap(printer.syntax.cast({ ...text, mask: false }, o.type, printer.typeText(o.type)), least);
        return wrap(retyped(printer, arg, o.type) ?? printer.fit(text, o.type, "argument"), least);
      }
      default:
        return assertNever(o);
    }
  };
  // Of numbers without a type alone HLSL would compute in 64 bits.
  const openArguments =
    printer.language.openLiterals &&
    e.places.length === 0 &&
    e.arguments.length > 0 &&
    e.arguments.every((a) => printer.value(a, "exact").open !== undefined);
  const [object] = e.places;
  if (object?.kind === "raw-word" && spelling.kind === "call") {
    const rest = spelling.operands
      .filter((o) => o.kind !== "place" || o.index !== 0)
      .map((o) => operand(o, precedence.assignment));
    const address = printer.text(object.address, "index", precedence.assignment);
    const kind = scalarOf(object.type);
    const wide = kind === "i64" || kind === "u64" ? "64" : "";
    return postfix(
      `${printer.names.variable(object.buffer)}.${spelling.name}${wide}(${[address, ...rest].join(", ")})`,
      spelling.result,
    );
  }
  const sized = spelling.result.kind === "scalar" && spelling.result.size ? { size: "fits" as const } : {};
  if (spelling.kind === "call") {
    const args = spelling.operands.map((o) => operand(o, precedence.assignment));
    return {
      ...postfix(`${spelling.name}(${args.join(", ")})`, spelling.result),
      ...sized,
    };
  }
  const { pieces } = spelling;
  const parts = pieces.map((piece, i) => {
    if (typeof piece === "string") return piece;
    const before = pieces[i - 1];
    const after = pieces[i + 1];
    const enclosed =
      typeof before === "string" && /[([,]\s*$/.test(before) && typeof after === "string" && /^[)\],]/.test(after);
    return operand(piece, enclosed ? precedence.assignment : Math.min(spelling.precedence + 1, precedence.postfix));
  });
  return { text: parts.join(""), precedence: spelling.precedence, type: spelling.result };
}

/** A bool for an operand that takes an integer: a mask of the operand's width, still 0 and -1, or a number. */
function boolOperand(printer: ExpressionPrinter, arg: Expr, type: Type): Text | undefined {
  if (scalarOf(arg.type) !== "bool" || scalarOf(type) === "bool" || arg.type.kind !== type.kind) return undefined;
  // Overloads by small integers take a bool for neither.
  if (type.kind === "scalar" && type.scalar !== "i32")
    return printer.syntax.cast(printer.value(arg, "exact"), type, printer.typeText(type));
  const loose = printer.raw(arg);
  const { mask, ...text } = loose.mask ? loose : printer.value(arg, "exact");
  if (!mask) return undefined;
  return sameType(text.type, type) ? text : printer.syntax.cast(text, type, printer.typeText(type));
}
