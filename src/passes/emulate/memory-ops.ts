/**
 * Cross-lane ops through workgroup memory (cross-lane.md section 2.1): every lane puts its operand into an array, all lanes
 * of the workgroup wait, each works out its own result from the elements of its subgroup, and all wait again before the
 * array is used for the next op. Folds go in ascending order over the active lanes, as the reference semantics do.
 *
 * A subgroup is `width` consecutive local indices. Every lane of the workgroup calls these helpers; where some take no part
 * the helper is told by `active`.
 */

import { typeWord } from "../../dialects/show-type.js";
import { rows } from "../../ops/table.js";
import { familyOf, shortName } from "../../ast/op-ids.js";
import type { Reduction } from "../../ops/row.js";
import {
  assign,
  barrier,
  binary,
  bitcast,
  block,
  boolLiteral,
  conditional,
  constantOf,
  construct,
  declare,
  element,
  expressionStatement,
  ifStatement,
  increment,
  load,
  logical,
  opCall,
  read,
  returnStatement,
  u32Literal,
  variablePlace,
} from "../../ast/builders.js";
import { noTrivia, type Expr, type OpCall, type Statement, type Variable, type OpId } from "../../ast/nodes.js";
import { add, and, complement, components, k, sub, to } from "../../ops/trees.js";
import { noSpan } from "../../support/span.js";
import {
  array,
  bitWidth,
  bool,
  isFloat,
  scalar,
  scalarOf,
  shaped,
  componentCount,
  u32,
  vector,
  type Type,
} from "../../types/types.js";
import { helperCall, type HelperMaker, type LoweringContext } from "../lowerings/lowering.js";
import { combine, identity } from "../lowerings/subgroup.js";
import { everyoneWaits } from "../lowerings/workgroup.js";

/** What the helpers of one module agree on. */
export interface Subgroups {
  /** Lanes of a subgroup, a power of two. */
  readonly width: number;
  /** Lanes of the largest workgroup: elements of the arrays. */
  readonly lanes: number;
  /** All workgroups are whole subgroups. */
  readonly whole: boolean;
  /** The lane's number in its workgroup. */
  readonly index: () => Expr;
  /** Lanes of the workgroup. */
  readonly size: () => Expr;
}

/** The expression a call becomes: one of a helper, told by `active` (undefined: all lanes of the workgroup) who takes part. */
export function throughMemory(
  call: OpCall,
  active: Expr | undefined,
  groups: Subgroups,
  context: LoweringContext,
): Expr | undefined {
  const form = formOf(call.op);
  if (!form) return undefined;
  return new Writer(call, form, active, groups, context).call();
}

// ------------------------------------------------------------------ which ops, and what each needs

type Form =
  | {
      readonly kind: "fold";
      readonly operation: Reduction;
      readonly range: "all" | "inclusive" | "exclusive" | "cluster";
      readonly quad?: boolean;
    }
  | { readonly kind: "partition"; readonly operation: Reduction; readonly range: "all" | "inclusive" | "exclusive" }
  | { readonly kind: "vote"; readonly operation: "and" | "or" }
  | { readonly kind: "count"; readonly range: "all" | "exclusive" | "partition" }
  | { readonly kind: "all-equal" | "elect" | "ballot" | "first" | "move" | "match" | "match-all" };

function formOf(op: OpId): Form | undefined {
  const fold = rows.get(op)?.fold;
  if (fold && op !== "subgroup.all" && op !== "subgroup.any") {
    const { operation, form, over } = fold;
    const range = form === "reduce" ? "all" : form;
    if (over === "workgroup") return undefined;
    if (over === "mask") return { kind: "partition", operation, range };
    return {
      kind: "fold",
      operation,
      range: over === "cluster" ? "cluster" : range,
      ...(over === "quad" ? { quad: true } : {}),
    };
  }
  switch (op) {
    case "subgroup.all":
      return { kind: "vote", operation: "and" };
    case "subgroup.any":
      return { kind: "vote", operation: "or" };
    case "subgroup.count_true":
      return { kind: "count", range: "all" };
    case "subgroup.prefix_count_true":
      return { kind: "count", range: "exclusive" };
    case "subgroup.partitioned_prefix_count_true":
      return { kind: "count", range: "partition" };
    case "subgroup.all_equal":
      return { kind: "all-equal" };
    case "subgroup.elect":
      return { kind: "elect" };
    case "subgroup.ballot":
      return { kind: "ballot" };
    case "subgroup.broadcast_first":
      return { kind: "first" };
    case "subgroup.broadcast":
    case "subgroup.shuffle":
      return { kind: "move" };
    case "subgroup.match_any":
      return { kind: "match" };
    case "subgroup.match_all":
      return { kind: "match-all" };
    default:
      return undefined;
  }
}

/** The result depends on which lanes take part. */
const asksWhoIsActive = (form: Form): boolean =>
  form.kind !== "move" && form.kind !== "partition" && !(form.kind === "count" && form.range === "partition");

/** Whether a helper for the op has to be told which lanes take part. */
export function needsActive(op: OpId): boolean {
  const form = formOf(op);
  return form !== undefined && asksWhoIsActive(form);
}

// ------------------------------------------------------------------ one helper

class Writer {
  private readonly active: Expr | undefined;

  constructor(
    private readonly op: OpCall,
    private readonly form: Form,
    active: Expr | undefined,
    private readonly groups: Subgroups,
    private readonly context: LoweringContext,
  ) {
    this.active = asksWhoIsActive(form) ? active : undefined;
  }

  call(): Expr {
    const { op, active } = this;
    const form = this.form;
    // A lane that is the lowest of those that all take part needs no memory.
    if (form.kind === "elect" && !active)
      return binary("eq", laneOf(this.groups.index(), this.groups), u32Literal(0), op.span);
    const name = `${familyOf(op.op)}_${shortName(op.op)}`;
    return helperCall(op, this.context, (maker, parameters) => this.body(maker, parameters), {
      extra: active ? [active] : [],
      names: [...(namesOf[form.kind] ?? ["x"]).slice(0, op.arguments.length), "active"],
      name: active ? `${name}_of_active` : name,
      says: `${shortName(op.op)} over ${this.groups.width} lanes, through workgroup memory; every lane of the workgroup calls it`,
    });
  }

  private body(maker: HelperMaker, parameters: readonly Variable[]): Statement[] {
    const values = parameters.slice(0, this.op.arguments.length);
    const active = this.active ? parameters.at(-1)! : undefined;
    return new HelperBody(this.form, maker, values, active, this.groups, this.context).statements();
  }
}

/** The body of a helper: each lane leaves its operand in memory, all wait, and every lane reads those it needs. */
class HelperBody {
  private readonly active: Variable | undefined;
  private readonly x: Variable | undefined;
  private readonly second: Variable | undefined;
  private readonly operand: Type | undefined;
  /** Truth values are kept as numbers. */
  private readonly stored: Type | undefined;
  private readonly data: Variable | undefined;
  /** Which lanes take part, where not all do. */
  private readonly present: Variable | undefined;
  private readonly index: Variable;
  private readonly base: Variable;
  private readonly end: Variable;
  private readonly out: Statement[];
  private counted: Variable | undefined;

  constructor(
    private readonly form: Form,
    private readonly maker: HelperMaker,
    values: readonly Variable[],
    active: Variable | undefined,
    private readonly groups: Subgroups,
    private readonly context: LoweringContext,
  ) {
    this.active = active;
    [this.x, this.second] = values;
    this.operand = this.x?.type;
    this.stored =
      this.operand && scalarOf(this.operand) === "bool" ? shaped("u32", componentCount(this.operand)!) : this.operand;
    this.data = this.stored && form.kind !== "elect" ? this.array(this.stored) : undefined;
    this.present = active ? this.array(u32, "active_lanes") : undefined;
    this.index = maker.local("index", u32);
    this.base = maker.local("base", u32);
    this.end = maker.local("end", u32);
    this.out = [declare(this.index.id, groups.index())];
    const inQuad = form.kind === "fold" && (form.quad === true || form.range === "cluster");
    if (!inQuad) this.out.push(declare(this.base.id, and(read(this.index), complement(k(u32, groups.width - 1)))));
    const put = (where: Variable, value: Expr): Statement =>
      expressionStatement(assign(element(variablePlace(where), read(this.index)), value));
    if (this.data) this.out.push(put(this.data, this.own()));
    if (this.present) this.out.push(put(this.present, to("u32", read(active!))));
    this.out.push(barrier(everyoneWaits));
  }

  statements(): Statement[] {
    const { form } = this;
    switch (form.kind) {
      case "fold":
      case "vote":
        return this.folded(form);
      case "partition":
        return this.partition(form);
      case "count":
        return this.countOver(form);
      case "elect":
        return this.elected();
      case "first":
        return this.first();
      case "move":
        return this.moved();
      case "all-equal":
        return this.allEqual();
      case "ballot":
      case "match":
      case "match-all":
        return this.masks(form);
    }
  }

  /** The lane's operand, as it is kept. */
  private own(): Expr {
    return this.stored === this.operand ? read(this.x!) : to("u32", read(this.x!));
  }

  /** Lanes of the workgroup; what has to be asked for is held, as a number of 32 bits. */
  private lanes(): Expr {
    const size = this.groups.size();
    if (size.kind === "literal") return size;
    if (!this.counted) this.out.push(declare((this.counted = this.maker.local("lanes", u32)).id, size));
    return read(this.counted);
  }

  private at(i: Expr): Expr {
    return load(element(variablePlace(this.data!), i));
  }

  private takesPart(i: Expr): Expr | undefined {
    return this.present && binary("ne", load(element(variablePlace(this.present), i)), k(u32, 0));
  }

  private result(type: Type, start: Expr): Variable {
    const r = this.maker.local("result", type);
    this.out.push(declare(r.id, start));
    return r;
  }

  private finish(value: Expr): Statement[] {
    return [...this.out, barrier(everyoneWaits), returnStatement(value)];
  }

  /** The end of the subgroup, or of the workgroup where that is earlier. */
  private last(): Expr {
    const whole = add(read(this.base), k(u32, this.groups.width));
    if (this.groups.whole) return whole;
    this.out.push(declare(this.end.id, opCall("math.min", [whole, this.lanes()], u32)));
    return read(this.end);
  }

  /** A loop over lanes, over those that take part where not all do. */
  private over(
    from: Expr,
    end: Expr,
    included: boolean,
    condition: (i: Expr) => Expr | undefined,
    each: (i: Expr) => Statement[],
  ): void {
    const i = this.maker.local("i", u32);
    const taken = this.takesPart(read(i));
    const more = condition(read(i));
    const wanted = taken && more ? logical("and", taken, more) : (taken ?? more);
    const body = each(read(i));
    this.out.push({
      kind: "for",
      span: noSpan,
      trivia: noTrivia,
      initializer: [declare(i.id, from)],
      condition: binary(included ? "le" : "lt", read(i), end),
      step: increment(variablePlace(i), 1, false),
      body: block(wanted ? [ifStatement(wanted, block(body))] : body),
    });
  }

  private truth(v: Expr): Expr {
    return this.operand && this.stored !== this.operand ? binary("ne", v, constantOf(this.stored!, 0)) : v;
  }

  private folded(form: Form & { readonly kind: "fold" | "vote" }): Statement[] {
    const range = form.kind === "vote" ? "all" : form.range;
    const r = this.result(
      this.stored!,
      form.kind === "vote"
        ? constantOf(u32, form.operation === "and" ? 1 : 0)
        : identityOf(form.operation, this.stored!, this.operand!),
    );
    const step = (i: Expr): Statement[] => [set(r, combine(form.operation, read(r), this.at(i)))];
    if (range === "cluster") {
      const from = this.maker.local("from", u32);
      const size = read(this.second!);
      this.out.push(declare(from.id, and(read(this.index), complement(sub(size, k(u32, 1))))));
      const clusterEnd = add(read(from), size);
      const stop = this.groups.whole ? clusterEnd : opCall("math.min", [clusterEnd, this.lanes()], u32);
      this.over(read(from), stop, false, always, step);
    } else if (range === "all") this.over(read(this.base), this.last(), false, always, step);
    else {
      const quad = form.kind === "fold" && form.quad === true;
      this.over(
        quad ? and(read(this.index), complement(k(u32, 3))) : read(this.base),
        read(this.index),
        range === "inclusive",
        always,
        step,
      );
    }
    return this.finish(this.truth(read(r)));
  }

  private partition(form: Form & { readonly kind: "partition" }): Statement[] {
    const r = this.result(this.stored!, identityOf(form.operation, this.stored!, this.operand!));
    const inMask = (i: Expr): Expr => bitOf(read(this.second!), sub(i, read(this.base)));
    const step = (i: Expr): Statement[] => [set(r, combine(form.operation, read(r), this.at(i)))];
    if (form.range === "all") this.over(read(this.base), this.last(), false, inMask, step);
    else this.over(read(this.base), read(this.index), form.range === "inclusive", inMask, step);
    return this.finish(this.truth(read(r)));
  }

  private countOver(form: Form & { readonly kind: "count" }): Statement[] {
    const r = this.result(u32, k(u32, 0));
    const step = (i: Expr): Statement[] => [set(r, add(read(r), this.at(i)))];
    if (form.range === "all") this.over(read(this.base), this.last(), false, always, step);
    else
      this.over(
        read(this.base),
        read(this.index),
        false,
        form.range === "partition" ? (i) => bitOf(read(this.second!), sub(i, read(this.base))) : always,
        step,
      );
    return this.finish(read(r));
  }

  private elected(): Statement[] {
    const r = this.result(bool, read(this.active!));
    this.over(read(this.base), read(this.index), false, always, () => [set(r, boolLiteral(false))]);
    return this.finish(read(r));
  }

  private first(): Statement[] {
    if (!this.present) {
      const r = this.result(this.stored!, this.at(read(this.base)));
      return this.finish(this.truth(read(r)));
    }
    const first = this.maker.local("first", u32);
    this.out.push(declare(first.id, read(this.index)));
    // Downward would do as well: the last one found is the lowest.
    const i = this.maker.local("i", u32);
    const down: Statement = {
      kind: "for",
      span: noSpan,
      trivia: noTrivia,
      initializer: [declare(i.id, read(this.index))],
      condition: binary("gt", read(i), read(this.base)),
      step: increment(variablePlace(i), -1, false),
      body: block([
        ifStatement(this.takesPart(sub(read(i), k(u32, 1)))!, block([set(first, sub(read(i), k(u32, 1)))])),
      ]),
    };
    this.out.push(down);
    const r = this.result(this.stored!, this.at(read(first)));
    return this.finish(this.truth(read(r)));
  }

  private moved(): Statement[] {
    // A lane outside the subgroup is open; the index stays inside the array all the same.
    const from = add(read(this.base), laneOf(read(this.second!), this.groups));
    const safe = this.groups.whole ? from : opCall("math.min", [from, sub(this.lanes(), k(u32, 1))], u32);
    const r = this.result(this.stored!, this.at(safe));
    return this.finish(this.truth(read(r)));
  }

  private allEqual(): Statement[] {
    const r = this.result(bool, boolLiteral(true));
    // Every lane compares with its own value: all equal where each pair is.
    this.over(read(this.base), this.last(), false, always, (i) => {
      const same = binary("eq", this.at(i), this.own());
      const whole = same.type.kind === "vector" ? opCall("logic.all", [same], bool) : same;
      return [set(r, logical("and", read(r), whole))];
    });
    return this.finish(read(r));
  }

  private masks(form: { readonly kind: Form["kind"] }): Statement[] {
    const words = Array.from({ length: Math.ceil(this.groups.width / 32) }, (_, w) => {
      const word = this.maker.local(this.groups.width > 32 ? `word${w}` : "word", u32);
      this.out.push(declare(word.id, k(u32, 0)));
      return word;
    });
    const stop = this.last();
    const same = (i: Expr): Expr | undefined => {
      if (form.kind === "ballot") return binary("ne", this.at(i), k(u32, 0));
      if (form.kind === "match-all") return undefined;
      return sameBits(this.at(i), this.own());
    };
    words.forEach((word, w) => {
      const from = w === 0 ? read(this.base) : add(read(this.base), k(u32, 32 * w));
      const upTo = words.length === 1 ? stop : opCall("math.min", [add(from, k(u32, 32)), stop], u32);
      this.over(from, upTo, false, same, (i) => [
        set(
          word,
          binary(
            "or",
            read(word),
            binary(
              "shl",
              k(u32, 1),
              w === 0 && words.length === 1 ? sub(i, read(this.base)) : and(sub(i, read(this.base)), k(u32, 31)),
            ),
          ),
        ),
      ]);
    });
    const mask = construct(
      vector("u32", 4),
      [0, 1, 2, 3].map((w) => (words[w] ? read(words[w]) : k(u32, 0))),
    );
    if (form.kind !== "match-all") return this.finish(mask);
    const equal = this.maker.local("equal", bool);
    this.out.push(declare(equal.id, boolLiteral(true)));
    this.over(read(this.base), stop, false, always, (i) => {
      const both = sameBits(this.at(i), this.own());
      return [set(equal, logical("and", read(equal), both))];
    });
    return this.finish(conditional(read(equal), mask, constantOf(vector("u32", 4), 0)));
  }

  /** One element a lane, shared by all helpers that keep this type. */
  private array(type: Type, name = `lanes_${typeWord(this.context.target, type)}`): Variable {
    return this.context.workgroupMemory(`subgroup ${name}`, name, array(type, this.groups.lanes));
  }
}

const set = (v: Variable, value: Expr): Statement => expressionStatement(assign(variablePlace(v), value));
const always = (): undefined => undefined;
const laneOf = (index: Expr, { width }: Subgroups): Expr => and(index, k(u32, width - 1));

const namesOf: Partial<Record<Form["kind"], readonly string[]>> = {
  vote: ["predicate"],
  ballot: ["predicate"],
  count: ["predicate", "mask"],
  move: ["x", "lane"],
  partition: ["x", "mask"],
  fold: ["x", "size"],
};

/** Of truth values kept as 0 and 1. */
function identityOf(operation: Reduction, stored: Type, operand: Type): Expr {
  return scalarOf(operand) === "bool" ? constantOf(stored, operation === "and" ? 1 : 0) : identity(operation, stored);
}

/** Bit `i` of a mask of four words. */
const bitOf = (mask: Expr, i: Expr): Expr =>
  binary(
    "ne",
    and(binary("shr", elementOf(mask, binary("shr", i, k(u32, 5))), and(i, k(u32, 31))), k(u32, 1)),
    k(u32, 0),
  );

const elementOf = (mask: Expr, word: Expr): Expr => ({
  kind: "element-value",
  operand: mask,
  index: word,
  type: u32,
  span: noSpan,
});

/** Doubles by their words: there may be no 64-bit integers. */
function sameBits(a: Expr, b: Expr): Expr {
  const wordsOf = (x: Expr): Expr[] => components(x).map((part) => bitcast(part, vector("u32", 2)));
  const pairs =
    scalarOf(a.type) === "f64"
      ? wordsOf(a).map((w, i) => [w, wordsOf(b)[i]!] as const)
      : [[bitsOf(a), bitsOf(b)] as const];
  const equal = pairs
    .map(([x, y]) => binary("eq", x, y))
    .map((e) => (e.type.kind === "vector" ? opCall("logic.all", [e], bool) : e));
  return equal.reduce((all, e) => logical("and", all, e));
}

/** Floats compare by their bits. */
function bitsOf(x: Expr): Expr {
  const kind = scalarOf(x.type)!;
  if (!isFloat(kind)) return x;
  const word = `u${bitWidth(kind)}` as "u32";
  return bitcast(x, x.type.kind === "vector" ? shaped(word, componentCount(x.type)!) : scalar(word));
}
