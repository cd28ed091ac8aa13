/**
 * Between all passes, of every fixture to every target, the tree keeps what src/ast/nodes.ts promises; so does what sema
 * makes of the source, and what selection makes for the printer.
 */
import { describe, expect, test } from "vitest";
import { literal, u32Literal } from "../../src/ast/builders.js";
import type { Expr, FunctionDeclaration, Module, Statement } from "../../src/ast/nodes.js";
import { rewriteModule } from "../../src/ast/walk.js";
import { verifyTree } from "../../src/ast/verify.js";
import { byDialect, targets } from "../../src/dialects/ids.js";
import { legalize, select } from "../../src/passes/index.js";
import { outOfOrder } from "../../src/passes/pass.js";
import { mustHold, treesHold } from "../../src/passes/tree-check.js";
import { textPasses } from "../../src/passes/pipelines/texts.js";
import { ts } from "../../src/passes/pipelines/ts.js";
import { dialectsOf, fixtureNames } from "../support/expectations.js";
import { compiled, kernelsOf, settledBy } from "../support/translations.js";

const pipelines = { ...byDialect(textPasses), ts };

describe("trees hold between all passes", () => {
  test.each(fixtureNames())("%s", async (fixture) => {
    for (const dialect of dialectsOf(fixture)) {
      const { module } = await compiled(fixture, dialect);
      mustHold(module!, `${dialect} front end`);
      for (const { entry, launch } of await kernelsOf(fixture, dialect)) {
        for (const target of targets) {
          const legal = legalize(module!, target, { entry, ...settledBy(launch), verifyTrees: treesHold });
          if (legal.module && target !== "ts") mustHold(select(legal.module), `selection for ${target}`);
        }
      }
    }
  });
});

describe("a broken tree is found", () => {
  const base = async (): Promise<Module> => (await compiled("reduce_tree", "glsl")).module!;
  const changed = (module: Module, change: (e: Expr) => Expr): readonly string[] =>
    verifyTree(rewriteModule(module, { expr: change }));
  const inBodies = (module: Module, change: (f: FunctionDeclaration) => readonly Statement[]): readonly string[] =>
    verifyTree({
      ...module,
      functions: module.functions.map((f) => ({ ...f, body: { ...f.body, statements: change(f) } })),
    });

  test("none in the tree as it is", async () => expect(verifyTree(await base())).toEqual([]));

  test("an operand of another type", async () => {
    const found = changed(await base(), (e) =>
      e.kind === "binary" && e.operator === "add" ? { ...e, right: literal("f32", 1) } : e,
    );
    expect(found.join()).toContain("operands of two types");
  });

  test("a load of another type", async () => {
    expect(
      changed(await base(), (e) => (e.kind === "load" ? { ...e, type: { kind: "scalar", scalar: "f64" } } : e)).join(),
    ).toContain("a load is f64");
  });

  test("an expression that ends nowhere", async () => {
    const found = changed(await base(), (e) => ({ ...e, span: { ...e.span, end: undefined as never } }));
    expect(found.join()).toContain("to undefined");
  });

  test("a variable before its declaration", async () => {
    const found = inBodies(await base(), (f) => [...f.body.statements].reverse());
    expect(found.join()).toContain("is named where it is not declared");
  });

  test("a break that leads nowhere", async () => {
    const module = await base();
    const { span, trivia } = module.functions[0]!.body;
    expect(inBodies(module, (f) => [{ kind: "break", span, trivia }, ...f.body.statements]).join()).toContain(
      "a break leads nowhere",
    );
  });

  test("a condition that is a number", async () => {
    const module = await base();
    const { span, trivia, innerComments } = module.functions[0]!.body;
    const then: Statement = { kind: "block", statements: [], innerComments, span, trivia };
    expect(
      inBodies(module, (f) => [
        { kind: "if", condition: u32Literal(1), then, span, trivia },
        ...f.body.statements,
      ]).join(),
    ).toContain("a condition is u32");
  });
});

describe("the order of passes", () => {
  test.each(Object.entries(pipelines))("%s: each finds what it needs", (_target, passes) =>
    expect(outOfOrder(passes)).toEqual([]),
  );

  test.each(Object.entries(pipelines).filter(([target]) => target !== "ts"))(
    "%s: slots are of a tree that is done",
    (_target, passes) => {
      const ensured = new Set(passes.flatMap((p) => p.ensures ?? []));
      expect(
        ["ops-native", "ids-placed", "globals-placed", "declared-before-use"].filter((p) => !ensured.has(p as never)),
      ).toEqual([]);
    },
  );

  test("one that comes too early is named", () => {
    const early = [...pipelines.msl].sort(
      (a, b) => Number(b.name === "legalize-ops") - Number(a.name === "legalize-ops"),
    );
    expect(outOfOrder(early)).toEqual([
      "legalize-ops needs buffers-shaped",
      "legalize-ops needs integer-edges-defined",
    ]);
  });
});
