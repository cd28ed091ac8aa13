/**
 * C before C23 takes no declaration after a label and no label before a closing brace, C++ and DXC no jump past an
 * initialiser: a case that declares something is a block, and the last one is not empty. What a switch declares belongs
 * to one case each (`sema/case-scope.ts`), temporaries of passes among them.
 */
import type { Block, Module, Statement, SwitchCase } from "../../ast/nodes.js";
import { noTrivia } from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import type { TextPass } from "../pass.js";

export const caseBlocks: TextPass = {
  name: "case-blocks",
  run(module): Module {
    return rewriteModule(module, {
      statement: (s) =>
        s.kind === "switch" ? { ...s, cases: s.cases.map((c, i) => closed(braced(c), i + 1 === s.cases.length)) } : s,
    });
  },
};

function braced(c: SwitchCase): SwitchCase {
  if (!c.body.some((s) => s.kind === "declare")) return c;
  const block: Block = { kind: "block", statements: c.body, span: c.span, trivia: noTrivia, innerComments: [] };
  return { ...c, body: [block] };
}

/** Some barriers are nothing in some targets. */
const mayVanish = (s: Statement): boolean => s.kind === "barrier";

function closed(c: SwitchCase, last: boolean): SwitchCase {
  if (!last || !c.body.every(mayVanish)) return c;
  return { ...c, body: [...c.body, { kind: "break", span: c.span, trivia: noTrivia }] };
}
