/**
 * Which declarations of a file need which others, from the syntax tree alone: by names, before any is resolved. Too much
 * on purpose where names cannot tell: all overloads of a name belong together, in whichever namespaces they lie.
 * A name that a function declares itself, a parameter or local, mentions nothing outside.
 */
import type * as syntax from "../ast/syntax.js";
import type { LanguageFacts, SpecializationFacts } from "../dialects/language.js";
import { hostName } from "./attributes.js";
import { limitsTemplate } from "../dialects/traits.js";
import { own } from "../support/own.js";
import { append } from "../support/append.js";
import type { Span } from "../support/span.js";
import { fileAt, type ExpandedSource } from "../support/expanded-source.js";

/** What a declaration is to those who look for it. */
export type DeclarationKind = "kernel" | "function" | "type" | "variable" | "interface" | "namespace" | "other";

/** One declaration at file scope or in a namespace, by its place; a namespace itself is what stands before its first one. */
export interface ReachNode {
  readonly declaration: syntax.Declaration;
  readonly span: Span;
  readonly kind: DeclarationKind;
  /** What a message calls it by. */
  readonly names: readonly string[];
  /** The names that lead to it. */
  readonly declares: readonly string[];
  /** The names it may need something by. */
  readonly mentions: ReadonlySet<string>;
  /** It comes from another file than the one that is translated. */
  readonly included: boolean;
}

export class ReachGraph {
  readonly nodes: readonly ReachNode[];
  private readonly declaring = new Map<string, number[]>();
  private readonly mentioning = new Map<string, number[]>();

  constructor(unit: syntax.TranslationUnit, source: ExpandedSource, language: LanguageFacts, entries: EntryWords) {
    const nodes = (d: syntax.Declaration, around: readonly string[]): ReachNode[] => {
      if (d.kind !== "namespace") return [nodeOf(d, around, source, language, entries)];
      const names = d.name ? [...d.name.path, d.name.name] : [];
      const [first] = d.declarations;
      const head: ReachNode = {
        declaration: d,
        span: { start: d.span.start, end: first?.span.start ?? d.span.end },
        kind: "namespace",
        names,
        declares: names,
        mentions: new Set(around),
        included: fileAt(source, d.span.start) > 0,
      };
      return [head, ...d.declarations.flatMap((inner) => nodes(inner, [...around, ...names]))];
    };
    this.nodes = unit.declarations.flatMap((d) => nodes(d, []));
    this.nodes.forEach((n, i) => {
      for (const name of n.declares) listed(this.declaring, name).push(i);
    });
    this.nodes.forEach((n, i) => {
      for (const name of n.mentions) if (this.declaring.has(name)) listed(this.mentioning, name).push(i);
    });
  }

  /** A function that is declared once, where it is defined: its body can be left out. */
  isApart(i: number): boolean {
    const known = this.apart.get(i);
    if (known !== undefined) return known;
    const found = this.standsApart(i);
    this.apart.set(i, found);
    return found;
  }
  private readonly apart = new Map<number, boolean>();

  private standsApart(i: number): boolean {
    const { declaration: d, kind, declares } = this.nodes[i]!;
    if (kind !== "function" || d.kind !== "function" || !d.body) return false;
    return this.named(declares).every((n) => {
      const other = this.nodes[n]!.declaration;
      return other.kind !== "function" || other.body !== undefined;
    });
  }

  /** Everything that declares one of the names. */
  named(names: Iterable<string>): number[] {
    return [...names].flatMap((name) => this.declaring.get(name) ?? []);
  }

  /** `roots` and what they need. A name is in with all its declarations, or not at all. */
  needs(roots: Iterable<number>): Set<number> {
    return this.spread(
      roots,
      ({ declares, mentions }) => [...declares, ...mentions],
      (name) => this.declaring.get(name) ?? [],
    );
  }

  /** `roots` and what needs them. */
  neededBy(roots: Iterable<number>): Set<number> {
    return this.spread(
      roots,
      ({ declares }) => declares,
      (name) => [...(this.mentioning.get(name) ?? []), ...(this.declaring.get(name) ?? [])],
    );
  }

  /** `roots` and where `names` lead to from there. Each name leads there once: many may declare it, and many lead to it. */
  private spread(
    roots: Iterable<number>,
    names: (node: ReachNode) => Iterable<string>,
    leads: (name: string) => Iterable<number>,
  ): Set<number> {
    const reached = new Set(roots);
    const followed = new Set<string>();
    // What is added while the set is gone through comes up in its turn.
    for (const i of reached)
      for (const name of names(this.nodes[i]!)) {
        if (followed.has(name)) continue;
        followed.add(name);
        for (const n of leads(name)) reached.add(n);
      }
    return reached;
  }

  /** What an assertion says something about: it is looked at where all of that is, and where it fails that is wrong. */
  assertedBy(i: number): number[] {
    const { declaration, mentions } = this.nodes[i]!;
    return declaration.kind === "static-assert" ? this.named(mentions) : [];
  }

  /** An assertion about declarations of the file; others without a name are about the file. */
  speaksOfOthers(i: number): boolean {
    return this.assertedBy(i).length > 0;
  }
}

function listed(map: Map<string, number[]>, name: string): number[] {
  let list = map.get(name);
  if (!list) map.set(name, (list = []));
  return list;
}

/** How a language marks its kernels, and the constants that the host sets. */
export interface EntryWords {
  readonly words: ReadonlySet<string>;
  readonly constants: SpecializationFacts | undefined;
  readonly isKernel: (d: syntax.FunctionDeclaration) => boolean;
}

function nodeOf(
  declaration: syntax.Declaration,
  /** The namespaces around it. */
  around: readonly string[],
  source: ExpandedSource,
  language: LanguageFacts,
  entries: EntryWords,
): ReachNode {
  const instance = explicitInstance(declaration, source);
  const { names, also } = instance ? { names: [instance], also: [] } : declaredBy(declaration);
  const mentions = mentionedBy(declaration);
  for (const name of around) mentions.add(name);
  return {
    declaration,
    span: declaration.span,
    kind: kindOf(declaration, language, entries),
    names,
    // An explicit instance is no declaration of the template's name.
    declares: instance ? [] : [...new Set([...names, ...also])],
    mentions,
    included: fileAt(source, declaration.span.start) > 0,
  };
}

// ------------------------------------------------------------------ what a declaration declares

/** `template [[host_name("k_f32")]] kernel void k<float>(...);` by the name the host knows it by, or else as it is written. */
function explicitInstance(d: syntax.Declaration, source: ExpandedSource): string | undefined {
  if (d.kind !== "template" || !d.explicit) return undefined;
  const inner = d.declaration;
  if (inner.kind !== "function" && inner.kind !== "variable") return "";
  const [x] = inner.kind === "variable" ? inner.declarators : [];
  const attributes = [
    ...inner.attributes,
    ...(inner.kind === "function" ? inner.trailingAttributes : (x?.attributes ?? [])),
  ];
  const host = hostName(attributes);
  if (host !== undefined) return host;
  const name = inner.kind === "function" ? inner.name : x?.name;
  return name ? source.text.slice(name.span.start, name.span.end) : "";
}

/** What the source adds to the library is needed by the library's name, too. */
const libraryNames: Readonly<Record<string, string>> = { [limitsTemplate.specialized]: limitsTemplate.named };

export interface Declared {
  readonly names: string[];
  /** Names that lead to it without being its own: members that stand for themselves, enumerators, types of operands. */
  readonly also: string[];
}

export function declaredBy(d: syntax.Declaration): Declared {
  const names: string[] = [];
  const also: string[] = [];
  switch (d.kind) {
    case "function":
      (d.special === "guide" ? also : names).push(hostName([...d.attributes, ...d.trailingAttributes]) ?? d.name.name);
      // A member that is defined outside its class is needed with the class; an operator with the types it is for.
      append(also, d.name.path);
      if (/^operator\b/.test(d.name.name))
        for (const p of d.parameters) if (p.specifier.kind === "named-type") also.push(p.specifier.name);
      break;
    case "variable":
    case "typedef":
      for (const x of d.declarators) if (x.name) names.push(x.name.name);
      if (d.specifier?.kind === "named-type" && d.declarators.length === 0) names.push(d.specifier.name);
      declaredBySpecifier(d.specifier, names.length === 0 ? names : also, also);
      break;
    case "block-declaration":
      names.push(d.instance?.name?.name ?? d.name.name);
      also.push(d.name.name);
      if (!d.instance) for (const m of d.members) append(also, declaredBy(m).names);
      break;
    case "using":
      if (d.alias) names.push(d.alias.name.name);
      else if (d.otherName) names.push(d.otherName.name);
      else for (const { name } of d.names ?? []) names.push(name.name);
      break;
    case "namespace":
      if (d.name) names.push(d.name.name);
      for (const inner of d.declarations) {
        const own = declaredBy(inner);
        append(also, own.names);
        append(also, own.also);
      }
      break;
    case "template": {
      const own = declaredBy(d.declaration);
      append(names, own.names);
      append(also, own.also);
      break;
    }
    case "precision":
    case "execution-mode":
    case "static-assert":
    case "empty-declaration":
      break;
  }
  return { names, also };
}

/** In C the structs and enumerators of a struct are declared beside it. */
function declaredBySpecifier(t: syntax.TypeSpecifier | undefined, names: string[], also: string[]): void {
  if (t?.kind === "enum-specifier") {
    if (t.name) names.push(t.name.name);
    for (const e of t.enumerators) also.push(e.name.name);
  } else if (t?.kind === "struct-specifier") {
    if (t.name) {
      names.push(t.name.name);
      const library = own(libraryNames, t.name.name);
      if (library !== undefined) also.push(library);
    }
    for (const m of t.members) if (m.kind === "variable") declaredBySpecifier(m.specifier, also, also);
  }
}

const interfaceWords = new Set(["uniform", "buffer", "in", "out"]);

function kindOf(d: syntax.Declaration, language: LanguageFacts, entries: EntryWords): DeclarationKind {
  switch (d.kind) {
    case "function":
      return entries.isKernel(d) ? "kernel" : "function";
    case "template": {
      const { declaration } = d;
      // A template of a kernel is one where it is instantiated.
      if (!d.explicit) return declaration.kind === "function" ? "function" : kindOf(declaration, language, entries);
      if (declaration.kind === "function") return entries.isKernel(declaration) ? "kernel" : "function";
      // `template [[host_name("k_f32")]] kernel k_t k<float>;`, and `[[kernel]]` for the word.
      const kernel =
        declaration.kind === "variable" &&
        [...declaration.qualifiers, ...declaration.attributes].some((q) => entries.words.has(q.name));
      return kernel ? "kernel" : "type";
    }
    case "block-declaration":
      return "interface";
    case "variable": {
      if (d.declarators.length === 0) return d.specifier ? "type" : "other";
      const word = (name: string): boolean => d.qualifiers.some((q) => q.name === name);
      // The host sets constants by number: nothing depends on one that is not there.
      if (isHostConstant(d, entries.constants)) return "variable";
      if (d.qualifiers.some((q) => q.layout || interfaceWords.has(q.name))) return "interface";
      if (d.attributes.length > 0 || d.declarators.some((x) => x.attributes.length > 0)) return "interface";
      // Where file scope holds resources, a variable is one unless a word makes it the program's own.
      const own = language.looseUniforms ? word("static") || word("groupshared") : true;
      return own ? "variable" : "interface";
    }
    case "typedef":
      return "type";
    case "using":
      return d.namespace ? "other" : "type";
    case "namespace":
      return "namespace";
    case "precision":
    case "execution-mode":
    case "static-assert":
    case "empty-declaration":
      return "other";
  }
}

const isHostConstant = (d: syntax.VariableDeclaration, facts: SpecializationFacts | undefined): boolean =>
  facts !== undefined &&
  (d.qualifiers.some((q) => q.layout?.some((y) => y.name === facts.layout)) ||
    [d, ...d.declarators].some((x) => x.attributes.some((a) => a.name === facts.attribute)));

// ------------------------------------------------------------------ what a declaration mentions

/** Nodes with names of their own inside, which end with them. */
const scopes = new Set([
  "function",
  "template",
  "struct-specifier",
  "compound",
  "for",
  "range-for",
  "while",
  "do",
  "if",
  "switch",
  "lambda",
]);

/** What is still to be done, the next last. */
type Step =
  | { readonly visit: unknown }
  | { readonly hide: readonly (syntax.Declarator | undefined)[] }
  | { readonly leave: true };

/**
 * Whatever the tree has of identifiers and type names, node by node without regard to kind, so that none can be
 * forgotten; names of members apart, since the struct brings those. Without recursion: expressions may be deep.
 */
export function mentionedBy(d: syntax.Declaration): Set<string> {
  const found = new Set<string>();
  const scopesAround: string[][] = [];
  /** How many scopes hide a name. */
  const hidden = new Map<string, number>();
  const steps: Step[] = [{ visit: d }];
  for (let step = steps.pop(); step; step = steps.pop()) {
    if ("leave" in step) for (const name of scopesAround.pop()!) hidden.set(name, hidden.get(name)! - 1);
    else if ("hide" in step) {
      // File scope, which hides nothing, has no scope on the stack.
      const scope = scopesAround.at(-1);
      for (const x of scope ? step.hide : [])
        if (x?.name) {
          scope!.push(x.name.name);
          hidden.set(x.name.name, (hidden.get(x.name.name) ?? 0) + 1);
        }
    } else if (Array.isArray(step.visit)) {
      for (let i = step.visit.length - 1; i >= 0; i--) steps.push({ visit: step.visit[i] });
    } else if (typeof step.visit === "object" && step.visit !== null) {
      const node = step.visit as { readonly [key: string]: unknown };
      const { kind } = node;
      if (kind === "identifier" || kind === "named-type") {
        const { name, path } = node as unknown as syntax.Identifier;
        if (path.length > 0) [...path, name].forEach((n) => found.add(n));
        else if (!hidden.get(name)) found.add(name);
        steps.push({ visit: node.templateArguments }, { visit: node.pathArguments });
        continue;
      }
      if (kind === "member") {
        const { base, name } = node as unknown as syntax.Member;
        for (const n of name.path) found.add(n);
        steps.push({ visit: name.templateArguments }, { visit: name.pathArguments }, { visit: base });
        continue;
      }
      // A declared name is there from its declaration on.
      if (kind === "parameter") steps.push({ hide: [(node as unknown as syntax.Parameter).declarator] });
      if (kind === "variable") steps.push({ hide: (node as unknown as syntax.VariableDeclaration).declarators });
      if (typeof kind === "string" && scopes.has(kind)) {
        scopesAround.push([]);
        steps.push({ leave: true });
      }
      for (const key of Object.keys(node).reverse()) {
        // The name that a declarator declares inside is no mention of another; what an instance is of is.
        if (key === "name" && "derivations" in node && scopesAround.length > 0) {
          const name = node.name as syntax.Identifier | undefined;
          steps.push({ visit: name?.templateArguments }, { visit: name?.pathArguments });
        } else if (key !== "span") steps.push({ visit: node[key] });
      }
    }
  }
  return found;
}
