/**
 * Differences and failures that are none of crosslane's, each with the headline under which docs/devices.md shows the
 * evidence. By what the text says or what the compiler said, never by the name of a fixture alone.
 */
import type { DeviceInfo } from "../../src/device/kernel.js";
import type { Fault } from "./faults.js";
import type { Outcome } from "./outcomes.js";

/** HLSL as glslang has it, which other ways of compiling it do not share. */
const glslangHlsl = (o: Outcome): boolean => o.language === "hlsl" && (o.compiler ?? "glslang") === "glslang";

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");

interface Reason {
  readonly headline: string;
  readonly applies: (o: Outcome, text: string, info: DeviceInfo, faults: ReadonlySet<Fault>) => boolean;
}

const reasons: readonly Reason[] = [
  {
    headline: "fmod",
    applies: (o, text) => glslangHlsl(o) && o.state === "different" && /\bfmod\s*\(/.test(text),
  },
  {
    headline: "WavePrefixSum and WavePrefixProduct",
    applies: (o, text) =>
      glslangHlsl(o) &&
      o.state === "different" &&
      /\bWavePrefix(Sum|Product)\s*\(/.test(text) &&
      (o.op === undefined || /(?:in|ex)clusive_(?:add|mul)$/.test(o.op)),
  },
  {
    headline: "16-bit types",
    applies: (o, text) => glslangHlsl(o) && o.code === "XL7005" && /\b(u?int16_t|float16_t)[234]?\b/.test(text),
  },
  {
    headline: "select",
    applies: (o, text) => glslangHlsl(o) && o.code === "XL7005" && /\bselect\s*\(/.test(text),
  },
  {
    headline: "WaveMatch and WaveMultiPrefix",
    applies: (o, text) => glslangHlsl(o) && o.code === "XL7005" && /\bWave(Match|MultiPrefix\w+)\s*\(/.test(text),
  },
  {
    headline: "GL_KHR_shader_subgroup_rotate",
    applies: (o, text) =>
      o.language === "glsl" && o.code === "XL7005" && /\bGL_KHR_shader_subgroup_rotate\b/.test(text),
  },
  {
    headline: "enum",
    applies: (o, text) => glslangHlsl(o) && o.code === "XL7005" && /\benum\b/.test(text),
  },
  {
    headline: "Literals of 64 bits",
    applies: (o, text) => glslangHlsl(o) && o.code === "XL7005" && /\b0x[0-9a-f]{9,}u?ll?\b/i.test(text),
  },
  {
    headline: "Operators of structs",
    applies: (o, text) => glslangHlsl(o) && o.code === "XL7005" && /\boperator\s*[-+*/%=!<>([]/.test(text),
  },
  {
    headline: "Templates",
    applies: (o, text) => glslangHlsl(o) && o.code === "XL7005" && /\btemplate\b/.test(text),
  },
  {
    headline: "subgroupAllEqual of NaN",
    applies: (o, _text, info) =>
      o.state === "different" && /^llvmpipe/.test(info.name) && o.op === "subgroup.all_equal",
  },
  {
    headline: "WaveActiveAllEqual of vectors",
    applies: (o) => o.state === "different" && glslangHlsl(o) && o.op === "subgroup.all_equal_componentwise",
  },
  {
    headline: "gl_NumSubgroups",
    applies: (o, _text, info) => o.state === "different" && /^llvmpipe/.test(info.name) && o.op === "id.num_subgroups",
  },
  {
    headline: "roundEven",
    applies: (o, text, _info, faults) =>
      o.state === "different" &&
      faults.has("halves are not rounded to even") &&
      /\b(?:roundEven|round)\s*\(/.test(text),
  },
  {
    headline: "Integers of 64 bits in vectors of 512",
    applies: (o, text, info) =>
      o.state === "failed" &&
      o.code === "XL7008" &&
      /stack smashing detected/.test(o.message ?? "") &&
      /^llvmpipe/.test(info.name) &&
      info.subgroups?.size === 16 &&
      /\bu?int64_t\b/.test(text),
  },
];

/** An outcome with why it is none of crosslane's, where something says so. `text` is what the compiler was given. */
export function explained(
  outcome: Outcome,
  text: string,
  info: DeviceInfo,
  faults: ReadonlySet<Fault> = new Set(),
): Outcome {
  if (outcome.state !== "different" && outcome.state !== "failed") return outcome;
  const bare = withoutComments(text);
  const reason = reasons.find((r) => r.applies(outcome, bare, info, faults));
  return reason ? { ...outcome, explained: reason.headline } : outcome;
}

/** Every reason why vkd3d-shader does not read what DXC makes of an HLSL text of the suites, as docs/devices.md lists them. */
export const notReadReasons: readonly { readonly headline: string; readonly pattern: RegExp }[] = [
  { headline: "16-bit types", pattern: /Unhandled global flags 0x800000|byte stride 2 is not a multiple of 4/ },
  { headline: "WaveMatch", pattern: /dx\.op\.waveMatch/ },
  { headline: "buffers of 64-bit elements", pattern: /same total bit width as Result Type: Bitcast/ },
  { headline: "overwritten values of loops", pattern: /it overwrites a value of a loop/ },
];
