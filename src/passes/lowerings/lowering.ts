/**
 * Lowerings carry out an op that a target does not have, with ops it has (or that have lowerings in turn). They work on the
 * canonical tree. The pass that applies them walks the tree, asks `decide` for every op call and hands calls decided as
 * "lowering" to `applyLowering`; the result is walked again, and so are the bodies of helpers.
 */
import { shortName } from "../../ast/op-ids.js";
import type { Fold } from "../../ops/row.js";
import type { ModuleEditor } from "../../ast/builders.js";
import { declare, functionCall, load, member, returnStatement, variablePlace } from "../../ast/builders.js";
import {
  type Expr,
  type FunctionDeclaration,
  type FunctionId,
  type OpCall,
  type OpId,
  type Place,
  type Statement,
  type VarId,
  type Variable,
} from "../../ast/nodes.js";
import { repeatablePlace } from "../../ast/held-place.js";
import { isPure, walkExpr, walkStatement } from "../../ast/walk.js";
import { decide } from "../../caps/decide.js";
import { hasAtom, lackOfDivergentOps, type Profile } from "../../caps/profiles.js";
import type { Dialect, TargetDialect } from "../../dialects/ids.js";
import { isBuiltinName } from "../../ops/resolve.js";
import { summaryOf } from "../../ops/summary.js";
import { row } from "../../ops/table.js";
import { componentwise } from "../../ops/trees.js";
import { spaceOf, useOf } from "../../ops/use-of.js";
import { NumberedNames } from "../../support/numbered-names.js";
import { noSpan, type Span } from "../../support/span.js";
import { layoutOf, memberOffsets } from "../../types/layout.js";
import { isInteger, sameType, scalarOf, showType, type AddressSpace, type Type } from "../../types/types.js";

export type LoweringResult =
  | { readonly kind: "expression"; readonly expr: Expr }
  /**
   * Statements to run before, then the value (none for a call without one). The statements evaluate the call's operands:
   * where the call stands under `&&`, `||` or `?:`, or in a loop's condition, the pass makes that flow explicit first.
   */
  | { readonly kind: "statements"; readonly before: readonly Statement[]; readonly value: Expr | undefined }
  | { readonly kind: "refused"; readonly reason: string };

export type Lowering = (call: OpCall, context: LoweringContext) => LoweringResult;

/** What a helper function is made of; its parameters are passed by value. */
export interface HelperParts {
  readonly parameters: readonly Variable[];
  readonly returnType: Type;
  readonly body: readonly Statement[];
  /** The result is a value that half has. */
  readonly givesHalves?: true;
}

export interface LoweringContext {
  readonly target: TargetDialect;
  /** The dialect of the text the module came from, where that is known. */
  readonly source: Dialect | undefined;
  readonly profile: Profile;
  /** The helper of this key, made at its first use. `emulates` goes into the comment and the report. */
  helper(key: string, name: string, emulates: string, build: (maker: HelperMaker) => HelperParts): FunctionId;
  /** A local variable of the function the call stands in; a `before` statement declares it. */
  local(name: string, type: Type): Variable;
  /** The variable in workgroup memory of this key, made at its first use. */
  workgroupMemory(key: string, name: string, type: Type): Variable;
  /** Nobody takes the value of the call. */
  readonly discarded: boolean;
  /** The most lanes a workgroup may have. */
  workgroupLanes(): number;
  /** Where a place lies, as far as that is known. */
  spaceOf(place: Place): AddressSpace | undefined;
  /** The member of a struct that lies where an array of such members would have its element `n` behind this one. */
  memberAfter(place: Place, n: number): Place | undefined;
  /** Words of a mask, of four, that have lanes: the others are 0. */
  readonly maskWords: number;
  /** What a local of the function the call stands in holds wherever it is read, if its declaration alone sets it. */
  valueOf(local: VarId): Expr | undefined;
}

export interface HelperMaker {
  parameter(name: string, type: Type): Variable;
  local(name: string, type: Type, options?: { readonly precise?: boolean }): Variable;
}

/** Keeps the helpers of one module. One per run of the pass. */
export class Lowerings implements LoweringContext {
  private readonly byKey = new Map<string, FunctionDeclaration>();
  private readonly ofHalves = new Set<FunctionId>();
  private readonly made: FunctionDeclaration[] = [];
  private readonly names = new Set<string>();
  private readonly numbers = new NumberedNames();
  private readonly shared = new Map<string, Variable>();
  private readonly origins = new Map<FunctionId, Span>();
  private readonly uniformHelpers = new Set<FunctionId>();
  /** The call a lowering is carried out for: where what goes wrong in a helper is reported. */
  origin: Span = noSpan;
  /** See LoweringContext. */
  discarded = false;
  /** All lanes of the subgroup reach that call together. */
  uniform: () => boolean = () => false;

  /** Locals of the function at hand that are set once. */
  locals: ReadonlyMap<VarId, Expr> = new Map();

  /** See LoweringContext. */
  source: Dialect | undefined;

  readonly maskWords: number;

  /** `lanes`: the most lanes a workgroup may have, where that is known; `widest`: those of the widest subgroup. */
  constructor(
    private readonly editor: ModuleEditor,
    readonly target: TargetDialect,
    readonly profile: Profile,
    private readonly lanes: number | undefined,
    widest: number,
  ) {
    this.maskWords = Math.ceil(widest / 32);
  }

  workgroupLanes(): number {
    return this.lanes ?? this.profile.limits.maxWorkgroupInvocations;
  }

  valueOf(local: VarId): Expr | undefined {
    return this.locals.get(local);
  }

  spaceOf(place: Place): AddressSpace | undefined {
    return spaceOf(place, this.editor.variables);
  }

  memberAfter(place: Place, n: number): Place | undefined {
    if (place.kind !== "member" || place.base.type.kind !== "struct") return undefined;
    const { structs } = this.editor;
    const declared = structs.get(place.base.type.name)!;
    const { members } = declared;
    const first = members.findIndex((m) => m.name === place.member);
    const found = members[first + n];
    if (!found || !sameType(found.type, place.type)) return undefined;
    const offsets = memberOffsets(declared, "natural", structs);
    const apart = offsets[first + n]! - offsets[first]!;
    if (apart !== n * layoutOf(place.type, "natural", structs).size) return undefined;
    return member(place.base, found.name, found.type, place.span);
  }

  workgroupMemory(key: string, name: string, type: Type): Variable {
    let found = this.shared.get(key);
    if (!found) {
      found = this.editor.addVariable({
        name,
        type,
        space: "workgroup",
        role: "global",
        constant: false,
        span: noSpan,
      });
      this.shared.set(key, found);
    }
    return found;
  }

  /** All workgroup memory lowerings asked for, in order of need. */
  workgroupVariables(): readonly Variable[] {
    return [...this.shared.values()];
  }

  /** The results of the function are values that half has. */
  givesHalves(id: FunctionId): boolean {
    return this.ofHalves.has(id);
  }

  /** The first call a helper was made for. */
  originOf(id: FunctionId): Span {
    return this.origins.get(id) ?? noSpan;
  }

  /** All lanes of the subgroup call the function together: the ops in it may count on that. */
  isUniform(id: FunctionId): boolean {
    return this.uniformHelpers.has(id);
  }

  /** A helper made for this module. */
  declaration(id: FunctionId): FunctionDeclaration | undefined {
    for (const f of this.byKey.values()) if (f.id === id) return f;
    return undefined;
  }

  /** Helpers made since the last call, in order of need; their bodies are canonical and still to be legalized. */
  takeHelpers(): FunctionDeclaration[] {
    return this.made.splice(0);
  }

  helper(key: string, name: string, emulates: string, build: (maker: HelperMaker) => HelperParts): FunctionId {
    // Where the target has ops that all lanes must reach, a helper made of such ops serves one kind of flow.
    const lacking = lackOfDivergentOps(this.profile);
    const reached = lacking ? `${key}, by ${this.uniform() ? "all" : "some"} lanes` : key;
    const known = this.byKey.get(key) ?? this.byKey.get(reached);
    if (known) return known.id;
    // One name per function: calls of overloads would depend on how literals and conversions are written.
    const base = isBuiltinName(this.target, name) ? `${name}_emulated` : name;
    const unique = this.numbers.free(base, (n) => this.names.has(n), base);
    this.names.add(unique);
    const parts = build({
      parameter: (n, type) => this.editor.addParameter(n, type),
      local: (n, type, options) => this.local(n, type, options),
    });
    const { parameters, returnType, body } = parts;
    const declaration = this.editor.helper({ name: unique, emulates, parameters, returnType, statements: body });
    if (parts.givesHalves) this.ofHalves.add(declaration.id);
    const crosses = crossesLanes(parts.body);
    this.byKey.set(crosses ? reached : key, declaration);
    if (crosses && lacking && this.uniform()) this.uniformHelpers.add(declaration.id);
    this.made.push(declaration);
    this.origins.set(declaration.id, this.origin);
    return declaration.id;
  }

  local(name: string, type: Type, options: { readonly precise?: boolean } = {}): Variable {
    return this.editor.addVariable({
      ...(options.precise ? { precise: true } : {}),
      name,
      type,
      space: "private",
      role: "local",
      constant: false,
      span: noSpan,
    });
  }
}

function crossesLanes(body: readonly Statement[]): boolean {
  let found = false;
  for (const s of body) {
    walkStatement(s, {
      expr(e) {
        if (e.kind === "op" && row(e.op).effect === "crosslane") found = true;
      },
    });
  }
  return found;
}

export const has = (context: LoweringContext, atom: string): boolean => hasAtom(context.profile, atom);

/** The target writes the call as it is. */
export const isNative = (call: Expr, context: LoweringContext): boolean =>
  call.kind === "op" && decide(useOf(call, false, false), context.target, context.profile).kind === "native";

// ------------------------------------------------------------------ inline or helper

/** Reads without cost or effect: may be written twice. */
export function isSimple(e: Expr): boolean {
  switch (e.kind) {
    case "literal":
    case "enumerator":
    case "builtin":
      return true;
    case "load":
      return isSimplePlace(e.place);
    case "swizzle-value":
    case "convert":
    case "splat":
    case "bitcast":
      return isSimple(e.operand);
    case "unary":
      return isSimple(e.operand);
    default:
      return false;
  }
}
function isSimplePlace(p: Place): boolean {
  if (p.kind === "variable") return true;
  if (p.kind === "swizzle") return isSimplePlace(p.base);
  if (p.kind === "member") return isSimplePlace(p.base);
  return false;
}

/** Pure, and free of ops whose meaning depends on which lanes reach them. */
function isMovable(e: Expr): boolean {
  let movable = isPure(e);
  walkExpr(e, {
    expr(x) {
      if (x.kind === "op" && row(x.op).effect !== "pure") movable = false;
      return movable;
    },
  });
  return movable;
}

/** Operations that a compiler could fuse, or reorder, are part of the value. */
export function rounds(value: Expr): boolean {
  let found = false;
  const arithmetic = new Set(["add", "sub", "mul", "div"]);
  walkExpr(value, {
    expr: (e) =>
      void (found ||= e.kind === "binary" && arithmetic.has(e.operator) && !isInteger(scalarOf(e.type) ?? "bool")),
  });
  return found;
}

const inlineLimit = 9;

function count(tree: Expr, args: readonly Expr[]): { nodes: number; uses: number[] } {
  const uses = args.map(() => 0);
  let nodes = 0;
  walkExpr(tree, {
    expr(x) {
      const at = args.indexOf(x);
      if (at >= 0) uses[at]!++;
      else if (x.kind !== "literal" && x.kind !== "convert" && x.kind !== "splat") nodes++;
      return at < 0;
    },
  });
  return { nodes, uses };
}

/** Markers stand for operands while a tree's shape is looked at: each is a node of its own, even for equal operands. */
const marker = (e: Expr): Expr => ({ kind: "comma", left: e, right: e, type: e.type, span: e.span });

/**
 * `build(args)` in the call's place where operands may be repeated and the text stays short, else a call of a helper
 * function with that body. `extra` are values every helper needs from its caller (lane id, subgroup size).
 */
export function inlineOrHelper(
  call: OpCall,
  context: LoweringContext,
  build: (...args: Expr[]) => Expr,
  options: {
    readonly name?: string;
    readonly names?: readonly string[];
    readonly extra?: readonly Expr[];
    readonly inline?: boolean;
    readonly helper?: boolean;
  } = {},
): LoweringResult {
  const args = [...call.arguments, ...(options.extra ?? [])];
  if (!options.helper) {
    const markers = args.map(marker);
    const shape = count(build(...markers), markers);
    const fits = options.inline || shape.nodes <= inlineLimit;
    if (fits && args.every((a, i) => isSimple(a) || (shape.uses[i]! === 1 && isMovable(a)))) {
      return { kind: "expression", expr: { ...build(...args), span: call.span } };
    }
  }
  return {
    kind: "expression",
    expr: helperCall(
      call,
      context,
      (h, parameters) => [returnStatement(build(...parameters.map((p) => load(variablePlace(p)))))],
      options,
    ),
  };
}

/** A call of a helper with the operands of an op call (and `extra`) as parameters. */

export function helperCall(
  call: OpCall,
  context: LoweringContext,
  body: HelperBody,
  options: {
    readonly name?: string;
    readonly extra?: readonly Expr[];
    readonly names?: readonly string[];
    readonly says?: string;
  } = {},
): Expr {
  const known = helperNames[call.op];
  const { name, extra = [] } = options;
  return helperOf({ ...call, arguments: [...call.arguments, ...extra] }, context, body, {
    name: name ?? known?.name ?? shortName(definedOp(call.op)),
    // A name given by the lowering says what the body is, whatever op it serves.
    key: name ?? call.op,
    names: options.names ?? known?.parameters ?? parameterNames(call.arguments.length, extra),
    says: options.says ?? says(call),
  });
}

type HelperBody = (maker: HelperMaker, parameters: readonly Variable[]) => readonly Statement[];

/** A call of a helper that serves no single op. */
export function helperOf(
  call: Pick<OpCall, "arguments" | "type" | "span">,
  context: LoweringContext,
  body: HelperBody,
  options: { readonly name: string; readonly key?: string; readonly names: readonly string[]; readonly says: string },
): Expr {
  const args = call.arguments;
  const { name, names } = options;
  const key = `${options.key ?? name} ${args.map((a) => showType(a.type)).join(" ")} ${showType(call.type)}`;
  const id = context.helper(key, name, options.says, (maker) => {
    const parameters = args.map((a, i) => maker.parameter(names[i] ?? `a${i}`, a.type));
    return { parameters, returnType: call.type, body: body(maker, parameters) };
  });
  return functionCall(
    id,
    args.map((value) => ({ mode: "value", value })),
    call.type,
    call.span,
  );
}

/** Helpers whose names and parameters the comment over them speaks of. */
const helperNames: Partial<Record<OpId, { readonly name: string; readonly parameters: readonly string[] }>> = {
  "bits.extract": { name: "extract_bits", parameters: ["x", "offset", "bits"] },
  "math.atan2": { name: "atan2", parameters: ["y", "x"] },
  "math.powr_open": { name: "powr", parameters: ["x", "y"] },
  "math.fmod_open": { name: "fmod", parameters: ["x", "y"] },
  "math.sign_open": { name: "sign", parameters: ["x"] },
  "geometry.mix": { name: "mix", parameters: ["x", "y", "t"] },
  "geometry.mix_open": { name: "mix", parameters: ["x", "y", "t"] },
  "geometry.mix_weighted": { name: "mix", parameters: ["x", "y", "t"] },
  "math.ldexp": { name: "ldexp", parameters: ["x", "n"] },
  "bits.insert": { name: "insert_bits", parameters: ["base", "insert", "offset", "bits"] },
};

/** Formulas hold for every operand, also where an op leaves them open. */
export function definedOp(op: OpId): OpId {
  const { variant } = row(op);
  return variant?.in === "domain" ? variant.of : op;
}

/** The comment over a helper: what the op computes, of its type. */
const says = ({ op, type }: OpCall): string =>
  type.kind === "vector" ? summaryOf(op) : summaryOf(op).replace("each component", "x");

function parameterNames(own: number, extra: readonly Expr[]): string[] {
  const names = own === 1 ? ["x"] : own === 2 ? ["x", "y"] : own === 3 ? ["x", "y", "z"] : ["x", "y", "z", "w"];
  return [
    ...names.slice(0, own),
    ...extra.map((e) => (e.kind === "builtin" ? (e.builtin === "lane_id" ? "lane" : "size") : "extra")),
  ];
}

export const expression = (expr: Expr): LoweringResult => ({ kind: "expression", expr });
export const statements = (before: readonly Statement[], value?: Expr): LoweringResult => ({
  kind: "statements",
  before,
  value,
});
export const refuse = (reason: string): LoweringResult => ({ kind: "refused", reason });

/** A local holding `value`, for operands used more than once; simple ones stay. */
export function held(context: LoweringContext, before: Statement[], name: string, value: Expr): Expr {
  return isSimple(value) ? value : kept(context, before, name, value);
}
function kept(context: LoweringContext, before: Statement[], name: string, value: Expr): Expr {
  const variable = context.local(name, value.type);
  before.push(declare(variable.id, value));
  return load(variablePlace(variable));
}

/** An op of scalars, of one component at a time; `names` are those of operands that are held for it. */
export function byComponents(
  call: OpCall,
  context: LoweringContext,
  names: readonly string[],
  of: (...parts: Expr[]) => Expr,
): LoweringResult {
  if (call.type.kind === "scalar") return expression(of(...call.arguments));
  const before: Statement[] = [];
  const operands = call.arguments.map((a, i) => held(context, before, names[i]!, a));
  const value = componentwise(call.type, operands, of);
  return before.length === 0 ? expression(value) : statements(before, value);
}

/** The place with its indices held in locals, so that it can be used more than once. */
export function stablePlace(context: LoweringContext, before: Statement[], place: Place): Place {
  return repeatablePlace(
    place,
    (e) => (e.type.kind === "pointer" ? stablePointer(context, before, e) : kept(context, before, "at", e)),
    isSimple,
  );
}
function stablePointer(context: LoweringContext, before: Statement[], p: Expr): Expr {
  if (p.kind === "pointer-offset")
    return {
      ...p,
      pointer: stablePointer(context, before, p.pointer),
      offset: held(context, before, "at", p.offset),
    };
  if (p.kind === "address-of") return { ...p, place: stablePlace(context, before, p.place) };
  return isPure(p) ? p : kept(context, before, "at", p);
}

/** What a reduction or scan combines, and over which lanes. */
export function foldOf(op: OpId): Fold {
  const { fold } = row(op);
  if (!fold) throw new Error(`${op} is no reduction or scan`);
  return fold;
}
