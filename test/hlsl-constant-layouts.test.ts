/** Where members of HLSL's constant buffers lie: numbers from DXC's listing, and DXC asked again where it is there. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reflect, translate } from "../src/index.js";
import { inScratchFolder } from "../src/judges/run-program.js";
import { askDxc, missingForDxc } from "./support/judges/dxc.js";

interface Listed {
  readonly members: string;
  readonly struct?: string;
  readonly narrow?: true;
  /** Of each member, in their order. */
  readonly at: readonly number[];
}

const narrow = true;
const buffers: readonly Listed[] = [
  // What is behind a matrix of 16-bit components lies as if they had 32.
  { members: "half2x2 a; half b", narrow, at: [0, 24] },
  { members: "half2x3 a; float3 b", narrow, at: [0, 48] },
  { members: "half4x4 a; half b; half2 c", narrow, at: [0, 64, 66] },
  { members: "row_major half2x3 a; half2 b; half c", narrow, at: [0, 28, 32] },
  { members: "int16_t2x2 a; float2 b; float c", narrow, at: [0, 24, 32] },
  { members: "half2x3 a[2]; half b", narrow, at: [0, 88] },
  { struct: "half a; half2x2 m", members: "S a; half b; S c[2]; float d", narrow, at: [0, 40, 48, 136] },
  { members: "half3 a; bool b; half c; half3 d; double e", narrow, at: [0, 8, 12, 16, 24] },
  // Members of minimum precision share no register with others.
  { members: "min16float a; float3 b; min16int c", at: [0, 16, 32] },
  { members: "min16float3 a; min16float b; min12int c; float d", at: [0, 12, 16, 32] },
  { members: "half a; float3 b; half2 c", at: [0, 4, 16] },
  { members: "min16float a; row_major min16float2x2 b; min16float c; float d", at: [0, 16, 40, 48] },
  { members: "min16float a; double b; bool c; min16uint d", at: [0, 16, 24, 32] },
  // Those in structs do; behind a struct lie others, behind an array what lay before it.
  { struct: "float z; min16float y", members: "S a; float b; S c; min16float d", at: [0, 8, 16, 32] },
  { members: "min16float a; float b[2]; min16float c; float d[2]; float e", at: [0, 16, 36, 48, 80] },
];

const textOf = ({ members, struct }: Listed): string => {
  const uses = [...members.matchAll(/(\w+) (\w)(\[2\])?(?:;|$)/g)].map(([, type, name, list]) => {
    const first = `${name!}${list ? "[1]" : ""}`;
    return type === "S"
      ? `${first}.${struct!.at(-1)!}${struct!.includes("x2") ? "[1][1]" : ""}`
      : `${first}${/\dx\d$/.test(type!) ? "[1][1]" : ""}`;
  });
  return `${struct ? `struct S { ${struct}; }; ` : ""}cbuffer C { ${members}; }; RWStructuredBuffer<float> o;
[numthreads(1, 1, 1)] void main() { float s = 0; ${uses.map((x) => `s += (float)(${x});`).join(" ")} o[0] = s; }`;
};

describe.each(buffers)("$members", (listed) => {
  const options = { from: "hlsl", ...(listed.narrow ? { enable16bitTypes: true } : {}) } as const;
  test("lie where DXC says", async () => {
    const { arguments: all } = (await reflect(textOf(listed), options)).entries[0]!;
    const names = [...new Set(all.map((a) => /^C\.(\w)/.exec(a.path)?.[1]).filter((n) => n !== undefined))];
    const at = names.map((n) => all.find((a) => a.path.startsWith(`C.${n}`))!.slots.hlsl!.offset);
    expect(at).toEqual(listed.at);
  });
});

test.runIf(missingForDxc().length === 0)("DXC lists these numbers", { timeout: 120_000 }, async () => {
  await inScratchFolder(async (folder) => {
    const path = (i: number, end: string): string => join(folder, `${i}.${end}`);
    const said = await askDxc(
      buffers.map((b, i) => {
        writeFileSync(path(i, "hlsl"), textOf(b));
        const args = ["-Vd", ...(b.narrow ? ["-enable-16bit-types"] : [])];
        return { profile: "cs_6_6", entry: "main", path: path(i, "hlsl"), args, output: path(i, "ll") };
      }),
    );
    for (const [i, b] of buffers.entries()) {
      expect(said[i], b.members).toBe("ok");
      const listing = /cbuffer C\n[^]*?} C;/.exec(readFileSync(path(i, "ll"), "utf8"))![0];
      const lines = [...listing.matchAll(/^;(?: {7}} | {7}\w[\w ]* )(\w)(?:\[2\])?;+ +; Offset: +(\d+)/gm)];
      expect(
        lines.map(([, , at]) => Number(at)),
        b.members,
      ).toEqual(b.at);
    }
  });
});

test("matrices of one column of 16-bit components are refused in constant buffers", async () => {
  const text =
    "cbuffer C { half3x1 a; half b; }; RWStructuredBuffer<float> o; [numthreads(1, 1, 1)] void main() { o[0] = b + a[1]; }";
  const { diagnostics } = await translate(text, { from: "hlsl", to: "glsl", enable16bitTypes: true });
  expect(diagnostics.map((d) => [d.code, d.help])).toEqual([["XL1900", "make it a vector"]]);
});
