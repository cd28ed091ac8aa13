/**
 * Functions that may end without giving their value. C99 (6.9.1) and GLSL let them, where nobody uses that; in C++ they must not come so far
 * even then (C++14 6.6.3), DXC refuses what could, and glslang what never returns a value: they return a zero at their end.
 */
import { mayEnd } from "../../ast/ends.js";
import { isOwnText } from "../../ast/lookup.js";
import { noTrivia, type Statement } from "../../ast/nodes.js";
import { zeroOf } from "../memory/zero.js";
import type { TextPass } from "../pass.js";

export const returnedZeros: TextPass = {
  name: "returned-zeros",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const functions = module.functions.map((f) => {
      const value = f.returnType.kind !== "void" && mayEnd(f.body) ? zeroOf(f.returnType, module) : undefined;
      if (!value) return f;
      const end: Statement = { kind: "return", value, span: f.nameSpan, trivia: noTrivia };
      return { ...f, body: { ...f.body, statements: [...f.body.statements, end] } };
    });
    return functions.every((f, i) => f === module.functions[i]) ? module : { ...module, functions };
  },
};
