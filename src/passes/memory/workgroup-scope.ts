/**
 * OpenCL C declares workgroup memory in the outermost scope of a kernel only (6.7.1, clang-19), MSL in any block of one: what stands
 * deeper comes first in the kernel. It has no initialiser, and is the workgroup's wherever it stands.
 */
import type { Declare, FunctionDeclaration } from "../../ast/nodes.js";
import { rewriteStatements } from "../../ast/walk.js";
import type { Pass } from "../pass.js";

export const workgroupScope: Pass = {
  name: "workgroup-scope",
  run(module) {
    const isShared = (id: number): boolean => module.variables.get(id)!.space === "workgroup";
    const moved = (f: FunctionDeclaration): FunctionDeclaration => {
      const outermost = new Set<unknown>(f.body.statements);
      const first: Declare[] = [];
      const statements = rewriteStatements(f.body.statements, {
        statement(s) {
          if (s.kind !== "declare" || outermost.has(s) || !isShared(s.variable)) return s;
          first.push(s);
          return [];
        },
      });
      return first.length === 0 ? f : { ...f, body: { ...f.body, statements: [...first, ...statements] } };
    };
    return { ...module, functions: module.functions.map(moved) };
  },
};
