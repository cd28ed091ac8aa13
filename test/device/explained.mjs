/**
 * Differences and failures that are none of crosslane's, each with the headline under which docs/devices.md shows the
 * evidence. By what the text says or what the compiler said, never by the name of a fixture alone.
 */

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");

const reasons = [
  {
    headline: "fmod",
    applies: (o, text) => o.language === "hlsl" && o.state === "different" && /\bfmod\s*\(/.test(text),
  },
  {
    headline: "WavePrefixSum and WavePrefixProduct",
    applies: (o, text) =>
      o.language === "hlsl" && o.state === "different" && /\bWavePrefix(Sum|Product)\s*\(/.test(text),
  },
  {
    headline: "16-bit types",
    applies: (o, text) =>
      o.language === "hlsl" && o.code === "XL7005" && /\b(u?int16_t|float16_t)[234]?\b/.test(text),
  },
  {
    headline: "select",
    applies: (o, text) => o.language === "hlsl" && o.code === "XL7005" && /\bselect\s*\(/.test(text),
  },
  {
    headline: "enum",
    applies: (o, text) => o.language === "hlsl" && o.code === "XL7005" && /\benum\b/.test(text),
  },
];

export function explanationOf(outcome, text, info) {
  const bare = withoutComments(text);
  return reasons.find((r) => r.applies(outcome, bare, info))?.headline;
}
