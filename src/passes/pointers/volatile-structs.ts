/**
 * Volatile objects of structs, read and written member by member: C++ copies a struct by its constructor, which takes no
 * volatile one (C++14 [class.copy]).
 */
import { block, declare, expressionStatement, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import type { Expr, Module, Place, Statement } from "../../ast/nodes.js";
import { placeIsPure, rewriteExpr, rewriteModule, walkModule } from "../../ast/walk.js";
import type { Span } from "../../support/span.js";
import { MemberByMember } from "../memory/member-by-member.js";
import type { PassContext, TextPass } from "../pass.js";
import { heldBy } from "./volatile-pointers.js";

export const volatileStructs: TextPass = {
  name: "volatile-structs",
  run(module, context) {
    if (![...module.variables.values()].some((v) => v.volatile)) return module;
    const apart = new Apart(module, context);
    let any = false;
    walkModule(module, {
      expr: (e) =>
        void (any ||=
          (e.kind === "load" && apart.isWhole(e.place)) || (e.kind === "assign" && apart.isWhole(e.target))),
    });
    return any ? apart.run() : module;
  },
};

class Apart {
  private readonly editor: ModuleEditor;
  private readonly members: MemberByMember;

  constructor(
    private readonly module: Module,
    private readonly context: PassContext,
  ) {
    this.editor = new ModuleEditor(module);
    this.members = new MemberByMember(module.structs, (span) => this.refuse(span));
  }

  isWhole(p: Place): boolean {
    if (p.type.kind !== "struct") return false;
    return heldBy(p).some((id) => this.module.variables.get(id)!.volatile === true);
  }

  run(): Module {
    const next = rewriteModule(this.module, {
      enterStatement: (s) => this.statement(s),
      expr: (e) => {
        if (e.kind === "load" && this.isWhole(e.place)) return this.read(e.place);
        if (e.kind === "assign" && this.isWhole(e.target)) this.refuse(e.span);
        return e;
      },
    });
    return this.editor.finish({ functions: next.functions });
  }

  private refuse(span: Span): void {
    this.context.problems.error("XL4008", "MSL cannot copy this volatile object as a whole", span);
  }

  private read(p: Place): Expr {
    if (placeIsPure(p)) return this.members.value(p, p.type, p.span);
    this.refuse(p.span);
    return load(p);
  }

  private statement(s: Statement): Statement | undefined {
    const e = s.kind === "expression" ? s.expression : undefined;
    if (e?.kind !== "assign" || !this.isWhole(e.target) || !placeIsPure(e.target)) return undefined;
    const value = rewriteExpr(e.value, {
      expr: (x) => (x.kind === "load" && this.isWhole(x.place) ? this.read(x.place) : x),
    });
    const written = (from: Place): Statement[] =>
      this.members.writes(e.target, from, e.span).map((x) => expressionStatement(x, e.span));
    if (value.kind === "load" && value.place.kind === "variable") return block(written(value.place), s.span, s.trivia);
    const kept = this.editor.addLocal("value", e.value.type, e.span);
    return block([declare(kept.id, value, e.span), ...written(variablePlace(kept, e.span))], s.span, s.trivia);
  }
}
