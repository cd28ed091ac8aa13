import type { Profile } from "../ast/profile.js";
import { showVersion } from "../caps/profiles.js";
import type { Target } from "../dialects/ids.js";
import type { HlslVersion } from "../dialects/language.js";
import { glslJudge } from "./glsl.js";
import { hlslJudge } from "./hlsl.js";
import type {
  GlslJudgeOptions,
  HlslJudgeOptions,
  Judge,
  JudgedDialect,
  Judgement,
  MslJudgeOptions,
  OpenclJudgeOptions,
} from "./judge.js";
import { mslJudge } from "./msl.js";
import { openclJudge } from "./opencl.js";

export type { Complaint, Judge, Judgement } from "./judge.js";

/** The compilers themselves, as far as they are installed. */
export const installedJudges: { readonly [D in JudgedDialect]: Judge<D> } = {
  msl: mslJudge,
  glsl: glslJudge,
  opencl: openclJudge,
  hlsl: hlslJudge,
};

export const isJudged = (target: Target): target is JudgedDialect => Object.hasOwn(installedJudges, target);

/** What a text written for a profile, and in HLSL for a version of the language, is compiled as. */
export function judgeAs(
  profile: Profile,
  text: string,
  hlslVersion?: HlslVersion,
  judges = installedJudges,
): Promise<Judgement> {
  const { dialect, version } = profile;
  if (!isJudged(dialect)) throw new Error(`no compiler takes ${dialect}`);
  // Compilers before a version know it by its predecessor's name: DXC begins with 6.0, glslang 12 ends with Vulkan 1.3.
  const number = showVersion(
    dialect === "hlsl" ? Math.max(version, 600) : dialect === "glsl" ? Math.min(version, 103) : version,
  );
  switch (dialect) {
    case "glsl":
      return judges.glsl.judge(text, { target: `vulkan${number}` as NonNullable<GlslJudgeOptions["target"]> });
    case "opencl":
      return judges.opencl.judge(text, {
        version: number as NonNullable<OpenclJudgeOptions["version"]>,
        half: profile.atoms.has("cl.khr_fp16"),
      });
    case "hlsl":
      return judges.hlsl.judge(text, {
        profile: `cs_${number.replace(".", "_")}` as NonNullable<HlslJudgeOptions["profile"]>,
        ...(hlslVersion ? { hlslVersion } : {}),
      });
    case "msl":
      return judges.msl.judge(text, { version: number as NonNullable<MslJudgeOptions["version"]> });
  }
}
