/**
 * R-SGID: ids of waves before shader model 6.10, with `strict`. Which lanes share a wave is left open, and so is how waves
 * are numbered: the first lane of each takes the next number, before anything else, while all lanes of the workgroup are
 * there. Without `strict` lanes are taken to fill waves in the order of the local index (`computeBuiltins`), which costs
 * nothing.
 */

import { isOwnText } from "../../ast/lookup.js";
import {
  assign,
  barrier,
  binary,
  block,
  boolLiteral,
  builtin,
  expressionStatement,
  ifStatement,
  load,
  ModuleEditor,
  opCall,
  u32Literal,
  variablePlace,
} from "../../ast/builders.js";
import {
  type BuiltinId,
  type Expr,
  type Module,
  type Statement,
  type TopLevel,
  type Variable,
} from "../../ast/nodes.js";
import { rewriteFunction, walkModule } from "../../ast/walk.js";
import { hasAtom } from "../../caps/profiles.js";
import { noSpan, type Span } from "../../support/span.js";
import { u32 } from "../../types/types.js";
import type { TextPass } from "../pass.js";
import { everyoneWaits } from "../lowerings/workgroup.js";

/** Each id by the value it is or is made of. */
const waveIds: Partial<Record<BuiltinId, "wave" | "waves" | "wave_lanes">> = {
  subgroup_id: "wave",
  quad_id: "wave",
  num_subgroups: "waves",
  enqueued_num_subgroups: "waves",
  subgroup_lanes: "wave_lanes",
};

export const strictWaveIds: TextPass = {
  name: "strict-wave-ids",
  run(module, context) {
    const { target, profile } = context;
    if (!context.options.strict || isOwnText(module, target)) return module;
    if (hasAtom(profile, "sm>=6.10") || !hasAtom(profile, "sm>=6.0")) return module;
    const used = new Map<BuiltinId, Span>();
    walkModule(module, {
      expr(e) {
        if (e.kind === "builtin" && waveIds[e.builtin] !== undefined && !used.has(e.builtin))
          used.set(e.builtin, e.span);
      },
    });
    if (used.size === 0) return module;
    for (const [id, span] of used)
      context.note("emulated", `id.${id}`, "waves are numbered as they come, by an atomic counter", span);
    return new Numbering(module, new Set([...used.keys()].map((id) => waveIds[id]!))).run();
  },
};

class Numbering {
  private readonly editor: ModuleEditor;
  private readonly made: Variable[] = [];
  private readonly values: Readonly<Record<string, Variable>>;
  private readonly counter: Variable | undefined;

  constructor(
    private readonly module: Module,
    wanted: ReadonlySet<string>,
  ) {
    this.editor = new ModuleEditor(module);
    // Numbers and their count are taken together.
    const names = new Set(wanted);
    if (names.has("waves")) names.add("wave");
    this.values = Object.fromEntries([...names].map((name) => [name, this.variable(name, "private")]));
    this.counter = names.has("wave") ? this.variable("wave_count", "workgroup") : undefined;
  }

  run(): Module {
    const entries = new Set(this.module.entries.map((e) => e.function));
    const functions = this.module.functions.map((f) => {
      const own = rewriteFunction(f, { expr: (e) => (e.kind === "builtin" ? (this.instead(e.builtin) ?? e) : e) });
      return entries.has(f.id)
        ? { ...own, body: { ...own.body, statements: [...this.opening(), ...own.body.statements] } }
        : own;
    });
    const globals = this.made.map((v): TopLevel => ({ kind: "variable", variable: v.id }));
    const at = this.module.order.findIndex((item) => item.kind === "function");
    const order = [...this.module.order.slice(0, at), ...globals, ...this.module.order.slice(at)];
    return this.editor.finish({ functions, order });
  }

  private variable(name: string, space: "private" | "workgroup"): Variable {
    const v = this.editor.addVariable({ name, type: u32, space, role: "global", constant: false, span: noSpan });
    this.made.push(v);
    return v;
  }

  private instead(id: BuiltinId): Expr | undefined {
    const value = this.values[waveIds[id] ?? ""];
    if (!value) return undefined;
    const number = load(variablePlace(value));
    if (id !== "quad_id") return number;
    const quads = (e: Expr): Expr => binary("div", e, u32Literal(4));
    return binary("add", binary("mul", number, quads(builtin("subgroup_size"))), quads(builtin("lane_id")));
  }

  /** What all lanes of the workgroup do first. */
  private opening(): Statement[] {
    const set = (v: Variable, value: Expr): Statement => expressionStatement(assign(variablePlace(v), value));
    const { wave, waves, wave_lanes: lanes } = this.values;
    const out: Statement[] = [];
    if (lanes) out.push(set(lanes, opCall("subgroup.count_true", [boolLiteral(true)], u32)));
    if (!wave || !this.counter) return out;
    const first = opCall("subgroup.elect", [], { kind: "scalar", scalar: "bool" });
    const next = opCall("atomic.add", [u32Literal(1)], u32, noSpan, {
      places: [variablePlace(this.counter)],
      order: "relaxed",
      scope: "workgroup",
    });
    out.push(
      ifStatement(binary("eq", builtin("local_index"), u32Literal(0)), block([set(this.counter, u32Literal(0))])),
      barrier(everyoneWaits),
      ifStatement(first, block([set(wave, next)])),
      set(wave, opCall("subgroup.broadcast_first", [load(variablePlace(wave))], u32)),
    );
    if (waves) out.push(barrier(everyoneWaits), set(waves, load(variablePlace(this.counter))));
    return out;
  }
}
