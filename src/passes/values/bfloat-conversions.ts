/**
 * bf16 and other numbers, with bf16 as its bits in a u16: an f32 is its upper half and a lower one, which is rounded to nearest
 * even. Integers of more than 24 bits are first made such f32 as round to the same: what an f32 cannot hold is or-ed into
 * the last bit of those that it can (rounding to odd), below all that bf16 looks at.
 */
import {
  binary,
  bitcast,
  block,
  constantOf,
  convert,
  declare,
  functionCall,
  literal,
  load,
  returnStatement,
  unary,
  variablePlace,
  type ModuleEditor,
} from "../../ast/builders.js";
import { noTrivia, type Expr, type FunctionDeclaration, type FunctionId, type Statement } from "../../ast/nodes.js";
import type { Target } from "../../dialects/ids.js";
import { isBuiltinName } from "../../ops/resolve.js";
import { compare, select } from "../../ops/trees.js";
import { noSpan, type Span } from "../../support/span.js";
import {
  bitWidth,
  componentsOf,
  isFloat,
  isSigned,
  scalarOf,
  shaped,
  type ScalarKind,
  type Type,
} from "../../types/types.js";

type Body = (x: Expr, local: (name: string, value: Expr) => Expr) => Expr;

const hex = (type: Type, value: number | bigint): Expr =>
  type.kind === "scalar"
    ? literal(type.scalar, value, noSpan, `0x${value.toString(16)}`)
    : constantOf(type, value, noSpan);

export class BfloatConversions {
  private readonly byKey = new Map<string, FunctionDeclaration>();

  constructor(
    private readonly editor: ModuleEditor,
    private readonly target: Target,
  ) {}

  /** In the order of need: later ones call earlier ones. */
  get helpers(): readonly FunctionDeclaration[] {
    return [...this.byKey.values()];
  }

  /** The f32 of the bits. */
  widened(bits: Expr, span: Span): Expr {
    const size = componentsOf(bits.type);
    const type = shaped("f32", size);
    const id = this.helper(`widen ${size}`, `bfloat_value`, "bfloat", plain(bits.type), type, (x) => {
      const word = shaped("u32", size);
      return bitcast(binary("shl", convert(x, word, true), constantOf(word, 16)), type);
    });
    return functionCall(id, [{ mode: "value", value: unpacked(bits) }], type, span);
  }

  /** The bits of an f32, or of an integer, rounded to bf16. */
  narrowed(x: Expr, span: Span): Expr {
    const kind = scalarOf(x.type)!;
    const size = componentsOf(x.type);
    const type = shaped("u16", size);
    const float = isFloat(kind) ? x : this.asFloat(x, kind, span);
    const id = this.helper(
      `narrow ${size}`,
      "bfloat_bits",
      "conversion of float to bfloat",
      shaped("f32", size),
      type,
      narrow,
    );
    return functionCall(id, [{ mode: "value", value: unpacked(float) }], type, span);
  }

  /** An integer as an f32 that rounds to the bf16 that the integer rounds to. */
  private asFloat(x: Expr, kind: ScalarKind, span: Span): Expr {
    const size = componentsOf(x.type);
    const type = shaped("f32", size);
    if (bitWidth(kind) < 32) return convert(x, type, true, span);
    const wide = bitWidth(kind) === 64;
    const magnitude = shaped(wide ? "u64" : "u32", size);
    const odd = this.helper(
      `odd ${kind.slice(1)} ${size}`,
      wide ? "long_for_bfloat" : "int_for_bfloat",
      "conversion of integers to bfloat",
      magnitude,
      type,
      wide ? oddOf64 : oddOf32,
    );
    const call = (value: Expr): Expr => functionCall(odd, [{ mode: "value", value }], type, span);
    if (!isSigned(kind)) return call(unpacked(x));
    const signed = this.helper(
      `signed ${kind} ${size}`,
      wide ? "signed_long_for_bfloat" : "signed_int_for_bfloat",
      "conversion of integers to bfloat",
      shaped(kind, size),
      type,
      (v, local) => {
        const negative = compare("lt", v, constantOf(v.type, 0));
        const bits = local("bits", convert(v, magnitude, true));
        const made = local("made", call(select(negative, binary("sub", constantOf(magnitude, 0), bits), bits)));
        return select(negative, unary("negate", made), made);
      },
    );
    return functionCall(signed, [{ mode: "value", value: unpacked(x) }], type, span);
  }

  private helper(key: string, name: string, emulates: string, from: Type, to: Type, build: Body): FunctionId {
    const known = this.byKey.get(key);
    if (known) return known.id;
    const parameter = this.editor.addVariable({
      name: "x",
      type: from,
      space: "private",
      role: "parameter",
      constant: false,
      mode: "value",
      span: noSpan,
    });
    const statements: Statement[] = [];
    const value = build(load(variablePlace(parameter)), (local, e) => {
      const v = this.editor.addLocal(local, e.type);
      statements.push(declare(v.id, e));
      return load(variablePlace(v));
    });
    const size = componentsOf(from);
    const base = size === 1 ? name : `${name}${size}`;
    const made: FunctionDeclaration = {
      id: this.editor.newFunctionId(),
      name: this.target !== "ts" && isBuiltinName(this.target, base) ? `${base}_emulated` : base,
      parameters: [parameter.id],
      returnType: to,
      body: block([...statements, returnStatement(value)]),
      isEntry: false,
      emulates,
      span: noSpan,
      nameSpan: noSpan,
      trivia: noTrivia,
    };
    this.byKey.set(key, made);
    return made.id;
  }
}

const plain = (type: Type): Type => shaped(scalarOf(type)!, componentsOf(type));
const unpacked = (e: Expr): Expr => convert(e, plain(e.type), false, e.span);

/** To nearest even: half of the last place but one is added, which carries into the exponent by itself. NaN stays one. */
const narrow: Body = (x, local) => {
  const word = shaped("u32", componentsOf(x.type));
  const bits = local("bits", bitcast(x, word));
  const sixteen = constantOf(word, 16);
  const last = binary("and", binary("shr", bits, sixteen), constantOf(word, 1));
  const rounded = binary("shr", binary("add", bits, binary("add", last, hex(word, 0x7fff))), sixteen);
  const quiet = binary("or", binary("shr", bits, sixteen), hex(word, 0x40));
  const isNaN = compare("gt", binary("and", bits, hex(word, 0x7fffffff)), hex(word, 0x7f800000));
  return convert(select(isNaN, quiet, rounded), shaped("u16", componentsOf(x.type)), true);
};

/** A u32: its upper 24 bits, the last of which says too whether there is anything below. */
const oddOf32: Body = (x) => {
  const { type } = x;
  const rest = convert(compare("ne", binary("and", x, hex(type, 0xff)), constantOf(type, 0)), type, true);
  const odd = binary("or", binary("and", x, hex(type, 0xffffff00)), binary("shl", rest, constantOf(type, 8)));
  return convert(select(compare("gt", x, hex(type, 0xffffff)), odd, x), shaped("f32", componentsOf(type)), true);
};

/** A u64: 16 or 32 bits lower, with what is lost in the last one left of it, which is then the 17th or further down. */
const oddOf64: Body = (x, local) => {
  const { type } = x;
  const size = componentsOf(type);
  const word = shaped("u32", size);
  const float = shaped("f32", size);
  const lower = (count: number): Expr => {
    const lost = compare("ne", binary("and", x, hex(type, (1n << BigInt(count)) - 1n)), constantOf(type, 0n));
    const kept = convert(binary("shr", x, constantOf(type, BigInt(count))), word, true);
    return binary("or", kept, convert(lost, word, true));
  };
  const most = local("huge", compare("ne", binary("shr", x, constantOf(type, 48n)), constantOf(type, 0n)));
  const more = local("large", compare("ne", binary("shr", x, constantOf(type, 32n)), constantOf(type, 0n)));
  const kept = local("kept", select(most, lower(32), select(more, lower(16), convert(x, word, true))));
  const scale = select(
    most,
    constantOf(float, 2 ** 32),
    select(more, constantOf(float, 2 ** 16), constantOf(float, 1)),
  );
  return binary("mul", oddOf32(kept, local), scale);
};
