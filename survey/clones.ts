/** Public kernels out of a folder of clones, each named owner+name (bare, or with the git directory in `repo`). */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { IncludeFunction } from "../src/index.js";

export interface Kernel {
  readonly repository: string;
  readonly commit: string;
  readonly path: string;
  readonly from: "msl" | "glsl" | "opencl" | "hlsl";
  /** Macros its host gives when it compiles the kernel. */
  readonly defines?: Readonly<Record<string, string>>;
}

const folder = process.env.CROSSLANE_SURVEY;

function gitOf(kernel: Kernel): string {
  if (!folder) throw new Error("set CROSSLANE_SURVEY to the folder of clones");
  const clone = join(folder, kernel.repository.replace("/", "+"));
  const git = [join(clone, "repo"), join(clone, "repo", ".git"), join(clone, ".git"), clone].find((path) =>
    existsSync(join(path, "HEAD")),
  );
  if (!git) throw new Error(`no clone of ${kernel.repository} in the folder`);
  return git;
}

export const show = (kernel: Kernel, path: string): string =>
  execFileSync("git", ["--git-dir", gitOf(kernel), "show", `${kernel.commit}:${path}`], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 1 << 26,
  });

/** Included files come from the same commit: beside the file that names them, else from the top of the repository. */
export const includeOf =
  (kernel: Kernel): IncludeFunction =>
  (path, from) => {
    for (const folderOf of [dirname(from ?? kernel.path), dirname(kernel.path), "."]) {
      const name = normalize(join(folderOf, path)).replaceAll("\\", "/");
      try {
        return { name, text: show(kernel, name) };
      } catch {
        continue;
      }
    }
    return undefined;
  };
