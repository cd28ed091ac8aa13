/**
 * What a target under a profile does with one op on operands of given types: a kernel of one call goes through the very
 * passes that legalize a translation, so that the answer holds for what lowerings are made of as well.
 */
import {
  declare,
  element,
  expressionStatement,
  i32Literal,
  ifStatement,
  load,
  opCall,
  u32Literal,
  variablePlace,
  binary,
  builtin,
  block,
} from "../ast/builders.js";
import {
  noTrivia,
  type Expr,
  type FunctionDeclaration,
  type Module,
  type OpCall,
  type OpId,
  type Place,
  type Statement,
  type Variable,
  type VarId,
} from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import { decide } from "../caps/decide.js";
import { hasAtom, type Profile } from "../caps/profiles.js";
import type { TargetDialect } from "../dialects/ids.js";
import type { Flow, OpRow, Spelling } from "../ops/row.js";
import { resultType } from "../ops/operands.js";
import { typeOf } from "../ops/signature.js";
import { signatureOf } from "../ops/spell.js";
import { row } from "../ops/table.js";
import { noSpan } from "../support/span.js";
import { array, i32, sameType, showType, type Type, type VectorType } from "../types/types.js";
import { useOf } from "../ops/use-of.js";
import type { Cost } from "../ast/legal.js";
import { heavier } from "./analysis/cost.js";
import { TextContext, runPasses, type LegalizeOptions } from "./pass.js";
import { matrices, operations, subgroups } from "./pipelines/shared-texts.js";
import { sourceDialects } from "../dialects/ids.js";

export interface Support {
  readonly verdict: "native" | "emulated" | "refused";
  /** What native spellings the text is made of, the op's own first. */
  readonly spellings: readonly string[];
  /** Names of the lowerings applied, outermost first. */
  readonly lowerings: readonly string[];
  /** Feature atoms and version bounds of the profile the text stands on. */
  readonly requires: readonly string[];
  readonly cost: Cost;
  readonly assumes: readonly string[];
  /** Why it is refused. */
  readonly reason?: string;
}

export interface SupportQuery {
  readonly op: OpId;
  /** The row's type variable; undefined where its signature has none. */
  readonly type?: Type;
  readonly flow: Flow;
  /** Operands (by index) that are compile-time constants. */
  readonly constants?: Readonly<Record<number, number>>;
}

export function supportOf(
  query: SupportQuery,
  target: TargetDialect,
  profile: Profile,
  options: LegalizeOptions = {},
): Support {
  return found(kernelOf(query, target).module, new TextContext(target, profile, options));
}

interface Answer {
  /** What was asked of the profile on the way to it, with the answers. */
  readonly asked: ReadonlyMap<string, boolean>;
  readonly support: Support;
}

/**
 * The same for one target, asked much: what has one answer goes through the passes once. Flow that nothing asked for on
 * the way makes no difference, nor do profiles that answer alike what they were asked; nor does the size of a vector but
 * in how the op itself is decided, names with the size among them (test/api/shared-capabilities.test.ts).
 */
export class Supports {
  private readonly known = new Map<string, Answer[]>();

  constructor(private readonly target: TargetDialect) {}

  of(query: SupportQuery, profile: Profile): Support {
    const key = this.keyOf(query, profile);
    const same = this.known
      .get(key)
      ?.find(({ asked }) => [...asked].every(([atom, has]) => hasAtom(profile, atom) === has));
    if (same) return same.support;
    const asked = new Map<string, boolean>();
    const watched: Profile = { ...profile, asked: (atom, has) => void asked.set(atom, has) };
    const context = new TextContext(this.target, watched, {});
    const support = found(kernelOf(query, this.target).module, context);
    this.know(key, { asked, support });
    if (!context.askedForFlow)
      this.know(this.keyOf({ ...query, flow: query.flow === "uniform" ? "divergent" : "uniform" }, profile), {
        asked,
        support,
      });
    return support;
  }

  private know(key: string, answer: Answer): void {
    this.known.set(key, [...(this.known.get(key) ?? []), answer]);
  }

  private keyOf(query: SupportQuery, profile: Profile): string {
    const { op, type, flow, constants } = query;
    const place = `${op} ${flow} ${constants ? Object.entries(constants).join(" ") : ""}`;
    if (type?.kind !== "vector") return `${place} ${type ? showType(type) : ""}`;
    const decision = decide(useOf(kernelOf(query, this.target).call, flow === "uniform"), this.target, profile);
    const { size } = type;
    const shared = JSON.stringify(decision, (name, value: unknown) => {
      if (name === "cell") return undefined;
      return isVector(value) && value.size === size ? { ...value, size: "own" } : value;
    });
    return `${place} ${type.scalar} vector ${shared}`;
  }
}

const isVector = (x: unknown): x is VectorType =>
  typeof x === "object" && x !== null && "kind" in x && x.kind === "vector";

function found(module: Module, context: TextContext): Support {
  const { target, profile } = context;
  const done = runPasses(module, [...matrices, ...subgroups, ...operations], context);
  const notes = context.notes;
  const assumes = notes.filter((n) => n.kind === "assumed").map((n) => n.message);
  const emulations = notes.filter((n) => n.kind === "emulated");
  const lowerings = [...new Set(emulations.map((n) => n.how?.lowering ?? n.op))];
  const [problem] = context.problems.list;
  const nothing = { spellings: [], lowerings: [], requires: [], assumes };
  if (problem) return { verdict: "refused", ...nothing, cost: "refused", reason: reasonOf(problem.message) };
  const { spellings, requires } = written(done, target, profile);
  return {
    verdict: lowerings.length > 0 ? "emulated" : "native",
    spellings,
    lowerings,
    requires,
    assumes,
    cost: emulations.reduce<Cost>((most, n) => heavier(most, n.how?.cost ?? "composed"), "native"),
  };
}

/** The reason alone: the op, the target and the profile are known to who asks. */
const reasonOf = (message: string): string =>
  message
    .replace(/^\w+ cannot do \S+ here: /, "")
    .replace(/^\w+ has no \w+: /, "")
    .replace(/, which (the profile|\S+) does not have$/, "");

// ------------------------------------------------------------------ the kernel

function kernelOf(
  { op, type, flow, constants }: SupportQuery,
  target: TargetDialect,
): { readonly module: Module; readonly call: OpCall } {
  const r = row(op);
  const variables = new Map<VarId, Variable>();
  const resources: VarId[] = [];
  const body: Statement[] = [];
  const variable = (t: Type, more: Pick<Variable, "space" | "role">): Variable => {
    const v: Variable = {
      id: variables.size + 1,
      name: `v${variables.size}`,
      type: t,
      constant: false,
      span: noSpan,
      ...more,
    };
    variables.set(v.id, v);
    return v;
  };
  const local = (t: Type): Place => {
    const v = variable(t, { space: "private", role: "local" });
    body.push(declare(v.id));
    return variablePlace(v);
  };
  const inBuffer = (t: Type): Place => {
    const v = variable(array(t, undefined), { space: "global", role: "resource" });
    resources.push(v.id);
    return element(variablePlace(v), i32Literal(0));
  };
  const values: Expr[] = [];
  const places: Place[] = [];
  for (const p of signatureOf(r.signature).parameters) {
    const t = p.pattern === "Z" ? i32 : typeOf(p.pattern, type);
    if (p.mode === "value") {
      const constant = constants?.[values.length];
      values.push(
        constant === undefined ? load(local(t)) : sameType(t, i32) ? i32Literal(constant) : u32Literal(constant),
      );
    } else if (p.mode === "place" || p.mode === "pointer") {
      places.push(r.family === "atomic" || r.family === "memory" || r.goesOn ? inBuffer(t) : local(t));
    }
  }
  const call = opCall(op, values, resultType(r, type), noSpan, { places }) as OpCall;
  const use = expressionStatement(call);
  body.push(flow === "uniform" ? use : ifStatement(binary("lt", builtin("local_index"), u32Literal(2)), use));
  const kernel: FunctionDeclaration = {
    id: 1,
    name: "kernel",
    parameters: [],
    returnType: { kind: "void" },
    body: block(body),
    isEntry: true,
    span: noSpan,
    nameSpan: noSpan,
    trivia: noTrivia,
  };
  const module: Module = {
    stage: "canonical",
    // Any but the target: to its own dialect a text is only formatted.
    dialect: sourceDialects.find((d) => d !== target)!,
    structs: new Map(),
    enums: [],
    variables,
    resources: resources.map((id) => ({ variable: id, kind: "buffer", path: `v${id}`, access: "readwrite" })),
    functions: [kernel],
    entries: [{ function: 1, name: "kernel", resources, workgroupSize: [64, 1, 1], builtinNames: new Map() }],
    order: [{ kind: "function", function: 1 }],
    contraction: "off",
    trailingComments: [],
    nextVariable: variables.size + 1,
    nextFunction: 2,
  };
  return { module, call };
}

// ------------------------------------------------------------------ what came out

function written(module: Module, target: TargetDialect, profile: Profile): Pick<Support, "spellings" | "requires"> {
  const spellings = new Set<string>();
  const requires = new Set<string>();
  const calls: OpCall[] = [];
  walkModule(module, {
    expr(e) {
      if (e.kind === "op") calls.push(e);
    },
  });
  for (const call of calls) {
    const decision = decide(useOf(call, call.precondition === "uniform", false), target, profile);
    if (decision.kind !== "native") continue;
    spellings.add(nameOf(decision.spelling));
    for (const atom of decision.requires) requires.add(atom);
  }
  return { spellings: [...spellings], requires: [...requires] };
}

function nameOf(s: Spelling): string {
  if (s.kind === "call") return s.name;
  return s.pieces.map((p) => (typeof p === "string" ? p : p.kind === "text" ? p.text : "x")).join("");
}

/** Operands that have to be constants: sizes of clusters, given as 8 (or 4, a quad). */
export function constantOperands(r: OpRow): Readonly<Record<number, number>> | undefined {
  return r.powersOfTwo && Object.fromEntries(r.powersOfTwo.map(({ index }) => [index, 8]));
}

/** The operand that names a lane, a distance or a mask of lanes, where the row has one that may be computed. */
export function laneOperand(r: OpRow): number | undefined {
  const { parameters } = signatureOf(r.signature);
  const index = parameters.findIndex((p) => p.mode === "value" && p.pattern === "u32");
  return index < 0 || constantOperands(r)?.[index] !== undefined ? undefined : index;
}
