/** Fits a launch file to a kernel: from keys, counts and initialisers to the bytes of every argument. */
import { triple, type Triple } from "./triple.js";
import type { EntryPoint } from "../ast/nodes.js";
import { allowsWidth, showWidths } from "../ast/subgroups.js";
import type { SourceDialect } from "../dialects/ids.js";
import { languageFacts } from "../dialects/languages.js";
import type { Code } from "../support/codes.js";
import type { Diagnostic, Location } from "../support/diagnostics.js";
import { didYouMean } from "../support/did-you-mean.js";
import { showType } from "../types/types.js";
import { initialBytes } from "./initializers.js";
import type { Initializer } from "./initializers.js";
import type { BufferArgument, ElementType, LaunchFile, Scaled, Tolerance, ValueArgument } from "./launch-file.js";
import { matchKey } from "../support/match-key.js";
import { bufferExtent, bytesOfProgram, defaultBytes, packedSize, valueScalars } from "./reflection.js";
import type { ArgumentShape, EntryShape } from "./reflection.js";
import { scalarBytes, writeScalar } from "./scalars.js";
import { hasGridOffset } from "../ops/ids.js";

/** A launch with every byte of every argument. What the simulator, a device and a translation are given. */
export interface BoundLaunch {
  readonly label: string;
  /** Made from the kernel's interface. */
  readonly derived?: boolean;
  /** Loop iterations after which a run of it is given up, where not the usual number. */
  readonly maxSteps?: number;
  readonly workgroups: Triple;
  /** Threads of the whole grid; the last workgroups are partial where it is no multiple of the workgroup. */
  readonly gridSize: Triple;
  readonly gridOffset: Triple;
  readonly dimensions: 1 | 2 | 3;
  readonly workgroupSize: Triple;
  readonly subgroupSize: number;
  readonly subgroupSizes?: readonly number[];
  /** In the order of the kernel's list; derived values are absent. */
  readonly arguments: readonly BoundArgument[];
}

export type BoundArgument = BoundBuffer | BoundValue | BoundWorkgroup;

export interface BoundBuffer {
  readonly kind: "buffer";
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly initialized: boolean;
  /** As what its elements are shown and compared. */
  readonly type: ElementType;
  readonly output: boolean;
  /** The kernel may write it. */
  readonly writable: boolean;
  readonly expect?: Uint8Array;
  readonly tolerance?: Tolerance;
  readonly compare: "ordered" | "multiset";
  readonly location?: Location;
}
export interface BoundValue {
  readonly kind: "value";
  readonly path: string;
  /** Packed components, little-endian; a bool is one byte. */
  readonly bytes: Uint8Array;
}
export interface BoundWorkgroup {
  readonly kind: "workgroup";
  readonly path: string;
  readonly byteLength: number;
}

/** Files an initialiser names, read beforehand by whoever can: text of the problem where one cannot be read. */
export type LaunchFiles = ReadonlyMap<string, Uint8Array | { readonly problem: string }>;

export interface BindOptions {
  readonly workgroupSize?: readonly number[];
  readonly subgroupSize?: number;
  readonly files?: LaunchFiles;
}

/** Paths of the files a launch names. */
export function filesOf(launch: LaunchFile): string[] {
  const paths = launch.arguments.flatMap((a) =>
    a.kind === "buffer" ? [a.init, a.expect].flatMap((i) => (i?.kind === "file" ? [i.path] : [])) : [],
  );
  return [...new Set(paths)];
}

/** The most memory the buffers of one launch may take. */
const mostBytes = 2 ** 30;

export function bindLaunch(
  launch: LaunchFile,
  shape: EntryShape,
  options: BindOptions = {},
): { bound?: BoundLaunch; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const file: Location = { file: launch.name, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const error: Report = (code, message, location = file, help) => {
    diagnostics.push({
      severity: "error",
      code,
      message,
      notes: [],
      ...(location ? { location } : {}),
      ...(help ? { help } : {}),
    });
  };
  const sizes = launchSizes(launch, shape, options, error);
  if (sizes === undefined) return { diagnostics };
  const groups = sizes.workgroups[0] * sizes.workgroups[1] * sizes.workgroups[2];
  const given = launch.arguments
    .filter((a) => !a.dialects || a.dialects.includes(shape.dialect))
    .map((argument): GivenArgument => {
      const problem = (code: Code, message: string): undefined => {
        error(code, message, argument.location);
        return undefined;
      };
      return {
        key: argument.key,
        kind: argument.kind,
        location: argument.location,
        bind: (target) => {
          switch (argument.kind) {
            case "buffer":
              return bindBuffer(argument, target, shape, groups, options.files, problem);
            case "value":
              return bindValue(argument, target, shape, groups, problem);
            case "workgroup":
              return { kind: "workgroup", path: target.path, byteLength: argument.bytes };
          }
        },
      };
    });
  const bound = bindArguments(given, shape, error);
  if (diagnostics.length > 0) return { diagnostics };
  return {
    bound: { label: launch.name, ...sizes, subgroupSizes: launch.subgroupSizes, arguments: bound },
    diagnostics,
  };
}

export type Report = (code: Code, message: string, location?: Location, help?: string) => void;

/** An argument by the key it is given under, whatever form it has. */
export interface GivenArgument {
  readonly key: string;
  readonly kind: "buffer" | "value" | "workgroup";
  readonly location?: Location;
  /** Nothing where it does not fit, which it reports itself. */
  readonly bind: (target: ArgumentShape) => BoundArgument | undefined;
}

/** Each argument of a kernel with what is given for it, in the order of the kernel's list. */
export function bindArguments(list: readonly GivenArgument[], shape: EntryShape, error: Report): BoundArgument[] {
  const candidates = shape.arguments.filter((a) => a.kind !== "derived");
  const paths = candidates.map((a) => a.path);
  const found = new Map<number, BoundArgument>();
  let total = 0;
  for (const argument of list) {
    const match = matchKey(argument.key, paths);
    if ("none" in match) {
      const help =
        didYouMean(argument.key, paths) ?? (paths.length > 0 ? `its arguments are ${quoted(paths)}` : undefined);
      error("XL6004", `'${shape.entry.name}' has no argument '${argument.key}'`, argument.location, help);
      continue;
    }
    if ("ambiguous" in match) {
      error(
        "XL6004",
        `'${argument.key}' may mean ${quoted(match.ambiguous)}`,
        argument.location,
        "write more of the path",
      );
      continue;
    }
    if (found.has(match.index)) {
      error("XL6004", `the argument '${paths[match.index]}' is given twice`, argument.location);
      continue;
    }
    const target = candidates[match.index]!;
    // An argument that is wrong is not missing as well.
    found.set(match.index, wrong(target.path));
    const wanted = target.kind === "specialization" ? "value" : target.kind;
    if (argument.kind !== wanted) {
      const forms = {
        buffer: "a buffer: it takes 'init'",
        value: "passed by value: it takes 'value'",
        workgroup: "workgroup memory sized at launch: it takes 'bytes'",
      };
      error("XL6006", `'${target.path}' is ${forms[wanted as keyof typeof forms]}`, argument.location);
      continue;
    }
    const bound = argument.bind(target);
    if (bound === undefined) continue;
    if (bound.kind === "buffer" && (total += bound.bytes.length) > mostBytes) {
      error("XL6007", `the buffers of this launch take more than ${mostBytes / 2 ** 20} MiB`, argument.location);
      break;
    }
    found.set(match.index, bound);
  }
  for (const [index, candidate] of candidates.entries()) {
    if (found.has(index) || candidate.optional) continue;
    error("XL6005", `the launch gives no '${candidate.path}' (${candidate.kind}, ${showType(candidate.type)})`);
  }
  return candidates.flatMap((candidate, index) => {
    const bound = found.get(index);
    if (bound) return [bound];
    const kept = bytesOfProgram(candidate, shape.structs, shape.dialect);
    if (kept) return [programBuffer(candidate, kept)];
    // Where a target has no specialisation constants the default has to be passed like any value.
    const bytes = defaultBytes(candidate);
    return bytes ? [{ kind: "value", path: candidate.path, bytes }] : [];
  });
}

/** Memory of the program, of which the launch says nothing. */
export const programBuffer = ({ path, access }: ArgumentShape, bytes: Uint8Array): BoundBuffer => ({
  kind: "buffer",
  path,
  bytes,
  initialized: true,
  type: bytes.length % 4 === 0 ? { text: "u32", scalar: "u32", width: 1 } : { text: "u8", scalar: "u8", width: 1 },
  output: access !== "read",
  writable: access !== "read",
  compare: "ordered",
});

/** Stands for an argument that was given and is wrong; no launch comes of it. */
const wrong = (path: string): BoundValue => ({ kind: "value", path, bytes: new Uint8Array(0) });

function quoted(paths: readonly string[]): string {
  return paths.map((p) => `'${p}'`).join(", ");
}

export function isPartial({ gridSize, workgroupSize }: Pick<BoundLaunch, "gridSize" | "workgroupSize">): boolean {
  return gridSize.some((n, i) => n % workgroupSize[i]! !== 0);
}

/** The limits of every API crosslane writes for. */
const mostThreads = 1024;

export function launchSizes(
  launch: Pick<
    LaunchFile,
    "workgroups" | "gridSize" | "gridOffset" | "workgroupSize" | "subgroupSize" | "subgroupSizes"
  >,
  { entry, dialect }: EntryShape,
  options: BindOptions,
  error: Report,
):
  | Pick<BoundLaunch, "workgroups" | "gridSize" | "gridOffset" | "dimensions" | "workgroupSize" | "subgroupSize">
  | undefined {
  const asked = options.workgroupSize ?? launch.workgroupSize;
  const fixed = entry.workgroupSize;
  if (asked === undefined && fixed === undefined) {
    error("XL6007", `'${entry.name}' does not fix its workgroup size, so the launch needs 'workgroupSize'`);
    return undefined;
  }
  const workgroupSize = triple(asked ?? fixed!, 1);
  if (asked && fixed && workgroupSize.some((n, i) => n !== fixed[i])) {
    error(
      "XL6007",
      `the launch has workgroups of ${workgroupSize.join(" x ")} and '${entry.name}' is written for ${fixed.join(" x ")}`,
    );
    return undefined;
  }
  const stated = entry.workgroupSizeStated?.findIndex((n, i) => n !== undefined && n !== workgroupSize[i]) ?? -1;
  if (stated >= 0) {
    error(
      "XL6007",
      `the launch has workgroups of ${workgroupSize.join(" x ")} and '${entry.name}' states ${entry.workgroupSizeStated![stated]} along ${"xyz"[stated]}`,
    );
    return undefined;
  }
  const threads = workgroupSize[0] * workgroupSize[1] * workgroupSize[2];
  if (threads > mostThreads) {
    error("XL6007", `a workgroup of ${threads} invocations is larger than the ${mostThreads} that targets allow`);
    return undefined;
  }
  if (entry.maxTotalThreads !== undefined && threads > entry.maxTotalThreads) {
    error(
      "XL6007",
      `a workgroup of ${threads} invocations is larger than the ${entry.maxTotalThreads} '${entry.name}' is written for`,
    );
    return undefined;
  }
  const asksFor = options.subgroupSize ?? launch.subgroupSize;
  const { subgroupSizes } = entry;
  if (subgroupSizes && asksFor !== undefined && !allowsWidth(subgroupSizes, asksFor)) {
    error(
      "XL6007",
      `the launch has subgroups of ${asksFor} and '${entry.name}' is written for ${showWidths(subgroupSizes)}`,
    );
    return undefined;
  }
  if (subgroupSizes && launch.subgroupSizes && !launch.subgroupSizes.some((w) => allowsWidth(subgroupSizes, w))) {
    error(
      "XL6007",
      `the launch has subgroups of ${launch.subgroupSizes.join(", ")} and '${entry.name}' is written for ${showWidths(subgroupSizes)}`,
    );
    return undefined;
  }
  const grid = launch.gridSize ?? launch.workgroups!;
  const workgroups: Triple = launch.gridSize
    ? ([0, 1, 2].map((i) => Math.ceil((launch.gridSize![i] ?? 1) / workgroupSize[i]!)) as unknown as Triple)
    : triple(launch.workgroups!, 1);
  const gridSize: Triple = launch.gridSize
    ? triple(launch.gridSize, 1)
    : [workgroups[0] * workgroupSize[0], workgroups[1] * workgroupSize[1], workgroups[2] * workgroupSize[2]];
  if (isPartial({ gridSize, workgroupSize }) && languageFacts[dialect].wholeWorkgroups) {
    error(
      "XL6007",
      `a grid of ${gridSize.join(" x ")} is no whole number of workgroups of ${workgroupSize.join(" x ")}, which ${dialect} wants`,
    );
    return undefined;
  }
  if (launch.gridOffset?.some((n) => n > 0) && !hasGridOffset(dialect)) {
    error("XL6007", `only OpenCL has a grid offset, and the kernel is in ${dialect}`);
    return undefined;
  }
  if (gridSize.some((n) => n > 2 ** 32 - 1)) {
    error("XL6007", "the grid has more than 2^32 - 1 invocations along an axis");
    return undefined;
  }
  return {
    workgroups,
    gridSize,
    gridOffset: triple(launch.gridOffset ?? [], 0),
    dimensions: dimensionsWith(Math.max(grid.length, launch.gridOffset?.length ?? 1), workgroupSize),
    workgroupSize,
    subgroupSize: asksFor ?? preferredWidth(entry, launch.subgroupSizes),
  };
}

/** As many dimensions as are named, and as the workgroup has: OpenCL takes no workgroup of more than the launch. */
export function dimensionsWith(named: number, workgroupSize: Triple): 1 | 2 | 3 {
  const own = workgroupSize[2] > 1 ? 3 : workgroupSize[1] > 1 ? 2 : 1;
  return Math.max(named, own) as 1 | 2 | 3;
}

/** The width to run at where none is asked for: of those the kernel and the launch are meant for. */
export function preferredWidth({ subgroupSizes }: EntryPoint, meant?: readonly number[]): number {
  if (subgroupSizes?.preferred !== undefined) return subgroupSizes.preferred;
  const first = [...(meant ?? []), 32].find((w) => allowsWidth(subgroupSizes, w));
  return first ?? subgroupSizes!.max;
}

const scaled = (count: Scaled, groups: number): number => (typeof count === "number" ? count : count.perGroup * groups);

/** Why a buffer of so many bytes is none for this argument. */
export function sizeProblem(
  length: number,
  target: ArgumentShape,
  { structs, dialect }: EntryShape,
): string | undefined {
  const { fixed, stride } = bufferExtent(target, structs, dialect);
  const rest = length - fixed;
  if (rest >= 0 && (stride === undefined ? rest === 0 : rest % stride === 0)) return undefined;
  const wants =
    stride === undefined
      ? `${fixed} bytes`
      : fixed === 0
        ? `a multiple of ${stride} bytes`
        : `${fixed} bytes and a multiple of ${stride}`;
  return `has ${length} bytes, and the kernel's ${showType(target.type)} takes ${wants}`;
}

function bindBuffer(
  argument: BufferArgument,
  target: ArgumentShape,
  shape: EntryShape,
  groups: number,
  files: LaunchFiles | undefined,
  problem: (code: Code, message: string) => undefined,
): BoundBuffer | undefined {
  const { type } = argument;
  const elementSize = scalarBytes(type.scalar) * type.width;
  const count = argument.count === undefined ? undefined : scaled(argument.count, groups);
  if (count !== undefined && count * elementSize > mostBytes)
    return problem("XL6007", `'${argument.key}' takes more than ${mostBytes / 2 ** 20} MiB`);
  const fill = (init: Initializer, what: string): Uint8Array | undefined => {
    if (init.kind === "file") {
      const read = files?.get(init.path);
      if (read === undefined) return problem("XL6008", `${what}: the file '${init.path}' was not given`);
      if ("problem" in read) return problem("XL6008", `${what}: ${read.problem}`);
      if (count !== undefined && read.length !== count * elementSize) {
        return problem(
          "XL6006",
          `${what}: '${init.path}' has ${read.length} bytes, and ${count} of ${type.text} take ${count * elementSize}`,
        );
      }
      return read;
    }
    const scalars = count !== undefined ? count * type.width : init.kind === "values" ? init.values.length : undefined;
    if (scalars === undefined) return problem("XL6003", `${what}: the number of elements is not known`);
    if (scalars % type.width !== 0)
      return problem("XL6006", `${what}: ${scalars} numbers are no whole elements of ${type.text}`);
    const bytes = initialBytes(init, type.scalar, scalars);
    return typeof bytes === "string" ? problem("XL6003", `${what}: ${bytes}`) : bytes;
  };
  const bytes = fill(argument.init, `'${argument.key}'`);
  if (bytes === undefined) return undefined;
  const unfit = sizeProblem(bytes.length, target, shape);
  if (unfit !== undefined) return problem("XL6006", `'${argument.key}' ${unfit}`);
  if (argument.output && target.access === "read")
    return problem("XL6006", `'${argument.key}' is an output, but the kernel only reads '${target.path}'`);
  const expect = argument.expect && fill(argument.expect, `what is expected of '${argument.key}'`);
  if (argument.expect && expect === undefined) return undefined;
  if (expect && expect.length !== bytes.length) {
    return problem(
      "XL6006",
      `'${argument.key}' has ${bytes.length} bytes and ${expect.length} bytes are expected of it`,
    );
  }
  return {
    kind: "buffer",
    path: target.path,
    bytes,
    initialized: argument.init.kind !== "uninitialized",
    type,
    output: argument.output,
    writable: target.access !== "read",
    expect,
    tolerance: argument.tolerance,
    compare: argument.compare,
    location: argument.location,
  };
}

function bindValue(
  argument: ValueArgument,
  target: ArgumentShape,
  shape: EntryShape,
  groups: number,
  problem: (code: Code, message: string) => undefined,
): BoundValue | undefined {
  const { type, value } = argument;
  const numbers = "perGroup" in value ? [value.perGroup * groups] : value;
  const packed = new Uint8Array(numbers.length * scalarBytes(type.scalar));
  const view = new DataView(packed.buffer);
  if (numbers.length % type.width !== 0)
    return problem("XL6003", `'${argument.key}' has ${numbers.length} numbers, and ${type.text} has ${type.width}`);
  for (const [i, number] of numbers.entries()) {
    const wrong = writeScalar(view, i * scalarBytes(type.scalar), type.scalar, number);
    if (wrong !== undefined) return problem("XL6003", `'${argument.key}': ${wrong}`);
  }
  const size = packedSize(target.type, shape.structs);
  // A kernel's bool may also be given as a 32-bit integer.
  const asWords =
    packed.length === 4 * size && valueScalars(target.type, shape.structs).every((s) => s.scalar === "bool");
  if (asWords && (type.scalar === "u32" || type.scalar === "i32")) {
    const bools = Array.from({ length: size }, (_, i) => (view.getUint32(i * 4, true) === 0 ? 0 : 1));
    return { kind: "value", path: target.path, bytes: Uint8Array.from(bools) };
  }
  if (packed.length !== size) {
    return problem(
      "XL6006",
      `'${argument.key}' has ${packed.length} bytes, and the kernel's ${showType(target.type)} takes ${size}`,
    );
  }
  return { kind: "value", path: target.path, bytes: packed };
}

/** The entry of a launch in a file: named there, or the only one. */
export function entryOf(launch: LaunchFile | undefined, dialect: SourceDialect, asked?: string): string | undefined {
  if (asked !== undefined) return asked;
  const entry = launch?.entry;
  return typeof entry === "object" ? entry[dialect] : entry;
}
