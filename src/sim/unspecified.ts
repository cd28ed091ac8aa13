/**
 * Whether anything comes of values nobody chose: those of lanes that are inactive or not there, and of memory and variables
 * before they are written. To read one is no fault; that a buffer holds something else when it is another one is. So the
 * launch is run again with another fill, and where that shows, once more for each place such values come from: only the
 * places that matter are found, each with the write that shows it.
 */
import { visitCode } from "../regions/machine.js";
import type { Code, Program, Region } from "../regions/tree.js";
import type { Span } from "../support/span.js";
import type { Finding, FindingUse } from "./findings.js";
import type { RunOutcome } from "./kernel.js";
import type { Flip, LaunchMemory } from "./launch-memory.js";

/** Runs the launch again: unspecified values of one place are other ones, and writers are noted. */
export type Again = (
  flip: Flip | undefined,
  how: { readonly writers: boolean; readonly localFills: boolean },
) => RunOutcome;

/** Runs that are spent on finding places; those left then are kept, without a use. */
const mostRuns = 128;

/** The findings among `found` about lanes whose value matters, each with its use. */
export function observedLanes(
  found: readonly Finding[],
  first: RunOutcome,
  again: Again,
  program: Program,
): readonly Finding[] {
  const lanes = found.filter((f) => f.kind === "inactive-lane");
  if (lanes.length === 0) return found;
  const plain = { writers: false, localFills: false };
  if (!difference(first, again({ kind: "lanes" }, plain), program))
    return found.filter((f) => f.kind !== "inactive-lane");
  const noted = { writers: true, localFills: false };
  const base = again(undefined, noted);
  const uses = new Map<Finding, FindingUse | undefined>();
  let runs = 0;
  const lookAt = (places: readonly Finding[]): void => {
    if (places.length === 0) return;
    if (runs++ >= mostRuns) {
      for (const f of places) uses.set(f, undefined);
      return;
    }
    const other = again({ kind: "lanes", sites: new Set(places.map((f) => f.site)) }, noted);
    const at = difference(base, other, program);
    if (!at) return;
    if (places.length === 1) {
      uses.set(places[0]!, useOf(at, base, other, program));
      return;
    }
    const half = places.length >> 1;
    lookAt(places.slice(0, half));
    lookAt(places.slice(half));
  };
  if (lanes.length <= fewPlaces) lanes.forEach((f) => lookAt([f]));
  else lookAt(lanes);
  // Values of several places may make a difference only together.
  if (uses.size === 0) for (const f of lanes) uses.set(f, undefined);
  return found.flatMap((f) => {
    if (f.kind !== "inactive-lane") return [f];
    if (!uses.has(f)) return [];
    const use = uses.get(f);
    return [use ? { ...f, use } : f];
  });
}

/** So many are looked at one by one, more by halves. */
const fewPlaces = 16;

/**
 * Uninitialised variables and memory that a buffer shows. What lanes race for counts as written: what was read there depends on who
 * came first, which the race says.
 */
export function observedFills(
  first: RunOutcome,
  again: Again,
  program: Program,
  {
    raced = new Map(),
    uninitialized = new Set(),
  }: {
    readonly raced?: ReadonlyMap<number, ReadonlySet<number>> | undefined;
    /** Buffers, by path. */
    readonly uninitialized?: ReadonlySet<string> | undefined;
  } = {},
): readonly Finding[] {
  const places = placesOf(program, uninitialized);
  if (places.length === 0) return [];
  // Every local has a fill of its own only where that is asked for, since it costs time.
  const noted = { writers: true, localFills: true };
  let base: RunOutcome | undefined;
  for (const pattern of patterns) {
    const given = pattern === undefined ? {} : { pattern };
    if (!difference(first, again({ kind: "fill", ...given }, { writers: false, localFills: false }), program)) continue;
    const before = (base ??= again(undefined, noted));
    const found = places.flatMap((p): Finding[] => {
      const except = (p.flip.kind === "object" && raced.get(p.flip.object)) || new Set<number>();
      const flip = p.flip.kind === "object" ? { ...p.flip, ...given, except } : { ...p.flip, ...given };
      const other = again(flip, noted);
      const at = difference(before, other, program);
      const use = at && useOf(at, before, other, program);
      if (!use) return [];
      return [
        {
          kind: "uninitialized-read",
          message: `'${p.name}' is used where nothing was written to it before`,
          site: -1,
          workgroup: use.workgroup,
          span: p.span ?? use.span,
          stack: [],
          count: 1,
          use,
        },
      ];
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** What else memory may hold: the seed's other pattern, zero, and large numbers of every type. A branch may well go the same way with two. */
const patterns: readonly (number | undefined)[] = [undefined, 0, 0x7b7b7b7b];

interface Place {
  readonly name: string;
  readonly span: Span | undefined;
  readonly flip: Extract<Flip, { readonly kind: "local" | "object" }>;
}

/** What comes into scope without a value: locals, private arrays, workgroup memory, and what buffers nobody wrote. */
function placesOf(program: Program, uninitialized: ReadonlySet<string>): readonly Place[] {
  const places: Place[] = [];
  const filled = new Map<number, Span>();
  const code = (list: readonly Code[]): void =>
    visitCode(list, (c) => {
      if (c.kind === "fill") filled.set(c.object, c.span);
      if (c.kind !== "declare" || c.value) return;
      const l = program.locals.get(c.local)!;
      if (l.scalar !== "index") places.push({ name: l.name, span: c.span, flip: { kind: "local", local: c.local } });
    });
  for (const h of program.helpers) code(h.body);
  eachCode(program.regions, code);
  for (const o of program.objects) {
    const isUnwritten = o.kind === "buffer" && uninitialized.has(o.path ?? o.name);
    if (o.kind === "workgroup" || filled.has(o.id) || isUnwritten)
      places.push({ name: o.name, span: filled.get(o.id), flip: { kind: "object", object: o.id } });
  }
  return places;
}

function eachCode(list: readonly Region[], visit: (code: readonly Code[]) => void): void {
  for (const r of list) {
    switch (r.kind) {
      case "lanes":
      case "uniform":
        visit(r.code);
        break;
      case "if":
        eachCode(r.then, visit);
        eachCode(r.else, visit);
        break;
      case "loop":
        for (const b of [r.head, r.body, r.step]) eachCode(b, visit);
        break;
      case "switch":
        for (const c of r.cases) eachCode(c.body, visit);
        break;
      case "subgroups":
      case "block":
      case "if-any":
        eachCode(r.body, visit);
        break;
      default:
        break;
    }
  }
}

interface At {
  readonly object: number;
  readonly byte: number;
}

function difference(a: RunOutcome, b: RunOutcome, program: Program): At | undefined {
  for (const o of program.objects) {
    if (o.kind !== "buffer" || !o.written) continue;
    const { base, bytes } = a.memory.places[o.id]!;
    const [x, y] = [a.memory.bytes, b.memory.bytes];
    // Engines lay memory out from different bytes on.
    const shift = b.memory.places[o.id]!.base - base;
    const writers = [a.memory.writers.get(o.id), b.memory.writers.get(o.id)] as const;
    const isWritten = (byte: number): boolean =>
      writers.some((w) => w === undefined || ((w.bytes[byte >> 2]! >> (byte & 3)) & 1) === 1);
    for (let i = base; i < base + bytes; i++)
      if (x[i] !== y[i + shift] && isWritten(i - base)) return { object: o.id, byte: i - base };
  }
  return undefined;
}

function useOf(at: At, a: RunOutcome, b: RunOutcome, program: Program): FindingUse | undefined {
  const o = program.objects[at.object]!;
  const word = at.byte >> 2;
  // A write that happens in one of the runs only is the one that shows it.
  for (const memory of [a.memory, b.memory] satisfies LaunchMemory[]) {
    const w = memory.writers.get(at.object)!;
    const site = w.site[word]!;
    if (site === 0) continue;
    const { span, stack } = program.sites[site - 1]!;
    const [x, y] = a.workgroups;
    const group = w.group[word]!;
    return {
      span,
      stack,
      buffer: o.name,
      byte: at.byte,
      workgroup: [group % x, Math.floor(group / x) % y, Math.floor(group / (x * y))],
    };
  }
  return undefined;
}
