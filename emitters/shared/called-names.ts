import { walkModule } from "../../src/ast/walk.js";
import type { Syntax } from "./syntax.js";
import type { Module } from "./tree.js";

/** Names of the predeclared functions a module is written with: native calls, and what operators and bit casts are spelled by. */
export function calledNames(syntax: Syntax, module: Module): ReadonlySet<string> {
  const found = new Set<string>();
  const called = (text: string | undefined): void => {
    const name = text === undefined ? undefined : /^\w+/.exec(text)?.[0];
    if (name !== undefined) found.add(name);
  };
  walkModule(module, {
    expr(e) {
      if (e.kind === "binary") called(syntax.operatorCall(e.operator, e.left.type, e.right.type)?.name);
      if (e.kind === "assign" && e.operator) called(syntax.operatorCall(e.operator, e.compute ?? e.target.type, e.value.type)?.name);
      if (e.kind === "unary") called(syntax.unaryCall(e.operator, e.operand.type));
      if (e.kind === "bitcast" && (e.type.kind === "scalar" || e.type.kind === "vector"))
        called(syntax.bitcast({ text: "x", precedence: 0, type: e.operand.type }, e.type, syntax.typeName(e.type)).text);
      if (e.kind === "native-call" && e.spelling.kind === "call") found.add(e.spelling.name);
    },
  });
  return found;
}
