/** What names of the runtime's TypeScript stand for: functions, constants, arrays of numbers, members of `Math`. */
import ts from "typescript";

/** The subset of TypeScript that is compiled to WebAssembly does not have this. */
export class Unsupported extends Error {
  constructor(node: ts.Node, what: string) {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    super(`${file.fileName.replace(/^.*\/(?=src\/|test\/)/, "")}:${line + 1}: ${what}: ${node.getText().slice(0, 60)}`);
  }
}

export type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction;

export type Meaning =
  | { readonly kind: "function"; readonly node: FunctionNode }
  | { readonly kind: "math"; readonly name: string }
  | { readonly kind: "constant"; readonly value: number | boolean }
  | { readonly kind: "array"; readonly declaration: ts.VariableDeclaration }
  | { readonly kind: "variable"; readonly symbol: ts.Symbol };

const isModuleLevel = (d: ts.VariableDeclaration): boolean =>
  ts.isVariableStatement(d.parent.parent) && ts.isSourceFile(d.parent.parent.parent);

const plain = (e: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(e) || ts.isAsExpression(e) || ts.isNonNullExpression(e) ? plain(e.expression) : e;

const operators: Partial<Record<ts.SyntaxKind, (a: number, b: number) => number>> = {
  [ts.SyntaxKind.PlusToken]: (a, b) => a + b,
  [ts.SyntaxKind.MinusToken]: (a, b) => a - b,
  [ts.SyntaxKind.AsteriskToken]: (a, b) => a * b,
  [ts.SyntaxKind.SlashToken]: (a, b) => a / b,
  [ts.SyntaxKind.AsteriskAsteriskToken]: (a, b) => a ** b,
};

/** Elements of an array that is written as a list. */
export function listOf(d: ts.VariableDeclaration): readonly ts.Expression[] | undefined {
  const e = plain(d.initializer!);
  if (ts.isArrayLiteralExpression(e)) return e.elements;
  return ts.isCallExpression(e) && e.expression.getText() === "Float64Array.of" ? e.arguments : undefined;
}

export class Symbols {
  constructor(private readonly checker: ts.TypeChecker) {}

  meaningOf(name: ts.Expression): Meaning | undefined {
    const e = plain(name);
    if (ts.isArrowFunction(e)) return { kind: "function", node: e };
    if (ts.isPropertyAccessExpression(e) && e.expression.getText() === "Math") return this.ofMath(e.name.text);
    const found = this.checker.getSymbolAtLocation(ts.isPropertyAccessExpression(e) ? e.name : e);
    return found && this.ofSymbol(found);
  }

  private ofMath(name: string): Meaning {
    const value = (Math as unknown as Record<string, unknown>)[name];
    return typeof value === "number" ? { kind: "constant", value } : { kind: "math", name };
  }

  ofSymbol(named: ts.Symbol): Meaning | undefined {
    const symbol = named.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(named) : named;
    const d = symbol.valueDeclaration;
    if (!d) return undefined;
    if (ts.isFunctionDeclaration(d)) return { kind: "function", node: d };
    if (ts.isBindingElement(d)) {
      const whole = d.parent.parent;
      if (ts.isVariableDeclaration(whole) && whole.initializer?.getText() === "Math")
        return this.ofMath(d.name.getText());
    }
    if (ts.isVariableDeclaration(d) && d.initializer && ts.getCombinedNodeFlags(d) & ts.NodeFlags.Const) {
      const value = plain(d.initializer);
      if (ts.isArrowFunction(value)) return { kind: "function", node: value };
      if (isModuleLevel(d)) {
        const constant = this.constantOf(value);
        if (constant !== undefined) return { kind: "constant", value: constant };
        if (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)) return this.meaningOf(value);
        return { kind: "array", declaration: d };
      }
    }
    return { kind: "variable", symbol };
  }

  /** The value of an expression that is the same whenever it is evaluated. */
  constantOf(expression: ts.Expression): number | boolean | undefined {
    const e = plain(expression);
    if (ts.isNumericLiteral(e)) return Number(e.text);
    if (e.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (e.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (ts.isPrefixUnaryExpression(e) && e.operator === ts.SyntaxKind.MinusToken) {
      const x = this.constantOf(e.operand);
      return typeof x === "number" ? -x : undefined;
    }
    if (ts.isBinaryExpression(e)) {
      const f = operators[e.operatorToken.kind];
      if (!f) return undefined;
      const [x, y] = [this.constantOf(e.left), this.constantOf(e.right)];
      return typeof x === "number" && typeof y === "number" ? f(x, y) : undefined;
    }
    if (ts.isPropertyAccessExpression(e) && e.name.text === "length") {
      const list = this.meaningOf(e.expression);
      return list?.kind === "array" ? listOf(list.declaration)?.length : undefined;
    }
    if (ts.isIdentifier(e) || ts.isPropertyAccessExpression(e)) {
      if (e.getText() === "Infinity") return Infinity;
      if (e.getText() === "NaN") return NaN;
      const found = this.meaningOf(e);
      return found?.kind === "constant" ? found.value : undefined;
    }
    return undefined;
  }

  /** Values a name takes in a function: of the symbol's declaration. */
  symbolOf(name: ts.Identifier): ts.Symbol {
    return this.checker.getSymbolAtLocation(name)!;
  }

  /** Scalars that an expression of this type has. */
  typesOf(node: ts.Expression | FunctionNode): readonly ("number" | "boolean")[] {
    const type =
      ts.isFunctionDeclaration(node) || ts.isArrowFunction(node)
        ? this.checker.getReturnTypeOfSignature(this.checker.getSignatureFromDeclaration(node)!)
        : this.checker.getTypeAtLocation(node);
    const parts = this.checker.isTupleType(type) ? this.checker.getTypeArguments(type as ts.TypeReference) : [type];
    return parts.map((t) => {
      if (t.flags & ts.TypeFlags.NumberLike) return "number";
      if (t.flags & ts.TypeFlags.BooleanLike) return "boolean";
      if (t.isUnion() && t.types.every((u) => u.flags & ts.TypeFlags.NumberLike)) return "number";
      throw new Unsupported(node, `a value of type ${this.checker.typeToString(t)}`);
    });
  }
}

export { plain };
