/**
 * A text form of the canonical tree, for tests, debugging and comparison. `canonicalForm` is the dump with everything
 * left out that translation may change: names of locals and helpers, spans, comments, spelling of literals, which
 * conversions were written, macro references, slots, declaration groups.
 */
import { assertNever } from "../support/assert-never.js";
import { showType, type Type } from "../types/types.js";
import type { Expr, Module, Place, Statement, VarId, FunctionId, FunctionDeclaration } from "./nodes.js";

export interface Naming {
  variable(id: VarId): string;
  fn(id: FunctionId): string;
  type(t: Type): string;
}

function sourceNaming(module: Module): Naming {
  return {
    variable: (id) => `${module.variables.get(id)?.name ?? "?"}#${id}`,
    fn: (id) => module.functions.find((f) => f.id === id)?.name ?? `?${id}`,
    type: showType,
  };
}

const list = (items: readonly string[]): string => items.join(" ");

function dumpExpr(e: Expr, n: Naming): string {
  const sub = (x: Expr): string => dumpExpr(x, n);
  switch (e.kind) {
    case "literal":
      return `${Object.is(e.value, -0) ? "-0" : e.value}:${e.type.scalar}`;
    case "enumerator":
      return `${e.value}:${n.type(e.type)}`;
    case "builtin":
      return `@${e.builtin}`;
    case "load":
      return dumpPlace(e.place, n);
    case "unary":
      return `(${e.operator} ${sub(e.operand)})`;
    case "binary":
      return `(${e.operator} ${sub(e.left)} ${sub(e.right)})`;
    case "length":
      return `(length ${dumpPlace(e.place, n)})`;
    case "logical":
      return `(logical-${e.operator} ${sub(e.left)} ${sub(e.right)})`;
    case "conditional":
      return `(? ${sub(e.condition)} ${sub(e.whenTrue)} ${sub(e.whenFalse)})`;
    case "convert":
      return `(to-${n.type(e.type)} ${sub(e.operand)})`;
    case "bitcast":
      return `(bits-${n.type(e.type)} ${sub(e.operand)})`;
    case "splat":
      return `(splat-${n.type(e.type)} ${sub(e.operand)})`;
    case "construct":
      return `(make-${n.type(e.type)} ${list(e.arguments.map(sub))})`;
    case "swizzle-value":
      return `(swizzle ${sub(e.operand)} ${e.components.join(",")})`;
    case "element-value":
      return `(element ${sub(e.operand)} ${sub(e.index)})`;
    case "member-value":
      return `(member ${sub(e.operand)} ${e.member})`;
    case "op": {
      const order = e.order && e.order !== "relaxed" ? ` ${e.order}` : "";
      return `(${e.op}${order} ${list([...e.places.map((p) => `&${dumpPlace(p, n)}`), ...e.arguments.map(sub)])})`;
    }
    case "call": {
      const args = e.arguments.map((a) => (a.mode === "value" ? sub(a.value) : `${a.mode}:${dumpPlace(a.place, n)}`));
      return `(call ${n.fn(e.function)} ${list(args)})`;
    }
    case "assign": {
      const compute = e.compute ? `-in-${n.type(e.compute)}` : "";
      return `(set${e.operator ? `-${e.operator}` : ""}${compute} ${dumpPlace(e.target, n)} ${sub(e.value)})`;
    }
    case "increment":
      return `(${e.prefix ? "pre" : "post"}${e.delta > 0 ? "++" : "--"} ${dumpPlace(e.place, n)})`;
    case "comma":
      return `(comma ${sub(e.left)} ${sub(e.right)})`;
    case "address-of":
      return `(& ${dumpPlace(e.place, n)})`;
    case "null-pointer":
      return "null";
    case "pointer-offset":
      return `(ptr+ ${sub(e.pointer)} ${sub(e.offset)})`;
    default:
      return assertNever(e);
  }
}

function dumpPlace(p: Place, n: Naming): string {
  switch (p.kind) {
    case "variable":
      return n.variable(p.variable);
    case "deref":
      return `(* ${dumpExpr(p.pointer, n)})`;
    case "element":
      return `${dumpPlace(p.base, n)}[${dumpExpr(p.index, n)}]`;
    case "member":
      return `${dumpPlace(p.base, n)}.${p.member}`;
    case "swizzle":
      return `${dumpPlace(p.base, n)}.{${p.components.join(",")}}`;
    default:
      return assertNever(p);
  }
}

function dumpStatement(s: Statement, n: Naming, types: (id: VarId) => string, indent: string, out: string[]): void {
  const deeper = `${indent}  `;
  const line = (text: string): void => void out.push(indent + text);
  const body = (x: Statement): void => {
    if (x.kind === "block") x.statements.forEach((c) => dumpStatement(c, n, types, deeper, out));
    else dumpStatement(x, n, types, deeper, out);
  };
  switch (s.kind) {
    case "block":
      line("block");
      return body(s);
    case "declare":
      return line(
        `let ${n.variable(s.variable)}: ${types(s.variable)}${s.initializer ? ` = ${dumpExpr(s.initializer, n)}` : ""}`,
      );
    case "expression":
      return line(dumpExpr(s.expression, n));
    case "if":
      line(`if ${dumpExpr(s.condition, n)}`);
      body(s.then);
      if (s.else) {
        line("else");
        body(s.else);
      }
      return;
    case "switch":
      line(`switch ${dumpExpr(s.value, n)}`);
      for (const c of s.cases) {
        out.push(`${deeper}case ${c.labels.map((l) => (l === "default" ? l : dumpExpr(l, n))).join(", ")}`);
        c.body.forEach((b) => dumpStatement(b, n, types, `${deeper}  `, out));
      }
      return;
    case "for":
      line("for");
      s.initializer.forEach((i) => dumpStatement(i, n, types, deeper, out));
      out.push(`${deeper}while ${s.condition ? dumpExpr(s.condition, n) : "true"}`);
      if (s.step) out.push(`${deeper}step ${dumpExpr(s.step, n)}`);
      out.push(`${deeper}do`);
      return s.body.kind === "block"
        ? s.body.statements.forEach((c) => dumpStatement(c, n, types, `${deeper}  `, out))
        : dumpStatement(s.body, n, types, `${deeper}  `, out);
    case "while":
      line(`while ${dumpExpr(s.condition, n)}`);
      return body(s.body);
    case "do-while":
      line("do");
      body(s.body);
      return line(`while ${dumpExpr(s.condition, n)}`);
    case "return":
      return line(s.value ? `return ${dumpExpr(s.value, n)}` : "return");
    case "break":
    case "continue":
      return line(s.kind);
    case "barrier": {
      const { execution, memory, scope, order } = s.barrier;
      const parts = [memory.workgroup ? "W" : "", memory.global ? "D" : "", memory.image ? "I" : ""].join("");
      return line(`barrier execution=${execution} memory=${parts} scope=${scope} order=${order}`);
    }
    default:
      return assertNever(s);
  }
}

function dumpFunction(
  f: FunctionDeclaration,
  module: Module,
  n: Naming,
  types: (id: VarId) => string,
  out: string[],
): void {
  const parameters = f.parameters.map((id) => {
    const v = module.variables.get(id)!;
    return `${n.variable(id)}: ${v.mode && v.mode !== "value" && v.mode !== "in" ? `${v.mode} ` : ""}${types(id)}`;
  });
  out.push(`${f.isEntry ? "entry" : "function"} ${n.fn(f.id)}(${parameters.join(", ")}) -> ${n.type(f.returnType)}`);
  f.body.statements.forEach((s) => dumpStatement(s, n, types, "  ", out));
}

/** The whole module with source names, readable and complete enough to compare two runs of a pass. */
export function dumpModule(module: Module): string {
  const n = sourceNaming(module);
  const types = (id: VarId): string => showType(module.variables.get(id)!.type);
  const out: string[] = [`module ${module.dialect} ${module.stage}`];
  for (const s of module.structs.values())
    out.push(`struct ${s.name} { ${s.members.map((m) => `${m.name}: ${showType(m.type)}`).join("; ")} }`);
  for (const r of module.resources)
    out.push(`resource ${n.variable(r.variable)}: ${types(r.variable)} ${r.kind} ${r.access} ${r.path}`);
  for (const v of module.variables.values()) {
    if (v.role === "global")
      out.push(
        `global ${v.space} ${n.variable(v.id)}: ${showType(v.type)}${v.initializer ? ` = ${dumpExpr(v.initializer, n)}` : ""}`,
      );
  }
  for (const f of module.functions) dumpFunction(f, module, n, types, out);
  return out.join("\n") + "\n";
}

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
    dumpFunction(openBlocks(f, module), module, naming, types, out);
  }
  for (let id = globalQueue.shift(); id !== undefined; id = globalQueue.shift()) {
    const v = module.variables.get(id)!;
    out.push(
      `${v.space} ${globals.get(id)}: ${types(id)}${v.initializer ? ` = ${dumpExpr(v.initializer, naming)}` : ""}`,
    );
  }
  for (let name = structQueue.shift(); name !== undefined; name = structQueue.shift()) {
    const s = module.structs.get(name)!;
    out.push(`${structNames.get(name)} { ${s.members.map((m) => `${m.name}: ${type(m.type)}`).join("; ")} }`);
  }
  return out.join("\n") + "\n";
}

/** Workgroup variables are declared at different places by dialects; their declaration statements are left out. */
function openBlocks(f: FunctionDeclaration, module: Module): FunctionDeclaration {
  const flatten = (statements: readonly Statement[]): Statement[] =>
    statements.flatMap((s) => {
      if (s.kind === "declare" && module.variables.get(s.variable)?.space === "workgroup") return [];
      if (s.kind === "block") return flatten(s.statements);
      return [s];
    });
  return { ...f, body: { ...f.body, statements: flatten(f.body.statements) } };
}
