import { opIds } from "../../src/ast/op-ids.js";
import { describe, expect, test } from "vitest";
import { load, ModuleEditor, variablePlace } from "../../src/ast/builders.js";
import type { Expr, Module, OpCall, Statement } from "../../src/ast/nodes.js";
import { walkExpr, walkStatement } from "../../src/ast/walk.js";
import { decide } from "../../src/caps/decide.js";
import { defaultProfile, profiles } from "../../src/caps/profiles.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { allRows, matchCell, resolveBuiltin, spellCell, variableOf } from "../../src/ops/index.js";
import { machineOps, routines } from "../../src/ops/machine-ops.js";
import { fixedOperandsFit, inSet } from "../../src/ops/spell.js";
import { applyLowering, lowerings } from "../../src/passes/lowerings/index.js";
import { Lowerings } from "../../src/passes/lowerings/lowering.js";
import { sameType, showType } from "../../src/types/types.js";
import { argumentsOf, casesOf, formsOf, implicitOf, variable, type Case } from "./uses.js";

const emptyModule = { variables: new Map(), nextVariable: 100000, nextFunction: 1 } as unknown as Module;

describe("rows", () => {
  test("its rows are the vocabulary of the tree", () => {
    expect(allRows.map((r) => r.id).sort()).toEqual([...opIds].sort());
  });

  test("variants are of rows that are none, with the same operands", () => {
    const byId = new Map(allRows.map((r) => [r.id, r]));
    const wrong = allRows.flatMap((r) => {
      const of = r.variant && byId.get(r.variant.of);
      const arity = (signature: string): number => signature.split("->")[0]!.split(",").length;
      return !r.variant || (of && !of.variant && arity(of.signature) === arity(r.signature)) ? [] : [r.id];
    });
    expect(wrong).toEqual([]);
  });

  // A name that says so without the row saying it would be taken for another op.
  test("every op that is named as a variant is one", () => {
    const named = allRows.filter((r) => /_(?:open|nan)$|^math\.precise_|^geometry\.scaled_/.test(r.id));
    expect(named.filter((r) => !r.variant).map((r) => r.id)).toEqual([]);
  });

  test("every row has cells for the four dialects and names lowerings that exist", () => {
    const wrong: string[] = [];
    for (const r of allRows) {
      for (const d of twoWayDialects) {
        if (r.cells[d].length === 0) wrong.push(`${r.id} has no ${d} cell`);
        for (const c of r.cells[d]) {
          if (c.kind === "lowering" && !lowerings[c.lowering]) wrong.push(`${r.id}: no lowering ${c.lowering}`);
          if (c.kind !== "refused" && c.evidence === "") wrong.push(`${r.id}: a ${d} cell without evidence`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("expansions stand on listed machine ops and routines", () => {
    const names = new Set(machineOps.map((m) => m.name));
    const known = new Set(routines.map((r) => `${r.kind} ${r.name}`));
    const wrong: string[] = [];
    for (const r of allRows) {
      const e = r.expand;
      if (e.kind === "map") {
        const found = machineOps.find((m) => m.name === e.op);
        if (!found || !names.has(e.op)) wrong.push(`${r.id}: no machine op ${e.op}`);
        else
          for (const kind of r.on.scalars)
            if (!found.on.includes(kind)) wrong.push(`${r.id}: ${kind}.${e.op} is not listed`);
      }
      if (e.kind === "collective" && !known.has(`subgroup ${e.routine}`))
        wrong.push(`${r.id}: no routine ${e.routine}`);
      if (e.kind === "atomic" && !known.has(`atomic ${e.op}`)) wrong.push(`${r.id}: no atomic routine ${e.op}`);
      if (e.kind === "routine" && !known.has(`lane ${e.routine}`) && !known.has(`memory ${e.routine}`))
        wrong.push(`${r.id}: no routine ${e.routine}`);
    }
    expect(wrong).toEqual([]);
  });

  test("trees have the type of their row", () => {
    const wrong: string[] = [];
    for (const r of allRows) {
      if (r.expand.kind !== "tree") continue;
      for (const c of casesOf(r)) {
        const built = r.expand.build(c.call.arguments, c.call.type);
        if (!sameType(built.type, c.call.type))
          wrong.push(
            `${r.id}(${c.t ? showType(c.t) : ""}) gives ${showType(built.type)}, not ${showType(c.call.type)}`,
          );
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe("what is written is read as the same op", () => {
  for (const dialect of twoWayDialects) {
    test(dialect, () => {
      const wrong: string[] = [];
      let seen = 0;
      for (const r of allRows) {
        for (const c of casesOf(r)) {
          for (const use of formsOf(c)) {
            for (const cell of r.cells[dialect]) {
              if (
                cell.kind !== "native" ||
                cell.readOnly ||
                (cell.when && !cell.when(use)) ||
                !fixedOperandsFit(cell, use)
              )
                continue;
              const t = variableOf(r, use);
              if (cell.on && (!t || !inSet(cell.on, t))) continue;
              const spelling = spellCell(cell, use);
              if (spelling.kind !== "call") continue;
              seen++;
              const found = resolveBuiltin(dialect, spelling.name, argumentsOf(spelling, use), [], implicitOf(dialect));
              const wanted = cell.readsAs ?? r.id;
              const got = !found ? "nothing" : "op" in found ? found.op : "error" in found ? found.error : "a barrier";
              if (got !== wanted)
                wrong.push(
                  `${wanted} written ${spelling.name}(${spelling.operands.map((o) => ("type" in o ? showType(o.type) : o.kind)).join(", ")}) is read as ${got}`,
                );
            }
          }
        }
      }
      expect(wrong).toEqual([]);
      expect(seen).toBeGreaterThan(300);
    });
  }
});

/** Every op inside, in order. */
function opsIn(e: Expr | undefined, before: readonly Statement[]): OpCall[] {
  const found: OpCall[] = [];
  const visitor = {
    expr: (x: Expr): boolean => {
      if (x.kind === "op") found.push(x);
      return true;
    },
  };
  if (e) walkExpr(e, visitor);
  for (const s of before) walkStatement(s, visitor);
  return found;
}

/** Carries a call out as the pass does; the op that got stuck, or undefined. */
function legalize(c: Case, dialect: TwoWayDialect): string | undefined {
  const profile = defaultProfile(dialect);
  const session = new Lowerings(new ModuleEditor(emptyModule), dialect, profile, undefined, 128);
  const done = new Set<string>();
  const check = (call: OpCall, depth: number, discarded: boolean): string | undefined => {
    const use = {
      op: call.op,
      operandTypes: call.arguments.map((a) => a.type),
      placeTypes: call.places.map((p) => p.type),
      result: call.type,
      flow: "divergent" as const,
      constants: call.arguments.map((a) => (a.kind === "literal" ? a.value : undefined)),
      ...(call.precondition ? { precondition: call.precondition } : {}),
      ...(discarded ? { discarded } : {}),
    };
    const key = JSON.stringify([
      use.op,
      use.operandTypes,
      use.placeTypes,
      use.result,
      use.constants.map((k) => k !== undefined),
      discarded,
      use.precondition,
    ]);
    if (done.has(key)) return undefined;
    const decision = decide(use, dialect, profile);
    if (decision.kind === "refused") return `${call.op}: ${decision.reason}`;
    if (decision.kind === "native") return undefined;
    if (depth > 8) return `${call.op}: lowerings do not come to an end`;
    done.add(key);
    const result = applyLowering(decision.lowering, call, session);
    if (result.kind === "refused") return `${call.op}: ${result.reason}`;
    const expr = result.kind === "expression" ? result.expr : result.value;
    if (expr && call.type.kind !== "void" && !sameType(expr.type, call.type))
      return `${call.op}: the lowering ${decision.lowering} gives ${showType(expr.type)}, not ${showType(call.type)}`;
    const statements = result.kind === "statements" ? result.before : [];
    const helpers = session.takeHelpers().flatMap((h) => h.body.statements);
    const alone = new Set(statements.flatMap((s) => (s.kind === "expression" ? [s.expression] : [])));
    for (const inner of opsIn(expr, [...statements, ...helpers])) {
      const stuck = check(inner, depth + 1, alone.has(inner) || (inner === expr && discarded));
      if (stuck) return `${call.op} > ${stuck}`;
    }
    return undefined;
  };
  return check(c.call, 0, c.call.type.kind === "void");
}

describe("every op is carried out or refused for a reason", () => {
  /** Facts about a target: types it does not have. What can be words is tried in test/atomics/small-objects.test.ts. */
  const accepted =
    /only a buffer or array that can be declared as words|MSL (has no such atomic|has minimum and maximum alone|gives no old value)|GLSL compares integers alone|where the object lies|8-bit|hlsl\.no8bit|64-bit integers with a mode|has no form here|frexp of float only|no double precision|of double in no version|not of double|bits of a double/;
  for (const dialect of twoWayDialects) {
    test(dialect, () => {
      const stuck = new Set<string>();
      for (const r of allRows) {
        for (const c of casesOf(r)) {
          if (
            dialect === "hlsl" &&
            [c.t, c.call.type, ...c.use.operandTypes].some((t) => t && /[iu]8/.test(showType(t)))
          )
            continue;
          const answer = legalize(c, dialect);
          if (answer && !accepted.test(answer)) stuck.add(`${answer} [${c.t ? showType(c.t) : ""}]`);
        }
      }
      expect([...stuck]).toEqual([]);
    });
  }
});

test("a literal operand of a lowering does not change its type", () => {
  const r = allRows.find((x) => x.id === "bits.rotate")!;
  const c = casesOf(r)[0]!;
  const amount = {
    kind: "literal" as const,
    type: c.call.arguments[1]!.type as never,
    value: 33,
    span: c.call.span,
  };
  const call: OpCall = { ...c.call, arguments: [load(variablePlace(variable(c.call.type))), amount] };
  const result = applyLowering(
    "rotate",
    call,
    new Lowerings(new ModuleEditor(emptyModule), "glsl", defaultProfile("glsl"), undefined, 128),
  );
  expect(result.kind).toBe("expression");
});

test("profiles have no gaps and a table of their own ids", () => {
  const ids = [...profiles.keys()];
  for (const id of [
    "msl2.0-macos",
    "msl2.0-ios",
    "msl2.1",
    "msl2.2",
    "msl2.3",
    "msl2.4",
    "msl3.0",
    "msl3.1",
    "msl3.2",
    "vulkan1.1",
    "vulkan1.4",
    "opencl1.2",
    "opencl2.0",
    "opencl3.0",
    "sm5.0",
    "sm6.0",
    "sm6.8",
  ]) {
    expect(ids).toContain(id);
  }
  expect(
    matchCell(
      "hlsl",
      {
        op: "subgroup.add",
        operandTypes: [],
        placeTypes: [],
        result: { kind: "void" },
        flow: "uniform",
        constants: [],
      },
      () => false,
    ).kind,
  ).toBe("cell");
});
