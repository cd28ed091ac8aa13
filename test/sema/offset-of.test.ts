/** `__builtin_offsetof`: offsets by OpenCL C 3.0 6.3.5 (vectors are aligned to their size) and clang's packed structs; what is no member. */
import { expect, test } from "vitest";
import { problemsOf } from "./support.js";
import { simulate } from "../../src/index.js";

const types = `typedef struct { char c; float4 v; short s[3]; } Q;
typedef struct __attribute__((packed)) { uchar a; float f; Q q[2]; } P;
`;

test("offsets of members, elements and members of members", async () => {
  const asked = ["Q, c", "Q, v", "Q, s", "Q, s[2]", "P, f", "P, q", "P, q[1].v", "(P), q[1].s[1]"];
  const text = `${types}__kernel void k(__global uint *o) { ${asked
    .map((a, i) => `o[${String(i)}] = ${i === 0 ? "offsetof" : "__builtin_offsetof"}(${a});`)
    .join(" ")} }`;
  const { buffers, diagnostics } = await simulate(text, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [1],
    args: { o: new Uint32Array(8) },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  // Q has 48 bytes; in P, which is packed, it begins at 5.
  expect([...(buffers["o"] as Uint32Array)]).toEqual([0, 16, 32, 36, 1, 5, 5 + 48 + 16, 5 + 48 + 32 + 2]);
});

test("types by their tags, unions, and members of those without a name", async () => {
  // As clang 19 has them.
  const text = `union U { uchar a; struct { uint x; uint y; } s; float f[4]; };
struct S { uchar t; union U u; struct { ushort p; union { uint q; uchar r[6]; }; }; };
struct __attribute__((packed)) T { uchar t; union U u; };
__kernel void k(__global uint *o) { o[0] = __builtin_offsetof(union U, f); o[1] = __builtin_offsetof(union U, s.y);
  o[2] = __builtin_offsetof(struct S, u.f[2]); o[3] = __builtin_offsetof(struct S, q); o[4] = __builtin_offsetof(struct S, r[5]);
  o[5] = __builtin_offsetof(struct T, u.s.y); }`;
  const { buffers, diagnostics } = await simulate(text, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [1],
    args: { o: new Uint32Array(6) },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect([...(buffers["o"] as Uint32Array)]).toEqual([0, 4, 12, 24, 29, 5]);
});

test("what is no member is named", async () => {
  const of = (what: string): Promise<string[]> =>
    problemsOf("opencl", `${types}__kernel void k(__global uint *o) { o[0] = __builtin_offsetof(${what}); }`);
  expect(await of("Q, w")).toEqual(["XL2012 struct Q has no member 'w'"]);
  expect(await of("Q, v[1]")).toEqual(["XL2012 float4 has no elements"]);
  expect(await of("o, v")).toEqual(["XL2005 the first argument of __builtin_offsetof is a struct"]);
  expect(await of("Q")).toEqual(["XL2005 __builtin_offsetof takes a struct and a member of it"]);
});
