/** A name of the source stays what it is where a pass adds a helper of that name: the helper takes another. */
import { describe, expect, test } from "vitest";
import { printers } from "../../emitters/index.js";
import type { FunctionDeclaration, Module } from "../../src/ast/nodes.js";
import { noTrivia } from "../../src/ast/nodes.js";
import { targetDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { isReserved } from "../../src/dialects/reserved.js";
import { legalize, select } from "../../src/passes/index.js";
import { verify } from "../../src/index.js";
import { dialectsOf, fixtureNames } from "../support/expectations.js";
import { compiled, kernelsOf, settledBy } from "../support/translations.js";
import { outcome } from "../passes/text.js";

const kernel = (before: string, statements: string): string => `${before}
RWStructuredBuffer<uint> o : register(u0);
[numthreads(64, 1, 1)] void k(uint3 g : SV_DispatchThreadID) { ${statements} }
`;
const cases: readonly (readonly [what: string, source: string, kept: RegExp])[] = [
  [
    "a function",
    kernel("uint quotient(uint a, uint b) { return a / b; }", "o[g.x] = quotient(o[g.x], o[g.x + 64]);"),
    /\bquotient\(uint a, uint b\)/,
  ],
  [
    "a function of other parameters",
    kernel(
      "float quotient(float a, float b) { return a * b; }",
      "o[g.x] = o[g.x] / o[g.x + 64] + uint(quotient(2, g.x));",
    ),
    /\bquotient\(float a, float b\)/,
  ],
  ["a local", kernel("", "uint quotient = o[g.x] / o[g.x + 64]; o[g.x] = quotient;"), /\buint quotient = /],
  [
    "a parameter",
    kernel("uint f(uint quotient) { return 7 / quotient; }", "o[g.x] = f(o[g.x]);"),
    /\bf\(uint quotient\)/,
  ],
  [
    "a type",
    kernel("struct quotient { uint a; };", "quotient q; q.a = o[g.x]; o[g.x] = q.a / o[g.x + 64];"),
    /\bstruct quotient \{|\} quotient;/,
  ],
  [
    "a constant of the file",
    kernel("static const uint quotient[2] = { 3, 4 };", "o[g.x] = quotient[g.x & 1] / o[g.x];"),
    /\bquotient\[2\] = /,
  ],
  ["a macro", kernel("#define quotient 77", "o[g.x] = quotient / o[g.x];"), /#define quotient 77/],
];

describe("names of the source come before those of helpers", () => {
  for (const to of ["msl", "glsl", "opencl"] as const satisfies readonly TwoWayDialect[])
    test.each(cases)(`%s, to ${to}`, async (_, source, kept) => {
      const { text } = await outcome(source, "hlsl", to);
      expect(text).toContain("// the quotient; all ones where the divisor is zero");
      expect(text).toMatch(/\buint quotient1\(uint x, uint y\)/);
      expect(text).toMatch(kept);
      const { result } = await verify(source, { from: "hlsl", to, fileName: "k.hlsl", subgroupSizes: [32], seeds: 1 });
      expect(result).toBe("equivalent");
    });

  // Whatever passes add to a kernel: the source has a function of that name, too.
  test.each(fixtureNames())("whatever helper, %s", async (fixture) => {
    const wrong: string[] = [];
    for (const dialect of dialectsOf(fixture)) {
      const { module } = await compiled(fixture, dialect);
      for (const { entry, launch } of await kernelsOf(fixture, dialect))
        for (const target of targetDialects) {
          const legal = legalize(module!, target, { entry, ...settledBy(launch) }).module;
          if (!legal) continue;
          const names = new Set(legal.functions.flatMap((f) => (f.emulates === undefined ? [] : [f.name])));
          // What the target keeps for itself nobody has.
          const added = [...names].filter((name) => !isReserved(target, name, "function"));
          const { text } = printers[target](select(withFunctions(legal, added)));
          wrong.push(
            ...added
              .filter((name) => text.split(`void ${name}() {`).length !== 2 || countOf(text, name) > 1)
              .map((name) => `${dialect} to ${target}: ${name}`),
          );
        }
    }
    expect(wrong).toEqual([]);
  });
});

/** Definitions of functions of a name. */
const countOf = (text: string, name: string): number =>
  text.match(new RegExp(`^\\w[^;=]* \\**${name}\\([^;]*\\{$`, "gm"))?.length ?? 0;

/** With empty functions of the source behind all others. */
function withFunctions<M extends Module>(module: M, names: readonly string[]): M {
  const span = { start: 0, end: 1 };
  const added = names.map((name, i): FunctionDeclaration => ({
    id: module.nextFunction + i,
    name,
    parameters: [],
    returnType: { kind: "void" },
    body: { kind: "block", statements: [], innerComments: [], span, trivia: noTrivia },
    isEntry: false,
    span,
    nameSpan: span,
    trivia: noTrivia,
  }));
  return {
    ...module,
    functions: [...module.functions, ...added],
    order: [...module.order, ...added.map((f) => ({ kind: "function" as const, function: f.id }))],
    nextFunction: module.nextFunction + names.length,
  };
}
