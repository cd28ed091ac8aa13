/** Structs that a language's library declares: of the source's own as soon as they are named, under a name that the library does not take. */
import { noTrivia } from "../ast/nodes.js";
import { hostStructs } from "../dialects/msl/host-structs.js";
import type { Span } from "../support/span.js";
import { array, scalar, type StructType } from "../types/types.js";
import { type Sema } from "./context.js";
import { uniqueStructName } from "./scopes.js";

/** The struct that Metal's headers call `name`, declared where it is first named. */
export function hostStruct(s: Sema, name: string, span: Span): StructType | undefined {
  const members = hostStructs.get(name);
  if (!members) return undefined;
  let own = s.libraryStructs.get(name);
  // A struct that a kernel named first is gone where that is read again.
  if (own === undefined || !s.structs.has(own)) {
    own = uniqueStructName(s, name.replace(/^MTL/, ""));
    const typed = members.map(({ name, signed, length }) => {
      const element = scalar(signed ? "i32" : "u32");
      return { name, type: length === undefined ? element : array(element, length), trivia: noTrivia, span };
    });
    s.structs.set(own, { name: own, members: typed, span, trivia: noTrivia, innerComments: [] });
    s.order.push({ kind: "struct", name: own });
    s.libraryStructs.set(name, own);
  }
  return { kind: "struct", name: own };
}
