import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProgram, makeJudge, missingPrograms } from "./judge.js";
import { mapInPairs, run, withScratch } from "./run.js";

export interface GlslOptions {
  /** The environment of both programs; the default is that of the default profile. */
  readonly target?: "vulkan1.1" | "vulkan1.2" | "vulkan1.3";
}

const programs = ["glslangValidator", "spirv-val"];

export const glslJudge = makeJudge<GlslOptions>({
  id: "glsl",
  tool: "glslangValidator and spirv-val",
  missing: () => missingPrograms(programs),
  dependsOn: () => [...programs.map((name) => findProgram(name)!), fileURLToPath(import.meta.url)],
  judge: (texts) =>
    withScratch((folder) =>
      mapInPairs(texts, async ({ text, options }, index) => {
        const target = options?.target ?? "vulkan1.3";
        const source = join(folder, `${index}.comp`);
        const binary = join(folder, `${index}.spv`);
        writeFileSync(source, text);
        const compiled = await run("glslangValidator", [
          "-V",
          "--target-env",
          target,
          "-S",
          "comp",
          source,
          "-o",
          binary,
        ]);
        const said = (compiled.stdout + compiled.stderr).replace(source, "").trim();
        if (compiled.status !== 0) return { ok: false, log: said };
        const validated = await run("spirv-val", ["--target-env", target, binary]);
        if (validated.status !== 0)
          return { ok: false, log: `spirv-val: ${validated.stdout}${validated.stderr}`.trim() };
        return { ok: true, log: said };
      }),
    ),
});
