/** Safe, unique names in generated TypeScript: only letters, digits and `_`, never a word of the language or of the runtime. */
import { asciiName } from "../../src/support/ascii-names.js";
import { NumberedNames } from "../../src/support/numbered-names.js";

const words = `
abstract any arguments as async await bigint boolean break case catch class const constructor continue debugger declare default delete do else
enum eval export extends false finally for from function get global globalThis if implements import in infer instanceof interface is keyof
let namespace never new null number object of package private process protected public readonly require return self set static string
super switch symbol this throw true try type typeof undefined unique unknown var void while window with yield
Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error Float32Array Float64Array Function Infinity Int16Array
Int32Array Int8Array JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set String Symbol Uint16Array Uint32Array Uint8Array
WeakMap WebAssembly __proto__
args at base_x base_y base_z cover end lane lanes launch local_index local_x local_y local_z m mostSteps run start steps subgroup subgroups wait width wx wy wz
`
  .trim()
  .split(/\s+/);

export class Names {
  private readonly taken = new Set<string>(words);
  private readonly numbers = new NumberedNames();

  constructor(reserved: Iterable<string>) {
    for (const r of reserved) this.taken.add(r);
  }

  /** A new name like the wished one. */
  unique(wished: string): string {
    let base = asciiName(wished)
      .replace(/[^A-Za-z0-9_]/g, "_")
      .slice(0, 60);
    if (base === "" || /^[0-9]/.test(base)) base = `_${base}`;
    const name = this.numbers.free(base, (n) => this.taken.has(n));
    this.taken.add(name);
    return name;
  }
}
