/**
 * What a tree of each stage may hold, as the type checker says: `npm run typecheck` fails where one of these lines is taken,
 * since what `@ts-expect-error` expects is then missing.
 */
import { describe, expect, test } from "vitest";
import type { Printer } from "../../emitters/index.js";
import {
  barrier,
  block,
  builtin,
  expressionStatement,
  opCall,
  u32Literal,
  variablePlace,
} from "../../src/ast/builders.js";
import { opIds, type OpId } from "../../src/ast/op-ids.js";
import type { Block, BuiltinRead, Expr, Module, OpCall, Place, Statement, ViewPlace } from "../../src/ast/nodes.js";
import type { NativeBarrier, NativeCall, RawWord } from "../../src/ast/target.js";
import { rows } from "../../src/ops/index.js";
import { noSpan } from "../../src/support/span.js";
import { u32 } from "../../src/types/types.js";

describe("the target tree", () => {
  const call = opCall("subgroup.add", [u32Literal(1)], u32) as OpCall;
  const lane = builtin("lane_id") as BuiltinRead;
  const memory = { workgroup: true, global: false, image: false };
  const wait = barrier({ execution: "workgroup", memory, scope: "workgroup", order: "acq_rel" });
  const word = variablePlace({ id: 1, type: u32 });
  const view: ViewPlace = { kind: "view", base: word, offset: u32Literal(4), type: u32, span: noSpan };
  const canonical: Block = block([expressionStatement(call)]);

  test("holds no op, no read of an id, no barrier by its meaning and no view", () => {
    // @ts-expect-error an op
    const ofOp: Expr<"target"> = call;
    // @ts-expect-error an id
    const ofId: Expr<"target"> = lane;
    // @ts-expect-error a barrier
    const ofBarrier: Statement<"target"> = wait;
    // @ts-expect-error a view
    const ofView: Place<"target"> = view;
    // @ts-expect-error a block with an op inside
    const inside: Block<"target"> = canonical;
    expect([ofOp, ofId, ofBarrier, ofView, inside].map((n) => n.kind)).toEqual([
      "op",
      "builtin",
      "barrier",
      "view",
      "block",
    ]);
  });

  test("is another type than the canonical one, both ways", () => {
    const keeps = (module: Module<"target">): Module<"target"> => module;
    const asCanonical = (module: Module): Module => module;
    // @ts-expect-error a canonical module for a target one
    const up = (module: Module): Module<"target"> => keeps(module);
    // @ts-expect-error a target module for a canonical one
    const down = (module: Module<"target">): Module => asCanonical(module);
    // @ts-expect-error printers take none that is not selected
    const print = (printer: Printer, module: Module): unknown => printer(module);
    expect([up, down, print]).toHaveLength(3);
  });

  test("alone has what is native", () => {
    const call = (e: NativeCall): Expr<"target"> => e;
    const barrier = (s: NativeBarrier): Statement<"target"> => s;
    const word = (p: RawWord): Place<"target"> => p;
    // @ts-expect-error a native call among canonical expressions
    const early = (e: NativeCall): Expr => e;
    // @ts-expect-error a native barrier among canonical statements
    const earlyBarrier = (s: NativeBarrier): Statement => s;
    // @ts-expect-error a word by its address among canonical places
    const earlyWord = (p: RawWord): Place => p;
    expect([call, barrier, word, early, earlyBarrier, earlyWord]).toHaveLength(6);
  });
});

describe("ids of ops", () => {
  test("are those of the table's rows", () => {
    expect([...rows.keys()].sort()).toEqual([...opIds].sort());
    const known: OpId = "subgroup.add";
    // @ts-expect-error no row has this id
    const misspelt: OpId = "subgroup.addd";
    // @ts-expect-error a family without a name
    const family: OpId = "subgroup";
    expect([known, misspelt, family].map((id) => rows.has(id))).toEqual([true, false, false]);
    // @ts-expect-error nor is there a call of it
    expect(opCall("math.sinn", [], u32).kind).toBe("op");
  });
});
