/** Arguments of HLSL that are written and meet: components, rows and elements of one object, in the order in which DXC brings them back. */
import { expect, test } from "vitest";
import { simulate, translate } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { foldWithDxc, missingForFold } from "./support/oracles/dxc-fold.js";

const declarations = `struct S { float a; float2 b; };
void both(inout float2 a, inout float2 b) { a += 5; b += 3; a += b; }
void numbers(inout float a, inout float b) { a += 5; b += 3; a += b; }
void partFirst(inout float2 a, inout float3 b) { a += 5; b += 3; a += b.xy; b.x += a.y; }
void partLast(inout float3 b, inout float2 a) { a += 5; b += 3; a += b.xy; b.x += a.y; }
void oneFirst(inout float a, inout float3 b) { a += 5; b += 3; a += b.x; b.x += a; }
void ofStruct(inout float2 a, inout S s) { a += 5; s.b += 3; a += s.b; s.b += a; }
void member(inout float a, inout S s) { a += 5; s.a += 3; a += s.a; s.a += a; }
void ofArray(inout float a, inout float b[3]) { a += 5; b[1] += 3; a += b[1]; b[1] += a; }
void ofMatrix(inout float2 a, inout float2x2 b) { a += 5; b += 3; a += b[0]; b[0] += a; }
void matrixFirst(inout float2x2 b, inout float2 a) { a += 5; b += 3; a += b[0]; b[0] += a; }
void set(out float2 a, out float2x2 b) { b = 3; a = 5; }`;

/** A call that writes to `v` (of three), `s`, `l` (an array), `m` or `f`, which are all read after it. */
const calls = [
  "both(v.xy, v.yz)",
  "both(v.yx, v.yz)",
  "numbers(f, f)",
  "numbers(v.x, v.y)",
  "partFirst(v.yz, v)",
  "partFirst(v.zx, v)",
  "partLast(v, v.yz)",
  "oneFirst(v.x, v)",
  "oneFirst(v[0], v)",
  "ofStruct(s.b.yx, s)",
  "ofStruct(s.b, s)",
  "member(s.a, s)",
  "ofArray(l[1], l)",
  "ofMatrix(m._m01_m10, m)",
  "ofMatrix(m[0], m)",
  "matrixFirst(m, m._m01_m10)",
  "matrixFirst(m, m[0])",
  "set(m._m01_m10, m)",
  "set(m[1], m)",
  "both(m[0], m._m01_m10)",
  "both(m._m01_m10, m[0])",
  "both(m._m01_m10, m._m10_m11)",
  "both(m[0], m[0])",
];
const given =
  "float f = 1.5; float3 v = { 1, 2, 3 }; S s = { 1, 2, 3 }; float l[3] = { 1, 2, 3 }; float2x2 m = { 1, 2, 3, 4 };";
const read = ["f", "v.x", "v.y", "v.z", "s.a", "s.b.x", "s.b.y", "l[1]", "m._m00", "m._m01", "m._m10", "m._m11"];

const textOf = (call: string): string => `${declarations}
RWStructuredBuffer<float> o;
[numthreads(1, 1, 1)] void main() { ${given} ${call}; ${read.map((x, k) => `o[${k}] = ${x};`).join(" ")} }`;

const bits = (x: number): bigint => BigInt(new Uint32Array(Float32Array.of(x).buffer)[0]!);

test.runIf(missingForFold().length === 0)("are brought back in DXC's order", { timeout: 240_000 }, async () => {
  const said = await foldWithDxc(
    calls.map((call) => ({
      declarations,
      statements: `${given} ${call};`,
      values: read.map((expression) => ({ expression, type: "float" as const })),
    })),
  );
  for (const [at, call] of calls.entries()) {
    const texts = [{ from: "hlsl" as const, text: textOf(call) }];
    for (const to of twoWayDialects) {
      const { code } = await translate(textOf(call), { from: "hlsl", to });
      texts.push({ from: to as "hlsl", text: code! });
    }
    for (const { from, text } of texts) {
      const run = await simulate(text, {
        from,
        workgroups: [1],
        ...(["msl", "opencl"].includes(from) ? { workgroupSize: [1, 1, 1] } : {}),
        args: { o: new Float32Array(read.length) },
      });
      const values = [...(run.buffers.o as Float32Array)].map(bits);
      expect({ kind: "folded", values }, `${call} in ${from}`).toEqual(said[at]);
    }
  }
});
