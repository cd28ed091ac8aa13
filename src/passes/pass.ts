/** What passes share: a pass takes a module and gives a new one; problems and notes are collected on the side. */
import type { Note } from "../ast/legal.js";
import type { AssumptionKind } from "../ast/assumptions.js";
import type { Module, OpId } from "../ast/nodes.js";
import type { TargetDialect, Target } from "../dialects/ids.js";
import type { Profile } from "../ast/profile.js";
import { Problems } from "../support/diagnostics.js";
import type { Span } from "../support/span.js";

export type TreeCheck = (tree: Module, pass: Pick<Pass, "name" | "ensures">, target: Target) => void;

export interface LegalizeOptions {
  /** The target's default if absent. */
  readonly profile?: Profile;
  readonly workgroupSize?: readonly [number, number, number];
  /** A kernel that states another size keeps it, where it would be an error else. */
  readonly keepStatedSizes?: boolean;
  /** Kernels of the source leave their size open: one that states another than `workgroupSize` keeps it, with a warning. */
  readonly sizeForOthers?: boolean;
  readonly subgroupSize?: number;
  /** Bytes of workgroup memory the launch would size, by name. */
  readonly local?: Readonly<Record<string, number>>;
  /** The only entry, or entries, that are translated. */
  readonly entry?: string | readonly string[];
  /** Leave out what those do not reach. */
  readonly reachedOnly?: boolean;
  /** Lanes of the subgroups to carry out through workgroup memory, for targets without them. */
  readonly emulateSubgroups?: number;
  /** Leave no assumption: guard what the source leaves to the program. */
  readonly strict?: boolean;
  /** The module is run, and its integer arithmetic checked. */
  readonly checked?: boolean;
  /** The module is run, and operands that the source leaves open are looked for. */
  readonly looksForOpenOperands?: boolean;
  /** Looks at the tree after every pass, and throws at the pass that broke it (`tree-check.ts`). For tests and debugging. */
  readonly verifyTrees?: TreeCheck;
  /** Is shown the tree after every pass. For tests and debugging. */
  readonly afterPass?: (pass: string, tree: Module) => void;
  /** Name for an entry called `main` where that is illegal. */
  readonly fileStem?: string;
}

export class PassContext {
  readonly problems = new Problems();
  readonly leftOut: { readonly name: string; readonly kind: "function" | "type" | "variable"; readonly span: Span }[] =
    [];
  private readonly noted = new Map<string, { note: Note; spans: Map<string, Span> }>();

  constructor(
    readonly target: Target,
    /** Absent for TypeScript. */
    readonly profile: Profile | undefined,
    readonly options: LegalizeOptions,
  ) {}

  /** Reports once per kind and message, with all places. */
  note(kind: "assumed", op: AssumptionKind | OpId, message: string, span?: Span): void;
  note(kind: Exclude<Note["kind"], "assumed">, op: string, message: string, span?: Span, how?: Note["how"]): void;
  note(kind: Note["kind"], op: string, message: string, span?: Span, how?: Note["how"]): void {
    const key = `${kind} ${op} ${message}`;
    const known = this.noted.get(key);
    const spans = known?.spans ?? new Map<string, Span>();
    if (span && span.end > span.start) {
      const place = `${span.start} ${span.end}`;
      if (!spans.has(place)) spans.set(place, span);
    }
    if (!known) this.noted.set(key, { note: { kind, op, message, spans: [], ...(how ? { how } : {}) }, spans });
  }

  get notes(): Note[] {
    return [...this.noted.values()].map((n) => ({ ...n.note, spans: [...n.spans.values()] }));
  }
}

/** Of passes that lead to a dialect's text. */
export class TextContext extends PassContext {
  declare readonly target: TargetDialect;
  declare readonly profile: Profile;
  /** Something was done one way or another by whether all lanes of the subgroup reach an op. */
  askedForFlow = false;

  constructor(target: TargetDialect, profile: Profile, options: LegalizeOptions) {
    super(target, profile, options);
  }
}

/** What holds of a tree from some pass on. */
export const properties = {
  "entries-selected": "what no chosen entry reaches is gone",
  "no-pointers": "no variable holds a pointer, no parameter is a reference",
  "sizes-settled": "workgroup memory and, where the text states it, the workgroup size are known",
  "buffers-shaped": "every buffer has the type the target declares it with",
  "integer-edges-defined": "integer arithmetic at its edges does in the target what it does in the source",
  "ops-native": "every op and barrier is one the target has",
  "ids-placed": "every builtin value is read as the target reads it",
  "globals-placed": "resources, workgroup memory and globals stand where the target declares them",
  "declared-before-use": "every declaration of the file comes before what names it",
} as const;
export type Property = keyof typeof properties;

/** One that needs a `TextContext` cannot stand in the list of TypeScript. */
export interface Pass<C extends PassContext = PassContext> {
  readonly name: string;
  /** What it takes for granted of the tree it is given, and what holds of the one it gives back. */
  readonly requires?: readonly Property[];
  readonly ensures?: readonly Property[];
  readonly run: (module: Module, context: C) => Module;
}
export type TextPass = Pass<TextContext>;

/** What passes find out about the target's text, before they do. */
export function emptyFacts({ target, profile }: PassContext): NonNullable<Module["legal"]> {
  return {
    target,
    ...(profile ? { profile } : {}),
    slots: [],
    builtinParameters: new Map(),
    valueBlocks: [],
    atomicVariables: new Set(),
    atomicMembers: new Set(),
  };
}

/** What stands in a list of passes before that which it needs; empty where the order is right. */
export function outOfOrder(passes: readonly Pass<never>[]): readonly string[] {
  const holds = new Set<Property>();
  return passes.flatMap(({ name, requires = [], ensures = [] }) => {
    const missing = requires.filter((p) => !holds.has(p));
    ensures.forEach((p) => holds.add(p));
    return missing.map((p) => `${name} needs ${p}`);
  });
}

/** Runs the passes in order; after one that reported errors the rest are skipped. */
export function runPasses<C extends PassContext>(module: Module, passes: readonly Pass<C>[], context: C): Module {
  let current = module;
  for (const pass of passes) {
    current = pass.run(current, context);
    if (context.problems.hasErrors) break;
    context.options.verifyTrees?.(current, pass, context.target);
    context.options.afterPass?.(pass.name, current);
  }
  return current;
}
