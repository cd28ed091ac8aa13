/**
 * Layer 6: small kernels on which a real driver is the judge. `opencl/expected.json` was recorded by `record.mjs` from the
 * driver that it names, which built and ran the sources themselves: no value in it comes from crosslane. Here each source
 * is simulated, and so is its translation to each dialect, read back, and that one's translation back to OpenCL C.
 * The second line of a kernel has its launch; `nan` says that results may be any NaN where the driver's is one.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { allFindings } from "../../src/sim/findings.js";
import type { TwoWayDialect } from "../../src/index.js";
import { interfaceOf } from "../support/interface-of.js";
import { judgeOutputs, judgeable, judges, refusals } from "../support/judges/outputs.js";
import type { JudgedDialect } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const folder = join(dirname(fileURLToPath(import.meta.url)), "opencl");
const input = Uint32Array.from(JSON.parse(readFileSync(join(folder, "input.json"), "utf8")) as string[], (w) =>
  parseInt(w, 16),
);
const recorded = (
  JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as { kernels: Record<string, string> }
).kernels;
const names = readdirSync(folder).flatMap((f) => (f.endsWith(".cl") ? [f.slice(0, -3)] : []));

/**
 * Where the recorded driver is not the specification's: OpenCL C 3.0 7.5.1 has `fract` of -0 and of -infinity return -0, and
 * PoCL 3.1 returns 0.
 */
const specified: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  edges: { 16: 0x80000000, 48: 0x80000000 },
  fb1: { 37: 0x80000000 },
};

/** Kernels of double, which MSL has not, and of whose functions HLSL has few. */
const ofDouble: ReadonlySet<string> = new Set(["doubles1", "doubles2", "doubles3"]);

interface Kernel {
  readonly text: string;
  readonly expected: Uint32Array;
  readonly setting: (name: string) => number;
  readonly nan: boolean;
  /** Reads without an atomic what others write with one, as a loop on compare and exchange did before OpenCL 2.0. */
  readonly plainReads: boolean;
}

function kernel(name: string): Kernel {
  const text = readFileSync(join(folder, `${name}.cl`), "utf8");
  const settings = text.split("\n")[1]!;
  const expected = new Uint32Array(new Uint8Array(Buffer.from(recorded[name]!, "base64")).buffer);
  for (const [i, word] of Object.entries(specified[name] ?? {})) expected[Number(i)] = word;
  return {
    text,
    expected,
    setting: (word) => Number(new RegExp(`\\b${word} (\\d+)`).exec(settings)?.[1] ?? 0),
    nan: /\bnan\b/.test(settings),
    plainReads: settings.includes("plain reads"),
  };
}

const isNan = (word: number): boolean => (word & 0x7f800000) === 0x7f800000 && (word & 0x007fffff) !== 0;

/** The words that differ from what the driver left, as text; empty where none does. */
async function differences(k: Kernel, text: string, from: TwoWayDialect): Promise<string> {
  const { entries } = await interfaceOf(text, from);
  const paths = (kind: string): string[] => entries[0]!.arguments.flatMap((a) => (a.kind === kind ? [a.path] : []));
  const [src, dst] = paths("buffer");
  const workgroup = paths("workgroup").map((path) => [path, { byteLength: k.setting("local") }] as const);
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [k.setting("invocations") / k.setting("workgroup")],
    workgroupSize: [k.setting("workgroup")],
    subgroupSize: 4,
    seed: 1,
    // Signed integers wrap here on purpose, as they do on the driver.
    findings: allFindings.filter((kind) => kind !== "integer-overflow" && (kind !== "data-race" || !k.plainReads)),
    args: { [src!]: input, [dst!]: new Uint32Array(k.expected.length), ...Object.fromEntries(workgroup) },
  });
  const said = [...diagnostics, ...findings].map((d) => d.message);
  const actual = buffers[dst!] as Uint32Array | undefined;
  if (!actual || said.length > 0) return said.join("; ") || "no result";
  const wrong = [...k.expected].flatMap((want, i) => {
    const got = actual[i]!;
    return want === got || (k.nan && isNan(want) && isNan(got))
      ? []
      : [`[${i}] ${want.toString(16)}, not ${got.toString(16)}`];
  });
  return wrong.slice(0, 5).join("; ");
}

const dialects = ["msl", "glsl", "hlsl", "opencl"] as const;

function toDialect(k: Kernel, to: JudgedDialect): ReturnType<typeof translate> {
  const local: Record<string, number> = k.setting("local") ? { lm: k.setting("local") } : {};
  return translate(k.text, { from: "opencl", to, workgroupSize: [k.setting("workgroup"), 1, 1], local });
}

describe.each(names)("%s computes what the driver does", (name) => {
  const k = kernel(name);

  test("itself", async () => expect(await differences(k, k.text, "opencl")).toBe(""));

  test.each(dialects)("in %s, and back in OpenCL C", async (to) => {
    const there = await toDialect(k, to);
    const errors = there.diagnostics.filter((d) => d.severity === "error");
    const refused = to === "msl" && ofDouble.has(name) ? "XL3003" : undefined;
    expect([...new Set(errors.map((d) => d.code))]).toEqual(refused ? [refused] : []);
    if (refused) return;
    expect(await differences(k, there.code!, to)).toBe("");
    if (to === "opencl") return;
    const back = await translate(there.code!, { from: to, to: "opencl" });
    expect(back.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(await differences(k, back.code!, "opencl")).toBe("");
  });
});

describe("a compiler takes the texts", () => {
  for (const to of dialects) {
    judgeTest(judges[to], `in ${to}`, async () => {
      const texts = await Promise.all(
        names.map(async (name) => ({ name, code: (await toDialect(kernel(name), to)).code })),
      );
      expect(
        refusals(
          await judgeOutputs(
            texts.flatMap(({ name, code }) => (code === undefined ? [] : [judgeable(to, name, code)])),
          ),
        ),
      ).toBe("");
    });
  }
});
