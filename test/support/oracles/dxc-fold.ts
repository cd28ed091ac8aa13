import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HlslVersion } from "../../../src/dialects/language.js";
import { askDxc, askDxcPastFaults, dxcDependsOn, missingForDxc } from "../judges/dxc.js";
import { cacheFolder } from "../judges/judge.js";
import { inScratchFolder } from "../../../src/judges/run-program.js";

/**
 * DXC as an oracle of meaning: what it computes while it compiles. A case is statements without input, and expressions
 * after them; DXC folds them all, and the numbers are read from the stores of the DXIL that comes out. This shows order of
 * evaluation (let calls or operators change a variable), types of literals, the overload that is chosen (let each return
 * another number) and arithmetic.
 *
 * What DXC does not fold, its own intrinsics at some operands among them, is "undecided", never a guess.
 */
export interface FoldCase {
  /** Text at file scope: functions, structs, macros. */
  readonly declarations?: string;
  /** Runs first, in a block of the case's own; no `return`. `oracle_unknown` is a uint that DXC does not know. */
  readonly statements?: string;
  /** Evaluated in this order, after the statements: an effect of one is seen by the next. */
  readonly values: readonly (string | FoldValue)[];
  /** `-HV`; without it DXC's default, 2021. */
  readonly hlslVersion?: HlslVersion;
  /** The default is `cs_6_6`. */
  readonly profile?: `cs_6_${number}`;
  /** Further arguments, such as `-enable-16bit-types`. */
  readonly args?: readonly string[];
}

export interface FoldValue {
  readonly expression: string;
  /** What the expression is converted to, as an argument would be; a plain string is `uint`. */
  readonly type: "bool" | "uint" | "int" | "float" | "uint64_t" | "int64_t" | "double";
}

/**
 * Per value: bits as an unsigned number (a float's 32 bits, a bool's 0 or 1), "undecided" where DXC leaves work to the
 * device, "undefined" where it says that the value is (arithmetic on it may
 * be folded to anything: initialise what is read). A case that DXC does not compile is refused.
 */
export type FoldResult =
  | { readonly kind: "folded"; readonly values: readonly FoldedValue[] }
  | { readonly kind: "refused"; readonly log: string };

export type FoldedValue = bigint | "undecided" | "undefined";

/** Programs and files that are needed and not there. */
export const missingForFold = missingForDxc;

/** One result per case, in order. Cases with equal settings share a compilation; what was asked before is not asked again. */
export async function foldWithDxc(cases: readonly FoldCase[]): Promise<FoldResult[]> {
  const results = new Array<FoldResult>(cases.length);
  let open: number[][] = unitsOf(cases);
  while (open.length > 0) {
    const answers = await compileUnits(open.map((unit) => unitText(unit.map((i) => cases[i]!))));
    const parts: number[][] = [];
    open.forEach((unit, u) => {
      const answer = answers[u]!;
      // Of several cases one or more is refused: the parts tell which, in few rounds, since each starts wine.
      if (answer.kind === "refused" && unit.length > 1) {
        const size = Math.ceil(unit.length / 7);
        for (let at = 0; at < unit.length; at += size) parts.push(unit.slice(at, at + size));
        return;
      }
      let word = 0;
      for (const i of unit) {
        if (answer.kind === "refused") {
          results[i] = answer;
          continue;
        }
        const values = cases[i]!.values.map((value) => {
          const words = answer.words.slice(word, (word += wordsOf(value)));
          return joinWords(words);
        });
        results[i] = { kind: "folded", values };
      }
    });
    open = parts;
  }
  return results;
}

/** Whether DXC folds `condition` to true or false. */
export async function foldConditions(
  cases: readonly (Omit<FoldCase, "values"> & { readonly condition: string })[],
): Promise<(boolean | "undecided" | "undefined" | { readonly refused: string })[]> {
  const results = await foldWithDxc(
    cases.map(({ condition, ...rest }) => ({
      ...rest,
      values: [{ expression: condition, type: "bool" } as const],
    })),
  );
  return results.map((result) => {
    if (result.kind === "refused") return { refused: result.log };
    const value = result.values[0]!;
    return typeof value === "bigint" ? value !== 0n : value;
  });
}

/** The 32-bit value of each expression, all with the same declarations, each after its own run of the statements. */
export async function foldWords(
  setting: Omit<FoldCase, "values">,
  expressions: readonly string[],
): Promise<(number | "undecided" | "undefined" | { readonly refused: string })[]> {
  const results = await foldWithDxc(expressions.map((expression) => ({ ...setting, values: [expression] })));
  return results.map((result) => {
    if (result.kind === "refused") return { refused: result.log };
    const value = result.values[0]!;
    return typeof value === "bigint" ? Number(value) : value;
  });
}

/**
 * What whole kernels store, where they store it at constant indices: by index into a structured buffer, of several stores the
 * last. One workgroup of one thread is meant: what depends on ids is not known.
 */
export async function foldKernels(
  texts: readonly { readonly text: string; readonly entry: string; readonly hlslVersion?: HlslVersion }[],
): Promise<(ReadonlyMap<number, FoldedValue> | { readonly refused: string })[]> {
  return inScratchFolder(async (scratch) => {
    const output = (i: number): string => join(scratch, `${i}.ll`);
    const said = await askDxc(
      texts.map(({ text, entry, hlslVersion }, i) => {
        const path = join(scratch, `${i}.hlsl`);
        writeFileSync(path, text);
        return { profile: "cs_6_6", entry, path, args: ["-Vd", ...versionArgs(hlslVersion)], output: output(i) };
      }),
    );
    return said.map((answer, i) => {
      if (answer !== "ok") return { refused: answer };
      const words = new Map<number, FoldedValue>();
      const store = /@dx\.op\.rawBufferStore\.i32\(i32 140, %dx\.types\.Handle %\w+, i32 (\d+), i32 0, i32 ([^,]+),/g;
      for (const [, index, value] of readFileSync(output(i), "utf8").matchAll(store))
        words.set(Number(index), wordOf(value!, new Map()));
      return words;
    });
  });
}

interface UnitText {
  readonly text: string;
  readonly profile: string;
  readonly args: readonly string[];
  readonly words: number;
}

/** The log of what the compiler does not survive. */
export const faultLog = "DXC ends with a fault";

type UnitAnswer =
  | { readonly kind: "words"; readonly words: readonly FoldedValue[] }
  | { readonly kind: "refused"; readonly log: string };

const largestUnit = 48;

/** Marks the stores of the oracle among those of the cases: no case has so large a buffer. */
const firstOffset = 0x70000000;

function unitsOf(cases: readonly FoldCase[]): number[][] {
  const units: number[][] = [];
  const last = new Map<string, number[]>();
  cases.forEach((c, index) => {
    const shared = keyOfSetting(c);
    const unit = last.get(shared);
    if (unit !== undefined && unit.length < largestUnit && mayShare(c)) unit.push(index);
    else {
      const fresh = [index];
      units.push(fresh);
      last.set(shared, fresh);
    }
  });
  return units;
}

function keyOfSetting({ declarations, hlslVersion, profile, args }: FoldCase): string {
  return JSON.stringify([declarations, hlslVersion, profile, args]);
}

/** State at file scope would pass from one case to the next. */
function mayShare({ declarations = "", statements = "", values }: FoldCase): boolean {
  const inside = [statements, ...values.map(expressionOf)].join("\n");
  return (
    !/\bstatic\b(?!\s+const\b)|\bgroupshared\b|\bRW\w+/.test(`${declarations}\n${inside}`) && !/^\s*#/m.test(inside)
  );
}

function unitText(cases: readonly FoldCase[]): UnitText {
  const { declarations = "", hlslVersion, profile = "cs_6_6", args = [] } = cases[0]!;
  let words = 0;
  const blocks = cases.map((c) => {
    if (/\breturn\b/.test(c.statements ?? "")) throw new Error("statements of a case may not return");
    const stores = c.values.map((value, v) => {
      const type = typeof value === "string" ? "uint" : value.type;
      const name = `oracle_value${v}`;
      const store = storeOf(type, name, words);
      words += wordsOf(value);
      return `    ${type} ${name} = ${expressionOf(value)};\n    ${store}`;
    });
    return `  {\n${c.statements ?? ""}\n${stores.join("\n")}\n  }`;
  });
  const text = `${declarations}
RWByteAddressBuffer oracle_out : register(u0, space99);
[numthreads(1, 1, 1)]
void oracle_main(uint3 oracle_id : SV_DispatchThreadID) {
  uint oracle_unknown = oracle_id.x;
${blocks.join("\n")}
}
`;
  return { text, profile, args: [...versionArgs(hlslVersion), ...args], words };
}

const versionArgs = (version: HlslVersion | undefined): readonly string[] =>
  version === undefined ? [] : ["-HV", version];

function storeOf(type: FoldValue["type"], name: string, word: number): string {
  const store = (at: number, value: string) => `oracle_out.Store(${firstOffset + 4 * at}, ${value});`;
  switch (type) {
    case "bool":
      return store(word, `${name} ? 1u : 0u`);
    case "uint":
      return store(word, name);
    case "int":
    case "float":
      return store(word, `asuint(${name})`);
    case "uint64_t":
    case "int64_t":
      return `${store(word, `(uint)${name}`)} ${store(word + 1, `(uint)((uint64_t)${name} >> 32)`)}`;
    case "double":
      return `uint ${name}_low, ${name}_high; asuint(${name}, ${name}_low, ${name}_high); ${store(word, `${name}_low`)} ${store(word + 1, `${name}_high`)}`;
  }
}

function expressionOf(value: string | FoldValue): string {
  return typeof value === "string" ? value : value.expression;
}

function wordsOf(value: string | FoldValue): number {
  return typeof value !== "string" && (value.type.endsWith("64_t") || value.type === "double") ? 2 : 1;
}

function joinWords(words: readonly FoldedValue[]): FoldedValue {
  const [low, high = 0n] = words as readonly [FoldedValue, FoldedValue?];
  if (low === "undecided" || high === "undecided") return "undecided";
  if (low === "undefined" || high === "undefined") return "undefined";
  return low | (high << 32n);
}

async function compileUnits(units: readonly UnitText[]): Promise<UnitAnswer[]> {
  const missing = missingForFold();
  if (missing.length > 0) throw new Error(`DXC's folding needs ${missing.join(", ")}`);
  const folder = cacheFolder("verdicts", "dxc-fold");
  const tools = [...dxcDependsOn(), fileURLToPath(import.meta.url)].map((path) => {
    const { size, mtimeMs } = statSync(path);
    return `${path}:${size}:${mtimeMs}`;
  });
  const paths = units.map(({ text, profile, args }) =>
    join(
      folder,
      createHash("sha256")
        .update(JSON.stringify([tools, text, profile, args]))
        .digest("hex"),
    ),
  );
  const answers = paths.map(readAnswer);
  const open = units.flatMap((unit, index) => (answers[index] === undefined ? [{ unit, index }] : []));
  await inScratchFolder(async (scratch) => {
    const said = await askDxcPastFaults(
      open.map(({ unit, index }) => {
        const path = join(scratch, `${index}.hlsl`);
        writeFileSync(path, unit.text);
        // Without validation, which refuses stores of undefined values: here they are an answer.
        const args = ["-Vd", ...unit.args];
        const output = join(scratch, `${index}.ll`);
        return { profile: unit.profile, entry: "oracle_main", path, args, output };
      }),
    );
    open.forEach(({ unit, index }, i) => {
      const answer: UnitAnswer =
        said[i] === "ok"
          ? {
              kind: "words",
              words: storedWords(readFileSync(join(scratch, `${index}.ll`), "utf8"), unit.words),
            }
          : { kind: "refused", log: said[i] === "fault" ? faultLog : said[i]! };
      answers[index] = answer;
      writeAnswer(paths[index]!, answer);
    });
  });
  return answers.map((answer) => answer!);
}

/** What the module stores at each word of the output buffer. */
function storedWords(module: string, count: number): FoldedValue[] {
  const halves = halvesOfDoubles(module);
  const words = new Array<FoldedValue | undefined>(count);
  const store =
    /@dx\.op\.(?:rawBufferStore\.i32\(i32 140|bufferStore\.i32\(i32 69), %dx\.types\.Handle %\w+, i32 (\d+), i32 undef, i32 ([^,]+),/g;
  for (const [, offset, value] of module.matchAll(store)) {
    const word = (Number(offset) - firstOffset) / 4;
    if (word < 0) continue;
    if (words[word] !== undefined) throw new Error(`two stores to word ${word}:\n${module}`);
    words[word] = wordOf(value!, halves);
  }
  const absent = Array.from(words).findIndex((word) => word === undefined);
  if (absent >= 0) throw new Error(`no store to word ${absent}:\n${module}`);
  return words as FoldedValue[];
}

function wordOf(value: string, halves: ReadonlyMap<string, bigint>): FoldedValue {
  if (value === "undef") return "undefined";
  if (/^-?\d+$/.test(value)) return BigInt.asUintN(32, BigInt(value));
  return halves.get(value) ?? "undecided";
}

/** Values that are a word of a constant double: taking a double apart is an operation that DXC does not fold. */
function halvesOfDoubles(module: string): Map<string, bigint> {
  const doubles = new Map<string, bigint>();
  for (const [, name, value] of module.matchAll(
    /(%\w+) = call .*@dx\.op\.splitDouble\.f64\(i32 102, double ([^%)]+)\)/g,
  ))
    doubles.set(name!, bitsOfDouble(value!));
  const halves = new Map<string, bigint>();
  for (const [, name, of, which] of module.matchAll(/(%\w+) = extractvalue %dx\.types\.splitdouble (%\w+), ([01])/g)) {
    const bits = doubles.get(of!);
    if (bits !== undefined) halves.set(name!, which === "0" ? bits & 0xffffffffn : bits >> 32n);
  }
  return halves;
}

/** LLVM writes a double as a decimal number where that is exact, else as its bits. */
function bitsOfDouble(text: string): bigint {
  if (text.startsWith("0x")) return BigInt(text);
  return new BigUint64Array(Float64Array.of(Number(text)).buffer)[0]!;
}

function readAnswer(path: string): UnitAnswer | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"), (_, value: unknown) =>
      typeof value === "string" && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    ) as UnitAnswer;
  } catch {
    return undefined;
  }
}

function writeAnswer(path: string, answer: UnitAnswer): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(
    temporary,
    JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)),
  );
  renameSync(temporary, path);
}
