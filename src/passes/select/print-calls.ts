/** Calls of the function by which a target prints. */
import { convert } from "../../ast/builders.js";
import type { Expr, Print, Stage } from "../../ast/nodes.js";
import { spellConversion } from "../../ast/print-format.js";
import type { NativeCall } from "../../ast/target.js";
import type { PrintWriting } from "../../dialects/language.js";
import { bitWidth, componentCount, isInteger, scalarOf, shaped, voidType } from "../../types/types.js";

type AnyPrint = Print<Stage>;

/** What is written for each conversion, by the type of what it takes; undefined where the target cannot print one. */
function conversions(e: AnyPrint, prints: PrintWriting): ReturnType<PrintWriting["argument"]>[] | undefined {
  let taken = 0;
  const made = e.format.flatMap((p) =>
    typeof p === "string" ? [] : [prints.argument(p.letter, e.arguments[taken++]!.type)],
  );
  return made.every((c) => c !== undefined) ? made : undefined;
}

export const canPrint = (e: AnyPrint, prints: PrintWriting): boolean => conversions(e, prints) !== undefined;

export function printCall(e: AnyPrint, prints: PrintWriting): NativeCall<Stage> {
  const made = conversions(e, prints)!;
  let taken = 0;
  const whole = e.format
    .map((p) => (typeof p === "string" ? p.replaceAll("%", "%%") : spellConversion(p, made[taken++]!.more)))
    .join("");
  const format = prints.messages ? whole.replace(/\n$/, "") : whole;
  const args = e.arguments.map((a, i): Expr<Stage> => {
    const as = made[i]?.as;
    return as ? convert(a as Expr, shaped(as, componentCount(a.type)!)) : unpromoted(a);
  });
  return {
    kind: "native-call",
    spelling: {
      kind: "call",
      name: prints.name,
      operands: [
        { kind: "text", text: quoted(format) },
        ...args.map((a, index) => ({ kind: "value" as const, index, type: a.type })),
      ],
      result: voidType,
    },
    arguments: args,
    places: [],
    requires: prints.needs === undefined ? [] : [prints.needs],
    type: voidType,
    span: e.span,
  };
}

/** C promotes small integers itself (C99 6.5.2.2 (6)), and prints an int as an unsigned one. */
function unpromoted(e: Expr<Stage>): Expr<Stage> {
  if (e.kind !== "convert" || e.explicit || e.type.kind !== "scalar") return e;
  const [from, to] = [scalarOf(e.operand.type), scalarOf(e.type)!];
  const promoted = from !== undefined && isInteger(from) && isInteger(to) && bitWidth(to) === 32;
  return promoted && bitWidth(from) <= 32 ? e.operand : e;
}

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", '"': '\\"' };

/** As a string literal. Three octal digits end a number whatever follows. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"]|\p{Cc}/gu, (c) => named[c] ?? `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;
