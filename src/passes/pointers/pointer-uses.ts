/** What a function does with its pointer parameters: whether what they point at is read or written, and whether they meet. */
import type { Expr, FunctionDeclaration, FunctionId, Place, Statement, VarId } from "../../ast/nodes.js";
import { walkExpr, walkPlace, walkStatement } from "../../ast/walk.js";
import { onceEach } from "../../support/once.js";
import { isArrayOfPointers } from "../../types/types.js";
import { rootVariable } from "../../ast/builders.js";
import { assignedAgain, isLoadOf, mentionsAny } from "./pointer-values.js";

/** Of what a pointer parameter points at: no access, one on some paths, one wherever the function returns. */
export type Access = "never" | "sometimes" | "always";

export class PointerUses {
  private readonly accesses = new Map<VarId, Access>();
  private readonly casting = new Map<VarId, boolean>();
  private readonly writing = new Map<VarId, boolean>();
  private readonly meeting = new Map<FunctionId, boolean>();

  constructor(private readonly functions: ReadonlyMap<FunctionId, FunctionDeclaration>) {}

  access(f: FunctionDeclaration, p: VarId): Access {
    let known = this.accesses.get(p);
    if (known === undefined) {
      known = !this.accessed(f, p)
        ? "never"
        : !assignedAgain(f, p) && f.body.statements.some(this.reaches(p))
          ? "always"
          : "sometimes";
      this.accesses.set(p, known);
    }
    return known;
  }

  /** Pointers of the function are compared, subtracted or exchanged: their places are then told apart by indices only. */
  meet(f: FunctionDeclaration): boolean {
    let known = this.meeting.get(f.id);
    if (known === undefined) {
      known = f.returnType.kind === "pointer";
      walkStatement(f.body, {
        expr: (e) => {
          known ||=
            (e.kind === "binary" &&
              e.left.type.kind === "pointer" &&
              e.left.kind !== "null-pointer" &&
              e.right.kind !== "null-pointer") ||
            (e.type.kind === "pointer" &&
              (e.kind === "conditional" || (e.kind === "assign" && e.operator === undefined))) ||
            (e.kind === "call" &&
              e.arguments.some((a) => a.mode === "value" && a.value.type.kind === "pointer") &&
              this.meet(this.functions.get(e.function)!));
          return !known;
        },
        statement: () => !known,
      });
      this.meeting.set(f.id, known);
    }
    return known;
  }

  /** The parameter, or what a pointer got from it, is taken for a pointer to something else. */
  casts(f: FunctionDeclaration, p: VarId): boolean {
    let known = this.casting.get(p);
    if (known === undefined) {
      this.casting.set(p, (known = false));
      const from = this.derived(f, p);
      const isFrom = (e: Expr): boolean => mentionsAny(e, from);
      walkStatement(f.body, {
        expr: (e) => {
          known ||= e.kind === "bitcast" && e.type.kind === "pointer" && isFrom(e.operand);
          if (e.kind === "call") {
            const g = this.functions.get(e.function)!;
            e.arguments.forEach((a, i) => {
              const given = a.mode === "value" ? a.value : undefined;
              const hands = given
                ? given.type.kind === "pointer" && isFrom(given)
                : a.mode !== "value" && isPlaceFrom(a.place, from);
              if (hands) known ||= this.casts(g, g.parameters[i]!);
            });
          }
          return !known;
        },
        statement: () => !known,
      });
      this.casting.set(p, known);
    }
    return known;
  }

  /** What the parameter leads to is written, be it to const: where a cast takes the const away. */
  writes(f: FunctionDeclaration, p: VarId): boolean {
    let known = this.writing.get(p);
    if (known === undefined) {
      this.writing.set(p, (known = false));
      const from = this.derived(f, p);
      walkStatement(f.body, {
        place: (place, use) => {
          known ||= use !== "read" && use !== "address" && place.kind === "deref" && mentionsAny(place.pointer, from);
          return !known;
        },
        expr: (e) => {
          if (e.kind === "call") {
            const g = this.functions.get(e.function)!;
            e.arguments.forEach((a, i) => {
              const hands =
                a.mode === "value"
                  ? a.value.type.kind === "pointer" && mentionsAny(a.value, from)
                  : isPlaceFrom(a.place, from);
              if (hands) known ||= this.writes(g, g.parameters[i]!);
            });
          }
          return !known;
        },
        statement: () => !known,
      });
      this.writing.set(p, known);
    }
    return known;
  }

  private accessed(f: FunctionDeclaration, p: VarId): boolean {
    const from = this.derived(f, p);
    const isFrom = (e: Expr): boolean => mentionsAny(e, from);
    let found = false;
    walkStatement(f.body, {
      // A place that no `&` takes apart again is read or written.
      place: (place, use) => {
        if (place.kind === "deref" && use !== "address" && isFrom(place.pointer)) found = true;
        return !found;
      },
      expr: (e) => {
        if (e.kind === "call") {
          const g = this.functions.get(e.function)!;
          e.arguments.forEach((a, i) => {
            if (
              a.mode === "value" &&
              a.value.type.kind === "pointer" &&
              isFrom(a.value) &&
              this.access(g, g.parameters[i]!) !== "never"
            )
              found = true;
          });
        }
        return !found;
      },
    });
    return found;
  }

  /** The parameter and the pointers of the function that may have got its value. */
  private derived(f: FunctionDeclaration, p: VarId): ReadonlySet<VarId> {
    const set = new Set([p]);
    // What is added while the set is gone through comes up in its turn.
    for (const from of set)
      takersIn(f)
        .get(from)
        ?.forEach((to) => set.add(to));
    return set;
  }

  /** A statement that accesses what `p` points at whenever it is reached, given that all before it go on to it. */
  private reaches(p: VarId): (s: Statement) => boolean {
    let open = true;
    return (s) => {
      if (!open) return false;
      const found =
        s.kind === "block" ? s.statements.some(this.reaches(p)) : unconditional(s).some((e) => this.surely(e, p));
      walkStatement(s, { statement: (x) => void (x.kind === "return" && (open = false)) });
      return found;
    };
  }

  private surely(e: Expr, p: VarId): boolean {
    let found = false;
    walkExpr(e, {
      place: (place, use) =>
        void (place.kind === "deref" && use !== "address" && isLoadOf(place.pointer, p) && (found = true)),
      expr: (x) => {
        if (x.kind === "logical") found ||= this.surely(x.left, p);
        if (x.kind === "conditional") found ||= this.surely(x.condition, p);
        if (x.kind === "call") {
          const g = this.functions.get(x.function)!;
          x.arguments.forEach((a, i) => {
            if (a.mode === "value" && isLoadOf(a.value, p) && this.access(g, g.parameters[i]!) === "always")
              found = true;
          });
        }
        return !found && x.kind !== "logical" && x.kind !== "conditional";
      },
    });
    return found;
  }
}

function isPlaceFrom(place: Place, from: ReadonlySet<VarId>): boolean {
  let found = false;
  walkPlace(place, { place: (p) => void (p.kind === "variable" && from.has(p.variable) && (found = true)) }, "read");
  return found;
}

/** What a statement evaluates whenever it is reached. */
function unconditional(s: Statement): readonly Expr[] {
  switch (s.kind) {
    case "declare":
      return s.initializer ? [s.initializer] : [];
    case "expression":
      return [s.expression];
    case "if":
    case "while":
      return [s.condition];
    case "switch":
      return [s.value];
    case "for":
      return [...s.initializer.flatMap(unconditional), ...(s.condition ? [s.condition] : [])];
    case "return":
      return s.value ? [s.value] : [];
    default:
      return [];
  }
}

/** By the variable that a value mentions: the pointers of the function that get the value. */
const takersIn = onceEach((f: FunctionDeclaration): ReadonlyMap<VarId, ReadonlySet<VarId>> => {
  const takers = new Map<VarId, Set<VarId>>();
  const takes = (to: VarId, value: Expr): void =>
    walkExpr(value, {
      place: (p) => {
        if (p.kind !== "variable") return;
        const known = takers.get(p.variable);
        if (known) known.add(to);
        else takers.set(p.variable, new Set([to]));
      },
    });
  walkStatement(f.body, {
    statement: (s) => {
      if (s.kind !== "declare" || !s.initializer) return;
      if (s.initializer.type.kind === "pointer" || isArrayOfPointers(s.initializer.type))
        takes(s.variable, s.initializer);
    },
    expr: (e) => {
      const root = e.kind === "assign" && e.type.kind === "pointer" ? rootVariable(e.target) : undefined;
      if (e.kind === "assign" && root !== undefined) takes(root, e.value);
    },
  });
  return takers;
});
