import type { Profile } from "../ast/profile.js";
import { showVersion } from "../caps/profiles.js";
import type { Target } from "../dialects/ids.js";
import type { HlslOptions } from "../dialects/language.js";
import { glslJudge } from "./glsl.js";
import { hlslJudge } from "./hlsl.js";
import type {
  GlslJudgeOptions,
  HlslJudgeOptions,
  Judge,
  JudgedDialect,
  JudgeOptions,
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

/** Compilers before a version know it by its predecessor's name: DXC begins with 6.0, glslang 12 ends with Vulkan 1.3. */
const asked: {
  readonly [D in JudgedDialect]: (profile: Profile, hlsl: HlslOptions) => JudgeOptions[D];
} = {
  msl: ({ version }) => ({ version: showVersion(version) as NonNullable<MslJudgeOptions["version"]> }),
  glsl: ({ version }) => ({
    target: `vulkan${showVersion(Math.min(version, 103))}` as NonNullable<GlslJudgeOptions["target"]>,
  }),
  opencl: ({ version, atoms }) => ({
    version: showVersion(version) as NonNullable<OpenclJudgeOptions["version"]>,
    half: atoms.has("cl.khr_fp16"),
  }),
  hlsl: ({ version }, { hlslVersion, enable16bitTypes }) => ({
    profile: `cs_${showVersion(Math.max(version, 600)).replace(".", "_")}` as NonNullable<HlslJudgeOptions["profile"]>,
    ...(hlslVersion ? { hlslVersion } : {}),
    ...(enable16bitTypes ? { native16Bit: true } : {}),
  }),
};

/** What a text written for a profile, and in HLSL with options, is compiled as. */
export function judgeAs(
  profile: Profile,
  text: string,
  hlsl: HlslOptions = {},
  judges = installedJudges,
): Promise<Judgement> {
  const { dialect } = profile;
  if (!isJudged(dialect)) throw new Error(`no compiler takes ${profile.dialect}`);
  const by = <D extends JudgedDialect>(d: D): Promise<Judgement> => judges[d].judge(text, asked[d](profile, hlsl));
  return by(dialect);
}
