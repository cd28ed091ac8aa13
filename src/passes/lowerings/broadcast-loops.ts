/**
 * Subgroup ops by broadcasts alone, for targets that have little more: OpenCL's base sub-groups, MSL 2.0. All lanes of the
 * subgroup reach the call, so that the lanes there are `0` to `subgroup_lanes - 1`; each shows its value in turn.
 */

import { shortName } from "../../ast/op-ids.js";
import {
  assign,
  binary,
  block,
  builtin,
  conditional,
  constantOf,
  construct,
  declare,
  expressionStatement,
  ifStatement,
  increment,
  logical,
  opCall,
  returnStatement,
  u32Literal,
  variablePlace,
  literalValue,
  read,
} from "../../ast/builders.js";
import { noTrivia, type Expr, type OpCall, type Statement } from "../../ast/nodes.js";
import { and, bitsOf, k, to } from "../../ops/trees.js";
import { noSpan } from "../../support/span.js";
import { bool, isSigned, scalarOf, u32, type Type } from "../../types/types.js";
import { expression, helperCall, type Lowering, type LoweringContext, foldOf } from "./lowering.js";
import { combine, identity, lane, u32x4 } from "./subgroup.js";
import { writingFacts } from "../../dialects/languages.js";

const lanes = (): Expr => builtin("subgroup_lanes");
const broadcast = (x: Expr, i: Expr): Expr => opCall("subgroup.broadcast", [x, i], x.type);

interface Seen {
  readonly i: Expr;
  readonly y: Expr;
  /** This lane's number, value and other operands. */
  readonly lane: Expr;
  readonly x: Expr;
  readonly rest: readonly Expr[];
}

interface Loop {
  readonly name: string;
  readonly says: string;
  readonly result: Type;
  /** Names of the call's own operands. */
  readonly names: readonly string[];
  /** What the result is before any lane has shown its value. */
  readonly start: (x: Expr) => Expr;
  /** Whether the value `y` of lane `i` counts; without it always. */
  readonly taken?: (seen: Seen) => Expr;
  /** The condition asks for the number of this lane. */
  readonly asksLane?: boolean;
  readonly next: (result: Expr, y: Expr, i: Expr) => Expr;
}

/** `for (i = 0; i < lanes; i++) { y = broadcast(x, i); if (taken) result = next(result, y); }` */
function broadcastLoop(call: OpCall, context: LoweringContext, loop: Loop): Expr {
  const extra = loop.asksLane ? [lane(), lanes()] : [lanes()];
  return helperCall(
    { ...call, type: loop.result },
    context,
    (maker, [x, ...others]) => {
      const [own, count] = loop.asksLane ? [others.at(-2)!, others.at(-1)!] : [others.at(-1)!, others.at(-1)!];
      const result = maker.local("result", loop.result);
      const i = maker.local("i", u32);
      const y = maker.local("y", x!.type);
      const step = expressionStatement(assign(variablePlace(result), loop.next(read(result), read(y), read(i))));
      const seen: Seen = {
        i: read(i),
        y: read(y),
        lane: read(own),
        x: read(x!),
        rest: others.slice(0, -extra.length).map(read),
      };
      return [
        declare(result.id, loop.start(read(x!))),
        {
          kind: "for",
          span: noSpan,
          trivia: noTrivia,
          initializer: [declare(i.id, u32Literal(0))],
          condition: binary("lt", read(i), read(count)),
          step: increment(variablePlace(i), 1, false),
          body: block([
            declare(y.id, broadcast(read(x!), read(i))),
            loop.taken ? ifStatement(loop.taken(seen), step) : step,
          ]),
        },
        returnStatement(read(result)),
      ] satisfies Statement[];
    },
    {
      name: loop.name,
      says: loop.says,
      extra,
      names: [...loop.names, ...(loop.asksLane ? ["lane", "lanes"] : ["lanes"])],
    },
  );
}

// ------------------------------------------------------------------ folds

const allOf = (conditions: readonly Expr[]): Expr => conditions.reduce((a, b) => logical("and", a, b));

/** Reductions and scans over all lanes, over clusters (quads among them) and over the lanes of a mask. */
export const foldByBroadcasts: Lowering = (call, context) => {
  const { operation, form, over } = foldOf(call.op);
  const quad = over === "quad";
  if (over === "cluster" && Number(literalValue(call.arguments[1]!)) === 1) return expression(call.arguments[0]!);
  const conditions = ({ i, lane: own, rest }: Seen): Expr[] => [
    ...(form === "reduce" ? [] : [binary(form === "inclusive" ? "le" : "lt", i, own)]),
    // The size is a power of two.
    ...(quad || over === "cluster" ? [binary("lt", binary("xor", i, own), quad ? k(u32, 4) : rest[0]!)] : []),
    ...(over === "mask" ? [opCall("subgroup.ballot_bit_extract", [rest[0]!, i], bool)] : []),
  ];
  const asksLane = form !== "reduce" || quad || over === "cluster";
  const whole = {
    subgroup: "the subgroup",
    workgroup: "the workgroup",
    quad: "the quad",
    cluster: "each cluster of size consecutive lanes",
    mask: "the mask",
  }[over];
  return expression(
    broadcastLoop(call, context, {
      name: over === "cluster" || over === "mask" ? shortName(call.op) : `${over}_${shortName(call.op)}`,
      says: `${operation} over the lanes of ${whole}${{ reduce: "", inclusive: " up to and with this one", exclusive: " below this one" }[form]}`,
      result: call.type,
      names: over === "mask" ? ["x", "mask"] : over === "cluster" ? ["x", "size"] : ["x"],
      start: () => identity(operation, call.type),
      ...(asksLane || over === "mask" ? { taken: (seen: Seen) => allOf(conditions(seen)), asksLane } : {}),
      next: (result, y) => combine(operation, result, y),
    }),
  );
};

// ------------------------------------------------------------------ moves

/** The value of any lane: of a lane that is not there the lane's own. */
export const shuffleByBroadcasts: Lowering = (call, context) =>
  expression(
    broadcastLoop(call, context, {
      name: "subgroup_shuffle",
      says: "the value of lane id",
      result: call.type,
      names: ["x", "id"],
      start: (x) => x,
      taken: ({ i, rest }) => binary("eq", i, rest[0]!),
      next: (_, y) => y,
    }),
  );

/** Where all lanes come, the lowest active lane is lane 0. */
export const firstByBroadcast: Lowering = (call) =>
  expression({ ...(broadcast(call.arguments[0]!, u32Literal(0)) as OpCall), span: call.span });

/** Integers of 8 and 16 bits travel, and are combined, as 32-bit ones. */
export const throughWide: Lowering = (call) => {
  const [x, ...rest] = call.arguments;
  const kind = scalarOf(x!.type)!;
  const wide = to(isSigned(kind) ? "i32" : "u32", x!);
  return expression(to(kind, opCall(call.op, [wide, ...rest], wide.type, call.span)));
};

// ------------------------------------------------------------------ masks

/** Each lane adds its own bit to a word of the mask: no two lanes have the same. */
export const ballotByWords: Lowering = (call, context) => {
  const narrow = writingFacts(context.target).laneMasks === "u64";
  const expr = helperCall(
    call,
    context,
    (maker, [p, own]) => {
      const bit = maker.local("bit", u32);
      const word = (w: number): Expr => {
        const mine = conditional(binary("eq", binary("shr", read(own!), k(u32, 5)), k(u32, w)), read(bit), k(u32, 0));
        if (w >= context.maskWords) return k(u32, 0);
        return opCall(narrow ? "subgroup.or" : "subgroup.add", [mine], u32);
      };
      return [
        declare(bit.id, conditional(read(p!), binary("shl", k(u32, 1), and(read(own!), k(u32, 31))), k(u32, 0))),
        returnStatement(construct(u32x4, [0, 1, 2, 3].map(word))),
      ];
    },
    { name: "subgroup_ballot", names: ["p", "lane"], extra: [lane()], says: "the lanes whose predicate is true" },
  );
  return expression(expr);
};

/** The mask of one lane. */
function laneBit(context: LoweringContext, i: Expr): Expr {
  const call: OpCall = { kind: "op", op: "subgroup.eq_mask", arguments: [i], places: [], type: u32x4, span: i.span };
  return helperCall(
    call,
    context,
    (maker, [number]) => {
      const bit = maker.local("bit", u32);
      const word = (w: number): Expr =>
        w < context.maskWords
          ? conditional(binary("eq", binary("shr", read(number!), k(u32, 5)), k(u32, w)), read(bit), k(u32, 0))
          : k(u32, 0);
      return [
        declare(bit.id, binary("shl", k(u32, 1), and(read(number!), k(u32, 31)))),
        returnStatement(construct(u32x4, [0, 1, 2, 3].map(word))),
      ];
    },
    { name: "lane_bit", names: ["lane"], says: "one lane as a mask" },
  );
}

export const matchByBroadcasts: Lowering = (call, context) => {
  const [x] = call.arguments;
  const bits = bitsOf(x!);
  if (bits !== x) return expression({ ...call, arguments: [bits] });
  return expression(
    broadcastLoop(call, context, {
      name: "match_lanes",
      says: "the lanes whose values have the same bits",
      result: u32x4,
      names: ["x"],
      start: () => constantOf(u32x4, 0),
      taken: ({ y, x: own }) => {
        const same = binary("eq", y, own);
        return same.type.kind === "vector" ? opCall("logic.all", [same], bool) : same;
      },
      next: (result, _y, i) => binary("or", result, laneBit(context, i)),
    }),
  );
};
