/** The text form of trees holds all of them but layout: what is read back is the same, after every pass of every target. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import type { Module, Stage } from "../../src/ast/nodes.js";
import { printTree } from "../../src/ast/text/print-tree.js";
import { readTree } from "../../src/ast/text/read-tree.js";
import { targets } from "../../src/dialects/ids.js";
import { legalize, select } from "../../src/passes/index.js";
import { dialectsOf, fixtureNames } from "../support/expectations.js";
import { compiled, kernelsOf, settledBy } from "../support/translations.js";

/**
 * What the text leaves out, by key: places and comments, groups of declarations, how lists and lengths were written, and of which declaration
 * without an address space a pointer is, which reading alone asks.
 */
const layout = new Set(
  "span nameSpan trivia header trailingComments innerComments group braces written named text nextVariable nextFunction spans open".split(
    " ",
  ),
);

/** Single statements are written as blocks are. */
const branches = new Set(["then", "else", "body"]);
const inBlock = (s: unknown): unknown =>
  typeof s === "object" && s && "kind" in s && s.kind !== "block" ? { kind: "block", statements: [s] } : s;

/**
 * The nodes of functions and what variables are, without layout. Ids are numbers in order of mention, so that a module that was
 * read, which has ids of its own, can be compared.
 */
function content(module: Module<Stage>): unknown {
  const numbers = new Map<string, number>();
  const variables: unknown[] = [];
  const numbered = (key: string, id: number): number => {
    const of = `${key} ${id}`;
    if (!numbers.has(of)) {
      numbers.set(of, numbers.size);
      const v = key === "variable" ? module.variables.get(id) : undefined;
      if (v) variables.push(plain({ ...v, id: undefined, mode: v.mode ?? "value" }));
    }
    return numbers.get(of)!;
  };
  const plain = (value: unknown, key = ""): unknown => {
    // An integer is a number or a bigint (`Literal`), and the text has its digits.
    if (typeof value === "bigint") return String(value);
    if (typeof value === "number") {
      if (key === "variable" || key === "buffer" || key === "buffers" || key === "parameters")
        return numbered("variable", value);
      if (key === "function" || key === "id") return numbered("function", value);
      return Object.is(value, -0) ? "-0" : String(value);
    }
    if (Array.isArray(value)) return value.map((v) => plain(v, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([k, v]) => v !== undefined && (v !== false || k === "grouped") && !layout.has(k))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([k, v]) => [k, k === "grouped" || (branches.has(k) ? plain(inBlock(v)) : plain(v, k))] as const),
    );
  };
  return [module.functions.map((f) => plain(f)), variables];
}

function mustReadBack(module: Module<Stage>, of: string): void {
  const text = printTree(module);
  const read = readTree(text, { ...(module.legal?.profile ? { profile: module.legal.profile } : {}) });
  expect(printTree(read), of).toBe(text);
  expect(content(read), of).toEqual(content(module));
}

describe("trees are read back as they were", () => {
  test.each(fixtureNames().map((name, n) => [name, n] as const))("%s", async (fixture, n) => {
    const dialects = dialectsOf(fixture);
    for (const dialect of dialects) {
      const { module } = await compiled(fixture, dialect);
      mustReadBack(module!, dialect);
      // Between passes trees of one dialect of each fixture, of another dialect from fixture to fixture.
      const looked = dialect === dialects[n % dialects.length];
      for (const { entry, launch } of await kernelsOf(fixture, dialect)) {
        for (const target of targets) {
          let before = module!;
          const afterPass = (pass: string, tree: Module): void => {
            if (tree !== before) mustReadBack(tree, `${dialect} to ${target}, after ${pass}`);
            before = tree;
          };
          const legal = legalize(module!, target, {
            entry,
            ...settledBy(launch),
            ...(looked ? { afterPass } : {}),
          });
          if (legal.module && target !== "ts") mustReadBack(select(legal.module), `${dialect} to ${target}, selected`);
        }
      }
    }
  });
});

test("a barrier of one buffer, and of two", async () => {
  const text = `RWStructuredBuffer<int> x;
RWStructuredBuffer<int> y;
[numthreads(16, 1, 1)]
void k(uint i : SV_GroupIndex) {
  x[i] = 1;
  Barrier(x, GROUP_SCOPE | GROUP_SYNC);
  y[i] = x[i ^ 1];
  Barrier(x, GROUP_SCOPE | GROUP_SYNC);
  Barrier(y, GROUP_SCOPE);
  x[i] = y[i ^ 1];
}`;
  const { module } = await compile(text, { from: "hlsl" });
  expect(printTree(module!)).toContain("order=acq_rel buffers=x ");
  expect(printTree(module!)).toContain("order=acq_rel buffers=x+y ");
  mustReadBack(module!, "two barriers");
});

test("what the text does not say is said with its place", () => {
  const text =
    'module glsl contraction=off\nresource x: i32[] buffer readwrite path="x"\nentry main(x) {\n  x[0i32] = y;\n}\n';
  expect(() => readTree(text)).toThrow("4:14: y is not declared");
  expect(() => readTree(text.replace("= y", "= "))).toThrow("4:13: a name is wanted");
  expect(() => readTree(text.replace("x[0i32]", "2i32"))).toThrow("a place is wanted on the left");
});

test("buffers as values, whose types have names", async () => {
  const text = `StructuredBuffer<float> a; StructuredBuffer<float> c; RWStructuredBuffer<float> o; ByteAddressBuffer r;
float get(StructuredBuffer<float> b, uint i) { return b[i]; } uint word(ByteAddressBuffer b) { return b.Load(0); }
[numthreads(8, 1, 1)] void main(uint i : SV_DispatchThreadID) { StructuredBuffer<float> b = a; o[i] = get(b, i) + get(c, i) + word(r); }`;
  const { module } = await compile(text, { from: "hlsl" });
  expect(printTree(module!)).toContain("b: global const f32[]*<StructuredBuffer>");
  mustReadBack(module!, "buffers");
});
