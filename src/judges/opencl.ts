import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clangComplaints, findProgram, type Judge, type OpenclJudgeOptions } from "./judge.js";
import { inScratchFolder, runProgram } from "./run-program.js";

/** Newest first; the headers of older ones lack what 3.0 has. */
const names = ["clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang"];
export const clang = (): string | undefined => names.find((name) => findProgram(name) !== undefined);

function clangFlags({ version = "3.0", half = false, extensions: beyond = false }: OpenclJudgeOptions): string[] {
  // A SPIR target offers every extension unless told otherwise. For 1.2: those that became core in 1.1, and fp64.
  const core12 = ["global_int32_base", "global_int32_extended", "local_int32_base", "local_int32_extended"].map(
    (name) => `+cl_khr_${name}_atomics`,
  );
  const extensions =
    version === "1.2"
      ? ["-all", ...core12, "+cl_khr_byte_addressable_store", "+cl_khr_fp64", ...(half ? ["+cl_khr_fp16"] : [])]
      : ["+all"];
  const cxx = version.startsWith("clc++");
  return [
    "-x",
    "cl",
    `-cl-std=${cxx ? version : `CL${version}`}`,
    "--target=spir64",
    "-Xclang",
    "-finclude-default-header",
    "-Xclang",
    `-cl-ext=${extensions.join(",")}`,
    // OpenCL C is C99: clang's extensions, and what C23 added (a declaration after a label, `{}` as an initialiser), are errors.
    ...(beyond || cxx ? [] : ["-pedantic-errors", "-Werror=incompatible-pointer-types"]),
    "-Wno-comment",
    // Unknown functions are an error in C99 and in OpenCL C; clang's default is only a warning in some modes.
    ...(cxx ? [] : ["-Werror=implicit-function-declaration", "-Werror=int-conversion"]),
    "-fsyntax-only",
  ];
}

export const openclJudge: Judge<"opencl"> = {
  dialect: "opencl",
  tool: "clang",
  missing: () => (clang() === undefined ? ["clang"] : []),
  judge: (text, options) =>
    inScratchFolder(async (folder) => {
      writeFileSync(join(folder, "kernel.cl"), text);
      const compiled = await runProgram(clang()!, [...clangFlags(options), "kernel.cl"], folder);
      const log = compiled.stderr.trim();
      return { ok: compiled.status === 0, log, complaints: clangComplaints(log) };
    }),
};
