/** Methods of HLSL's buffer objects. Raw buffers are arrays of u32 words here; byte addresses become word numbers. */
import {
  assign,
  binary,
  bitcast,
  construct,
  declare,
  element,
  literal,
  load,
  swizzleValue,
  variablePlace,
} from "../ast/builders.js";
import type { Expr, Statement } from "../ast/nodes.js";
import { isPure } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { bitWidth, componentCount, scalarOf, shaped, showType, u32, type Type } from "../types/types.js";
import { indexed } from "./access.js";
import { callBuiltin } from "./calls.js";
import { error, exprValue, newVariable, notYet, type Sema, type Value } from "./context.js";
import { convertTo } from "./convert.js";
import { valueSpan } from "./operators.js";

const voidValue = { type: { kind: "void" } } as const;

export function objectMethod(
  s: Sema,
  base: Value,
  name: string,
  args: readonly Value[],
  templates: readonly (Type | number | undefined)[],
  span: Span,
  nameSpan: Span,
): Value | undefined {
  const object = base.object!;
  if (name === "GetDimensions") return notYet(s, "GetDimensions is", nameSpan);
  if (object.view !== "raw") {
    if (name === "Load") {
      if (args.length !== 1) return notYet(s, "Load with a status is", span);
      return indexed(s, base, args[0]!, span);
    }
    if (name === "IncrementCounter" || name === "DecrementCounter") return notYet(s, `${name} is`, nameSpan);
    return error(s, "XL2012", `${object.typeName} has no method '${name}'`, nameSpan);
  }
  const wide = /^(Load|Store)([234]?)$/.exec(name);
  if (wide) {
    const template = templates[0];
    if (template !== undefined && (typeof template !== "object" || wide[2] !== ""))
      return error(s, "XL2013", `${name} takes a type in angle brackets`, span);
    if (wide[1] === "Load")
      return loadWords(s, base, name, Number(wide[2] || "1"), template as Type | undefined, args, span);
    return storeWords(s, base, name, Number(wide[2] || "1"), template as Type | undefined, args, span);
  }
  if (name.startsWith("Interlocked")) {
    const [address, ...rest] = args;
    if (!object.writable) return error(s, "XL2012", `${object.typeName} has no method '${name}'`, nameSpan);
    const word = address && wordIndex(s, address, span);
    if (!word) return address ? undefined : error(s, "XL2005", `${name} needs an address`, span);
    const place = element(base.place!, word, span);
    const made = callBuiltin(s, name, [{ type: place.type, place }, ...rest], [], span, nameSpan, false);
    return made === "none"
      ? error(s, "XL2012", `${object.typeName} has no method '${name}'`, nameSpan)
      : made;
  }
  return error(s, "XL2012", `${object.typeName} has no method '${name}'`, nameSpan);
}

/** The number of the word at a byte address. */
function wordIndex(s: Sema, address: Value, span: Span): Expr | undefined {
  const e = convertTo(s, address, u32, "argument", valueSpan(address, span), "the address");
  if (!e) return undefined;
  if (e.kind === "literal") {
    const bytes = Number(e.value);
    if (bytes % 4 !== 0) return error(s, "XL2003", `byte address ${bytes} is not a multiple of 4`, e.span);
    return literal("u32", bytes / 4, e.span);
  }
  return binary("shr", e, literal("u32", 2, e.span), e.span);
}

function plus(index: Expr, n: number, span: Span): Expr {
  if (n === 0) return index;
  if (index.kind === "literal") return literal("u32", Number(index.value) + n, span);
  return binary("add", index, literal("u32", n, span), span);
}

function wordCount(
  s: Sema,
  name: string,
  count: number,
  template: Type | undefined,
  span: Span,
): { type: Type; count: number } | undefined {
  if (!template) return { type: shaped("u32", count), count };
  const size = componentCount(template);
  if (size === undefined || bitWidth(scalarOf(template)!) !== 32)
    return notYet(s, `${name} of ${showType(template)} is`, span);
  return { type: template, count: size };
}

function loadWords(
  s: Sema,
  base: Value,
  name: string,
  count: number,
  template: Type | undefined,
  args: readonly Value[],
  span: Span,
): Value | undefined {
  if (args.length !== 1) return notYet(s, `${name} with a status is`, span);
  const what = wordCount(s, name, count, template, span);
  const index = wordIndex(s, args[0]!, span);
  if (!what || !index) return undefined;
  if (what.count > 1 && !isPure(index)) return notYet(s, `${name} of an address with side effects is`, span);
  const words = Array.from({ length: what.count }, (_, i) =>
    load(element(base.place!, plus(index, i, span), span), span),
  );
  const whole = what.count === 1 ? words[0]! : construct(shaped("u32", what.count), words, span);
  return exprValue(bitcast(whole, what.type, span));
}

function storeWords(
  s: Sema,
  base: Value,
  name: string,
  count: number,
  template: Type | undefined,
  args: readonly Value[],
  span: Span,
): Value | undefined {
  if (!base.object!.writable)
    return error(s, "XL2012", `${base.object!.typeName} has no method '${name}'`, span);
  if (args.length !== 2) return error(s, "XL2005", `${name} takes an address and a value`, span);
  if (!template && scalarOf(args[1]!.type)?.startsWith("f")) {
    return error(
      s,
      "XL2003",
      `${name} of ${showType(args[1]!.type)} converts or keeps the bits, depending on the compiler`,
      span,
      {
        help: `write ${name}(address, asuint(value)) or Store<T>(address, value)`,
      },
    );
  }
  const given = template ?? (name === "Store" ? storedType(args[1]!) : undefined);
  const what = wordCount(s, name, count, given, span);
  const index = wordIndex(s, args[0]!, span);
  if (!what || !index) return undefined;
  const value = convertTo(s, args[1]!, what.type, "argument", valueSpan(args[1]!, span), "the value");
  if (!value) return undefined;
  const bits = bitcast(value, shaped("u32", what.count), value.span);
  if (what.count === 1)
    return { ...voidValue, expr: { ...assign(element(base.place!, index, span), bits, span) } };
  // The value is computed before the first word is written.
  const statements: Statement[] = [];
  const keep = (e: Expr, label: string): Expr => {
    const v = newVariable(s, {
      name: label,
      type: e.type,
      space: "private",
      role: "local",
      constant: true,
      span,
    });
    statements.push(declare(v.id, e, span));
    return load(variablePlace(v, span), span);
  };
  const at = index.kind === "literal" ? index : keep(index, "word");
  const kept = keep(bits, "value");
  for (let i = 0; i < what.count; i++) {
    const write = assign(element(base.place!, plus(at, i, span), span), swizzleValue(kept, [i], span), span);
    statements.push({
      kind: "expression",
      expression: write,
      span,
      trivia: { leading: [], trailing: [], blankBefore: false },
    });
  }
  return { ...voidValue, statements };
}

/** `Store(a, v)` without a type takes the words of the value. */
function storedType(v: Value): Type | undefined {
  const kind = scalarOf(v.type);
  if (kind === undefined || v.literal) return undefined;
  return kind === "i32" || componentCount(v.type) !== 1 ? v.type : undefined;
}
