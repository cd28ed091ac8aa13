/**
 * Buffers whose addresses the host writes into another resource: `device float *x` in a struct behind `constant Args &a`, a buffer
 * reference in a push-constant block, and what such a buffer in turn holds pointers to. A pointer that lies at a place the text
 * names leads to one buffer, whoever reads it: it is a resource of its own, and a read of the pointer is the buffer's address
 * (docs/design/pointers-in-buffers.md). What lies at a place that is known at run time only stays, and is refused by who finds it.
 */
import {
  addressOf,
  bitcast,
  deref,
  element,
  i32Literal,
  literalValue,
  pointerOffset,
  variablePlace,
  type ModuleEditor,
} from "../ast/builders.js";
import type { Expr, Module, Place, Resource, TopLevel, Variable, VarId } from "../ast/nodes.js";
import { rewriteModule, walkModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { array, sameType, scalar, type PointerType, type Type } from "../types/types.js";

type Canonical = Module<"canonical">;

/** A resource, and the members of it that lead to a place. */
export interface KnownPlace {
  readonly variable: VarId;
  readonly members: readonly string[];
}

/** What is known of the buffer that a pointer leads to by the pointer's type. */
type Describe = (type: PointerType) => Pick<Resource, "kind" | "access" | "layout" | "coherent">;

/** Of a buffer of elements the first is a place like any other: it is what a pointer to one object leads to. */
export function knownPlace(p: Place): KnownPlace | undefined {
  if (p.kind === "variable") return { variable: p.variable, members: [] };
  if (p.kind === "member") {
    const base = knownPlace(p.base);
    return base && { variable: base.variable, members: [...base.members, p.member] };
  }
  const isFirst =
    p.kind === "element" &&
    p.base.kind === "variable" &&
    p.base.type.kind === "array" &&
    p.base.type.length === undefined &&
    Number(literalValue(p.index)) === 0;
  return isFirst ? knownPlace(p.base) : undefined;
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
    const key = [at.variable, ...at.members].join(".");
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
    return rewriteModule(module, {
      expr: (e) => {
        if (e.kind === "pointer-offset" && e.pointer.kind === "address-of")
          return pointerOffset(e.pointer, e.offset, e.span);
        // A reference that is made of a number which the host writes.
        const number = e.kind === "bitcast" && e.type.kind === "pointer" && e.operand.kind === "load" && e.operand;
        const held = number && number.type.kind !== "pointer" ? number : e;
        if (held.kind !== "load" || e.type.kind !== "pointer") return e;
        const at = held === e && held.place.kind === "variable" ? undefined : knownPlace(held.place);
        return at && this.isResource(at.variable) ? this.pointerAt(at, e.type, e.span, editor, held !== e) : e;
      },
      place: (p) => (p.kind === "deref" ? deref(p.pointer, p.span) : p),
    }).functions;
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
    const path = [holder.path, ...at.members, ...(isNumber ? [type.block!.name] : [])].join(".");
    const held = addressedType(type);
    this.isFine(held, span);
    const names = [editor.variables.get(at.variable)!.name, ...at.members];
    const taken = new Set([...this.resources.keys()].map((id) => editor.variables.get(id)?.name));
    const asBlock = isNumber ? `_${type.block!.name}` : "";
    const suffixes = names.map((_, i) => `${names.slice(-1 - i).join("_")}${asBlock}`);
    const v = editor.addVariable({
      name: suffixes.find((name) => !taken.has(name)) ?? path.replaceAll(".", "_"),
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
    if (r.kind === "value") return numbers.has(r.variable);
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
  return { ...module, resources };
}

/** Structs that pointers lead to one of are no arrays: a reference, where the target has those. */
export function withSingleObjects(module: Canonical): Canonical {
  const single = new Map<VarId, Variable>();
  for (const { variable, pointerIn } of module.resources) {
    const v = module.variables.get(variable)!;
    if (pointerIn && v.type.kind === "array" && v.type.element.kind === "struct") single.set(variable, v);
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
  for (const [i, name] of a.members.entries()) {
    if (type.kind === "array") type = type.element;
    const declared = type.kind === "struct" ? structs.get(type.name)!.members : [];
    const at = (wanted: string | undefined): number => declared.findIndex((m) => m.name === wanted);
    if (name !== b.members[i]) return at(name) - at(b.members[i]);
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
