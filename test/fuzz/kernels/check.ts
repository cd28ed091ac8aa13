/**
 * One generated kernel held against all that is made of it: the same kernel said in another dialect, other widths and
 * orders of lanes, every translation, and a cycle of up to four translations. Needs nothing but crosslane.
 */
import { chooseEntry, compile, type Compilation } from "../../../src/api/compile.js";
import { simulatorRunner, type RunnerOptions } from "../../../src/api/runners.js";
import { bindObject } from "../../../src/api/simulate.js";
import { translateTo } from "../../../src/api/translate.js";
import { twoWayDialects, type TwoWayDialect } from "../../../src/dialects/ids.js";
import type { EntryPoint } from "../../../src/ast/nodes.js";
import type { BoundLaunch } from "../../../src/launch/bind.js";
import { shapeOf } from "../../../src/launch/reflection.js";
import { allFindings } from "../../../src/sim/index.js";
import type { Runner } from "../../../src/verify/verify.js";
import { random, type Random } from "../../mutants/mutate.js";
import { argumentsOf, hasOwnOrder, kinds, launch, type ProgramKind } from "../../random/kinds.js";
import { joined, LANES, programParts } from "../../random/programs.js";

export interface GeneratedKernel {
  readonly seed: number;
  readonly kind: ProgramKind;
  readonly from: TwoWayDialect;
  /** Lines that are left out, of all that can be: shrinking makes smaller kernels so, in all dialects alike. */
  readonly without: ReadonlySet<number>;
}

/** Kinds and dialects take turns. */
export function generatedKernel(seed: number): GeneratedKernel {
  const kind = kinds[seed % kinds.length]!;
  const { dialects } = kind;
  return { seed, kind, from: dialects[Math.floor(seed / kinds.length) % dialects.length]!, without: new Set() };
}

/** The lines that can be left out. */
export function linesOf({ seed, kind, from }: GeneratedKernel): readonly string[] {
  const { declarations, body } = programParts(random(seed), from, kind.features);
  return [...declarations, ...body];
}

export function textOf({ seed, kind, from, without }: GeneratedKernel, dialect = from): string {
  const parts = programParts(random(seed), dialect, kind.features);
  const { declarations, body } = parts;
  return joined({
    ...parts,
    declarations: declarations.filter((_, i) => !without.has(i)),
    body: body.filter((_, i) => !without.has(declarations.length + i)),
  });
}

export interface WrongKernel {
  /** Which question was answered wrongly: what is smaller and answers it wrongly, too, shows the same. */
  readonly question: string;
  readonly what: string;
  /** What was made of the kernel. */
  readonly made?: string;
}

export interface CheckedKernel {
  readonly wrong: readonly WrongKernel[];
  /** What crosslane refuses by name, and may. */
  readonly refused: readonly string[];
  /** The kernel and what was made of it, for compilers. */
  readonly texts: readonly { readonly dialect: TwoWayDialect; readonly text: string; readonly how: string }[];
  /** What it writes at a width, where nothing was wrong with the source. */
  readonly results: ReadonlyMap<number, string>;
  readonly translations: number;
}

/** Arguments whose copies another argument of the call changes (docs/hlsl-order.md), and HLSL's numbers without a type in functions whose choice has effects: by design. */
const mayRefuse =
  /argument (?:whose place has side effects|that is copied in or out)|this function of numbers without a type/;

/** The subgroup widths that runs differ in: below a workgroup, and all of it. */
const widths = [4, 8, LANES] as const;

interface Ready {
  readonly compilation: Compilation;
  readonly entry: EntryPoint;
  readonly runner: Runner;
  readonly bound: BoundLaunch;
}

const errorsOf = (list: readonly { readonly severity: string; readonly code: string; readonly message: string }[]) =>
  list
    .filter((d) => d.severity === "error")
    .map((d) => `${d.code} ${d.message}`)
    .join("; ");

async function ready(
  text: string,
  from: TwoWayDialect,
  kind: ProgramKind,
  how: RunnerOptions = {},
): Promise<Ready | string> {
  const compilation = await compile(text, { from });
  const chosen = chooseEntry(compilation, undefined);
  if (!compilation.module || "diagnostic" in chosen) return errorsOf(compilation.diagnostics);
  const { entry } = chosen;
  const args = argumentsOf(kind.features);
  const { bound, diagnostics } = bindObject({ from, ...launch, args }, shapeOf(compilation.module, entry));
  if (!bound) return errorsOf(diagnostics);
  const made = await simulatorRunner(compilation, entry, how);
  return "diagnostics" in made ? errorsOf(made.diagnostics) : { compilation, entry, runner: made.runner, bound };
}

/** What is written, or what was found. */
async function written({ runner, bound }: Ready, subgroupSize: number, scrambled = false): Promise<string> {
  const { buffers, findings } = await runner.run(bound, { subgroupSize, seed: 1, scrambled });
  if (findings.length > 0) return findings.map((f) => `${f.code} ${f.message}`).join("; ");
  const of = (name: string): Uint8Array[] => [...buffers].flatMap(([path, b]) => (path.endsWith(name) ? [b] : []));
  return shownBytes([...of("dst"), ...of("acc")]);
}

/** What a kernel has written, as one text. */
export const shownBytes = (buffers: readonly Uint8Array[]): string =>
  buffers.map((bytes) => Buffer.from(bytes).toString("base64")).join(" ");

/** Where two results differ first, in words of 32 bits. */
export function difference(expected: string, got: string): string {
  const words = (s: string): Uint32Array[] =>
    s.split(" ").map((b) => new Uint32Array(new Uint8Array(Buffer.from(b, "base64")).buffer));
  if (!/^[A-Za-z0-9+/= ]*$/.test(got)) return got;
  const [a, b] = [words(expected), words(got)];
  for (const [k, list] of a.entries())
    for (const [i, w] of list.entries())
      if (b[k]?.[i] !== w) return `word ${String(i)} of buffer ${String(k)} is ${String(b[k]?.[i])}, not ${String(w)}`;
  return "other buffers";
}

async function translated(from: Compilation, to: TwoWayDialect): Promise<{ readonly code: string } | string> {
  const { output, diagnostics } = await translateTo(from, to, { workgroupSize: [LANES, 1, 1] });
  return output ? { code: output.code } : errorsOf(diagnostics) || "refused without a reason";
}

/** A way through the dialects that ends where it began. */
function cycle(from: TwoWayDialect, next: Random): TwoWayDialect[] {
  const hops = 2 + Math.floor(next() * 3);
  const way = [from];
  while (way.length < hops) {
    const last = way.length === hops - 1;
    const others = twoWayDialects.filter((d) => d !== way.at(-1) && !(last && d === from));
    way.push(others[Math.floor(next() * others.length)]!);
  }
  return [...way, from];
}

/** With `only` one question is asked, and what it takes for granted. */
export async function checkKernel(kernel: GeneratedKernel, only?: string): Promise<CheckedKernel> {
  const { seed, kind, from } = kernel;
  const text = textOf(kernel);
  const asks = (question: string): boolean => only === undefined || only === question;
  const wrong: WrongKernel[] = [];
  const refused: string[] = [];
  const texts = [{ dialect: from, text, how: from as string }];
  const results = new Map<number, string>();
  let translations = 0;
  const done = (): CheckedKernel => ({ wrong, refused, texts, results, translations });
  const chance = random(seed + 1_000_003);
  const source = await ready(text, from, kind, { findings: allFindings });
  if (typeof source === "string") {
    if (mayRefuse.test(source)) refused.push(source);
    else wrong.push({ question: "source", what: `the source is refused: ${source}` });
    return done();
  }
  for (const width of widths) results.set(width, await written(source, width));
  const races = await source.runner.races?.(source.bound, { subgroupSize: 8, seed: 1 });
  const race = races && [...races.open, ...races.sameValue][0];
  const bad = [...results.values()].find((r) => !/^[A-Za-z0-9+/= ]*$/.test(r)) ?? race?.message;
  if (bad !== undefined) {
    wrong.push({ question: "source", what: `the source has a finding: ${bad}` });
    return done();
  }
  const middle = results.get(8)!;
  const holds = (question: string, got: string, expected: string, made?: string): void => {
    if (got !== expected)
      wrong.push({ question, what: `${question}: ${difference(expected, got)}`, ...(made ? { made } : {}) });
  };
  if (!kind.features.waves) {
    for (const width of widths) holds("every width", results.get(width)!, middle);
    holds("lanes in another order", await written(source, 8, true), middle);
  }
  // Without checks WebAssembly does more in vectors; the printed code does nothing so.
  for (const engine of asks("both engines") ? (["wasm", "ts"] as const) : []) {
    const other = await ready(text, from, kind, { engine });
    if (typeof other === "string") wrong.push({ question: "both engines", what: other });
    else for (const width of widths) holds("both engines", await written(other, width), results.get(width)!);
  }
  // The same decisions in another language.
  const twins = kind.dialects.filter((d) => d !== from && !hasOwnOrder(d, kind.features));
  const twin = twins[Math.floor(chance() * twins.length)];
  if (twin !== undefined && !hasOwnOrder(from, kind.features) && asks(`the same in ${twin}`)) {
    const said = textOf(kernel, twin);
    const other = await ready(said, twin, kind);
    if (typeof other !== "string") holds(`the same in ${twin}`, await written(other, 8), middle, said);
    else if (!mayRefuse.test(other)) wrong.push({ question: `the same in ${twin}`, what: other, made: said });
    texts.push({ dialect: twin, text: said, how: `the same in ${twin}` });
  }
  const once = new Map<TwoWayDialect, Ready>();
  for (const to of twoWayDialects) {
    const how = `${from} to ${to}`;
    if (to === from || !asks(how)) continue;
    const made = await translated(source.compilation, to);
    if (typeof made === "string") {
      if (mayRefuse.test(made)) refused.push(`${how}: ${made}`);
      else wrong.push({ question: how, what: `${how}: ${made}` });
      continue;
    }
    translations++;
    texts.push({ dialect: to, text: made.code, how });
    const again = await ready(made.code, to, kind);
    if (typeof again !== "string") once.set(to, again);
    if (typeof again === "string") wrong.push({ question: how, what: `${how}, read again: ${again}`, made: made.code });
    else for (const width of widths) holds(how, await written(again, width), results.get(width)!, made.code);
  }
  const way = cycle(from, chance);
  let at = only === undefined ? once.get(way[1]!) : await first(way[1]!);
  for (let i = 2; at && i < way.length; i++) {
    const to = way[i]!;
    const how = way.slice(0, i + 1).join(" to ");
    const made = await translated(at.compilation, to);
    const again = typeof made === "string" ? made : await ready(made.code, to, kind);
    if (typeof made === "string" || typeof again === "string") {
      const what = `${how}: ${String(again)}`;
      if (mayRefuse.test(what)) refused.push(what);
      else wrong.push({ question: how, what, ...(typeof made === "string" ? {} : { made: made.code }) });
      break;
    }
    translations++;
    at = again;
    texts.push({ dialect: to, text: made.code, how });
    const width = widths[seed % widths.length]!;
    holds(how, await written(again, width), results.get(width)!, made.code);
  }
  return done();

  async function first(to: TwoWayDialect): Promise<Ready | undefined> {
    if (!only!.startsWith(`${from} to ${to} to `)) return undefined;
    const made = await translated((source as Ready).compilation, to);
    const again = typeof made === "string" ? made : await ready(made.code, to, kind);
    return typeof again === "string" ? undefined : again;
  }
}
