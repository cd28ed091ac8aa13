/**
 * Kernels of OpenCL C about unions: members of many types over the same bytes, in structs and arrays, in private, workgroup and
 * global memory, by value and by pointer, with and without names.
 */
import type { Random } from "../mutants/mutate.js";

export const unionWords = 4;

/** One of so many numbers, from 0. */
type Pick = (n: number) => number;

interface Member {
  readonly declaration: string;
  /** Numbers that can be written and read, as C names them after the union. */
  readonly parts: readonly { readonly path: string; readonly type: "uint" | "ushort" | "uchar" | "ulong" | "float" }[];
}

const scalarSizes = { uchar: 1, ushort: 2, uint: 4, float: 4, ulong: 8 } as const;
type Scalar = keyof typeof scalarSizes;

function memberOf(next: Pick, name: string, bytes: number): Member {
  const kinds = (Object.keys(scalarSizes) as Scalar[]).filter((k) => k !== "ulong" || bytes % 8 === 0);
  const type = kinds[next(kinds.length)]!;
  const most = bytes / scalarSizes[type];
  switch (next(5)) {
    case 0:
      return { declaration: `${type} ${name};`, parts: [{ path: name, type }] };
    case 1:
      if (most >= 4 && type !== "ulong")
        return {
          declaration: `${type}4 ${name};`,
          parts: ["x", "y", "z", "w"].map((c) => ({ path: `${name}.${c}`, type })),
        };
      return { declaration: `${type} ${name};`, parts: [{ path: name, type }] };
    case 2: {
      const anonymous = next(2) === 0;
      const parts = [
        { path: `${name}a`, type: "ushort" },
        { path: `${name}b`, type: "uchar" },
      ] as const;
      const inner = `struct { ushort ${name}a; uchar ${name}b; }`;
      return anonymous
        ? { declaration: `${inner};`, parts }
        : { declaration: `${inner} ${name};`, parts: parts.map((p) => ({ ...p, path: `${name}.${p.path}` })) };
    }
    default: {
      const count = Math.min(most, 1 + next(4));
      const at = next(2) === 0 ? String(next(count)) : `(id + ${String(next(7))}) % ${String(count)}`;
      return {
        declaration: `${type} ${name}[${String(count)}];`,
        parts: [
          { path: `${name}[${at}]`, type },
          { path: `${name}[${String(count - 1)}]`, type },
        ],
      };
    }
  }
}

const read = (place: string, type: Scalar): string =>
  type === "float" ? `(${place} > 1.0f ? 5u : 6u)` : type === "ulong" ? `(uint)(${place} >> 17)` : `(uint)${place}`;

function write(next: Pick, place: string, type: Scalar): string {
  const value = `(h + ${String(next(1000))}u)`;
  if (type === "float") return `${place} = (float)(${value} & 1023u);`;
  switch (next(4)) {
    case 0:
      return `${place} += (${type})${value};`;
    case 1:
      return `${place}++;`;
    default:
      return `${place} = (${type})(${value} * 2654435761u);`;
  }
}

export function unionProgram(random: Random, id: string): string {
  const next: Pick = (n) => Math.floor(random() * n);
  const words = 1 + next(3) === 1 ? 2 : 4;
  const members: Member[] = [
    { declaration: `uint w[${String(words)}];`, parts: [{ path: "w[0]", type: "uint" }] },
    ...["m", "n", "o", "p"].slice(0, 2 + next(3)).map((name) => memberOf(next, name, 4 * words)),
  ];
  const order = next(2) === 0 ? members : [...members].reverse();
  const u = `union U${id}`;
  const isAnonymous = next(3) === 0;
  const text = order.map((m) => `  ${m.declaration}`).join("\n");
  const own = isAnonymous ? "" : "u.";
  const parts = members.flatMap((m) => m.parts);
  const part = (): (typeof parts)[number] => parts[next(parts.length)]!;
  const declared = isAnonymous
    ? `struct S${id} {\n  ushort head;\n  union {\n${text}\n  };\n  uchar tail;\n};`
    : `${u} {\n${text}\n};\nstruct S${id} {\n  ushort head;\n  ${u} u;\n  uchar tail;\n};`;
  const s = `struct S${id}`;
  const fill = (place: string): string =>
    `for (uint i = 0; i < ${String(words)}; i++) ${place}w[i] = src[(id * 7 + i * 3 + ${String(next(9))}) % 61];`;
  const steps: string[] = [];
  const objects = ["x.", "list[id % 3].", "list[1].", "shared[get_local_id(0)].", "p->"];
  const step = (): string => {
    const object = objects[next(objects.length)]! + own;
    const a = part();
    switch (next(9)) {
      case 0:
        return "x = list[(id + 1) % 3];";
      case 1:
        return `list[${String(next(3))}] = x; shared[get_local_id(0)] = list[0];`;
      case 2:
        return `h = h * 31 + by_value${id}(${object.startsWith("shared") ? "x." + own : object}w[0], ${["x", "list[2]", "*p"][next(3)]!});`;
      case 3:
        return `change${id}(${["&x", "&list[0]", "p"][next(3)]!}, h, id);`;
      case 4:
        return isAnonymous ? `x = made${id}(h, id);` : `h += ${read(`made${id}(h, id).${own}${a.path}`, a.type)};`;
      case 5:
        return `x.head += 3; list[1].tail ^= (uchar)h; h += x.head + list[1].tail;`;
      case 6:
        return `p = &list[h % 3];`;
      default:
        return `${write(next, object + a.path, a.type)} h = h * 33 + ${read(objects[next(objects.length)]! + own + a.path, a.type)};`;
    }
  };
  for (let i = 0; i < 6 + next(8); i++) {
    const text = step();
    steps.push(
      next(5) === 0 ? `if (h & 4u) { ${text} }` : next(6) === 0 ? `for (int t = 0; t < 3; t++) { ${text} }` : text,
    );
  }
  const reads = (object: string): string =>
    `for (uint i = 0; i < ${String(words)}; i++) h = h * 37 + ${object}${own}w[i];`;
  const b = part();
  const c = part();
  return `${declared}
uint by_value${id}(uint h, ${s} v) {
  uint id = h & 7u;
  ${write(next, `v.${own}${b.path}`, b.type)}
  return h + ${read(`v.${own}${c.path}`, c.type)} + v.${own}w[0];
}
void change${id}(${s} *v, uint h, uint id) {
  ${write(next, `v->${own}${c.path}`, c.type)}
  ${write(next, `v->${own}${b.path}`, b.type)}
}
${s} made${id}(uint h, uint id) {
  ${s} v;
  for (uint i = 0; i < ${String(words)}; i++) v.${own}w[i] = h * i + id;
  v.head = (ushort)h;
  v.tail = 3;
  ${write(next, `v.${own}${b.path}`, b.type)}
  return v;
}
__kernel void k${id}(__global const uint *src, __global uint *dst) {
  __local ${s} shared[4];
  uint id = get_global_id(0);
  uint h = id + 1;
  ${s} x, list[3];
  ${s} *p = &list[1];
  ${fill(`x.${own}`)}
  x.head = (ushort)src[id];
  x.tail = 5;
  for (int k = 0; k < 3; k++) {
    list[k] = x;
    list[k].${own}w[k % ${String(words)}] += k;
  }
  shared[get_local_id(0)] = x;
  ${steps.join("\n  ")}
  dst[id * 4] = h;
  ${reads("x.")}
  dst[id * 4 + 1] = h;
  ${reads("list[id % 3].")}
  dst[id * 4 + 2] = h + list[0].head + list[2].tail;
  ${reads("shared[get_local_id(0)].")}
  dst[id * 4 + 3] = h;
}
`;
}
