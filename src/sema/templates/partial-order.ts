/** Which of two templates is the more special one: C++14 14.5.6.2, on what the types mean as they are written. */
import type * as syntax from "../../ast/syntax.js";
import { identityOf, scalar, type Type } from "../../types/types.js";
import type { Scope, Symbol } from "../context.js";
import { inPlaces } from "./definition.js";
import { flat, type Arguments, type StructTemplate, type TemplateArgument } from "./template.js";

interface Form {
  readonly kind: "form";
  readonly specifier: syntax.TypeSpecifier;
  readonly derivations: readonly syntax.Derivation[];
  /** `const`, of what the derivations start at. */
  readonly constant: boolean;
  /** Of a parameter that is a pack. */
  readonly pack?: true | undefined;
}

export const isConstant = (qualifiers: readonly syntax.Qualifier[]): boolean =>
  qualifiers.some((q) => q.name === "const");

/** Types, or arguments, that name parameters; `scope`: where they are written. */
export interface Forms {
  readonly parameters: readonly syntax.TemplateParameter[];
  readonly types: readonly Part[];
  readonly scope: Scope;
}

type Part = Form | syntax.TemplateArgument;

/** What names mean where they are written; nothing is said of those that mean nothing. */
export interface Meanings {
  readonly symbol: (scope: Scope, name: syntax.NamedType | syntax.Identifier) => Symbol | undefined;
  readonly type: (scope: Scope, specifier: syntax.TypeSpecifier) => Type | undefined;
  readonly value: (scope: Scope, e: syntax.Expression) => string | undefined;
  /** The template that a struct is an instance of, and of which arguments. */
  readonly instance: (
    struct: string,
  ) => { readonly template: StructTemplate; readonly arguments: Arguments } | undefined;
}

/** A type or argument by what it means: equal for those that are the same, however they are spelled. */
type Term =
  /** A parameter that is looked for. */
  | { readonly open: string }
  /** What says nothing of the parameters in it (C++14 14.8.2.5 (5)): `typename T::type`, `N + 1`. */
  | { readonly dependent: string }
  | { readonly pack: Term }
  | { readonly head: string; readonly parts: readonly Term[] };

interface Environment {
  readonly scope: Scope;
  /** What parameters stand for. */
  readonly bound: ReadonlyMap<string, Term>;
}

const of = (head: string, parts: readonly Term[] = []): Term => ({ head, parts });

/** Whether what has the types of `special` has those of `general`, whatever the parameters of `special` stand for. */
export function isFormOf(m: Meanings, special: Forms, general: Forms): boolean {
  const open = (name: string): Term => ({ open: name });
  const known = (_: string, i: number): Term => of(`parameter ${i}`);
  const specials = termsOf(m, special, known);
  if (!new Match().list(termsOf(m, general, open), specials)) return false;
  const binds = special.types.map((t, i) => bindsMore(general.types[i], t));
  if (!binds.includes(true)) return true;
  const [back, generals] = [termsOf(m, special, open), termsOf(m, general, known)];
  return !binds.some((more, i) => more && new Match().list([back[i]!], [generals[i]!]));
}

/**
 * Of references to the same: whether `a` is one to places beside `b` one to what moves, or to what is const beside what is not, so that it is
 * the more special (C++14 14.8.2.4 (9)).
 */
function bindsMore(a: Part | undefined, b: Part): boolean {
  if (a?.kind !== "form" || b.kind !== "form") return false;
  const [x, y] = [a.derivations.at(-1), b.derivations.at(-1)];
  if (x?.kind !== "reference" || y?.kind !== "reference") return false;
  if ((x.rvalue ?? false) !== (y.rvalue ?? false)) return y.rvalue === true;
  return a.derivations.length === 1 && b.derivations.length === 1 && a.constant && !b.constant;
}

/** Whether both say the same of their parameters, which may have other names. */
export const isSameForm = (m: Meanings, a: Forms, b: Forms): boolean => isFormOf(m, a, b) && isFormOf(m, b, a);

/** Which of them is more special than all others. */
export function mostSpecialOf(m: Meanings, all: readonly Forms[]): number | undefined {
  const best = all.findIndex((x, i) =>
    all.every((other, j) => j === i || (isFormOf(m, x, other) && !isFormOf(m, other, x))),
  );
  return best < 0 ? undefined : best;
}

function termsOf(m: Meanings, { parameters, types, scope }: Forms, as: (name: string, i: number) => Term): Term[] {
  const bound = new Map(parameters.flatMap((p, i) => (p.name ? [[p.name.name, as(p.name.name, i)] as const] : [])));
  const terms = new Terms(m, parameters);
  return types.map((t) => terms.part(t, { scope, bound }));
}

class Terms {
  constructor(
    private readonly meanings: Meanings,
    private readonly parameters: readonly syntax.TemplateParameter[],
  ) {}

  part(part: Part, around: Environment): Term {
    switch (part.kind) {
      case "pack-expansion":
        return { pack: this.part(part.pattern, around) };
      case "form": {
        // References of a function's parameters play no part here, nor does const of what they refer to (C++14 14.8.2.4 (5, 7)).
        const outer = part.derivations.at(-1);
        const derivations = outer?.kind === "reference" ? part.derivations.slice(0, -1) : part.derivations;
        const made = this.type(part.specifier, part.constant && derivations.length > 0, derivations, around);
        return part.pack ? { pack: made } : made;
      }
      case "type-expression":
        return this.part(part.type, around);
      case "type-name":
        return this.type(part.specifier, isConstant(part.qualifiers), part.derivations, around);
      case "pack-element":
        return this.dependent(part);
      default:
        return this.value(part, around);
    }
  }

  private type(
    specifier: syntax.TypeSpecifier,
    constant: boolean,
    derivations: readonly syntax.Derivation[],
    around: Environment,
  ): Term {
    const plain = this.specifier(specifier, derivations.length === 0, around);
    const base = constant && !("head" in plain && plain.head === "const") ? of("const", [plain]) : plain;
    return derivations.reduce((made, d): Term => {
      if (d.kind === "array") return of("array", [made, ...(d.size ? [this.value(d.size, around)] : [])]);
      if (d.kind === "function") return this.dependent({ made, d });
      return of(d.kind === "reference" && d.rvalue ? "rvalue" : d.kind, [made]);
    }, base);
  }

  /** `alone`: the grammar may have taken a value for it. */
  private specifier(t: syntax.TypeSpecifier, alone: boolean, around: Environment): Term {
    if (t.kind !== "named-type") return this.mentions(t, around) ? this.dependent(t) : this.known(t, around);
    const { name, path, templateArguments: list } = t;
    const parameter = path.length === 0 ? around.bound.get(name) : undefined;
    if (parameter && !list) return parameter;
    const parts = list?.map((a) => this.part(a, around));
    if (parameter) return of("apply", [parameter, ...parts!]);
    if (this.mentions(t.pathArguments, around) || around.bound.has(path[0] ?? "")) return this.dependent(t);
    const symbol = this.meanings.symbol(around.scope, t);
    const template = symbol?.kind === "template" ? symbol.template : undefined;
    if (!parts) {
      if (template) return of(`the template at ${template.span.start}`);
      if (alone && symbol && symbol.kind !== "type" && symbol.kind !== "enum")
        return this.value({ ...t, kind: "identifier" }, around);
      return this.known(t, around);
    }
    if (template?.kind === "struct" || template?.kind === "alias") {
      const { parameters, scope } = template;
      const pack = parameters.some((p) => p.pack);
      const bound = new Map<string, Term>();
      const all = pack
        ? parts
        : parameters.map((p, i): Term => {
            const made = parts[i] ?? (p.default ? this.part(p.default, { scope, bound }) : this.dependent(p));
            if (p.name) bound.set(p.name.name, made);
            return made;
          });
      if (template.kind === "struct") return of(`template at ${template.span.start}`, all);
      if (pack) return of(`alias at ${template.span.start}`, all);
      const { type } = template.declaration.alias!;
      return this.type(type.specifier, isConstant(type.qualifiers), type.derivations, { scope, bound });
    }
    return symbol ? this.known(t, around) : of(name, parts);
  }

  private known(t: syntax.TypeSpecifier, { scope }: Environment): Term {
    const type = this.meanings.type(scope, t);
    return type ? this.ofType(type) : this.dependent(t);
  }

  private ofType(type: Type): Term {
    switch (type.kind) {
      case "struct": {
        const instance = this.meanings.instance(type.name);
        if (!instance) return of(identityOf(type));
        return of(
          `template at ${instance.template.span.start}`,
          flat(instance.arguments).map((a) => this.argument(a)),
        );
      }
      case "pointer": {
        const inner = this.ofType(type.pointee);
        return of("pointer", [type.readOnly ? of("const", [inner]) : inner]);
      }
      case "array":
        return of("array", [
          this.ofType(type.element),
          ...(type.length === undefined ? [] : [of(`value ${type.length}`)]),
        ]);
      case "vector":
        if (!type.packed) return of("vec", [of(identityOf(scalar(type.scalar))), of(`value ${type.size}`)]);
        return of(identityOf(type));
      default:
        return of(identityOf(type));
    }
  }

  private argument(a: TemplateArgument): Term {
    switch (a.kind) {
      case "type": {
        const made = this.ofType(a.info.type);
        const base = a.info.constant ? of("const", [made]) : made;
        return a.info.reference ? of(a.info.reference.rvalue ? "rvalue" : "reference", [base]) : base;
      }
      case "constant":
        return of(`value ${String(a.value)}`);
      case "template":
        return of(`the template at ${a.template.span.start}`);
      case "function":
        return of(`function ${a.function.id}`);
      case "pack":
        return of(
          "pack",
          a.elements.map((x) => this.argument(x)),
        );
    }
  }

  private value(e: syntax.Expression, around: Environment): Term {
    if (e.kind === "identifier" && e.path.length === 0 && !e.templateArguments) {
      const parameter = around.bound.get(e.name);
      if (parameter) return parameter;
    }
    if (this.mentions(e, around)) return this.dependent(e);
    const value = this.meanings.value(around.scope, e);
    return value === undefined ? this.dependent(e) : of(`value ${value}`);
  }

  private mentions(part: unknown, around: Environment): boolean {
    if (typeof part !== "object" || part === null) return false;
    const { kind, name, path } = part as Partial<syntax.NamedType | syntax.Identifier>;
    if ((kind === "identifier" || kind === "named-type") && around.bound.has(path?.[0] ?? name!)) return true;
    return Object.values(part).some((x) => this.mentions(x, around));
  }

  private dependent(part: unknown): Term {
    return { dependent: inPlaces(part, this.parameters) };
  }
}

class Match {
  private readonly found = new Map<string, string>();

  /** A pack at the end has any that are left; nothing else has those of a pack (C++14 14.5.6.2, 14.8.2.5 p9). */
  list(general: readonly Term[], special: readonly Term[]): boolean {
    const last = general.at(-1);
    const open = last !== undefined && "pack" in last;
    const count = open ? general.length - 1 : general.length;
    if (open ? special.length < count : special.length !== count) return false;
    return general.slice(0, count).every((g, i) => this.term(g, special[i]!));
  }

  private term(general: Term, special: Term): boolean {
    if ("pack" in special) return false;
    if ("open" in general) return this.bind(general.open, special);
    if ("dependent" in general) return true;
    if ("pack" in general || !("head" in special)) return false;
    return general.head === special.head && this.list(general.parts, special.parts);
  }

  private bind(name: string, to: Term): boolean {
    const form = JSON.stringify(to);
    const before = this.found.get(name);
    if (before !== undefined) return before === form;
    this.found.set(name, form);
    return true;
  }
}

export const form = (
  { specifier, qualifiers }: Pick<syntax.TypeName, "specifier" | "qualifiers">,
  derivations: readonly syntax.Derivation[],
  pack?: true,
): Form => ({ kind: "form", specifier, derivations, constant: isConstant(qualifiers), pack });
