/** What a kernel of the matrix must leave in its buffers at a width, and how that differs from what it left. */
import {
  bytesOf,
  classOf,
  isActive,
  lanesInAll,
  mask,
  predicateOf,
  rowNames,
  rowValue,
  store,
  uniformNumber,
} from "./data.js";
import type { RowName } from "./data.js";
import type { Kernel, Placed } from "./kernels.js";
import { joins, POISON, references } from "./reference.js";
import type { Group, Kind, Lanes, Value } from "./reference.js";

/** What the buffers hold before. */
export const untouched = 0xcd;

export interface Expected {
  readonly outT: Uint8Array;
  readonly outW: Uint8Array;
  /** 1 where the element is open. */
  readonly openT: Uint8Array;
  readonly openW: Uint8Array;
  /** Cases with an open result, and those that mean nothing at this width. */
  readonly poisoned: ReadonlySet<Placed>;
  readonly left: ReadonlySet<Placed>;
}

interface Place {
  readonly start: number;
  readonly width: number;
  readonly kind: Kind;
  readonly component: number;
  readonly group: Group;
}

function operand(name: string, { start, width, kind, component, group }: Place): Lanes {
  const lanes = (f: (i: number, lane: number) => Value): Lanes =>
    Array.from({ length: width }, (_, lane) => (start + lane < lanesInAll ? f(start + lane, lane) : POISON));
  if ((rowNames as readonly string[]).includes(name))
    return lanes((i) => rowValue(name as RowName, kind, i, component));
  if (/^\d+$/.test(name)) return lanes(() => Number(name));
  switch (name) {
    case "true":
      return lanes(() => true);
    case "flag":
      return lanes(predicateOf);
    case "u":
      return lanes(() => uniformNumber);
    case "mask":
      return lanes(() => mask);
    case "classmates":
      return lanes((i) =>
        group.active.reduce(
          (m, a, other) => (a && classOf(start + other) === classOf(i) ? m | (1n << BigInt(other)) : m),
          0n,
        ),
      );
    case "pick":
      return lanes((_, lane) => (lane * 5 + 3) & (width - 1));
    case "low":
      return lanes((_, lane) => lane & 3);
    case "next":
      return lanes((_, lane) => (lane + 1) & 3);
    default:
      throw new Error(`no operand ${name}`);
  }
}

/** The subgroups of a turn that have an active lane. */
function groupsOf(kernel: Kernel, width: number, turn: number, whole: boolean): { start: number; group: Group }[] {
  const size = whole ? lanesInAll : width;
  const count = Math.ceil(lanesInAll / size);
  return Array.from({ length: count }, (_, index) => {
    const start = index * size;
    const active = Array.from({ length: size }, (_, lane) => {
      const i = start + lane;
      return i < lanesInAll && (kernel.flow === "uniform" || isActive(i, turn));
    });
    const existing = Math.min(size, lanesInAll - start);
    return { start, group: { active, kind: kernel.shape.kind, index, count, existing } };
  }).filter(({ group }) => group.active.includes(true));
}

export function expectedOf(kernel: Kernel, width: number): Expected {
  const { kind, size } = kernel.shape;
  const step = bytesOf(kind);
  const outT = new Uint8Array(kernel.elements * step).fill(untouched);
  const outW = new Uint8Array(kernel.words * 4).fill(untouched);
  const openT = new Uint8Array(kernel.elements);
  const openW = new Uint8Array(kernel.words);
  const [viewT, viewW] = [new DataView(outT.buffer), new DataView(outW.buffer)];
  const poisoned = new Set<Placed>();
  const left = new Set<Placed>();
  for (const placed of kernel.placed) {
    const { op, operands, result, fromWidth, on } = placed.case;
    if (fromWidth !== undefined && width < fromWidth) {
      const length = placed.step * lanesInAll * kernel.turns;
      (placed.buffer === "outT" ? openT : openW).fill(1, placed.at, placed.at + length);
      left.add(placed);
      continue;
    }
    const reference = references[op];
    if (!reference) throw new Error(`no reference of ${op}`);
    const whole = op.startsWith("workgroup.");
    const components = on === undefined ? 1 : size;
    for (let turn = 0; turn < kernel.turns; turn++) {
      for (const { start, group } of groupsOf(kernel, width, turn, whole)) {
        const given = (component: number): Lanes[] =>
          operands.map((name) => operand(name, { start, width: group.active.length, kind, component, group }));
        let results = Array.from({ length: components }, (_, c) => reference(group, ...given(c)));
        if (result !== "T" && result !== "boolT" && results.length > 1) results = [joined(op, results)];
        group.active.forEach((active, lane) => {
          if (!active) return;
          const at = placed.at + (turn * lanesInAll + start + lane) * placed.step;
          results.forEach((lanes, c) => {
            const value = lanes[lane]!;
            if (value === POISON) poisoned.add(placed);
            if (placed.buffer === "outT") {
              if (value === POISON) openT[at + c] = 1;
              else store(viewT, (at + c) * step, kind, value);
              return;
            }
            const words = result === "mask" ? 4 : result === "vote" ? 2 : 1;
            for (let w = 0; w < words; w++) {
              if (value === POISON) openW[at + c + w] = 1;
              else viewW.setUint32((at + c + w) * 4, wordOf(value, w), true);
            }
          });
        });
      }
    }
  }
  return { outT, outW, openT, openW, poisoned, left };
}

const wordOf = (value: Value, w: number): number =>
  typeof value === "bigint" ? Number((value >> BigInt(32 * w)) & 0xffff_ffffn) : Number(value) >>> 0;

function joined(op: string, results: readonly Lanes[]): Lanes {
  const join = joins[op];
  if (!join) throw new Error(`${op} of a vector is no scalar`);
  return results.reduce((a, b) =>
    a.map((x, lane) => (x === POISON || b[lane] === POISON ? POISON : join(x, b[lane] as Value))),
  );
}

// ------------------------------------------------------------------ differences

export interface Outcome {
  readonly outT: Uint8Array;
  readonly outW: Uint8Array;
}

/** One line per case that is off: where first. */
export function differences(kernel: Kernel, width: number, expected: Expected, got: Outcome): string[] {
  const { kind } = kernel.shape;
  const lines: string[] = [];
  for (const placed of kernel.placed) {
    const inT = placed.buffer === "outT";
    const step = inT ? bytesOf(kind) : 4;
    const [want, is, open] = inT
      ? [expected.outT, got.outT, expected.openT]
      : [expected.outW, got.outW, expected.openW];
    const end = placed.at + placed.step * lanesInAll * kernel.turns;
    for (let e = placed.at; e < end; e++) {
      if (open[e] === 1 || same(want, is, e * step, step, inT ? kind : "u32")) continue;
      const place = Math.floor((e - placed.at) / placed.step);
      const [turn, i] = [Math.floor(place / lanesInAll), place % lanesInAll];
      lines.push(
        `${placed.case.op} ${placed.case.call}, width ${width}, turn ${turn}, invocation ${i} (lane ${i % width})` +
          `${placed.step > 1 ? `, component ${(e - placed.at) % placed.step}` : ""}: ${hex(is, e * step, step)}, not ${hex(want, e * step, step)}`,
      );
      break;
    }
  }
  return lines;
}

/** The open elements that two runs with different fills leave the same. */
export function unmoved(kernel: Kernel, expected: Expected, a: Outcome, b: Outcome): string[] {
  const lines: string[] = [];
  for (const placed of kernel.placed) {
    if (expected.left.has(placed)) continue;
    // DXC's quad reads take numbers: a bool goes as an int, and that any fill is not zero says nothing new with another.
    if (kernel.dialect === "hlsl" && kernel.shape.kind === "bool" && placed.case.op.startsWith("quad.shuffle"))
      continue;
    const inT = placed.buffer === "outT";
    const step = inT ? bytesOf(kernel.shape.kind) : 4;
    const [x, y, open] = inT ? [a.outT, b.outT, expected.openT] : [a.outW, b.outW, expected.openW];
    const end = placed.at + placed.step * lanesInAll * kernel.turns;
    for (let e = placed.at; e < end; e++) {
      if (open[e] !== 1 || !same(x, y, e * step, step, "u32")) continue;
      lines.push(
        `${placed.case.op} ${placed.case.call}: element ${e - placed.at} is open, and the same with another fill`,
      );
      break;
    }
  }
  return lines;
}

function same(a: Uint8Array, b: Uint8Array, at: number, step: number, kind: Kind): boolean {
  let equal = true;
  for (let k = at; k < at + step; k++) if (a[k] !== b[k]) equal = false;
  // Bits of a NaN are nobody's business.
  return equal || (kind[0] === "f" && isNaNAt(a, at, kind) && isNaNAt(b, at, kind));
}

function isNaNAt(bytes: Uint8Array, at: number, kind: Kind): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (kind === "f32") return Number.isNaN(view.getFloat32(at, true));
  if (kind === "f64") return Number.isNaN(view.getFloat64(at, true));
  return (view.getUint16(at, true) & 0x7fff) > 0x7c00;
}

const hex = (bytes: Uint8Array, at: number, step: number): string =>
  `0x${[...bytes.subarray(at, at + step)]
    .reverse()
    .map((b) => b.toString(16).padStart(2, "0"))
    .join("")}`;
