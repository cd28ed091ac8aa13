/** Spellings and needed features of ops, builtins and barriers in a target, from the capability table. */
import type { BarrierDescriptor, Module, OpCall } from "../../src/ast/nodes.js";
import { walkModule } from "../../src/ast/walk.js";
import { decide, decideBarrier } from "../../src/caps/decide.js";
import type { Dialect } from "../../src/dialects/ids.js";
import { idRow } from "../../src/ops/ids.js";
import type { Profile } from "../../src/ast/profile.js";
import type { OpUse, Spelling } from "../../src/ops/row.js";
import type { Syntax } from "./syntax.js";

export function spellOp(dialect: Dialect, use: OpUse, profile: Profile | undefined): Spelling {
  const decision = decide(use, dialect, profile);
  if (decision.kind !== "native") throw new Error(`${use.op} reached the ${dialect} printer without a spelling`);
  return decision.spelling;
}

export function needsOf(dialect: Dialect, use: OpUse, profile: Profile | undefined): readonly string[] {
  const decision = decide(use, dialect, profile);
  return decision.kind === "native" ? decision.requires : [];
}

/** The calls of a barrier. Passes have made sure that one that waits stands in uniform flow. */
export function spellBarrier(dialect: Dialect, barrier: BarrierDescriptor, profile: Profile | undefined): { readonly calls: readonly string[]; readonly requires: readonly string[] } {
  const written = decideBarrier(barrier, dialect, profile, true);
  if (written.kind === "refused") throw new Error(`a barrier reached the ${dialect} printer: ${written.reason}`);
  return written;
}

/** Names of the predeclared functions a module is written with: those of ops and ids, of operators and of bit casts. */
export function calledNames(syntax: Syntax, module: Module): ReadonlySet<string> {
  const { dialect } = syntax;
  const found = new Set<string>();
  const profile = module.legal?.profile;
  const called = (text: string | undefined): void => {
    const name = text === undefined ? undefined : /^\w+/.exec(text)?.[0];
    if (name !== undefined) found.add(name);
  };
  walkModule(module, {
    expr(e) {
      if (e.kind === "binary") called(syntax.operatorCall(e.operator, e.left.type, e.right.type)?.name);
      if (e.kind === "assign" && e.operator) called(syntax.operatorCall(e.operator, e.compute ?? e.target.type, e.value.type)?.name);
      if (e.kind === "unary") called(syntax.unaryCall(e.operator, e.operand.type));
      if (e.kind === "bitcast" && (e.type.kind === "scalar" || e.type.kind === "vector"))
        called(syntax.bitcast({ text: "x", precedence: 0, type: e.operand.type }, e.type, syntax.typeName(e.type)).text);
      if (e.kind === "builtin") {
        const row = idRow(e.builtin);
        if (dialect === "opencl" && row.opencl) found.add(row.opencl.function);
        if (dialect === "hlsl" && row.hlsl?.kind === "function") found.add(row.hlsl.name);
      }
      if (e.kind !== "op") return;
      const decision = decide(useOf(e), dialect, profile);
      if (decision.kind === "native" && decision.spelling.kind === "call") found.add(decision.spelling.name);
    },
  });
  return found;
}

/** What the table is asked about a call. */
export function useOf(e: OpCall, discarded = false): OpUse {
  return {
    op: e.op,
    operandTypes: e.arguments.map((a) => a.type),
    placeTypes: e.places.map((p) => p.type),
    result: e.type,
    flow: e.promise === "uniform" ? "uniform" : "divergent",
    constants: e.arguments.map((a) => (a.kind === "literal" ? a.value : undefined)),
    ...(e.order ? { order: e.order } : {}),
    ...(e.failureOrder ? { failureOrder: e.failureOrder } : {}),
    ...(e.scope ? { scope: e.scope } : {}),
    ...(e.promise ? { promise: e.promise } : {}),
    ...(discarded ? { discarded } : {}),
    ...(e.arguments.some((a) => a.kind === "splat" && !a.explicit) ? { splats: e.arguments.map((a) => a.kind === "splat" && !a.explicit) } : {}),
  };
}
