/** The part of WebAssembly's JavaScript interface that is used here, for which this project has no types. */
import { CannotEncode } from "../../emitters/wasm/kernel.js";

export interface LinearMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WebAssemblyInterface {
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum?: number;
    readonly shared?: boolean;
  }) => LinearMemory;
  readonly validate: (bytes: Uint8Array) => boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

export function webAssembly(): WebAssemblyInterface {
  const found = (globalThis as { readonly WebAssembly?: unknown }).WebAssembly;
  if (found === undefined) throw new CannotEncode("there is no WebAssembly here");
  return found as WebAssemblyInterface;
}
