/** Builtins that exist in a dialect and are not translated: known, so that the message says so, and why, instead of "undeclared". */
import type { Code } from "../support/codes.js";
import type { SourceDialect } from "../dialects/ids.js";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Why a function is not translated, in words that come behind its name, and what else to write. */
export interface Refusal {
  readonly code: Code;
  readonly why: string;
  readonly help?: string;
}

const notYet: Refusal = { code: "XL1900", why: "is not supported yet" };

/**
 * From Shader Model 6.6 on, and with GL_NV_ or GL_KHR_compute_shader_derivatives. Which threads are a quad hangs on the size of the workgroup
 * (DXC: rows of four, or squares of two by two), which lanes they are is open, and of which of its two differences the coarse forms tell, too.
 */
const derivative: Refusal = {
  code: "XL1900",
  why: "is not supported: it tells of a quad of threads, which need be no neighbouring lanes anywhere else",
  help: "take the difference of what two threads have: through workgroup memory, or from the other lane of the subgroup",
};

/** Of GL_ARB_shader_clock, GL_EXT_shader_realtime_clock and cl_khr_kernel_clock. */
const clock: Refusal = {
  code: "XL1900",
  why: "is not supported: it reads a counter of the device, which no other language and no second run has the value of",
  help: "leave it out where it only measures; a number of the launch goes in as an argument",
};

/** Of pixel shaders; DXC's validator refuses its `discard` in compute shaders. */
const clip: Refusal = {
  code: "XL2011",
  why: "has no meaning in a compute kernel: it ends a pixel",
  help: "return where the thread is to end",
};

/** `arity`: of HLSL, where such a function comes before one of the source that has its name and takes as many arguments. */
type Refusals = readonly (readonly [names: readonly string[], Refusal, arity?: number])[];

const refusals: { readonly [D in SourceDialect]?: Refusals } = {
  glsl: [
    [words("imageLoad imageStore imageSize texture texelFetch textureLod textureSize"), notYet],
    [words("dFdx dFdxFine dFdxCoarse dFdy dFdyFine dFdyCoarse fwidth fwidthFine fwidthCoarse"), derivative],
    [words("clockARB clock2x32ARB clockRealtimeEXT clockRealtime2x32EXT"), clock],
  ],
  opencl: [
    [
      words(
        `read_imagef read_imagei read_imageui write_imagef write_imagei write_imageui get_image_width get_image_height`,
      ),
      notYet,
    ],
    [
      ["device", "work_group", "sub_group"].flatMap((scope) => [`clock_read_${scope}`, `clock_read_hilo_${scope}`]),
      clock,
    ],
  ],
  hlsl: [
    [words("ddx ddx_coarse ddx_fine ddy ddy_coarse ddy_fine fwidth"), derivative, 1],
    [["clip"], clip, 1],
    [["abort"], notYet, 0],
    [words("noise errorf"), notYet],
  ],
};

export const laterArities: ReadonlyMap<string, number> = new Map(
  refusals.hlsl!.flatMap(([names, , arity]) =>
    arity === undefined ? [] : names.map((name) => [name, arity] as const),
  ),
);

/** Their names. */
export const refusedNames = (dialect: SourceDialect): readonly string[] =>
  (refusals[dialect] ?? []).flatMap(([names]) => names);

export const refusalOf = (dialect: SourceDialect, name: string): Refusal | undefined =>
  refusals[dialect]?.find(([names]) => names.includes(name))?.[1];
