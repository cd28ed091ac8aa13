/**
 * The normal form in which two programs are compared (docs/design/same-program.md): lines whose keys are equal where they do the
 * same, whatever locals, objects and labels are called. What it leaves out is on the written list there, and nothing else.
 */
import { assertNever } from "../support/assert-never.js";
import type { CallPrecondition } from "../ast/nodes.js";
import type {
  Address,
  BoundaryForm,
  Code,
  LabelId,
  LocalId,
  MachineExpr,
  MachineScalar,
  RegionBarrier,
  ObjectId,
  Operation,
} from "../regions/tree.js";
import { bitWidth, isInteger, isSigned, type ScalarKind } from "../types/types.js";
import { wrapInteger } from "../types/numeric.js";
import type { Span } from "../support/span.js";

/** `objects`: as in both programs alike. */
export interface ComparedBarrier extends Omit<RegionBarrier, "objects"> {
  readonly objects?: readonly NodeId[];
}

/** One statement, or where a body of one begins or ends. */
export interface Line {
  readonly key: string;
  readonly span: Span;
  /** What is evaluated here and whose edges its dialect leaves open, as nodes of the normal form. */
  readonly open: ReadonlySet<NodeId>;
  readonly barrier?: ComparedBarrier;
  /** What it takes for granted of the lanes that come here. */
  readonly demands?: readonly ("all" | CallPrecondition)[];
}

/** A value, of either program: the same number for the same computation. */
export type NodeId = number;

/** Gives equal computations equal numbers, for all programs that share it. */
export class Nodes {
  private readonly ids = new Map<string, NodeId>();
  private readonly known: Node[] = [];

  of(node: Node): NodeId {
    const key = [node.what, ...node.parts].join(" ");
    let id = this.ids.get(key);
    if (id === undefined) {
      this.ids.set(key, (id = this.known.length));
      this.known.push(node);
    }
    return id;
  }

  at(id: NodeId): Node {
    return this.known[id]!;
  }
}

interface Node {
  readonly what: string;
  readonly parts: readonly NodeId[];
  readonly constant?: { readonly scalar: MachineScalar; readonly value: number | bigint | boolean };
  /** Of integers of one size: the operand, whose bits it has. */
  readonly sameBits?: { readonly from: ScalarKind; readonly operand: NodeId };
}

export interface ProgramToCompare {
  readonly form: BoundaryForm;
  /** What an argument is called in both programs, by its path in this one; undefined where the other has none such. */
  readonly nameOf: (path: string) => string | undefined;
  /** The size of workgroups, where either program states it. */
  readonly workgroupSize?: readonly [number, number, number];
}

/** "each": locals are told apart; "kinds": only by what they hold, for finding what two programs that differ have in common. */
export type LocalsBy = "each" | "kinds";

export function linesOf(program: ProgramToCompare, nodes: Nodes, by: LocalsBy): readonly Line[] {
  const normal = new Normal(program, nodes, by);
  normal.program();
  return normal.lines;
}

/** Operators whose bits are the same for signed and unsigned integers. */
const sameBits: ReadonlySet<string> = new Set(["add", "sub", "mul", "and", "or", "xor", "shl", "not"]);
const sameTests: ReadonlySet<string> = new Set(["eq", "ne"]);
/** Operators that say themselves that their edges are open, and what they are apart from that. */
const plainly: Readonly<Record<string, string>> = { shl_edges: "shl", shr_edges: "shr", rem_of_positive: "rem" };
/** Marks on a value, which is their first operand. */
const marks: ReadonlySet<string> = new Set(["unless_open", "shift_count", "minimum", "within"]);

const unsigned = (kind: ScalarKind): ScalarKind => `u${bitWidth(kind)}` as ScalarKind;
const isKind = (scalar: MachineScalar): scalar is ScalarKind => scalar !== "index";
const signedInteger = (scalar: MachineScalar): scalar is ScalarKind =>
  isKind(scalar) && isInteger(scalar) && isSigned(scalar);

class Normal {
  readonly lines: Line[] = [];
  private readonly inlined = new Map<LocalId, NodeId>();
  private readonly localNames = new Map<LocalId, string>();
  private readonly objectNames = new Map<ObjectId, string>();
  private readonly labels = new Map<LabelId, number>();
  private readonly helpers = new Map<number, number>();
  private readonly objects: ReadonlyMap<ObjectId, BoundaryForm["objects"][number]>;
  private open = new Set<NodeId>();

  constructor(
    private readonly of: ProgramToCompare,
    private readonly nodes: Nodes,
    private readonly by: LocalsBy,
  ) {
    this.objects = new Map(of.form.objects.map((o) => [o.id, o]));
    for (const v of of.form.values) {
      const value = (i: number): NodeId =>
        v.derived === undefined ? this.node(`${this.argument(v.path)} ${i} ${v.scalar}`) : this.builtin(v.derived, i);
      for (const [i, l] of (v.locals ?? []).entries()) this.inlined.set(l, value(i));
    }
  }

  program(): void {
    const { form } = this.of;
    this.list(form.body);
    for (const [helper, number] of this.helpers) {
      const h = form.helpers[helper]!;
      const parameters = h.parameters.map((p) => `${this.local(p)} ${form.locals.get(p)!.scalar}`);
      this.line(`function ${number} (${parameters.join()}) ${h.result ?? ""}`, h.span);
      this.list(h.body);
    }
  }

  /** What an argument is called in both programs. */
  private argument(path: string): string {
    const name = this.of.nameOf(path);
    return name === undefined ? `own ${path}` : `argument ${name}`;
  }

  private node(what: string, parts: readonly NodeId[] = [], more: Pick<Node, "constant" | "sameBits"> = {}): NodeId {
    return this.nodes.of({ what, parts, ...more });
  }

  private builtin(name: string, component: number): NodeId {
    const size = name === "workgroup_size" ? this.of.workgroupSize?.[component] : undefined;
    return size === undefined ? this.node(`@${name} ${component}`) : this.constant("u32", size);
  }

  private constant(scalar: MachineScalar, value: number | bigint | boolean): NodeId {
    return this.node(`${scalar} ${shown(value)}`, [], { constant: { scalar, value } });
  }

  /** The bits of an integer as an unsigned one of its size, and back. */
  private sameBitsAs(to: ScalarKind, from: ScalarKind, id: NodeId): NodeId {
    if (to === from) return id;
    const { constant, sameBits: inner } = this.nodes.at(id);
    if (constant && typeof constant.value !== "boolean") return this.constant(to, wrapInteger(to, constant.value));
    if (inner?.from === to) return inner.operand;
    return this.node(`${to} of ${from}`, [id], { sameBits: { from, operand: id } });
  }

  private local(id: LocalId): string {
    const { scalar } = this.of.form.locals.get(id)!;
    if (this.by === "kinds") return `local ${scalar}`;
    let name = this.localNames.get(id);
    if (name === undefined) this.localNames.set(id, (name = `local ${this.localNames.size} ${scalar}`));
    return name;
  }

  private label(id: LabelId): number {
    let number = this.labels.get(id);
    if (number === undefined) this.labels.set(id, (number = this.labels.size));
    return this.by === "kinds" ? 0 : number;
  }

  private object(id: ObjectId): NodeId {
    const o = this.objects.get(id)!;
    if (o.path !== undefined && o.kind !== "constant") return this.node(`${o.kind} ${this.argument(o.path)}`);
    let name = this.objectNames.get(id);
    if (name === undefined) {
      const filled = this.of.form.values.flatMap((v) =>
        v.object?.id === id ? [`${this.argument(v.path)} ${v.scalar} ${v.object.offsets.join()}`] : [],
      );
      const data = (o.data ?? []).map((d) => `${d.offset} ${d.scalar} ${shown(d.value)}`);
      const told = o.kind === "constant" || this.by === "kinds" ? "" : `${this.objectNames.size} `;
      name = `${o.kind} ${told}${o.bytes} (${filled.join("; ")}) (${data.join("; ")})`;
      this.objectNames.set(id, name);
    }
    return this.node(name);
  }

  private address({ object, unit, index, offset }: Address): NodeId {
    const of = typeof object === "number" ? this.object(object) : this.expr(object);
    return this.node(`at ${unit} ${offset}`, [of, this.expr(index)]);
  }

  private expr(e: MachineExpr): NodeId {
    switch (e.kind) {
      case "constant":
        return this.constant(e.scalar, e.value);
      case "local":
        return this.inlined.get(e.local) ?? this.node(this.local(e.local));
      case "builtin":
        return this.builtin(e.builtin, e.component);
      case "operation":
        return this.operation(e);
      case "conversion": {
        const id = this.conversion(e.scalar, e.from, this.expr(e.operand), e.mode);
        if (e.site !== undefined) this.open.add(id);
        return id;
      }
      case "reinterpretation": {
        const operand = this.expr(e.operand);
        if (isInteger(e.scalar) && isInteger(e.from)) return this.sameBitsAs(e.scalar, e.from, operand);
        return this.node(`${e.scalar} bits ${e.from}`, [operand]);
      }
      case "choose":
        return this.node(
          "choose",
          [e.condition, e.whenTrue, e.whenFalse].map((x) => this.expr(x)),
        );
      case "lazy":
        return this.node(
          e.operator,
          [e.left, e.right].map((x) => this.expr(x)),
        );
      case "load":
        return this.node(`load ${e.scalar}`, [this.address(e.address)]);
      case "checked":
        return this.node(`checked ${e.bytes} ${e.access}`, [this.address(e.address)]);
      case "call":
        return this.node(
          `call ${this.helper(e.helper)} ${e.scalar}`,
          e.arguments.map((x) => this.expr(x)),
        );
      case "length":
        return this.node(`length ${e.offset} ${e.stride}`, [this.object(e.object)]);
      default:
        return assertNever(e);
    }
  }

  private helper(index: number): number {
    let number = this.helpers.get(index);
    if (number === undefined) this.helpers.set(index, (number = this.helpers.size));
    return number;
  }

  private operation(e: Operation): NodeId {
    const args = e.arguments.map((x) => this.expr(x));
    if (marks.has(e.op)) {
      // With the condition under which it is open, so that both leave the same open.
      this.open.add(this.node(e.op, e.op === "unless_open" ? args.slice(0, 2) : args));
      return args[0]!;
    }
    const id = this.plainOperation(e.scalar, e.on, plainly[e.op] ?? e.op, args);
    if (e.site !== undefined) this.open.add(this.node(`edges of ${e.op} ${e.on}`, [id]));
    return id;
  }

  private plainOperation(scalar: MachineScalar, on: MachineScalar, op: string, args: readonly NodeId[]): NodeId {
    // What is negated by a target that checks is subtracted from zero.
    if (op === "neg" && isKind(on) && isInteger(on))
      return this.plainOperation(scalar, on, "sub", [this.constant(on, wrapInteger(on, 0)), ...args]);
    if (signedInteger(on) && (scalar === on ? sameBits : sameTests).has(op)) {
      const u = unsigned(on);
      const operands = args.map((x) => this.sameBitsAs(u, on, x));
      if (scalar !== on) return this.node(`${scalar} ${op} ${u}`, operands);
      return this.sameBitsAs(on, u, this.node(`${u} ${op} ${u}`, operands));
    }
    return this.node(`${scalar} ${op} ${on}`, args);
  }

  private conversion(
    to: MachineScalar,
    from: MachineScalar,
    operand: NodeId,
    mode: Extract<MachineExpr, { kind: "conversion" }>["mode"],
  ): NodeId {
    const how = mode ? ` ${mode.rounding ?? ""} ${mode.saturates}` : "";
    const integers = isKind(to) && isKind(from) && isInteger(to) && isInteger(from) && mode === undefined;
    // What does not become longer keeps its low bits, whatever its sign.
    if (integers && bitWidth(to) <= bitWidth(from)) {
      const [u, v] = [unsigned(to), unsigned(from)];
      const bits = this.sameBitsAs(v, from, operand);
      return this.sameBitsAs(to, u, u === v ? bits : this.node(`${u} from ${v}`, [bits]));
    }
    return this.node(`${to} from ${from}${how}`, [operand]);
  }

  /** It is the same wherever it is evaluated while its locals are in scope: nothing is read that could change. */
  private isStable(e: MachineExpr): boolean {
    switch (e.kind) {
      case "constant":
      case "builtin":
      case "length":
        return true;
      case "local":
        return this.inlined.has(e.local) || this.of.form.locals.get(e.local)!.constant;
      case "operation":
        return e.arguments.every((x) => this.isStable(x));
      case "conversion":
      case "reinterpretation":
        return this.isStable(e.operand);
      case "choose":
        return [e.condition, e.whenTrue, e.whenFalse].every((x) => this.isStable(x));
      case "lazy":
        return this.isStable(e.left) && this.isStable(e.right);
      case "load":
      case "checked":
      case "call":
        return false;
      default:
        return assertNever(e);
    }
  }

  private line(key: string, span: Span, more: Pick<Line, "barrier" | "demands"> = {}): void {
    this.lines.push({ key, span, open: this.open, ...more });
    this.open = new Set();
  }

  private body(name: string, list: readonly Code[], span: Span): void {
    this.line(name, span);
    this.list(list);
    this.line("end", span);
  }

  private list(list: readonly Code[]): void {
    for (const c of list) this.code(c);
  }

  private code(c: Code): void {
    const { span } = c;
    switch (c.kind) {
      case "declare": {
        const constant = this.of.form.locals.get(c.local)!.constant;
        const value = c.value && this.expr(c.value);
        // What it leaves open is open from here on: it goes to the next line.
        if (value !== undefined && constant && this.isStable(c.value!)) this.inlined.set(c.local, value);
        else this.line(`declare ${this.local(c.local)} ${value ?? "open"}`, span);
        return;
      }
      case "set": {
        const value = this.expr(c.value);
        return this.line(`set ${this.local(c.local)} ${value}`, span);
      }
      case "store": {
        const address = this.address(c.address);
        return this.line(`store ${c.scalar} ${address} ${this.expr(c.value)}`, span);
      }
      case "atomic": {
        const address = this.address(c.address);
        const operands = c.operands.map((x) => this.expr(x)).join();
        const result = c.result === undefined ? "" : this.local(c.result);
        const orders = [c.order ?? "relaxed", c.failureOrder ?? "relaxed"];
        const memory = orders.every((o) => o === "relaxed") ? "" : JSON.stringify(c.memory ?? null);
        const order = `${orders.join(" ")} ${c.scope ?? "device"} ${memory}`;
        return this.line(`atomic ${c.op} ${c.scalar} ${address} ${operands} ${order} ${result}`, span);
      }
      case "evaluate":
        return this.line(`evaluate ${this.expr(c.value)}`, span);
      case "if":
        this.line(`if ${this.expr(c.condition)}`, span);
        this.body("then", c.then, span);
        if (c.else.length > 0) this.body("else", c.else, span);
        return;
      case "loop":
        this.body(`loop ${this.label(c.label)}`, c.head, span);
        this.line(`while ${c.condition ? this.expr(c.condition) : "true"}`, span);
        this.body("body", c.body, span);
        return this.body("step", c.step, span);
      case "switch":
        this.line(`switch ${this.label(c.label)} ${this.expr(c.value)}`, span);
        for (const k of c.cases) this.body(`case ${k.labels.join()} ${k.isDefault}`, k.body, span);
        return this.line("end", span);
      case "block":
        return this.body(`block ${this.label(c.label)}`, c.body, span);
      case "break":
      case "continue":
        return this.line(`${c.kind} ${this.label(c.label)}`, span);
      case "return":
        return this.line(`return ${c.value ? this.expr(c.value) : ""}`, span);
      case "barrier": {
        const { objects, ...all } = c.barrier;
        const barrier = objects ? { ...all, objects: objects.map((o) => this.object(o)) } : all;
        return this.line(`barrier ${all.execution}`, span, { barrier });
      }
      case "collective": {
        const operands = c.operands.map((x) => this.expr(x)).join();
        const results = c.results.map((r) => this.local(r)).join();
        const what = `${c.routine} ${c.scope} ${JSON.stringify(c.fold ?? null)} ${c.moves} ${c.scalar} ${c.resultScalar}`;
        const all = c.reachedByAll ? (["all"] as const) : [];
        const demands = c.precondition ? [...all, c.precondition] : all;
        return this.line(`lanes ${what} ${operands} ${results}`, span, { demands });
      }
      case "fill":
        return this.line(`fill ${this.object(c.object)}`, span);
      case "print":
        // It changes nothing, and not every language can say it.
        return;
      case "park":
      case "cover":
        throw new Error(`${c.kind} is in no program that is compared`);
      default:
        return assertNever(c);
    }
  }
}

const shown = (value: number | bigint | boolean): string => (Object.is(value, -0) ? "-0" : String(value));
