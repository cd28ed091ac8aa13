/** What is said about the widths of subgroups a kernel is right for. */
import type { EntryPoint, Module } from "../ast/nodes.js";
import { widthUse, type WidthUse } from "../passes/analysis/width-use.js";
import type { Diagnostic, Location } from "../support/diagnostics.js";
import { locate } from "../support/expanded-source.js";
import type { BoundLaunch } from "../launch/bind.js";
import type { Runner } from "../verify/verify.js";
import { orderDifference, widthDifference, type WidthDifference } from "../verify/widths.js";
import type { Compilation } from "./compile.js";
import type { WidthReport } from "./types.js";

/** Cross-lane ops that are named where nothing in the text says a width. */
const mostOps = 4;

export function widthReport(compilation: Compilation, entry: EntryPoint): WidthReport {
  const use = widthUse(compilation.module!, entry);
  return {
    entry: entry.name,
    usesSubgroups: use.usesSubgroups,
    ...(use.required === undefined ? {} : { required: { min: use.required.min, max: use.required.max } }),
    assumptions: use.assumptions.map(({ span, message, width }) => ({
      message,
      location: locate(compilation.expanded, span),
      ...(width === undefined ? {} : { width }),
    })),
  };
}

/** The diagnostic of a source whose outputs are not the same at all widths it is run at. */
export async function widthDependence(
  compilation: Compilation,
  entry: EntryPoint,
  source: Runner,
  launches: readonly BoundLaunch[],
  widthsOf: (launch: BoundLaunch) => readonly number[],
): Promise<readonly Diagnostic[]> {
  const module: Module = compilation.module!;
  const use = widthUse(module, entry);
  if (!use.usesSubgroups) return [];
  const packing = await packingDependence(source, launches, widthsOf);
  const found = await widthDifference(source, launches, widthsOf);
  if (!found) return packing;
  const { launch } = found;
  const notes: { message: string; location?: Location }[] = [
    {
      message: `in ${launch.label}, ${launch.workgroups.join(" x ")} workgroups of ${launch.workgroupSize.join(" x ")}`,
    },
    ...causes(compilation, use),
  ];
  return [
    {
      // Where nothing takes a width for granted, that is what the kernel is: a value per subgroup, say.
      severity: use.assumptions.length > 0 ? "warning" : "note",
      code: "XL6015",
      ...said(found),
      notes,
      help: "list the widths the kernel is meant for as 'subgroupSizes' in the launch file, or have the source require one",
    },
    ...packing,
  ];
}

/** That lanes fill subgroups in the order of the local index is what drivers do and no dialect but CUDA promises. */
async function packingDependence(
  source: Runner,
  launches: readonly BoundLaunch[],
  widthsOf: (launch: BoundLaunch) => readonly number[],
): Promise<readonly Diagnostic[]> {
  const found = await orderDifference(source, launches, widthsOf);
  if (!found) return [];
  const { launch, buffer, difference, width } = found;
  const { expected, actual, index } = difference;
  return [
    {
      severity: "note",
      code: "XL6016",
      message: `assumed of the source: lanes fill subgroups in the order of the local index; in another order '${buffer.path}[${index}]' is ${actual.value} and not ${expected.value}`,
      notes: [{ message: `in ${launch.label}, subgroup width ${width}` }],
    },
  ];
}

function said(found: WidthDifference): Pick<Diagnostic, "message" | "location"> {
  const [own, other] = found.widths;
  if (found.kind === "finding") {
    const { message, location } = found.finding;
    return {
      message: `at subgroup width ${other}, other than at ${own}, the kernel has a finding: ${message}`,
      ...(location ? { location } : {}),
    };
  }
  const { expected, actual, index } = found.difference;
  const location = found.writers.find((w) => w?.location)?.location;
  const message = `the result depends on the width of subgroups: '${found.buffer.path}[${index}]' is ${expected.value} at width ${own} and ${actual.value} at width ${other}`;
  return { message, ...(location ? { location } : {}) };
}

function causes(compilation: Compilation, use: WidthUse): { message: string; location: Location }[] {
  if (use.assumptions.length > 0) {
    return use.assumptions.map(({ message, span }) => ({ message, location: locate(compilation.expanded, span) }));
  }
  return use.ops.slice(0, mostOps).map((span) => ({
    message: "the lanes that exchange values here are others at another width",
    location: locate(compilation.expanded, span),
  }));
}
