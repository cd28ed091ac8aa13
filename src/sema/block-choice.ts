/** Blocks chosen by an index: see block-arrays.ts. */
import type { ModuleEditor } from "../ast/builders.js";
import {
  assign,
  binary,
  comma,
  conditional,
  constantOf,
  convert,
  declare,
  element,
  expressionStatement,
  ifStatement,
  load,
  variablePlace,
} from "../ast/builders.js";
import type {
  Argument,
  Expr,
  ExpressionStatement,
  FunctionCall,
  FunctionDeclaration,
  Module,
  Place,
  Statement,
  VarId,
  Variable,
} from "../ast/nodes.js";
import { noTrivia } from "../ast/nodes.js";
import { heldPlace } from "../ast/held-place.js";
import { rewriteFunction, rewritePlace, walkExpr } from "../ast/walk.js";
import type * as syntax from "../ast/syntax.js";
import type { Effects } from "../ops/effects.js";
import type { Span } from "../support/span.js";
import { i32, sameType, u32 } from "../types/types.js";
import { error, notYet, type Sema } from "./context.js";
import { evaluate } from "./constants.js";
import { constantInteger } from "./expressions.js";
import { givenLength } from "./open-arrays.js";
import type { ResourceCounts } from "./resource-arrays.js";

/** An instance `name[n]`: the variable functions name while they are read, and its elements. */
export interface BlockArray {
  readonly variable: VarId;
  readonly name: string;
  readonly elements: readonly VarId[];
  /** Of an array of arrays: the lengths of the inner ones, and the variable that stands for all in a row. */
  readonly rows?: readonly number[];
  readonly flat?: Variable;
  /** Without a length in the source: it has those that the text names, each by a number. */
  readonly open?: true;
}

const sayHowMany = "say how many there are, in the text or with --array-length name=n";

type Element = Place & { readonly kind: "element" };

/** One index of an element, of an array that has so many: a number, or what is compared with each. */
interface Dimension {
  readonly length: number;
  readonly index: Expr | number;
}

/** A use whose element is chosen at run time: what is computed first, and the use of element `k`. */
interface Choice {
  readonly before: readonly { readonly variable: Variable; readonly value: Expr }[];
  /** The outermost first. */
  readonly dimensions: readonly Dimension[];
  readonly uses: ReadonlyMap<number, Expr>;
}

/** The elements that are not ruled out by numbers, where all stand in a row. */
const possible = (dimensions: readonly Dimension[]): readonly number[] =>
  dimensions.reduce<readonly number[]>(
    (rows, { index, length }) =>
      rows.flatMap((row) =>
        typeof index === "number" ? [row * length + index] : Array.from({ length }, (_, k) => row * length + k),
      ),
    [0],
  );

export class Chooser {
  private readonly arrays: ReadonlyMap<VarId, BlockArray>;
  private readonly choices = new Map<Expr, Choice>();
  /** The indices that one of all elements in a row is made of. */
  private readonly rows = new Map<Expr, readonly { readonly index: Expr; readonly length: number }[]>();
  /** Declared at the start of the function: for uses inside other expressions. */
  private readonly early: Variable[] = [];

  constructor(
    private readonly s: Sema,
    private readonly editor: ModuleEditor<Module<"canonical">>,
    /** Where a block is chosen at run time. */
    private readonly places: Span[],
    private readonly effects: Effects,
  ) {
    this.arrays = new Map(s.blockArrays.map((a) => [a.variable, a]));
  }

  function(f: FunctionDeclaration): FunctionDeclaration {
    const done = rewriteFunction(f, {
      place: (p) => this.constant(this.inOneRow(p)),
      expr: (e) => this.use(e),
      statement: (s) => this.statement(s),
    });
    if (this.early.length === 0) return done;
    const declared = this.early.map((v) => declare(v.id));
    return { ...done, body: { ...done.body, statements: [...declared, ...done.body.statements] } };
  }

  private arrayOf(p: Place): BlockArray | undefined {
    const array = p.kind === "element" && p.base.kind === "variable" ? this.arrays.get(p.base.variable) : undefined;
    return array?.rows ? undefined : array;
  }

  /** `data[i][j]` of rows of 3: `data[i * 3 + j]` of all. */
  private inOneRow(p: Place): Place {
    const indices: Expr[] = [];
    let base = p;
    for (; base.kind === "element"; base = base.base) indices.unshift(base.index);
    const array = base.kind === "variable" ? this.arrays.get(base.variable) : undefined;
    if (!array?.flat || !array.rows || indices.length !== array.rows.length + 1) return p;
    const same = indices.every((i) => sameType(i.type, indices[0]!.type)) && sameType(indices[0]!.type, i32);
    const type = same ? i32 : u32;
    const as = (e: Expr): Expr => (sameType(e.type, type) ? e : convert(e, type, false, e.span));
    const index = indices
      .slice(1)
      .reduce(
        (sum, i, k) =>
          binary("add", binary("mul", sum, constantOf(type, array.rows![k]!, i.span), i.span), as(i), i.span),
        as(indices[0]!),
      );
    const inner = array.rows;
    const outer = array.elements.length / inner.reduce((a, b) => a * b, 1);
    const listed = indices.map((i, k) => ({ index: as(i), length: k === 0 ? outer : inner[k - 1]! }));
    this.rows.set(index, listed);
    for (const { index: i, length } of listed) this.checkInside(i, length, array);
    return element(variablePlace(array.flat, p.span), index, p.span);
  }

  private checkInside(index: Expr, length: number, { name }: BlockArray): void {
    const k = evaluate(this.s, index);
    if (k !== undefined && (Number(k) < 0 || Number(k) >= length))
      error(this.s, "XL2012", `'${name}' has ${length} blocks, there is none of number ${k}`, index.span);
  }

  private elementPlace(array: BlockArray, k: number, span: Span): Place {
    return variablePlace(this.s.variables.get(array.elements[k]!)!, span);
  }

  /** `data[2]`: the third block. */
  private constant(p: Place): Place {
    const array = this.arrayOf(p);
    if (!array) return p;
    const { index, span } = p as Element;
    const k = evaluate(this.s, index);
    if (k === undefined) return p;
    if (!this.rows.has(index)) this.checkInside(index, array.elements.length, array);
    return this.elementPlace(array, array.elements[Number(k)] === undefined ? 0 : Number(k), span);
  }

  /** The element of an array of blocks a place lies in. */
  private chosen(p: Place): Element | undefined {
    if (this.arrayOf(p)) return p as Element;
    return p.kind === "element" || p.kind === "member" || p.kind === "swizzle" ? this.chosen(p.base) : undefined;
  }

  private use(e: Expr): Expr {
    switch (e.kind) {
      case "load":
      case "length":
      case "increment":
        return this.choose(e, e.place, (place) => ({ ...e, place }), []);
      case "assign":
        return this.choose(e, e.target, (target, [value]) => ({ ...e, target, value: value! }), [e.value]);
      case "op":
        if (e.places.length !== 1) return this.refused(e, e.places);
        return this.choose(e, e.places[0]!, (place, args) => ({ ...e, places: [place], arguments: args }), e.arguments);
      case "call":
        return this.call(e);
      case "address-of":
        return this.choose(e, e.place, (place) => ({ ...e, place }), []);
      default:
        return e;
    }
  }

  /** A function that takes something of a chosen block is called for each of them. */
  private call(e: FunctionCall): Expr {
    const places = e.arguments.map((a) => (a.mode !== "value" && this.chosen(a.place) ? a.place : undefined));
    const at = places.findIndex((p) => p !== undefined);
    const place = places[at];
    if (!place) return e;
    // In whatever order they are found, and lanes that meet in it may choose different blocks.
    const made = new Set(this.early.map((v) => v.id));
    const apart = e.arguments.every(
      (a) => !this.effects.of(a.mode === "value" ? a.value : load(a.place, a.place.span), made),
    );
    if (!apart || places.some((p, i) => p && i !== at) || this.effects.meets(e.function))
      return this.refused(e, [place]);
    const values = e.arguments.flatMap((a) => (a.mode === "value" ? [a.value] : []));
    const taking = (chosen: Place, given: readonly Expr[]): Expr => {
      const rest = [...given];
      const taken = (a: Argument, i: number): Argument =>
        a.mode === "value" ? { ...a, value: rest.shift()! } : i === at ? { ...a, place: chosen } : a;
      return { ...e, arguments: e.arguments.map(taken) };
    };
    return this.choose(e, place, taking, values);
  }

  private refused(e: Expr, places: readonly Place[]): Expr {
    const at = places.find((p) => this.chosen(p));
    if (at) notYet(this.s, "handing on what is in a block chosen at run time is", at.span);
    return e;
  }

  private choose(
    e: Expr,
    place: Place,
    rebuilt: (place: Place, operands: readonly Expr[]) => Expr,
    operands: readonly Expr[],
  ): Expr {
    const at = this.chosen(place);
    if (!at) return e;
    if (e.type.kind === "array") {
      notYet(this.s, "arrays as a whole of a block chosen at run time are", e.span);
      return e;
    }
    const array = this.arrayOf(at)!;
    if (array.open) {
      notYet(this.s, "an array of buffers without a length, by a computed index, is", at.span, sayHowMany);
      return e;
    }
    this.places.push(at.span);
    const before: { readonly variable: Variable; readonly value: Expr }[] = [];
    // Indices come before operands: where those change something, they are read first.
    const unchanged = !operands.some(changesSomething);
    const held = (x: Expr, name: string): Expr => {
      if (isSimple(x) && (unchanged || x.kind === "literal")) return x;
      const variable = this.editor.addLocal(name, x.type, x.span);
      before.push({ variable, value: x });
      return load(variablePlace(variable, x.span));
    };
    const indices = this.rows.get(at.index) ?? [{ index: at.index, length: array.elements.length }];
    const dimensions = indices.map(({ index, length }): Dimension => {
      const k = evaluate(this.s, index);
      return { length, index: k === undefined ? held(index, "block") : Number(k) };
    });
    const once = heldPlace(place, (x) => (x === at.index ? x : held(x, "index")));
    const blockIn = (p: Place): boolean => p.kind === "element" && p.base === at.base;
    // With element `k` of the array of blocks at its root.
    const placed = (k: number): Place =>
      rewritePlace(once, { enterPlace: (p) => (blockIn(p) ? this.elementPlace(array, k, at.span) : undefined) });
    const values = operands.map((x) => held(x, "value"));
    const uses = new Map(possible(dimensions).map((k) => [k, rebuilt(placed(k), values)]));
    const choice: Choice = { before, dimensions, uses };
    const chain = chosenBy(
      choice,
      (use) => use,
      (condition, use, rest) => conditional(condition, use, rest, e.span),
    );
    const afterBefore = (rest: Expr): Expr =>
      before.reduceRight((x, b) => comma(assign(variablePlace(b.variable), b.value), x, e.span), rest);
    // A pointer is followed through what chooses it.
    const made =
      e.kind === "address-of" && chain.kind === "conditional"
        ? { ...chain, condition: afterBefore(chain.condition) }
        : afterBefore(chain);
    this.choices.set(made, choice);
    for (const b of before) this.early.push(b.variable);
    return made;
  }

  /** What comes before and after a call without value, which chooses by `if`. */
  private apart(s: ExpressionStatement): Statement | readonly Statement[] {
    const parts: Expr[] = [];
    let e = s.expression;
    for (; e.kind === "comma"; e = e.right) parts.push(e.left);
    parts.push(e);
    if (!parts.some((x) => x.type.kind === "void" && this.choices.has(x))) return s;
    return parts.flatMap((x, i) =>
      this.statement({
        ...s,
        expression: x,
        trivia: {
          ...noTrivia,
          ...(i === 0 ? { leading: s.trivia.leading, blankBefore: s.trivia.blankBefore } : {}),
          ...(i === parts.length - 1 ? { trailing: s.trivia.trailing } : {}),
        },
      }),
    );
  }

  /** A use that is a statement of its own chooses by `if`. */
  private statement(s: Statement): Statement | readonly Statement[] {
    if (s.kind !== "expression") return s;
    const choice = this.choices.get(s.expression);
    if (!choice) return this.apart(s);
    for (const { variable } of choice.before) this.early.splice(this.early.indexOf(variable), 1);
    const chain = chosenBy<Statement>(choice, (use) => expressionStatement(use), ifStatement);
    const list = [...choice.before.map((b) => declare(b.variable.id, b.value)), chain];
    return list.map((x, i) => ({
      ...x,
      span: s.span,
      trivia: {
        ...noTrivia,
        ...(i === 0 ? { leading: s.trivia.leading, blankBefore: s.trivia.blankBefore } : {}),
        ...(i === list.length - 1 ? { trailing: s.trivia.trailing } : {}),
      },
    }));
  }
}

/** Dimension by dimension, each index compared with the numbers that its own has. */
function chosenBy<T>(
  { dimensions, uses }: Choice,
  leaf: (use: Expr) => T,
  join: (condition: Expr, use: T, rest: T) => T,
): T {
  const from = (at: number, row: number): T => {
    const dimension = dimensions[at];
    if (!dimension) return leaf(uses.get(row)!);
    const { index, length } = dimension;
    if (typeof index === "number") return from(at + 1, row * length + index);
    const arms = Array.from({ length }, (_, k) => from(at + 1, row * length + k));
    if (length > mostInRow && isWord(index)) return halved(index, arms, join);
    return arms.slice(0, -1).reduceRight((rest, arm, k) => join(isNumber(index, k, length), arm, rest), arms.at(-1)!);
  };
  return from(0, 0);
}

/** More are halved until one is left, the others are compared one after the other. */
const mostInRow = 64;

/** An index below zero is none that is too large only as long as it is not taken for one: the last comparison finds both. */
function halved<T>(index: Expr, arms: readonly T[], join: (condition: Expr, use: T, rest: T) => T): T {
  const { span } = index;
  const number = sameType(index.type, u32) ? index : convert(index, u32, false, span);
  const between = (first: number, end: number): T => {
    if (end - first === 1) return arms[first]!;
    const middle = (first + end) >> 1;
    const [low, high] = [between(first, middle), between(middle, end)];
    const isLast = end - first === 2;
    const below = binary("lt", number, constantOf(u32, middle, span), span);
    return join(isLast ? isNumber(number, first, arms.length) : below, low, high);
  };
  return between(0, arms.length);
}

function isNumber(index: Expr, k: number, length: number): Expr {
  const made = binary("eq", index, constantOf(index.type, k, index.span), index.span);
  const checked = k === length - 2 && isWord(index);
  return checked ? { ...made, relies: "block" } : made;
}

const isWord = ({ type }: Expr): boolean => sameType(type, i32) || sameType(type, u32);

/** Assigns, steps or calls something. */
function changesSomething(e: Expr): boolean {
  let found = false;
  walkExpr(e, { expr: (x) => void (found ||= x.kind === "assign" || x.kind === "increment" || x.kind === "call") });
  return found;
}

/** Largest value, in nodes of the tree, that is written several times. */
const repeatable = 5;

/** Plain arithmetic on locals, which may be written several times. */
const isSimple = (e: Expr): boolean => sizeOf(e) <= repeatable;

function sizeOf(e: Expr): number {
  switch (e.kind) {
    case "literal":
    case "enumerator":
    case "builtin":
      return 1;
    case "load":
      return e.place.kind === "variable" && e.type.kind !== "array" ? 1 : Infinity;
    case "unary":
    case "convert":
    case "swizzle-value":
      return 1 + sizeOf(e.operand);
    case "binary":
      return 1 + sizeOf(e.left) + sizeOf(e.right);
    default:
      return Infinity;
  }
}

/** The outermost first. */
function statedLengths(s: Sema, x: syntax.Declarator, what: "blocks" | "buffers"): readonly number[] | undefined {
  const counts = x.derivations.map((d) =>
    d.kind === "array" && d.size ? constantInteger(s, d.size, `the number of ${what}`) : undefined,
  );
  if (x.derivations.some((d) => d.kind !== "array" || !d.size))
    return notYet(s, `an array of ${what} without a length is`, x.span, sayHowMany);
  if (!counts.every((n) => n !== undefined)) return undefined;
  const all = counts.reduce((a, b) => a * b, 1n);
  if (counts.every((n) => n > 0n) && all <= BigInt(mostBuffers)) return counts.map(Number).reverse();
  const [size, more] = x.derivations;
  const at = !more && size?.kind === "array" ? size.size!.span : x.span;
  return error(s, "XL2020", `an array of ${all} ${what} is not between 1 and ${mostBuffers}`, at);
}

/** Most buffers of an array. */
const mostBuffers = 2048;

const isWithoutLength = ({ derivations: [size, more] }: syntax.Declarator): boolean =>
  !more && size?.kind === "array" && !size.size;

/** Those of an array of blocks or buffers; "wrong" where a problem was reported, undefined where it is no array. */
export function resourceCounts(
  s: Sema,
  x: syntax.Declarator,
  what: "blocks" | "buffers",
): ResourceCounts | "wrong" | undefined {
  if (x.derivations.length === 0) return undefined;
  if (isWithoutLength(x)) {
    const given = givenLength(s, x.name!.name);
    if (given !== undefined && given > mostBuffers) {
      error(s, "XL2020", `an array of ${given} ${what} is not between 1 and ${mostBuffers}`, x.span);
      return "wrong";
    }
    return given === undefined ? { lengths: [mostBuffers], open: true } : { lengths: [given] };
  }
  const lengths = statedLengths(s, x, what);
  return lengths ? { lengths } : "wrong";
}
