/** Safe, unique names in generated TypeScript: only letters, digits and `_`, never a word of the language or of the runtime. */
import { asciiName } from "../../src/support/ascii-names.js";
import { NumberedNames } from "../../src/support/numbered-names.js";

const split = (words: string): string[] => words.trim().split(/\s+/);

/** What no declaration of a module may be called, or what its code means by that name. */
const reserved = split(`
arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function
globalThis if implements import in instanceof interface let new null package private process protected public require return self static
super switch this throw true try typeof undefined var void while window with yield
Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error Float32Array Float64Array Function Infinity Int16Array
Int32Array Int8Array JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set String Symbol Uint16Array Uint32Array Uint8Array
WeakMap WebAssembly __proto__
`);

/** Words that mean something in places, and what the code of a kernel calls its own. */
const inKernels = split(`
abstract any as async bigint boolean constructor declare from get global infer is keyof namespace never number object of readonly set string
symbol type unique unknown
args at base_x base_y base_z cover end lane lanes launch local_index local_x local_y local_z m mostSteps run start steps subgroup subgroups wait width wx wy wz
`);

export class Names {
  private readonly taken: Set<string>;
  private readonly numbers = new NumberedNames();

  /** `of` a module: names that its kernels have within them, which never ask for one of the module's, are free there. */
  constructor(imported: Iterable<string>, of: "module" | "kernel" = "kernel") {
    this.taken = new Set([...reserved, ...(of === "kernel" ? inKernels : []), ...imported]);
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
