/**
 * The one place that calls foreign functions: `koffi`, an optional dependency, loaded when a device is first asked for.
 * Functions are described as text, `i32(ptr, u32)`; pointers and handles are 64-bit whole numbers on this side.
 */
import type koffiTypes from "koffi";
import { DeviceError } from "./failure.js";
import { writeStructure } from "./structures.js";
import type { Fields, Primitive, Structure, Values } from "./structures.js";

type Koffi = typeof koffiTypes;

export type Foreign = (...args: readonly (number | bigint | Uint8Array | null)[]) => number | bigint;

export interface Ffi {
  /** The library under the first of these names that there is. */
  open<N extends string>(names: readonly string[], functions: Readonly<Record<N, string>>): Library<N> | undefined;
  /** A function by its address. */
  at(address: bigint, signature: string): Foreign;
  /** A function of ours that C may call while one of its functions runs. */
  callback(
    signature: string,
    body: (...args: (number | bigint)[]) => number,
  ): { readonly address: bigint; release(): void };
  /** C's memory as bytes; valid as long as that memory is. */
  view(address: bigint, length: number): ArrayBuffer;
  text(address: bigint): string;
  memory(): NativeMemory;
}

export interface Library<N extends string> {
  readonly name: string;
  readonly call: Readonly<Record<N, Foreign>>;
}

const cTypes: Readonly<Record<Primitive | "void" | "data", string>> = {
  u8: "uint8_t",
  u16: "uint16_t",
  u32: "uint32_t",
  i32: "int32_t",
  u64: "uint64_t",
  f32: "float",
  ptr: "uint64_t",
  void: "void",
  // Bytes of ours, which C reads or writes during the call.
  data: "void *",
};

function signatureOf(text: string): { result: string; parameters: string[] } {
  const match = /^(\w+)\(([^)]*)\)$/.exec(text);
  if (!match) throw new Error(`'${text}' describes no function`);
  const c = (word: string): string => cTypes[word as Primitive];
  return { result: c(match[1]!), parameters: match[2] === "" ? [] : match[2]!.split(", ").map(c) };
}

export async function loadFfi(): Promise<Ffi> {
  let koffi: Koffi;
  try {
    koffi = (await import("koffi")).default;
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0]! : String(error);
    throw new DeviceError("XL7001", "the package 'koffi', through which drivers are called, cannot be loaded", {
      help: "install it beside crosslane: npm install koffi",
      notes: [why],
    });
  }
  return {
    open(names, functions) {
      for (const name of names) {
        let library: ReturnType<Koffi["load"]>;
        try {
          library = koffi.load(name);
        } catch {
          continue;
        }
        const call: Record<string, Foreign> = {};
        for (const [symbol, signature] of Object.entries<string>(functions)) {
          const { result, parameters } = signatureOf(signature);
          let found: Foreign | undefined;
          try {
            found = library.func(symbol, result, parameters) as Foreign;
          } catch {
            // An older loader; whoever needs the function finds out when calling it.
          }
          call[symbol] =
            found ??
            (() => {
              throw new DeviceError("XL7002", `${name} is too old: it has no ${symbol}`);
            });
        }
        return { name, call: call as Library<keyof typeof functions>["call"] };
      }
      return undefined;
    },
    at(address, signature) {
      const { result, parameters } = signatureOf(signature);
      return koffi.decode(address, koffi.proto(result === "void" ? "void" : result, parameters)) as Foreign;
    },
    callback(signature, body) {
      const { result, parameters } = signatureOf(signature);
      const type = koffi.pointer(koffi.proto(result, parameters));
      const address = koffi.register(body, type);
      return { address: koffi.address(address), release: () => koffi.unregister(address) };
    },
    view: (address, length) => koffi.view(address, length),
    text: (address) => (address === 0n ? "" : (koffi.decode(address, "char", -1) as string)),
    memory: () => new NativeMemory(koffi),
  };
}

/** Where something of ours lies in C's memory. */
export interface Block {
  readonly address: bigint;
  readonly view: DataView;
  /** From the start of `view`. */
  readonly offset: number;
}

const chunkSize = 65536;

/** Memory that C may point into, zeroed, all released together. */
export class NativeMemory {
  private readonly chunks: { address: bigint; view: DataView; used: number }[] = [];

  constructor(private readonly koffi: Pick<Koffi, "alloc" | "free" | "view" | "address">) {}

  alloc(size: number, align = 8): Block {
    let chunk = this.chunks.at(-1);
    const start = chunk ? Math.ceil(chunk.used / align) * align : 0;
    if (!chunk || start + size > chunk.view.byteLength) {
      const length = Math.max(size, chunkSize);
      const address = this.koffi.address(this.koffi.alloc("uint8_t", length));
      const bytes = this.koffi.view(address, length);
      new Uint8Array(bytes).fill(0);
      chunk = { address, view: new DataView(bytes), used: 0 };
      this.chunks.push(chunk);
    }
    const offset = chunk.used === 0 ? 0 : start;
    chunk.used = offset + size;
    return { address: chunk.address + BigInt(offset), view: chunk.view, offset };
  }

  structure<F extends Fields>(s: Structure<F>, values: Values<F> = {}): Block {
    const block = this.alloc(s.size);
    writeStructure(block.view, block.offset, s, values);
    return block;
  }

  /** An array of structures. */
  structures<F extends Fields>(s: Structure<F>, list: readonly Values<F>[]): Block {
    const block = this.alloc(Math.max(1, list.length) * s.size);
    list.forEach((values, i) => writeStructure(block.view, block.offset + i * s.size, s, values));
    return block;
  }

  bytes(data: Uint8Array): Block {
    const block = this.alloc(Math.max(1, data.length));
    new Uint8Array(block.view.buffer, block.offset, data.length).set(data);
    return block;
  }

  text(value: string): Block {
    return this.bytes(new TextEncoder().encode(`${value}\0`));
  }

  /** An array of pointers or handles. */
  pointers(list: readonly bigint[]): Block {
    const block = this.alloc(Math.max(1, list.length) * 8);
    list.forEach((p, i) => block.view.setBigUint64(block.offset + i * 8, p, true));
    return block;
  }

  texts(list: readonly string[]): Block {
    return this.pointers(list.map((t) => this.text(t).address));
  }

  /** Room for one result: a handle or a number. */
  result(): Block & { readonly handle: () => bigint; readonly number: () => number } {
    const block = this.alloc(8);
    return {
      ...block,
      handle: () => block.view.getBigUint64(block.offset, true),
      number: () => block.view.getUint32(block.offset, true),
    };
  }

  free(): void {
    for (const { address } of this.chunks.splice(0)) this.koffi.free(address);
  }
}

/** What is to be released, last made first, on every path. */
export class Releases {
  private readonly list: (() => void)[] = [];

  add(release: () => void): void {
    this.list.push(release);
  }

  run(): void {
    while (this.list.length > 0) this.list.pop()!();
  }
}
