/** The layout of TypeScript is Prettier's, whatever part of it Prettier is asked for. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import * as prettier from "prettier/standalone";
import { isLaidOut } from "../../src/api/line-layout.js";
import { byPrettier, layOut, Layouts } from "../../src/api/typescript-layout.js";
import { fixturesFolder } from "../support/expectations.js";

vi.mock("prettier/standalone", async (original) => {
  const real = await original<typeof prettier>();
  return { ...real, format: vi.fn(real.format) };
});

/** A module as it is printed, around the lines of its kernel. */
const moduleOf = (lines: readonly string[]): string =>
  `import { defineKernel, type Launch, type Machine, min } from "crosslane/runtime";

const aKernel = defineKernel(
  { name: "a", objects: [{ id: 0, name: "in", kind: "buffer", path: "in", written: false, zone: 32 }], values: [], limits: [] },
  (m: Machine) => {
${lines.map((line) => `    ${line}`).join("\n")}
    return (wx: number): void => {
      v_x = wx;
    };
  },
);
`;

const levels: Readonly<Record<string, number>> = {
  "*": 12,
  "/": 12,
  "%": 12,
  "+": 11,
  "-": 11,
  "<<": 10,
  ">>": 10,
  ">>>": 10,
  "<": 9,
  ">=": 9,
  "===": 8,
  "!==": 8,
  "&": 7,
  "^": 6,
  "|": 5,
  "&&": 4,
  "||": 3,
};
const operators = Object.keys(levels);

/** Expressions with the brackets that JavaScript asks for, and no others: as printed. */
class Expressions {
  constructor(private state: number) {}

  private below(count: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % count;
  }

  statement(): string {
    const [a, b] = [this.print(3, 0), this.print(2, 0)];
    const all = [
      `v_x = ${a};`,
      `const v_t = ${a};`,
      `let v_u: number = ${a};`,
      "let at_2 = 0, at_3 = 0;",
      `out[${b}] = ${a};`,
      `if (${a}) continue;`,
      `if (${a}) {\n      v_y = ${b};\n    }`,
      `for (; ${a}; v_k = v_k + 1 >>> 0) {\n      // 3: a comment\n      v_y[lane] = ${b};\n    }`,
      `next: for (let lane = start; lane < end; lane++) {\n      if (${b}) continue next;\n      if (${a}) break;\n    }`,
      `subgroup_shuffle_xor(m, "u32", 1, ${b}, start, end, ${a});`,
    ];
    return all[this.below(all.length)]!;
  }

  private print(depth: number, least: number): string {
    const choice = depth === 0 ? this.below(4) : this.below(12);
    if (choice < 2) return ["v_n", "v_value_2", "m.values[0]![0]!", "width", "in_2[lane]!"][this.below(5)]!;
    if (choice === 2) return ["0", "255", "2654435761", "0.5", "33n", "1e+21"][this.below(6)]!;
    if (choice === 3) return `imul(v_a, ${depth === 0 ? "4" : this.print(depth - 1, 0)})`;
    if (choice === 4) return `values[${this.print(depth - 1, 0)}]!`;
    if (choice === 5) return bracketed(least > 14, `${"-!~"[this.below(3)]}${this.print(depth - 1, 15)}`);
    if (choice === 6) return bracketed(least > 1, `at_2 = ${this.print(depth - 1, 1)}`);
    if (choice === 7)
      return bracketed(least > 2, `${this.print(depth - 1, 3)} ? ${this.print(depth - 1, 2)} : ${this.print(1, 2)}`);
    const operator = operators[this.below(operators.length)]!;
    const level = levels[operator]!;
    return bracketed(least > level, `${this.print(depth - 1, level)} ${operator} ${this.print(depth - 1, level + 1)}`);
  }
}

const bracketed = (set: boolean, text: string): string => (set ? `(${text})` : text);

describe("the layout of TypeScript", () => {
  test("is Prettier's for what kernels are made of", async () => {
    const random = new Expressions(15);
    const lines = Array.from({ length: 400 }, () => random.statement());
    const plain = lines.filter((line) => line.split("\n").every((l) => isLaidOut(l.trim(), 4)));
    // Both ways are taken.
    expect(plain.length).toBeGreaterThan(50);
    expect(plain.length).toBeLessThan(350);
    const text = moduleOf(lines);
    const asked = vi.mocked(prettier.format);
    asked.mockClear();
    const laidOut = await layOut(text);
    expect(asked).toHaveBeenCalledOnce();
    expect(asked.mock.lastCall![0]).not.toContain(plain[0]);
    expect(laidOut.split("\n")).toEqual((await byPrettier(text)).split("\n"));
  });

  test("is Prettier's where it is asked for the whole text", async () => {
    for (const odd of [
      "switch (v_a + v_b >>> 0) {\n      default:\n        v_c = 1;\n    }",
      "\n    v_c = 1;",
      "{\n    }",
    ]) {
      const text = moduleOf(["v_a = v_b + 1 | 0;", odd]);
      expect(await layOut(text)).toBe(await byPrettier(text));
    }
  });

  test("is Prettier's for every fixture", { timeout: 30_000 }, async () => {
    const folders = readdirSync(fixturesFolder).map((name) => join(fixturesFolder, name, "expected"));
    for (const folder of folders.filter((f) => existsSync(f))) {
      const name = readdirSync(folder).find((file) => file.endsWith("-to-ts.ts"));
      if (name === undefined) continue;
      const golden = readFileSync(join(folder, name), "utf8");
      expect(await byPrettier(golden), folder).toBe(golden);
    }
  });

  test("asks Prettier for nothing that it was asked for before", async () => {
    const layouts = new Layouts();
    const asked = vi.mocked(prettier.format);
    const before = moduleOf(["// 7: x", "v_a = v_b + 1 | 0;", "v_c = v_d * 3 >>> 0;"]);
    const once = await layOut(before, layouts);
    asked.mockClear();
    expect(await layOut(before.replace("// 7", "// 8"), layouts)).toBe(once.replace("// 7", "// 8"));
    expect(asked).not.toHaveBeenCalled();
    const after = before.replace("* 3", "* 4");
    const text = await layOut(after, layouts);
    expect(asked).toHaveBeenCalledOnce();
    expect(asked.mock.lastCall![0]).not.toContain("v_b");
    expect(text).toBe(await byPrettier(after));
  });
});
