/**
 * Functions and vectors of constants, which glslang computes in double: what a GLSL text means is the constant in glslang's
 * SPIR-V; what another dialect's functions mean of exact constants is theirs by their specifications, also in the GLSL written.
 */
import { translate } from "../../src/index.js";
import { random } from "../mutants/mutate.js";
import { missingPrograms } from "../support/judges/judge.js";
import { byGlslang, simulated } from "./stored-constants.js";
import type { FuzzFailure, FuzzOutcome, FuzzSuite } from "./suite.js";

const perKernel = 32;
const bitsOf = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!;
const ofBits = (b: number): number => new Float32Array(Uint32Array.of(b).buffer)[0]!;

/** Expressions of GLSL; `n`: how many components. */
class Expressions {
  constructor(
    private readonly next: () => number,
    private readonly matrices: boolean,
  ) {}

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }

  private literal(): string {
    if (this.next() < 0.15)
      return this.pick(["0.0", "-0.0", "0.5", "1.5", "2.5", "-0.5", "-2.5", "1.0", "-1.0", "1e-10"]);
    const digits = (this.next() * this.pick([1, 1, 10, 100])).toFixed(1 + Math.floor(this.next() * 5));
    return this.next() < 0.2 ? `(-${digits})` : digits;
  }

  private named(n: number): string {
    return n === 1
      ? this.pick([
          "third",
          "grid.y",
          "table[1]",
          "pair.low",
          "float(sized.length())",
          ...(this.matrices ? ["basis[1].x"] : []),
        ])
      : `grid.${"zyx".slice(0, n)}`;
  }

  any(n: number, depth: number): string {
    if (n === 1) return this.scalar(depth);
    return depth === 0 || this.next() < 0.2 ? this.made(n) : this.vector(n, depth);
  }

  private made(n: number): string {
    if (this.next() < 0.15 && n < 4) return this.named(n);
    if (this.next() < 0.15) return `vec${n}(${this.literal()})`;
    return `vec${n}(${Array.from({ length: n }, () => this.literal()).join(", ")})`;
  }

  private scalar(depth: number): string {
    const { next } = this;
    if (depth === 0) return next() < 0.15 ? this.named(1) : this.literal();
    const one = (): string => this.scalar(depth - 1);
    const n = 2 + Math.floor(next() * 3);
    const some = (): string => this.any(n, depth - 1);
    switch (Math.floor(next() * 12)) {
      case 0:
        return `${this.pick(["length", "length"])}(${some()})`;
      case 1:
        return `${this.pick(["dot", "distance"])}(${some()}, ${some()})`;
      case 2:
        return `(${some()}).${this.pick("xy".split(""))}`;
      case 3:
        return `(${some()})[${Math.floor(next() * n)}]`;
      case 4:
        return `(${one()} ${this.pick(["<", ">", "<=", ">=", "==", "!="])} ${one()} ? ${one()} : ${one()})`;
      case 5:
        return `float(${this.pick(["any", "all"])}(${this.pick(["lessThan", "lessThanEqual", "greaterThan", "equal", "notEqual"])}(${some()}, ${some()})))`;
      case 6:
        return `float(${some()} ${this.pick(["==", "!="])} ${some()})`;
      case 7:
        return `float(${this.pick(["int", "uint"])}(${this.small()} * 100.0))`;
      case 8:
        return `float(ivec2(vec2(${this.small()}, ${this.small()}) * ${this.small()} * 10.0).${this.pick(["x", "y"])})`;
      case 9:
        return `float(${this.pick(["isnan", "isinf"])}(${one()}))`;
      default:
        return this.componentwise(1, depth);
    }
  }

  /** Not negative, and not large. */
  private small(): string {
    return (this.next() * 9).toFixed(1 + Math.floor(this.next() * 4));
  }

  private vector(n: number, depth: number): string {
    const { next } = this;
    const some = (): string => this.any(n, depth - 1);
    switch (Math.floor(next() * 9)) {
      case 0:
        return `normalize(${some()})`;
      case 1:
        return `reflect(${some()}, ${some()})`;
      case 2:
        return `refract(${some()}, ${some()}, ${this.scalar(depth - 1)})`;
      case 3:
        return `faceforward(${some()}, ${some()}, ${some()})`;
      case 4:
        return n === 3 ? `cross(${some()}, ${some()})` : `(${some()} * ${this.scalar(depth - 1)})`;
      case 5:
        return this.matrices ? this.product(n, depth) : this.made(n);
      default:
        return this.componentwise(n, depth);
    }
  }

  private product(n: number, depth: number): string {
    const matrix = (): string =>
      this.next() < 0.3
        ? `mat${n}(${this.literal()})`
        : `mat${n}(${Array.from({ length: n }, () => this.made(n)).join(", ")})`;
    const some = (): string => this.any(n, depth - 1);
    switch (Math.floor(this.next() * 6)) {
      case 0:
        return `(${matrix()} * ${some()})`;
      case 1:
        return `(${some()} * ${matrix()})`;
      case 2:
        return `(${matrix()} * ${matrix()})[${Math.floor(this.next() * n)}]`;
      case 3:
        return `outerProduct(${some()}, ${some()})[${Math.floor(this.next() * n)}]`;
      case 4:
        return `matrixCompMult(${matrix()}, ${matrix()})[0]`;
      default:
        return `(${matrix()} ${this.pick(["+", "-", "*"])} ${this.literal()})[1]`;
    }
  }

  private componentwise(n: number, depth: number): string {
    const some = (): string => this.any(n, depth - 1);
    // A scalar goes with a vector in most of the functions of several operands.
    const spread = (): string => (this.next() < 0.3 ? this.scalar(depth - 1) : some());
    switch (Math.floor(this.next() * 7)) {
      case 0:
      case 1: {
        const name = this.pick(
          "radians degrees sin cos tan atan exp exp2 abs sign floor ceil trunc round roundEven fract".split(" "),
        );
        return `${name}(${some()})`;
      }
      case 2:
        return `${this.pick(["sqrt", "inversesqrt", "log", "log2"])}(abs(${some()}) + 0.01)`;
      case 3:
        return `${this.pick(["asin", "acos"])}(clamp(${some()}, -1.0, 1.0))`;
      case 4:
        return this.next() < 0.5
          ? `${this.pick(["min", "max", "mod"])}(${some()}, ${spread()})`
          : this.pick([
              `pow(abs(${some()}), ${some()})`,
              `atan(${some()}, ${some()})`,
              `step(${spread()}, ${some()})`,
              `smoothstep(0.25, ${this.small()}, ${some()})`,
            ]);
      case 5:
        return this.pick([
          `clamp(${some()}, -${this.small()}, ${this.small()})`,
          `mix(${some()}, ${some()}, ${spread()})`,
          `mix(${some()}, ${some()}, ${n === 1 ? "true" : `bvec${n}(true, false${", true".repeat(n - 2)})`})`,
        ]);
      default:
        return `(${some()} ${this.pick(["+", "-", "*", "/"])} ${spread()})`;
    }
  }
}

const constants = `const float third = 1.0 / 3.0;
const vec3 grid = vec3(0.29, 0.58, 1.17) * 100.0;
const float table[3] = float[](0.1, 0.29 * 100.0, 0.7);
struct Pair { float low; float high; };
const Pair pair = Pair(0.1 + 0.2, 0.29);
`;
const matrix = "const mat2 basis = mat2(0.1, 0.2, 0.3, 0.4) * 10.0;\n";

function glslCase(seed: number): {
  readonly expressions: readonly string[];
  readonly text: string;
  readonly matrices: boolean;
} {
  const next = random(seed);
  // OpenCL C has none.
  const matrices = next() < 0.4;
  const made = new Expressions(next, matrices);
  const expressions = Array.from({ length: perKernel }, () => made.any(1, 1 + Math.floor(next() * 4)));
  const body = expressions.map((e, i) => `  o[${i}] = ${e};\n`).join("");
  // What sizes an array is known to every compiler.
  const size = `int(${(next() * 3).toFixed(2)} * 100.0) + int(round(${Math.floor(next() * 9)}.5))`;
  const text = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer O { float o[]; };
${constants}${matrices ? matrix : ""}const int count = ${size} + 1;
float sized[count];
void main() {
${body}}
`;
  return { expressions, text, matrices };
}

/** Functions whose result is exact, by OpenCL C 3.0 6.15.2 and 7.5.1, of numbers that a float holds. */
const exactFunctions: readonly (readonly [name: string, f: (x: number, y: number) => number])[] = [
  ["floor", Math.floor],
  ["ceil", Math.ceil],
  ["trunc", Math.trunc],
  ["fabs", Math.abs],
  ["rint", (x) => withSign(nearest(x), x)],
  ["round", (x) => withSign(Math.floor(Math.abs(x) + 0.5), x)],
  ["sign", (x) => (x === 0 ? x : Math.sign(x))],
  ["sqrt", (x) => Math.sqrt(x)],
  ["fmin", (x, y) => (y < x ? y : x)],
  ["fmax", (x, y) => (x < y ? y : x)],
  ["fmod", (x, y) => x % y],
  ["copysign", (x, y) => withSign(Math.abs(x), y)],
  ["step", (x, y) => (y < x ? 0 : 1)],
];
function nearest(x: number): number {
  const low = Math.floor(Math.abs(x));
  const rest = Math.abs(x) - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}
const withSign = (x: number, like: number): number => (like < 0 || Object.is(like, -0) ? -Math.abs(x) : Math.abs(x));

interface Exact {
  readonly text: string;
  readonly value: number;
}

function exactCase(seed: number): { readonly cases: readonly Exact[]; readonly text: string } {
  const next = random(seed);
  const number = (): number => {
    const x = Math.floor(next() * 33 - 16) / 4;
    return next() < 0.1 ? -0 : x;
  };
  const shown = (x: number): string => (Object.is(x, -0) ? "-0.0f" : Number.isInteger(x) ? `${x}.0f` : `${x}f`);
  const cases = Array.from({ length: perKernel }, (): Exact => {
    const kind = next();
    const [x, y] = [number(), number()];
    if (kind < 0.15) return { text: `(${shown(x)} / ${shown(y)})`, value: x / y };
    if (kind < 0.25) {
      const n = BigInt(Math.floor(next() * 2 ** 40) - 2 ** 39);
      const f = next() < 0.5 ? "abs" : "sign";
      return f === "abs"
        ? { text: `(float)(abs((long)${n}L) > 5ul)`, value: (n < 0n ? -n : n) > 5n ? 1 : 0 }
        : { text: `(float)abs((short)${n % 1000n})`, value: Math.abs(Number(n % 1000n)) };
    }
    const [name, f] = exactFunctions[Math.floor(next() * exactFunctions.length)]!;
    const a = name === "sqrt" ? x * x : x;
    // Zeros of two signs are equal for fmin and fmax.
    const b = y === x ? y + 1 : y;
    const two = ["fmin", "fmax", "fmod", "copysign", "step"].includes(name);
    return { text: `${name}(${shown(a)}${two ? `, ${shown(b)}` : ""})`, value: f(a, b) };
  });
  const body = cases.map((c, i) => `  o[${i}] = ${c.text};\n`).join("");
  return {
    cases,
    text: `kernel void k(global float *o) {\n${body}}\n`,
  };
}

const same = (a: number, b: number): boolean => a === b || (Number.isNaN(ofBits(a)) && Number.isNaN(ofBits(b)));

function compare(
  where: string,
  seed: number,
  text: string,
  what: readonly string[],
  want: readonly (number | undefined)[],
  got: readonly (number | undefined)[] | string,
): FuzzFailure[] {
  if (typeof got === "string") return [{ seed, what: `${where}: ${got}`, text }];
  const wrong = want.findIndex((b, i) => b !== undefined && got[i] !== undefined && !same(b, got[i]));
  return wrong < 0
    ? []
    : [{ seed, what: `${where}: ${what[wrong]!} is ${ofBits(got[wrong]!)}, not ${ofBits(want[wrong]!)}`, text }];
}

async function ofGlsl(seed: number): Promise<FuzzFailure[]> {
  const { expressions, text, matrices } = glslCase(seed);
  const want = byGlslang(text, perKernel);
  const failures = compare(
    "in the simulator",
    seed,
    text,
    expressions,
    want,
    await simulated(text, "glsl", perKernel, false),
  );
  for (const to of matrices ? (["msl", "hlsl"] as const) : (["opencl", "msl", "hlsl"] as const)) {
    const { code, diagnostics } = await translate(text, { from: "glsl", to });
    if (code === undefined) failures.push({ seed, what: `no ${to}: ${diagnostics[0]?.message ?? ""}`, text });
    else
      failures.push(...compare(`as ${to}`, seed, code, expressions, want, await simulated(code, to, perKernel, false)));
  }
  return failures;
}

async function toGlsl(seed: number): Promise<FuzzFailure[]> {
  const { cases, text } = exactCase(seed);
  const want = cases.map((c) => bitsOf(c.value));
  const what = cases.map((c) => c.text);
  const failures = compare("OpenCL C", seed, text, what, want, await simulated(text, "opencl", perKernel, false));
  const { code, diagnostics } = await translate(text, { from: "opencl", to: "glsl", workgroupSize: [1, 1, 1] });
  if (code === undefined) return [...failures, { seed, what: `no glsl: ${diagnostics[0]?.message ?? ""}`, text }];
  failures.push(...compare("as glsl", seed, code, what, want, await simulated(code, "glsl", perKernel, false)));
  failures.push(...compare("as glsl by glslang", seed, code, what, want, byGlslang(code, perKernel)));
  return failures;
}

export const glslConstants: FuzzSuite = {
  name: "glsl-constants",
  about: "functions, vectors and matrices of constants in GLSL, against glslang's own constants",
  sample: { seed: 1, cases: 12 },
  missing: () => missingPrograms(["glslangValidator"]),
  async run(seed, cases): Promise<FuzzOutcome> {
    const failures: FuzzFailure[] = [];
    for (let s = seed; s < seed + cases; s++) {
      const one = s % 4 === 0 ? toGlsl : ofGlsl;
      failures.push(...(await one(s).catch((e: unknown) => [{ seed: s, what: String(e), text: "" }])));
    }
    return { cases, failures };
  },
};
