/**
 * `canonicalForm`: the text of a tree with everything left out that translation may change: names of locals and helpers,
 * spans, comments, spelling of literals, which conversions were written, macro references, slots, declaration groups.
 */
import { showType, type Type } from "../../src/types/types.js";
import type { FunctionDeclaration, FunctionId, Module, Statement, VarId } from "../../src/ast/nodes.js";
import { StatementPrinter, type Naming } from "../../src/ast/text/print-tree.js";

/**
 * The form two modules are compared in: variables are numbered in order of first mention within their function,
 * resources by place in the interface, helpers and structs in order of first use; blocks that declare nothing are
 * opened; unused file-scope declarations do not appear. Equal forms compute the same on the same interface.
 */
export function canonicalForm(module: Module): string {
  const out: string[] = [];
  const structNames = new Map<string, string>();
  const structQueue: string[] = [];
  const structName = (name: string): string => {
    let short = structNames.get(name);
    if (!short) {
      short = `S${structNames.size}`;
      structNames.set(name, short);
      structQueue.push(name);
    }
    return short;
  };
  const type = (t: Type): string => {
    switch (t.kind) {
      case "struct":
        return structName(t.name);
      case "array":
        return `${type(t.element)}[${t.length ?? ""}]`;
      case "pointer":
        return `${t.space} ${type(t.pointee)}*`;
      default:
        return showType(t);
    }
  };
  const functionNames = new Map<FunctionId, string>();
  const functionQueue: FunctionId[] = [];
  const resourceNames = new Map<VarId, string>();
  for (const entry of module.entries) entry.resources.forEach((id, i) => resourceNames.set(id, `R${i}`));
  const globals = new Map<VarId, string>();
  const globalQueue: VarId[] = [];
  let locals = new Map<VarId, string>();
  const naming: Naming = {
    type,
    variable(id) {
      const fixed = resourceNames.get(id);
      if (fixed) return fixed;
      const v = module.variables.get(id);
      const shared = v?.role === "global" || v?.space === "workgroup";
      const map = shared && v?.role !== "parameter" ? globals : locals;
      let name = map.get(id);
      if (!name) {
        name = `${map === globals ? "g" : "v"}${map.size}`;
        map.set(id, name);
        if (map === globals) globalQueue.push(id);
      }
      return name;
    },
    fn(id) {
      let name = functionNames.get(id);
      if (!name) {
        name = `f${functionNames.size}`;
        functionNames.set(id, name);
        functionQueue.push(id);
      }
      return name;
    },
  };
  const types = (id: VarId): string => type(module.variables.get(id)!.type);
  for (const entry of module.entries) {
    const size = entry.workgroupSize ? ` size ${entry.workgroupSize.join("x")}` : "";
    out.push(`entry${size}`);
    for (const id of entry.resources) {
      const r = module.resources.find((x) => x.variable === id)!;
      out.push(`resource ${resourceNames.get(id)} ${types(id)} ${r.kind}`);
    }
    functionQueue.push(entry.function);
    functionNames.set(entry.function, `entry ${module.entries.indexOf(entry)}`);
  }
  for (let id = functionQueue.shift(); id !== undefined; id = functionQueue.shift()) {
    const f = module.functions.find((x) => x.id === id)!;
    locals = new Map();
    const parameters = f.parameters.map((p) => {
      const { mode } = module.variables.get(p)!;
      return `${naming.variable(p)}: ${mode && mode !== "value" && mode !== "in" ? `${mode} ` : ""}${types(p)}`;
    });
    out.push(`${f.isEntry ? "entry" : "fn"} ${naming.fn(id)}(${parameters.join(", ")}) -> ${type(f.returnType)}`);
    // What a function of the library means is known, and left out where the target has it.
    if (f.library) {
      out.push(`  ${JSON.stringify(f.library)}`);
      continue;
    }
    const printer = new StatementPrinter(module, naming, { meaningOnly: true });
    for (const s of openBlocks(f, module)) printer.statement(s, "  ");
    out.push(...printer.lines);
  }
  for (let id = globalQueue.shift(); id !== undefined; id = globalQueue.shift()) {
    const v = module.variables.get(id)!;
    const printer = new StatementPrinter(module, naming, { meaningOnly: true });
    const value = v.initializer ? ` = ${printer.open(v.initializer)}` : "";
    out.push(`${v.space} ${globals.get(id)}: ${types(id)}${value}`);
  }
  for (let name = structQueue.shift(); name !== undefined; name = structQueue.shift()) {
    const s = module.structs.get(name)!;
    out.push(
      `${s.union ? "union " : ""}${structNames.get(name)} { ${s.members.map((m) => `${m.name}: ${type(m.type)}`).join("; ")} }`,
    );
  }
  return out.join("\n") + "\n";
}

/** Workgroup variables are declared at different places by dialects; their declaration statements are left out. */
function openBlocks(f: FunctionDeclaration, module: Module): readonly Statement[] {
  const flatten = (statements: readonly Statement[]): Statement[] =>
    statements.flatMap((s) => {
      if (s.kind === "declare" && module.variables.get(s.variable)?.space === "workgroup") return [];
      if (s.kind === "block") return flatten(s.statements);
      return [s];
    });
  return flatten(f.body.statements);
}
