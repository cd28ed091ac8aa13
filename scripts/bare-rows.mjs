/** Rows of the table of ops without what only tests ask for: where cells have their truth from. */
import ts from "typescript";

/** Operands of the functions rows are written with (src/ops/define.ts) that say the evidence. */
const evidenceOperand = { native: 1, reads: 1, writes: 2 };

const isText = (node) => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

export function bareRows(module, text) {
  if (!module.startsWith("src/ops/")) return text;
  const source = ts.createSourceFile(module, text, ts.ScriptTarget.Latest, true);
  const dropped = [];
  const look = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const { text: called } = node.expression;
      const evidence = node.arguments[Object.hasOwn(evidenceOperand, called) ? evidenceOperand[called] : -1];
      if (evidence && isText(evidence)) dropped.push(evidence);
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return dropped.reduceRight((t, node) => `${t.slice(0, node.getStart())}""${t.slice(node.end)}`, text);
}
