/** Canonical modules built by hand, as sema would build them. */
import {
  assign,
  barrier,
  binary,
  block,
  builtin,
  convert,
  declare,
  element,
  expressionStatement,
  i32Literal,
  ifStatement,
  literal,
  load,
  swizzleValue,
  u32Literal,
  variablePlace,
} from "../../src/ast/builders.js";
import {
  noTrivia,
  type BuiltinId,
  type Expr,
  type Module,
  type Resource,
  type Statement,
  type TopLevel,
  type Variable,
  type VarId,
} from "../../src/ast/nodes.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { noSpan } from "../../src/support/span.js";
import { array, f32, u32, type AddressSpace, type Type } from "../../src/types/types.js";

const span = { start: 1, end: 2 };

export class Build {
  readonly variables = new Map<VarId, Variable>();
  readonly resources: Resource[] = [];
  readonly order: TopLevel[] = [];
  private next = 1;

  constructor(readonly dialect: TwoWayDialect) {}

  variable(name: string, type: Type, role: Variable["role"] = "local", space: AddressSpace = "private"): Variable {
    const v: Variable = { id: this.next++, name, type, space, role, constant: false, span };
    this.variables.set(v.id, v);
    return v;
  }

  buffer(name: string, type: Type, access: Resource["access"]): Variable {
    const v = this.variable(name, array(type, undefined), "resource", "global");
    this.resources.push({ variable: v.id, kind: "buffer", path: name, access });
    return v;
  }

  value(name: string, type: Type): Variable {
    const v = this.variable(name, type, "resource", "constant");
    this.resources.push({ variable: v.id, kind: "value", path: name, access: "read" });
    return v;
  }

  module(
    name: string,
    body: readonly Statement[],
    more: { size?: [number, number, number]; names?: [BuiltinId, string][] } = {},
  ): Module {
    return {
      stage: "canonical",
      dialect: this.dialect,
      structs: new Map(),
      enums: [],
      variables: this.variables,
      resources: this.resources,
      functions: [
        {
          id: 1,
          name,
          parameters: [],
          returnType: { kind: "void" },
          body: block(body),
          isEntry: true,
          span,
          nameSpan: span,
          trivia: noTrivia,
        },
      ],
      entries: [
        {
          function: 1,
          name,
          resources: this.resources.map((r) => r.variable),
          builtinNames: new Map(more.names ?? []),
          ...(more.size ? { workgroupSize: more.size } : {}),
        },
      ],
      order: [...this.order, { kind: "function", function: 1 }],
      contraction: "allowed",
      trailingComments: [],
      nextVariable: this.next,
      nextFunction: 2,
    };
  }
}

export const read = (v: Variable): Expr => load(variablePlace(v));
export const at = (v: Variable, index: Expr): Expr => load(element(variablePlace(v), index));
export const globalX = (): Expr => swizzleValue(builtin("global_id"), [0], noSpan);
export const set = (place: Parameters<typeof assign>[0], value: Expr): Statement =>
  expressionStatement(assign(place, value));

export function saxpy(dialect: TwoWayDialect, size?: [number, number, number]): Module {
  const b = new Build(dialect);
  const a = b.value("a", f32);
  const x = b.buffer("x", f32, "read");
  const y = b.buffer("y", f32, "readwrite");
  const i = b.variable("i", u32);
  const product = binary("mul", read(a), at(x, read(i)));
  const body = [
    declare(i.id, globalX()),
    set(element(variablePlace(y), read(i)), binary("add", product, at(y, read(i)))),
  ];
  return b.module("saxpy", body, size ? { size } : {});
}

export function tree(dialect: TwoWayDialect): Module {
  const b = new Build(dialect);
  const src = b.buffer("src", f32, "read");
  const dst = b.buffer("dst", f32, "write");
  const s = b.variable("s", array(f32, 256), "local", "workgroup");
  const l = b.variable("l", u32);
  const off = b.variable("off", u32);
  const local = swizzleValue(builtin("local_id"), [0]);
  const wait = barrier({
    execution: "workgroup",
    memory: { workgroup: true, global: false, image: false },
    scope: "workgroup",
    order: "acq_rel",
  });
  const sum = assign(element(variablePlace(s), read(l)), at(s, binary("add", read(l), read(off))), noSpan, "add");
  const half = assign(variablePlace(off), i32Literal(1), noSpan, "shr");
  const body: Statement[] = [
    declare(s.id),
    declare(l.id, local),
    set(element(variablePlace(s), read(l)), at(src, globalX())),
    wait,
    {
      kind: "for",
      initializer: [declare(off.id, literal("u32", 128, noSpan, "128"))],
      condition: binary("gt", read(off), u32Literal(0)),
      step: half,
      body: block([ifStatement(binary("lt", read(l), read(off)), expressionStatement(sum)), wait]),
      span,
      trivia: noTrivia,
    },
    ifStatement(
      binary("eq", read(l), u32Literal(0)),
      set(element(variablePlace(dst), swizzleValue(builtin("workgroup_id"), [0])), at(s, i32Literal(0))),
    ),
  ];
  return b.module("reduce", body, { size: [256, 1, 1] });
}

export const narrow = (e: Expr): Expr => convert(e, u32);
