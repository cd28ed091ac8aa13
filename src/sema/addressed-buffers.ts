/**
 * Buffers whose addresses the host writes into another resource: `device float *x` in a struct behind `constant Args &a`, a buffer
 * reference in a push-constant block, and what such a buffer in turn holds pointers to. A pointer that lies at a place the text
 * names leads to one buffer, whoever reads it: it is a resource of its own, and a read of the pointer is the buffer's address
 * (docs/design/pointers-in-buffers.md). What lies at a place that is known at run time only stays, and is refused by who finds it.
 */
import {
  addressOf,
  bitcast,
  construct,
  declare,
  deref,
  element,
  i32Literal,
  literalValue,
  load,
  pointerOffset,
  variablePlace,
  type ModuleEditor,
} from "../ast/builders.js";
import type { Expr, FunctionDeclaration, Module, Place, Resource, TopLevel, Variable, VarId } from "../ast/nodes.js";
import { rewriteFunction, rewriteModule, walkModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { IndexBounds } from "./index-bounds.js";
import { bytesOfAddresses } from "./pointer-shapes.js";
import { array, isArrayOfPointers, sameType, scalar, type PointerType, type Type } from "../types/types.js";

type Canonical = Module<"canonical">;

/** A resource, and the members of it and elements of their arrays that lead to a place. */
export interface KnownPlace {
  readonly variable: VarId;
  readonly members: readonly Step[];
}
type Step = string | number;

/** Elements behind these have no buffers of their own. */
const mostElements = 1 << 16;
/** Most elements of an array without a length among which an index may choose. */
const mostChosen = 64;

/** As the host writes it: `src[2].w`. */
const pathTo = (path: string, members: readonly Step[]): string =>
  members.reduce<string>((at, m) => (typeof m === "number" ? `${at}[${m}]` : `${at}.${m}`), path);

/** What is known of the buffer that a pointer leads to by the pointer's type. */
type Describe = (type: PointerType) => Pick<Resource, "kind" | "access" | "layout" | "coherent">;

const isOpenArray = (type: Type): boolean => type.kind === "array" && type.length === undefined;

/** Of a buffer of elements the first is a place like any other: it is what a pointer to one object leads to. */
export function knownPlace(p: Place): KnownPlace | undefined {
  if (p.kind === "variable") return { variable: p.variable, members: [] };
  if (p.kind === "member") {
    const base = knownPlace(p.base);
    return base && { variable: base.variable, members: [...base.members, p.member] };
  }
  const index = p.kind === "element" ? literalValue(p.index) : undefined;
  if (p.kind !== "element" || p.base.type.kind !== "array" || index === undefined) return undefined;
  const isInside = Number(index) >= 0 && Number(index) < (p.base.type.length ?? mostElements);
  const base = isInside ? knownPlace(p.base) : undefined;
  if (p.base.type.length === undefined && (p.base.kind !== "variable" || Number(index) === 0))
    return p.base.kind === "variable" ? base : undefined;
  return base && { variable: base.variable, members: [...base.members, Number(index)] };
}

export const keyOf = (at: KnownPlace): string => [at.variable, ...at.members].join(".");

/** Pointers behind a known place, of which an index chooses one: the members that lead to them, with the lengths of arrays between. */
interface Chosen {
  readonly at: KnownPlace;
  readonly steps: readonly (string | { readonly length: number })[];
  readonly indices: readonly Expr[];
}

function chosenIn(p: Place, bounds: IndexBounds): Chosen | undefined {
  if (p.kind === "member") {
    const base = chosenIn(p.base, bounds);
    return base && { ...base, steps: [...base.steps, p.member] };
  }
  if (p.kind !== "element" || p.base.type.kind !== "array") return undefined;
  const length = p.base.type.length ?? (p.base.kind === "variable" ? lengthFor(p.index, bounds) : undefined);
  if (length === undefined) return undefined;
  const outer = chosenIn(p.base, bounds);
  if (outer) return { ...outer, steps: [...outer.steps, { length }], indices: [...outer.indices, p.index] };
  // A row that the text names is one of all rows, as in the source.
  if (literalValue(p.index) !== undefined && !isArrayOfPointers(p.base.type)) return undefined;
  const at = knownPlace(p.base);
  return at && { at, steps: [{ length }], indices: [p.index] };
}

/** How many elements an index may choose among. */
function lengthFor(index: Expr, bounds: IndexBounds): number | undefined {
  const range = bounds.of(index);
  // What is less than 0 is no element.
  return range && range.high >= 0n && range.high < BigInt(mostChosen) ? Number(range.high) + 1 : undefined;
}

/** The type of all of them, one array in the other. */
const tableType = ({ steps }: Chosen, type: PointerType): Type =>
  steps.reduceRight<Type>((inner, step) => (typeof step === "string" ? inner : array(inner, step.length)), type);

/** The lengths of an array of pointers, and what its elements are. */
function arrayOf(type: Type): { readonly lengths: { readonly length: number }[]; readonly pointer: PointerType } {
  if (type.kind !== "array") return { lengths: [], pointer: type as PointerType };
  const { lengths, pointer } = arrayOf(type.element);
  return { lengths: [{ length: type.length ?? 0 }, ...lengths], pointer };
}

export class AddressedBuffers {
  /** By resource and members, as long as `module` has them not yet. */
  private readonly made = new Map<string, { readonly v: Variable; readonly type: PointerType }>();
  private grown = false;
  /** All resources, those that were added included. */
  private readonly resources: Map<VarId, Resource>;

  constructor(
    module: Canonical,
    private readonly describe: Describe,
    private readonly isFine: (type: Type, span: Span) => boolean,
    private readonly refuse: (what: string, span: Span) => void,
  ) {
    this.resources = new Map(module.resources.map((r) => [r.variable, r]));
  }

  /** Whether the host fills the memory of the variable. */
  isResource(variable: VarId): boolean {
    const kind = this.resources.get(variable)?.kind;
    return kind === "buffer" || kind === "value";
  }

  /** The value of a pointer that lies there. */
  pointerAt(at: KnownPlace, type: PointerType, span: Span, editor: ModuleEditor, isNumber = false): Expr {
    const key = keyOf(at);
    const made = this.made.get(key);
    if (!made) {
      const v = this.add(at, type, span, editor, isNumber);
      this.made.set(key, { v, type });
      return addressOfBuffer(v, type, span);
    }
    const { v } = made;
    if (made.type.block?.name === type.block?.name) return addressOfBuffer(v, type, span);
    return this.asOther(v, made.type, type, span);
  }

  /** A number of which a reference to another block has been made: that one is looked at as this. */
  private asOther(v: Variable, first: PointerType, type: PointerType, span: Span): Expr {
    const [a, b] = [this.resources.get(v.id)!, this.describe(type)];
    if (first.block?.whole || type.block?.whole || a.layout !== b.layout || a.coherent !== b.coherent)
      this.refuse("an address that is made into references of two types is", span);
    else if (a.access !== b.access && a.access !== "readwrite") {
      this.resources.set(v.id, { ...a, access: "readwrite" });
      this.grown = true;
    }
    const p = addressOfBuffer(v, first, span);
    return sameType(first, type) ? ({ ...p, type } as Expr) : bitcast(p, type, span);
  }

  /** Reads of pointers at known places are addresses of buffers; what is done with those is done with the buffers. */
  inPlace(module: Canonical, editor: ModuleEditor): Canonical["functions"] {
    const functions = module.functions.map((f) => this.inFunction(f, editor));
    return functions.every((f, i) => f === module.functions[i]) ? module.functions : functions;
  }

  private inFunction(f: FunctionDeclaration, editor: ModuleEditor): FunctionDeclaration {
    const bounds = new IndexBounds(f);
    /** Of arrays of pointers of which the text does not say which: all of them, in the function's own memory. */
    const tables = new Map<string, { readonly v: Variable; readonly all: Expr }>();
    const table = (chosen: Chosen, pointer: PointerType, span: Span): Place => {
      const { at, steps } = chosen;
      const key = [keyOf(at), ...steps.map((step) => (typeof step === "string" ? step : `[${step.length}]`))].join(".");
      let found = tables.get(key);
      if (!found) {
        const names = [...at.members, ...steps].filter((m) => typeof m === "string");
        const name = names.at(-1) ?? editor.variables.get(at.variable)!.name;
        const type = tableType(chosen, pointer);
        found = { v: editor.addLocal(name, type, span), all: this.all(at, steps, pointer, span, editor) };
        tables.set(key, found);
      }
      return variablePlace(found.v, span);
    };
    const next = rewriteFunction(f, {
      expr: (e) => {
        if (e.kind === "pointer-offset" && e.pointer.kind === "address-of") {
          const moved = pointerOffset(e.pointer, e.offset, e.span);
          return moved.kind === "pointer-offset" ? e : moved;
        }
        // A reference that is made of a number which the host writes.
        const number = e.kind === "bitcast" && e.type.kind === "pointer" && e.operand.kind === "load" && e.operand;
        const held = number && number.type.kind !== "pointer" ? number : e;
        if (e.kind === "load" && isArrayOfPointers(e.type)) {
          const whole = knownPlace(e.place);
          const { lengths, pointer } = arrayOf(e.type);
          return whole && this.isResource(whole.variable) ? this.all(whole, lengths, pointer, e.span, editor) : e;
        }
        if (held.kind !== "load" || e.type.kind !== "pointer") return e;
        const at = held === e && held.place.kind === "variable" ? undefined : knownPlace(held.place);
        if (at && this.isResource(at.variable)) return this.pointerAt(at, e.type, e.span, editor, held !== e);
        const chosen = held === e ? chosenIn(held.place, bounds) : undefined;
        if (!chosen || !this.isResource(chosen.at.variable)) return e;
        const whole = table(chosen, e.type, e.span);
        return load(
          chosen.indices.reduce((p, index) => element(p, index, index.span), whole),
          e.span,
        );
      },
      place: (p) => {
        const led = p.kind === "deref" ? deref(p.pointer, p.span) : p;
        return led.kind === "deref" ? p : led;
      },
    });
    if (tables.size === 0) return next;
    const made = [...tables.values()].map(({ v, all }) => declare(v.id, all, v.span));
    return { ...next, body: { ...next.body, statements: [...made, ...next.body.statements] } };
  }

  /** All pointers behind a place, each by its elements. */
  private all(at: KnownPlace, steps: Chosen["steps"], type: PointerType, span: Span, editor: ModuleEditor): Expr {
    const [step, ...rest] = steps;
    if (step === undefined) return this.pointerAt(at, type, span, editor);
    const { type: whole } = editor.variables.get(at.variable)!;
    const isFirst = (next: Step): boolean => next === 0 && at.members.length === 0 && isOpenArray(whole);
    const behind = (next: Step): Expr => {
      const members = isFirst(next) ? [] : [...at.members, next];
      return this.all({ variable: at.variable, members }, rest, type, span, editor);
    };
    if (typeof step === "string") return behind(step);
    const parts = Array.from({ length: step.length }, (_, i) => behind(i));
    return construct(array(parts[0]!.type, step.length), parts, span);
  }

  /** The module with the resources that were made, each behind the one that holds its address. */
  withResources(module: Canonical): Canonical {
    if (!this.grown) return module;
    this.grown = false;
    const added = [...this.resources.values()].filter((r) => r.pointerIn?.resource !== undefined);
    const behind = (id: VarId): Resource[] =>
      added.filter((r) => r.pointerIn!.resource === id).sort((a, b) => inText(module, a.pointerIn!, b.pointerIn!));
    const all = (id: VarId): VarId[] => [id, ...behind(id).flatMap((r) => all(r.variable))];
    const isAdded = new Set(added.map((r) => r.variable));
    const withAll = (list: readonly VarId[]): VarId[] => list.filter((id) => !isAdded.has(id)).flatMap(all);
    const resources = withAll(module.resources.map((r) => r.variable)).map((id) => this.resources.get(id)!);
    const entries = module.entries.map((e) => ({ ...e, resources: withAll(e.resources) }));
    const order = module.order.flatMap((o): readonly TopLevel[] => {
      if (o.kind !== "resource") return [o];
      return withAll([o.variable]).map((variable) => ({ kind: "resource", variable }));
    });
    return { ...module, resources, entries, order };
  }

  private add(at: KnownPlace, type: PointerType, span: Span, editor: ModuleEditor, isNumber: boolean): Variable {
    const holder = this.resources.get(at.variable)!;
    // A number is an argument, too, and has the path of its place.
    const path = pathTo(holder.path, isNumber ? [...at.members, type.block!.name] : at.members);
    const held = addressedType(type);
    this.isFine(held, span);
    const names = at.members.reduce<string[]>(
      (list, m) => (typeof m === "number" ? [...list.slice(0, -1), `${list.at(-1)!}_${m}`] : [...list, m]),
      [editor.variables.get(at.variable)!.name],
    );
    const taken = new Set([...this.resources.keys()].map((id) => editor.variables.get(id)?.name));
    const asBlock = isNumber ? `_${type.block!.name}` : "";
    const suffixes = names.map((_, i) => `${names.slice(-1 - i).join("_")}${asBlock}`);
    const v = editor.addVariable({
      name: suffixes.find((name) => !taken.has(name)) ?? path.replaceAll(/[.[]/g, "_").replaceAll("]", ""),
      type: held,
      space: type.space,
      role: "resource",
      constant: false,
      span,
    });
    const resource: Resource = {
      variable: v.id,
      path,
      ...this.describe(type),
      pointerIn: { resource: at.variable, members: at.members, ...(isNumber ? { isNumber } : {}) },
    };
    this.resources.set(v.id, resource);
    this.grown = true;
    return v;
  }
}

/** Without buffers that nothing names: the pointers to them are not followed. */
export function withoutUnusedBuffers(module: Canonical): Canonical {
  const unused = new Set(module.resources.filter((r) => r.pointerIn).map((r) => r.variable));
  if (unused.size === 0) return module;
  walkModule(module, {
    place: (p) => {
      if (p.kind === "variable") unused.delete(p.variable);
    },
  });
  const resources = new Map(module.resources.map((r) => [r.variable, r]));
  // Where the address of another lies is looked up.
  for (const r of module.resources) {
    const chain = (id: VarId | undefined): void => {
      if (id === undefined) return;
      unused.delete(id);
      chain(resources.get(id)?.pointerIn?.resource);
    };
    if (!unused.has(r.variable)) chain(r.pointerIn?.resource);
  }
  return {
    ...module,
    resources: module.resources.filter((r) => !unused.has(r.variable)),
    variables: new Map([...module.variables].filter(([id]) => !unused.has(id))),
    entries: module.entries.map((e) => ({ ...e, resources: e.resources.filter((id) => !unused.has(id)) })),
    order: module.order.filter((o) => o.kind !== "resource" || !unused.has(o.variable)),
  };
}

/** Buffers of addresses alone and addresses as numbers, of which nothing is left to read, are marked. */
export function withoutHolders(module: Canonical): Canonical {
  const numbers = new Set(
    module.resources.flatMap(({ pointerIn }) =>
      pointerIn?.isNumber && pointerIn.members.length === 0 ? [pointerIn.resource!] : [],
    ),
  );
  const isHolder = (r: Resource): boolean => {
    const { type } = module.variables.get(r.variable)!;
    if (r.kind === "value") return numbers.has(r.variable) || isArrayOfPointers(type);
    const element = type.kind === "array" ? type.element : type;
    return (
      r.kind === "buffer" &&
      element.kind === "struct" &&
      module.structs.get(element.name)!.members.every((m) => m.address)
    );
  };
  const holders = new Set(module.resources.filter(isHolder).map((r) => r.variable));
  if (holders.size === 0) return module;
  walkModule(module, {
    place: (p) => {
      if (p.kind === "variable") holders.delete(p.variable);
      return true;
    },
  });
  const resources = module.resources.map((r): Resource =>
    holders.has(r.variable) ? { ...r, addressesOnly: true } : r,
  );
  const variables = new Map(module.variables);
  for (const id of holders) {
    const v = variables.get(id)!;
    if (isArrayOfPointers(v.type)) variables.set(id, { ...v, type: bytesOfAddresses(v.type) });
  }
  return { ...module, resources, variables };
}

/**
 * Structs that pointers lead to one of are no arrays: a reference, where the target has those. One into constant memory would be a value
 * that the launch gives (MSL 5.2.1).
 */
export function withSingleObjects(module: Canonical): Canonical {
  const single = new Map<VarId, Variable>();
  for (const { variable, pointerIn } of module.resources) {
    const v = module.variables.get(variable)!;
    if (pointerIn && v.space !== "constant" && v.type.kind === "array" && v.type.element.kind === "struct")
      single.set(variable, v);
  }
  if (single.size === 0) return module;
  const firstOf = (p: Place): VarId | undefined =>
    p.kind === "element" && p.base.kind === "variable" && Number(literalValue(p.index)) === 0
      ? p.base.variable
      : undefined;
  walkModule(module, {
    place: (p) => {
      if (p.kind === "variable") single.delete(p.variable);
      return firstOf(p) === undefined || !single.has(firstOf(p)!);
    },
    expr: (e) => {
      if (e.kind === "address-of" && firstOf(e.place) !== undefined) single.delete(firstOf(e.place)!);
    },
  });
  const variables = new Map(module.variables);
  for (const [id, v] of single) variables.set(id, { ...v, type: (v.type as Type & { kind: "array" }).element });
  const next = rewriteModule(module, {
    place: (p) => {
      const id = firstOf(p);
      return id !== undefined && single.has(id) ? { kind: "variable", variable: id, type: p.type, span: p.span } : p;
    },
    keepsMeaning: true,
  });
  return { ...next, variables };
}

type PointerIn = NonNullable<Resource["pointerIn"]>;

/** Which of two addresses in one resource its struct declares first. */
function inText({ structs, variables }: Canonical, a: PointerIn, b: PointerIn): number {
  let { type } = variables.get(a.resource!)!;
  // The first of a buffer's elements has no number.
  const numbered = ({ members }: PointerIn): readonly Step[] =>
    isOpenArray(type) && typeof members[0] === "string" ? [0, ...members] : members;
  const [first, second] = [numbered(a), numbered(b)];
  for (const [i, name] of first.entries()) {
    if (type.kind === "array") type = type.element;
    const other = second[i];
    if (typeof name === "number" && typeof other === "number") {
      if (name !== other) return name - other;
      continue;
    }
    const declared = type.kind === "struct" ? structs.get(type.name)!.members : [];
    const at = (wanted: Step | undefined): number => declared.findIndex((m) => m.name === wanted);
    if (name !== other) return at(name) - at(other);
    type = declared[at(name)]!.type;
  }
  return 0;
}

/** The type of the buffer; memory of no type is bytes. */
export function addressedType({ pointee, block }: PointerType): Type {
  return block?.whole ? pointee : array(pointee.kind === "void" ? scalar("u8") : pointee, undefined);
}

/** The pointer that leads to it. */
export function addressOfBuffer(v: Variable, type: PointerType, span: Span): Expr {
  const whole = variablePlace(v, span);
  if (type.block?.whole) return { kind: "address-of", place: whole, type, span };
  const p = addressOf(element(whole, i32Literal(0, span), span), type.space, span, type.readOnly === true);
  return sameType(p.type, type) ? ({ ...p, type } as Expr) : bitcast(p, type, span);
}
