/**
 * WebAssembly's binary format, as much of it as kernels need: instructions as bytes, and a module of functions over an imported
 * memory and imported globals. Only encodes: nothing is checked here (WebAssembly core specification 2.0, chapter 5).
 */

export const i32 = 0x7f;
export const i64 = 0x7e;
export const f32 = 0x7d;
export const f64 = 0x7c;
export const v128 = 0x7b;
export type ValueType = typeof i32 | typeof i64 | typeof f32 | typeof f64 | typeof v128;
/** Block type without values. */
export const empty = 0x40;

/** Of the module's functions: one it imports or one it defines. */
export interface FunctionRef {
  readonly from: "import" | "own";
  readonly index: number;
}

const floats = new DataView(new ArrayBuffer(8));

/** Instructions of one function. */
export class Code {
  private room = new Uint8Array(256);
  private end = 0;
  readonly calls: { readonly at: number; readonly target: FunctionRef }[] = [];

  get length(): number {
    return this.end;
  }
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.room.subarray(0, this.end);
  }
  private grow(more: number): void {
    const room = new Uint8Array(Math.max(2 * this.room.length, this.end + more));
    room.set(this.bytes);
    this.room = room;
  }
  private push(b: number): void {
    if (this.end === this.room.length) this.grow(1);
    this.room[this.end++] = b;
  }

  op(first: number, ...more: readonly number[]): this {
    this.push(first);
    for (let i = 0; i < more.length; i++) this.push(more[i]!);
    return this;
  }
  unsigned(n: number): this {
    while (n > 127) {
      this.push((n % 128) | 128);
      n = Math.floor(n / 128);
    }
    this.push(n);
    return this;
  }
  raw(bytes: Uint8Array): this {
    if (this.end + bytes.length > this.room.length) this.grow(bytes.length);
    this.room.set(bytes, this.end);
    this.end += bytes.length;
    return this;
  }
  signed(n: number): this {
    for (;;) {
      const low = n & 127;
      n >>= 7;
      if ((n === 0 && (low & 64) === 0) || (n === -1 && (low & 64) !== 0)) {
        this.push(low);
        return this;
      }
      this.push(low | 128);
    }
  }
  i32(n: number): this {
    return this.op(0x41).signed(n | 0);
  }
  i64(n: bigint | number): this {
    let rest = BigInt.asIntN(64, BigInt(n));
    this.op(0x42);
    for (;;) {
      const low = Number(rest & 127n);
      rest >>= 7n;
      if ((rest === 0n && (low & 64) === 0) || (rest === -1n && (low & 64) !== 0)) return this.op(low);
      this.push(low | 128);
    }
  }
  /** A NaN is written as the canonical one. */
  f32(x: number): this {
    if (x === x) floats.setFloat32(0, x, true);
    else floats.setUint32(0, 0x7fc00000, true);
    this.op(0x43);
    for (let i = 0; i < 4; i++) this.push(floats.getUint8(i));
    return this;
  }
  f64(x: number): this {
    if (x === x) floats.setFloat64(0, x, true);
    else floats.setBigUint64(0, 0x7ff8000000000000n, true);
    this.op(0x44);
    for (let i = 0; i < 8; i++) this.push(floats.getUint8(i));
    return this;
  }
  get(local: number): this {
    return this.op(0x20).unsigned(local);
  }
  set(local: number): this {
    return this.op(0x21).unsigned(local);
  }
  tee(local: number): this {
    return this.op(0x22).unsigned(local);
  }
  global(index: number): this {
    return this.op(0x23).unsigned(index);
  }
  setGlobal(index: number): this {
    return this.op(0x24).unsigned(index);
  }
  call(target: FunctionRef): this {
    this.op(0x10);
    this.calls.push({ at: this.end, target });
    // Filled in when all imports are known.
    return this.op(0x80, 0x80, 0x80, 0x80, 0);
  }
  /** A load or store: its alignment is only a hint. */
  memory(opcode: number, offset: number, align = 0): this {
    return this.op(opcode, align).unsigned(offset);
  }
  simd(opcode: number): this {
    return this.op(0xfd).unsigned(opcode);
  }
  simdMemory(opcode: number, offset: number): this {
    return this.simd(opcode).op(0).unsigned(offset);
  }
  /** The same 32 bits in each of the four lanes. */
  v128(words: readonly number[]): this {
    this.simd(12);
    for (const w of words) this.op(w & 255, (w >>> 8) & 255, (w >>> 16) & 255, (w >>> 24) & 255);
    return this;
  }
  append(other: Code): this {
    const shift = this.end;
    this.raw(other.bytes);
    for (const c of other.calls) this.calls.push({ at: c.at + shift, target: c.target });
    return this;
  }
}

export interface FunctionType {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

export interface FunctionBody {
  readonly type: FunctionType;
  readonly locals: readonly ValueType[];
  readonly code: Code;
}

export interface ModuleParts {
  /** Threads share the memory. */
  readonly shared?: boolean;
  readonly functionImports: readonly FunctionType[];
  /** All of them constants. */
  readonly globalImports: readonly ValueType[];
  readonly functions: readonly FunctionBody[];
  /** Index of each exported function among `functions`, by name. */
  readonly exports: Readonly<Record<string, number>>;
}

const text = new TextEncoder();

/** Imports are `m.memory`, `f.0`, `f.1` and so on for functions, `g.0` and so on for globals. */
export function encodeModule(parts: ModuleParts): Uint8Array<ArrayBuffer> {
  const types = new Map<string, number>();
  const typeList: FunctionType[] = [];
  const typeOf = (t: FunctionType): number => {
    const key = `${t.parameters.join()}>${t.results.join()}`;
    let found = types.get(key);
    if (found === undefined) {
      types.set(key, (found = typeList.length));
      typeList.push(t);
    }
    return found;
  };
  const named = (code: Code, ...names: readonly string[]): Code => {
    for (const s of names) {
      const encoded = text.encode(s);
      code.unsigned(encoded.length).raw(encoded);
    }
    return code;
  };
  const importSection = new Code();
  importSection.unsigned(1 + parts.functionImports.length + parts.globalImports.length);
  named(importSection, "m", "memory").op(2);
  // At most 2^16 pages, all that 32 bits reach.
  if (parts.shared) importSection.op(3, 0).unsigned(65536);
  else importSection.op(0, 0);
  parts.functionImports.forEach((t, i) => named(importSection, "f", String(i)).op(0).unsigned(typeOf(t)));
  parts.globalImports.forEach((type, i) => named(importSection, "g", String(i)).op(3, type, 0));
  const functionSection = new Code();
  functionSection.unsigned(parts.functions.length);
  for (const f of parts.functions) functionSection.unsigned(typeOf(f.type));
  const exportSection = new Code();
  const exported = Object.entries(parts.exports);
  exportSection.unsigned(exported.length);
  const before = parts.functionImports.length;
  for (const [n, i] of exported)
    named(exportSection, n)
      .op(0)
      .unsigned(before + i);
  const codeSection = new Code();
  codeSection.unsigned(parts.functions.length);
  for (const f of parts.functions) {
    const locals = new Code();
    const runs: { type: ValueType; count: number }[] = [];
    for (const type of f.locals) {
      const last = runs.at(-1);
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    locals.unsigned(runs.length);
    for (const r of runs) locals.unsigned(r.count).op(r.type);
    const { bytes, calls } = f.code;
    for (const c of calls) {
      let n = c.target.from === "import" ? c.target.index : before + c.target.index;
      for (let k = 0; k < 4; k++) {
        bytes[c.at + k] = (n & 127) | 128;
        n >>= 7;
      }
      bytes[c.at + 4] = n;
    }
    codeSection.unsigned(locals.length + bytes.length + 1);
    codeSection.raw(locals.bytes).raw(bytes).op(0x0b);
  }
  const typeSection = new Code();
  typeSection.unsigned(typeList.length);
  for (const t of typeList) {
    typeSection.op(0x60);
    for (const list of [t.parameters, t.results]) typeSection.unsigned(list.length).raw(Uint8Array.from(list));
  }
  const whole = new Code();
  whole.op(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  const sections: [number, Code][] = [
    [1, typeSection],
    [2, importSection],
    [3, functionSection],
    [7, exportSection],
    [10, codeSection],
  ];
  for (const [id, s] of sections) {
    whole.op(id).unsigned(s.length).raw(s.bytes);
  }
  return whole.bytes.slice();
}
