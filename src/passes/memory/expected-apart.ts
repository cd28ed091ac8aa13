/**
 * What a compare-exchange expects is a local: OpenCL C takes it from memory of any kind (OpenCL 3.0, 6.15.12.7.4), MSL from `thread` memory
 * alone, and where the object becomes a word, what was expected need not. The memory gets what was found where they differed, and is not
 * written where they did not: another invocation may have been told by then that it may write there.
 */
import { isOwnText } from "../../ast/lookup.js";
import {
  assign,
  block,
  declare,
  expressionStatement,
  ifStatement,
  load,
  ModuleEditor,
  unary,
  variablePlace,
} from "../../ast/builders.js";
import { repeatablePlace } from "../../ast/held-place.js";
import type { Expr, Module, OpCall, Statement } from "../../ast/nodes.js";
import { isPure, walkModule } from "../../ast/walk.js";
import { spaceOf } from "../../ops/use-of.js";
import { Linearizer } from "../../ast/linearize.js";
import type { TextPass } from "../pass.js";

/** It expects what lies in other memory. */
const isOutside = (e: Expr, { variables }: Module): e is OpCall =>
  e.kind === "op" &&
  (e.op === "atomic.compare_exchange_weak" || e.op === "atomic.compare_exchange_strong") &&
  spaceOf(e.places[1]!, variables) !== "private";

export const expectedApart: TextPass = {
  name: "expected-apart",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    let found = false;
    walkModule(module, { expr: (e) => (found ||= isOutside(e, module)) });
    return found ? withLocals(module) : module;
  },
};

function withLocals(module: Module): Module {
  const editor = new ModuleEditor(module);
  const linearizer = new Linearizer(editor, (e) => {
    if (!isOutside(e, module)) return undefined;
    const before: Statement[] = [];
    const kept = (name: string, value: Expr): Expr => {
      const v = editor.addLocal(name, value.type, e.span);
      before.push(declare(v.id, value, e.span));
      return load(variablePlace(v, e.span), e.span);
    };
    const keep = (value: Expr): Expr => kept("at", value);
    const object = repeatablePlace(e.places[0]!, keep);
    const memory = repeatablePlace(e.places[1]!, keep);
    const desired = e.arguments.map((a) => (isPure(a) ? a : kept("desired", a)));
    const expected = editor.addLocal("expected", memory.type, e.span);
    before.push(declare(expected.id, load(memory, e.span), e.span));
    const place = variablePlace(expected, e.span);
    const stored = kept("stored", { ...e, places: [object, place], arguments: desired });
    const found = expressionStatement(assign(memory, load(place, e.span), e.span), e.span);
    before.push(ifStatement(unary("not", stored, e.span), block([found], e.span)));
    return { before, value: stored };
  });
  return editor.finish({ functions: module.functions.map((f) => linearizer.function(f)) });
}
