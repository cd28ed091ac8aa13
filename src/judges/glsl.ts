import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, type Complaint, type GlslJudgeOptions, type Judge } from "./judge.js";
import { inScratchFolder, runProgram } from "./run-program.js";

/** `ERROR: kernel.comp:12: message`, with a column in newer versions. */
function complaintsOf(log: string): Complaint[] {
  return log.split("\n").flatMap((text): Complaint[] => {
    const match = /^(ERROR|WARNING): (?:.*?):(\d+):(?:(\d+):)? ?(.*)$/.exec(text);
    if (!match || match[4]!.includes("compilation terminated") || match[2] === "0") return [];
    return [
      {
        severity: match[1] === "ERROR" ? "error" : "warning",
        message: match[4]!.trim(),
        line: Number(match[2]),
        ...(match[3] === undefined ? {} : { column: Number(match[3]) }),
      },
    ];
  });
}

/** What a program says: its exit status, and standard output before standard error. */
export interface Said {
  /** Null: it did not end by itself. */
  readonly status: number | null;
  readonly log: string;
}

/** glslang and spirv-val by some way. */
export interface GlslCompiler {
  readonly tool: string;
  readonly missing: () => readonly string[];
  /**
   * What glslang says of the text as the file `kernel.comp`, and what spirv-val says of the module; only the first where there
   * is none. `scalar`: by the rules of VK_EXT_scalar_block_layout.
   */
  readonly compile: (
    text: string,
    target: NonNullable<GlslJudgeOptions["target"]>,
    scalar: boolean,
  ) => Promise<{ readonly compiled: Said; readonly validated?: Said }>;
}

export const glslJudgeBy = ({ tool, missing, compile }: GlslCompiler): Judge<"glsl"> => ({
  dialect: "glsl",
  tool,
  missing,
  async judge(text, { target = "vulkan1.3" }) {
    const { compiled, validated } = await compile(text, target, /GL_EXT_scalar_block_layout/.test(text));
    const log = compiled.log.replace(/^kernel\.comp\s*/, "").trim();
    if (compiled.status !== 0 || !validated) return { ok: false, log, complaints: complaintsOf(log) };
    if (validated.status === 0) return { ok: true, log, complaints: complaintsOf(log) };
    const said = `spirv-val: ${validated.log}`.trim();
    return { ok: false, log: said, complaints: [{ severity: "error", message: said.split("\n")[0]! }] };
  },
});

/** The programs `glslangValidator` and `spirv-val`. */
export const glslPrograms: GlslCompiler = {
  tool: "glslangValidator and spirv-val",
  missing: () => ["glslangValidator", "spirv-val"].filter((name) => findProgram(name) === undefined),
  compile: (text, target, scalar) =>
    inScratchFolder(async (folder) => {
      writeFileSync(join(folder, "kernel.comp"), text);
      const run = async (program: string, args: readonly string[]): Promise<Said> => {
        const { status, stdout, stderr } = await runProgram(program, args, folder);
        return { status, log: stdout + stderr };
      };
      const output = ["-S", "comp", "kernel.comp", "-o", "kernel.spv"];
      const compiled = await run("glslangValidator", ["-V", "--target-env", target, ...output]);
      if (compiled.status !== 0) return { compiled };
      const rules = scalar ? ["--scalar-block-layout"] : [];
      return { compiled, validated: await run("spirv-val", ["--target-env", target, ...rules, "kernel.spv"]) };
    }),
};

export const glslJudge = glslJudgeBy(glslPrograms);
