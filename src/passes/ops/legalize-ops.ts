/** Every op in a form the target has: as it is, by a lowering, or refused. Barriers likewise. */
import {
  construct,
  convert,
  element,
  i32Literal,
  literalValue,
  load,
  ModuleEditor,
  returnStatement,
  variablePlace,
} from "../../ast/builders.js";
import type {
  BarrierDescriptor,
  Expr,
  FunctionDeclaration,
  Module,
  OpCall,
  Resource,
  Statement,
  TopLevel,
} from "../../ast/nodes.js";
import { rewriteFunction } from "../../ast/walk.js";
import { assumed } from "../../ast/assumed.js";
import { decide, decideBarrier } from "../../caps/decide.js";
import { languageFacts, writingFacts } from "../../dialects/languages.js";
import type { Dialect, TargetDialect } from "../../dialects/ids.js";
import { coerce } from "../../ops/coerce.js";
import type { OpUse } from "../../ops/row.js";
import { row, rows } from "../../ops/table.js";
import { calledIn } from "../../ops/spell.js";
import { useOf } from "../../ops/use-of.js";
import { costOf, costWords } from "../analysis/cost.js";
import { analyseFlow, type FlowLevels, type Level } from "../analysis/flow.js";
import { Linearizer } from "../../ast/linearize.js";
import type { TextContext, TextPass } from "../pass.js";
import { lowerBitcast } from "../lowerings/bitcasts.js";
import { roundedToHalf } from "../lowerings/half.js";
import { applyLowering } from "../lowerings/index.js";
import { helperOf, Lowerings } from "../lowerings/lowering.js";
import { setOnce } from "../analysis/ranges.js";
import { roundFloat } from "../../types/numeric.js";
import { append, prepend } from "../../support/append.js";
import type { Span } from "../../support/span.js";
import { scalarOf, shapedLike, type MatrixType } from "../../types/types.js";

export const legalizeOps: TextPass = {
  name: "legalize-ops",
  requires: ["buffers-shaped", "integer-edges-defined"],
  ensures: ["ops-native"],
  run(module, context) {
    return new OpLegalizer(module, context, context.target).run();
  },
};

/** Lanes of the largest workgroup of any entry; undefined where the launch may choose. */
/** Lanes of the widest subgroup that the kernel may run in. */
function widestSubgroup({ options, profile, target }: TextContext): number {
  const own = writingFacts(target).laneMasks === "u64" ? 64 : 128;
  return options.emulateSubgroups ?? profile.device?.subgroupSizes?.at(-1) ?? own;
}

function largestWorkgroup(module: Module, context: TextContext): number | undefined {
  const counts = module.entries.map((e) => {
    const size = e.workgroupSize ?? context.options.workgroupSize;
    return size ? size[0] * size[1] * size[2] : e.maxTotalThreads;
  });
  return counts.every((n) => n !== undefined) ? Math.max(...counts) : undefined;
}

/** What can be done about an op that crosses the lanes of a subgroup. */
function helpFor(e: OpCall): { readonly help: string } | undefined {
  const { effect, family } = row(e.op);
  return effect === "crosslane" && family !== "workgroup"
    ? { help: "--emulate-subgroups n carries subgroups of n lanes out through workgroup memory" }
    : undefined;
}

/** A half that was widened, moved between lanes as a float and not changed. */
const isMovedHalf = (e: Expr): boolean =>
  e.kind === "op" &&
  e.op === "subgroup.shuffle" &&
  e.arguments[0]?.kind === "convert" &&
  scalarOf(e.arguments[0].operand.type) === "f16";

/** The order of the op is about buffers: what is read and written there has to reach the other invocations. */
const needsCoherence = ({ order, failureOrder, memory }: OpUse): boolean =>
  memory?.global === true && [order, failureOrder].some((o) => o !== undefined && o !== "relaxed");

class OpLegalizer {
  private readonly editor: ModuleEditor;
  private readonly lowerings: Lowerings;
  private readonly flow: FlowLevels;
  private readonly wanted = new Set<OpCall>();
  /** What is written to buffers is ordered for other workgroups, too. */
  private coherent = false;

  constructor(
    private readonly module: Module,
    private readonly context: TextContext,
    private readonly target: TargetDialect,
  ) {
    this.editor = new ModuleEditor(module);
    const lanes = largestWorkgroup(module, context);
    this.lowerings = new Lowerings(this.editor, target, context.profile, lanes, widestSubgroup(context));
    this.lowerings.source = module.dialect;
    this.flow = analyseFlow(module);
  }

  run(): Module {
    const functions: FunctionDeclaration[] = [];
    const order: TopLevel[] = [];
    const helpersBefore = new Map<number, FunctionDeclaration[]>();
    for (const f of this.module.functions) {
      const done = this.function(f);
      const helpers = this.helpers();
      helpersBefore.set(f.id, helpers);
      append(functions, helpers);
      functions.push(done);
    }
    const memory = this.lowerings.workgroupVariables().map((v): TopLevel => ({ kind: "variable", variable: v.id }));
    if (memory.length > 0 && this.module.entries.some((e) => !e.workgroupSize)) {
      this.context.note(
        "assumed",
        "workgroup.size",
        `the launch has at most ${this.lowerings.workgroupLanes()} lanes in a workgroup`,
      );
    }
    for (const item of this.module.order) {
      if (item.kind === "function") append(order, memory.splice(0));
      if (item.kind === "function")
        for (const h of helpersBefore.get(item.function) ?? []) order.push({ kind: "function", function: h.id });
      order.push(item);
    }
    const placed = functions.map((f) =>
      rewriteFunction(f, {
        statement: (s) => {
          if (s.kind !== "barrier") return s;
          const answer = this.barrier(s);
          if (answer.coherent) this.coherent = true;
          return { ...s, ...(answer.means ? { barrier: answer.means } : {}), uniform: this.flow.of(s) === 2 };
        },
      }),
    );
    const mark = (r: Resource): Resource => (r.kind === "buffer" && r.access !== "read" ? { ...r, coherent: true } : r);
    const resources =
      this.coherent && this.module.dialect !== this.target ? this.module.resources.map(mark) : this.module.resources;
    return this.editor.finish({ functions: placed, order, resources });
  }

  /** Helpers lowerings asked for, legal themselves, callees first. */
  private helpers(): FunctionDeclaration[] {
    const out: FunctionDeclaration[] = [];
    for (let made = this.lowerings.takeHelpers(); made.length > 0; made = this.lowerings.takeHelpers()) {
      prepend(
        out,
        made.map((h) => this.function(h)),
      );
    }
    return out;
  }

  private function(f: FunctionDeclaration): FunctionDeclaration {
    this.lowerings.origin = this.lowerings.originOf(f.id);
    this.lowerings.locals = setOnce(f);
    const level = this.lowerings.isUniform(f.id) ? 1 : 0;
    return new Linearizer(this.editor, (e, discarded, original) =>
      this.node(e, discarded, original, level, 0),
    ).function(f);
  }

  private levelOf(e: Expr, otherwise: Level): Level {
    return e.kind === "op" && this.flow.has(e) ? this.flow.of(e) : otherwise;
  }

  private node(
    e: Expr,
    discarded: boolean,
    original: Expr,
    otherwise: Level,
    depth: number,
  ): { before: readonly Statement[]; value: Expr | undefined } | undefined {
    const level = this.levelOf(original, otherwise);
    if (e.kind === "op") {
      const call = this.withUniformOperands(e, original);
      return this.op(call, discarded, level, depth) ?? (call === e ? undefined : { before: [], value: call });
    }
    if (e.kind === "convert" && e.operand.kind === "convert" && !e.operand.explicit) {
      // Widened only for the sake of an op that is gone, and narrowed again.
      const plain = coerce(e.operand, e.type);
      return plain === e.operand.operand ? { before: [], value: plain } : undefined;
    }
    const half = this.half(e);
    if (half) return { before: [], value: half };
    if (e.kind !== "bitcast") return undefined;
    const lowered = lowerBitcast(e, this.lowerings);
    return lowered === e ? undefined : this.again([], lowered, discarded, level, depth);
  }

  /**
   * Where the source rounds floats to the nearest half and the target leaves the rounding to the device, the float is made one
   * that half has before.
   */
  private half(e: Expr): Expr | undefined {
    if (e.kind !== "convert" || scalarOf(e.type) !== "f16" || scalarOf(e.operand.type) !== "f32") return undefined;
    const open = (d: Dialect): boolean => languageFacts[d].floatToHalf === "open";
    if (!open(this.target) || open(this.module.dialect)) return undefined;
    const { operand } = e;
    if (operand.kind === "call" && this.lowerings.givesHalves(operand.function)) return undefined;
    if (isMovedHalf(operand)) return undefined;
    const value = literalValue(operand);
    if (typeof value === "number" && Object.is(roundFloat("f16", value), value)) return undefined;
    this.context.note(
      "emulated",
      "convert.f16",
      "a float becomes half by rounding to nearest even on its bits",
      e.span,
    );
    if (e.type.kind === "matrix") return this.halfMatrix(operand, e.type, e.span);
    return { ...e, operand: roundedToHalf(this.lowerings, operand) };
  }

  /** A matrix of halves, each column of which the helper rounds as a vector. */
  private halfMatrix(operand: Expr, type: MatrixType, span: Span): Expr {
    const name = "half_matrix";
    const says = "a matrix of floats as halves, rounded to nearest even";
    const column = shapedLike(type, type.rows);
    return helperOf(
      { arguments: [operand], type, span },
      this.lowerings,
      (_, [m]) => [
        returnStatement(
          construct(
            type,
            Array.from({ length: type.columns }, (_, c) =>
              convert(load(element(variablePlace(m!), i32Literal(c))), column),
            ),
          ),
        ),
      ],
      { name, names: ["m"], says },
    );
  }

  /** MSL wants the delta of a shuffle to be the same in all lanes; where that is shown the shuffle says so from here on. */
  private withUniformOperands(e: OpCall, original: Expr): OpCall {
    const relative = rows.get(e.op)?.from === "distance";
    if (this.target !== "msl" || !relative || original.kind !== "op" || !this.flow.hasUniformOperands(original))
      return e;
    return { ...e, precondition: "uniform-operands" };
  }

  private op(
    e: OpCall,
    discarded: boolean,
    level: Level,
    depth = 0,
  ): { before: readonly Statement[]; value: Expr | undefined } | undefined {
    const { context, target } = this;
    if (depth > 8) throw new Error(`lowerings of ${e.op} do not come to an end`);
    const uniform = e.precondition === "uniform" || level >= 1;
    // What lowerings make stands nowhere in the source: the call it is made for does.
    const span = e.span.end > e.span.start ? e.span : this.lowerings.origin;
    const use = useOf(e, uniform, discarded, this.editor.variables);
    const asked: OpUse = {
      ...use,
      get flow() {
        context.askedForFlow = true;
        return use.flow;
      },
    };
    const decision = decide(asked, target, context.profile);
    // As the user wrote it; what lowerings make is named as in the table.
    const called = (): string => (e.span.end > e.span.start ? calledIn(this.module.dialect, use) : e.op);
    switch (decision.kind) {
      case "native":
        if (needsCoherence(use)) this.coherent = true;
        // Selection asks again without knowing the flow: what flow decided is kept as a precondition.
        if (e.precondition === "uniform" || decision.cell.precondition !== "uniform") return undefined;
        context.askedForFlow = true;
        return !uniform || this.wanted.has(e) ? undefined : this.withPrecondition(e);
      case "refused":
        context.problems.error(
          "XL3001",
          `${target} cannot do ${called()} here: ${decision.reason.replaceAll(e.op, called())}`,
          span,
          helpFor(e),
        );
        return undefined;
      case "lowering": {
        const since = decision.lacks === undefined ? "" : `, since ${decision.lacks}`;
        this.lowerings.origin = span;
        this.lowerings.discarded = discarded;
        this.lowerings.uniform = () => {
          context.askedForFlow = true;
          return uniform;
        };
        const result = applyLowering(decision.lowering, e, this.lowerings);
        if (decision.assumes !== undefined) context.note("assumed", e.op, decision.assumes, e.span);
        switch (result.kind) {
          case "refused":
            context.problems.error("XL3001", `${target} cannot do ${called()} here: ${result.reason}`, span);
            return undefined;
          case "expression":
          case "statements": {
            const { before, value } = result.kind === "expression" ? { before: [], value: result.expr } : result;
            const cost = costOf({ before, value }, (id) => this.lowerings.declaration(id));
            context.note(
              "emulated",
              e.op,
              `${called()} is carried out by ${decision.lowering}${costWords[cost]}${since}`,
              e.span,
              { lowering: decision.lowering, cost },
            );
            return this.again(before, value, discarded, level, depth);
          }
        }
      }
    }
  }

  private withPrecondition(e: OpCall): { before: readonly Statement[]; value: Expr } {
    const value: OpCall = { ...e, precondition: "uniform" };
    this.wanted.add(value);
    return { before: [], value };
  }

  /** What a lowering made is looked at again; operands that were done stay done. */
  private again(
    before: readonly Statement[],
    value: Expr | undefined,
    discarded: boolean,
    level: Level,
    depth: number,
  ): { before: readonly Statement[]; value: Expr | undefined } {
    const inner = new Linearizer(this.editor, (x, d, original) => this.node(x, d, original, level, depth + 1));
    const statements = inner.statements(before);
    if (!value) return { before: statements, value: undefined };
    const l = inner.expr(value, discarded);
    return { before: [...statements, ...l.before], value: l.value };
  }

  private barrier(s: Statement & { kind: "barrier" }): { coherent: boolean; means?: BarrierDescriptor } {
    const { context, target } = this;
    const answer = decideBarrier(s.barrier, target, context.profile, this.flow.of(s) === 2);
    if (answer.kind === "refused") {
      context.problems.error("XL3004", answer.reason, s.span);
      return { coherent: false };
    }
    const all =
      languageFacts[target].subgroupBarrier === "all" &&
      languageFacts[this.module.dialect].subgroupBarrier === "active";
    if (all && answer.means?.execution === "subgroup" && this.flow.of(s) < 1)
      context.note("assumed", "subgroup-barrier", assumed["subgroup-barrier"], s.span);
    if (target !== this.module.dialect)
      for (const more of [s.compiled?.strengthened, answer.strengthened])
        if (more !== undefined) context.note("strengthened", "barrier", more, s.span);
    // The legal tree holds what is written, which may be stronger.
    return { coherent: answer.coherent ?? false, means: answer.means };
  }
}
