import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProgram, makeJudge, missingPrograms } from "./judge.js";
import { mapInPairs, run, withScratch } from "./run.js";

export interface OpenclOptions {
  /**
   * `3.0` (the default profile) is compiled with every extension the compiler knows; `1.2` is what PoCL has: the
   * core language only, no sub-groups, no half arithmetic.
   */
  readonly version?: "1.2" | "2.0" | "3.0";
  /** Beside 1.2: cl_khr_fp16. */
  readonly half?: boolean;
}

function flags({ version = "3.0", half = false }: OpenclOptions): string[] {
  // A SPIR target offers every extension unless told otherwise. For 1.2: those that became core in 1.1, and fp64.
  const core12 = [
    "global_int32_base",
    "global_int32_extended",
    "local_int32_base",
    "local_int32_extended",
  ].map((name) => `+cl_khr_${name}_atomics`);
  const extensions =
    version === "1.2"
      ? [
          "-all",
          ...core12,
          "+cl_khr_byte_addressable_store",
          "+cl_khr_fp64",
          ...(half ? ["+cl_khr_fp16"] : []),
        ]
      : ["+all"];
  return [
    "-x",
    "cl",
    `-cl-std=CL${version}`,
    "--target=spir64",
    "-Xclang",
    "-finclude-default-header",
    "-Xclang",
    `-cl-ext=${extensions.join(",")}`,
    // OpenCL C is C99: clang's extensions, and what C23 added (a declaration after a label, `{}` as an initialiser), are errors.
    "-pedantic-errors",
    "-Wno-comment",
    // Unknown functions are an error in C99 and in OpenCL C; clang's default is only a warning in some modes.
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
    "-fsyntax-only",
  ];
}

export const openclJudge = makeJudge<OpenclOptions>({
  id: "opencl",
  tool: "clang-19",
  missing: () => missingPrograms(["clang-19"]),
  dependsOn: () => [findProgram("clang-19")!, fileURLToPath(import.meta.url)],
  judge: (texts) =>
    withScratch((folder) =>
      mapInPairs(texts, async ({ text, options }, index) => {
        const source = join(folder, `${index}.cl`);
        writeFileSync(source, text);
        const compiled = await run("clang-19", [...flags(options ?? {}), `${index}.cl`], {
          cwd: folder,
        });
        return { ok: compiled.status === 0, log: compiled.stderr.trim() };
      }),
    ),
});
