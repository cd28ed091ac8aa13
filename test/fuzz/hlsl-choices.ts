/**
 * `?:`, `&&`, `||` and `!` of HLSL on scalars, vectors and matrices, in each version of the language: before 2021 all operands are
 * evaluated and components meet one by one. Some operands have effects, which show what is evaluated, and when.
 */
import { hlslVersions, type HlslVersion } from "../../src/dialects/language.js";
import { foldWithDxc, missingForFold, type FoldCase } from "../support/oracles/dxc-fold.js";
import { randomOf } from "./hlsl-literals.js";
import { heldThroughTranslations, type TranslatedSource } from "./through-translations.js";
import type { FuzzSuite } from "./suite.js";

type Pick = <T>(list: readonly T[]) => T;

const kinds = ["bool", "int", "uint", "float"];
const shapes = ["", "", "2", "3", "4", "2x2", "2x3", "3x2", "3x3"];
const numbers = ["0", "1", "2", "5", "-1", "0.5", "2.5", "1u", "3.0f"];

const dimensions = (shape: string): readonly number[] =>
  shape
    .split("x")
    .filter((n) => n !== "")
    .map(Number);
const count = (shape: string): number => dimensions(shape).reduce((a, b) => a * b, 1);

/** The components of a value, named. */
function components(name: string, shape: string): string[] {
  const [rows, columns] = dimensions(shape);
  if (rows === undefined) return [name];
  if (columns === undefined) return Array.from({ length: rows }, (_, i) => `${name}.${"xyzw"[i]!}`);
  return Array.from({ length: rows * columns }, (_, i) => `${name}._m${Math.floor(i / columns)}${i % columns}`);
}

class Writer {
  readonly used = new Map<string, string>();
  /** How many operands have effects. */
  effects = 0;

  constructor(
    private readonly next: (n: number) => number,
    private readonly pick: Pick,
  ) {}

  private variable(kind: string, shape: string): string {
    const name = `v_${kind}${shape}${this.pick(["", "b"])}`;
    const values = Array.from({ length: count(shape) }, () =>
      kind === "bool" ? this.pick(["true", "false"]) : this.pick(["0", "0", "1", "3", kind === "uint" ? "9" : "-2"]),
    );
    const type = kind + shape;
    if (!this.used.has(name))
      this.used.set(name, `${type} ${name} = ${shape === "" ? values[0]! : `${type}(${values.join(", ")})`};`);
    return name;
  }

  private leaf(shape: string): string {
    const kind = this.pick(kinds);
    switch (this.next(10)) {
      case 0:
        return this.pick(numbers);
      case 1:
        return this.variable(kind, "");
      case 2:
        this.effects++;
        return this.pick(["n++", "(n = n * 3 + 1)", "step(n)", "(n -= 2)"]);
      default:
        return this.variable(kind, shape);
    }
  }

  expression(shape: string, depth: number): string {
    if (depth === 0) return this.leaf(shape);
    const sub = (): string => this.expression(shape, depth - 1);
    switch (this.next(9)) {
      case 0:
      case 1:
      case 2:
        return `(${sub()} ? ${sub()} : ${sub()})`;
      case 3:
      case 4:
        return `(${sub()} ${this.pick(["&&", "||"])} ${sub()})`;
      case 5:
        return `!${sub()}`;
      case 6:
        return `(${sub()} ${this.pick(["<", ">=", "==", "!="])} ${sub()})`;
      case 7:
        return `(${sub()} ${this.pick(["+", "-"])} ${sub()})`;
      default:
        return this.leaf(shape);
    }
  }

  /** Bools, some of which DXC knows. */
  private truth(depth: number): string {
    const sub = (): string => this.truth(depth - 1);
    if (depth === 0) {
      this.effects++;
      return this.pick(["true", "false", "(n++ > 2)", "(step(n) == 1)", "KNOWN", this.variable("bool", "")]);
    }
    return this.pick([
      () => `(${sub()} ? ${sub()} : ${sub()})`,
      () => `(${sub()} ? ${sub()} : ${sub()})`,
      () => `(${sub()} ${this.pick(["&&", "||"])} ${sub()})`,
      () => `!${sub()}`,
    ])();
  }

  /** The place of a condition, where DXC branches, or of what it may know before it runs. */
  statement(depth: number): string {
    const c = this.next(2) === 0 ? this.truth(depth) : this.expression("", depth);
    return this.pick([
      `if (${c}) n += 100;`,
      `if (!(${c})) n += 100; else n += 200;`,
      `for (int k = 0; k < 3 && (${c}); k++) n += 10;`,
      `int k = 0; while ((${c}) && k < 2) { k++; n += 10; }`,
      `int k = 0; do { k++; n += 7; } while (k < 2 && (${c}));`,
      `switch ((int)(${c})) { case 0: n += 30; break; default: n += 40; }`,
      `const ${this.pick(["bool", "int", "float"])} C = ${c}; n += C ? step(n) : (n -= 3);`,
      `static ${this.pick(["bool", "uint"])} C = ${c}; n += (int)C * 50;`,
    ]);
  }
}

interface Made {
  readonly seed: number;
  readonly hlslVersion: HlslVersion;
  readonly statements: string;
  readonly values: readonly string[];
}

const declarations = "static const bool KNOWN = true;\nint step(inout int n) { n = n * 2 + 1; return n & 1; }\n";

function made(seed: number): Made {
  const next = randomOf(seed);
  const pick: Pick = (list) => list[next(list.length)]!;
  const writer = new Writer(next, pick);
  const hlslVersion = pick([...hlslVersions, "2018", "2018"] as const);
  const shape = pick(shapes);
  const e = writer.expression(shape, 1 + next(3));
  const kind = pick(["int", "float", "bool"]);
  const lines = [`${kind}${shape} r = ${e};`];
  if (next(3) === 0) lines.push(writer.statement(1 + next(2)));
  const locals = [...writer.used.values()].join(" ");
  const asInt = (c: string): string => (kind === "float" ? `asint(${c})` : `(int)${c}`);
  return {
    seed,
    hlslVersion,
    statements: `int n = 1; ${locals}\n  ${lines.join("\n  ")}`,
    values: [...components("r", shape).map(asInt), "n"],
  };
}

/** DXC folds some functions of numbers, and `false && x` with any x. */
const refusals = {
  source: /effects beside a condition that DXC may or may not know/,
};

export const hlslChoices: FuzzSuite = {
  name: "hlsl-choices",
  about:
    "?:, &&, || and ! of HLSL on scalars, vectors and matrices, in each version, are what DXC folds them to, and so translated",
  sample: { seed: 1, cases: 60 },
  missing: missingForFold,
  async run(seed, cases) {
    const programs = Array.from({ length: cases }, (_, n) => made(seed + n));
    const folded = await foldWithDxc(
      programs.map(({ statements, values, hlslVersion }): FoldCase => ({
        declarations,
        statements,
        values: values.map((expression) => ({ expression, type: "int" })),
        hlslVersion,
      })),
    );
    const sources = folded.flatMap((fold, n): TranslatedSource[] => {
      const { seed, statements, values, hlslVersion } = programs[n]!;
      if (fold.kind === "refused" || fold.values.some((v) => typeof v !== "bigint")) return [];
      const stores = values.map((v, i) => `o[${i}] = ${v};`).join(" ");
      return [
        {
          seed,
          dialect: "hlsl",
          hlslVersion,
          text: `// -HV ${hlslVersion}\nRWStructuredBuffer<int> o : register(u0);\n${declarations}[numthreads(1, 1, 1)]\nvoid k() {\n  ${statements}\n  ${stores}\n}\n`,
          expected: fold.values.map((v) => Number(BigInt.asIntN(32, v as bigint))),
        },
      ];
    });
    return heldThroughTranslations(sources, refusals);
  },
};
