/** Bit casts a target has no word for: between vectors of different component widths, put together with shifts. */
import { typeWord } from "../../dialects/show-type.js";
import {
  binary,
  bitcast,
  construct,
  convert,
  declare,
  expressionStatement,
  load,
  opCall,
  returnStatement,
  functionCall,
  variablePlace,
} from "../../ast/builders.js";
import type { Bitcast, Expr } from "../../ast/nodes.js";
import type { TargetDialect } from "../../dialects/ids.js";
import { writingFacts } from "../../dialects/languages.js";
import { components, fold, k, or } from "../../ops/trees.js";
import {
  bitWidth,
  componentCount,
  scalarOf,
  shaped,
  showType,
  u32,
  type ScalarKind,
  type Type,
} from "../../types/types.js";
import { isSimple, type LoweringContext } from "./lowering.js";

const unsigned = (type: Type): ScalarKind => `u${bitWidth(scalarOf(type)!)}` as ScalarKind;
const sizes = (type: Type): readonly [number, number] => [bitWidth(scalarOf(type)!), componentCount(type)!];

/** Whether the target's printer has a word for the cast. */
function hasBitcast(target: TargetDialect, from: Type, to: Type): boolean {
  const { shapes, packed, doubles } = writingFacts(target).bitcasts;
  if (doubles === "words" && (scalarOf(from) === "f64") !== (scalarOf(to) === "f64")) return false;
  if (shapes === "any") return true;
  const [[fromWidth, fromCount], [toWidth, toCount]] = [sizes(from), sizes(to)];
  if (fromWidth === toWidth && fromCount === toCount) return true;
  return packed.includes(`${showType(from)} ${showType(to)}`);
}

/** The cast by steps the target has: the same expression where it is one. */
export function lowerBitcast(e: Bitcast, context: LoweringContext): Expr {
  const { operand, type: to } = e;
  if (hasBitcast(context.target, operand.type, to)) return e;
  const words = writingFacts(context.target).bitcasts.doubles === "words";
  const outOf = words && scalarOf(operand.type) === "f64";
  const into = words && scalarOf(to) === "f64";
  const build = (x: Expr): Expr =>
    outOf ? outOfDoubles(x, e, context) : into ? intoDoubles(x, e) : reshaped(x, to, context.target);
  if (isSimple(operand) || (outOf && componentCount(operand.type) === 1)) return build(operand);
  const key = `bitcast ${showType(operand.type)} ${showType(to)}`;
  const name = `bits_as_${typeWord(context.target, to)}`;
  const id = context.helper(key, name, `the bits of ${showType(operand.type)} as ${showType(to)}`, (maker) => {
    const x = maker.parameter("x", operand.type);
    return { parameters: [x], returnType: to, body: [returnStatement(build(load(variablePlace(x))))] };
  });
  return functionCall(id, [{ mode: "value", value: operand }], to, e.span);
}

const words = shaped("u32", 2);

/** HLSL gives the words of a double to out places. */
function outOfDoubles(operand: Expr, { type, span }: Bitcast, context: LoweringContext): Expr {
  const id = context.helper("double_words", "double_words", "the low and the high word of a double", (maker) => {
    const x = maker.parameter("x", shaped("f64", 1));
    const [low, high] = [maker.local("low", u32), maker.local("high", u32)];
    const places = [variablePlace(low), variablePlace(high)];
    const split = opCall("pack.split_double", [load(variablePlace(x))], { kind: "void" }, span, { places });
    const body = [
      declare(low.id),
      declare(high.id),
      expressionStatement(split),
      returnStatement(
        construct(
          words,
          places.map((p) => load(p)),
        ),
      ),
    ];
    return { parameters: [x], returnType: words, body };
  });
  const parts = components(operand).map((x) => functionCall(id, [{ mode: "value", value: x }], words, span));
  const bits = parts.map((p) => bitcast(p, shaped("u64", 1)));
  return bitcast(parts.length === 1 ? parts[0]! : construct(shaped("u64", bits.length), bits), type, span);
}

function intoDoubles(operand: Expr, { type, span }: Bitcast): Expr {
  const count = componentCount(type)!;
  const whole =
    count === 1
      ? [bitcast(operand, words)]
      : components(bitcast(operand, shaped("u64", count))).map((x) => bitcast(x, words));
  const doubles = whole.map((w) => opCall("pack.join_double", components(w), shaped("f64", 1), span));
  return count === 1 ? doubles[0]! : construct(type, doubles);
}

function reshaped(x: Expr, to: Type, target: TargetDialect): Expr {
  const [[fromWidth, fromCount], [toWidth, toCount]] = [sizes(x.type), sizes(to)];
  const bits = bitcast(x, shaped(unsigned(x.type), fromCount));
  const middle = shaped(unsigned(to), toCount);
  if (hasBitcast(target, bits.type, middle)) return bitcast(bitcast(bits, middle), to);
  const kind = unsigned(to);
  const one = shaped(kind, 1);
  const parts = components(bits);
  const words: Expr[] = [];
  if (toWidth > fromWidth) {
    const each = toWidth / fromWidth;
    for (let i = 0; i < toCount; i++) {
      const pieces = parts.slice(i * each, (i + 1) * each).map((p, j) => {
        const wide = convert(p, one, true);
        return j === 0 ? wide : binary("shl", wide, k(one, j * fromWidth));
      });
      words.push(fold(pieces, or));
    }
  } else {
    const each = fromWidth / toWidth;
    for (const p of parts) {
      for (let j = 0; j < each; j++)
        words.push(convert(j === 0 ? p : binary("shr", p, k(p.type, j * toWidth)), one, true));
    }
  }
  return bitcast(toCount === 1 ? words[0]! : construct(middle, words), to);
}
