/**
 * Functions that take a struct or an array and also name a `static` one: each line is said in HLSL and done in JavaScript,
 * where an argument is copied in, and copied out when the function returns.
 */
import { randomOf } from "./hlsl-literals.js";

export interface CopyProgram {
  readonly declarations: string;
  readonly statements: string;
  /** What there is to see afterwards. */
  readonly values: readonly string[];
  readonly expected: readonly number[];
  /** Something is copied as a whole, which DXC gets wrong at times (docs/hlsl-order.md, "Seen on the way"). */
  readonly whole: boolean;
}

type Mode = "" | "inout " | "out ";
/** A struct, an array, or a struct of both, as three numbers. */
type Kind = "S" | "int" | "N";
type Memory = number[];

interface Step {
  readonly text: string;
  /** Returns what joins the function's result. */
  readonly run: (g: Memory, x: Memory, q: Memory) => number | undefined;
}

interface MadeFunction {
  readonly mode: Mode;
  readonly text: string;
  readonly run: (g: Memory, x: Memory) => number;
}

const parts: Readonly<Record<Kind, readonly string[]>> = {
  S: [".a", ".b", ".c"],
  int: ["[0]", "[1]", "[2]"],
  N: [".s.a", ".q[0]", ".q[1]"],
};

const mixed = (result: number, value: number): number => (Math.imul(result, 7) + value) | 0;

/** The call of a function with what lies in `argument`. */
function called(f: MadeFunction, g: Memory, argument: Memory): number {
  const copy = [...argument];
  const result = f.run(g, copy);
  if (f.mode !== "") copy.forEach((v, i) => (argument[i] = v));
  return result;
}

export function copyProgram(seed: number): CopyProgram {
  const next = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
  const kind = pick<Kind>(["S", "int", "N"]);
  const brackets = kind === "int" ? "[3]" : "";
  const part = (name: string, i: number): string => `${name}${parts[kind][i]!}`;
  let number = 3;
  const whole = next(3) === 0;
  const copy = (to: Memory, from: Memory): undefined => void from.forEach((v, n) => (to[n] = v));

  function step(inner: MadeFunction | undefined): Step {
    const [i, j, c] = [next(3), next(3), ++number];
    if (whole && next(2) === 0)
      switch (next(5)) {
        case 0:
          return { text: "x = g;", run: (g, x) => copy(x, g) };
        case 1:
          return { text: "g = x;", run: (g, x) => copy(g, x) };
        case 2:
          return { text: "q = x;", run: (_g, x, q) => copy(q, x) };
        case 3:
          return { text: "q = g;", run: (g, _x, q) => copy(q, g) };
        default:
          return { text: `r = r * 7 + ${part("q", i)};`, run: (_g, _x, q) => q[i] };
      }
    switch (next(inner ? 8 : 6)) {
      case 0:
        return { text: `${part("x", i)} = ${c};`, run: (_g, x) => void (x[i] = c) };
      case 1:
        return { text: `${part("g", i)} = ${c};`, run: (g) => void (g[i] = c) };
      case 2:
        return { text: `r = r * 7 + ${part("x", i)};`, run: (_g, x) => x[i] };
      case 3:
        return { text: `r = r * 7 + ${part("g", i)};`, run: (g) => g[i] };
      case 4:
        return { text: `${part("x", i)} = ${part("g", j)} + ${c};`, run: (g, x) => void (x[i] = g[j]! + c) };
      case 5:
        return { text: `${part("g", i)} = ${part("x", j)} + ${c};`, run: (g, x) => void (g[i] = x[j]! + c) };
      case 6:
        return { text: "r = r * 7 + f0(g);", run: (g) => called(inner!, g, g) };
      default:
        return { text: "r = r * 7 + f0(x);", run: (g, x) => called(inner!, g, x) };
    }
  }

  function made(name: string, inner: MadeFunction | undefined): MadeFunction {
    const mode = pick<Mode>(["", "inout ", "inout ", "out "]);
    const steps: Step[] = [];
    // What is not written would be anything.
    if (mode === "out ")
      for (let i = 0; i < 3; i++)
        steps.push({ text: `${part("x", i)} = ${i + 20};`, run: (_g, x) => void (x[i] = i + 20) });
    for (let n = 2 + next(4); n > 0; n--) steps.push(step(inner));
    const local = whole ? [`${kind} q${brackets} = g;`] : [];
    const body = ["int r = 0;", ...local, ...steps.map((s) => s.text), "return r;"]
      .map((line) => `  ${line}\n`)
      .join("");
    return {
      mode,
      text: `int ${name}(${mode}${kind} x${brackets}) {\n${body}}`,
      run: (g, x) => {
        const q = [...g];
        return steps.reduce((result, s) => {
          const value = s.run(g, x, q);
          return value === undefined ? result : mixed(result, value);
        }, 0);
      },
    };
  }

  const first = made("f0", undefined);
  const functions = next(2) === 0 ? [first] : [first, made("f1", first)];
  const last = functions.at(-1)!;
  const [g, s]: [Memory, Memory] = [
    [1, 2, 3],
    [11, 12, 13],
  ];
  const lines = [0, 1, 2].map((i) => `${part("g", i)} = ${i + 1};`);
  lines.push(`${kind} s${brackets};`, ...[0, 1, 2].map((i) => `${part("s", i)} = ${i + 11};`), "int r = 0;");
  let result = 0;
  for (let n = 1 + next(2); n > 0; n--) {
    const local = next(3) === 0;
    lines.push(`r = r * 7 + f${functions.length - 1}(${local ? "s" : "g"});`);
    result = mixed(result, called(last, g, local ? s : g));
  }
  return {
    declarations: `struct S { int a; int b; int c; };\nstruct N { S s; int q[2]; };\nstatic ${kind} g${brackets};\n${functions.map((f) => f.text).join("\n")}`,
    statements: lines.join("\n"),
    values: ["r", ...[0, 1, 2].flatMap((i) => [part("g", i), part("s", i)])],
    whole,
    expected: [result, ...[0, 1, 2].flatMap((i) => [g[i]!, s[i]!])],
  };
}
