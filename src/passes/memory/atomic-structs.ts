/**
 * MSL's structs with atomic members are copied by nothing. Where the source copies such a struct, memory that lanes share holds a
 * struct of its own with the atomic members, and what is copied into locals and back goes member by member.
 */
import { declare, expressionStatement, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import { repeatablePlace } from "../../ast/held-place.js";
import { Linearizer } from "../../ast/linearize.js";
import { isOwnText } from "../../ast/lookup.js";
import { noTrivia } from "../../ast/nodes.js";
import type {
  Expr,
  FunctionId,
  Module,
  Place,
  Statement,
  StructDeclaration,
  TopLevel,
  Variable,
  VarId,
} from "../../ast/nodes.js";
import { placeIsPure, rewriteModule, walkModule } from "../../ast/walk.js";
import { type AddressSpace, sameType, type Type } from "../../types/types.js";
import { append } from "../../support/append.js";
import type { Span } from "../../support/span.js";
import type { PassContext, TextPass } from "../pass.js";
import { atomicHolders, givesParts } from "./atomic-types.js";
import { MemberByMember } from "./member-by-member.js";

export const atomicStructs: TextPass = {
  name: "atomic-structs",
  requires: ["globals-placed"],
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const held = structsWithAtomics(module);
    return held.size > 0 && copies(module, held) ? new Apart(module, held, context).run() : module;
  },
};

/** Structs with a member that is used atomically, and structs of those. */
function structsWithAtomics(module: Module): ReadonlySet<string> {
  const held = new Set<string>();
  for (const h of atomicHolders(module)) if (typeof h === "string" && !h.startsWith("()")) held.add(h.split(".")[0]!);
  const holds = (type: Type): boolean =>
    type.kind === "array" ? holds(type.element) : type.kind === "struct" && held.has(type.name);
  for (let grown = held.size > 0; grown;) {
    grown = false;
    for (const s of module.structs.values())
      if (!held.has(s.name) && s.members.some((m) => holds(m.type))) {
        held.add(s.name);
        grown = true;
      }
  }
  return held;
}

/** Whether such a struct is a value, or an object where there are no atomics. */
function copies(module: Module, held: ReadonlySet<string>): boolean {
  const holds = (type: Type, space: AddressSpace): boolean =>
    type.kind === "array"
      ? holds(type.element, space)
      : type.kind === "pointer"
        ? holds(type.pointee, type.space)
        : type.kind === "struct" && held.has(type.name) && !isShared(space);
  let found = [...module.variables.values()].some((v) => holds(v.type, v.space));
  // `s = S(0, 1);` is written part by part, and nothing is copied.
  const inParts = new Set<Expr>();
  walkModule(module, {
    statement(st) {
      const e = st.kind === "expression" ? st.expression : undefined;
      if (e && givesParts(e)) inParts.add(e).add(e.value);
    },
    expr: (e) => !(found ||= !inParts.has(e) && holds(e.type, "private")),
  });
  return found;
}

const isShared = (space: AddressSpace): boolean => space === "global" || space === "workgroup";

class Apart {
  private readonly names = new Map<string, string>();
  private readonly structs: Map<string, StructDeclaration>;
  private readonly variables: Map<Variable["id"], Variable>;
  private readonly members: MemberByMember;
  private readonly parameters: ReadonlyMap<FunctionId, readonly VarId[]>;

  constructor(
    private readonly module: Module,
    held: ReadonlySet<string>,
    private readonly context: PassContext,
  ) {
    for (const name of held) {
      let made = `${name}_atomic`;
      while (module.structs.has(made)) made += "_";
      this.names.set(name, made);
    }
    this.parameters = new Map(module.functions.map((f) => [f.id, f.parameters]));
    this.structs = new Map();
    for (const s of module.structs.values()) {
      this.structs.set(s.name, this.declaration(s, s.name, "private"));
      const name = this.names.get(s.name);
      if (name !== undefined) this.structs.set(name, this.declaration(s, name, "global"));
    }
    this.members = new MemberByMember(this.structs, (span) => this.refused("is copied with too large an array", span));
    this.variables = new Map(
      [...module.variables].map(([id, v]) => [id, { ...v, type: this.typeIn(v.type, v.space) }]),
    );
  }

  private declaration(s: StructDeclaration, name: string, space: AddressSpace): StructDeclaration {
    const members = s.members.map((m) => ({ ...m, type: this.typeIn(m.type, space) }));
    return { ...s, name, members, ...(name === s.name ? {} : { trivia: noTrivia }) };
  }

  private typeIn(type: Type, space: AddressSpace): Type {
    if (type.kind === "array") {
      const inner = this.typeIn(type.element, space);
      return inner === type.element ? type : { ...type, element: inner };
    }
    if (type.kind === "pointer") {
      const pointee = this.typeIn(type.pointee, type.space);
      return pointee === type.pointee ? type : { ...type, pointee };
    }
    const name = type.kind === "struct" && isShared(space) ? this.names.get(type.name) : undefined;
    return name === undefined ? type : { ...type, kind: "struct", name };
  }

  run(): Module {
    const { module } = this;
    const retyped = rewriteModule(
      {
        ...module,
        structs: this.structs,
        variables: this.variables,
        functions: module.functions.map((f) => ({ ...f, returnType: this.typeIn(f.returnType, "private") })),
      },
      { place: (p) => this.place(p), expr: (e) => this.value(e) },
    );
    const editor = new ModuleEditor(retyped);
    const linearizer = new Linearizer(editor, (e, discarded) => this.assignment(editor, e, discarded));
    const functions = retyped.functions.map((f) => linearizer.function(f));
    const order = module.order.flatMap((o): readonly TopLevel[] => {
      const name = o.kind === "struct" ? this.names.get(o.name) : undefined;
      return name === undefined ? [o] : [o, { kind: "struct", name }];
    });
    return editor.finish({ functions, order });
  }

  private place(p: Place): Place {
    const type = this.placeType(p);
    return type === p.type || sameType(type, p.type) ? p : { ...p, type };
  }

  private placeType(p: Place): Type {
    switch (p.kind) {
      case "variable":
        return this.variables.get(p.variable)!.type;
      case "deref":
        return p.pointer.type.kind === "pointer" ? p.pointer.type.pointee : p.type;
      case "element":
        return p.base.type.kind === "array" ? p.base.type.element : p.type;
      case "member": {
        const declared = p.base.type.kind === "struct" ? this.structs.get(p.base.type.name) : undefined;
        return declared?.members.find((m) => m.name === p.member)?.type ?? p.type;
      }
      case "swizzle":
      case "view":
        return p.type;
    }
  }

  private value(e: Expr): Expr {
    if (e.kind === "load" && !sameType(e.place.type, this.typeIn(e.type, "private"))) {
      if (!placeIsPure(e.place)) this.refused("is copied from a place with effects", e.place.span);
      return this.members.value(e.place, e.type, e.span);
    }
    if (e.kind === "call") {
      const parameters = this.parameters.get(e.function)!;
      for (const [i, a] of e.arguments.entries())
        if (a.mode !== "value" && !sameType(a.place.type, this.variables.get(parameters[i]!)!.type))
          this.refused("is an argument that the function writes", a.place.span);
    }
    const own = this.typeIn(e.type, "private");
    return own === e.type ? e : ({ ...e, type: own } as Expr);
  }

  private refused(what: string, span: Span): void {
    this.context.problems.error("XL4008", `an object that holds atomics ${what}, which MSL cannot do`, span, {
      help: "copy its members one by one",
    });
  }

  /** A copy into such memory: of each member by itself. */
  private assignment(
    editor: ModuleEditor,
    e: Expr,
    discarded: boolean,
  ): { readonly before: readonly Statement[]; readonly value: Expr | undefined } | undefined {
    if (e.kind !== "assign" || sameType(e.target.type, e.value.type) || e.target.type.kind === "pointer")
      return undefined;
    if (e.target.type.kind !== "struct" && e.target.type.kind !== "array") return undefined;
    const before: Statement[] = [];
    const target = repeatablePlace(e.target, (value) => {
      const v = editor.addLocal("at", value.type, e.span);
      before.push(declare(v.id, value, e.span));
      return load(variablePlace(v, e.span), e.span);
    });
    const ofLocal = e.value.kind === "load" && e.value.place.kind === "variable" ? e.value.place : undefined;
    const isPrivate = ofLocal && editor.variables.get(ofLocal.variable)!.space === "private";
    let from: Place;
    if (ofLocal && isPrivate) from = ofLocal;
    else {
      const v = editor.addLocal("value", e.value.type, e.span);
      before.push(declare(v.id, e.value, e.span));
      from = variablePlace(v, e.span);
    }
    const copied = this.members.writes(target, from, e.span);
    append(
      before,
      copied.map((x) => expressionStatement(x, e.span)),
    );
    return { before, value: discarded ? undefined : load(from, e.span) };
  }
}
