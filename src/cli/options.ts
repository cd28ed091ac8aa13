/** Options several commands share, and how their values are read. */
import { Option } from "commander";
import type { Command } from "commander";
import { profiles } from "../caps/profiles.js";
import { sourceDialects, targets } from "../dialects/ids.js";
import type { SourceDialect, Target } from "../dialects/ids.js";
import { readMacro } from "../build/defines-file.js";
import { encodingProblem } from "../build/files.js";
import type { SourceSettings } from "../build/source.js";
import type { TargetSettings } from "../build/translate-input.js";
import { clStds, hlslVersions } from "../dialects/language.js";
import type { SpecValues } from "../api/types.js";
import type { ReportPolicy } from "../report/policy.js";
import { codes } from "../support/codes.js";
import type { Code } from "../support/codes.js";
import { didYouMean } from "../support/did-you-mean.js";
import { isSubgroupWidth } from "../types/subgroup-width.js";
import { withDeviceProfile } from "./device-profile.js";
import { machineFormats } from "./report.js";
import { UsageError } from "./usage-error.js";
import type { WatchMode } from "./watch.js";
import { wordPattern } from "../support/scan.js";

export interface SourceFlags extends SourceSettings {
  readonly from?: SourceDialect;
}

export interface TargetFlags extends TargetSettings {
  readonly to: readonly Target[];
  readonly deviceProfile?: string;
}

const collect =
  <T>(add: (value: string, before: T) => T) =>
  (value: string, before: T): T =>
    add(value, before);

export function withSourceFlags(command: Command): Command {
  return command
    .addOption(
      new Option("--from <dialect>", `dialect of the source: ${sourceDialects.join(", ")}`).argParser(readDialect),
    )
    .option("--entry <name>", "the entry point, where there are several")
    .addOption(
      new Option("--hlsl-version <version>", "version of an HLSL source, as DXC's -HV (default: 2021)").choices(
        hlslVersions,
      ),
    )
    .addOption(
      new Option(
        "--cl-std <version>",
        "version of an OpenCL source, as clang's -cl-std: clc++2021 is C++ for OpenCL (default: by its name or text)",
      ).choices(clStds),
    )
    .option("--enable-16bit-types", "half of an HLSL source has 16 bits, as with DXC's -enable-16bit-types")
    .addOption(
      new Option(
        "--encoding <name>",
        "what sources without a mark are in: shift_jis, gbk, windows-1252 (default: UTF-8)",
      ).argParser(readEncoding),
    )
    .option("--keep-unused", "check and keep what no entry needs, too, of included files as well")
    .addOption(
      new Option("-D, --define <name[=value]>", "define a macro; 'F(x)=value' is one with parameters")
        .default({}, "none")
        .argParser(collect<Record<string, string>>((value, before) => ({ ...before, ...readDefine(value) }))),
    )
    .addOption(
      new Option("--spec <name=value>", "the value of a specialisation constant, by its name or number")
        .default({}, "none")
        .argParser(collect<SpecValues>((value, before) => ({ ...before, ...readSpec(value) }))),
    )
    .addOption(
      new Option("--array-length <name=n>", "how many there are of an array of buffers that says no length")
        .default({}, "none")
        .argParser(collect<Record<string, number>>((value, before) => ({ ...before, ...readLength(value) }))),
    )
    .addOption(
      new Option("--defines <file>", "a file of macros: NAME, NAME=value or F(x)=value on each line, or a JSON object")
        .default([], "none")
        .argParser(collect<string[]>((value, before) => [...before, value])),
    )
    .addOption(
      new Option("--prelude <file>", "a file that is read before the source, as -include of C compilers does")
        .default([], "none")
        .argParser(collect<string[]>((value, before) => [...before, value])),
    )
    .addOption(
      new Option("-I, --include-dir <dir>", "a folder includes may be read from, besides the file's own")
        .default([], "none")
        .argParser(collect<string[]>((value, before) => [...before, value])),
    );
}

export function withTargetFlags(command: Command): Command {
  return withDeviceProfile(command)
    .addOption(
      new Option("--to <targets>", `what to write: ${targets.join(", ")}; several with commas`)
        .argParser(readTargets)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        "--target-profile <profile>",
        "version of a target, e.g. msl2.4, vulkan1.2, opencl1.2, sm6.0",
      ).argParser(readProfile),
    )
    .addOption(
      new Option("--workgroup-size <x,y,z>", "where the source leaves it open").argParser((v) =>
        readSizes(v, "--workgroup-size"),
      ),
    )
    .addOption(
      new Option("--subgroup-size <n>", "the width to write for").argParser((v) => readWidth(v, "--subgroup-size")),
    )
    .addOption(emulateOption())
    .addOption(
      new Option("--local <name=bytes>", "bytes of workgroup memory that is sized at launch")
        .default({}, "none")
        .argParser(collect<Record<string, number>>((value, before) => ({ ...before, ...readLocal(value) }))),
    )
    .option("--strict", "guard what is otherwise assumed, or refuse it", false);
}

/** The mode stands behind `=` alone (`main.ts`), so that files may follow. */
export const watchOption = (what: string): Option =>
  new Option("--watch [mode]", `${what}; with =stdin until standard input ends`).argParser(
    (mode: string): WatchMode => {
      if (mode === "") return true;
      if (mode === "stdin") return mode;
      throw new UsageError(
        `there is no '--watch=${mode}'`,
        "--watch ends when it is stopped, --watch=stdin with its input",
      );
    },
  );

export const emulateOption = (): Option =>
  new Option(
    "--emulate-subgroups <n>",
    "subgroups of n lanes through workgroup memory, for targets without them",
  ).argParser((v) => readWidth(v, "--emulate-subgroups"));

export function formatOption<T extends string>(choices: readonly T[]): Option {
  return new Option("--format <format>", `${choices.join(", ")}`).choices(choices).default(choices[0]);
}

/** How diagnostics are reported; commands whose own output is something else than a report have other formats. */
export function withReportFlags(
  command: Command,
  formats: readonly [string, ...string[]] = ["pretty", ...machineFormats],
): Command {
  return command
    .addOption(formatOption(formats))
    .addOption(
      new Option("--max-errors <n>", "show at most n errors, and count the rest").argParser((v) =>
        readWhole(v, "--max-errors", 1, 1_000_000),
      ),
    )
    .addOption(
      new Option("--error-on <codes>", "warnings of these codes are errors; all: every warning")
        .default([], "none")
        .argParser(
          collect<ReportPolicy["errorOn"]>((value, before) =>
            before === "all" || value === "all" ? "all" : [...before, ...readCodes(value)],
          ),
        ),
    )
    .addOption(
      new Option("--suppress <codes>", "do not show warnings and notes of these codes")
        .default([], "none")
        .argParser(collect<Code[]>((value, before) => [...before, ...readCodes(value)])),
    );
}

export const readCodes = (value: string): Code[] =>
  value
    .split(",")
    .map((part) =>
      oneOf(
        part.trim().toUpperCase(),
        Object.keys(codes) as Code[],
        "code of a diagnostic",
        "codes are XL and four digits, as messages have them",
      ),
    );

function oneOf<T extends string>(value: string, known: readonly T[], what: string, otherwise?: string): T {
  if ((known as readonly string[]).includes(value)) return value as T;
  throw new UsageError(
    `'${value}' is no ${what}`,
    didYouMean(value, known) ?? otherwise ?? `known are ${known.join(", ")}`,
  );
}

export const readDialect = (value: string): SourceDialect => oneOf(value, sourceDialects, "dialect");

export function readProfile(value: string): string {
  if (profiles.has(value)) return value;
  throw new UsageError(
    `there is no profile '${value}'`,
    didYouMean(value, profiles.keys()) ?? `profiles are ${[...profiles.keys()].join(", ")}`,
  );
}

function readEncoding(value: string): string {
  const problem = encodingProblem(value);
  if (problem === undefined) return value;
  throw new UsageError(problem, "encodings have the names that browsers know: utf-8, shift_jis, gbk, windows-1252");
}

/** Given more than once, all are meant. */
export function readTargets(value: string, before: readonly Target[] = []): Target[] {
  const list = value.split(",").map((v) => oneOf(v.trim(), targets, "target"));
  return [...new Set([...before, ...list])];
}

export const threadsOption = (): Option =>
  new Option(
    "--threads <n>",
    "threads a launch may take where no order of its workgroups shows (default: as many as there are processors, at most 8)",
  ).argParser((v) => readWhole(v, "--threads", 1, 256));

export function readWhole(value: string, option: string, least: number, most: number): number {
  const number = /^[0-9]{1,10}$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${option} takes a whole number from ${least} to ${most}, not '${value}'`);
}

export function readSizes(value: string, option: string): number[] {
  const parts = value.split(/[,x]/);
  if (parts.length > 3) throw new UsageError(`${option} takes one to three numbers, not '${value}'`);
  return parts.map((part) => readWhole(part.trim(), option, 1, 65535));
}

export function readWidth(value: string, option: string): number {
  const width = readWhole(value.trim(), option, 1, 128);
  if (!isSubgroupWidth(width)) throw new UsageError(`a subgroup width is a power of two, not ${width}`);
  return width;
}

export const readWidths = (value: string, before: readonly number[] = []): number[] => [
  ...before,
  ...value.split(",").map((part) => readWidth(part, "--subgroup-sizes")),
];

export function readDefine(value: string): Readonly<Record<string, string>> {
  const read = readMacro(value);
  if ("problem" in read) throw new UsageError(read.problem, read.help);
  return read.macro;
}

const specPattern = new RegExp(String.raw`^\s*(${wordPattern}|\d+)\s*=\s*(\S+)\s*$`, "u");

/** `NAME=value`, `3=value`: a whole number (decimal, or hexadecimal with 0x), a float, true or false. */
export function readSpec(value: string): SpecValues {
  const [, name, text] = specPattern.exec(value) ?? [];
  if (name === undefined || text === undefined)
    throw new UsageError(`--spec takes name=value or number=value, not '${value}'`);
  if (text === "true" || text === "false") return { [name]: text === "true" };
  if (/^[+-]?\d+$/.test(text) || /^0[xX][0-9a-fA-F]+$/.test(text)) return { [name]: BigInt(text.replace(/^\+/, "")) };
  const special = { nan: NaN, inf: Infinity, "-inf": -Infinity }[text];
  if (special === undefined && !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text))
    throw new UsageError(`--spec ${name} takes a number, true or false, not '${text}'`);
  return { [name]: special ?? Number(text) };
}

function readLength(value: string): Record<string, number> {
  const at = value.indexOf("=");
  if (at < 1) throw new UsageError(`--array-length takes name=n, not '${value}'`);
  return { [value.slice(0, at)]: readWhole(value.slice(at + 1), "--array-length", 1, 2048) };
}

function readLocal(value: string): Record<string, number> {
  const at = value.indexOf("=");
  if (at < 1) throw new UsageError(`--local takes name=bytes, not '${value}'`);
  return { [value.slice(0, at)]: readWhole(value.slice(at + 1), "--local", 1, 2 ** 20) };
}
