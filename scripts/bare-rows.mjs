/**
 * Rows of the table of ops without what only tests ask for, where cells have their truth from, and without their summaries, which
 * `src/ops/summary.ts` then has by itself.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import ts from "typescript";

/** Operands of the functions rows are written with (src/ops/define.ts) that say the evidence. */
const evidenceOperand = { native: 1, reads: 1, writes: 2 };
export const summaries = "src/ops/summary.ts";

const isText = (node) => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
/** The summary among what `define` is given, which is a row's third operand. */
const summaryIn = (node) =>
  node && ts.isObjectLiteralExpression(node)
    ? node.properties.find((p) => ts.isPropertyAssignment(p) && p.name.getText() === "summary")?.initializer
    : undefined;

export function bareRows(module, text) {
  if (!module.startsWith("src/ops/")) return text;
  const source = ts.createSourceFile(module, text, ts.ScriptTarget.Latest, true);
  const dropped = [];
  const look = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const { text: called } = node.expression;
      const evidence = node.arguments[Object.hasOwn(evidenceOperand, called) ? evidenceOperand[called] : -1];
      if (evidence && isText(evidence)) dropped.push(evidence);
      const summary = called === "define" ? summaryIn(node.arguments[2]) : undefined;
      if (summary) dropped.push(summary);
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return dropped
    .sort((a, b) => a.end - b.end)
    .reduceRight((t, node) => `${t.slice(0, node.getStart())}""${t.slice(node.end)}`, text);
}

/** The text of `src/ops/summary.ts` with the summaries of all rows in it. */
export async function summariesModule() {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-rows-"));
  const outfile = join(folder, "table.mjs");
  const table = fileURLToPath(new URL("../src/ops/table.ts", import.meta.url));
  await build({ entryPoints: [table], outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
  const { allRows } = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  const all = Object.fromEntries(allRows.map(({ id, summary }) => [id, summary]));
  return `const all = ${JSON.stringify(all)};\nexport const summaryOf = (op) => all[op];\n`;
}
