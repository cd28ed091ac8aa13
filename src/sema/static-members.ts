/**
 * Static members of structs: variables of the file, named after the struct. What is given to one behind the struct (C++14 9.4.2;
 * HLSL, as DXC has it) is read with the struct, so that all that follows may name it.
 */
import type * as syntax from "../ast/syntax.js";
import { notYet, type Sema, type Symbol } from "./context.js";
import { lookup } from "./scopes.js";
import type { StructTemplate } from "./templates/template.js";
import { namespaceAround } from "./enclosing-namespace.js";

/** What a static member is given outside of its struct; `parameters`: of the template that stands in front. */
export interface OutsideValue {
  readonly initializer?: syntax.Initializer;
  readonly parameters?: readonly syntax.TemplateParameter[];
  /** `template <> constant int S<float>::n = 5;` */
  readonly specialized: readonly SpecializedValue[];
}

interface SpecializedValue {
  readonly arguments: readonly syntax.TemplateArgument[];
  readonly initializer: syntax.Initializer;
}

/** How `S::n` is known that is defined outside of S: namespaces have one name, with the parts of their path in it. */
const outsideName = (path: readonly string[], name: string): string => `${path.join("_")}::${name}`;

/** `constant int S::n = 5;`, by those names; one that two definitions have is nobody's. */
export function definedOutside(all: readonly syntax.Declaration[]): ReadonlyMap<string, OutsideValue> {
  const found: [string, Omit<OutsideValue, "specialized">][] = [];
  const specialized = new Map<string, SpecializedValue[]>();
  const visit = (
    declarations: readonly syntax.Declaration[],
    around: readonly string[],
    template: Pick<OutsideValue, "parameters">,
  ): void => {
    for (const d of declarations)
      if (d.kind === "namespace")
        visit(d.declarations, d.name ? [...around, ...d.name.path, d.name.name] : around, template);
      else if (d.kind === "template" && !d.explicit) visit([d.declaration], around, { parameters: d.parameters });
      else if (d.kind === "variable")
        for (const { name, initializer } of d.declarators)
          if (name && name.path.length > 0 && initializer) {
            const key = outsideName([...around, ...name.path], name.name);
            const given = template.parameters?.length === 0 ? name.pathArguments?.at(-1) : undefined;
            if (given) specialized.set(key, [...(specialized.get(key) ?? []), { arguments: given, initializer }]);
            else found.push([key, { initializer, ...template }]);
          }
  };
  visit(all, [], {});
  const values = new Map<string, Omit<OutsideValue, "specialized">[]>();
  for (const [key, value] of found) values.set(key, [...(values.get(key) ?? []), value]);
  const keys = new Set([...values.keys(), ...specialized.keys()]);
  return new Map(
    [...keys].map((key) => {
      const [first, ...more] = values.get(key) ?? [];
      return [key, { ...(more.length === 0 ? first : {}), specialized: specialized.get(key) ?? [] }];
    }),
  );
}

/**
 * What is given behind the struct to its member. `label`: the name of the struct, or of the template that it is an instance of;
 * `given`: the struct gives it a value, which only a specialisation takes the place of; `isInstance`: whether the struct is the instance for such arguments.
 */
export function valueOutside(
  s: Sema,
  struct: string,
  label: string | undefined,
  declared: syntax.Identifier,
  given: boolean,
  isInstance: (list: readonly syntax.TemplateArgument[]) => boolean,
): syntax.Initializer | undefined {
  const path = [namespaceAround(s)?.namespace ?? [], label ?? []].flat();
  const outside = s.definedOutside.get(outsideName(path, declared.name));
  const special = outside?.specialized.find((x) => isInstance(x.arguments))?.initializer;
  if (special) {
    meansTheSame(s, special, meaningsIn(s, special));
    return special;
  }
  if (!outside?.initializer || given) return undefined;
  const { initializer, parameters } = outside;
  if (parameters) {
    // By the names that the struct has for them.
    const own = s.templates.structs.get(struct);
    const names = own && own.parameters === own.template.parameters ? own.parameters.map((p) => p.name?.name) : [];
    if (names.length !== parameters.length || names.some((n, i) => n !== parameters[i]!.name?.name)) return undefined;
  }
  if (!meansTheSame(s, initializer, meaningsIn(s, initializer, parameters)))
    notYet(s, "a member whose value means something else in another instance is", declared.span);
  return initializer;
}

/** `template <> constant int S<float>::n = 5;`, which that instance has read. */
export function staticMemberOfInstance(s: Sema, { initializer, span }: syntax.Declarator): void {
  const now = initializer && s.readAhead.has(initializer) ? meaningsIn(s, initializer) : undefined;
  if (!initializer || (now && !meansTheSame(s, initializer, now)))
    notYet(s, "defining a member of a struct outside of it is", span);
}

/** `template <typename T> constant T S<T>::zero = T(0);`, which the instances read. */
export function staticMemberOfTemplate(
  s: Sema,
  { initializer }: syntax.Declarator,
  { name, path, span }: syntax.Identifier,
  { parameters }: syntax.TemplateDeclaration,
): void {
  const template = path.length === 1 ? lookup(s, path[0]!) : undefined;
  const known = template?.kind === "template" && template.template.kind === "struct";
  const outside = known && s.definedOutside.get(outsideName([namespaceAround(s)?.namespace ?? [], path].flat(), name));
  // C++17 D.1: one that the struct gives its value is defined there.
  if (known && !initializer && givesValue(template.template, name)) return;
  const isRead = outside && initializer && outside.initializer === initializer;
  if (!isRead || !meansTheSame(s, initializer, meaningsIn(s, initializer, parameters)))
    notYet(s, "defining a member of a struct outside of it is", span);
}

const givesValue = ({ specifier }: StructTemplate, name: string): boolean =>
  specifier?.members.some(
    (m) => m.kind === "variable" && m.declarators.some((x) => x.name?.name === name && x.initializer !== undefined),
  ) === true;

// ------------------------------------------------------------------ what names mean

/** What the names of an initialiser mean where it is read, functions with how many of the name there are. */
export interface Meanings {
  readonly of: ReadonlyMap<string, Symbol | undefined>;
  readonly functions: number;
}

/** `within`: what names mean there before they mean anything else; `parameters`, which mean something else in each instance. */
export function meaningsIn(
  s: Sema,
  initializer: syntax.Initializer,
  parameters: readonly syntax.TemplateParameter[] = [],
  within: (name: string) => Symbol | undefined = () => undefined,
): Meanings {
  const of = new Map<string, Symbol | undefined>();
  const own = new Set(parameters.map((p) => p.name?.name));
  let functions = 0;
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { kind, name, path } = part as { readonly kind?: unknown; readonly name?: unknown; readonly path?: unknown };
    if ((kind === "identifier" || kind === "named-type") && typeof name === "string" && Array.isArray(path)) {
      const first = (path as readonly string[])[0] ?? name;
      const symbol = own.has(first) ? undefined : (within(first) ?? lookup(s, first));
      if (!of.has(first) && symbol?.kind === "functions")
        functions += symbol.overloads.length + symbol.templates.length;
      of.set(first, symbol);
    }
    Object.values(part).forEach(visit);
  };
  visit(initializer);
  return { of, functions };
}

/** Whether names mean what they meant where the initialiser was read first. */
export function meansTheSame(s: Sema, initializer: syntax.Initializer, now: Meanings): boolean {
  const first = s.readAhead.get(initializer);
  if (!first) s.readAhead.set(initializer, now);
  return !first || (first.functions === now.functions && [...first.of].every(([n, x]) => now.of.get(n) === x));
}
