/** Random classes of MSL with constructors and conversions, explicit or not, and what makes objects and numbers of them: each says which it was. */
import type { ClangSet } from "./beside-clang.js";

const numbers = ["int", "uint", "short", "long", "bool", "float", "char", "E"];

export const objectTypes = `enum E { e0, e1 = 3 };
struct A { int x; };
struct B : A { int y; };`;

const startOf = (type: string): string => (type === "E" ? "e1" : "1");

export const objectVariables = `${numbers.map((t, i) => `${t} v${i} = ${startOf(t)};`).join(" ")}
const int c0 = 1; const float c5 = 1; A va = {1}; B vb = {}; int q[2] = {1, 2};`;

const argumentsGiven = [
  ...numbers.map((_, i) => `v${i}`),
  ...["c0", "c5", "1", "1u", "1.5f", "true", "'a'", "e1", "va", "vb", "&v0", "&v5", "q", "A{1}", "1L", "v2 + v6"],
];

/** Two classes, X and Y, of which Y may be made of X. `random`: evenly from 0 to below 1. */
export function objectSet(random: () => number): ClangSet {
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;

  const parameter = (): string => {
    const t = pick([...numbers, ...numbers, "A", "B"]);
    return pick([t, t, `const thread ${t} &`, `thread ${t} &&`, `thread ${t} *`, `thread ${t} &`]);
  };

  const constructors = (name: string, first: number, other: string | undefined): string[] => {
    const made = new Map<string, string>();
    for (let k = 0; k <= below(4); k++) {
      const count = pick([1, 1, 1, 2, 0]);
      const types = Array.from({ length: count }, parameter);
      if (other !== undefined && count === 1 && below(6) === 0) types[0] = pick([other, `const thread ${other} &`]);
      const isTemplate = count > 0 && below(6) === 0;
      if (isTemplate) types[0] = pick(["T", "thread T *", "const thread T &"]);
      const key = isTemplate ? `template of ${count}` : types.join(", ");
      if (made.has(key)) continue;
      const list = types.map((t, i) => `${t} p${i}`).join(", ");
      const head = `${isTemplate ? "template <typename T> " : ""}${below(3) === 0 ? "explicit " : ""}`;
      made.set(key, `${head}${name}(${list}) : id(${first + k}) {}`);
    }
    return [...made.values()];
  };

  const conversions = (): string[] => {
    const made = new Map<string, string>();
    for (let k = 0; k < below(3); k++) {
      const type = pick(numbers);
      const value = type === "E" ? "e1" : type === "bool" ? "true" : String(50 + k);
      made.set(type, `${below(4) === 0 ? "explicit " : ""}operator ${type}() const { return ${value}; }`);
    }
    return [...made.values()];
  };

  const struct = (name: string, first: number, other?: string): string =>
    `struct ${name} { int id; ${[...constructors(name, first, other), ...conversions()].join(" ")} };`;

  const starts = (name: string): string[] => [`${name} w(v0);`, `${name} w(v5);`, `${name} w(va);`, `${name} w;`];
  const whole = { X: pick(starts("X")), Y: pick(starts("Y")) };

  const numberOf = (type: string): ClangSet["cases"][number] => {
    const object = whole[pick(["X", "Y"] as const)];
    return pick([
      ...[`${type} s = w;`, `${type} s(w);`, `${type} s = (${type})w;`].map((text) => ({
        statements: `${object} ${text}`,
        result: "int(s)",
      })),
      { statements: `${object} int s = w + 1;`, result: "s" },
      { statements: `${object} bool s = w && true;`, result: "int(s)" },
      { statements: `${object} int s = 0; if (w) s = 1;`, result: "s" },
    ]);
  };

  const objectOf = (type: "X" | "Y"): ClangSet["cases"][number] => {
    const [a, b] = [pick(argumentsGiven), pick(argumentsGiven)];
    const list = below(4) === 0 ? `${a}, ${b}` : a;
    const [own, other] = type === "X" ? [whole.X, whole.Y] : [whole.Y, whole.X];
    const object = [
      `${type} s(${list});`,
      `${type} s{${list}};`,
      `${type} s = {${list}};`,
      `${type} s = ${a};`,
      `${type} s = ${type}(${list});`,
      `${type} s = (${type})${a};`,
      `${type} s = static_cast<${type}>(${a});`,
      `auto s = ${type}{${list}};`,
      `${own} ${type} s = w;`,
      `${other} ${type} s = w;`,
      `${other} ${type} s(w);`,
      `${own} w = ${a}; ${type} s = w;`,
      `${type} s;`,
      `${type} s{};`,
    ].map((statements) => ({ statements, result: "s.id" }));
    return pick([
      ...object,
      { statements: "", result: `g${type}(${a})` },
      { statements: "", result: `g${type}({${list}})` },
      { statements: `${type} s[1] = {${a}};`, result: "s[0].id" },
      { statements: `struct { int k; ${type} m; } s = {1, ${a}};`, result: "s.m.id" },
    ]);
  };

  return {
    before: [struct("X", 10), struct("Y", 20, "X"), "int gX(X p) { return p.id; } int gY(Y p) { return p.id; }"],
    cases: Array.from({ length: 24 }, () => {
      const type = pick(["X", "X", "Y", ...numbers]);
      return type === "X" || type === "Y" ? objectOf(type) : numberOf(type);
    }),
  };
}
