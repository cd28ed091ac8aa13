/** Functions that are read once more for what a call gives them: for the address spaces of its pointers, for its arrays of buffers. */
import type { FunctionInfo, LaterBody, Sema } from "./context.js";

/** What a function that is read once more has of its own. */
export type ReadAgain = Pick<FunctionInfo, "name" | "parameters" | "returnType" | "inSpaces">;

/** What a function is read from once more. */
export function laterOf(f: FunctionInfo): LaterBody | undefined {
  if (!f.generic) return f.later;
  const { declaration, scope } = f.generic;
  return { declaration, outer: declaration, scope, shown: f.name, visibleBefore: undefined };
}

/** The function read once more; the same one for the same key. */
export function readOnceMore(
  s: Sema,
  f: FunctionInfo,
  later: LaterBody,
  key: string,
  own: () => ReadAgain,
): FunctionInfo {
  const copies = (f.copies ??= new Map<string, FunctionInfo>());
  const known = copies.get(key);
  if (known) return known;
  const made = declared(s, f, later, own());
  copies.set(key, made);
  // What an entry that is read again has added is taken back.
  s.templates.undo.push(() => void copies.delete(key));
  return made;
}

function declared(s: Sema, f: FunctionInfo, later: LaterBody, own: ReadAgain): FunctionInfo {
  const info: FunctionInfo = {
    id: s.functions.length,
    ...own,
    ...(f.returnsReference ? { returnsReference: true } : {}),
    ...(f.deduces ? { deduces: f.deduces } : {}),
    ...(f.constexpr ? { constexpr: true } : {}),
    ...(f.instance ? { instance: f.instance } : {}),
    ...(f.unread ? { unread: f.unread } : {}),
    span: f.span,
    defined: false,
    calls: new Map(),
    readFrom: f.readFrom ?? f,
    later: f.generic ? { ...later, shown: own.name } : later,
  };
  s.functions.push(info);
  return info;
}
