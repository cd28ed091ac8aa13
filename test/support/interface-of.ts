import { compile } from "../../src/api/compile.js";
import { reflectCompilation } from "../../src/api/reflect-compilation.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import type { Reflection } from "../../src/launch/reflection.js";

/** What `reflect` says of a text's own arguments, without places in targets, for which it would translate. */
export async function interfaceOf(text: string, from: TwoWayDialect): Promise<Reflection> {
  return reflectCompilation(await compile(text, { from }), []);
}
