/**
 * What prints, for targets whose kernels cannot: arguments are evaluated where that does anything, and it is assumed that nobody
 * reads the text.
 */
import { isOwnText } from "../../ast/lookup.js";
import { comma } from "../../ast/builders.js";
import type { Expr, Module, Print, Statement } from "../../ast/nodes.js";
import { isPure, rewriteModule, walkModule } from "../../ast/walk.js";
import { hasAtom } from "../../caps/profiles.js";
import { writingFacts } from "../../dialects/languages.js";
import type { TextContext, TextPass } from "../pass.js";
import { ReducedValues } from "../pointers/bare-values.js";
import { canPrint } from "../select/print-calls.js";

export const prints: TextPass = {
  name: "prints",
  run(module, context) {
    const gone = dropped(module, context);
    if (gone.size === 0) return module;
    const rest = (e: Expr): Expr | undefined => {
      if (e.kind === "print" && gone.has(e.format)) return sequence(e.arguments.filter((a) => !isPure(a)));
      if (e.kind !== "comma") return e;
      const [left, right] = [rest(e.left), rest(e.right)];
      if (left === e.left && right === e.right) return e;
      return left && right ? { ...e, left, right } : (left ?? right);
    };
    const onlyPrints = (s: Statement): boolean => {
      if (s.trivia.leading.length + s.trivia.trailing.length > 0) return false;
      if (s.kind === "expression") return rest(s.expression) === undefined;
      if (s.kind === "block") return s.statements.length > 0 && s.statements.every(onlyPrints);
      return s.kind === "if" && isPure(s.condition) && onlyPrints(s.then) && (!s.else || onlyPrints(s.else));
    };
    // `if (i == 0) printf(...);` is gone with what it asks for.
    const kept = rewriteModule(module, { statement: (s) => (s.kind === "if" && onlyPrints(s) ? [] : s) });
    const values = new ReducedValues(rest, (e) => (e.kind === "comma" && rest(e.left) !== e.left ? rest(e)! : e));
    return values.run(kept);
  },
};

/** Formats of what the target cannot print. Rewriting keeps a format as it is. */
function dropped(module: Module, context: TextContext): ReadonlySet<Print["format"]> {
  const { target, profile } = context;
  const writing = writingFacts(target).prints;
  const known =
    writing && (isOwnText(module, target) || writing.needs === undefined || hasAtom(profile, writing.needs));
  const gone = new Set<Print["format"]>();
  walkModule(module, {
    expr(e) {
      if (e.kind !== "print" || (known && canPrint(e, writing))) return;
      gone.add(e.format);
      context.note("assumed", "print", "nobody reads what is printed here", e.span);
    },
  });
  return gone;
}

const sequence = (list: readonly Expr[]): Expr | undefined =>
  list.length === 0 ? undefined : list.reduce((a, b) => comma(a, b, b.span));
