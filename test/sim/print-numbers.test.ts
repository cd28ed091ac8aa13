/** Numbers as text: against C's own printf (C99 7.19.6.1), which clang's programs call. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readFormat, type PrintConversion } from "../../src/ast/print-format.js";
import { printScalar } from "../../src/sim/print-numbers.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";

const folder = mkdtempSync(join(tmpdir(), "crosslane-print-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const flagSets = ["", "-", "+", " ", "#", "0", "-#", "+0", "#0", " 0", "+-"];
const sizes = ["", "1", "12", ".0", ".", ".1", ".3", "12.4", "9.0", "30.20"];
const ints = [0n, 1n, -1n, 7n, 255n, -128n, 2147483647n, -2147483648n];
const longs = [0n, -1n, 9223372036854775807n, -9223372036854775808n, 1n << 40n];
const floats = [
  0, -0, 1, -1.5, 0.5, 2.5, 123456, 1234567, 0.0001, 0.00001234, 99999.95, 999999.5, 1e10, 1.7e308, 5e-324,
];
const special = [3.4028234663852886e38, 1.1754943508222875e-38, 0.1, 1 / 3, 9.5, Infinity, -Infinity];

interface Case {
  readonly format: string;
  readonly value: number | bigint;
  readonly text: string;
}

const inC = (x: number): string =>
  Number.isFinite(x) ? (Object.is(x, -0) ? "-0.0" : x.toExponential(20)) : `${x < 0 ? "-" : ""}INFINITY`;

function cases(): readonly Case[] {
  const out: Case[] = [];
  const add = (
    letters: string,
    values: readonly (number | bigint)[],
    length: string,
    text: (v: never) => string,
  ): void => {
    let n = 0;
    // Every pair of flags and sizes, of the values some: each with each is more than is worth the time.
    for (const letter of letters)
      for (const flags of flagSets)
        for (const size of sizes)
          for (let i = 0; i < 3; i++) {
            const value = values[n++ % values.length]!;
            out.push({ format: `%${flags}${size}${length}${letter}`, value, text: text(value as never) });
          }
  };
  add("d", ints, "", (v) => `(int)${String(v)}LL`);
  add(
    "uoxX",
    ints.map((v) => BigInt.asUintN(32, v)),
    "",
    (v) => `(unsigned)${String(v)}LL`,
  );
  add("d", longs, "l", (v: bigint) => `(long)${String(BigInt.asUintN(64, v))}ULL`);
  add(
    "uxo",
    longs.map((v) => BigInt.asUintN(64, v)),
    "l",
    (v) => `${String(v)}UL`,
  );
  add("feEgGF", [...floats, ...special], "", inC);
  // How `%a` begins is left to the implementation; glibc and clang's constants begin with 1, as of doubles.
  add(
    "aA",
    [...floats, ...special].filter((x) => x === 0 || Math.abs(x) > 1e-300),
    "",
    inC,
  );
  // glibc 2.41 leaves out zeros that `#` keeps where rounding gives a digit more.
  return out.filter((c) => !(/#.*[gG]$/.test(c.format) && c.value === 999999.5));
}

const ours = ({ format, value }: Case): string => {
  const [c] = readFormat(format);
  return printScalar(c as PrintConversion, value);
};

toolTest(missingPrograms(["clang-19"]), "as C prints them", () => {
  const all = cases();
  const lines = all.map(({ format, text }) => `  printf("${format}\\n", ${text});`);
  const file = join(folder, "p.c");
  // C leaves some flags open (`#` with `d`, `0` with `-`), which glibc ignores.
  writeFileSync(file, `#include <stdio.h>\n#include <math.h>\nint main(void) {\n${lines.join("\n")}\n  return 0;\n}\n`);
  const made = spawnSync("clang-19", ["-O0", "-w", "-o", join(folder, "p"), file], { encoding: "utf8" });
  expect(made.stderr).toBe("");
  const texts = spawnSync(join(folder, "p"), { encoding: "utf8" }).stdout.split("\n");
  const wrong = all.flatMap((c, i) =>
    ours(c) === texts[i] ? [] : [`${c.format} of ${c.text}: '${ours(c)}', not '${texts[i]}'`],
  );
  expect(wrong).toEqual([]);
});

test("what no number is", () => {
  expect(ours({ format: "%f", value: NaN, text: "" })).toBe("nan");
  expect(ours({ format: "%+08.2E", value: NaN, text: "" })).toBe("    +NAN");
  expect(ours({ format: "%3c|", value: 65n, text: "" })).toBe("  A");
});
