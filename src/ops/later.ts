/** Builtins that exist in a dialect and are not supported yet: known, so that the message says so instead of "undeclared". */
import type { SourceDialect } from "../dialects/ids.js";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Of HLSL, where such a function comes before one of the source that has its name and takes as many arguments. */
export const laterArities: Readonly<Record<string, number>> = {
  clip: 1,
  ddx: 1,
  ddy: 1,
  abort: 0,
};

export const laterNames: { readonly [D in SourceDialect]?: ReadonlySet<string> } = {
  glsl: words(`
    imageLoad imageStore imageSize texture texelFetch textureLod textureSize shaderClock clockARB`),
  opencl: words(`
    read_imagef read_imagei read_imageui write_imagef write_imagei write_imageui get_image_width get_image_height`),
  hlsl: new Set([...Object.keys(laterArities), ...words("noise errorf")]),
};

export const isLater = (dialect: SourceDialect, name: string): boolean => laterNames[dialect]?.has(name) ?? false;
