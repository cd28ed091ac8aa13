/** Random sets of overloads and templates of MSL with calls of them: each function returns its number, and what its template was made for. */

import type { ClangSet } from "./beside-clang.js";

const scalars = ["int", "uint", "short", "ushort", "char", "uchar", "long", "ulong", "bool", "float", "E", "F"];
const numbers = scalars.slice(0, 10);
const types = [...scalars, "A", "B", "Box<int>", "Box<float>", "Box<A>"];
const usual = ["int", "int", "float", "uint", "long", "short", "bool", "A", "B", "E", "char", ...types];

/** What the functions are declared after: `kind` tells what T stands for, references and const of it included. */
export const overloadTypes = `enum E { e0, e1 = 3 };
enum class F { f0, f1 };
struct A { int x; };
struct B : A { int y; };
template <typename T> struct Box { T v; };
template <typename T> struct kind { static constexpr constant int id = 99; };
${types.map((t, i) => `template <> struct kind<${t}> { static constexpr constant int id = ${i + 1}; };`).join("\n")}
${types.map((t, i) => `template <> struct kind<const ${t}> { static constexpr constant int id = ${i + 31}; };`).join("\n")}
template <typename T> struct kind<thread T *> { static constexpr constant int id = 100 + kind<T>::id; };
template <typename T> struct kind<thread T &> { static constexpr constant int id = 200 + kind<T>::id; };`;

const startOf = (type: string): string =>
  type === "E" ? "e1" : type === "F" ? "F::f1" : scalars.includes(type) ? "1" : "{}";

/** Of each type a variable, a constant and an array, which the calls name. */
export const overloadVariables = types
  .map((t, i) => {
    const one = startOf(t);
    return `${t} v${i} = ${one}; const ${t} c${i} = ${one}; ${t} q${i}[3] = {${one}, ${one}, ${one}};`;
  })
  .join("\n");

/** Parameters of templates: what is in the brackets, the type, and what it is that `kind` is asked of. */
const templated = [
  ["typename T", "T"],
  ["typename T", "T"],
  ["typename T", "thread T *"],
  ["typename T", "const thread T &"],
  ["typename T", "thread T &"],
  ["typename T", "thread const T *"],
  ["typename T", "Box<T>"],
  ["typename T, int N", "thread T (&)[N]"],
  ["typename T", "thread T &&"],
  ["typename T", "const thread Box<T> &"],
] as const;

/** `random`: evenly from 0 to below 1. */
export function overloadSet(random: () => number): ClangSet {
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
  const arity = below(100) < 55 ? 1 : 2;

  const plain = (): string => {
    const t = pick(usual);
    return pick([
      t,
      t,
      t,
      `const thread ${t} &`,
      `thread ${t} &`,
      `thread ${t} *`,
      `const thread ${t} *`,
      `thread ${t} &&`,
    ]);
  };
  const named = (type: string, i: number): string =>
    type.includes("(&)") ? type.replace("(&)", `(&p${i})`) : `${type} p${i}`;

  const candidate = (number: number): { readonly key: string; readonly text: string } => {
    const brackets = new Set<string>();
    const isTemplate = below(100) < 45;
    const list = Array.from({ length: arity }, (_, i) => {
      if (!isTemplate || (i > 0 && below(2) === 0)) return named(plain(), i);
      const [head, type] = pick(templated);
      for (const part of head.split(", ")) brackets.add(part);
      return named(type, i);
    });
    const key = `${[...brackets].join(", ")}|${list.join(", ")}`;
    const result = isTemplate ? `${number * 1000} + kind<T>::id` : String(number * 1000);
    const head = isTemplate ? `template <${[...brackets].join(", ")}> ` : "";
    return { key, text: `${head}int f(${list.join(", ")}) { return ${result}; }` };
  };

  const argument = (): string => {
    const i = below(100) < 60 ? types.indexOf(pick(usual)) : below(types.length);
    const type = types[i]!;
    return pick([
      ...[
        `v${i}`,
        `v${i}`,
        `c${i}`,
        `&v${i}`,
        `&c${i}`,
        `q${i}`,
        `(v${i})`,
        `*&v${i}`,
        `(${type})v${i}`,
        `${type}(v${i})`,
      ],
      ...[numbers.includes(type) ? `+v${i}` : "v2 + v3", "v9 * v9", "1 ? v2 : v4"],
      ...["0", "1", "1u", "1L", "1.0f", "true", "'a'", "e1", "F::f0", "A{1}", "B{}"],
    ]);
  };

  const candidates = Array.from({ length: 2 + below(4) }, (_, k) => candidate(k + 1));
  return {
    before: [...new Map(candidates.map(({ key, text }) => [key, text])).values()],
    cases: Array.from({ length: 14 }, () => ({
      statements: "",
      result: `f(${Array.from({ length: arity }, argument).join(", ")})`,
    })),
  };
}
