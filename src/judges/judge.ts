/**
 * The compilers that a text is written for, asked whether they take it. Those that are installed are started (Node
 * only); a machine never has all of them, so each says what it lacks.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { HlslVersion } from "../dialects/language.js";

export interface GlslJudgeOptions {
  /** The environment of glslang and spirv-val; the default is that of the default profile. */
  readonly target?: "vulkan1.1" | "vulkan1.2" | "vulkan1.3";
}

export interface OpenclJudgeOptions {
  /**
   * `3.0` (the default profile) is compiled with every extension the compiler knows; `1.2` is the core language only, no
   * sub-groups, no half arithmetic; `clc++2021` is C++ for OpenCL, which is read and not written.
   */
  readonly version?: "1.2" | "2.0" | "3.0" | "clc++2021";
  /** Beside 1.2: cl_khr_fp16. */
  readonly half?: boolean;
  /** What clang takes besides C99, as it does by itself: GNU C, and pointers that do not fit. */
  readonly extensions?: boolean;
}

export interface HlslJudgeOptions {
  /** Entry point; without it every function that has `[numthreads]` is compiled. */
  readonly entry?: string;
  /** The default is that of the default profile. */
  readonly profile?: `cs_6_${number}`;
  /** 16-bit types of their true width (`-enable-16bit-types`); needs `cs_6_2`. */
  readonly native16Bit?: boolean;
  /** The language version, `-HV`; the default is that of `--hlsl-version`. */
  readonly hlslVersion?: HlslVersion;
}

export interface MslJudgeOptions {
  /** Language version; the default is that of the default profile. */
  readonly version?: "2.0" | "2.1" | "2.2" | "2.3" | "2.4" | "3.0" | "3.1" | "3.2";
}

export interface JudgeOptions {
  readonly glsl: GlslJudgeOptions;
  readonly opencl: OpenclJudgeOptions;
  readonly hlsl: HlslJudgeOptions;
  readonly msl: MslJudgeOptions;
}

/** Dialects of which there is a compiler to ask. */
export type JudgedDialect = keyof JudgeOptions;

export interface Complaint {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Judgement {
  readonly ok: boolean;
  /** What the compiler said, line by line where it names places. */
  readonly complaints: readonly Complaint[];
  /** What it said, whole. */
  readonly log: string;
}

export interface Judge<D extends JudgedDialect = JudgedDialect> {
  readonly dialect: D;
  /** The compiler in words, for messages. */
  readonly tool: string;
  /** The programs that are needed and not there; read at call time. */
  readonly missing: () => readonly string[];
  judge(text: string, options: JudgeOptions[D]): Promise<Judgement>;
}

export function findProgram(name: string): string | undefined {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (folder === "") continue;
    for (const file of process.platform === "win32" ? [`${name}.exe`, name] : [name]) {
      const path = join(folder, file);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        continue;
      }
    }
  }
  return undefined;
}

/** `file:12:3: error: message`, as clang, DXC and Metal's compiler write it. */
export function clangComplaints(log: string): Complaint[] {
  return log.split("\n").flatMap((line): Complaint[] => {
    const match = /^(?:.*?):(\d+):(\d+): (?:fatal )?(error|warning): (.*)$/.exec(line.trimEnd());
    if (!match) return [];
    return [
      {
        severity: match[3] as "error" | "warning",
        message: match[4]!,
        line: Number(match[1]),
        column: Number(match[2]),
      },
    ];
  });
}
