import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, type Complaint, type Judge } from "./judge.js";
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

export const glslJudge: Judge<"glsl"> = {
  dialect: "glsl",
  tool: "glslangValidator and spirv-val",
  missing: () => ["glslangValidator", "spirv-val"].filter((name) => findProgram(name) === undefined),
  judge: (text, { target = "vulkan1.3" }) =>
    inScratchFolder(async (folder) => {
      writeFileSync(join(folder, "kernel.comp"), text);
      const args = ["-V", "--target-env", target, "-S", "comp", "kernel.comp", "-o", "kernel.spv"];
      const compiled = await runProgram("glslangValidator", args, folder);
      const log = (compiled.stdout + compiled.stderr).replace(/^kernel\.comp\s*/, "").trim();
      if (compiled.status !== 0) return { ok: false, log, complaints: complaintsOf(log) };
      const scalar = /GL_EXT_scalar_block_layout/.test(text) ? ["--scalar-block-layout"] : [];
      const validated = await runProgram("spirv-val", ["--target-env", target, ...scalar, "kernel.spv"], folder);
      if (validated.status === 0) return { ok: true, log, complaints: complaintsOf(log) };
      const said = `spirv-val: ${validated.stdout}${validated.stderr}`.trim();
      return { ok: false, log: said, complaints: [{ severity: "error", message: said.split("\n")[0]! }] };
    }),
};
