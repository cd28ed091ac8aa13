/** The part of `syntax-builders.ts` that makes names, types, attributes, declarators and declarations. */
import { append } from "../support/append.js";
import type { Span } from "../support/span.js";
import type * as s from "./syntax.js";
import { TokenReader, type Range } from "./syntax-tokens.js";

/** Something recognised that has no node: reported at its place once the parse has succeeded. */
export interface Unsupported {
  readonly what: string;
  readonly span: Span;
  /** The language itself has it not. */
  readonly absent: boolean;
}

type Attributes = readonly s.Attribute[];
type HeadItem = s.Qualifier | Attributes;

interface Head {
  readonly attributes: readonly s.Attribute[];
  readonly qualifiers: readonly s.Qualifier[];
  readonly specifier: s.TypeSpecifier;
  /** Of arrays written after the type, already in the order of `Declarator.derivations`. */
  readonly derivations: readonly s.Derivation[];
}

interface Direct {
  readonly parenthesized?: true;
  /** `(*... fs)(int)`. */
  readonly pack?: true;
  readonly name?: s.Identifier;
  readonly bindings?: readonly s.Identifier[];
  readonly derivations: readonly s.Derivation[];
}

type DeclaratorSuffix = Attributes | s.Derivation | { readonly bitWidth: s.Expression };

/** `= default;` and `= delete;` stand where a body does. */
type Body = s.CompoundStatement | { readonly given: "default" | "delete" } | null;

/** `...` behind parameters. */
interface Ellipsis {
  readonly kind: "ellipsis";
  readonly span: Span;
}

/** What stands behind a function's parameters. */
type Suffix = s.Qualifier | Attributes | { readonly returns: s.TypeName };

type Rest =
  | {
      readonly form: "function";
      readonly pointers: readonly s.Derivation[];
      readonly name: s.Identifier;
      readonly parameters: readonly s.Parameter[];
      readonly suffixes: readonly Suffix[];
      readonly body: Body;
    }
  | { readonly form: "declarators"; readonly declarators: readonly s.Declarator[] };

const none: readonly never[] = [];

/** A name before `::`, with the arguments of a template. */
export interface PathElement {
  readonly name: string;
  readonly arguments?: readonly s.TemplateArgument[];
}

export class DeclarationBuilder extends TokenReader {
  readonly unsupportedConstructs: Unsupported[] = [];
  /** Lists of parameters that end in `...`. */
  private readonly openLists = new WeakMap<readonly s.Parameter[], Span>();

  // ---------------------------------------------------------------- names, types, attributes

  name(token: number): s.Identifier {
    return { kind: "identifier", name: this.word(token), path: none, span: this.tokenSpan(token) };
  }

  /** The name is the last token before the template arguments, or of the range. */
  identifier(range: Range, path: readonly PathElement[], args: readonly s.TemplateArgument[] | null): s.Identifier {
    const token = this.lastNameToken(range, path.length);
    const base = {
      kind: "identifier",
      name: this.word(token),
      ...this.pathOf(path),
      span: this.span(range),
    } as const;
    return args === null ? base : { ...base, templateArguments: args };
  }

  /** The token of the name that follows `steps` path elements. */
  protected lastNameToken(range: Range, steps: number): number {
    let token = range.start;
    for (let left = steps; left > 0; left--) {
      let depth = 0;
      while (depth > 0 || this.code(token) !== "∷") {
        const code = this.code(token);
        if (code === "<") depth++;
        else if (code === ">" || code === "›") depth--;
        token++;
      }
      token++;
    }
    return this.word(token) === "template" ? token + 1 : token;
  }

  /** `operator+`, `S::operator()<float>`; `name`: the word and its sign. */
  operatorName(
    range: Range,
    name: Range,
    path: readonly PathElement[] = none,
    args: readonly s.TemplateArgument[] | null = null,
  ): s.Identifier {
    return {
      kind: "identifier",
      name: this.joined(name),
      ...this.pathOf(path),
      ...(args ? { templateArguments: args } : {}),
      span: this.span(range),
    };
  }

  pathElement(range: Range, args?: readonly s.TemplateArgument[]): PathElement {
    return { name: this.word(range.start), ...(args ? { arguments: args } : {}) };
  }

  /** `decltype(x)::`: as an argument of a name that nothing else has. */
  decltypePath(type: s.TypeSpecifier): PathElement {
    const { span } = type;
    return {
      name: "decltype",
      arguments: [{ kind: "type-name", qualifiers: [], specifier: type, derivations: [], span }],
    };
  }

  globalPath(): PathElement {
    return { name: "" };
  }

  private pathOf(path: readonly PathElement[]): Pick<s.Identifier, "path" | "pathArguments"> {
    const names = path.length === 0 ? none : path.map((p) => p.name);
    return path.some((p) => p.arguments)
      ? { path: names, pathArguments: path.map((p) => p.arguments) }
      : { path: names };
  }

  namedType(range: Range): s.NamedType {
    let name = this.word(range.start);
    for (let token = range.start + 1; token < range.end; token++) name += ` ${this.word(token)}`;
    return { kind: "named-type", name, path: none, span: this.span(range) };
  }

  templateType(range: Range, args: readonly s.TemplateArgument[]): s.NamedType {
    return {
      kind: "named-type",
      name: this.word(range.start),
      path: none,
      templateArguments: args,
      span: this.span(range),
    };
  }

  qualifiedType(range: Range, path: readonly PathElement[], args: readonly s.TemplateArgument[] | null): s.NamedType {
    const name = this.word(this.lastNameToken(range, path.length));
    const base = { kind: "named-type", name, ...this.pathOf(path), span: this.span(range) } as const;
    return args === null ? base : { ...base, templateArguments: args };
  }

  dependentType(
    range: Range,
    path: readonly PathElement[] | null,
    name: s.Identifier,
    args: readonly s.TemplateArgument[] | null,
  ): s.NamedType {
    const base = { kind: "named-type", name: name.name, ...this.pathOf(path ?? none), span: this.span(range) } as const;
    return args === null ? base : { ...base, templateArguments: args };
  }

  /** Behind a path the keyword says nothing: names in a namespace or struct are looked up as others are. */
  elaboratedType(
    range: Range,
    elaborated: NonNullable<s.NamedType["elaborated"]>,
    path: readonly PathElement[] | null,
    { name, templateArguments }: s.Identifier,
  ): s.NamedType {
    const args = templateArguments ? { templateArguments } : {};
    const base = { kind: "named-type", name, ...args, span: this.span(range) } as const;
    return path ? { ...base, ...this.pathOf(path) } : { ...base, path: none, elaborated };
  }

  decltype(range: Range, expression: s.Expression, plain = false): s.DecltypeSpecifier {
    return { kind: "decltype", expression, ...(plain ? { plain: true } : {}), span: this.span(range) };
  }

  /** `a::b::S<3>` */
  nameBehind(path: readonly PathElement[], name: s.Identifier): s.Identifier {
    return { ...name, ...this.pathOf(path) };
  }

  structSpecifier(
    range: Range,
    keyword: s.StructSpecifier["keyword"],
    before: readonly Attributes[],
    name: s.Identifier | null,
    bases: readonly s.StructBase[] | null,
    members: readonly (s.Declaration | null)[],
    after: readonly Attributes[],
  ): s.StructSpecifier {
    return {
      kind: "struct-specifier",
      keyword,
      ...(name ? { name } : {}),
      attributes: [...before, ...after].flat(),
      ...(bases ? { bases } : {}),
      members: members.filter((member) => member !== null && member.kind !== "empty-declaration"),
      span: this.span(range),
    };
  }

  enumerator(range: Range, name: s.Identifier, value: s.Expression | null): s.EnumSpecifier["enumerators"][number] {
    return value === null ? { name, span: this.span(range) } : { name, value, span: this.span(range) };
  }

  enumSpecifier(
    range: Range,
    scoped: boolean,
    name: s.Identifier | null,
    underlying: s.TypeName | null,
    enumerators: s.EnumSpecifier["enumerators"],
  ): s.EnumSpecifier {
    return {
      kind: "enum-specifier",
      ...(name ? { name } : {}),
      scoped,
      ...(underlying ? { underlying } : {}),
      enumerators,
      span: this.span(range),
    };
  }

  typeName(
    range: Range,
    before: readonly s.Qualifier[],
    specifier: s.TypeSpecifier,
    after: readonly s.Qualifier[],
    arrays: readonly s.Derivation[] | null,
    abstract: readonly s.Derivation[],
  ): s.TypeName {
    return {
      kind: "type-name",
      qualifiers: after.length === 0 ? before : [...before, ...after],
      specifier,
      derivations: arrays === null ? abstract : [...arrays.toReversed(), ...abstract],
      span: this.span(range),
    };
  }

  typeExpression(type: s.TypeName): s.TypeExpression {
    return { kind: "type-expression", type, span: type.span };
  }

  /** A type as callee of a constructor. */
  constructedType(range: Range, specifier: s.TypeSpecifier, arrays: readonly s.Derivation[] | null): s.TypeExpression {
    return this.typeExpression(this.typeName(range, none, specifier, none, arrays, none));
  }

  qualifier(token: number): s.Qualifier {
    if (this.word(token) === "consteval" || this.word(token) === "constinit")
      this.unsupported({ start: token, end: token + 1 }, `'${this.word(token)}'`);
    return { kind: "qualifier", name: this.word(token), span: this.tokenSpan(token) };
  }

  /** Of several tokens. */
  qualifierOf(range: Range, name: string): s.Qualifier {
    return { kind: "qualifier", name, span: this.span(range) };
  }

  layout(range: Range, entries: readonly s.LayoutEntry[]): s.Qualifier {
    return { kind: "qualifier", name: "layout", layout: entries, span: this.span(range) };
  }

  layoutEntry(range: Range, name: s.Identifier, value: s.Expression | null): s.LayoutEntry {
    return value === null
      ? { name: name.name, span: this.span(range) }
      : { name: name.name, value, span: this.span(range) };
  }

  attribute(range: Range, form: s.Attribute["form"], name: string, args: readonly s.Expression[] | null): s.Attribute {
    const base = { kind: "attribute", form, name, span: this.span(range) } as const;
    return args === null ? base : { ...base, arguments: args };
  }

  attributeName(path: readonly [s.Identifier, string] | null, name: s.Identifier): string {
    return path === null ? name.name : `${path[0].name}::${name.name}`;
  }

  // ---------------------------------------------------------------- declarators

  pointer(range: Range, qualifiers: readonly s.Qualifier[]): s.Derivation {
    return { kind: "pointer", qualifiers, span: this.span(range) };
  }

  reference(range: Range, rvalue = false): s.Derivation {
    return { kind: "reference", ...(rvalue ? { rvalue: true } : {}), span: this.span(range) };
  }

  arraySuffix(range: Range, size: s.Expression | null, qualifiers?: readonly s.Qualifier[]): s.Derivation {
    return {
      kind: "array",
      ...(size ? { size } : {}),
      ...(qualifiers ? { qualifiers } : {}),
      span: this.span(range),
    };
  }

  functionDerivation(range: Range, parameters: readonly s.Parameter[]): s.Derivation {
    this.closed(parameters);
    return { kind: "function", parameters, span: this.span(range) };
  }

  derivations(
    pointers: readonly (s.Derivation | null)[],
    inner: readonly s.Derivation[] | null,
    suffixes: readonly s.Derivation[],
  ): readonly s.Derivation[] {
    const own = pointers.filter((pointer) => pointer !== null);
    return [...own, ...suffixes.toReversed(), ...(inner ?? none)];
  }

  directName(name: s.Identifier): Direct {
    return { name, derivations: none };
  }

  directBindings(bindings: readonly s.Identifier[]): Direct {
    return { bindings, derivations: none };
  }

  /** `(*p)(int)`: what stands in the parentheses applies after the function suffix. */
  directInner(inner: Direct, functions: readonly s.Derivation[]): Direct {
    return { ...inner, derivations: [...functions, ...inner.derivations] };
  }

  /** `(x)`, `(a[2])`, `(*x)`. */
  directParenthesized(inner: Direct): Direct {
    return { ...inner, parenthesized: true };
  }

  innerDeclarator(
    pointers: readonly (s.Derivation | null)[],
    pack: true | null,
    direct: Direct | null,
    arrays: readonly s.Derivation[],
  ): Direct {
    const derivations = this.derivations(pointers, direct?.derivations ?? none, arrays);
    return { ...(direct?.name ? { name: direct.name } : {}), ...(pack ? { pack } : {}), derivations };
  }

  bitField(bitWidth: s.Expression): DeclaratorSuffix {
    return { bitWidth };
  }

  declarator(
    range: Range,
    pointers: readonly (s.Derivation | null)[],
    before: readonly Attributes[],
    direct: Direct | string | null,
    suffixes: readonly DeclaratorSuffix[],
    initializer: s.Initializer | null,
  ): s.Declarator {
    const inner = direct !== null && typeof direct !== "string" ? direct : undefined;
    let attributes: readonly s.Attribute[] = none;
    let bitWidth: s.Expression | undefined;
    if (before.length > 0) attributes = before.flat();
    const arrays: s.Derivation[] = [];
    for (const suffix of suffixes) {
      if ("bitWidth" in suffix) bitWidth = suffix.bitWidth;
      else if ("kind" in suffix) arrays.push(suffix);
      else attributes = [...attributes, ...suffix];
    }
    return {
      ...(inner?.name ? { name: inner.name } : {}),
      ...(inner?.pack ? { pack: inner.pack } : {}),
      ...(inner?.bindings ? { bindings: inner.bindings } : {}),
      ...(inner?.parenthesized && pointers.length + before.length + suffixes.length === 0
        ? { parenthesized: true }
        : {}),
      derivations: this.derivations(pointers, inner?.derivations ?? none, arrays),
      attributes,
      ...(bitWidth ? { bitWidth } : {}),
      ...(initializer ? { initializer } : {}),
      span: this.span(range),
    };
  }

  head(
    range: Range,
    before: readonly HeadItem[],
    specifier: s.TypeSpecifier,
    after: readonly HeadItem[],
    arrays: readonly s.Derivation[] | null,
  ): Head {
    const qualifiers: s.Qualifier[] = [];
    const attributes: s.Attribute[] = [];
    for (const items of [before, after]) {
      for (const item of items) {
        if ("kind" in item) qualifiers.push(item);
        else append(attributes, item);
      }
    }
    return { attributes, qualifiers, specifier, derivations: arrays === null ? none : arrays.toReversed() };
  }

  /** Arrays written after the type belong to every declarator, inside its own derivations. */
  private withArrays(head: Head, declarator: s.Declarator): s.Declarator {
    if (head.derivations.length === 0) return declarator;
    return { ...declarator, derivations: [...head.derivations, ...declarator.derivations] };
  }

  parameter(range: Range, head: Head, declarator: s.Declarator): s.Parameter {
    return {
      kind: "parameter",
      attributes: head.attributes,
      qualifiers: head.qualifiers,
      specifier: head.specifier,
      declarator: this.withArrays(head, declarator),
      span: this.span(range),
    };
  }

  /** `(void)` is an empty list. */
  parameters(list: readonly (s.Parameter | Ellipsis | null)[]): readonly s.Parameter[] {
    const given = list.filter((parameter) => parameter !== null);
    const known = given.filter((parameter) => parameter.kind === "parameter");
    const dots = given.find((parameter) => parameter.kind === "ellipsis");
    if (dots) {
      if (given.at(-1) !== dots) this.unsupportedAt(dots.span, "a parameter behind '...'");
      this.openLists.set(known, dots.span);
      return known;
    }
    const [only] = known;
    const isVoid =
      known.length === 1 &&
      only!.specifier.kind === "named-type" &&
      only!.specifier.name === "void" &&
      only!.declarator.name === undefined &&
      only!.declarator.derivations.length === 0;
    return isVoid ? none : known;
  }

  ellipsis(range: Range): Ellipsis {
    return { kind: "ellipsis", span: this.span(range) };
  }

  /** What takes as many arguments as it has parameters. */
  private closed(parameters: readonly s.Parameter[]): void {
    const dots = this.openLists.get(parameters);
    if (dots) this.unsupportedAt(dots, "a variable number of parameters here");
  }

  // ---------------------------------------------------------------- declarations

  functionRest(
    pointers: readonly (s.Derivation | null)[],
    name: s.Identifier,
    parameters: readonly s.Parameter[],
    suffixes: readonly Suffix[],
    body: Body,
  ): Rest {
    return {
      form: "function",
      pointers: pointers.filter((p) => p !== null),
      name,
      parameters,
      suffixes,
      body,
    };
  }

  declaratorsRest(declarators: readonly s.Declarator[]): Rest {
    return { form: "declarators", declarators };
  }

  declaration(range: Range, head: Head, rest: Rest): s.FunctionDeclaration | s.VariableDeclaration {
    const span = this.span(range);
    if (rest.form === "declarators") {
      return {
        kind: "variable",
        attributes: head.attributes,
        qualifiers: head.qualifiers,
        specifier: head.specifier,
        declarators: rest.declarators.map((declarator) => this.withArrays(head, declarator)),
        span,
      };
    }
    const later = rest.suffixes.find((suffix) => "returns" in suffix)?.returns;
    return {
      kind: "function",
      attributes: head.attributes,
      qualifiers: later ? [...head.qualifiers, ...later.qualifiers] : head.qualifiers,
      returnType: later?.specifier ?? head.specifier,
      returnDerivations: later ? later.derivations : [...head.derivations, ...rest.pointers],
      name: rest.name,
      parameters: rest.parameters,
      ...(this.openLists.has(rest.parameters) ? { variadic: true } : {}),
      trailingAttributes: this.trailing(rest.suffixes),
      ...(later ? { returnsLater: true } : {}),
      ...this.bodyOf(rest.body),
      span,
    };
  }

  private trailing(suffixes: readonly Suffix[]): readonly s.Attribute[] {
    return suffixes.flatMap((suffix) =>
      "returns" in suffix
        ? []
        : // `const` after a method's parameters; `noexcept` says of what does not throw that it does not
          "kind" in suffix
          ? suffix.name === "noexcept"
            ? []
            : [{ kind: "attribute", form: "cxx", name: suffix.name, span: suffix.span } as const]
          : suffix,
    );
  }

  private bodyOf(body: Body): Pick<s.FunctionDeclaration, "body" | "given"> {
    return body === null ? {} : "given" in body ? { given: body.given } : { body };
  }

  givenBody(range: Range): Body {
    const word = this.word(range.start + 1);
    if (word === "default" || word === "delete") return { given: word };
    return this.unsupported(range, "a pure virtual function");
  }

  /** A constructor, or a conversion to `type`. */
  specialFunction(
    range: Range,
    special: "constructor" | "conversion" | "guide",
    before: readonly HeadItem[],
    path: readonly PathElement[],
    name: Range,
    type: s.TypeName | null,
    parameters: readonly s.Parameter[],
    suffixes: readonly Suffix[],
    initializers: readonly s.MemberInitializer[] | null,
    body: Body,
  ): s.FunctionDeclaration {
    this.closed(parameters);
    const span = this.span(name);
    const nothing: s.NamedType = { kind: "named-type", name: "void", path: none, span };
    return {
      kind: "function",
      attributes: before.flatMap((item) => ("kind" in item ? [] : item)),
      qualifiers: [...before.flatMap((item) => ("kind" in item ? [item] : [])), ...(type?.qualifiers ?? none)],
      returnType: type?.specifier ?? nothing,
      returnDerivations: type?.derivations ?? none,
      name: { kind: "identifier", name: this.joined(name), ...this.pathOf(path), span },
      parameters,
      trailingAttributes: this.trailing(suffixes),
      ...this.bodyOf(body),
      special,
      ...(initializers ? { initializers } : {}),
      span: this.span(range),
    };
  }

  memberInitializer(
    range: Range,
    target: s.Identifier | s.NamedType,
    initializer: s.Initializer,
    pack: boolean,
  ): s.MemberInitializer {
    return { kind: "member-initializer", target, initializer, ...(pack ? { pack: true } : {}), span: this.span(range) };
  }

  structBase(range: Range, words: readonly number[], type: s.TypeSpecifier, pack: boolean): s.StructBase {
    if (words.some((token) => this.word(token) === "virtual")) this.unsupported(range, "a virtual base");
    return { type, pack, span: this.span(range) };
  }

  friend(declaration: s.Declaration | null): s.Declaration | null {
    return declaration?.kind === "function" ? { ...declaration, friend: true } : declaration;
  }

  typedef(range: Range, head: Head, declarators: readonly s.Declarator[]): s.TypedefDeclaration {
    return {
      kind: "typedef",
      qualifiers: head.qualifiers,
      specifier: head.specifier,
      declarators: declarators.map((declarator) => {
        const own = this.withArrays(head, declarator);
        return head.attributes.length === 0 ? own : { ...own, attributes: [...head.attributes, ...own.attributes] };
      }),
      span: this.span(range),
    };
  }

  usingNamespace(range: Range, namespace: s.Identifier): s.UsingDeclaration {
    return { kind: "using", namespace, span: this.span(range) };
  }

  namespaceAlias(range: Range, otherName: s.Identifier, namespace: s.Identifier): s.UsingDeclaration {
    return { kind: "using", namespace, otherName, span: this.span(range) };
  }

  usingAlias(range: Range, name: s.Identifier, type: s.TypeName): s.UsingDeclaration {
    return { kind: "using", alias: { name, type }, span: this.span(range) };
  }

  usingNames(range: Range, names: readonly s.UsedName[]): s.UsingDeclaration {
    return { kind: "using", names, span: this.span(range) };
  }

  namespace(
    range: Range,
    before: s.Qualifier | null,
    name: s.Identifier | null,
    declarations: readonly (s.Declaration | null)[],
  ): s.NamespaceDeclaration {
    return {
      kind: "namespace",
      ...(before ? { qualifier: before } : {}),
      ...(name ? { name } : {}),
      declarations: declarations.filter((d) => d !== null),
      span: this.span(range),
    };
  }

  /** What another language may call: to who reads it as if declared around it. */
  linkage(
    range: Range,
    word: s.Qualifier,
    language: s.Literal | null,
    declarations: readonly (s.Declaration | null)[],
  ): s.Declaration | null {
    if (word.name !== "extern" || !/^"C(\+\+)?"$/.test(language?.text ?? ""))
      return this.unsupported(range, "linkage to this language");
    const [only, ...more] = declarations;
    if (only && more.length === 0) return only;
    return this.namespace(range, { ...word, name: "inline" }, null, declarations);
  }

  template(
    range: Range,
    parameters: readonly (s.TemplateParameter | null)[],
    declaration: s.Declaration | null,
    explicit: boolean,
  ): s.TemplateDeclaration {
    return {
      kind: "template",
      parameters: parameters.filter((p) => p !== null),
      declaration: declaration ?? this.emptyDeclaration(range),
      explicit,
      span: this.span(range),
    };
  }

  templateParameter(
    range: Range,
    pack: true | null,
    name: s.Identifier | null,
    value: s.TemplateArgument | null,
    template?: readonly (s.TemplateParameter | null)[],
  ): s.TemplateParameter {
    return {
      ...(name ? { name } : {}),
      ...(template ? { template: template.filter((p) => p !== null) } : {}),
      ...(pack ? { pack } : {}),
      ...(value ? { default: value } : {}),
      span: this.span(range),
    };
  }

  templateValueParameter(
    range: Range,
    pack: true | null,
    head: Head,
    declarator: s.Declarator,
    value: s.TemplateArgument | null,
  ): s.TemplateParameter {
    const span = this.span(range);
    const derivations = [...head.derivations, ...declarator.derivations];
    return {
      ...(declarator.name ? { name: declarator.name } : {}),
      ...(pack || declarator.pack ? { pack: true } : {}),
      type: { kind: "type-name", qualifiers: head.qualifiers, specifier: head.specifier, derivations, span },
      ...(value ? { default: value } : {}),
      span,
    };
  }

  staticAssert(range: Range, list: s.Expression): s.StaticAssert {
    const args: s.Expression[] = [];
    let rest = list;
    for (; rest.kind === "comma"; rest = rest.left) args.push(rest.right);
    return { kind: "static-assert", arguments: [...args, rest].reverse(), span: this.span(range) };
  }

  /** Of an instance that another file makes nothing is left (C++14 14.7.2 (2)). */
  instanceElsewhere(range: Range, word: s.Qualifier | null): s.EmptyDeclaration | null {
    return word?.name === "extern"
      ? this.emptyDeclaration(range)
      : this.unsupported(range, "a word before an instance");
  }

  emptyDeclaration(range: Range): s.EmptyDeclaration {
    return { kind: "empty-declaration", span: this.span(range) };
  }

  precision(range: Range, precision: s.Qualifier, type: s.Identifier): s.PrecisionDeclaration {
    return { kind: "precision", precision: precision.name, type: type.name, span: this.span(range) };
  }

  executionMode(range: Range, words: readonly s.Literal[]): s.ExecutionMode {
    return { kind: "execution-mode", words, span: this.span(range) };
  }

  qualifiersOnly(names: readonly s.Identifier[]) {
    return { form: "names", names } as const;
  }

  block(name: s.Identifier, members: readonly s.Declaration[], instance: s.Declarator | null) {
    return { form: "block", name, members, instance } as const;
  }

  /** Qualifiers without a type: a block, or the qualifiers alone (`layout(...) in;`). */
  qualified(
    range: Range,
    qualifiers: readonly s.Qualifier[],
    rest: ReturnType<DeclarationBuilder["qualifiersOnly"]> | ReturnType<DeclarationBuilder["block"]>,
  ): s.VariableDeclaration | s.BlockDeclaration {
    const span = this.span(range);
    if (rest.form === "names") {
      const declarators = rest.names.map((name) => ({
        name,
        derivations: none,
        attributes: none,
        span: name.span,
      }));
      return { kind: "variable", attributes: none, qualifiers, declarators, span };
    }
    return {
      kind: "block-declaration",
      qualifiers,
      keyword: "interface",
      name: rest.name,
      attributes: none,
      members: rest.members.filter((member) => member.kind !== "empty-declaration"),
      ...(rest.instance ? { instance: rest.instance } : {}),
      span,
    };
  }

  cbuffer(
    range: Range,
    keyword: "cbuffer" | "tbuffer",
    name: s.Identifier,
    semantics: readonly Attributes[],
    members: readonly s.Declaration[],
  ): s.BlockDeclaration {
    return {
      kind: "block-declaration",
      qualifiers: none,
      keyword,
      name,
      attributes: semantics.flat(),
      members: members.filter((member) => member.kind !== "empty-declaration"),
      span: this.span(range),
    };
  }

  translationUnit(declarations: readonly (s.Declaration | null)[]): s.TranslationUnit {
    return {
      kind: "translation-unit",
      declarations: declarations.filter((d) => d !== null),
      span: { start: 0, end: this.tokens.text.length },
    };
  }

  /** Notes a construct that has no node; the place in the tree stays empty, and the parse reports it. */
  private unsupportedAt(span: Span, what: string): void {
    this.unsupportedConstructs.push({ what, span, absent: false });
  }

  unsupported(range: Range, what: string, absent = false): null {
    this.unsupportedConstructs.push({ what, span: this.span(range), absent });
    return null;
  }
}
