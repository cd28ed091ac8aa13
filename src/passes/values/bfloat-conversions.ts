/**
 * bf16 and other numbers, with bf16 as its bits in a u16: an f32 is its upper half and a lower one, which is rounded to nearest
 * even. Doubles, and integers of more than 24 bits, are first made such f32 as round to the same: what an f32 cannot hold is or-ed into
 * the last bit of those that it can (rounding to odd), below all that bf16 looks at.
 */
import {
  binary,
  bitcast,
  constantOf,
  convert,
  declare,
  functionCall,
  literal,
  read,
  returnStatement,
  unary,
  type ModuleEditor,
} from "../../ast/builders.js";
import { type Expr, type FunctionDeclaration, type FunctionId, type Statement } from "../../ast/nodes.js";
import { compare, componentwise, select, withScalar } from "../../ops/trees.js";
import { noSpan, type Span } from "../../support/span.js";
import {
  bitWidth,
  componentsOf,
  f32,
  isSigned,
  scalar,
  scalarOf,
  u32,
  type ScalarKind,
  type ScalarType,
  type Type,
} from "../../types/types.js";

type Body = (x: Expr, local: (name: string, value: Expr) => Expr) => Expr;

const hex = (type: ScalarType, value: number | bigint): Expr =>
  literal(type.scalar, value, noSpan, `0x${value.toString(16)}`);

export class BfloatConversions {
  private readonly byName = new Map<string, FunctionDeclaration>();

  constructor(private readonly editor: ModuleEditor) {}

  /** In the order of need: later ones call earlier ones. */
  get helpers(): readonly FunctionDeclaration[] {
    return [...this.byName.values()];
  }

  /** The f32 of the bits. */
  widened(bits: Expr, span: Span): Expr {
    const widen: Body = (x) => {
      const word = withScalar("u32", x.type);
      return bitcast(binary("shl", convert(x, word, true), constantOf(word, 16)), withScalar("f32", x.type));
    };
    return this.call("bfloat_value", "the value of a bfloat", bits, "f32", span, widen, widen);
  }

  /** The bits of an f32, an f64 or an integer, rounded to bf16. */
  narrowed(x: Expr, span: Span): Expr {
    const float = scalarOf(x.type) === "f32" ? x : this.asFloat(x, span);
    return this.call(
      "bfloat_bits",
      "the bits of a float as bfloat, rounded to nearest even",
      float,
      "u16",
      span,
      narrow,
    );
  }

  /** An integer or an f64 as an f32 that rounds to the bf16 that it rounds to. */
  private asFloat(x: Expr, span: Span): Expr {
    const kind = scalarOf(x.type)!;
    if (kind === "f64")
      return this.call(
        "double_for_bfloat",
        "a float that rounds to the bfloat that the double rounds to",
        x,
        "f32",
        span,
        oddOfDouble,
      );
    if (bitWidth(kind) < 32) return convert(x, withScalar("f32", x.type), true, span);
    const name = bitWidth(kind) === 64 ? "long" : "int";
    const says = "a float that rounds to the bfloat that the integer rounds to";
    if (!isSigned(kind))
      return this.call(`u${name}_for_bfloat`, says, x, "f32", span, name === "long" ? oddOf64 : oddOf32);
    return this.call(`${name}_for_bfloat`, says, x, "f32", span, (v, local) => {
      const magnitude = scalar(`u${bitWidth(kind)}` as ScalarKind);
      const negative = compare("lt", v, constantOf(v.type, 0));
      const bits = local("bits", convert(v, magnitude, true));
      const made = local(
        "made",
        this.asFloat(select(negative, binary("sub", constantOf(magnitude, 0), bits), bits), span),
      );
      return select(negative, unary("negate", made), made);
    });
  }

  /** A call of a helper of one parameter; that of a vector calls the one of scalars, or has a body of its own. */
  private call(
    name: string,
    says: string,
    given: Expr,
    to: ScalarKind,
    span: Span,
    build: Body,
    ofVectors: Body = (v) =>
      componentwise(withScalar(to, v.type), [v], (part) => this.call(name, says, part, to, span, build)),
  ): Expr {
    const x = convert(given, withScalar(scalarOf(given.type)!, given.type), false, span);
    const type = withScalar(to, x.type);
    const size = componentsOf(x.type);
    const id =
      size === 1
        ? this.helper(name, says, x.type, type, build)
        : this.helper(`${name}${size}`, says, x.type, type, ofVectors);
    return functionCall(id, [{ mode: "value", value: x }], type, span);
  }

  private helper(name: string, emulates: string, from: Type, to: Type, build: Body): FunctionId {
    const known = this.byName.get(name);
    if (known) return known.id;
    const x = this.editor.addParameter("x", from);
    const statements: Statement[] = [];
    const value = build(read(x), (local, e) => {
      const v = this.editor.addLocal(local, e.type);
      statements.push(declare(v.id, e));
      return read(v);
    });
    statements.push(returnStatement(value));
    const made = this.editor.helper({ name, emulates, parameters: [x], returnType: to, statements });
    this.byName.set(name, made);
    return made.id;
  }
}

/** To nearest even: half of the last place but one is added, which carries into the exponent by itself. NaN stays one. */
const narrow: Body = (x, local) => {
  const bits = local("bits", bitcast(x, u32));
  const sixteen = constantOf(u32, 16);
  const last = binary("and", binary("shr", bits, sixteen), constantOf(u32, 1));
  const rounded = binary("shr", binary("add", bits, binary("add", last, hex(u32, 0x7fff))), sixteen);
  const quiet = binary("or", binary("shr", bits, sixteen), hex(u32, 0x40));
  const isNaN = compare("gt", binary("and", bits, hex(u32, 0x7fffffff)), hex(u32, 0x7f800000));
  return convert(select(isNaN, quiet, rounded), scalar("u16"), true);
};

/** An f64 as the nearest f32, or as that beside it whose last bit is one, where it lies between the two. */
const oddOfDouble: Body = (x, local) => {
  const nearest = local("nearest", convert(x, f32, true));
  const bits = local("bits", bitcast(nearest, u32));
  const back = local("back", convert(nearest, x.type, true));
  const one = constantOf(u32, 1);
  const farther = binary("or", bits, one);
  const nearer = binary("or", binary("sub", bits, one), one);
  const negative = compare("lt", x, constantOf(x.type, 0));
  const below = select(negative, nearer, farther);
  const above = select(negative, farther, nearer);
  return bitcast(select(compare("lt", back, x), below, select(compare("gt", back, x), above, bits)), f32);
};

/** A u32: its upper 24 bits, the last of which says too whether there is anything below. */
const oddOf32: Body = (x) => {
  const type = scalar(scalarOf(x.type)!);
  const rest = convert(compare("ne", binary("and", x, hex(type, 0xff)), constantOf(type, 0)), type, true);
  const odd = binary("or", binary("and", x, hex(type, 0xffffff00)), binary("shl", rest, constantOf(type, 8)));
  return convert(select(compare("gt", x, hex(type, 0xffffff)), odd, x), f32, true);
};

/** A u64: 16 or 32 bits lower, with what is lost in the last one left of it, which is then the 17th or further down. */
const oddOf64: Body = (x, local) => {
  const type = scalar(scalarOf(x.type)!);
  const lower = (count: number): Expr => {
    const lost = compare("ne", binary("and", x, hex(type, (1n << BigInt(count)) - 1n)), constantOf(type, 0n));
    const kept = convert(binary("shr", x, constantOf(type, BigInt(count))), u32, true);
    return binary("or", kept, convert(lost, u32, true));
  };
  const most = local("huge", compare("ne", binary("shr", x, constantOf(type, 48n)), constantOf(type, 0n)));
  const more = local("large", compare("ne", binary("shr", x, constantOf(type, 32n)), constantOf(type, 0n)));
  const kept = local("kept", select(most, lower(32), select(more, lower(16), convert(x, u32, true))));
  const scale = select(most, constantOf(f32, 2 ** 32), select(more, constantOf(f32, 2 ** 16), constantOf(f32, 1)));
  return binary("mul", oddOf32(kept, local), scale);
};
