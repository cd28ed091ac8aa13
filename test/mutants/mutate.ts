/** Small changes to a kernel's text: most make another program, and few of those that still type-check were thought of. */
export type Random = () => number;

/** Park and Miller's generator: numbers of [0, 1). */
export function random(seed: number): Random {
  let state = (seed * 7919 + 1) % 2147483647;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*|(?:[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|[-+*/%&|^]=|::|\S)/g;

/** Groups whose members often stand for each other without an error of types. */
const alike: readonly (readonly string[])[] = [
  ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ","],
  ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="],
  ["<", ">", "<=", ">=", "==", "!=", "&&", "||"],
  ["++", "--"],
  [
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "31",
    "32",
    "33",
    "64",
    "255",
    "65536",
    "0u",
    "1u",
    "31u",
    "32u",
    "2147483647",
    "0xffffffffu",
    "4294967295u",
    "1.5",
    "0.0",
    "1e30f",
    "0.1f",
    "-1",
    "-2147483648",
    "true",
    "false",
  ],
  [
    "int",
    "uint",
    "float",
    "bool",
    "char",
    "short",
    "ushort",
    "long",
    "ulong",
    "uint64_t",
    "int64_t",
    "double",
    "half",
    "float16_t",
    "int16_t",
    "uint8_t",
    "size_t",
  ],
  ["int2", "uint2", "float2", "ivec2", "uvec2", "vec2", "bvec2", "bool2", "half2", "short2", "long2"],
  ["int3", "uint3", "float3", "ivec3", "uvec3", "vec3", "packed_float3", "uchar3"],
  ["int4", "uint4", "float4", "ivec4", "uvec4", "vec4", "bvec4", "uchar4", "half4"],
  ["const", "volatile", "static", "coherent", "restrict", "inline", "inout", "out", "in", "precise"],
  ["break", "continue", "return"],
  ["if", "while", "for", "switch"],
  ["min", "max", "pow", "atan2", "step", "fmod", "mod", "distance", "dot", "cross", "atomicAdd", "atomicExchange"],
  [
    "abs",
    "floor",
    "sqrt",
    "sin",
    "exp2",
    "round",
    "sign",
    "fract",
    "length",
    "normalize",
    "clz",
    "popcount",
    "bitCount",
    "findMSB",
    "countbits",
    "firstbithigh",
  ],
  ["x", "y", "z", "w", "xy", "yx", "zw", "xyz", "xxx", "wzyx", "r", "s0", "lo", "hi", "even"],
];
const groupOf = new Map(alike.flatMap((group) => group.map((word) => [word, group] as const)));

/** `text` with one to three small changes. */
export function mutant(text: string, next: Random): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  let changed = text;
  for (let n = 1 + Math.floor(next() * next() * 3.5); n > 0; n--) {
    const found = [...changed.matchAll(token)].filter(
      (m) => !/^\/[/*]/.test(m[0]) && (!m[0].startsWith("#") || m[0].startsWith("#define")),
    );
    if (found.length < 4) return changed;
    const i = Math.floor(next() * (found.length - 2));
    const at = (j: number): { text: string; from: number; to: number } => ({
      text: found[j]![0],
      from: found[j]!.index,
      to: found[j]!.index + found[j]![0].length,
    });
    const here = at(i);
    const put = (words: string, from = here.from, to = here.to): void => {
      changed = changed.slice(0, from) + words + changed.slice(to);
    };
    const kind = next();
    const isName = /^[A-Za-z_]/.test(here.text);
    const group = groupOf.get(here.text) ?? (/^\.?\d/.test(here.text) ? groupOf.get("0") : undefined);
    if (kind < 0.35 && group) put(pick(group));
    else if (kind < 0.6 && isName) put(pick(found.filter((m) => /^[A-Za-z_]/.test(m[0])))[0]);
    else if (kind < 0.65) put("");
    else if (kind < 0.7) put(`${here.text} ${here.text}`);
    else if (kind < 0.75) put(`${at(i + 1).text} ${here.text}`, here.from, at(i + 1).to);
    else if (kind < 0.8) {
      const from = at(Math.floor(next() * found.length));
      put(` ${from.text} `);
    } else {
      // A statement, said twice, left out, or said elsewhere.
      const ends = found.filter((m) => m[0] === ";" || m[0] === "{" || m[0] === "}").map((m) => m.index + 1);
      if (ends.length < 3) continue;
      const j = Math.floor(next() * (ends.length - 1));
      const statement = changed.slice(ends[j], ends[j + 1]);
      if (kind < 0.87) put(statement, ends[j + 1], ends[j + 1]);
      else if (kind < 0.92) put("", ends[j], ends[j + 1]);
      else {
        const to = pick(ends);
        put(statement, to, to);
      }
    }
  }
  return changed;
}
