/**
 * Elements of arrays of pointers that an index with effects finds (`rows[i++][k]`, `rows[n++] = p`): the index is worked out before, once, since
 * where a pointer leads may be told by several numbers.
 */
import { assign, comma, declare, expressionStatement, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import { repeatablePlace } from "../../ast/held-place.js";
import { noTrivia, type Expr, type Module, type Place, type Statement } from "../../ast/nodes.js";
import { placeIsPure, rewriteFunction, walkModule } from "../../ast/walk.js";

type Accessing = Expr & { kind: "load" | "assign" | "increment" };

export function withHeldIndices(module: Module): Module {
  let found = false;
  walkModule(module, { expr: (e) => void (found ||= isConcerned(e)) });
  if (!found) return module;
  const editor = new ModuleEditor(module);
  const functions = module.functions.map((f) => {
    const made: Statement[] = [];
    const steps = new Set<Expr>();
    const held = (e: Accessing): Expr => {
      const first: Expr[] = [];
      const place = repeatablePlace(placeOf(e), (index) => {
        const v = editor.addLocal("at", index.type, index.span);
        made.push(declare(v.id, undefined, index.span));
        first.push(assign(variablePlace(v, index.span), index, index.span));
        return load(variablePlace(v, index.span));
      });
      const rest: Expr = e.kind === "assign" ? { ...e, target: place } : { ...e, place };
      return first.reduceRight((after, step) => {
        const both = comma(step, after, e.span);
        steps.add(both);
        return both;
      }, rest);
    };
    const next = rewriteFunction(f, {
      expr: (e) => (isConcerned(e) ? held(e) : e),
      statement: (s) => {
        const out: Statement[] = [];
        let rest = s.kind === "expression" ? s.expression : undefined;
        for (; rest?.kind === "comma" && steps.has(rest); rest = rest.right)
          out.push(expressionStatement(rest.left, rest.span));
        return rest && out.length > 0
          ? [
              { ...out[0]!, trivia: s.trivia },
              ...out.slice(1),
              { ...s, expression: rest, trivia: noTrivia } as Statement,
            ]
          : s;
      },
    });
    return made.length === 0 ? f : { ...next, body: { ...next.body, statements: [...made, ...next.body.statements] } };
  });
  return editor.finish({ functions });
}

const placeOf = (e: Accessing): Place => (e.kind === "assign" ? e.target : e.place);

function isConcerned(e: Expr): e is Accessing {
  if (e.kind !== "load" && e.kind !== "assign" && e.kind !== "increment") return false;
  const place = placeOf(e);
  return place.kind === "element" && place.type.kind === "pointer" && !placeIsPure(place);
}
