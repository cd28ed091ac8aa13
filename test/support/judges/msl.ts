import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MslJudgeOptions } from "../../../src/judges/judge.js";
import { mslJudgeBy } from "../../../src/judges/msl.js";
import { runProgram } from "../../../src/judges/run-program.js";
import { findProgram, makeJudge, missingPrograms } from "./judge.js";
import { checkMsl } from "./msl-check.js";

export type MslOptions = MslJudgeOptions;

const here = dirname(fileURLToPath(import.meta.url));
const shim = join(here, "..", "metal-shim");

/**
 * There is no Metal compiler here. The text is checked by our own reading (msl-check.ts), rewritten, and given to
 * clang as OpenCL C++, whose address spaces and vectors are those of Metal, with our own metal_stdlib.
 */
const flags = [
  ...["-x", "cl", "-cl-std=clc++2021", "--target=spir64", "-cl-no-stdinc", "-cl-single-precision-constant"],
  ...[
    "-Xclang",
    "-cl-ext=+all",
    "-fno-lax-vector-conversions",
    "-Werror=return-type",
    "-Wno-duplicate-decl-specifier",
    // Metal is C++14, OpenCL C++ is C++17: what came with C++17 and later, and clang's extensions, are errors.
    "-pedantic-errors",
    // Extensions of clang that published shaders of Metal use: ggml's blocks, MapLibre's vertices.
    "-Wno-gnu-anonymous-struct",
    "-Wno-nested-anon-types",
    "-Wno-c++20-designator",
    "-Wno-comment",
    "-Werror=pre-c++17-compat",
  ],
  ...[
    "-Wno-unused-value",
    "-fsyntax-only",
    "-fdiagnostics-absolute-paths",
    "-ferror-limit=10",
    "-ftemplate-backtrace-limit=1",
    "-fshow-overloads=best",
    "-fmacro-backtrace-limit=1",
  ],
];

/** What clang has built in as OpenCL C++ (clang 19, Builtins.td) is nothing in Metal. */
const foreign = `read_pipe write_pipe commit_read_pipe commit_write_pipe reserve_read_pipe reserve_write_pipe
  work_group_commit_read_pipe work_group_commit_write_pipe work_group_reserve_read_pipe work_group_reserve_write_pipe
  sub_group_commit_read_pipe sub_group_commit_write_pipe sub_group_reserve_read_pipe sub_group_reserve_write_pipe
  get_pipe_num_packets get_pipe_max_packets enqueue_kernel get_kernel_work_group_size get_kernel_max_sub_group_size_for_ndrange
  get_kernel_preferred_work_group_size_multiple get_kernel_sub_group_count_for_ndrange to_global to_local to_private`
  .split(/\s+/)
  .map((name) => `-D${name}=metal_${name}`);

/**
 * Functions as arguments of templates. clang takes them for OpenCL by reference only, since a pointer to one has an address space;
 * other pointers to functions stay errors.
 */
const withReferences = (text: string): string =>
  text.replace(/\btemplate\s*<(?:[^<>]|<[^<>]*>)*>/g, (header) =>
    header.replace(/\(\s*\*(?=\s*\w+\s*\)\s*\()/g, (opened) => opened.replace("*", "&")),
  );

/** crosslane's judge, with the shim for Metal's own compiler. */
export const mslJudge = makeJudge(
  mslJudgeBy({
    tool: "clang-19 with our metal_stdlib",
    missing: () => missingPrograms(["clang-19"]),
    async compile(folder, version, text) {
      const checked = checkMsl(text);
      if (checked.problems.length > 0) return { ok: false, log: describe(text, checked.problems) };
      const written = withReferences(checked.text);
      writeFileSync(join(folder, "kernel.cl"), written);
      // The line of a pragma would be one of the text.
      writeFileSync(join(folder, "extensions"), "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n");
      const extensions = written === checked.text ? [] : ["-include", "extensions"];
      const defines = ["-D__METAL__=1", `-D__METAL_VERSION__=${version.replace(".", "")}0`];
      const args = [...flags, ...foreign, ...defines, ...extensions, "-isystem", shim, "kernel.cl"];
      const { status, stderr } = await runProgram("clang-19", args, folder);
      return { ok: status === 0, log: stderr.replaceAll(join(folder, "kernel.cl"), "kernel.metal").trim() };
    },
  }),
  () => [
    findProgram("clang-19")!,
    ...readdirSync(shim).map((file) => join(shim, file)),
    ...readdirSync(here).flatMap((file) => (file.startsWith("msl") ? [join(here, file)] : [])),
  ],
);

function describe(text: string, problems: readonly { readonly offset: number; readonly message: string }[]): string {
  return problems
    .map(({ offset, message }) => `kernel.metal:${text.slice(0, offset).split("\n").length}: error: ${message}`)
    .join("\n");
}
