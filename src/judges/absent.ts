/** In place of `index.ts` where the program is for browsers (scripts/browser-bundle.mjs): no compiler can be started, so all are missing. */
import type { Target } from "../dialects/ids.js";
import type { Judge, JudgedDialect, Judgement } from "./judge.js";

const absent = <D extends JudgedDialect>(dialect: D, tool: string): Judge<D> => ({
  dialect,
  tool,
  missing: () => [tool],
  judge: judgeAs,
});

export const installedJudges: { readonly [D in JudgedDialect]: Judge<D> } = {
  msl: absent("msl", "xcrun metal"),
  glsl: absent("glsl", "glslangValidator"),
  opencl: absent("opencl", "clang"),
  hlsl: absent("hlsl", "dxc"),
};

export const isJudged = (target: Target): target is JudgedDialect => Object.hasOwn(installedJudges, target);

/** Nobody comes here: what is missing is asked first. */
export function judgeAs(): Promise<Judgement> {
  return Promise.reject(new Error("a browser starts no compilers"));
}
