/** Copies of arrays element by element, for targets and objects that are not assigned as a whole. */
import {
  assign,
  binary,
  declare,
  element,
  expressionStatement,
  i32Literal,
  load,
  variablePlace,
  ModuleEditor,
} from "../../ast/builders.js";
import { noTrivia, type Module, type Place, type Statement, type Variable, type VarId } from "../../ast/nodes.js";
import { placeIsPure, rewriteModule } from "../../ast/walk.js";
import { noSpan, type Span } from "../../support/span.js";
import { i32, type Type } from "../../types/types.js";
import { Linearizer } from "../../ast/linearize.js";

/** `target = source` as loops over the elements. Both have the same length, and naming them again changes nothing. */
export function copyLoop(editor: ModuleEditor, target: Place, source: Place, span: Span): Statement {
  if (target.type.kind !== "array") return expressionStatement(assign(target, load(source), span), span);
  const { length } = target.type;
  if (length === undefined) throw new Error("an array of unknown length is copied");
  const k = editor.addLocal("k", i32);
  const at = (p: Place): Place => element(p, load(variablePlace(k)), span);
  return {
    kind: "for",
    initializer: [declare(k.id, i32Literal(0))],
    condition: binary("lt", load(variablePlace(k)), i32Literal(length)),
    step: { kind: "increment", place: variablePlace(k), delta: 1, prefix: false, type: i32, span: noSpan },
    body: copyLoop(editor, at(target), at(source), span),
    span,
    trivia: noTrivia,
  };
}

/** Whole loads of the variables and assignments to them become loops; their types still have the lengths. */
export function copiedByElements(module: Module, variables: ReadonlySet<VarId>): Module {
  const whole = (p: Place): boolean => p.kind === "variable" && variables.has(p.variable);
  const editor = new ModuleEditor(module);
  const direct = rewriteModule(module, {
    statement(s) {
      if (s.kind === "declare" && s.initializer?.kind === "load" && whole(s.initializer.place)) {
        const { initializer, ...bare } = s;
        const v = editor.variables.get(s.variable)!;
        editor.setVariable({ ...v, constant: false });
        return [bare, copyLoop(editor, variablePlace(v), initializer.place, s.span)];
      }
      if (s.kind !== "expression" || s.expression.kind !== "assign" || s.expression.value.kind !== "load") return s;
      const { target, value } = s.expression;
      if (!(whole(target) || whole(value.place)) || !placeIsPure(target) || !placeIsPure(value.place)) return s;
      return { ...copyLoop(editor, target, value.place, s.span), trivia: s.trivia };
    },
  });
  const local = (type: Type): Variable => editor.addLocal("list", type, noSpan);
  const functions = direct.functions.map((f) =>
    new Linearizer(editor, (e, discarded) => {
      if (e.kind === "load" && whole(e.place)) {
        const t = local(e.type);
        const place = variablePlace(t);
        return { before: [declare(t.id), copyLoop(editor, place, e.place, e.span)], value: load(place, e.span) };
      }
      if (e.kind !== "assign" || !whole(e.target)) return undefined;
      const t = local(e.type);
      const place = variablePlace(t);
      return {
        before: [declare(t.id, e.value), copyLoop(editor, e.target, place, e.span)],
        value: discarded ? undefined : load(place, e.span),
      };
    }).function(f),
  );
  return editor.finish({ functions, resources: direct.resources });
}
