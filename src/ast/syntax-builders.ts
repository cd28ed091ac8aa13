/**
 * What the grammar actions call: builds the nodes of `syntax.ts` from token positions. The grammars read one character per
 * token (grammars/tokens.mjs), so an offset of Peggy is the index of a token; here it becomes a span of the expanded text.
 */
import type { Span } from "../support/span.js";
import { binaryPrecedence } from "./operators.js";
import type * as s from "./syntax.js";
import { TokenReader, type Range } from "./syntax-tokens.js";

/** Something recognised that has no node: reported at its place once the parse has succeeded. */
export interface Unsupported {
  readonly what: string;
  readonly span: Span;
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
  readonly name?: s.Identifier;
  readonly derivations: readonly s.Derivation[];
}

type DeclaratorSuffix = Attributes | s.Derivation | { readonly bitWidth: s.Expression };

type Rest =
  | {
      readonly form: "function";
      readonly pointers: readonly s.Derivation[];
      readonly name: s.Identifier;
      readonly parameters: readonly s.Parameter[];
      readonly suffixes: readonly (s.Qualifier | Attributes)[];
      readonly body: s.CompoundStatement | null;
    }
  | { readonly form: "declarators"; readonly declarators: readonly s.Declarator[] };

type Tail =
  | { readonly form: "member"; readonly end: number; readonly arrow: boolean; readonly name: s.Identifier }
  | { readonly form: "call"; readonly end: number; readonly arguments: readonly s.Expression[] }
  | { readonly form: "index"; readonly end: number; readonly index: s.Expression }
  | { readonly form: "step"; readonly end: number; readonly operator: "++" | "--" };

/** Longest run of binary operators in one expression without brackets; the tree over it is that deep. */
export const maxOperatorChain = 1000;

const none: readonly never[] = [];

export class SyntaxBuilder extends TokenReader {
  readonly unsupportedConstructs: Unsupported[] = [];

  // ---------------------------------------------------------------- names, types, attributes

  name(token: number): s.Identifier {
    return { kind: "identifier", name: this.word(token), path: none, span: this.tokenSpan(token) };
  }

  /** The name is the last token before the template arguments, or of the range. */
  identifier(
    range: Range,
    path: readonly string[],
    args: readonly s.TemplateArgument[] | null,
  ): s.Identifier {
    const token = this.lastNameToken(range, path.length);
    const base = { kind: "identifier", name: this.word(token), path, span: this.span(range) } as const;
    return args === null ? base : { ...base, templateArguments: args };
  }

  /** The token of the name that follows `steps` path elements. */
  private lastNameToken(range: Range, steps: number): number {
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
    return token;
  }

  operatorName(range: Range): s.Identifier {
    const text = this.joined(range);
    const at = text.lastIndexOf("operator");
    const path = text
      .slice(0, at)
      .split("::")
      .filter((part) => part !== "");
    return { kind: "identifier", name: text.slice(at), path, span: this.span(range) };
  }

  pathElement(range: Range): string {
    return this.joined({ start: range.start, end: range.end - 1 });
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

  qualifiedType(
    range: Range,
    path: readonly string[],
    args: readonly s.TemplateArgument[] | null,
  ): s.NamedType {
    const name = this.word(this.lastNameToken(range, path.length));
    const base = { kind: "named-type", name, path, span: this.span(range) } as const;
    return args === null ? base : { ...base, templateArguments: args };
  }

  dependentType(
    range: Range,
    path: readonly string[] | null,
    name: s.Identifier,
    args: readonly s.TemplateArgument[] | null,
  ): s.NamedType {
    const base = { kind: "named-type", name: name.name, path: path ?? none, span: this.span(range) } as const;
    return args === null ? base : { ...base, templateArguments: args };
  }

  elaboratedType(
    range: Range,
    elaborated: "struct" | "enum" | "union" | "class",
    name: s.Identifier,
  ): s.NamedType {
    return { kind: "named-type", name: name.name, path: none, elaborated, span: this.span(range) };
  }

  unsupportedExpression(range: Range, what: string): s.Lambda {
    this.unsupported(range, what);
    return this.lambda(range);
  }

  unsupportedType(range: Range, what: string): s.NamedType {
    this.unsupported(range, what);
    return { kind: "named-type", name: what, path: none, span: this.span(range) };
  }

  structSpecifier(
    range: Range,
    keyword: s.StructSpecifier["keyword"],
    before: readonly Attributes[],
    name: s.Identifier | null,
    members: readonly (s.Declaration | null)[],
    after: readonly Attributes[],
  ): s.StructSpecifier {
    return {
      kind: "struct-specifier",
      keyword,
      ...(name ? { name } : {}),
      attributes: [...before, ...after].flat(),
      members: members.filter(
        (member) => member !== null && member.kind !== "empty-declaration",
      ) as s.Declaration[],
      span: this.span(range),
    };
  }

  enumerator(
    range: Range,
    name: s.Identifier,
    value: s.Expression | null,
  ): s.EnumSpecifier["enumerators"][number] {
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
  constructedType(
    range: Range,
    specifier: s.TypeSpecifier,
    arrays: readonly s.Derivation[] | null,
  ): s.TypeExpression {
    return this.typeExpression(this.typeName(range, none, specifier, none, arrays, none));
  }

  qualifier(token: number): s.Qualifier {
    return { kind: "qualifier", name: this.word(token), span: this.tokenSpan(token) };
  }

  layout(range: Range, entries: readonly s.LayoutEntry[]): s.Qualifier {
    return { kind: "qualifier", name: "layout", layout: entries, span: this.span(range) };
  }

  layoutEntry(range: Range, name: s.Identifier, value: s.Expression | null): s.LayoutEntry {
    return value === null
      ? { name: name.name, span: this.span(range) }
      : { name: name.name, value, span: this.span(range) };
  }

  attribute(
    range: Range,
    form: s.Attribute["form"],
    name: string,
    args: readonly s.Expression[] | null,
  ): s.Attribute {
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

  reference(range: Range): s.Derivation {
    return { kind: "reference", span: this.span(range) };
  }

  arraySuffix(range: Range, size: s.Expression | null): s.Derivation {
    return size === null
      ? { kind: "array", span: this.span(range) }
      : { kind: "array", size, span: this.span(range) };
  }

  functionDerivation(range: Range, parameters: readonly s.Parameter[]): s.Derivation {
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

  /** `(*p)(int)`: what stands in the parentheses applies after the function suffix. */
  directInner(inner: Direct, functions: readonly s.Derivation[]): Direct {
    return { ...inner, derivations: [...functions, ...inner.derivations] };
  }

  innerDeclarator(
    pointers: readonly (s.Derivation | null)[],
    direct: Direct | null,
    arrays: readonly s.Derivation[],
  ): Direct {
    const derivations = this.derivations(pointers, direct?.derivations ?? none, arrays);
    return direct?.name ? { name: direct.name, derivations } : { derivations };
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
        else attributes.push(...item);
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
  parameters(list: readonly (s.Parameter | null)[]): readonly s.Parameter[] {
    const known = list.filter((parameter) => parameter !== null);
    const [only] = known;
    const isVoid =
      known.length === 1 &&
      only!.specifier.kind === "named-type" &&
      only!.specifier.name === "void" &&
      only!.declarator.name === undefined &&
      only!.declarator.derivations.length === 0;
    return isVoid ? none : known;
  }

  // ---------------------------------------------------------------- declarations

  functionRest(
    pointers: readonly (s.Derivation | null)[],
    name: s.Identifier,
    parameters: readonly s.Parameter[],
    suffixes: readonly (s.Qualifier | Attributes)[],
    body: s.CompoundStatement | null,
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
    return {
      kind: "function",
      attributes: head.attributes,
      qualifiers: head.qualifiers,
      returnType: head.specifier,
      returnDerivations: [...head.derivations, ...rest.pointers],
      name: rest.name,
      parameters: rest.parameters,
      trailingAttributes: rest.suffixes.flatMap((suffix) =>
        // `const` after a method's parameters
        "kind" in suffix
          ? [{ kind: "attribute", form: "cxx", name: suffix.name, span: suffix.span } as const]
          : suffix,
      ),
      ...(rest.body ? { body: rest.body } : {}),
      span,
    };
  }

  typedef(range: Range, head: Head, declarators: readonly s.Declarator[]): s.TypedefDeclaration {
    return {
      kind: "typedef",
      qualifiers: head.qualifiers,
      specifier: head.specifier,
      declarators: declarators.map((declarator) => {
        const own = this.withArrays(head, declarator);
        return head.attributes.length === 0
          ? own
          : { ...own, attributes: [...head.attributes, ...own.attributes] };
      }),
      span: this.span(range),
    };
  }

  usingNamespace(range: Range, namespace: s.Identifier): s.UsingDeclaration {
    return { kind: "using", namespace, span: this.span(range) };
  }

  usingAlias(range: Range, name: s.Identifier, type: s.TypeName): s.UsingDeclaration {
    return { kind: "using", alias: { name, type }, span: this.span(range) };
  }

  usingName(range: Range, name: s.Identifier): s.UsingDeclaration {
    return { kind: "using", name, span: this.span(range) };
  }

  namespace(
    range: Range,
    name: s.Identifier | null,
    declarations: readonly (s.Declaration | null)[],
  ): s.NamespaceDeclaration {
    return {
      kind: "namespace",
      ...(name ? { name } : {}),
      declarations: declarations.filter((d) => d !== null),
      span: this.span(range),
    };
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
    name: s.Identifier | null,
    value: s.TemplateArgument | null,
  ): s.TemplateParameter {
    return { ...(name ? { name } : {}), ...(value ? { default: value } : {}), span: this.span(range) };
  }

  templateValueParameter(
    range: Range,
    head: Head,
    declarator: s.Declarator,
    value: s.TemplateArgument | null,
  ): s.TemplateParameter {
    const span = this.span(range);
    const derivations = [...head.derivations, ...declarator.derivations];
    return {
      ...(declarator.name ? { name: declarator.name } : {}),
      type: { kind: "type-name", qualifiers: head.qualifiers, specifier: head.specifier, derivations, span },
      ...(value ? { default: value } : {}),
      span,
    };
  }

  staticAssert(range: Range, list: s.Expression): s.StaticAssert {
    const args: s.Expression[] = [];
    let rest = list;
    for (; rest.kind === "comma"; rest = rest.left) args.unshift(rest.right);
    return { kind: "static-assert", arguments: [rest, ...args], span: this.span(range) };
  }

  emptyDeclaration(range: Range): s.EmptyDeclaration {
    return { kind: "empty-declaration", span: this.span(range) };
  }

  precision(range: Range, precision: s.Qualifier, type: s.Identifier): s.PrecisionDeclaration {
    return { kind: "precision", precision: precision.name, type: type.name, span: this.span(range) };
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
    rest: ReturnType<SyntaxBuilder["qualifiersOnly"]> | ReturnType<SyntaxBuilder["block"]>,
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
  unsupported(range: Range, what: string): null {
    this.unsupportedConstructs.push({ what, span: this.span(range) });
    return null;
  }

  // ---------------------------------------------------------------- statements

  compound(range: Range, statements: readonly (s.Statement | null)[]): s.CompoundStatement {
    return {
      kind: "compound",
      statements: statements.includes(null)
        ? statements.filter((x) => x !== null)
        : (statements as readonly s.Statement[]),
      span: this.span(range),
    };
  }

  attributed(range: Range, attributes: readonly Attributes[], statement: s.Statement | null): s.Statement {
    const target = statement ?? this.empty(range);
    return {
      ...target,
      attributes: [...attributes.flat(), ...(target.attributes ?? none)],
      span: this.span(range),
    };
  }

  expressionStatement(range: Range, expression: s.Expression): s.ExpressionStatement {
    return { kind: "expression-statement", expression, span: this.span(range) };
  }

  declarationStatement(range: Range, declaration: s.Declaration): s.DeclarationStatement {
    return { kind: "declaration-statement", declaration, span: this.span(range) };
  }

  if(
    range: Range,
    isConstexpr: boolean,
    condition: s.Expression,
    then: s.Statement | null,
    otherwise: s.Statement | null,
  ): s.IfStatement {
    if (isConstexpr) this.unsupported(range, "if constexpr");
    const base = { kind: "if", condition, then: then ?? this.empty(range), span: this.span(range) } as const;
    return otherwise === null ? base : { ...base, else: otherwise };
  }

  for(
    range: Range,
    initializer: s.DeclarationStatement | s.ExpressionStatement | null,
    condition: s.Expression | null,
    step: s.Expression | null,
    body: s.Statement | null,
  ): s.ForStatement {
    return {
      kind: "for",
      ...(initializer ? { initializer } : {}),
      ...(condition ? { condition } : {}),
      ...(step ? { step } : {}),
      body: body ?? this.empty(range),
      span: this.span(range),
    };
  }

  while(range: Range, condition: s.Expression, body: s.Statement | null): s.WhileStatement {
    return { kind: "while", condition, body: body ?? this.empty(range), span: this.span(range) };
  }

  do(range: Range, body: s.Statement | null, condition: s.Expression): s.DoStatement {
    return { kind: "do", body: body ?? this.empty(range), condition, span: this.span(range) };
  }

  switch(range: Range, value: s.Expression, body: s.CompoundStatement): s.SwitchStatement {
    return { kind: "switch", value, body, span: this.span(range) };
  }

  case(range: Range, value: s.Expression | null): s.CaseLabel {
    return value === null
      ? { kind: "case", span: this.span(range) }
      : { kind: "case", value, span: this.span(range) };
  }

  jump(range: Range, kind: s.JumpStatement["kind"]): s.JumpStatement {
    return { kind, span: this.span(range) };
  }

  return(range: Range, value: s.Expression | s.InitializerList | null): s.ReturnStatement {
    return value === null
      ? { kind: "return", span: this.span(range) }
      : { kind: "return", value, span: this.span(range) };
  }

  goto(range: Range, label: s.Identifier): s.GotoStatement {
    return { kind: "goto", label: label.name, span: this.span(range) };
  }

  label(range: Range): s.LabelStatement {
    return { kind: "label", label: this.word(range.start), span: this.span(range) };
  }

  empty(range: Range): s.EmptyStatement {
    return { kind: "empty", span: this.span(range) };
  }

  // ---------------------------------------------------------------- expressions

  literal(token: number): s.Literal {
    const code = this.code(token);
    const form = code === "n" ? "integer" : code === "f" ? "float" : code === "b" ? "boolean" : "character";
    return { kind: "literal", form, text: this.word(token), span: this.tokenSpan(token) };
  }

  /** Adjacent strings are one. */
  string(range: Range): s.Literal {
    let text = this.word(range.start);
    for (let token = range.start + 1; token < range.end; token++)
      text = text.slice(0, -1) + this.word(token).slice(1);
    return { kind: "literal", form: "string", text, span: this.span(range) };
  }

  parenthesized(range: Range, expression: s.Expression): s.Parenthesized {
    return { kind: "parenthesized", expression, span: this.span(range) };
  }

  qualifiedIdentifier(
    range: Range,
    path: readonly string[],
    args: readonly s.TemplateArgument[] | null,
  ): s.Identifier | s.TypeExpression {
    const token = this.lastNameToken(range, path.length);
    const code = this.code(token);
    const next = this.code(range.end);
    if ((code === "t" || code === "h") && next === "(") {
      const type = this.qualifiedType(range, path, args);
      return this.typeExpression({
        kind: "type-name",
        qualifiers: none,
        specifier: type,
        derivations: none,
        span: type.span,
      });
    }
    return this.identifier(range, path, args);
  }

  lambda(range: Range): s.Lambda {
    return { kind: "lambda", span: this.span(range) };
  }

  initializerList(range: Range, elements: s.InitializerList["elements"]): s.InitializerList {
    return { kind: "initializer-list", elements, span: this.span(range) };
  }

  initializerElement(
    range: Range,
    designators: s.InitializerList["elements"][number]["designators"],
    value: s.Expression,
  ): s.InitializerList["elements"][number] {
    return { designators, value, span: this.span(range) };
  }

  braceConstruct(range: Range, type: s.TypeExpression, list: s.InitializerList): s.BraceConstruct {
    return { kind: "brace-construct", type, list, span: this.span(range) };
  }

  cast(range: Range, type: s.TypeName, operand: s.Expression): s.Cast {
    return { kind: "cast", type, operand, span: this.span(range) };
  }

  sizeOf(range: Range, operand: s.TypeName | s.Expression): s.SizeOf {
    return {
      kind: "sizeof",
      word: this.word(range.start) as s.SizeOf["word"],
      operand,
      span: this.span(range),
    };
  }

  unary(range: Range, operand: s.Expression): s.Unary {
    return {
      kind: "unary",
      operator: this.word(range.start) as s.Unary["operator"],
      operand,
      span: this.span(range),
    };
  }

  memberTail(range: Range, name: s.Identifier): Tail {
    return {
      form: "member",
      end: this.ends[range.end - 1 + this.base]!,
      arrow: this.code(range.start) === "→",
      name,
    };
  }

  argumentsTail(range: Range, args: readonly s.Expression[]): Tail {
    return { form: "call", end: this.ends[range.end - 1 + this.base]!, arguments: args };
  }

  indexTail(range: Range, index: s.Expression): Tail {
    return { form: "index", end: this.ends[range.end - 1 + this.base]!, index };
  }

  stepTail(range: Range): Tail {
    return {
      form: "step",
      end: this.ends[range.start + this.base]!,
      operator: this.word(range.start) as "++" | "--",
    };
  }

  postfix(first: s.Expression, tails: readonly Tail[]): s.Expression {
    const { start } = first.span;
    let base = first;
    if (tails.length > maxOperatorChain) this.tooLong({ start, end: tails.at(-1)!.end });
    for (const tail of tails) {
      const span = { start, end: tail.end };
      if (tail.form === "call") base = { kind: "call", callee: base, arguments: tail.arguments, span };
      else if (tail.form === "member")
        base = { kind: "member", base, arrow: tail.arrow, name: tail.name, span };
      else if (tail.form === "index") base = { kind: "index", base, index: tail.index, span };
      else base = { kind: "postfix", operator: tail.operator, operand: base, span };
    }
    return base;
  }

  private tooLong(span: Span): void {
    this.unsupportedConstructs.push({
      what: `an expression of more than ${maxOperatorChain} operators without brackets`,
      span,
    });
  }

  /** A right shift is two tokens, `›>`. */
  private binaryOperator(token: number): s.BinaryOperator {
    return (this.code(token) === "›" ? ">>" : this.word(token)) as s.BinaryOperator;
  }

  /** Precedence climbing over `a op b op c`. All binary operators associate to the left. */
  binary(first: s.Expression, rest: readonly (readonly [number, s.Expression])[]): s.Expression {
    if (rest.length > maxOperatorChain)
      this.tooLong({ start: first.span.start, end: rest.at(-1)![1].span.end });
    if (rest.length === 1) return this.binaryNode(first, rest[0]![0], rest[0]![1]);
    const operands: s.Expression[] = [first];
    const operators: number[] = [];
    const strengths: number[] = [];
    const reduce = (): void => {
      const right = operands.pop()!;
      const left = operands.pop()!;
      strengths.pop();
      operands.push(this.binaryNode(left, operators.pop()!, right));
    };
    for (const [operator, operand] of rest) {
      const strength = binaryPrecedence[this.binaryOperator(operator)]!;
      while (strengths.length > 0 && strengths.at(-1)! >= strength) reduce();
      operators.push(operator);
      strengths.push(strength);
      operands.push(operand);
    }
    while (operators.length > 0) reduce();
    return operands[0]!;
  }

  private binaryNode(left: s.Expression, token: number, right: s.Expression): s.Binary {
    const operator = this.binaryOperator(token);
    const start = this.starts[token + this.base]!;
    return {
      kind: "binary",
      operator,
      operatorSpan: { start, end: start + operator.length },
      left,
      right,
      span: { start: left.span.start, end: right.span.end },
    };
  }

  assignmentTail(token: number, value: s.Expression) {
    return {
      operator: (this.code(token) === "›" ? ">>=" : this.word(token)) as s.AssignmentOperator,
      value,
    } as const;
  }

  assignment(
    range: Range,
    target: s.Expression,
    tail: ReturnType<SyntaxBuilder["assignmentTail"]>,
  ): s.Assignment {
    return { kind: "assignment", operator: tail.operator, target, value: tail.value, span: this.span(range) };
  }

  conditional(
    range: Range,
    condition: s.Expression,
    whenTrue: s.Expression,
    whenFalse: s.Expression,
  ): s.Conditional {
    return { kind: "conditional", condition, whenTrue, whenFalse, span: this.span(range) };
  }

  comma(first: s.Expression, rest: readonly s.Expression[]): s.Expression {
    let left = first;
    for (const right of rest) {
      left = { kind: "comma", left, right, span: { start: first.span.start, end: right.span.end } };
    }
    return left;
  }
}
