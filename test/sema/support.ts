/** Source text to canonical module, through the real front end. */
import { frontEnd } from "../../src/frontend/index.js";
import { analyze, type Analysis } from "../../src/sema/index.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import type { Module } from "../../src/ast/nodes.js";
import { printTree } from "../../src/ast/text/print-tree.js";

export async function analyzed(from: TwoWayDialect, source: string): Promise<Analysis> {
  const { expanded, unit, problems } = await frontEnd(source, {
    from,
    fileName: "test",
    include: async () => undefined,
  });
  if (problems.some((p) => p.severity === "error")) return { problems };
  return analyze(unit, expanded, { dialect: from });
}

export async function moduleOf(from: TwoWayDialect, source: string): Promise<Module<"canonical">> {
  const { module, problems } = await analyzed(from, source);
  if (!module) throw new Error(problems.map((p) => `${p.code} ${p.message}`).join("\n"));
  return module;
}

export async function dumped(from: TwoWayDialect, source: string): Promise<string> {
  return printTree(await moduleOf(from, source), { meaningOnly: true });
}

/** The codes and messages of all problems. */
export async function problemsOf(from: TwoWayDialect, source: string): Promise<string[]> {
  return (await analyzed(from, source)).problems.map((p) => `${p.code} ${p.message}`);
}
