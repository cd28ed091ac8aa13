/** Whether a translation, as its text is read again, is the program of its source: what is compared, and what that takes for granted. */
import { boundaryForm, CannotRun, type ExpansionOf } from "../regions/boundary-form.js";
import type { BoundaryForm } from "../regions/tree.js";
import { dropUnused } from "../regions/unused.js";
import { rows } from "../ops/table.js";
import { legalize } from "../passes/index.js";
import { openVariants } from "../passes/values/open-arithmetic.js";
import { fixedWidth } from "../ast/subgroups.js";
import type { EntryPoint, Module, Resource } from "../ast/nodes.js";
import { locate } from "../support/expanded-source.js";
import type { Location } from "../support/diagnostics.js";
import type { Span } from "../support/span.js";
import type { SameProgram } from "../verify/result.js";
import { comparePrograms, type Comparable, type Permissions } from "../verify/same-program.js";
import type { Compilation } from "./compile.js";
import type { ReadTranslation } from "./read-translation.js";

type Size = readonly [number, number, number];

/** Undefined where a program has no form that could be compared. */
export function sameProgram(
  source: Pick<ReadTranslation, "compilation" | "entry">,
  read: ReadTranslation,
): SameProgram | undefined {
  const [stated, wanted] = [read.entry.workgroupSize, source.entry.workgroupSize];
  const size = stated ?? wanted;
  const a = comparable(source.compilation, source.entry, (path) => path, size);
  const paths = read.translated && new Map(read.translated.map((t) => [t.shape.path, t.sourcePath]));
  const b = comparable(read.compilation, read.entry, (path) => (paths ? paths.get(path) : path), size);
  if (!a || !b) return undefined;
  const { same, apart, reasons } = comparePrograms(a, b);
  const otherSize = stated !== undefined && wanted !== undefined && stated.join() !== wanted.join();
  const found = {
    same: same && !otherSize,
    differences: apart.map((d) => ({
      source: places(source.compilation, d.source),
      translation: places(read.compilation, d.translation),
    })),
    reasons: otherSize ? [...reasons, "the workgroups have another size"] : reasons,
  };
  if (!found.same) return { ...found, takenForGranted: [] };
  const { uses } = openVariants(source.compilation.module!, {
    dialects: [source.compilation.dialect, read.compilation.dialect],
    contraction: false,
  });
  return {
    ...found,
    takenForGranted: [
      ...(stated && !wanted ? [`workgroups are ${stated.join(" x ")}`] : []),
      ...(wanted && !stated ? [`the launch has workgroups of ${wanted.join(" x ")}`] : []),
      ...(uses.size > 0 ? [`dialects agree on ${[...uses].sort().join(", ")} as far as they are exact`] : []),
    ],
  };
}

/** A kernel as what runs it has it, with everything marked that its dialect leaves open. */
function comparable(
  { module }: Compilation,
  entry: EntryPoint,
  nameOf: (path: string) => string | undefined,
  workgroupSize: Size | undefined,
): Comparable | undefined {
  const legal = legalize(module!, "ts", { entry: entry.name, checked: true, looksForOpenOperands: true });
  if (!legal.module) return undefined;
  try {
    const expansionOf: ExpansionOf = (op) => rows.get(op)?.expand;
    const checks = { indices: true, openOperands: true, assumedInBounds: true };
    const form = dropUnused(boundaryForm(legal.module, legal.module.entries[0]!, expansionOf, checks));
    return {
      form,
      nameOf,
      ...(workgroupSize ? { workgroupSize } : {}),
      permissions: permissionsOf(module!, entry, form, (path) => nameOf(path) ?? path),
    };
  } catch (error) {
    if (error instanceof CannotRun) return undefined;
    throw error;
  }
}

function permissionsOf(
  { variables, resources, contraction }: Module,
  { subgroupSizes }: EntryPoint,
  { values }: BoundaryForm,
  nameOf: (path: string) => string,
): Permissions {
  const width = fixedWidth(subgroupSizes);
  const names = (of: (r: Resource) => boolean): string[] => resources.filter(of).map((r) => nameOf(r.path));
  const volatileShared = [...variables.values()].filter((v) => v.volatile && v.space === "workgroup").length;
  return {
    contraction,
    restrict: new Set(names((r) => variables.get(r.variable)!.restrict === true)),
    volatile: new Set([
      ...names((r) => variables.get(r.variable)!.volatile === true),
      ...(volatileShared > 0 ? [`workgroup memory (${volatileShared})`] : []),
    ]),
    coherent: new Set(names((r) => r.coherent === true)),
    defaults: new Map(values.flatMap((v) => (v.defaults ? [[nameOf(v.path), v.defaults.map(String).join()]] : []))),
    ...(width === undefined ? {} : { subgroupSize: width }),
  };
}

/** The first of each line. */
function places({ expanded }: Compilation, spans: readonly Span[]): Location[] {
  const found = new Map<string, Location>();
  for (const span of spans) {
    const location = locate(expanded, span);
    const key = `${location.file}:${location.line}`;
    if (!found.has(key)) found.set(key, location);
  }
  return [...found.values()].sort((x, y) => x.line - y.line);
}
