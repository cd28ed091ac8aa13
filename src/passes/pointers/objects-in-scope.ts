/**
 * Objects of inner blocks that are named outside of their block: a pointer which may lead to one lives longer, and what is
 * written once for each of its objects names that one too, even where the pointer leads elsewhere by then. Such an object is
 * declared where its function begins; where it was declared its value is assigned.
 */
import { assign, declare, expressionStatement, ModuleEditor, variablePlace } from "../../ast/builders.js";
import type { FunctionDeclaration, Module, Statement, VarId } from "../../ast/nodes.js";
import { rewriteStatements, walkStatement } from "../../ast/walk.js";

export function withObjectsInScope(module: Module): Module {
  const editor = new ModuleEditor(module);
  const functions = module.functions.map((f): FunctionDeclaration => {
    const outside = new Scopes(module).namedOutside(f);
    if (outside.size === 0) return f;
    const moved = [...outside].map((id) => {
      const { constant, ...v } = editor.variables.get(id)!;
      if (constant) editor.setVariable({ ...v, constant: false });
      return declare(id, undefined, v.span);
    });
    const statements = rewriteStatements(f.body.statements, {
      statement: (s) => (s.kind === "declare" && outside.has(s.variable) ? valueAssigned(s, editor) : s),
    });
    return { ...f, body: { ...f.body, statements: [...moved, ...statements] } };
  });
  return functions.some((f, i) => f !== module.functions[i]) ? editor.finish({ functions }) : module;
}

function valueAssigned(s: Statement & { readonly kind: "declare" }, { variables }: ModuleEditor): readonly Statement[] {
  if (!s.initializer) return [];
  const to = variablePlace(variables.get(s.variable)!, s.span);
  return [expressionStatement(assign(to, s.initializer, s.span), s.span, s.trivia)];
}

class Scopes {
  private readonly visible = new Set<VarId>();
  /** Of the scope that is walked. */
  private own: VarId[] = [];
  private readonly declared = new Set<VarId>();
  private readonly missed = new Set<VarId>();
  /** Variables that one loop declares in its head, which stand in declarations all of them or none. */
  private readonly heads: (readonly VarId[])[] = [];

  constructor(private readonly module: Module) {}

  /** Variables of inner blocks that something outside of their block names. */
  namedOutside(f: FunctionDeclaration): ReadonlySet<VarId> {
    this.statement(f.body);
    const outside = new Set([...this.missed].filter((id) => this.declared.has(id)));
    for (const head of this.heads) if (head.some((id) => outside.has(id))) head.forEach((id) => outside.add(id));
    return outside;
  }

  private scope(run: () => void): void {
    const outer = this.own;
    this.own = [];
    run();
    for (const id of this.own) this.visible.delete(id);
    this.own = outer;
  }

  private statement(s: Statement): void {
    switch (s.kind) {
      case "block":
        return this.scope(() => s.statements.forEach((x) => this.statement(x)));
      case "declare":
        this.names(s);
        // Memory of the workgroup is there for all of it.
        if (this.module.variables.get(s.variable)!.space === "private") this.declared.add(s.variable);
        this.visible.add(s.variable);
        this.own.push(s.variable);
        return;
      case "if":
        this.names(s);
        this.scope(() => this.statement(s.then));
        return this.scope(() => s.else && this.statement(s.else));
      case "switch":
        this.names(s);
        return this.scope(() => s.cases.forEach((c) => c.body.forEach((x) => this.statement(x))));
      case "for":
        return this.scope(() => {
          this.heads.push(s.initializer.flatMap((x) => (x.kind === "declare" ? [x.variable] : [])));
          s.initializer.forEach((x) => this.statement(x));
          this.names(s);
          this.scope(() => this.statement(s.body));
        });
      case "while":
      case "do-while":
        this.names(s);
        return this.scope(() => this.statement(s.body));
      default:
        return this.names(s);
    }
  }

  /** What the statement itself names, without the statements in it. */
  private names(s: Statement): void {
    walkStatement(s, {
      statement: (x) => x === s,
      place: (p) => {
        if (p.kind === "variable" && !this.visible.has(p.variable)) this.missed.add(p.variable);
      },
    });
  }
}
