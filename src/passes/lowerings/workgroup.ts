/**
 * Work-group collectives through workgroup memory (memory.md R-WG): every lane puts its value into an array, all wait,
 * each reads what it needs in the order of the lanes, and all wait again before the array is used for the next call.
 */

import { typeWord } from "../../dialects/show-type.js";
import { shortName } from "../../ast/op-ids.js";
import {
  assign,
  barrier,
  binary,
  block,
  builtin,
  conditional,
  constantOf,
  declare,
  element,
  expressionStatement,
  ifStatement,
  increment,
  load,
  read,
  returnStatement,
  swizzleValue,
  u32Literal,
  variablePlace,
} from "../../ast/builders.js";
import { noTrivia, type BarrierDescriptor, type Expr, type Statement, type Variable } from "../../ast/nodes.js";
import { mul, to } from "../../ops/trees.js";
import { noSpan } from "../../support/span.js";
import { array, isFloat, scalarOf, showType, u32, type Type } from "../../types/types.js";
import { expression, helperCall, type HelperMaker, type Lowering, type LoweringContext, foldOf } from "./lowering.js";
import { combine, identity } from "./subgroup.js";
import { idForm } from "../../ops/ids.js";

export const everyoneWaits: BarrierDescriptor = {
  execution: "workgroup",
  memory: { workgroup: true, global: false, image: false },
  scope: "workgroup",
  order: "acq_rel",
};
const wait = (): Statement => barrier(everyoneWaits);

export const lanesOfWorkgroup = (): Expr => {
  const part = (axis: number): Expr => swizzleValue(builtin("workgroup_size"), [axis]);
  return mul(mul(part(0), part(1)), part(2));
};

/** One element a lane; one array for all calls of a type. */
const scratchOf = (context: LoweringContext, type: Type): Variable =>
  context.workgroupMemory(
    `scratch ${showType(type)}`,
    `scratch_${typeWord(context.target, type)}`,
    array(type, context.workgroupLanes()),
  );

/** The linear index of the lane; where that is a call or a formula it gets a name. */
function laneIndex(
  context: LoweringContext,
  maker: HelperMaker,
): { readonly before: readonly Statement[]; readonly lane: () => Expr } {
  const index = builtin("local_index");
  if (idForm("local_index", context.target)?.function === undefined) return { before: [], lane: () => index };
  const lane = maker.local("lane", u32);
  return { before: [declare(lane.id, index)], lane: () => read(lane) };
}

export const throughWorkgroupMemory: Lowering = (call, context) => {
  if (call.op === "workgroup.broadcast") return expression(broadcast(call, context));
  const { operation, form } = foldOf(call.op);
  return expression(fold(call, context, operation, form));
};

type Call = Parameters<Lowering>[0];

function fold(
  call: Call,
  context: LoweringContext,
  operation: string,
  form: "reduce" | "inclusive" | "exclusive",
): Expr {
  const truth = call.type.kind === "scalar" && call.type.scalar === "bool";
  // Truth values are kept as numbers.
  const type = truth ? u32 : call.type;
  const scratch = scratchOf(context, type);
  const at = (i: Expr): Expr => load(element(variablePlace(scratch), i));
  return helperCall(
    call,
    context,
    (maker, [x]) => {
      const { before, lane } = laneIndex(context, maker);
      const lanes = maker.local("lanes", u32);
      const result = maker.local("result", type);
      const first = at(u32Literal(0));
      // A NaN or -0 that comes first would stay: folds of floats begin with the identity.
      const whole = isFloat(scalarOf(type)!);
      const empty = identity(operation, type);
      const start = whole
        ? empty
        : form === "exclusive"
          ? conditional(binary("eq", lane(), u32Literal(0)), empty, first)
          : first;
      const end = form === "reduce" ? read(lanes) : lane();
      return [
        ...before,
        ...(form === "reduce" ? [declare(lanes.id, lanesOfWorkgroup())] : []),
        expressionStatement(assign(element(variablePlace(scratch), lane()), truth ? to("u32", read(x!)) : read(x!))),
        wait(),
        declare(result.id, start),
        upTo(maker, whole ? 0 : 1, end, form === "inclusive", (i) =>
          expressionStatement(assign(variablePlace(result), combine(operation, read(result), at(i)))),
        ),
        wait(),
        returnStatement(truth ? binary("ne", read(result), constantOf(type, 0)) : read(result)),
      ];
    },
    { name: `workgroup_${shortName(call.op)}` },
  );
}

/** A loop over lanes. */
function upTo(
  maker: HelperMaker,
  start: number,
  end: Expr,
  included: boolean,
  body: (i: Expr) => Statement,
): Statement {
  const i = maker.local("i", u32);
  return {
    kind: "for",
    span: noSpan,
    trivia: noTrivia,
    initializer: [declare(i.id, u32Literal(start))],
    condition: binary(included ? "le" : "lt", read(i), end),
    step: increment(variablePlace(i), 1, false),
    body: block([body(read(i))]),
  };
}

function broadcast(call: Call, context: LoweringContext): Expr {
  const type = call.type;
  const shared = context.workgroupMemory(
    `broadcast ${showType(type)}`,
    `broadcast_${typeWord(context.target, type)}`,
    type,
  );
  return helperCall(
    call,
    context,
    (maker, [x, from]) => {
      const result = maker.local("result", type);
      return [
        ifStatement(
          binary("eq", builtin("local_index"), read(from!)),
          block([expressionStatement(assign(variablePlace(shared), read(x!)))]),
        ),
        wait(),
        declare(result.id, load(variablePlace(shared))),
        wait(),
        returnStatement(read(result)),
      ];
    },
    { names: ["x", "from"], name: "workgroup_broadcast" },
  );
}
