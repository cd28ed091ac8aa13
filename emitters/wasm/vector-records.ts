/**
 * Elements of lanes that lie in records of several words, as those of `vload4` and of arrays of structures: where lanes load several
 * parts of their record, and where they store all of it, whole vectors go to and from memory, and words are taken apart in them.
 */
import { bytesOf } from "../../src/regions/machine.js";
import type { ScalarKind } from "../../src/types/types.js";
import { type Code, v128, type ValueType } from "./bytes.js";
import { lanesOfGroup, VectorLanes, type Pointer } from "./vector-lanes.js";

/** Bytes of a vector, and of what of a record is loaded or stored together. */
const vectorBytes = 16;

/** A part of each lane's record: its first byte from the record's, and how many there are. */
export interface Part {
  readonly at: number;
  readonly bytes: number;
}

/** A part that is stored: its value as it lies in memory, in a local of 32 bits a lane; of a half the number, too, where that is at hand. */
export interface StoredPart extends Part {
  readonly value: number;
  readonly number?: number | undefined;
}

/**
 * Words of records, each of them a vector with a word of each lane, by their number in the window, as they were loaded or stored; `halves`
 * are the numbers by where they lie. What is stored later makes them stale.
 */
interface Known {
  readonly object: number;
  readonly words: ReadonlyMap<number, number>;
  readonly halves: ReadonlyMap<number, number>;
  stale: boolean;
}

/** Opcodes with lanes of 32 and of 64 bits that take the lower, or the upper, halves of two vectors by turns. */
const byTurns = {
  lower32: [0, 4, 1, 5],
  upper32: [2, 6, 3, 7],
  lower64: [0, 1, 4, 5],
  upper64: [2, 3, 6, 7],
  even32: [0, 2, 4, 6],
  odd32: [1, 3, 5, 7],
};

function shuffle(code: Code, a: number, b: number, words: keyof typeof byTurns): Code {
  code.get(a).get(b).simd(13);
  for (const w of byTurns[words]) for (let i = 0; i < 4; i++) code.op(4 * w + i);
  return code;
}

const remainder = (n: number, by: number): number => ((n % by) + by) % by;

/** Where the bytes begin that are loaded or stored together with the one at `at`; undefined where records of so many bytes are not. */
function windowOf(recordBytes: number, at: number): { readonly start: number; readonly words: number } | undefined {
  if (recordBytes % 4 !== 0 || recordBytes < 4) return undefined;
  const inside = remainder(at, recordBytes);
  const begins = Math.floor(inside / vectorBytes) * vectorBytes;
  return { start: at - inside + begins, words: Math.min(4, (recordBytes - begins) / 4) };
}

export abstract class VectorRecords extends VectorLanes {
  private known = new Map<string, Known>();

  // What is known on one way is not there on another, nor in the next pass of a loop.
  override ifElse(then: () => void, otherwise?: () => void, result?: ValueType): void {
    const before = this.known;
    const side = (inside: () => void) => (): void => {
      this.known = new Map(before);
      inside();
      this.known = before;
    };
    super.ifElse(side(then), otherwise && side(otherwise), result);
  }
  override block(inside: () => void, result?: ValueType): void {
    const before = this.known;
    this.known = new Map(before);
    super.block(inside, result);
    this.known = before;
  }
  override loopBlock(inside: () => void): void {
    const before = this.known;
    this.known = new Map();
    super.loopBlock(inside);
    this.known = before;
  }

  /** Something is stored to an object. */
  protected forgetKnown(object: unknown): void {
    for (const k of this.known.values()) k.stale ||= k.object === object;
  }

  private keyOf(p: Pointer, windowStart: number): string {
    return `${this.g.pointers.indexOf(p)}:${windowStart}`;
  }

  /** A part of records is loaded somewhere in the region. */
  protected isLoaded(p: Pointer, at: number, bytes: number): boolean {
    return p.loads.some((x) => x.at === at && x.bytes === bytes);
  }

  /** Leaves the half of each lane's record that was stored last; false (and nothing) where it is not known. */
  protected halfFromRecords(p: Pointer, at: number): boolean {
    const window = windowOf(p.stride * p.unit, at);
    const known = window && this.known.get(this.keyOf(p, window.start));
    const half = known?.stale === false ? known.halves.get(at) : undefined;
    if (half === undefined) return false;
    this.code.get(half);
    return true;
  }

  /** Leaves a part of each lane's record, as it lies in memory, in 32 bits; false (and nothing) where each is to be loaded by itself. */
  protected loadFromRecords(p: Pointer, scalar: ScalarKind, at: number): boolean {
    const bytes = bytesOf(scalar);
    const recordBytes = p.stride * p.unit;
    const window = windowOf(recordBytes, at);
    if (!window || remainder(at, 4) % bytes !== 0) return false;
    const wanted = wordsOf(p.loads, recordBytes, window);
    if (recordBytes > 8 && wanted.size < 2) return false;
    const { code } = this;
    const found = this.loadedWords(p, window, recordBytes, wanted);
    const word = found.get(Math.floor((at - window.start) / 4));
    if (word === undefined) return false;
    code.get(word);
    if (bytes === 4) return true;
    const below = 8 * (remainder(at, 4) % 4);
    const bits = 8 * bytes;
    const isSigned = scalar === "i8" || scalar === "i16";
    if (isSigned && below + bits < 32) code.i32(32 - below - bits).simd(171);
    if (isSigned) code.i32(32 - bits).simd(172);
    else {
      if (below > 0) code.i32(below).simd(173);
      const mask = 2 ** bits - 1;
      if (below + bits < 32) code.v128([mask, mask, mask, mask]).simd(78);
    }
    return true;
  }

  private loadedWords(
    p: Pointer,
    window: { readonly start: number; readonly words: number },
    recordBytes: number,
    wanted: ReadonlySet<number>,
  ): ReadonlyMap<number, number> {
    const key = this.keyOf(p, window.start);
    const known = this.known.get(key);
    if (known && !known.stale) return known.words;
    const { code } = this;
    const words = new Map<number, number>();
    const result = (w: number): number => {
      const local = this.regionLocal(v128);
      words.set(w, local);
      return local;
    };
    const load = (offset: number): number => {
      const local = this.newLocal(v128);
      const more = this.addressBy(p, window.start + offset);
      code.simdMemory(0, more).set(local);
      return local;
    };
    if (recordBytes === 4) {
      const more = this.addressBy(p, window.start);
      code.simdMemory(0, more).set(result(0));
    } else if (recordBytes === 8) {
      const [a, b] = [load(0), load(vectorBytes)];
      for (const w of wanted) shuffle(code, a, b, w === 0 ? "even32" : "odd32").set(result(w));
    } else {
      const rows = lanesOfGroup.map((lane) => load(lane * recordBytes));
      for (const half of [0, 1]) {
        const here = [...wanted].filter((w) => w >> 1 === half);
        if (here.length === 0) continue;
        const [a, b] = [this.newLocal(v128), this.newLocal(v128)];
        shuffle(code, rows[0]!, rows[1]!, half === 0 ? "lower32" : "upper32").set(a);
        shuffle(code, rows[2]!, rows[3]!, half === 0 ? "lower32" : "upper32").set(b);
        for (const w of here) shuffle(code, a, b, w % 2 === 0 ? "lower64" : "upper64").set(result(w));
      }
    }
    this.known.set(key, { object: p.object, words, halves: new Map(), stale: false });
    return words;
  }

  /** Leaves the address of the first lane's element, and gives what is to be added to it. */
  protected addressBy(p: Pointer, offset: number): number {
    this.code.get(p.address);
    if (offset >= 0) return offset;
    this.code.i32(offset).op(0x6a);
    return 0;
  }

  /**
   * How many of the parts, in the order in which they are stored, make up all that is stored together of the lanes' records; 0 where
   * they do not.
   */
  protected wholeRecord(recordBytes: number, parts: readonly Part[]): number {
    const window = windowOf(recordBytes, parts[0]!.at);
    if (!window || (recordBytes > 8 && window.words < 4) || recordBytes === parts[0]!.bytes) return 0;
    const bytes = new Set<number>();
    for (const [i, p] of parts.entries()) {
      for (let at = p.at; at < p.at + p.bytes; at++) {
        const place = at - window.start;
        if (place < 0 || place >= 4 * window.words || bytes.has(place) || remainder(p.at, 4) % p.bytes !== 0) return 0;
        bytes.add(place);
      }
      if (bytes.size === 4 * window.words) return i + 1;
    }
    return 0;
  }

  /** Stores parts that make up a whole record; what of it is loaded later is taken from where it is. */
  protected storeRecords(p: Pointer, parts: readonly StoredPart[]): void {
    const { code } = this;
    const recordBytes = p.stride * p.unit;
    const window = windowOf(recordBytes, parts[0]!.at)!;
    const serves = wordsOf(p.loads, recordBytes, window).size > 0;
    const result = (): number => (serves ? this.regionLocal(v128) : this.newLocal(v128));
    const words = Array.from({ length: window.words }, (_, w) => {
      const here = parts.filter((x) => (x.at - window.start) >> 2 === w);
      if (here.length === 1 && !serves) return here[0]!.value;
      const word = result();
      here.forEach((x, i) => {
        const below = 8 * remainder(x.at, 4);
        const mask = 2 ** (8 * x.bytes) - 1;
        code.get(x.value);
        if (below + 8 * x.bytes < 32) code.v128([mask, mask, mask, mask]).simd(78);
        if (below > 0) code.i32(below).simd(171);
        if (i > 0) code.simd(80);
      });
      code.set(word);
      return word;
    });
    const store = (offset: number, value: () => void): void => {
      const more = this.addressBy(p, window.start + offset);
      value();
      code.simdMemory(11, more);
    };
    const [a, b, c, d] = words as [number, number, number, number];
    if (recordBytes === 4) store(0, () => void code.get(a));
    else if (recordBytes === 8) {
      store(0, () => void shuffle(code, a, b, "lower32"));
      store(vectorBytes, () => void shuffle(code, a, b, "upper32"));
    } else
      for (const half of ["lower32", "upper32"] as const) {
        const [first, second] = [this.newLocal(v128), this.newLocal(v128)];
        shuffle(code, a, b, half).set(first);
        shuffle(code, c, d, half).set(second);
        const lane = half === "lower32" ? 0 : 2;
        store(lane * recordBytes, () => void shuffle(code, first, second, "lower64"));
        store((lane + 1) * recordBytes, () => void shuffle(code, first, second, "upper64"));
      }
    this.forgetKnown(p.object);
    if (!serves) return;
    const halves = new Map(parts.flatMap((x) => (x.number === undefined ? [] : [[x.at, x.number] as const])));
    this.known.set(this.keyOf(p, window.start), {
      object: p.object,
      words: new Map(words.entries()),
      halves,
      stale: false,
    });
  }
}

/** Words of a window that are loaded of records. */
function wordsOf(
  loads: readonly Part[],
  recordBytes: number,
  window: { readonly start: number; readonly words: number },
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { at, bytes } of loads) {
    const place = at - window.start;
    if (place < 0 || place >= 4 * window.words || (place % 4) % bytes !== 0 || recordBytes === bytes) continue;
    found.add(place >> 2);
  }
  return found;
}
