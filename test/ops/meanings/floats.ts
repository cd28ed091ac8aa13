/** Functions of floats, by the specifications and by hand. */
import { all, f, ff, inf, max, type Meaning, min, nan, one } from "./meaning.js";

export const roundings: readonly Meaning[] = [
  // C99 7.12.9.6 and MSL 6.5: halfway cases away from zero. 0.49999997 + 0.5 rounds to 1 in f32.
  ...(["msl", "opencl"] as const).map((d) =>
    one(d, "round(a)", f, [
      [0.5, 1],
      [1.5, 2],
      [2.5, 3],
      [-0.5, -1],
      [-2.5, -3],
      [0.49999997, 0],
      [-0.3, -0],
      [8388609, 8388609],
      [4194304.5, 4194305],
    ]),
  ),
  // C99 7.12.9.4, GLSL 8.3, HLSL round: to even.
  ...(
    [
      ["msl", "rint(a)"],
      ["glsl", "roundEven(a)"],
      ["opencl", "rint(a)"],
      ["hlsl", "round(a)"],
    ] as const
  ).map(([d, e]) =>
    one(d, e, f, [
      [0.5, 0],
      [1.5, 2],
      [2.5, 2],
      [-0.5, -0],
      [-1.5, -2],
      [3.5, 4],
      [8388609, 8388609],
    ]),
  ),
  one("msl", "trunc(a)", f, [
    [1.9, 1],
    [-1.9, -1],
    [-0.5, -0],
  ]),
  one("hlsl", "frac(a)", f, [
    [1.25, 0.25],
    [-0.25, 0.75],
  ]),
  one("msl", "fract(a)", f, [
    [1.25, 0.25],
    [-0.25, 0.75],
  ]),
];

export const remainders: readonly Meaning[] = [
  one("glsl", "mod(a, b)", ff, [
    [-1, 3, 2],
    [5.5, -2, -0.5],
    [5.5, 2, 1.5],
    [-6, 3, 0],
  ]),
  one("msl", "fmod(a, b)", ff, [
    [-1, 3, -1],
    [5.5, -2, 1.5],
    [-5.5, 2, -1.5],
  ]),
  one("hlsl", "fmod(a, b)", ff, [
    [-1, 3, -1],
    [5.5, -2, 1.5],
  ]),
  one("opencl", "remainder(a, b)", ff, [
    [5, 3, -1],
    [7, 2, -1],
    [5, 2, 1],
  ]),
];

export const choices: readonly Meaning[] = [
  // IEEE 754 minNum: of a NaN and a number the number.
  ...(
    [
      ["msl", "fmin(a, b)"],
      ["opencl", "fmin(a, b)"],
      ["hlsl", "min(a, b)"],
    ] as const
  ).map(([d, e]) =>
    one(d, e, ff, [
      [nan, 1, 1],
      [1, nan, 1],
      [2, 1, 1],
      [1, 2, 1],
      [-inf, 3, -inf],
    ]),
  ),
  ...(
    [
      ["msl", "fmax(a, b)"],
      ["opencl", "fmax(a, b)"],
      ["hlsl", "max(a, b)"],
    ] as const
  ).map(([d, e]) =>
    one(d, e, ff, [
      [nan, 1, 1],
      [1, nan, 1],
      [2, 1, 2],
      [1, 2, 2],
    ]),
  ),
  one("glsl", "min(a, b)", "i32 i32 -> i32", [
    [min, max, min],
    [-1, 1, -1],
  ]),
  one("glsl", "max(a, b)", "u32 u32 -> u32", [
    [all, 1, all],
    [0, 0, 0],
  ]),
  one("glsl", "clamp(a, 1.0, 3.0)", f, [
    [0, 1],
    [2, 2],
    [9, 3],
  ]),
  one("hlsl", "saturate(a)", f, [
    [nan, 0],
    [-1, 0],
    [2, 1],
    [0.25, 0.25],
    [inf, 1],
  ]),
  one("opencl", "step(a, b)", ff, [
    [1, 1, 1],
    [1, 0.5, 0],
    [1, 2, 1],
  ]),
  one("opencl", "sign(a)", f, [
    [-3, -1],
    [2, 1],
    [0, 0],
  ]),
  one("glsl", "sign(a)", "i32 -> i32", [
    [-3, -1],
    [2, 1],
    [0, 0],
    [min, -1],
  ]),
  one("hlsl", "float(sign(a))", f, [
    [-3, -1],
    [0.5, 1],
    [0, 0],
  ]),
  one("opencl", "copysign(a, b)", ff, [
    [3, -0, -3],
    [-3, 1, 3],
    [2, -5, -2],
  ]),
  one("opencl", "fdim(a, b)", ff, [
    [1, 3, 0],
    [3, 1, 2],
  ]),
  one("glsl", "mix(a, b, 0.25)", ff, [[2, 4, 2.5]]),
  one("hlsl", "lerp(a, b, 0.25)", ff, [[2, 4, 2.5]]),
  one("msl", "select(a, b, a < b)", ff, [
    [1, 2, 2],
    [3, 2, 3],
  ]),
  one("glsl", "mix(a, b, a < b)", ff, [
    [1, 2, 2],
    [3, 2, 3],
  ]),
  one("hlsl", "select(a < b, a, b)", ff, [
    [1, 2, 1],
    [3, 2, 2],
  ]),
  // OpenCL 6.15.6: scalars test nonzero.
  one("opencl", "select(a, b, c)", "i32 i32 i32 -> i32", [
    [1, 2, 0, 1],
    [1, 2, 1, 2],
    [1, 2, -1, 2],
  ]),
  one("opencl", "bitselect(a, b, c)", "u32 u32 u32 -> u32", [
    [0, all, 0xff, 0xff],
    [0x12345678, 0x9abcdef0, 0xffff0000, 0x9abc5678],
  ]),
  one("msl", "max3(a, b, c)", "f32 f32 f32 -> f32", [[1, 3, 2, 3]]),
];

export const classes: readonly Meaning[] = [
  ...(["msl", "opencl"] as const).flatMap((d) => [
    one(d, "isnan(a) ? 1 : 0", "f32 -> i32", [
      [nan, 1],
      [inf, 0],
      [1, 0],
    ]),
    one(d, "isinf(a) ? 1 : 0", "f32 -> i32", [
      [nan, 0],
      [-inf, 1],
      [1, 0],
    ]),
    one(d, "isfinite(a) ? 1 : 0", "f32 -> i32", [
      [nan, 0],
      [inf, 0],
      [1, 1],
      [-0, 1],
    ]),
    one(d, "isnormal(a) ? 1 : 0", "f32 -> i32", [
      [nan, 0],
      [inf, 0],
      [0, 0],
      [1e-40, 0],
      [1.1754943508222875e-38, 1],
    ]),
    one(d, "signbit(a) ? 1 : 0", "f32 -> i32", [
      [-0, 1],
      [0, 0],
      [-inf, 1],
    ]),
  ]),
];

export const powers: readonly Meaning[] = [
  // C99 F.9.4.4.
  ...(["msl", "opencl"] as const).map((d) =>
    one(
      d,
      "pow(a, b)",
      ff,
      [
        [-2, 3, -8],
        [-2, 2, 4],
        [0, 0, 1],
        [5, 0, 1],
        [1, nan, 1],
        [-2, 0.5, nan],
        [0, 2, 0],
        [2, -1, 0.5],
        [-1, 2, 1],
      ],
      { ulp: 2 },
    ),
  ),
  one(
    "opencl",
    "pown(a, (int)b)",
    ff,
    [
      [-2, 3, -8],
      [2, -2, 0.25],
    ],
    { ulp: 2 },
  ),
  one(
    "glsl",
    "pow(a, b)",
    ff,
    [
      [2, 10, 1024],
      [4, 0.5, 2],
    ],
    { ulp: 2 },
  ),
  one(
    "msl",
    "exp10(a)",
    f,
    [
      [2, 100],
      [-1, 0.1],
      [0, 1],
    ],
    { ulp: 4 },
  ),
  one(
    "hlsl",
    "log10(a)",
    f,
    [
      [1000, 3],
      [1, 0],
    ],
    { ulp: 4 },
  ),
  one(
    "opencl",
    "cbrt(a)",
    f,
    [
      [27, 3],
      [-8, -2],
      [0, 0],
    ],
    { ulp: 4 },
  ),
  one(
    "opencl",
    "hypot(a, b)",
    ff,
    [
      [3, 4, 5],
      [0, 0, 0],
      [3e30, 4e30, 5e30],
      [inf, 1, inf],
    ],
    { ulp: 2 },
  ),
  one(
    "opencl",
    "log1p(a)",
    f,
    [
      [0, 0],
      [1e-10, 1e-10],
      [1.718281828, 1],
    ],
    { ulp: 4 },
  ),
  one(
    "opencl",
    "expm1(a)",
    f,
    [
      [0, 0],
      [1e-10, 1e-10],
      [1, 1.7182818],
    ],
    { ulp: 8 },
  ),
  one(
    "msl",
    "rsqrt(a)",
    f,
    [
      [4, 0.5],
      [0.25, 2],
    ],
    { ulp: 1 },
  ),
  one(
    "opencl",
    "sinpi(a)",
    f,
    [
      [0.5, 1],
      [0, 0],
    ],
    { ulp: 2 },
  ),
  one(
    "msl",
    "asinh(a)",
    f,
    [
      [0, 0],
      [1, 0.8813736],
      [-1, -0.8813736],
    ],
    { ulp: 8 },
  ),
  one(
    "glsl",
    "atan(a, b)",
    ff,
    [
      [1, 1, 0.7853982],
      [-1, -1, -2.3561945],
      [0, 1, 0],
    ],
    { ulp: 1 },
  ),
  one("glsl", "ldexp(a, int(b))", ff, [
    [1.5, 4, 24],
    [1, -3, 0.125],
    // GLSL 4.60 8.3: beyond +128 the value is undefined.
    [0, 128, 0],
    [1, 127, 2 ** 127],
  ]),
  one(
    "hlsl",
    "ldexp(a, b)",
    ff,
    [
      [1.5, 4, 24],
      [8, -3, 1],
    ],
    { ulp: 1 },
  ),
  one("glsl", "degrees(a)", f, [[3.1415927, 180]], { ulp: 1 }),
  one("hlsl", "rcp(a)", f, [[4, 0.25]], { ulp: 1 }),
  one("msl", "fma(a, b, c)", "f32 f32 f32 -> f32", [[3, 4, 5, 17]]),
];
