/** The names that parts of the tree of syntax declare, and those that they mention. */
import type * as syntax from "../ast/syntax.js";

/** What a declaration gives names to: variables and types, tags and enumerators. */
export function namesOf(d: syntax.Declaration): readonly string[] {
  if (d.kind !== "variable" && d.kind !== "typedef") return [];
  const { specifier } = d;
  const defined =
    specifier?.kind === "enum-specifier"
      ? [specifier.name, ...specifier.enumerators.map((x) => x.name)]
      : specifier?.kind === "struct-specifier"
        ? [specifier.name]
        : [];
  return [...d.declarators.map((x) => x.name), ...defined].flatMap((x) => (x ? [x.name] : []));
}

const declaresName = (st: unknown, name: string): boolean =>
  isNode(st) &&
  st.kind === "declaration-statement" &&
  namesOf((st as syntax.DeclarationStatement).declaration).includes(name);

const isNode = (part: unknown): part is { readonly kind: unknown } =>
  typeof part === "object" && part !== null && "kind" in part;

/** Whether a part of the tree names what has the name around it, and not what it declares itself. */
export function mentions(part: unknown, name: string): boolean {
  if (typeof part !== "object" || part === null) return false;
  if (Array.isArray(part)) {
    const own = part.findIndex((x) => declaresName(x, name));
    return (own < 0 ? part : part.slice(0, own)).some((x) => mentions(x, name));
  }
  if (isNode(part)) {
    if ((part.kind === "identifier" || part.kind === "named-type") && "name" in part && part.name === name) return true;
    if (part.kind === "member") return mentions((part as syntax.Member).base, name);
    if (part.kind === "for" && declaresName((part as syntax.ForStatement).initializer, name)) return false;
  }
  return Object.values(part).some((x) => mentions(x, name));
}

/** A component, element or member that an expression reads. */
export function partRead(e: unknown): syntax.Member | syntax.Index | undefined {
  if (Array.isArray(e)) return e.map(partRead).find((x) => x !== undefined);
  if (typeof e !== "object" || e === null) return undefined;
  if (isNode(e)) {
    if (e.kind === "member" || e.kind === "index") return e as syntax.Member | syntax.Index;
    if (e.kind === "sizeof" || e.kind === "type-name") return undefined;
  }
  return partRead(Object.values(e));
}

/** All names that `mentions` finds in a part of the tree. */
export function mentioned(part: unknown, hidden = new Set<string>(), found = new Set<string>()): Set<string> {
  if (typeof part !== "object" || part === null) return found;
  const own: string[] = [];
  const hide = (st: unknown): void => {
    if (!isNode(st) || st.kind !== "declaration-statement") return;
    for (const name of namesOf((st as syntax.DeclarationStatement).declaration)) {
      if (hidden.has(name)) continue;
      hidden.add(name);
      own.push(name);
    }
  };
  if (Array.isArray(part)) {
    for (const x of part) {
      hide(x);
      mentioned(x, hidden, found);
    }
  } else if (isNode(part) && part.kind === "member") {
    mentioned((part as syntax.Member).base, hidden, found);
  } else {
    if (isNode(part) && (part.kind === "identifier" || part.kind === "named-type")) {
      const { name } = part as { readonly name?: unknown };
      if (typeof name === "string" && !hidden.has(name)) found.add(name);
    }
    if (isNode(part) && part.kind === "for") hide((part as syntax.ForStatement).initializer);
    for (const x of Object.values(part)) mentioned(x, hidden, found);
  }
  for (const name of own) hidden.delete(name);
  return found;
}
