/** What `crosslane.config` may hold: one table for the checks, the JSON schema and the docs. */
import type { BindingLanguage } from "../bindings/languages.js";
import { profiles } from "../caps/profiles.js";
import { sourceDialects, targets } from "../dialects/ids.js";
import type { SourceDialect, Target } from "../dialects/ids.js";
import { clStds, hlslVersions } from "../dialects/language.js";
import type { ClStd, HlslVersion } from "../dialects/language.js";
import { readMacro } from "./defines-file.js";
import { encodingProblem } from "./files.js";
import { jsonSchema } from "./shape.js";
import type { Key, ObjectShape, Shape } from "./shape.js";

/** Of all kernels, of a target's, or of those a pattern names: what is said closer to the kernel wins, and maps are joined. */
export interface WritingConfig {
  readonly workgroupSize?: readonly number[];
  readonly subgroupSize?: number;
  readonly emulateSubgroups?: number;
  readonly local?: Readonly<Record<string, number>>;
  readonly strict?: boolean;
  readonly verify?: boolean;
  readonly sourceMap?: boolean | "inline";
  readonly lineDirectives?: boolean;
}

/** How sources are read. */
export interface ReadingConfig {
  readonly entry?: string;
  readonly defines?: Readonly<Record<string, string | number | boolean>>;
  readonly definesFiles?: readonly string[];
  readonly spec?: Readonly<Record<string, number | boolean>>;
  readonly arrayLength?: Readonly<Record<string, number>>;
  readonly includeDirs?: readonly string[];
  readonly prelude?: readonly string[];
  readonly hlslVersion?: HlslVersion;
  readonly enable16bitTypes?: boolean;
  readonly clStd?: ClStd;
  readonly encoding?: string;
  readonly keepUnused?: boolean;
}

export interface TargetConfig extends WritingConfig {
  readonly target: Target;
  readonly profile?: string;
  readonly deviceProfile?: string;
  readonly out?: string;
}

export interface KernelConfig extends ReadingConfig, WritingConfig {
  readonly launch?: string;
  readonly targets?: readonly Target[];
}

/** Where bindings for host code are written, by language. */
export type BindingsConfig = { readonly [L in BindingLanguage]?: string };

export interface Config extends ReadingConfig, WritingConfig {
  readonly $schema?: string;
  readonly inputs: string | readonly string[];
  readonly exclude?: string | readonly string[];
  readonly from?: SourceDialect;
  readonly targets: readonly (Target | TargetConfig)[];
  readonly out?: string;
  readonly bindings?: BindingsConfig;
  readonly kernels?: Readonly<Record<string, KernelConfig>>;
  readonly cache?: boolean | string;
  readonly jobs?: number;
}

const text: Shape = { kind: "text" };
const word: Shape = { kind: "word" };
const texts: Shape = { kind: "list", of: text, least: 0 };
const width: Shape = { kind: "whole", least: 1, most: 128, power: true };
const patterns: Shape = { kind: "either", of: [text, { kind: "list", of: text, least: 1 }] };

const writing: { readonly [K in keyof Required<WritingConfig>]: Key } = {
  workgroupSize: {
    shape: { kind: "list", of: { kind: "whole", least: 1, most: 65535 }, least: 1, most: 3 },
    doc: "Invocations of a workgroup, one to three numbers, where the source leaves them open.",
  },
  subgroupSize: { shape: width, doc: "The width of subgroups to write for." },
  emulateSubgroups: {
    shape: width,
    doc: "Subgroups of so many lanes through workgroup memory, for targets without them.",
  },
  local: {
    shape: { kind: "map", of: { kind: "whole", least: 1, most: 2 ** 20 } },
    doc: "Bytes of workgroup memory that is sized at launch, by argument.",
  },
  strict: { shape: word, doc: "Guard what is otherwise assumed, or refuse it." },
  verify: {
    shape: word,
    doc: "Run source and translation in the simulator, and write only what computes the same. Launches come from a launch file beside the kernel, or are derived.",
  },
  sourceMap: {
    shape: { kind: "either", of: [word, { kind: "choice", of: ["inline"], what: "place of a source map" }] },
    doc: 'A source map beside each text, as <file>.map, or in a comment at its end ("inline").',
  },
  lineDirectives: { shape: word, doc: "#line directives that lead to the source, in targets that have them." },
};

const reading: { readonly [K in keyof Required<ReadingConfig>]: Key } = {
  entry: { shape: text, doc: "The entry point, where there are several and only one is wanted." },
  defines: {
    shape: {
      kind: "map",
      of: { kind: "either", of: [text, { kind: "whole", least: -(2 ** 31), most: 2 ** 32 - 1 }, word] },
      key: (name) => {
        const read = readMacro(name);
        return "problem" in read ? read.problem : name.includes("=") ? `'${name}' is no name of a macro` : undefined;
      },
    },
    doc: "Macros by name; 'F(x)' is one with a parameter. true is 1 and false is 0.",
  },
  definesFiles: {
    shape: texts,
    doc: "Files of macros: NAME, NAME=value or F(x)=value on each line, or a JSON object.",
  },
  spec: {
    shape: { kind: "map", of: { kind: "either", of: [{ kind: "number" }, word] } },
    doc: "Values of specialisation constants, by name or number; they count before a launch file's.",
  },
  arrayLength: {
    shape: { kind: "map", of: { kind: "whole", least: 1, most: 2048 } },
    doc: "How many there are of arrays of buffers that say no length, by name; a launch file that gives elements of one says it, too.",
  },
  includeDirs: { shape: texts, doc: "Folders includes may be read from, besides the file's own." },
  prelude: { shape: texts, doc: "Files that are read before each source, as -include of C compilers does." },
  hlslVersion: {
    shape: { kind: "choice", of: hlslVersions, what: "version of HLSL" },
    doc: "Version of HLSL sources, as DXC's -HV; without it 2021.",
  },
  enable16bitTypes: {
    shape: word,
    doc: "half and types of minimum precision of HLSL sources have 16 bits, as with DXC's -enable-16bit-types.",
  },
  clStd: {
    shape: { kind: "choice", of: clStds, what: "version of OpenCL C or C++ for OpenCL" },
    doc: "Version of OpenCL sources, as clang's -cl-std: OpenCL C, or C++ for OpenCL; without it the file's name or the text says it.",
  },
  encoding: {
    shape: { kind: "text", problem: encodingProblem },
    doc: "What sources without a mark are in, as browsers name it: shift_jis, gbk, windows-1252; without it UTF-8.",
  },
  keepUnused: { shape: word, doc: "Check and keep what no entry needs, too." },
};

const dialect: Shape = { kind: "choice", of: sourceDialects, what: "dialect" };
const target: Shape = { kind: "choice", of: targets, what: "target" };

const outDoc =
  "Where a text is written: {target}, {profile}, {dir} (the kernel's folder below the first folder of its pattern), {name} (the file's name without extension; behind it the kernel's, where a target takes one kernel a file), {entry}, {from} (the source's dialect) and {ext}.";

export const targetShape: ObjectShape<TargetConfig> = {
  kind: "object",
  keys: {
    target: { shape: target, doc: "What to write.", required: true },
    profile: {
      shape: { kind: "choice", of: [...profiles.keys()], what: "profile" },
      doc: "Version of the target.",
    },
    deviceProfile: {
      shape: text,
      doc: "Write only what a device has: a file of vulkaninfo --json, clinfo --json or crosslane devices --format profile.",
    },
    out: { shape: text, doc: outDoc },
    ...writing,
  },
};

const bindingsShape: ObjectShape<BindingsConfig> = {
  kind: "object",
  keys: {
    ts: { shape: text, doc: "Where the TypeScript module is written." },
    c: { shape: text, doc: "Where the C header is written." },
  },
};

const kernelShape: ObjectShape<KernelConfig> = {
  kind: "object",
  keys: {
    ...reading,
    ...writing,
    launch: { shape: text, doc: "Its launch file; without it <stem>.launch.json or launch.json beside the kernel." },
    targets: { shape: { kind: "list", of: target, least: 1 }, doc: "Only these of the targets." },
  },
};

export const configShape: ObjectShape<Config> = {
  kind: "object",
  keys: {
    $schema: { shape: text, doc: "This schema, for editors." },
    inputs: { shape: patterns, doc: "Kernels: files or globs, relative to the config.", required: true },
    exclude: {
      shape: patterns,
      doc: "Globs of what no glob of the inputs is to find. Files that crosslane wrote never are found; a file that is named is an input.",
    },
    from: { shape: dialect, doc: "Dialect of the sources, where it does not show in their extensions." },
    targets: {
      shape: { kind: "list", of: { kind: "either", of: [target, targetShape] }, least: 1 },
      doc: "What to write of each kernel: names of targets, or objects with settings.",
      required: true,
    },
    out: { shape: text, doc: `${outDoc} Without it out/{target}/{dir}/{name}.{ext}.` },
    bindings: {
      shape: bindingsShape,
      doc: 'Modules and headers for host code, with argument types, byte layouts and slots in each target: { "ts": "host/{dir}/{name}.ts", "c": "host/{dir}/{name}.h" }. {target} is ts or c there.',
    },
    ...reading,
    ...writing,
    kernels: {
      shape: { kind: "map", of: kernelShape },
      doc: "Settings of single kernels, by file or glob; one without / fits in every folder. Later ones win.",
    },
    cache: {
      shape: { kind: "either", of: [word, text] },
      doc: "Folder of what was translated before (without it .crosslane/cache beside the config), or false for none.",
    },
    jobs: {
      shape: { kind: "whole", least: 1, most: 256 },
      doc: "Translations at once; without it as many as there are processors, where that is faster.",
    },
  },
};

/** The schema that is shipped for editors. */
export const configSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "crosslane.config.json",
  description: "What `crosslane build` translates. Comments and commas behind the last value are allowed.",
  ...jsonSchema(configShape),
});

export const defaultOut = "out/{target}/{dir}/{name}.{ext}";
