/**
 * Names: every word of any dialect, of C, C++ and JavaScript, in every role, through every pair of dialects. The compiler
 * of the target has to take the text, our reading of it has to compute what the source does, and of functions in HLSL DXC
 * has to call the program's own, which its constant folding shows.
 */
import { readFileSync } from "node:fs";
import { isReserved, type NameRole } from "../../src/dialects/reserved.js";
import { twoWayDialects, targets, type TwoWayDialect, type Target } from "../../src/dialects/ids.js";
import { translate, verify, type TranslateOptions } from "../../src/index.js";
import { judgeable, judgeOutputs, judges } from "../support/judges/outputs.js";
import { foreignWords } from "../support/judges/msl-language.js";
import type { FuzzFailure, FuzzOutcome, FuzzSuite } from "./suite.js";

export const candidates: readonly string[] = readFileSync(
  new URL("../support/names/candidates.txt", import.meta.url),
  "utf8",
)
  .split("\n")
  .filter((line) => !line.startsWith("#"))
  .join(" ")
  .split(/\s+/)
  .filter((word) => word !== "");

interface Kernel {
  readonly dialect: TwoWayDialect;
  /** At file scope, behind the buffer `o`. */
  readonly file: readonly string[];
  /** Adds to `t`. */
  readonly body: readonly string[];
  /** Further buffers of ints. */
  readonly buffers?: readonly string[];
  readonly entry?: string;
}

function textOf({ dialect, file, body, buffers = [], entry = "kernel_of_names" }: Kernel): string {
  const inner = `  int t = 0;\n${body.map((line) => `  ${line}\n`).join("")}  o_[i_] = t;\n}\n`;
  const declared = file.map((line) => `${line}\n`).join("");
  switch (dialect) {
    case "opencl":
      return `${declared}__kernel void ${entry}(${["o_", ...buffers].map((b) => `__global int *${b}`).join(", ")}) {\n  int i_ = (int)get_global_id(0);\n${inner}`;
    case "msl":
      return `#include <metal_stdlib>\nusing namespace metal;\n${declared}kernel void ${entry}(${["o_", ...buffers].map((b, k) => `device int *${b} [[buffer(${String(k)})]], `).join("")}uint g_ [[thread_position_in_grid]]) {\n  int i_ = int(g_);\n${inner}`;
    case "glsl":
      return `#version 450\nlayout(local_size_x = 64) in;\n${["o_", ...buffers].map((b, k) => `layout(std430, set = 0, binding = ${String(k)}) buffer Block${String(k)} { int ${b}[]; };\n`).join("")}${declared}void main() {\n  int i_ = int(gl_GlobalInvocationID.x);\n${inner}`;
    case "hlsl":
      return `${["o_", ...buffers].map((b, k) => `RWStructuredBuffer<int> ${b} : register(u${String(k)});\n`).join("")}${declared}[numthreads(64, 1, 1)]\nvoid ${entry}(uint3 g_ : SV_DispatchThreadID) {\n  int i_ = int(g_.x);\n${inner}`;
  }
}

/** The role a name has in the source, with the kernel that gives each name of a list that role and a number of its own. */
type Role = Exclude<NameRole, "block">;
export const roles: readonly Role[] = [
  "function",
  "local",
  "member",
  "type",
  "variable",
  "enumerator",
  "macro",
  "buffer",
  "entry",
];

const number = (k: number): string => String(3 + 7 * k);

function kernelOf(dialect: TwoWayDialect, role: Role, names: readonly string[]): Kernel | undefined {
  const constant = { opencl: "__constant int", msl: "constant int", glsl: "const int", hlsl: "static const int" }[
    dialect
  ];
  const of = (file: (n: string, k: number) => string, body: (n: string, k: number) => string): Kernel => ({
    dialect,
    file: names.map(file),
    body: names.map(body),
  });
  const struct = dialect === "opencl" ? "struct " : "";
  const sum = (value: string): string => `t = (t * 3 + ${value}) & 0xffffff;`;
  switch (role) {
    case "function":
      return of(
        (n, k) => `int ${n}(int a_, int b_) { return a_ * 10 + b_ + ${number(k)}; }`,
        (n) => sum(`${n}(i_, 3)`),
      );
    case "local":
      return of(
        (n, k) => `int parameter_${String(k)}_(int ${n}) { return ${n} + ${number(k)}; }`,
        (n, k) => `{ int ${n} = i_ + ${number(k)}; ${n} += 2; ${sum(`parameter_${String(k)}_(${n} & 255)`)} }`,
      );
    case "member":
      return of(
        (n, k) => `struct Struct_${String(k)}_ { int ${n}; int other_; };`,
        (n, k) =>
          `{ ${struct}Struct_${String(k)}_ s_; s_.other_ = 5; s_.${n} = i_ + ${number(k)}; s_.${n} += s_.other_; ${sum(`s_.${n}`)} }`,
      );
    case "type":
      return of(
        (n) => `struct ${n} { int a_; };`,
        (n, k) => `{ ${struct}${n} s_; s_.a_ = i_ + ${number(k)}; ${sum("s_.a_")} }`,
      );
    case "variable":
      return of(
        (n, k) => `${constant} ${n} = ${number(k)};`,
        (n) => sum(`(i_ ^ ${n})`),
      );
    case "enumerator":
      if (dialect === "glsl") return undefined;
      return of(
        (n, k) => `enum { ${n} = ${number(k)} };`,
        (n) => sum(`(i_ ^ ${n})`),
      );
    case "macro":
      return of(
        (n, k) => `#define ${n} ${number(k)}`,
        (n) => sum(`(i_ ^ ${n})`),
      );
    case "buffer":
      return {
        dialect,
        file: [],
        buffers: names,
        body: names.map((n, k) => `${n}[i_] = i_ + ${number(k)}; ${sum(`${n}[i_]`)}`),
      };
    case "entry":
      return dialect === "glsl" || names.length !== 1
        ? undefined
        : { dialect, file: [], body: ["t = i_ * 7;"], entry: names[0]! };
  }
}

/** Names a case asks for at once. */
const perKernel: Readonly<Record<Role, number>> = {
  function: 24,
  local: 24,
  member: 24,
  type: 24,
  variable: 24,
  enumerator: 24,
  macro: 24,
  buffer: 4,
  entry: 1,
};

/** What goes one way in one text. */
interface Question {
  readonly seed: number;
  readonly from: TwoWayDialect;
  readonly to: Target;
  readonly role: Role;
  readonly names: readonly string[];
}

interface Answer {
  readonly problem?: string;
  readonly text: string;
}

/** What is wrong with the names of each question on their way, or nothing. */
async function ask(questions: readonly Question[]): Promise<Answer[]> {
  const made = await Promise.all(questions.map(translated));
  const texts = made.flatMap((m, i) => (m.judged === undefined ? [] : [{ index: i, text: m.judged }]));
  const judged = await judgeOutputs(
    texts.map(({ index, text }) => judgeable(questions[index]!.to as TwoWayDialect, "names", text)),
  );
  const answers: Answer[] = made.map(({ problem, text }) => ({ text, ...(problem === undefined ? {} : { problem }) }));
  judged.forEach(({ ok, log }, j) => {
    const { index } = texts[j]!;
    if (!ok) answers[index] = { ...answers[index]!, problem: `the compiler: ${log.slice(0, 400)}` };
  });
  for (const [i, q] of questions.entries()) {
    if (answers[i]!.problem !== undefined) continue;
    const verified = await verify(sourceOf(q), { ...optionsOf(q), subgroupSizes: [32], seeds: 1 }).catch(String);
    if (typeof verified === "string") {
      answers[i] = { ...answers[i]!, problem: verified };
      continue;
    }
    const { result, diagnostics } = verified;
    const said = JSON.stringify(diagnostics.map((d) => [d.message, d.notes.map((n) => n.message)])).slice(0, 400);
    if (result !== "equivalent") answers[i] = { ...answers[i]!, problem: `read again: ${result}: ${said}` };
  }
  return answers;
}

const sourceOf = (q: Question): string => textOf(kernelOf(q.from, q.role, q.names)!);
const optionsOf = ({ from, to }: Question): TranslateOptions => ({
  from,
  to,
  workgroupSize: [64, 1, 1],
  fileName: "names",
});

async function translated(q: Question): Promise<Answer & { judged?: string }> {
  const source = sourceOf(q);
  const { code, diagnostics } = await translate(source, optionsOf(q));
  const error = diagnostics.find((d) => d.severity === "error");
  if (error || code === undefined) return { problem: `${error?.message ?? "no text"}`, text: source };
  const text = `${source}\n// ---- ${q.to}\n${code}`;
  return q.to === "ts" ? { text } : { text, judged: folded(q.to, q.role, code, q.names.length) };
}

/** For DXC, with an entry that compiles only where all calls give what the functions of the program do. */
function folded(to: Target, role: Role, text: string, count: number): string {
  if (to !== "hlsl" || role !== "function") return text;
  const functions = [...text.matchAll(/^int (\w+)\(int \w+, int \w+\) \{\s*return .* \+ (\d+)(?:u\))?;/gm)];
  if (functions.length !== count) return `#error ${String(functions.length)} functions of ${String(count)}\n${text}`;
  const all = functions.map(([, name, own]) => `${name!}(2, 3) == ${String(23 + Number(own))}`).join(" && ");
  return `${text}
[numthreads(1, 1, 1)] void folding_of_names() {
  int lim_ = (${all}) ? 3 : o_[0];
  [unroll] for (int j_ = 0; j_ < lim_; j_++) o_[j_] = 1;
}
`;
}

const kinds = twoWayDialects.flatMap((from) => targets.flatMap((to) => roles.map((role) => ({ from, to, role }))));

/** Words of the OpenCL C++ beneath the MSL judge: it renames those that are no macros, and knows one macro of its own. */
const besideShim = ({ from, to, role }: Omit<Question, "seed" | "names">, name: string): boolean =>
  (role === "macro" && to === "msl" && foreignWords.test(name)) ||
  ((from === "msl" || to === "msl") && name === "cles_khr_int64");

/** What the kernels are written with. */
const frameWords = new Set(
  twoWayDialects.flatMap((d) => textOf({ dialect: d, file: [], body: [] }).match(/\w+/g) ?? []),
);

/** Case `seed`: a pair, a role and a stretch of the candidates; all of them in turn. */
function questionOf(seed: number): Question | undefined {
  // A step that is prime to the number of kinds, so that a few cases in a row are of different pairs and roles.
  const kind = kinds[(seed * 37) % kinds.length]!;
  const size = perKernel[kind.role];
  const start = (Math.floor(seed / kinds.length) * size + seed * 97) % candidates.length;
  const names = [...candidates, ...candidates]
    .slice(start, start + size)
    .filter((n) => !isReserved(kind.from, n, kind.role) && !frameWords.has(n) && !besideShim(kind, n));
  const question = { seed, ...kind, names };
  return names.length === 0 || !kernelOf(kind.from, kind.role, names) ? undefined : question;
}

export const namesSuite: FuzzSuite = {
  name: "names",
  about: "any word as any name, through all pairs, against the compilers, a run, and what DXC folds",
  sample: { seed: 1, cases: 36 },
  missing: () => [...new Set(Object.values(judges).flatMap((j) => j.missing()))],
  async run(seed, cases): Promise<FuzzOutcome> {
    const failures: FuzzFailure[] = [];
    const first = Array.from({ length: cases }, (_, i) => questionOf(seed + i)).filter((q) => q !== undefined);
    let open: readonly Question[] = first;
    while (open.length > 0) {
      const answers = await ask(open);
      open = open.flatMap((q, i) => {
        const { problem, text } = answers[i]!;
        if (problem === undefined) return [];
        const half = Math.ceil(q.names.length / 2);
        if (q.names.length > 1) return [q.names.slice(0, half), q.names.slice(half)].map((names) => ({ ...q, names }));
        failures.push({ seed: q.seed, what: `'${q.names[0]!}' as ${q.role}, ${q.from} to ${q.to}: ${problem}`, text });
        return [];
      });
    }
    const asked = first.reduce((sum, q) => sum + q.names.length, 0);
    if (process.env["FUZZ_SUITES"]) console.log(`names: ${String(asked)} asked in cases from ${String(seed)}`);
    return { cases: first.length, failures };
  },
};
