/**
 * `--emulate-subgroups W`: kernels with cross-lane ops for targets without them (OpenCL C 1.2, shader model 5), through
 * workgroup memory (cross-lane.md section 2.1). W consecutive local indices are a subgroup. Ids and sizes of lanes and
 * subgroups are worked out from the local index; subgroup barriers become workgroup barriers.
 *
 * Preconditions: the workgroup size is known, W is a power of two, and the flow can be brought into a form in which every
 * lane of the workgroup reaches every op (predicate.ts).
 */
import { calledIn } from "../../ops/spell.js";
import { functionOf } from "../../ast/lookup.js";
import {
  barrier,
  boolLiteral,
  builtin,
  declare,
  ModuleEditor,
  swizzleValue,
  variablePlace,
  load,
  opCall,
} from "../../ast/builders.js";
import {
  type Barrier,
  type EntryPoint,
  type Expr,
  type FunctionCall,
  type FunctionDeclaration,
  type FunctionId,
  type Module,
  type OpCall,
  type Statement,
  type TopLevel,
  type VarId,
} from "../../ast/nodes.js";
import { allowsWidth, usesSubgroups, widthsIn } from "../../ast/subgroups.js";
import { rewriteExpr, rewriteFunction, walkStatement, type Rewriter } from "../../ast/walk.js";
import { profileOf } from "../../caps/decide.js";
import type { TargetDialect } from "../../dialects/ids.js";
import { coerce } from "../../ops/coerce.js";
import { inSet, variableOf } from "../../ops/spell.js";
import type { LoweringCell } from "../../ops/row.js";
import { row } from "../../ops/table.js";
import { add, and, div, k, mul, sub } from "../../ops/trees.js";
import { u32 } from "../../types/types.js";
import { CallGraph } from "../interface/select-entries.js";
import { analyseFlow, callersFirst } from "../analysis/flow.js";
import { useOf } from "../../ops/use-of.js";
import { Linearizer } from "../../ast/linearize.js";
import type { PassContext, TextPass } from "../pass.js";
import { applyLowering } from "../lowerings/index.js";
import { Lowerings } from "../lowerings/lowering.js";
import { needsActive, throughMemory, type Subgroups } from "./memory-ops.js";
import { Predicator, type Predication } from "./predicate.js";
import { append, prepend } from "../../support/append.js";
import { writingFacts } from "../../dialects/languages.js";

export const emulateSubgroups: TextPass = {
  name: "emulate-subgroups",
  run(module, context) {
    const width = context.options.emulateSubgroups;
    if (width === undefined || !usesSubgroups(module)) return module;
    const groups = groupsOf(module, context, width);
    return groups ? new Emulation(module, context, context.target, groups).run() : module;
  },
};

const crossesSubgroup = (e: Expr): e is OpCall => {
  if (e.kind !== "op") return false;
  const r = row(e.op);
  return r.effect === "crosslane" && r.family !== "workgroup";
};

function groupsOf(module: Module, context: PassContext, width: number): Subgroups | undefined {
  let lanes = 0;
  let whole = true;
  let flat = true;
  const counts = new Set<number>();
  for (const e of module.entries) {
    const size = e.workgroupSize ?? context.options.workgroupSize;
    if (!size) {
      context.problems.error(
        "XL4003",
        `subgroups are emulated in workgroup memory, and the size of ${e.name}'s workgroups is not known`,
        undefined,
        {
          help: "give it with --workgroup-size",
        },
      );
      return undefined;
    }
    if (!allowsWidth(e.subgroupSizes, width)) {
      context.problems.error(
        "XL4010",
        `${e.name} is written for subgroups of ${widthsIn(e.subgroupSizes!).join(" or ")} lanes, and --emulate-subgroups asks for ${width}`,
      );
      return undefined;
    }
    const count = size[0] * size[1] * size[2];
    lanes = Math.max(lanes, count);
    counts.add(count);
    if (count % width !== 0) whole = false;
    if (size[1] * size[2] !== 1) flat = false;
  }
  const part = (axis: number): Expr => swizzleValue(builtin("workgroup_size"), [axis]);
  return {
    width,
    lanes,
    whole,
    index: () => (flat ? swizzleValue(builtin("local_id"), [0]) : builtin("local_index")),
    // Kernels of different sizes share the helpers.
    size: () => (counts.size === 1 ? k(u32, lanes) : [0, 1, 2].map(part).reduce((a, b) => mul(a, b))),
  };
}

class Emulation {
  private readonly editor: ModuleEditor;
  private readonly lowerings: Lowerings;
  private readonly calledBySome = new Set<FunctionId>();
  private readonly working = new Set<FunctionId>();
  /** Variables that hold the result of one op or call, read once. */
  private readonly temporaries = new Set<VarId>();

  constructor(
    private readonly module: Module,
    private readonly context: PassContext,
    target: TargetDialect,
    private readonly groups: Subgroups,
  ) {
    this.editor = new ModuleEditor(module);
    const profile = profileOf(target, context.profile);
    this.lowerings = new Lowerings(this.editor, target, profile, groups.lanes, groups.width);
  }

  run(): Module {
    const flat = this.flattened();
    const flow = analyseFlow(flat);
    const predication: Predication = {
      isOp: crossesSubgroup,
      isCall: (e): e is FunctionCall => e.kind === "call" && this.working.has(e.function),
      isUniform: (node: OpCall | FunctionCall | Barrier) => flow.of(node) === 2,
      op: (e, active) => this.op(e, active),
      calledBySome: (id) => void this.calledBySome.add(id),
      isCalledBySome: (id) => this.calledBySome.has(id),
      isTemporary: (id) => this.temporaries.has(id),
      refuse: (message, span) => this.context.problems.error("XL4010", message, span),
    };
    // Callers first: they find out which functions are called while some lanes take no part.
    const done = new Map<FunctionId, FunctionDeclaration>();
    const helpersBefore = new Map<FunctionId, FunctionDeclaration[]>();
    for (const f of callersFirst(flat)) {
      const predicated = this.working.has(f.id)
        ? new Predicator(flat, this.editor, predication).function(f, this.calledBySome.has(f.id))
        : f;
      done.set(f.id, this.finished(predicated));
      helpersBefore.set(f.id, this.helpers());
    }
    for (const [id, f] of done) done.set(id, rewriteFunction(f, { expr: (e) => this.toldWhoTakesPart(e) }));
    return this.assembled(flat, done, helpersBefore);
  }

  /** Every op and every call of a function with one in a statement of its own. */
  private flattened(): Module {
    const graph = new CallGraph(this.module);
    const direct = new Set<FunctionId>();
    for (const f of this.module.functions) {
      walkStatement(f.body, {
        expr: (e) => void (crossesSubgroup(e) && direct.add(f.id)),
        statement: (s) => void (s.kind === "barrier" && direct.add(f.id)),
      });
    }
    for (const f of this.module.functions) {
      if ([...graph.reachable([f.id])].some((id) => direct.has(id))) this.working.add(f.id);
    }
    const linearizer = new Linearizer(this.editor, (e, discarded) => {
      const own = crossesSubgroup(e) || (e.kind === "call" && this.working.has(e.function));
      if (!own || discarded || e.type.kind === "void") return undefined;
      const t = this.editor.addLocal("value", e.type);
      linearizer.settled.add(t.id);
      this.temporaries.add(t.id);
      return { before: [declare(t.id, e)], value: load(variablePlace(t)) };
    });
    const functions = this.module.functions.map((f) => (this.working.has(f.id) ? linearizer.function(f) : f));
    return this.editor.finish({ functions });
  }

  // ---------------------------------------------------------------- ops

  /** What stands for an op: a helper through workgroup memory, or a lowering made of such helpers. */
  private op(call: OpCall, active: Expr | undefined, depth = 0): Expr {
    const e = { ...call, arguments: call.arguments.map(withoutNarrowing) };
    if (depth > 8) throw new Error(`lowerings of ${e.op} do not come to an end`);
    const direct = throughMemory(e, active, this.groups, this.lowerings);
    if (direct) {
      this.context.note(
        "emulated",
        e.op,
        `${calledIn(this.module.dialect, useOf(e))} goes through workgroup memory, ${this.groups.width} lanes a subgroup`,
        e.span,
        {
          lowering: "workgroup-memory",
          cost: "workgroup-memory",
        },
      );
      return direct;
    }
    const lowering = loweringOf(e);
    const made = lowering ? applyLowering(lowering, e, this.lowerings) : undefined;
    if (made?.kind !== "expression") {
      this.context.problems.error(
        "XL3001",
        `${calledIn(this.module.dialect, useOf(e))} has no form through workgroup memory for these operands`,
        e.span,
      );
      return e;
    }
    return rewriteExpr(made.expr, {
      expr: (x) =>
        x.kind === "builtin"
          ? this.builtin(x)
          : crossesSubgroup(x) && !e.arguments.includes(x)
            ? this.op({ ...x, span: e.span }, active, depth + 1)
            : x,
    });
  }

  /** Ops that all lanes reach, ids and barriers. */
  private get rewriter(): Rewriter {
    return {
      expr: (e) => (crossesSubgroup(e) ? this.op(e, undefined) : e.kind === "builtin" ? this.builtin(e) : e),
      statement: (s) => (s.kind === "barrier" && s.barrier.execution === "subgroup" ? this.barrier(s) : s),
    };
  }

  private finished(f: FunctionDeclaration): FunctionDeclaration {
    return rewriteFunction(f, this.rewriter);
  }

  private builtin(e: Expr & { kind: "builtin" }): Expr {
    const { width, whole } = this.groups;
    const index = this.groups.index();
    const size = this.groups.size();
    const groups = (of: number): Expr =>
      size.kind === "literal" ? k(u32, Math.ceil(Number(size.value) / of)) : div(add(size, k(u32, of - 1)), k(u32, of));
    switch (e.builtin) {
      case "lane_id":
        return and(index, k(u32, width - 1));
      case "subgroup_size":
        return k(u32, width);
      case "subgroup_id":
        return div(index, k(u32, width));
      case "num_subgroups":
      case "enqueued_num_subgroups":
        return groups(width);
      case "subgroup_lanes":
        return whole
          ? k(u32, width)
          : opCall("math.min", [k(u32, width), sub(size, and(index, k(u32, 2 ** 32 - width)))], u32);
      case "quad_lane_id":
        return and(index, k(u32, 3));
      case "quad_id":
        return div(index, k(u32, 4));
      case "num_quads":
        return groups(4);
      default:
        return e;
    }
  }

  private barrier(s: Barrier): Statement {
    this.context.note(
      "strengthened",
      "barrier",
      "a subgroup barrier becomes a workgroup barrier, subgroups being emulated",
      s.span,
    );
    return barrier(
      { ...s.barrier, execution: "workgroup", scope: s.barrier.scope === "subgroup" ? "workgroup" : s.barrier.scope },
      s.span,
      s.trivia,
    );
  }

  /** A call of all lanes, seen before another showed that the function has to be told. */
  private toldWhoTakesPart(e: Expr): Expr {
    if (e.kind !== "call" || !this.calledBySome.has(e.function)) return e;
    const { parameters } = functionOf(this.module, e.function)!;
    if (e.arguments.length > parameters.length) return e;
    return { ...e, arguments: [...e.arguments, { mode: "value", value: boolLiteral(true) }] };
  }

  /** Helpers lowerings made; ops in them are told of no lane that takes no part, so that only moves may stand there. */
  private helpers(): FunctionDeclaration[] {
    const out: FunctionDeclaration[] = [];
    for (let made = this.lowerings.takeHelpers(); made.length > 0; made = this.lowerings.takeHelpers()) {
      for (const h of made) {
        walkStatement(h.body, {
          expr: (e) => {
            if (crossesSubgroup(e) && needsActive(e.op))
              this.context.problems.error(
                "XL3001",
                `${calledIn(this.module.dialect, useOf(e))} has no form through workgroup memory inside ${h.name}`,
                h.span,
              );
          },
        });
      }
      prepend(
        out,
        made.map((h) => this.finished(h)),
      );
    }
    return out;
  }

  private assembled(
    flat: Module,
    done: ReadonlyMap<FunctionId, FunctionDeclaration>,
    before: ReadonlyMap<FunctionId, FunctionDeclaration[]>,
  ): Module {
    const helpers = [...before.values()].flat();
    // Callees stand first: helpers use one another, and none of the source's functions.
    const functions = [...helpers, ...flat.functions.map((f) => done.get(f.id) ?? f)];
    // The arrays are as long as these workgroups; where the target can say so, it does.
    const entries = flat.entries.map((e) => (e.workgroupSize ? e : this.sized(e)));
    const order: TopLevel[] = [];
    const memory = this.lowerings.workgroupVariables().map((v): TopLevel => ({ kind: "variable", variable: v.id }));
    let placed = false;
    for (const item of flat.order) {
      if (item.kind === "function" && !placed) {
        append(order, memory);
        append(
          order,
          helpers.map((h): TopLevel => ({ kind: "function", function: h.id })),
        );
        placed = true;
      }
      order.push(item);
    }
    return this.editor.finish({ functions, order, entries });
  }

  /** Where the text can only say how many lanes there are at most, the size is left to the launch. */
  private sized(e: EntryPoint): EntryPoint {
    const size = this.context.options.workgroupSize!;
    if (!writingFacts(this.context.target)?.boundsWorkgroups) return { ...e, workgroupSize: size };
    this.context.note(
      "assumed",
      "workgroup.launched",
      `the launch has workgroups of ${size.join(" x ")} lanes, none of them partial`,
    );
    return { ...e, workgroupSize: size, maxTotalThreads: e.maxTotalThreads ?? size[0] * size[1] * size[2] };
  }
}

/** MSL narrows lanes and distances to 16 bits and the op widens them again; a lane above 65535 there is none. */
const withoutNarrowing = (e: Expr): Expr =>
  e.kind === "convert" && e.operand.kind === "convert" && !e.operand.explicit ? coerce(e.operand, e.type) : e;

/** The lowering of any dialect that makes the op of others; those that need lanes told apart have forms of their own. */
function loweringOf(e: OpCall): string | undefined {
  const r = row(e.op);
  const use = useOf(e, true, false);
  const t = variableOf(r, use);
  const fits = (c: { readonly kind: string }): c is LoweringCell => {
    const cell = c as LoweringCell;
    return (
      cell.kind === "lowering" && (!cell.on || (t !== undefined && inSet(cell.on, t))) && (!cell.when || cell.when(use))
    );
  };
  return (r.cells.hlsl.find(fits) ?? r.cells.opencl.find(fits) ?? r.cells.glsl.find(fits) ?? r.cells.msl.find(fits))
    ?.lowering;
}
