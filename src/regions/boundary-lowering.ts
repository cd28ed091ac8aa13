/** The state of one lowering to boundary form: locals, memory objects, sites, and the list statements are appended to. */
import { typeIn } from "../dialects/show-type.js";
import type {
  EntryPoint,
  Expr,
  FunctionDeclaration,
  FunctionId,
  Module,
  Place,
  Print,
  Resource,
  VarId,
  Variable,
} from "../ast/nodes.js";
import { rootVariable } from "../ast/builders.js";
import { walkStatement, type Visitor } from "../ast/walk.js";
import { languageFacts } from "../dialects/languages.js";
import type { Expansion } from "../ops/row.js";
import { row } from "../ops/table.js";
import type { OpId } from "../ast/nodes.js";
import {
  arrayStride,
  layoutOf,
  memberOffsets,
  PackedStructs,
  scalarSize,
  type LayoutRule,
  type LayoutStruct,
} from "../types/layout.js";
import { componentCount, type ScalarKind, type StructType, type Type } from "../types/types.js";
import type { Span } from "../support/span.js";
import { parameterStarts } from "./straight-runs.js";
import { bodiesOf, childrenOf, exprsOf, local, writtenBy, isBig } from "./machine.js";
import type {
  Address,
  Code,
  Cover,
  CoverPoint,
  Helper,
  LaunchValue,
  Local,
  LocalId,
  MachineExpr,
  MachineScalar,
  MemoryObject,
  ObjectId,
  PointId,
  ProgramFormat,
  Site,
  SiteId,
} from "./tree.js";

/** Something crosslane cannot run, with the place and the reason; becomes a diagnostic. */
export class CannotRun extends Error {
  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
  }
}

/** Thrown when a pointer variable proves to need a more general form; the lowering starts again knowing that. */
export class Again extends Error {}

export interface Term {
  readonly value: MachineExpr;
  readonly stride: number;
}

/** A pointer while lowering: `object` at the sum of terms plus offset, in bytes. */
export interface PointerValue {
  /** It looks at its object as something else, from somewhere in it on. */
  readonly viewed?: true;
  /** It leads into a packed struct: scalars may lie at no multiple of their size. */
  readonly packed?: true;
  readonly object: ObjectId | MachineExpr;
  readonly terms: readonly Term[];
  readonly offset: number;
}

export interface PointerVariable {
  object: ObjectId | undefined;
  readonly objectLocal: LocalId | undefined;
  readonly indexLocal: LocalId;
  readonly unit: number;
  readonly variable: VarId | undefined;
}

export interface MemoryPlace extends PointerValue {
  readonly kind: "memory";
  readonly type: Type;
  readonly rule: LayoutRule;
  /** Components picked by a swizzle, of a vector of this scalar kind. */
  readonly components?: readonly number[];
}

export type LoweredPlace =
  | { readonly kind: "values"; readonly values: readonly MachineExpr[]; readonly type: Type }
  | { readonly kind: "locals"; readonly locals: readonly LocalId[]; readonly type: Type }
  | MemoryPlace
  /** Dynamic index into something kept in locals. */
  | {
      readonly kind: "chosen";
      readonly index: MachineExpr;
      readonly alternatives: readonly LoweredPlace[];
      readonly type: Type;
    }
  | { readonly kind: "pointer"; readonly pointer: PointerVariable; readonly type: Type };

export type Binding =
  LoweredPlace | { readonly kind: "pointer-value"; readonly value: PointerValue; readonly type: Type };

/** What one launch lowering remembers from earlier attempts. */
export interface Knowledge {
  readonly dynamicPointers: Set<VarId>;
  readonly bytePointers: Set<VarId>;
}

export interface FunctionFrame {
  readonly declaration: FunctionDeclaration;
  /** undefined in the entry and in out-of-line helpers. */
  readonly returnLabel: number | undefined;
  readonly result: Binding | undefined;
  readonly outOfLine: boolean;
}

/**
 * Statements of functions that are put in where they are called: calls of calls double them. Time and memory grow in proportion to
 * them; beyond this V8 has no stack for the printed code of a lane.
 */
const mostInlined = 100_000;

/** What is looked for while a kernel runs, beyond what every run needs. */
export interface BoundaryChecks {
  /** Indices are checked against the dimension they count in, and not only against the memory object. */
  readonly indices?: boolean;
  /** So are operands for which the dialect leaves the result of an op open. */
  readonly openOperands?: boolean;
  /** Offsets of pointers are added as texts add them, which assume that accesses are in bounds. */
  readonly assumedInBounds?: boolean;
  /** Fences stay, which only the order of accesses between lanes depends on. */
  readonly fences?: boolean;
  /** Note which statements and branches some lane came to. */
  readonly coverage?: boolean;
  /** With coverage: note what was compared, for a search that makes conditions go the other way. */
  readonly compared?: boolean;
  /** With coverage: conditions that bounds of integers settle. */
  readonly settled?: ReadonlyMap<Expr, boolean>;
}

/** Scalars that a copy has instructions for, one by one. */
const mostCopied = 4096;
/** Whether a value of the type is, which may be an array. */
export function isCopiedAtOnce(cx: BoundaryLowering, type: Type): boolean {
  return type.kind !== "array" || type.length === undefined || cx.scalarsOf(type) <= mostCopied;
}
/** What a list in the text gives is as long as the text, at most. */
export const mostListed = 2 ** 20;

export class BoundaryLowering {
  readonly locals = new Map<LocalId, Local>();
  readonly objects: MemoryObject[] = [];
  readonly values: LaunchValue[] = [];
  readonly sites: Site[] = [];
  readonly readSites: Site[] = [];
  readonly formats: ProgramFormat[] = [];
  private readonly formatOf = new Map<Print["format"], number>();
  readonly points: CoverPoint[] = [];
  /** Of coverage: where the names of parameters stand. */
  readonly parameterStarts: ReadonlySet<number>;
  private readonly pointOf = new Map<string, Map<object, PointId>>();
  readonly helpers: Helper[] = [];
  readonly helperIndex = new Map<FunctionId, number>();
  /** Whether a function can stay one, where that was asked. */
  readonly fitsFunction = new Map<FunctionId, boolean>();
  readonly bindings = new Map<VarId, Binding>();
  /** Greatest bytes an access of an object can reach from the start of its unit. */
  readonly reach = new Map<ObjectId, number>();
  readonly writtenObjects = new Set<ObjectId>();
  readonly functions: ReadonlyMap<FunctionId, FunctionDeclaration>;
  readonly resourceOf: ReadonlyMap<VarId, Resource>;
  /** Variables assigned after their declaration. */
  readonly assigned = new Set<VarId>();
  readonly addressTaken = new Set<VarId>();
  readonly rule: LayoutRule;
  readonly structs: ReadonlyMap<string, LayoutStruct>;
  readonly packed: PackedStructs;
  out: Code[] = [];
  stack: Span[] = [];
  frames: FunctionFrame[] = [];
  jumps: { readonly breakTo: number; readonly continueTo: number | undefined }[] = [];
  private readonly placed = new Map<string, ReadonlyMap<string, { readonly type: Type; readonly offset: number }>>();
  private readonly memberScalars = new Map<
    string,
    Map<string, { readonly type: Type; readonly from: number; readonly count: number }>
  >();
  private inlined = 0;
  private nextLabel = 1;
  private nextSynthetic = -1;

  constructor(
    readonly module: Module,
    readonly entry: EntryPoint,
    readonly expansionOf: (op: OpId) => Expansion | undefined,
    readonly knowledge: Knowledge,
    readonly checks: BoundaryChecks = {},
  ) {
    this.functions = new Map(module.functions.map((f) => [f.id, f]));
    this.resourceOf = new Map(module.resources.map((r) => [r.variable, r]));
    this.parameterStarts = checks.coverage ? parameterStarts(module) : new Set();
    this.structs = module.structs;
    this.packed = new PackedStructs(module.structs);
    this.rule = languageFacts[module.dialect].memory;
    this.findAssigned();
  }

  private findAssigned(): void {
    const visitor: Visitor = {
      place: (p, use) => {
        const viewed = p.kind === "view" ? rootVariable(p.base) : undefined;
        if (viewed !== undefined) this.addressTaken.add(viewed);
        if (p.kind !== "variable" && use !== "address") {
          return;
        }
        if (p.kind !== "variable") return;
        if (use === "write" || use === "both") this.assigned.add(p.variable);
        if (use === "address") this.addressTaken.add(p.variable);
      },
      expr: (e) => {
        if (e.kind === "call") {
          for (const a of e.arguments) if (a.mode !== "value") this.markRoot(a.place);
        }
        // Vectors are loaded from what lies in memory, and stored there.
        if (e.kind === "op" && e.places.length > 0 && row(e.op).vector)
          for (const p of e.places) {
            const root = p.kind === "member" ? rootVariable(p) : undefined;
            if (root !== undefined) this.addressTaken.add(root);
          }
      },
    };
    for (const f of this.module.functions) walkStatement(f.body, visitor);
  }

  private markRoot(p: Place): void {
    if (p.kind === "variable") this.assigned.add(p.variable);
    else if (p.kind !== "deref") this.markRoot(p.base);
  }

  variable(id: VarId): Variable {
    const found = this.module.variables.get(id);
    if (!found) throw new Error(`broken tree: variable ${id}`);
    return found;
  }

  label(): number {
    return this.nextLabel++;
  }

  /** An id for a variable that stands for values already lowered, in expansions of ops. */
  synthetic(): VarId {
    return this.nextSynthetic--;
  }

  newLocal(name: string, scalar: MachineScalar, isConstant: boolean): LocalId {
    const id = this.locals.size;
    this.locals.set(id, { id, name, scalar, storage: "lane", constant: isConstant });
    return id;
  }

  newObject(object: Omit<MemoryObject, "id" | "written" | "zone">): ObjectId {
    const id = this.objects.length;
    this.objects.push({ ...object, id, written: false, zone: 0 });
    return id;
  }

  /** The buffer that a resource is, or that a pointer points to; undefined where the entry has none such. */
  bufferOf(variable: VarId): ObjectId | "unknown" | undefined {
    const binding = this.bindings.get(variable);
    if (!binding) return this.resourceOf.has(variable) ? undefined : "unknown";
    const object =
      binding.kind === "memory" ? binding.object : binding.kind === "pointer-value" ? binding.value.object : undefined;
    return typeof object === "number" && this.objects[object]!.kind === "buffer" ? object : "unknown";
  }

  site(span: Span, what: string): SiteId {
    const id = this.sites.length;
    this.sites.push({ id, span, stack: [...this.stack], what });
    return id;
  }

  /** The number of what a print prints by: the same one wherever its function is put in. */
  format(e: Print): number {
    const known = this.formatOf.get(e.format);
    if (known !== undefined) return known;
    let taken = 0;
    const pieces = e.format.map((p) =>
      typeof p === "string" ? p : { ...p, components: this.countLeaves(e.arguments[taken++]!.type, e.span) },
    );
    this.formatOf.set(e.format, this.formats.length);
    return this.formats.push({ span: e.span, pieces }) - 1;
  }

  /** A plain read has findings only where races are looked for; its place is kept apart, and its number is negative. */
  readSite(span: Span): SiteId {
    this.readSites.push({ id: -1 - this.readSites.length, span, stack: [...this.stack], what: "read" });
    return -this.readSites.length;
  }

  /** Branches that passes have put around what is being lowered, and which way of each this is. */
  private readonly chosen: { readonly node: object; readonly way: string }[] = [];
  private readonly choices = new Map<object, number>();

  /** Lowers one way of a branch that a pass has made: its ways hold the same statements of the source. */
  alternative<T>(node: object, way: string, work: () => T): T {
    this.chosen.push({ node, way });
    try {
      return work();
    } finally {
      this.chosen.pop();
    }
  }

  /** Code that notes that a node's `role` was reached; the same point wherever a function is put in. */
  cover(
    node: object,
    role: string,
    span: Span,
    { statements, branch }: Pick<CoverPoint, "statements" | "branch">,
    compared?: Cover["compared"],
  ): PointId {
    let ofRole = this.pointOf.get(role);
    if (!ofRole) this.pointOf.set(role, (ofRole = new Map<object, PointId>()));
    let id = ofRole.get(node);
    if (id === undefined) {
      ofRole.set(node, (id = this.points.length));
      this.points.push({
        statements,
        ...(branch ? { branch } : {}),
        ...(this.way === undefined ? {} : { within: this.way }),
        ...(this.chosen.length === 0 ? {} : { alternative: this.whichAlternative() }),
      });
    }
    this.emit({ kind: "cover", point: id, span, ...(compared ? { compared } : {}) });
    return id;
  }

  /** The ways that what is being lowered lies in, of each function that is being lowered. */
  private readonly ways = new Map<FunctionFrame | undefined, PointId>();

  private get way(): PointId | undefined {
    return this.ways.get(this.frames.at(-1));
  }

  /** The point of a role of a node that has been covered. */
  pointAt(node: object, role: string): PointId | undefined {
    return this.pointOf.get(role)?.get(node);
  }

  /** Lowers what lies in a way. */
  inWay<T>(point: PointId | undefined, work: () => T): T {
    if (point === undefined) return work();
    const frame = this.frames.at(-1);
    const outer = this.ways.get(frame);
    this.ways.set(frame, point);
    try {
      return work();
    } finally {
      if (outer === undefined) this.ways.delete(frame);
      else this.ways.set(frame, outer);
    }
  }

  private whichAlternative(): { readonly of: number; readonly which: string } {
    const { node } = this.chosen[0]!;
    let of = this.choices.get(node);
    if (of === undefined) this.choices.set(node, (of = this.choices.size));
    return { of, which: this.chosen.map((c) => c.way).join(" ") };
  }

  emit(code: Code): void {
    this.out.push(code);
    if (this.stack.length > 0 && ++this.inlined > mostInlined) {
      throw new CannotRun(
        `the functions that hold barriers, cross-lane operations or pointers become more than ${mostInlined} statements where they are called`,
        this.stack[0]!,
      );
    }
  }

  /** Collects what `work` emits into a list of its own. */
  collect<T>(work: () => T): { readonly code: Code[]; readonly value: T } {
    const saved = this.out;
    this.out = [];
    try {
      const value = work();
      return { code: this.out, value };
    } finally {
      this.out = saved;
    }
  }

  /** A new constant local that holds a value. */
  temporary(value: MachineExpr, span: Span, name = "t"): MachineExpr {
    const id = this.newLocal(name, value.scalar, true);
    this.emit({ kind: "declare", local: id, value, span });
    return local(id, value.scalar);
  }

  /** The value itself if nothing later can change it, else a temporary. */
  stable(value: MachineExpr, span: Span): MachineExpr {
    return this.isStable(value) ? value : this.temporary(value, span);
  }

  isStable(e: MachineExpr): boolean {
    if (e.kind === "constant" || e.kind === "builtin" || e.kind === "length") return true;
    if (e.kind === "local") return this.locals.get(e.local)!.constant;
    if (e.kind === "conversion" && (e.scalar === "index" || isBig(e.scalar))) return this.isStable(e.operand);
    return false;
  }

  stride(element: Type): number {
    return arrayStride(element, this.rule, this.structs);
  }

  sizeOf(type: Type): number {
    return layoutOf(type, this.rule, this.structs).size;
  }

  members(type: StructType): LayoutStruct["members"] {
    const found = this.structs.get(type.name);
    if (!found) throw new Error(`broken tree: struct ${type.name}`);
    return found.members;
  }

  memberOffset(type: StructType, name: string, rule: LayoutRule): number {
    return this.memberIn(type, name, rule).offset;
  }

  /** A member in memory. The members of a struct are placed once. */
  memberIn(type: StructType, name: string, rule: LayoutRule): { readonly type: Type; readonly offset: number } {
    const key = `${rule} ${type.name}`;
    let placed = this.placed.get(key);
    if (!placed) {
      const members = this.members(type);
      const offsets = memberOffsets(this.structs.get(type.name)!, rule, this.structs);
      this.placed.set(key, (placed = new Map(members.map((m, i) => [m.name, { type: m.type, offset: offsets[i]! }]))));
    }
    return placed.get(name)!;
  }

  /** A member among the scalars of a struct. */
  memberLeaves(
    type: StructType,
    name: string,
    span: Span,
  ): { readonly type: Type; readonly from: number; readonly count: number } {
    let found = this.memberScalars.get(type.name);
    if (!found) {
      found = new Map();
      let from = 0;
      for (const m of this.members(type)) {
        const count = this.countLeaves(m.type, span);
        found.set(m.name, { type: m.type, from, count });
        from += count;
      }
      this.memberScalars.set(type.name, found);
    }
    return found.get(name)!;
  }

  /** Scalars of a type in order; arrays and structs flattened. */
  leaves(type: Type, span: Span, most = mostCopied): ScalarKind[] {
    switch (type.kind) {
      case "scalar":
        return [type.scalar];
      case "vector":
        return Array<ScalarKind>(type.size).fill(type.scalar);
      case "matrix":
        return Array<ScalarKind>(type.columns * type.rows).fill(type.scalar);
      case "array": {
        const one = this.leaves(type.element, span, most);
        if (type.length === undefined || type.length * one.length > most)
          throw new CannotRun(
            `a value of type ${typeIn(this.module.dialect, type)} is too large to be copied at once`,
            span,
          );
        return Array.from({ length: type.length }, () => one).flat();
      }
      case "struct":
        return this.members(type).flatMap((m) => this.leaves(m.type, span, most));
      case "void":
        return [];
      case "pointer":
        throw new CannotRun("a pointer inside a value cannot be run", span);
    }
  }

  /** How many scalars a value of the type has. */
  scalarsOf(type: Type): number {
    switch (type.kind) {
      case "array":
        return (type.length ?? 0) * this.scalarsOf(type.element);
      case "struct":
        return this.members(type).reduce((n, m) => n + this.scalarsOf(m.type), 0);
      default:
        return componentCount(type) ?? 0;
    }
  }

  countLeaves(type: Type, span: Span, most = mostCopied): number {
    return this.leaves(type, span, most).length;
  }

  /** Names of the scalars of a variable: `p_x`, `m_1_0`, `s_member`. */
  leafNames(type: Type, name: string): string[] {
    switch (type.kind) {
      case "vector":
        return Array.from({ length: type.size }, (_, i) => `${name}_${type.size <= 4 ? "xyzw"[i] : i}`);
      case "matrix":
        return Array.from(
          { length: type.columns * type.rows },
          (_, i) => `${name}_${Math.floor(i / type.rows)}_${i % type.rows}`,
        );
      case "array":
        return Array.from({ length: type.length ?? 0 }, (_, i) => this.leafNames(type.element, `${name}_${i}`)).flat();
      case "struct":
        return this.members(type).flatMap((m) => this.leafNames(m.type, `${name}_${m.name}`));
      default:
        return [name];
    }
  }

  containsArray(type: Type): boolean {
    if (type.kind === "array") return true;
    return type.kind === "struct" && this.members(type).some((m) => this.containsArray(m.type));
  }

  containsPointer(type: Type): boolean {
    if (type.kind === "pointer") return true;
    if (type.kind === "array") return this.containsPointer(type.element);
    return type.kind === "struct" && this.members(type).some((m) => this.containsPointer(m.type));
  }

  /** The scalar a bool is in memory. */
  memoryScalar(kind: ScalarKind, rule: LayoutRule): ScalarKind {
    return kind === "bool" ? (scalarSize("bool", rule) === 1 ? "u8" : "u32") : kind;
  }

  noteReach(object: ObjectId | MachineExpr, unit: number, bytes: number): void {
    if (typeof object !== "number") return;
    this.reach.set(object, Math.max(this.reach.get(object) ?? 0, 2 * unit + bytes));
  }

  finishedObjects(): MemoryObject[] {
    return this.objects.map((o) => ({
      ...o,
      written: this.writtenObjects.has(o.id),
      zone: Math.ceil(Math.max(32, this.reach.get(o.id) ?? 0) / 16) * 16,
    }));
  }
}

export interface Effects {
  readonly locals: Set<LocalId>;
  memory: boolean;
}

/** What running a list may change. */
export function effectsOf(list: readonly Code[], effects: Effects = { locals: new Set(), memory: false }): Effects {
  for (const c of list) {
    for (const l of writtenBy(c)) effects.locals.add(l);
    if (
      c.kind === "store" ||
      c.kind === "atomic" ||
      c.kind === "collective" ||
      c.kind === "barrier" ||
      c.kind === "fill"
    ) {
      effects.memory = true;
    }
    for (const e of exprsOf(c)) if (hasCall(e)) effects.memory = true;
    for (const b of bodiesOf(c)) effectsOf(b, effects);
  }
  return effects;
}

const hasCall = (e: MachineExpr): boolean => e.kind === "call" || childrenOf(e).some(hasCall);

/** True where the value may differ once the effects have happened. */
export function disturbedBy(e: MachineExpr, effects: Effects): boolean {
  if (e.kind === "local") return effects.locals.has(e.local);
  if ((e.kind === "load" || e.kind === "call") && effects.memory) return true;
  return childrenOf(e).some((c) => disturbedBy(c, effects));
}

export type { Address };
