/**
 * Workgroup memory that begins as zeros: GLSL's `shared float sums[64] = {};` (GL_EXT_null_initializer). No other language
 * has that, so a kernel begins with writing them, its invocations sharing the elements of arrays, and a barrier.
 */
import {
  assign,
  barrier,
  binary,
  builtin,
  declare,
  element,
  expressionStatement,
  ifStatement,
  literal,
  load,
  ModuleEditor,
  swizzleValue,
  variablePlace,
  whileStatement,
} from "../ast/builders.js";
import type { EntryPoint, Expr, Module, Statement, VarId } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { u32 } from "../types/types.js";
import { zeroOf } from "./construct.js";
import type { Sema } from "./context.js";

export function withZeroedWorkgroup(s: Sema, module: Module<"canonical">): Module<"canonical"> {
  if (s.zeroedWorkgroup.length === 0) return module;
  const editor = new ModuleEditor(module);
  const functions = module.functions.map((f) => {
    const entry = module.entries.find((e) => e.function === f.id);
    if (!entry) return f;
    const zeroed = s.zeroedWorkgroup.flatMap((id) => zeroedVariable(s, editor, entry, id));
    const meet = barrier(
      {
        execution: "workgroup",
        memory: { workgroup: true, global: false, image: false },
        scope: "workgroup",
        order: "acq_rel",
      },
      f.nameSpan,
    );
    return { ...f, body: { ...f.body, statements: [...zeroed, meet, ...f.body.statements] } };
  });
  return editor.finish({ functions });
}

function zeroedVariable(
  s: Sema,
  editor: ModuleEditor<Module<"canonical">>,
  entry: EntryPoint,
  id: VarId,
): readonly Statement[] {
  const v = s.variables.get(id)!;
  const { type, span } = v;
  const place = variablePlace(v, span);
  const lane = builtin("local_index", span);
  if (type.kind !== "array" || type.length === undefined || type.length < 2) {
    const first = binary("eq", lane, literal("u32", 0, span), span);
    return [
      ifStatement(first, expressionStatement(assign(place, zeroOf(s, type, span)!, span), span), undefined, span),
    ];
  }
  const k = editor.addLocal("k", u32, span);
  const at = variablePlace(k, span);
  const inside = binary("lt", load(at, span), literal("u32", type.length, span), span);
  return [
    declare(k.id, lane, span),
    whileStatement(
      inside,
      [
        expressionStatement(assign(element(place, load(at, span), span), zeroOf(s, type.element, span)!, span), span),
        expressionStatement(assign(at, binary("add", load(at, span), invocations(entry, span), span), span), span),
      ],
      span,
    ),
  ];
}

/** How many invocations a workgroup has. */
function invocations({ workgroupSize }: EntryPoint, span: Span): Expr {
  if (workgroupSize)
    return literal(
      "u32",
      workgroupSize.reduce((a, b) => a * b),
      span,
    );
  const size = (i: number): Expr => swizzleValue(builtin("workgroup_size", span), [i], span);
  return binary("mul", binary("mul", size(0), size(1), span), size(2), span);
}
