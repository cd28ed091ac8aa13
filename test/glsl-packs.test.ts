/**
 * GLSL's functions that pack integers into wider ones and take them apart (GL_EXT_shader_explicit_arithmetic_types,
 * ARB_gpu_shader_int64): the first component is the least significant, so that memory, where the least significant byte comes
 * first, holds the same bytes before and after.
 */
import { expect, test } from "vitest";
import { simulate, translate, type SourceDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const all: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];

/** Function, what it takes, what it gives. */
const functions: readonly (readonly [string, string, string])[] = [
  ["pack16", "i8vec2", "int16_t"],
  ["pack16", "u8vec2", "uint16_t"],
  ["pack32", "i8vec4", "int32_t"],
  ["pack32", "u8vec4", "uint32_t"],
  ["pack32", "i16vec2", "int32_t"],
  ["pack32", "u16vec2", "uint32_t"],
  ["pack64", "i32vec2", "int64_t"],
  ["pack64", "u32vec2", "uint64_t"],
  ["pack64", "i16vec4", "int64_t"],
  ["pack64", "u16vec4", "uint64_t"],
  ["unpack8", "int16_t", "i8vec2"],
  ["unpack8", "uint16_t", "u8vec2"],
  ["unpack8", "int32_t", "i8vec4"],
  ["unpack8", "uint32_t", "u8vec4"],
  ["unpack16", "int32_t", "i16vec2"],
  ["unpack16", "uint32_t", "u16vec2"],
  ["unpack16", "int64_t", "i16vec4"],
  ["unpack16", "uint64_t", "u16vec4"],
  ["unpack32", "int64_t", "i32vec2"],
  ["unpack32", "uint64_t", "u32vec2"],
  ["packInt2x32", "ivec2", "int64_t"],
  ["unpackInt2x32", "int64_t", "ivec2"],
  ["packInt4x16", "i16vec4", "int64_t"],
  ["packUint4x16", "u16vec4", "uint64_t"],
  ["unpackInt4x16", "int64_t", "i16vec4"],
  ["unpackUint4x16", "uint64_t", "u16vec4"],
];

const textOf = (name: string, from: string, to: string): string => `#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 4) in;
layout(std430, binding = 0) readonly buffer X { ${from} x[]; };
layout(std430, binding = 1) writeonly buffer Y { ${to} y[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  y[i] = ${name}(x[i]);
}
`;

const given = Uint8Array.from({ length: 32 }, (_, k) => (k * 83 + 129) & 255);
/** Bytes of four elements. */
const sizeOf = (type: string): number => {
  const count = /^[iu]?\w*vec(\d)$/.exec(type)?.[1] ?? "1";
  return 4 * Number(count) * (/8/.test(type) ? 1 : /16/.test(type) ? 2 : /64/.test(type) ? 8 : 4);
};

const run = async (text: string, from: SourceDialect, bytes: number): Promise<readonly number[]> => {
  const args = { x: given.slice(0, bytes), y: new Uint8Array(bytes) };
  const { buffers, diagnostics } = await simulate(text, { from, workgroups: [1], workgroupSize: [4], args });
  expect(
    diagnostics.filter((d) => d.severity === "error").map((d) => d.message),
    text,
  ).toEqual([]);
  const y = buffers["y"] as Uint8Array;
  return [...new Uint8Array(y.buffer, y.byteOffset, y.byteLength)];
};

const texts: Judgeable[] = [];
test.each(functions)("%s of %s gives %s", async (name, from, to) => {
  const source = textOf(name, from, to);
  const bytes = sizeOf(from);
  const same = [...given.slice(0, bytes)];
  expect(await run(source, "glsl", bytes)).toEqual(same);
  texts.push(judgeable("glsl", `${name} of ${from}`, source));
  for (const target of all) {
    const { code, diagnostics } = await translate(source, { from: "glsl", to: target });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    expect(await run(code!, target, bytes), code).toEqual(same);
    if (target !== "glsl") texts.push(judgeable(target, `${name} of ${from} to ${target}`, code!));
  }
});

test("what they do not take", async () => {
  for (const [name, from, to] of [
    ["pack32", "ivec2", "int"],
    ["pack16", "i16vec2", "int"],
    ["unpack8", "int64_t", "i8vec4"],
  ] as const) {
    const { diagnostics } = await translate(textOf(name, from, to), { from: "glsl", to: "msl" });
    expect(diagnostics.find((d) => d.severity === "error")?.message).toMatch(`${name} takes one `);
  }
});

for (const dialect of all) {
  judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
    const mine = texts.filter((t) => t.dialect === dialect);
    expect(mine).toHaveLength(functions.length);
    expect(refusals(await judgeOutputs(mine))).toBe("");
  });
}
