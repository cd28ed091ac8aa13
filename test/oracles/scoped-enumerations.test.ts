/** Enumerations with a scope in HLSL: what becomes a number, where, as DXC says in each version of the language. */
import { expect } from "vitest";
import { compile } from "../../src/api/compile.js";
import { missingForDxc } from "../support/judges/dxc.js";
import { acceptedByDxc } from "../support/oracles/dxc-accepts.js";
import { toolTest } from "../support/tool-test.js";

const declarations = `enum class C : uint { c0, c1 = 3 };
enum class D { d0, d1 = 3 };
enum E { e0, e1 = 5 };
uint of(uint x) { return x; }
`;

const plain = ["bool", "int", "uint", "float", "double", "int64_t", "uint64_t"];
const narrow = [
  ["half", "min16int", "min16uint", "min16float"],
  ["half", "int16_t", "uint16_t", "float16_t"],
] as const;
const values = ["C::c1", "D::d1", "c", "d"];
const beside = ["1", "1u", "1.5", "1 << 3", "true", "n", "f", "b", "e1", "C::c0", "D::d0", "c", "h"];

const statementsWith = (narrower: readonly string[]): string[] => [
  ...values.flatMap((v) => [
    ...[...plain, ...narrower, "C", "D", "E"].flatMap((t) => [
      `${t} x = ${t}(${v});`,
      `${t} x = (${t})${v};`,
      `${t} x = ${v};`,
      ...(t.length > 1 ? [`${t}2 x = ${t}2(${v}, 1);`, `${t}2 x = (${t}2)${v};`, `${t}2 x = ${v};`] : []),
    ]),
    ...["!", "-", "+", "~"].map((o) => `n = ${o}${v};`),
    ...["mul", "max", "dot", "pow", "step"].flatMap((g) =>
      ["1", "1 << 3", "n", "f", v].flatMap((o) => [`n = ${g}(${o}, ${v});`, `n = ${g}(${v}, ${o});`]),
    ),
    ...["abs", "countbits", "asfloat", "asuint", "sin", "sign", "all", "isnan", "of"].map((g) => `n = ${g}(${v});`),
    `n = clamp(${v}, 0, 1);`,
    `if (${v}) n = 1;`,
    `while (${v}) break;`,
    `n = ${v} ? 1 : 2;`,
    `n = b ? ${v} : 2;`,
    `n = b ? ${v} : ${v};`,
    `n = a[${v}];`,
    `n = vec[${v}];`,
    `switch (${v}) { case C::c1: n = 1; }`,
    `switch (${v}) { case D::d1: n = 1; }`,
    `switch (${v}) { case 3: n = 1; }`,
    `switch (n) { case ${v}: n = 1; }`,
    `n += ${v};`,
    `n <<= ${v};`,
    `n = ${v};`,
    `uint x[${v}];`,
    `uint2 x = uint2(${v}, ${v});`,
    `uint2 x = { ${v}, 1 };`,
  ]),
  ...["C::c1", "c"].flatMap((v) =>
    ["+", "*", "/", "%", "&", "|", "<<", ">>", "<", ">=", "==", "!=", "&&", "||"].flatMap((o) =>
      beside.flatMap((w) => [`n = ${v} ${o} ${w};`, `n = ${w} ${o} ${v};`]),
    ),
  ),
  ...["++c;", "c++;", "c += 1;", "c = 1;", "c = n;", "c = e1;", "c = C::c0;", "d = C::c0;", "c = (C)d;", "c = C(n);"],
];

toolTest(
  missingForDxc(),
  "scoped enumerators become numbers where DXC says so, in each version and with either kind of narrow types",
  async () => {
    const cases = (["2018", "2021", "202x"] as const).flatMap((hlslVersion) =>
      narrow.flatMap((narrower, native) =>
        statementsWith(narrower).map((statement) => ({ hlslVersion, native: native === 1, statement, narrower })),
      ),
    );
    const variables = (c: { readonly native: boolean }): string =>
      `${c.native ? "int16_t marked = 1; " : ""}C c = C::c1; D d = D::d1; uint n = 1; float f = 1; bool b = true; ${
        c.native ? "float16_t" : "min16float"
      } h = 1; uint a[4] = { 1, 2, 3, 4 }; uint4 vec = 1;`;
    const answers = await acceptedByDxc(
      cases.map((c, i) => ({
        shared: declarations,
        text: `void k_${i}() { ${variables(c)} ${c.statement} }`,
        hlslVersion: c.hlslVersion,
        args: c.native ? ["-enable-16bit-types"] : [],
      })),
    );
    const wrong: string[] = [];
    for (const [i, c] of cases.entries()) {
      const answer = answers[i]!;
      if (answer === "fault") continue;
      const text = `${declarations}[numthreads(1, 1, 1)] void k() { ${variables(c)} ${c.statement} }`;
      const { diagnostics } = await compile(text, { from: "hlsl", hlslVersion: c.hlslVersion, keepUnused: true });
      const problem = diagnostics.find((d) => d.severity === "error");
      const taken = answer === "taken";
      if (taken && problem && /not supported yet/.test(problem.message)) continue;
      if (taken !== (problem === undefined))
        wrong.push(
          `${c.hlslVersion}${c.native ? " 16" : ""} ${c.statement} ${taken ? `is taken, refused: ${problem!.message}` : "is refused"}`,
        );
    }
    expect(cases.length).toBeGreaterThan(3000);
    expect(wrong).toEqual([]);
  },
);
