/**
 * Asynchronous copies become loops and waits barriers in targets without them, before anything asks how wide elements are or
 * what places are. Events then order nothing: locals that only hold them go, others are numbers.
 */
import { expressionStatement, ModuleEditor, rootVariable } from "../../ast/builders.js";
import { resourceOf } from "../../ast/lookup.js";
import type {
  Expr,
  FunctionDeclaration,
  Module,
  OpCall,
  OpId,
  Place,
  Statement,
  VarId,
  Variable,
} from "../../ast/nodes.js";
import { withPlainTypes } from "../../ast/plain-types.js";
import { isPure, rewriteFunction, walkExpr, walkModule, walkStatement } from "../../ast/walk.js";
import { calledIn } from "../../ops/spell.js";
import { row } from "../../ops/table.js";
import { useOf } from "../../ops/use-of.js";
import { isEvent, type AddressSpace, type Type } from "../../types/types.js";
import { costOf, costWords } from "../analysis/cost.js";
import { Linearizer } from "../../ast/linearize.js";
import { waitByWorkgroupBarrier } from "../lowerings/async-copies.js";
import { applyLowering } from "../lowerings/index.js";
import { Lowerings } from "../lowerings/lowering.js";
import type { TextContext, TextPass } from "../pass.js";

const copies: ReadonlySet<OpId> = new Set<OpId>([
  "workgroup.async_copy",
  "workgroup.async_gather",
  "workgroup.async_scatter",
]);
const wait: OpId = "workgroup.wait_events";
const ops: ReadonlySet<OpId> = new Set<OpId>([...copies, wait, "memory.prefetch"]);

export const asyncCopies: TextPass = {
  name: "async-copies",
  run(module, context) {
    const calls: OpCall[] = [];
    walkModule(module, { expr: (e) => void (e.kind === "op" && ops.has(e.op) && calls.push(e)) });
    if (calls.length === 0) return module;
    const buffersChange = calls.some((e) => copies.has(e.op) && !isFromConstantBuffer(module, e));
    const editor = new ModuleEditor(module);
    const lowerings = new Lowerings(editor, context.target, context.profile, undefined, 1);
    lowerings.source = module.dialect;
    const replaced = (e: Expr) =>
      e.kind === "op" && ops.has(e.op) ? lowered(e, buffersChange, lowerings, module, context) : undefined;
    // A hint that stands alone leaves nothing behind.
    const functions = module.functions.map((f) =>
      new Linearizer(editor, replaced).function(rewriteFunction(f, { statement: (s) => withoutHint(s, replaced) })),
    );
    return withPlainTypes(withoutEvents(editor.finish({ functions })), isEvent);
  },
};

function withoutHint(
  s: Statement,
  replaced: (e: Expr) => { readonly before: readonly Statement[] } | undefined,
): Statement | readonly Statement[] {
  if (s.kind !== "expression" || s.expression.kind !== "op" || s.expression.op !== "memory.prefetch") return s;
  return replaced(s.expression)?.before ?? s;
}

/** Where a call is not as the target has it. */
function lowered(
  e: OpCall,
  buffersChange: boolean,
  lowerings: Lowerings,
  module: Module,
  context: TextContext,
): { readonly before: readonly Statement[]; readonly value: Expr | undefined } | undefined {
  // Of elements of any type: what a target lacks of those is for later passes.
  const decision = row(e.op).cells[context.target].find((c) => c.kind === "lowering");
  if (!decision) return undefined;
  const name = calledIn(module.dialect, useOf(e));
  const result =
    e.op === wait && !buffersChange
      ? waitByWorkgroupBarrier(e, lowerings)
      : applyLowering(decision.lowering, e, lowerings);
  if (result.kind === "refused") {
    context.problems.error("XL3001", `${context.target} cannot do ${name} here: ${result.reason}`, e.span);
    return undefined;
  }
  const made = result.kind === "expression" ? { before: [], value: result.expr } : result;
  const cost = costOf(made, () => undefined);
  const words = copies.has(e.op) ? costWords[cost] : "";
  context.note("emulated", e.op, `${name} is carried out by ${decision.lowering}${words}`, e.span, {
    lowering: decision.lowering,
    cost,
  });
  return made;
}

/** A copy to workgroup memory out of a buffer of the interface that nothing writes. */
function isFromConstantBuffer(module: Module, e: OpCall): boolean {
  const [to, from] = e.places as [Place, Place];
  return spaceOf(module, to) === "workgroup" && resourceOf(module, rootVariable(from))?.access === "read";
}

function spaceOf(module: Module, p: Place): AddressSpace | undefined {
  const root = rootVariable(p);
  if (root !== undefined) return module.variables.get(root)?.space;
  let inner: Place = p;
  while (inner.kind === "element" || inner.kind === "member" || inner.kind === "swizzle") inner = inner.base;
  return inner.kind === "deref" && inner.pointer.type.kind === "pointer" ? inner.pointer.type.space : undefined;
}

// ------------------------------------------------------------------ events

const holdsEvents = (type: Type): boolean =>
  type.kind === "array" ? holdsEvents(type.element) : type.kind === "scalar" && isEvent(type);

/** Without locals of events that are read nowhere but on the way to one another. */
function withoutEvents(module: Module): Module {
  const functions = module.functions.map((f) => withoutEventsOf(f, module.variables));
  return { ...module, functions };
}

function withoutEventsOf(f: FunctionDeclaration, variables: ReadonlyMap<VarId, Variable>): FunctionDeclaration {
  const unread = new Set<VarId>();
  walkStatement(f.body, {
    statement: (s) =>
      void (s.kind === "declare" && holdsEvents(variables.get(s.variable)!.type) && unread.add(s.variable)),
  });
  for (let before = -1; before !== unread.size;) {
    before = unread.size;
    walkStatement(f.body, {
      place: (p) => void (p.kind === "variable" && unread.delete(p.variable)),
      expr: (e) => {
        const target = assignedEvent(e, unread);
        // What is handed on to one that goes is not read.
        if (target && e.kind === "assign") readsBesides(e.value, unread);
        return target === undefined;
      },
      statement: (s) => {
        if (s.kind !== "declare" || !unread.has(s.variable)) return true;
        if (s.initializer) readsBesides(s.initializer, unread);
        return false;
      },
    });
  }
  if (unread.size === 0) return f;
  return rewriteFunction(f, {
    statement: (s) => {
      if (s.kind === "declare" && unread.has(s.variable)) return kept(s.initializer);
      if (s.kind === "expression" && s.expression.kind === "assign" && assignedEvent(s.expression, unread))
        return kept(s.expression.value);
      return s;
    },
  });
}

/** The variable that an assignment gives an event to, of those that go: its place is found without effects. */
function assignedEvent(e: Expr, unread: ReadonlySet<VarId>): VarId | undefined {
  if (e.kind !== "assign" || e.operator !== undefined || !isEvent(e.type)) return undefined;
  const root = rootVariable(e.target);
  const found =
    root !== undefined && unread.has(root) && isPure({ kind: "load", place: e.target, type: e.type, span: e.span });
  return found ? root : undefined;
}

/** Reads of events in an expression with effects, which stays. */
function readsBesides(e: Expr, unread: Set<VarId>): void {
  if (isPure(e)) return;
  walkExpr(e, { place: (p) => void (p.kind === "variable" && unread.delete(p.variable)) });
}

const kept = (value: Expr | undefined): readonly Statement[] =>
  value === undefined || isPure(value) ? [] : [expressionStatement(value, value.span)];
