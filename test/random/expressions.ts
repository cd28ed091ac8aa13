/**
 * Random OpenCL C kernels whose behaviour is defined: scalars of every width, vectors and swizzles,
 * conversions of every kind, loops and branches. Nothing overflows a signed type: arithmetic is done on unsigned operands.
 */
import type { Random } from "../mutants/mutate.js";

type Kind = "char" | "uchar" | "short" | "ushort" | "int" | "uint" | "long" | "ulong" | "float" | "bool";
const integers: readonly Kind[] = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"];
const width: Readonly<Record<Kind, number>> = {
  bool: 1,
  char: 8,
  uchar: 8,
  short: 16,
  ushort: 16,
  int: 32,
  uint: 32,
  long: 64,
  ulong: 64,
  float: 32,
};
const isSigned = (k: Kind): boolean => k === "char" || k === "short" || k === "int" || k === "long" || k === "bool";
const unsignedOf = (k: Kind): Kind => (k === "float" ? "uint" : isSigned(k) ? (`u${k}` as Kind) : k);

interface Name {
  readonly text: string;
  readonly kind: Kind;
  readonly size: number;
}

/** One kernel `name(__global const uint *src, __global uint *dst)` that writes `words` words per work-item. */
export function randomKernel(next: Random, name: string, words: number): string {
  const nat = (n: number): number => Math.floor(next() * n);
  const pick = <T>(list: readonly T[]): T => list[nat(list.length)]!;
  const names: Name[] = [];
  let fresh = 0;
  const lines: string[] = [];
  let indent = "  ";
  const line = (text: string): void => void lines.push(indent + text);

  const literal = (k: Kind): string => {
    if (k === "float") return pick(["0.0f", "1.0f", "-1.5f", "0.25f", "3.0f", "-2.0f", "1024.0f", "0.125f"]);
    if (k === "bool") return pick(["true", "false"]);
    const plain = pick(["0", "1", "2", "7", "31", "127", "128", "255"]);
    if (k === "ulong")
      return pick([plain, "4294967296ul", "0x8000000000000000ul", "0xfffffffffffffffful", "0x123456789abcdeful"]);
    if (k === "long") return pick([plain, `-${plain}`, "4294967296l", "-0x7fffffffffffffffl"]);
    if (k === "uint") return pick([`${plain}u`, "0x80000000u", "0xffffffffu", "65536u"]);
    if (k === "int") return pick([plain, `-${plain}`, "65535", "0x7fffffff"]);
    if (k === "uchar") return `(uchar)${plain}`;
    if (k === "ushort") return `(ushort)${pick([plain, "65535", "32768"])}`;
    return `(${k})${pick([plain, `-${plain}`])}`;
  };

  /** A read of a scalar of any kind, with its kind. */
  const leaf = (): { text: string; kind: Kind } => {
    if (names.length > 0 && next() < 0.7) {
      const n = pick(names);
      if (n.size === 1) return { text: n.text, kind: n.kind };
      return { text: `${n.text}.${pick(["x", "y", "z", "w"].slice(0, n.size))}`, kind: n.kind };
    }
    if (next() < 0.5) return { text: `src[(i + ${String(nat(64))}) & 63]`, kind: "uint" };
    const kind = pick([...integers, "float", "bool"] as const);
    return { text: literal(kind), kind };
  };

  /** An expression whose value converts to any scalar; its type is C's own affair, except that `float` says it is one. */
  const any = (depth: number): { text: string; float: boolean } => {
    if (depth <= 0) {
      const { text, kind } = leaf();
      return { text, float: kind === "float" };
    }
    const wrap = (e: { text: string; float: boolean }): string => (e.float ? `((${e.text}) != 0.0f)` : `(${e.text})`);
    const integer = (): string => as(pick(integers), depth - 1);
    const kind = pick([
      "arith",
      "arith",
      "arith",
      "shift",
      "compare",
      "logic",
      "choose",
      "cast",
      "unary",
      "call",
      "mix",
      "float",
    ] as const);
    switch (kind) {
      case "arith": {
        const k = pick(["uint", "ulong", "uchar", "ushort", "uint"] as const);
        const op = pick(["+", "-", "*", "&", "|", "^"]);
        // Operands of small types promote to int: products of two may overflow it.
        if (op === "*" && width[k] < 32)
          return { text: `${as(k, depth - 1)} * (uint)${as(k, depth - 1)}`, float: false };
        return {
          text: `${as(k, depth - 1)} ${op} ${as(op === "*" ? k : pick([k, unsignedOf(k)]), depth - 1)}`,
          float: false,
        };
      }
      case "mix": {
        // Signed with unsigned of at least its width, or bits of any two: C converts, and nothing overflows.
        const k = pick(["uint", "ulong"] as const);
        const other = pick(integers.filter((x) => width[x] <= width[k] && (k === "ulong" || width[x] <= 32)));
        const pair = [as(k, depth - 1), as(other, depth - 1)];
        if (next() < 0.5) pair.reverse();
        return { text: pair.join(` ${pick(["+", "-", "*", "&", "|", "^"])} `), float: false };
      }
      case "shift": {
        const k = pick(integers);
        const left = as(k, depth - 1);
        const right = integer();
        // A left shift of a signed value overflows; of a small one it is done on int.
        const op = k === "uint" || k === "ulong" ? pick(["<<", ">>"]) : ">>";
        const bits = width[k] < 32 ? 32 : width[k];
        return { text: `${left} ${op} (${right} & ${String(bits - 1)})`, float: false };
      }
      case "compare": {
        const [a, b] = [any(depth - 1), any(depth - 1)];
        return { text: `${wrap(a)} ${pick(["<", ">", "<=", ">=", "==", "!="])} ${wrap(b)}`, float: false };
      }
      case "logic":
        return { text: `${wrap(any(depth - 1))} ${pick(["&&", "||"])} ${wrap(any(depth - 1))}`, float: false };
      case "choose": {
        const k = pick([...integers, "float" as const]);
        const other = k === "float" ? k : pick(integers);
        return {
          text: `${wrap(any(depth - 1))} ? ${as(k, depth - 1)} : ${as(other, depth - 1)}`,
          float: k === "float",
        };
      }
      case "cast": {
        const k = pick(integers);
        return { text: as(k, depth - 1), float: false };
      }
      case "unary": {
        if (next() < 0.3) return { text: `!${wrap(any(depth - 1))}`, float: false };
        const k = pick(["uint", "ulong", "char", "uchar", "short", "ushort"] as const);
        return { text: `${pick(["~", "-"])}${as(k, depth - 1)}`, float: false };
      }
      case "call": {
        const k = pick(integers);
        const [a, b] = [as(k, depth - 1), as(k, depth - 1)];
        const form = nat(9);
        if (form === 0) return { text: `max(${a}, ${b})`, float: false };
        if (form === 1) return { text: `min(${a}, ${b})`, float: false };
        if (form === 2) return { text: `abs_diff(${a}, ${b})`, float: false };
        if (form === 3) return { text: `add_sat(${a}, ${b})`, float: false };
        if (form === 4) return { text: `hadd(${a}, ${b})`, float: false };
        if (form === 5) return { text: `mul_hi(${a}, ${b})`, float: false };
        if (form === 6) return { text: `rotate(${a}, ${b})`, float: false };
        if (form === 7) return { text: `${pick(["clz", "popcount"])}(${a})`, float: false };
        return { text: `sub_sat(${a}, ${b})`, float: false };
      }
      case "float": {
        // Sums and products of small numbers are exact.
        const small = (): string => `(float)${as(pick(["uchar", "char", "bool"] as const), depth - 1)}`;
        const form = nat(5);
        if (form === 0) return { text: `${small()} + ${small()} * 0.5f`, float: true };
        if (form === 1) return { text: `fmin(${small()}, ${small()})`, float: true };
        if (form === 2) return { text: `floor(${small()} * 0.125f)`, float: true };
        if (form === 3) return { text: `fabs(${small()} - 64.0f)`, float: true };
        return { text: `(float)${as(pick(["int", "uint"] as const), depth - 1)}`, float: true };
      }
    }
  };

  /** A value of just that kind, ready to be an operand. */
  function as(k: Kind, depth: number): string {
    const e = any(depth);
    if (k === "bool") return `(bool)(${e.text})`;
    if (k === "float") return e.float ? `(${e.text})` : `(float)(uchar)(${e.text})`;
    // Floats here may be far outside an integer's range: only a clamped one converts.
    return e.float ? `(${k})clamp(${e.text}, 0.0f, 100.0f)` : `(${k})(${e.text})`;
  }

  const vector = (n: Name, depth: number): string => {
    const same = names.filter((m) => m.kind === n.kind && m.size === n.size);
    const type = `${n.kind}${String(n.size)}`;
    const form = nat(6);
    if (n.kind !== "float" && form < 3 && same.length > 0) {
      const op = isSigned(n.kind) ? pick(["&", "|", "^", ">>"]) : pick(["+", "-", "*", "&", "|", "^", "<<", ">>"]);
      return `${swizzled(pick(same))} ${op} ${swizzled(pick(same))}`;
    }
    if (form === 3 && same.length > 0 && n.kind !== "float")
      return `${pick(["max", "min", "rotate", "add_sat", "hadd"])}(${swizzled(pick(same))}, ${swizzled(pick(same))})`;
    if (form === 4 && same.length > 0) return swizzled(pick(same));
    if (form === 5) return `(${type})(${as(n.kind, depth)})`;
    return `(${type})(${Array.from({ length: n.size }, () => as(n.kind, depth)).join(", ")})`;
  };
  const swizzled = (n: Name): string =>
    next() < 0.5
      ? n.text
      : `${n.text}.${Array.from({ length: n.size }, () => pick(["x", "y", "z", "w"].slice(0, n.size))).join("")}`;

  const statement = (depth: number): void => {
    const scalars = names.filter((n) => n.size === 1 && !n.text.startsWith("loop"));
    const vectors = names.filter((n) => n.size > 1);
    const form = nat(12);
    if (form < 3 || scalars.length < 2) {
      const kind = pick([...integers, "float", "bool", "uint", "int"] as const);
      const size = kind !== "bool" && next() < 0.35 ? pick([2, 4]) : 1;
      const n: Name = { text: `v${String(fresh++)}`, kind, size };
      line(`${kind}${size > 1 ? String(size) : ""} ${n.text} = ${size > 1 ? vector(n, 2) : as(kind, 3)};`);
      names.push(n);
    } else if (form < 6) {
      const n = pick(scalars);
      line(`${n.text} = ${as(n.kind, 3)};`);
    } else if (form < 8) {
      const n = pick(scalars);
      if (n.kind === "float" || n.kind === "bool") line(`${n.text} = ${as(n.kind, 2)};`);
      else if (isSigned(n.kind)) line(`${n.text} ${pick(["&=", "|=", "^="])} ${as(pick(integers), 2)};`);
      else if (next() < 0.2) line(`${n.text}${pick(["++", "--"])};`);
      else line(`${n.text} ${pick(["+=", "-=", "*=", "&=", "|=", "^="])} ${as(unsignedOf(n.kind), 2)};`);
    } else if (form < 9 && vectors.length > 0) {
      const n = pick(vectors);
      if (next() < 0.5) line(`${n.text} = ${vector(n, 2)};`);
      else {
        const letters = ["x", "y", "z", "w"].slice(0, n.size);
        const [a] = letters.splice(nat(letters.length), 1);
        const b = pick(letters);
        line(`${n.text}.${a!}${b} = ${n.text}.${b}${a!};`);
      }
    } else if (form < 10 && depth > 0) {
      line(`if ((bool)${as(pick(integers), 2)}) {`);
      nested(depth);
      if (next() < 0.5) {
        line("} else {");
        nested(depth);
      }
      line("}");
    } else if (depth > 0) {
      const counter = `loop${String(fresh++)}`;
      line(`for (int ${counter} = 0; ${counter} < ${String(1 + nat(4))}; ${counter}++) {`);
      names.push({ text: counter, kind: "int", size: 1 });
      nested(depth);
      if (next() < 0.3) line(`  if ((bool)${as(pick(integers), 1)}) ${pick(["break", "continue"])};`);
      names.splice(
        names.findIndex((n) => n.text === counter),
        1,
      );
      line("}");
    }
  };
  const nested = (depth: number): void => {
    const known = names.length;
    const before = indent;
    indent += "  ";
    for (let n = 1 + nat(3); n > 0; n--) statement(depth - 1);
    indent = before;
    names.length = Math.min(names.length, Math.max(known, 0));
  };

  for (let n = 6 + nat(8); n > 0; n--) statement(2);
  for (let w = 0; w < words; w++) line(`dst[i * ${String(words)} + ${String(w)}] = ${as("uint", 2)};`);
  const folded = names.map(
    (n) =>
      `hash = hash * 31u + ${n.size > 1 ? (n.kind === "float" ? `as_uint(${n.text}.y)` : `(uint)${n.text}.y`) : n.kind === "float" ? `as_uint(${n.text})` : `(uint)${n.text}`};`,
  );
  return [
    `__kernel void ${name}(__global const uint *src, __global uint *dst) {`,
    "  int i = (int)get_global_id(0);",
    ...lines,
    "  uint hash = 0u;",
    ...folded.map((l) => `  ${l}`),
    `  dst[i * ${String(words)}] ^= hash;`,
    "}",
    "",
  ].join("\n");
}
