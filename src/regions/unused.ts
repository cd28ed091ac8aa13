/**
 * Drops scalars nobody reads: components of vectors that a kernel loads whole and uses in part. What it loads and uses no part of has been
 * read all the same, while others may write it. So has each component where something writes fewer of them: who looks for races asks for those.
 */
import { bodiesOf, exprsOf, someExpr, visitCode, visitExpr } from "./machine.js";
import type { Address, BoundaryForm, Code, LocalId, MachineExpr, MemoryObject, Site, SiteId } from "./tree.js";

/** Evaluating it can be told: by what it changes, or by a finding. */
export const matters = (e: MachineExpr): boolean =>
  someExpr(
    e,
    (x) =>
      x.kind === "call" ||
      x.kind === "checked" ||
      ((x.kind === "operation" || x.kind === "conversion") && x.site !== undefined) ||
      (x.kind === "load" && x.site >= 0),
  );

type Given = Code & { readonly kind: "declare" | "set" };
const isGiven = (c: Code): c is Given => c.kind === "declare" || c.kind === "set";

export function dropUnused(form: BoundaryForm, races = false): BoundaryForm {
  let body = form.body;
  const writtenInPart = races ? readsWrittenInPart(form) : new Set<SiteId>();
  /** Reads of memory that other lanes may write, by which a value is made. */
  const readsIn = (e: MachineExpr, found: (site: SiteId) => void): void =>
    visitExpr(e, (x) => {
      const { object } = x.kind === "load" ? x.address : { object: undefined };
      if (x.kind === "load" && typeof object === "number" && isShared(form.objects[object]!)) found(x.site);
    });
  for (;;) {
    const read = new Set<LocalId>();
    visitCode(body, (c) =>
      exprsOf(c).forEach((e) =>
        visitExpr(e, (x) => {
          if (x.kind === "local") read.add(x.local);
        }),
      ),
    );
    const isUnused = (c: Code): c is Given => isGiven(c) && !read.has(c.local) && !(c.value && matters(c.value));
    // Of what no component is used.
    const used = new Set<SiteId>();
    visitCode(body, (c) => {
      if (!isUnused(c)) exprsOf(c).forEach((e) => readsIn(e, (site) => used.add(site)));
    });
    const readsAlone = (c: Given): boolean => {
      let alone = false;
      if (c.value) readsIn(c.value, (site) => void (alone ||= !used.has(site) || writtenInPart.has(site)));
      return alone;
    };
    const stays = new Set<Code>();
    // An assignment that stays for its value's sake needs the declaration.
    visitCode(body, (c) => {
      if (isUnused(c) && readsAlone(c)) stays.add(c);
      if (c.kind === "set" && c.value && (matters(c.value) || stays.has(c))) read.add(c.local);
    });
    let dropped = false;
    const keep = (list: readonly Code[]): Code[] =>
      list
        .filter((c) => {
          const unused = isUnused(c) && !stays.has(c);
          if (unused) dropped = true;
          return !unused;
        })
        .map((c) => (bodiesOf(c).length === 0 ? c : inside(c, keep)));
    body = keep(body);
    if (!dropped) return { ...form, body };
  }
}

/** Reads of several scalars of an object of which some write, or an atomic, touches fewer. */
function readsWrittenInPart(form: BoundaryForm): ReadonlySet<SiteId> {
  const sites = new Map<SiteId, Site>([...form.sites, ...form.readSites].map((s) => [s.id, s]));
  /** By object: how many scalars each place in the text reads, with its sites, and the fewest that one writes. */
  const reads = new Map<number, Map<string, SiteId[]>>();
  const writes = new Map<number, Map<string, number>>();
  const of = <K, V>(map: Map<K, V>, key: K, none: () => V): V => {
    if (!map.has(key)) map.set(key, none());
    return map.get(key)!;
  };
  const place = (site: SiteId): string => {
    const found = sites.get(site);
    return found ? `${found.span.start} ${found.span.end}` : `site ${site}`;
  };
  const wrote = ({ object }: Address, site: SiteId): void => {
    if (typeof object !== "number" || !isShared(form.objects[object]!)) return;
    const all = of(writes, object, () => new Map<string, number>());
    all.set(place(site), (all.get(place(site)) ?? 0) + 1);
  };
  visitCode(form.body, (c) => {
    if (c.kind === "store" || c.kind === "atomic") wrote(c.address, c.site);
    exprsOf(c).forEach((e) =>
      visitExpr(e, (x) => {
        if (x.kind !== "load" || typeof x.address.object !== "number") return;
        const all = of(reads, x.address.object, () => new Map<string, SiteId[]>());
        of(all, place(x.site), () => []).push(x.site);
      }),
    );
  });
  const found = new Set<SiteId>();
  for (const [object, all] of reads) {
    const fewest = Math.min(...(writes.get(object)?.values() ?? []));
    for (const list of all.values()) if (list.length > fewest) list.forEach((site) => found.add(site));
  }
  return found;
}

const isShared = ({ kind }: MemoryObject): boolean => kind === "buffer" || kind === "workgroup";

function inside(c: Code, keep: (list: readonly Code[]) => Code[]): Code {
  switch (c.kind) {
    case "if":
      return { ...c, then: keep(c.then), else: keep(c.else) };
    case "loop":
      return { ...c, head: keep(c.head), body: keep(c.body), step: keep(c.step) };
    case "switch":
      return { ...c, cases: c.cases.map((k) => ({ ...k, body: keep(k.body) })) };
    case "block":
      return { ...c, body: keep(c.body) };
    default:
      return c;
  }
}
