/** Copies of structs and arrays whose original changes afterwards, as DXC reads the HLSL written for them. */
import { describe, expect, test } from "vitest";
import { translate } from "../../src/index.js";
import { hlslEntries } from "../../src/judges/hlsl.js";
import { foldKernels, foldWithDxc, missingForFold } from "../support/oracles/dxc-fold.js";
import { toolTest } from "../support/tool-test.js";

const glsl = `#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer O { int o[]; };
struct S { int a; int b; };
struct T { S s; int m[3]; S n[2]; };
S g; T h; int w[3]; S other;
S make(int k) { S l; l.a = k; l.b = k + 1; return l; }
S same(S x) { return x; }
int total(S x) { return x.a * 10 + x.b; }
int late(S x) { g.a = 7; return x.a; }
int lateArray(int x[3]) { w[0] = 7; return x[0]; }
int viaLocal(S x) { S q = x; g.a = 7; return q.a; }
S global() { return g; }
S taken(inout S x) { S q = x; x.a = 7; return q; }
void keep(int k, S x, inout S kept) { if (k == 1) kept = x; }
void keepOwn(int k, inout S kept) { S l; l.a = k; l.b = 5; if (k == 1) kept = l; }
void main() {
  int j = 0; int z = 0;
  g = S(1, 2); other = S(3, 4); w = int[3](1, 2, 3); S l = S(1, 2); int v[3] = int[3](1, 2, 3);
  h.s = S(1, 2); h.m = int[3](3, 4, 5); h.n[0] = S(6, 7); h.n[1] = S(8, 9);
  STATEMENT
  o[0] = j;
}
`;

/** GLSL 4.60 copies whole values (sections 5.8 and 6.1.1): the numbers are by hand. */
const cases: readonly (readonly [string, number])[] = [
  ["S q = g; g.a = 7; j = q.a;", 1],
  ["S q; q = g; g = other; j = q.a;", 1],
  ["S q = l; l.a = 7; j = q.a;", 1],
  ["S q = l; l = other; j = q.a;", 1],
  ["int q[3] = w; w[0] = 7; j = q[0];", 1],
  ["int q[3] = v; v[0] = 7; j = q[0];", 1],
  ["int q[3] = v; for (int k = 0; k < 3; k++) v[k] = 7; j = q[2];", 3],
  ["T q = h; h.s.a = 17; h.m[1] = 18; h.n[1].b = 19; j = q.s.a * 100 + q.m[1] * 10 + q.n[1].b;", 149],
  ["S q = h.s; h.s.a = 7; j = q.a;", 1],
  ["S q = h.n[1]; h.n[1].a = 7; j = q.a;", 8],
  ["int q[3] = h.m; h.m[2] = 7; j = q[2];", 5],
  ["j = late(g);", 1],
  ["j = lateArray(w);", 1],
  ["j = viaLocal(g);", 1],
  ["S q = g; j = late(q);", 1],
  ["S q = same(g); g.a = 7; j = q.a;", 1],
  ["S q = same(l); l.a = 7; j = q.a;", 1],
  ["S q = global(); g.a = 7; j = q.a;", 1],
  ["S q = l; S r = q; l.a = 7; j = r.a;", 1],
  ["j = taken(l).a * 10 + l.a;", 17],
  ["S t = l; l = other; other = t; j = total(l) * 100 + total(other);", 3412],
  ["S kept; for (int k = 0; k < 3; k++) { S x = make(k); if (k == 1) kept = x; } j = kept.a;", 1],
  ["S kept; for (int k = 0; k < 3; k++) { S x; x.a = k; x.b = 5; if (k == 1) kept = x; } j = kept.a;", 1],
  ["S kept; for (int k = 0; k < 3; k++) { keep(k, make(k), kept); } j = kept.a;", 1],
  ["S kept; for (int k = 0; k < 3; k++) { keepOwn(k, kept); } j = kept.a;", 1],
  ["S kept; for (int k = 0; k < 3; k++) { if (k == 1) kept = make(k); } j = kept.a;", 1],
  ["int kept[3]; for (int k = 0; k < 3; k++) { int x[3] = int[3](k, k, k); if (k == 1) kept = x; } j = kept[0];", 1],
  ["S q = l; q.b = 5; l.a = 7; j = q.a;", 1],
  ["S q = g; if (z == 1) q.b = 5; g.a = 7; j = q.a;", 1],
  ["S q = l; for (int k = 0; k < 2; k++) q.b = k; l.a = 7; j = q.a;", 1],
  ["T q; q.s = l; l.a = 7; j = q.s.a;", 1],
  ["S q[2]; q[0] = l; q[1] = l; l.a = 7; j = q[0].a + q[1].a;", 2],
  // What the index does is done once.
  ["int i = 0; h.n[i++] = h.n[i++ & 1]; h.n[1].a = 17; j = i * 10 + h.n[0].a;", 28],
  ["int i = 1; S q = h.n[i--]; h.n[1].a = 17; S r = h.n[i++]; h.n[0].a = 18; j = q.a * 100 + r.a * 10 + i;", 861],
  ["S q; for (int k = 0; k < 2; k++) { q = l; l.a = l.a + 7; } j = q.a;", 8],
];

const hlslOf = async (statement: string): Promise<string> =>
  (await translate(glsl.replace("STATEMENT", statement), { from: "glsl", to: "hlsl" })).code!;

describe("copies of what changes afterwards", () => {
  toolTest(missingForFold(), "are kept apart by DXC", async () => {
    const texts = await Promise.all(cases.map(([statement]) => hlslOf(statement)));
    const said = await foldKernels(texts.map((text) => ({ text, entry: hlslEntries(text)[0]! })));
    const numbers = said.map((words, i) => [
      cases[i]![0],
      "refused" in words ? words.refused : (words as ReadonlyMap<number, unknown>).get(0),
    ]);
    expect(numbers).toEqual(cases.map(([statement, right]) => [statement, BigInt(right)]));
  });

  toolTest(missingForFold(), "are not kept apart where they are written whole", async () => {
    // The fault itself. With a DXC that has it no more, the pass may go.
    const [said] = await foldWithDxc([
      {
        declarations: "struct S { int a; int b; };",
        statements: "S s; s.a = 1; s.b = 2; S q = s; s.a = 7;",
        values: ["q.a"],
      },
    ]);
    expect(said).toEqual({ kind: "folded", values: [7n] });
  });

  test.each([
    "S q = l; j = q.a + l.b;",
    "l.a = 5; S q = l; q.b = 7; j = q.a + l.b;",
    "j = total(l); l.a = 3; j += total(l);",
    "S x = make(3); j = total(x);",
  ])("stay whole where nothing is written later: %s", async (statement) => {
    // Without the functions that themselves need it.
    const plain = glsl
      .replace(/^(int (late|viaLocal)|S (global|taken)|void keep).*\n/gm, "")
      .replace("STATEMENT", statement);
    expect((await translate(plain, { from: "glsl", to: "hlsl" })).code).not.toContain("copied");
  });
});
