/**
 * What the grammar actions call: builds the nodes of `syntax.ts` from token positions. The grammars read one character per
 * token (grammars/tokens.mjs), so an offset of Peggy is the index of a token; here it becomes a span of the expanded text.
 */
import type { Span } from "../support/span.js";
import { signWords } from "../support/sign-words.js";
import { binaryPrecedence } from "./operators.js";
import type * as s from "./syntax.js";
import type { Range } from "./syntax-tokens.js";
import { DeclarationBuilder, type PathElement } from "./declaration-builders.js";

export type { Unsupported } from "./declaration-builders.js";
type Tail =
  | { readonly form: "member"; readonly end: number; readonly arrow: boolean; readonly name: s.Identifier }
  | { readonly form: "call"; readonly end: number; readonly arguments: readonly s.Expression[] }
  | { readonly form: "conversion"; readonly end: number; readonly arrow: boolean; readonly type: s.TypeName }
  | { readonly form: "index"; readonly end: number; readonly index: s.Expression }
  | { readonly form: "step"; readonly end: number; readonly operator: "++" | "--" };

/** Longest run of binary operators in one expression without brackets; the tree over it is that deep. */
const maxOperatorChain = 1000;

/** A declaration where a condition stands. */
interface DeclaredCondition {
  readonly kind: "declared-condition";
  readonly statement: s.DeclarationStatement;
  /** What it declares. */
  readonly value: s.Identifier;
}

/** A statement before a condition, with its scope. */
interface InitializedCondition {
  readonly kind: "initialized-condition";
  readonly first: s.Statement;
  readonly condition: s.Expression | DeclaredCondition;
}

/** Whether a name stands anywhere in a part of the tree. */
function names(part: unknown, name: string): boolean {
  if (typeof part !== "object" || part === null) return false;
  if ("kind" in part && part.kind === "identifier" && "name" in part && part.name === name) return true;
  return Object.values(part).some((x) => names(x, name));
}

const none: readonly never[] = [];

export class SyntaxBuilder extends DeclarationBuilder {
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

  attributed(
    range: Range,
    attributes: readonly (readonly s.Attribute[])[],
    statement: s.Statement | null,
  ): s.Statement {
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

  /** `if (int x = f())`, `while (bool b = f())`: read as the declaration, and the condition that asks for what it declares. */
  declaredCondition(
    range: Range,
    head: Parameters<DeclarationBuilder["declaration"]>[1],
    declarator: s.Declarator,
  ): DeclaredCondition {
    const declaration = this.declaration(range, head, this.declaratorsRest([declarator]));
    return {
      kind: "declared-condition",
      statement: this.declarationStatement(range, declaration),
      value: declarator.name!,
    };
  }

  /** The body of a statement whose head may declare something. */
  private afterHead<T extends s.Statement | null>(body: T): T {
    return body?.kind === "compound" ? { ...body, afterHead: true } : body;
  }

  /** The declaration, and what is in its scope. */
  private declaredBefore(range: Range, { statement }: DeclaredCondition, then: s.Statement): s.CompoundStatement {
    return this.compound(range, [statement, then]);
  }

  /** A loop that declares anew at each turn, and ends where what it declares is no longer true. */
  private declaringLoop(
    range: Range,
    { statement, value }: DeclaredCondition,
    body: s.Statement | null,
    parts: Pick<s.ForStatement, "initializer" | "step">,
  ): s.ForStatement | s.CompoundStatement {
    if (parts.step && names(parts.step, value.name)) {
      const loop = this.declaredOutside(range, { kind: "declared-condition", statement, value }, body, parts);
      if (loop) return loop;
      this.unsupported(range, "a declaration in a condition that the step names");
    }
    const { span } = value;
    const ended: s.Statement = {
      kind: "if",
      condition: { kind: "unary", operator: "!", operand: value, span },
      then: { kind: "break", span },
      span,
    };
    return {
      kind: "for",
      ...parts,
      body: this.compound(range, [statement, ended, this.afterHead(body)]),
      span: this.span(range),
    };
  }

  /** Its scope is the step's, too: a variable that each turn assigns, where that says the same. */
  private declaredOutside(
    range: Range,
    { statement, value }: DeclaredCondition,
    body: s.Statement | null,
    parts: Pick<s.ForStatement, "initializer" | "step">,
  ): s.CompoundStatement | undefined {
    const { declaration } = statement;
    if (declaration.kind !== "variable" || declaration.qualifiers.length > 0) return undefined;
    const { specifier } = declaration;
    const [x] = declaration.declarators;
    if (specifier?.kind !== "named-type" || specifier.name === "auto" || x?.initializer?.form !== "assign")
      return undefined;
    if (x.derivations.some((d) => d.kind !== "pointer") || names(parts.initializer, value.name)) return undefined;
    const { initializer, ...declarator } = x;
    const assigned: s.Expression = {
      kind: "assignment",
      operator: "=",
      target: value,
      value: initializer.value,
      span: value.span,
    };
    return this.compound(range, [
      { ...statement, declaration: { ...declaration, declarators: [declarator] } },
      {
        kind: "for",
        ...parts,
        condition: assigned,
        body: body ?? this.empty(range),
        span: this.span(range),
      },
    ]);
  }

  /** `if (int x = f(); x > 0)`, `switch (x = f(); x)` */
  initialized(
    range: Range,
    first: s.DeclarationStatement | s.ExpressionStatement | null,
    condition: s.Expression | DeclaredCondition,
  ): InitializedCondition {
    return { kind: "initialized-condition", first: first ?? this.empty(range), condition };
  }

  if(
    range: Range,
    isConstexpr: boolean,
    condition: s.Expression | DeclaredCondition | InitializedCondition,
    then: s.Statement | null,
    otherwise: s.Statement | null,
  ): s.IfStatement | s.CompoundStatement {
    const inside = (value: s.Expression | DeclaredCondition): s.Statement =>
      this.if(range, isConstexpr, value, this.afterHead(then), this.afterHead(otherwise));
    if (condition.kind === "initialized-condition")
      return this.compound(range, [condition.first, inside(condition.condition)]);
    if (condition.kind === "declared-condition") return this.declaredBefore(range, condition, inside(condition.value));
    const base = {
      kind: "if",
      ...(isConstexpr ? { constexpr: true as const } : {}),
      condition,
      then: then ?? this.empty(range),
      span: this.span(range),
    } as const;
    return otherwise === null ? base : { ...base, else: otherwise };
  }

  for(
    range: Range,
    initializer: s.DeclarationStatement | s.ExpressionStatement | null,
    condition: s.Expression | DeclaredCondition | null,
    step: s.Expression | null,
    body: s.Statement | null,
  ): s.ForStatement | s.CompoundStatement {
    if (condition?.kind === "declared-condition")
      return this.declaringLoop(range, condition, body, {
        ...(initializer ? { initializer } : {}),
        ...(step ? { step } : {}),
      });
    return {
      kind: "for",
      ...(initializer ? { initializer } : {}),
      ...(condition ? { condition } : {}),
      ...(step ? { step } : {}),
      body: this.afterHead(body) ?? this.empty(range),
      span: this.span(range),
    };
  }

  rangeFor(
    range: Range,
    declaration: s.Declaration,
    list: s.Expression | s.InitializerList,
    body: s.Statement | null,
  ): s.Statement {
    if (declaration.kind !== "variable") return body ?? this.empty(range);
    return {
      kind: "range-for",
      declaration,
      range: list,
      body: this.afterHead(body) ?? this.empty(range),
      span: this.span(range),
    };
  }

  while(
    range: Range,
    condition: s.Expression | DeclaredCondition,
    body: s.Statement | null,
  ): s.WhileStatement | s.ForStatement | s.CompoundStatement {
    if (condition.kind === "declared-condition") return this.declaringLoop(range, condition, body, {});
    return { kind: "while", condition, body: body ?? this.empty(range), span: this.span(range) };
  }

  do(range: Range, body: s.Statement | null, condition: s.Expression): s.DoStatement {
    return { kind: "do", body: body ?? this.empty(range), condition, span: this.span(range) };
  }

  switch(
    range: Range,
    value: s.Expression | DeclaredCondition | InitializedCondition,
    given: s.Statement | null,
  ): s.SwitchStatement | s.CompoundStatement {
    const body = given?.kind === "compound" ? given : this.compound(range, [given]);
    if (value.kind === "initialized-condition")
      return this.compound(range, [value.first, this.switch(range, value.condition, body)]);
    if (value.kind === "declared-condition")
      return this.declaredBefore(range, value, this.switch(range, value.value, body));
    return { kind: "switch", value, body, span: this.span(range) };
  }

  case(range: Range, value: s.Expression | null, last: s.Expression | null): s.CaseLabel {
    return { kind: "case", ...(value ? { value } : {}), ...(last ? { last } : {}), span: this.span(range) };
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

  isLabel(statement: s.Statement | null): boolean {
    return statement?.kind === "label" || statement?.kind === "case";
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
    for (let token = range.start + 1; token < range.end; token++) text = text.slice(0, -1) + this.word(token).slice(1);
    return { kind: "literal", form: "string", text, span: this.span(range) };
  }

  parenthesized(range: Range, expression: s.Expression): s.Parenthesized {
    return { kind: "parenthesized", expression, span: this.span(range) };
  }

  qualifiedIdentifier(
    range: Range,
    path: readonly PathElement[],
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

  unsupportedExpression(range: Range, what: string): s.Lambda {
    this.unsupported(range, what);
    return this.refused(range);
  }

  /** What other languages have, and this one has not. */
  absentExpression(range: Range, what: string): s.Lambda {
    this.unsupported(range, what, true);
    return this.refused(range);
  }

  private refused(range: Range): s.Lambda {
    return { kind: "lambda", captures: none, span: this.span(range) };
  }

  lambda(
    range: Range,
    captures: readonly (s.LambdaCapture | "=" | "&" | null)[],
    parameters: readonly s.Parameter[],
    suffixes: Parameters<DeclarationBuilder["functionRest"]>[3],
    body: s.CompoundStatement,
  ): s.Lambda {
    const span = this.span(range);
    const bracket = this.tokenSpan(range.start);
    const auto: s.NamedType = { kind: "named-type", name: "auto", path: none, span: bracket };
    const name: s.Identifier = { kind: "identifier", name: "operator()", path: none, span: bracket };
    const head = { attributes: none, qualifiers: none, specifier: auto, derivations: none };
    const call = this.declaration(range, head, this.functionRest(none, name, parameters, suffixes, body));
    const [captureDefault] = captures.filter((c) => c === "=" || c === "&");
    return {
      kind: "lambda",
      ...(captureDefault ? { captureDefault } : {}),
      captures: captures.filter((c) => c !== null && typeof c === "object"),
      ...(call.kind === "function" ? { call } : {}),
      span,
    };
  }

  lambdaCapture(
    range: Range,
    name: s.Identifier,
    byReference: boolean,
    initializer: s.Initializer | null,
  ): s.LambdaCapture {
    const base = { kind: "lambda-capture", name, byReference, span: this.span(range) } as const;
    return initializer === null ? base : { ...base, initializer };
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

  /** The range may go on behind the operand: parts of a compound literal are taken of what is cast. */
  cast(range: Range, type: s.TypeName, operand: s.Expression): s.Cast {
    return { kind: "cast", type, operand, span: { start: this.span(range).start, end: operand.span.end } };
  }

  sizeOf(range: Range, operand: s.TypeName | s.Expression): s.SizeOf {
    const word = this.word(range.start);
    return {
      kind: "sizeof",
      // `_Alignof`, `__alignof__`
      word: /alignof/i.test(word) ? "alignof" : (word as s.SizeOf["word"]),
      operand,
      span: this.span(range),
    };
  }

  sizeOfPack(range: Range, name: s.Identifier): s.SizeOf {
    return { kind: "sizeof", word: "sizeof...", operand: name, span: this.span(range) };
  }

  packExpansion(range: Range, pattern: s.Expression | s.TypeName): s.PackExpansion {
    return { kind: "pack-expansion", pattern, span: this.span(range) };
  }

  fold(range: Range, operator: number, first: s.Expression | null, last: s.Expression | null): s.Fold {
    return {
      kind: "fold",
      operator: this.code(operator) === "," ? "," : this.binaryOperator(operator),
      operatorSpan: this.tokenSpan(operator),
      ...(first ? { first } : {}),
      ...(last ? { last } : {}),
      span: this.span(range),
    };
  }

  unary(range: Range, operand: s.Expression): s.Unary {
    return {
      kind: "unary",
      operator: this.sign(range.start) as s.Unary["operator"],
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

  /** `x.operator T()` */
  conversionTail(range: Range, type: s.TypeName): Tail {
    return {
      form: "conversion",
      end: this.ends[range.end - 1 + this.base]!,
      arrow: this.code(range.start) === "→",
      type,
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
      else if (tail.form === "member") base = { kind: "member", base, arrow: tail.arrow, name: tail.name, span };
      else if (tail.form === "conversion") {
        const operand: s.Expression = tail.arrow ? { kind: "unary", operator: "*", operand: base, span } : base;
        base = { kind: "cast", type: tail.type, operand, span };
      } else if (tail.form === "index") base = { kind: "index", base, index: tail.index, span };
      else base = { kind: "postfix", operator: tail.operator, operand: base, span };
    }
    return base;
  }

  private tooLong(span: Span): void {
    this.unsupportedConstructs.push({
      what: `an expression of more than ${maxOperatorChain} operators without brackets`,
      span,
      absent: false,
    });
  }

  /** A right shift is two tokens, `›>`. */
  private binaryOperator(token: number): s.BinaryOperator {
    return (this.code(token) === "›" ? ">>" : this.sign(token)) as s.BinaryOperator;
  }

  /** Precedence climbing over `a op b op c`. All binary operators associate to the left. */
  binary(first: s.Expression, rest: readonly (readonly [number, s.Expression])[]): s.Expression {
    if (rest.length > maxOperatorChain) this.tooLong({ start: first.span.start, end: rest.at(-1)![1].span.end });
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

  /** An operator's sign, where it may be written as a word. */
  private sign(token: number): string {
    const word = this.word(token);
    return signWords.get(word) ?? word;
  }

  private binaryNode(left: s.Expression, token: number, right: s.Expression): s.Binary {
    const operator = this.binaryOperator(token);
    const start = this.starts[token + this.base]!;
    return {
      kind: "binary",
      operator,
      operatorSpan: { start, end: this.code(token) === "›" ? start + operator.length : this.tokenSpan(token).end },
      left,
      right,
      span: { start: left.span.start, end: right.span.end },
    };
  }

  assignmentTail(token: number, value: s.Expression) {
    return {
      operator: (this.code(token) === "›" ? ">>=" : this.sign(token)) as s.AssignmentOperator,
      value,
    } as const;
  }

  assignment(range: Range, target: s.Expression, tail: ReturnType<SyntaxBuilder["assignmentTail"]>): s.Assignment {
    return { kind: "assignment", operator: tail.operator, target, value: tail.value, span: this.span(range) };
  }

  conditional(
    range: Range,
    condition: s.Expression,
    whenTrue: s.Expression | null,
    whenFalse: s.Expression,
  ): s.Conditional {
    return { kind: "conditional", condition, ...(whenTrue ? { whenTrue } : {}), whenFalse, span: this.span(range) };
  }

  statementExpression(range: Range, body: s.CompoundStatement): s.StatementExpression {
    return { kind: "statement-expression", body, span: this.span(range) };
  }

  genericSelection(
    range: Range,
    operand: s.Expression,
    associations: s.GenericSelection["associations"],
  ): s.GenericSelection {
    return { kind: "generic-selection", operand, associations, span: this.span(range) };
  }

  comma(first: s.Expression, rest: readonly s.Expression[]): s.Expression {
    let left = first;
    for (const right of rest) {
      left = { kind: "comma", left, right, span: { start: first.span.start, end: right.span.end } };
    }
    return left;
  }
}
