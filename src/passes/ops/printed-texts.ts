/**
 * Text that a pointer leads to, for the simulator, which prints numbers: a function keeps its characters and returns how many, and
 * what prints prints as many of those. While pointers are as in the source.
 */
import {
  binary,
  constantOf,
  declare,
  expressionStatement,
  functionCall,
  increment,
  load,
  logical,
  ModuleEditor,
  pointerElement,
  print,
  returnStatement,
  variablePlace,
  whileStatement,
} from "../../ast/builders.js";
import type { Expr, FunctionDeclaration, Print, TopLevel, Variable } from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import { scalar, showType, type Type } from "../../types/types.js";
import type { Pass } from "../pass.js";

const i32 = scalar("i32");
const read = (v: Variable): Expr => load(variablePlace(v));

export const printedTexts: Pass = {
  name: "printed-texts",
  run(module) {
    const editor = new ModuleEditor(module);
    const made = new Map<string, FunctionDeclaration>();
    const keeping = (type: Type): FunctionDeclaration => {
      const key = showType(type);
      const known = made.get(key);
      if (known) return known;
      const f = keepsText(editor, type);
      made.set(key, f);
      return f;
    };
    const rewritten = rewriteModule(module, {
      expr: (e) => (e.kind === "print" ? withKeptTexts(e, keeping) : e),
    });
    if (made.size === 0) return module;
    const helpers = [...made.values()];
    const items = helpers.map((f): TopLevel => ({ kind: "function", function: f.id }));
    const { functions, order } = rewritten;
    const first = order.findIndex((o) => o.kind === "function");
    return editor.finish({
      functions: [...helpers, ...functions],
      order: [...order.slice(0, first), ...items, ...order.slice(first)],
    });
  },
};

function withKeptTexts(e: Print, keeping: (type: Type) => FunctionDeclaration): Expr {
  let taken = 0;
  const args = [...e.arguments];
  const format = e.format.map((p) => {
    if (typeof p === "string") return p;
    const text = args[taken]!;
    const at = taken++;
    if (text.type.kind !== "pointer") return p;
    const { precision = 0x7fffffff, ...how } = p;
    const f = keeping(text.type);
    const given = [text, constantOf(i32, precision)].map((value) => ({ mode: "value" as const, value }));
    args[at] = functionCall(f.id, given, i32, text.span);
    return how;
  });
  return args.some((a, i) => a !== e.arguments[i]) ? { ...e, format, arguments: args } : e;
}

/** `while (n < most && p[n] != 0) { keep(p[n]); n++; }` */
function keepsText(editor: ModuleEditor, type: Type): FunctionDeclaration {
  const p = editor.addParameter("p", type);
  const most = editor.addParameter("most", i32);
  const n = editor.addLocal("n", i32);
  const character = load(pointerElement(read(p), read(n)));
  return editor.helper({
    name: "keep_text",
    emulates: "what %s prints",
    parameters: [p, most],
    returnType: i32,
    statements: [
      declare(n.id, constantOf(i32, 0)),
      whileStatement(
        logical("and", binary("lt", read(n), read(most)), binary("ne", character, constantOf(character.type, 0))),
        [
          expressionStatement(print([{ flags: "", letter: "c", kept: true }], [character])),
          expressionStatement(increment(variablePlace(n), 1, true)),
        ],
      ),
      returnStatement(read(n)),
    ],
  });
}
