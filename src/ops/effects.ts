/** What evaluating an expression does besides giving a value: objects it changes, and what it has to do with other lanes. */
import { functionOf } from "../ast/lookup.js";
import { signatureOf } from "./spell.js";
import { row } from "./table.js";
import type { Expr, FunctionDeclaration, FunctionId, Module, OpCall, OpId, Statement, VarId } from "../ast/nodes.js";
import { walkExpr, walkStatement } from "../ast/walk.js";

/** Writes an operand: atomics, stores, results given back by way of an argument. */
export function opWrites(e: OpCall): boolean {
  return e.places.length > 0 && !(row(e.op).effect === "memory" && e.type.kind !== "void");
}

/** Reads its place and leaves it as it is. */
export const opReads = (op: OpId): boolean => {
  const { effect, signature } = row(op);
  return op === "atomic.load" || (effect === "memory" && signatureOf(signature).result !== "void");
};

/** Whether it matters which lanes evaluate the expression, though no value is used: it writes, or other lanes take part. */
export class Effects {
  private readonly functions = new Map<FunctionId, boolean>();
  private readonly meeting = new Map<FunctionId, boolean>();

  constructor(private readonly module: Pick<Module, "functions" | "variables">) {}

  /** `mine`: variables that nothing else sees. */
  of(e: Expr, mine: ReadonlySet<VarId> = new Set()): boolean {
    return this.within((v) => walkExpr(e, v), mine);
  }

  private within(
    walk: (v: {
      expr: (e: Expr) => boolean;
      statement: (s: Statement) => boolean;
      place: Parameters<typeof walkExpr>[1]["place"];
    }) => void,
    mine: ReadonlySet<VarId>,
  ): boolean {
    let found = false;
    walk({
      place: (p, use) => {
        if (use === "read" || use === "address") return;
        if (p.kind === "deref" || (p.kind === "variable" && !mine.has(p.variable))) found = true;
      },
      expr: (e) => {
        if (
          e.kind === "op" &&
          (row(e.op).effect === "crosslane" || row(e.op).effect === "atomic" || row(e.op).effect === "barrier")
        )
          found = true;
        if (e.kind === "print") found = true;
        if (e.kind === "call") {
          if (this.ofFunction(e.function)) found = true;
          // A reference is an operand like a value where nothing is written through it.
          if (
            e.arguments.some((a) => a.mode === "ref") &&
            e.arguments.every((a, i) => a.mode === "value" || (a.mode === "ref" && this.readsOnly(e.function, i)))
          ) {
            if (
              e.arguments.some((a) =>
                a.mode === "value"
                  ? this.of(a.value)
                  : this.of({ kind: "load", place: a.place, type: a.place.type, span: e.span }),
              )
            )
              found = true;
            return false;
          }
        }
        // The operands of an op count as written by the visitor: those it only reads are no effect.
        if (e.kind === "op" && e.places.length > 0 && !opWrites(e)) {
          if (e.arguments.some((a) => this.of(a))) found = true;
          return false;
        }
        return !found;
      },
      statement: (s) => {
        if (s.kind === "barrier") found = true;
        return !found;
      },
    });
    return found;
  }

  private readsOnly(id: FunctionId, parameter: number): boolean {
    const f = functionOf(this.module, id);
    return f !== undefined && this.module.variables.get(f.parameters[parameter]!)?.constant === true;
  }

  private ofFunction(id: FunctionId): boolean {
    const known = this.functions.get(id);
    if (known !== undefined) return known;
    this.functions.set(id, false);
    const f = functionOf(this.module, id);
    const found = f !== undefined && this.ofBody(f, f.parameters);
    this.functions.set(id, found);
    return found;
  }

  /** Whether a function does anything but give its result: it may write what its parameters refer to, too. */
  ofFunctionWithReferences(f: FunctionDeclaration): boolean {
    return this.ofBody(
      f,
      f.parameters.filter((p) => (this.module.variables.get(p)?.mode ?? "value") === "value"),
    );
  }

  /** Whether lanes come together in a function, or in one that it calls. */
  meets(id: FunctionId): boolean {
    const known = this.meeting.get(id);
    if (known !== undefined) return known;
    this.meeting.set(id, false);
    const f = functionOf(this.module, id);
    let found = false;
    const statement = (s: Statement): boolean => !(found ||= s.kind === "barrier");
    const expr = (e: Expr): boolean => {
      const effect = e.kind === "op" ? row(e.op).effect : undefined;
      return !(found ||=
        effect === "crosslane" || effect === "barrier" || (e.kind === "call" && this.meets(e.function)));
    };
    if (f) walkStatement(f.body, { statement, expr });
    this.meeting.set(id, found);
    return found;
  }

  private ofBody(f: FunctionDeclaration, parameters: readonly VarId[]): boolean {
    const mine = new Set<VarId>(parameters);
    walkStatement(f.body, { statement: (s) => void (s.kind === "declare" && mine.add(s.variable)) });
    return this.within((v) => walkStatement(f.body, v), mine);
  }
}

/** Operands that are evaluated only where the one before them says so. */
export function lazyOperands(e: Expr): readonly Expr[] {
  return e.kind === "logical" ? [e.right] : e.kind === "conditional" ? [e.whenTrue, e.whenFalse] : [];
}
