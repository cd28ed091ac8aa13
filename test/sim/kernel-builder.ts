/** Small canonical modules built by hand, for tests of the simulator. */
import {
  array,
  barrier,
  binary,
  bitcast,
  block,
  builtin,
  conditional,
  convert,
  declare,
  element,
  expressionStatement,
  f32Literal,
  i32Literal,
  ifStatement,
  increment,
  literal,
  load,
  logical,
  opCall,
  returnStatement,
  splat,
  swizzleValue,
  u32Literal,
  unary,
  assign,
  construct,
  variablePlace,
} from "./ast.js";
import type {
  BarrierDescriptor,
  BinaryOperator,
  BuiltinId,
  EntryPoint,
  Expr,
  FunctionDeclaration,
  Module,
  OpId,
  Place,
  Resource,
  Statement,
  Variable,
} from "../../src/ast/nodes.js";
import { noTrivia } from "../../src/ast/nodes.js";
import { noSpan, type Span } from "../../src/support/span.js";
import { bool, f32, i32, u32, voidType, type AddressSpace, type Type } from "../../src/types/types.js";

export {
  array,
  bitcast,
  bool,
  conditional,
  convert,
  construct,
  f32,
  f32Literal,
  i32,
  i32Literal,
  literal,
  load,
  logical,
  opCall,
  splat,
  swizzleValue,
  u32,
  u32Literal,
  unary,
};

export const workgroupBarrier: BarrierDescriptor = {
  execution: "workgroup",
  memory: { workgroup: true, global: false, image: false },
  scope: "workgroup",
  order: "acq_rel",
};
export const subgroupBarrier: BarrierDescriptor = { ...workgroupBarrier, execution: "subgroup", scope: "subgroup" };

/** Expressions and statements in few words; every statement gets a span of its own, numbered in order. */
export class KernelBuilder {
  private readonly variables = new Map<number, Variable>();
  private readonly resources: Resource[] = [];
  private readonly functions: FunctionDeclaration[] = [];
  private next = 1;
  private nextSpan = 1;
  readonly structs = new Map<string, never>();

  span(): Span {
    const start = this.nextSpan++;
    return { start, end: start + 1 };
  }

  private add(v: Omit<Variable, "id" | "span">): Variable {
    const full: Variable = { ...v, id: this.next++, span: noSpan };
    this.variables.set(full.id, full);
    return full;
  }

  buffer(name: string, elementType: Type, access: Resource["access"] = "readwrite"): Variable {
    const v = this.add({
      name,
      type: array(elementType, undefined),
      space: "global",
      role: "resource",
      constant: false,
    });
    this.resources.push({ variable: v.id, kind: "buffer", path: name, access });
    return v;
  }
  value(name: string, type: Type): Variable {
    const v = this.add({ name, type, space: "constant", role: "resource", constant: true });
    this.resources.push({ variable: v.id, kind: "value", path: name, access: "read" });
    return v;
  }
  local(name: string, type: Type, space: AddressSpace = "private"): Variable {
    return this.add({ name, type, space, role: "local", constant: false });
  }
  parameter(name: string, type: Type, mode: Variable["mode"] = "value", space: AddressSpace = "private"): Variable {
    return this.add({ name, type, space, role: "parameter", constant: false, mode });
  }
  workgroup(name: string, type: Type): Variable {
    return this.add({ name, type, space: "workgroup", role: "global", constant: false });
  }
  global(name: string, type: Type, initializer: Expr, space: AddressSpace = "constant"): Variable {
    return this.add({ name, type, space, role: "global", constant: space === "constant", initializer });
  }

  function(
    name: string,
    parameters: readonly Variable[],
    returnType: Type,
    body: readonly Statement[],
  ): FunctionDeclaration {
    const f: FunctionDeclaration = {
      id: this.functions.length + 1,
      name,
      parameters: parameters.map((p) => p.id),
      returnType,
      body: block(body),
      isEntry: false,
      span: noSpan,
      nameSpan: noSpan,
      trivia: noTrivia,
    };
    this.functions.push(f);
    return f;
  }

  kernel(
    body: readonly Statement[],
    size?: readonly [number, number, number],
    dialect: Module["dialect"] = "opencl",
  ): { module: Module; entry: EntryPoint } {
    const f = this.function("kernel", [], voidType, body);
    const main: FunctionDeclaration = { ...f, isEntry: true };
    this.functions[this.functions.length - 1] = main;
    const entry: EntryPoint = {
      function: main.id,
      name: "kernel",
      resources: this.resources.map((r) => r.variable),
      builtinNames: new Map(),
      ...(size ? { workgroupSize: size } : {}),
    };
    const module: Module = {
      stage: "canonical",
      dialect,
      structs: this.structs,
      enums: [],
      variables: this.variables,
      resources: this.resources,
      functions: this.functions,
      entries: [entry],
      order: [],
      contraction: "off",
      trailingComments: [],
      nextVariable: this.next,
      nextFunction: this.functions.length + 1,
    };
    return { module, entry };
  }
}

// ------------------------------------------------------------------ words

export const at = (v: Variable, index: Expr): Place => element(variablePlace(v), index);
export const read = (p: Variable | Place): Expr => load(place(p));
export const place = (p: Variable | Place): Place => ("kind" in p ? p : variablePlace(p));
export const set = (p: Variable | Place, value: Expr, operator?: BinaryOperator, span: Span = noSpan): Statement =>
  expressionStatement(assign(place(p), value, span, operator));
export const let_ = (v: Variable, value?: Expr): Statement => declare(v.id, value);
export const op = (operator: BinaryOperator, a: Expr, b: Expr, span: Span = noSpan): Expr =>
  binary(operator, a, b, span);
export const id = (b: BuiltinId, component?: number): Expr =>
  component === undefined ? builtin(b) : swizzleValue(builtin(b), [component]);
export const when = (condition: Expr, then: readonly Statement[], otherwise?: readonly Statement[]): Statement =>
  ifStatement(condition, block(then), otherwise ? block(otherwise) : undefined);
export const loop = (v: Variable, from: Expr, condition: Expr, step: Expr, body: readonly Statement[]): Statement => ({
  kind: "for",
  initializer: [declare(v.id, from)],
  condition,
  step,
  body: block(body),
  span: noSpan,
  trivia: noTrivia,
});
export const while_ = (condition: Expr, body: readonly Statement[]): Statement => ({
  kind: "while",
  condition,
  body: block(body),
  span: noSpan,
  trivia: noTrivia,
});
export const doWhile = (body: readonly Statement[], condition: Expr): Statement => ({
  kind: "do-while",
  condition,
  body: block(body),
  span: noSpan,
  trivia: noTrivia,
});
export const switch_ = (
  value: Expr,
  cases: readonly (readonly [readonly (Expr | "default")[], readonly Statement[]])[],
): Statement => ({
  kind: "switch",
  value,
  cases: cases.map(([labels, body]) => ({ labels, body, span: noSpan, trivia: noTrivia })),
  span: noSpan,
  trivia: noTrivia,
});
export const stop: Statement = { kind: "break", span: noSpan, trivia: noTrivia };
export const again: Statement = { kind: "continue", span: noSpan, trivia: noTrivia };
export const leave = (value?: Expr): Statement => returnStatement(value);
export const sync = (b: BarrierDescriptor = workgroupBarrier, span: Span = noSpan): Statement => barrier(b, span);
export const inc = (v: Variable | Place): Expr => increment(place(v), 1, false);
export const call = (name: OpId, args: readonly Expr[], type: Type, span: Span = noSpan): Expr =>
  opCall(name, args, type, span);
