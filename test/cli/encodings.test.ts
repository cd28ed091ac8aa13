/** Kernels in other encodings than UTF-8. Bytes of Shift_JIS are those of JIS X 0208: 計 is 8C 76, 算 is 8E 5A. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crosslane, workspace } from "./command-line.js";

const kernel = (comment: string): string => `RWStructuredBuffer<uint> o;
// ${comment}
[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) { o[id.x] = 1; }
`;
/** The kernel with bytes in the place of `@`. */
const withBytes = (text: string, bytes: readonly number[]): Buffer => {
  const [before = "", after = ""] = text.split("@");
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
};
const shiftJis = withBytes(kernel("@"), [0x8c, 0x76, 0x8e, 0x5a]);
const translated = ["translate", "k.hlsl", "--to", "msl", "-o", "k.metal"];

test("--encoding keeps comments, of includes too", async () => {
  const folder = workspace({});
  writeFileSync(join(folder, "k.hlsl"), Buffer.concat([Buffer.from('#include "more.hlsli"\n'), shiftJis]));
  writeFileSync(join(folder, "more.hlsli"), withBytes("static const uint n = 2; // @\n", [0x8c, 0x76]));
  const { code, err } = await crosslane(folder, [...translated, "--encoding", "shift_jis", "--keep-unused"]);
  expect({ code, lost: err.includes("XL0016") }).toEqual({ code: 0, lost: false });
  const text = readFileSync(join(folder, "k.metal"), "utf8");
  expect(text).toContain("// 計算");
  expect(text).toContain("// 計\n");
});

test("without it the kernel is translated, and what is lost of its comments is said", async () => {
  const folder = workspace({});
  writeFileSync(join(folder, "k.hlsl"), shiftJis);
  const { code, err } = await crosslane(folder, translated);
  expect(code).toBe(0);
  expect(err).toContain("warning[XL0016]: the file has bytes that are no UTF-8, the first in line 2");
  expect(err).toContain("--encoding shift_jis");
  expect(readFileSync(join(folder, "k.metal"), "utf8")).toContain("o[id] = 1u");
});

test("such bytes in code are an error at their place", async () => {
  const folder = workspace({});
  writeFileSync(join(folder, "k.hlsl"), withBytes(kernel("x").replace("= 1;", "= @;"), [0x8c, 0x76]));
  const { code, err } = await crosslane(folder, translated);
  expect(code).toBe(1);
  expect(err).toMatch(/error\[XL1002\].*\n *--> k\.hlsl:4:55/);
});

test.each([
  ["utf16le", [0xff, 0xfe]],
  ["utf8", [0xef, 0xbb, 0xbf]],
] as const)("a mark says what a text is in: %s", async (encoding, mark) => {
  const folder = workspace({});
  writeFileSync(join(folder, "k.hlsl"), Buffer.concat([Buffer.from(mark), Buffer.from(kernel("ü計"), encoding)]));
  expect((await crosslane(folder, translated)).code).toBe(0);
  expect(readFileSync(join(folder, "k.metal"), "utf8")).toContain("// ü計");
});

test("of a build, and names that are none", async () => {
  const folder = workspace({});
  writeFileSync(join(folder, "k.hlsl"), shiftJis);
  const config = (encoding: string): void =>
    writeFileSync(
      join(folder, "crosslane.config.json"),
      JSON.stringify({ inputs: ["k.hlsl"], targets: [{ target: "msl", out: "k.metal" }], encoding }),
    );
  config("shift_jis");
  expect((await crosslane(folder, ["build"])).code).toBe(0);
  expect(readFileSync(join(folder, "k.metal"), "utf8")).toContain("// 計算");
  config("klingon");
  const wrong = await crosslane(folder, ["build"]);
  expect([wrong.code, wrong.err.includes("there is no encoding 'klingon'")]).toEqual([1, true]);
  const usage = await crosslane(folder, [...translated, "--encoding", "klingon"]);
  expect([usage.code, usage.err.includes("there is no encoding 'klingon'")]).toEqual([2, true]);
});
