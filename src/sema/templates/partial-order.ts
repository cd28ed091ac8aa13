/** Which of two templates is the more special one: C++14 14.5.6.2, on the types as they are written. */
import type * as syntax from "../../ast/syntax.js";

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

const isPack = (part: Form | syntax.TemplateArgument): boolean =>
  part.kind === "pack-expansion" || (part.kind === "form" && part.pack === true);

/** Types, or arguments, that name parameters. */
export interface Forms {
  readonly parameters: readonly syntax.TemplateParameter[];
  readonly types: readonly (Form | syntax.TemplateArgument)[];
}

/** Whether what has the types of `special` has those of `general`, whatever the parameters of `special` stand for. */
export function isFormOf(special: Forms, general: Forms): boolean {
  const match = new Match(new Set(general.parameters.flatMap((p) => (p.name ? [p.name.name] : []))));
  return match.list(general.types, special.types);
}

const withoutPlaces = (part: unknown): string =>
  JSON.stringify(part, (key, value: unknown) => (key === "span" || key === "operatorSpan" ? undefined : value));

/** Whether both name one template: of what one type is, one may be written without the path. */
function ofOnePath(a: syntax.NamedType, b: syntax.NamedType): boolean {
  if (a.name !== b.name || a.pathArguments?.some(Boolean) || b.pathArguments?.some(Boolean)) return false;
  return a.path.length === 0 || b.path.length === 0 || withoutPlaces(a.path) === withoutPlaces(b.path);
}

class Match {
  private readonly found = new Map<string, string>();

  constructor(private readonly names: ReadonlySet<string>) {}

  /** A pack at the end has any that are left; nothing else has those of a pack (C++14 14.5.6.2, 14.8.2.5 p9). */
  list(
    general: readonly (Form | syntax.TemplateArgument)[],
    special: readonly (Form | syntax.TemplateArgument)[],
  ): boolean {
    const open = general.length > 0 && isPack(general.at(-1)!);
    const count = open ? general.length - 1 : general.length;
    if (open ? special.length < count : special.length !== count) return false;
    return general.slice(0, count).every((g, i) => !isPack(special[i]!) && this.part(g, special[i]!));
  }

  part(general: Form | syntax.TemplateArgument, special: Form | syntax.TemplateArgument): boolean {
    const g = asForm(general);
    const s = asForm(special);
    if (g && s) return this.form(g, s);
    const name = nameOf(general);
    if (name !== undefined && this.names.has(name)) return this.bind(name, special);
    return withoutPlaces(general) === withoutPlaces(special);
  }

  private form(g: Form, s: Form): boolean {
    const outer = g.derivations.at(-1);
    const other = s.derivations.at(-1);
    // References play no part in the order.
    if (outer?.kind === "reference") return this.form({ ...g, derivations: g.derivations.slice(0, -1) }, s);
    if (other?.kind === "reference") return this.form(g, { ...s, derivations: s.derivations.slice(0, -1) });
    if (!outer) {
      const { specifier } = g;
      if (g.constant && !(s.constant && s.derivations.length === 0)) return false;
      if (specifier.kind === "named-type") {
        if (!specifier.templateArguments && specifier.path.length === 0 && this.names.has(specifier.name))
          return this.bind(specifier.name, g.constant ? { ...s, constant: false } : s);
        const of = s.specifier;
        const lists = specifier.templateArguments && of.kind === "named-type" && of.templateArguments;
        if (lists && s.derivations.length === 0 && ofOnePath(specifier, of))
          return this.list(specifier.templateArguments, lists);
      }
      return s.derivations.length === 0 && withoutPlaces(specifier) === withoutPlaces(s.specifier);
    }
    if (!other || other.kind !== outer.kind) return false;
    if (outer.kind === "array" && other.kind === "array" && outer.size) {
      if (!other.size || !this.part(outer.size, other.size)) return false;
    }
    return this.form(
      { ...g, derivations: g.derivations.slice(0, -1) },
      { ...s, derivations: s.derivations.slice(0, -1) },
    );
  }

  private bind(name: string, to: unknown): boolean {
    const form = withoutPlaces(to);
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

function asForm(part: Form | syntax.TemplateArgument): Form | undefined {
  if (part.kind === "form") return part;
  if (part.kind === "type-name") return form(part, part.derivations);
  return part.kind === "type-expression" ? form(part.type, part.type.derivations) : undefined;
}

/** The name alone that an argument is, which the grammar may have taken for a type's. */
function nameOf(part: Form | syntax.TemplateArgument): string | undefined {
  const form = asForm(part);
  if (form)
    return form.derivations.length === 0 && form.specifier.kind === "named-type" ? form.specifier.name : undefined;
  const e = part as syntax.Expression;
  return e.kind === "identifier" && e.path.length === 0 ? e.name : undefined;
}
