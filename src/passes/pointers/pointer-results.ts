/** What a function returns that returns a pointer: the indices, and which object is meant. */
import { assign, literal, literalValue, variablePlace } from "../../ast/builders.js";
import { noTrivia, type Expr, type Statement, type Variable, type VarId } from "../../ast/nodes.js";
import { isPure, rewriteStatements, walkExpr } from "../../ast/walk.js";
import { noSpan, type Span } from "../../support/span.js";
import { i32, voidType, type PointerType, type Type } from "../../types/types.js";
import {
  assignedAgain,
  asType,
  inArray,
  integerType,
  isLoadOf,
  isVariable,
  keyOf,
  NotLowerable,
  type Pointer,
  type Result,
  type ResultHole,
  type ResultPlace,
  withTriviaOf,
} from "./pointer-values.js";
import type { FunctionLowering } from "./function-lowering.js";

interface Returned {
  readonly statement: Statement;
  readonly pointer: Pointer;
  readonly span: Span;
}

const typeOfIndices = (list: readonly Expr[]): Type =>
  integerType((list.find((x) => x.kind !== "literal") ?? list[0]!).type);

/** Statements without the `return` of nothing that they end with. */
function withoutEnd(list: readonly Statement[]): readonly Statement[] {
  const end = list.at(-1);
  const silent = end?.kind === "return" && end.trivia.leading.length + end.trivia.trailing.length === 0;
  return silent ? list.slice(0, -1) : list;
}

export class Results {
  constructor(private readonly body: FunctionLowering) {}

  /** Set by `run` where the function returns a pointer. */
  result: Result | undefined;

  readonly returned: {
    readonly statement: Statement;
    readonly pointer: Pointer | undefined;
    readonly span: Span;
  }[] = [];

  returnedPointer(s: Statement & { kind: "return" }, value: Expr): Statement {
    return this.body.choices.either(s, value, () => this.returnedOne(s, value));
  }

  private returnedOne(s: Statement & { kind: "return" }, value: Expr): Statement {
    const { value: _value, ...statement } = s;
    const pointer = this.body.nulls.isNull(value) ? undefined : this.body.pointer(value);
    if (!pointer || this.body.nulls.isNothing(pointer)) {
      this.returned.push({ statement, pointer: undefined, span: value.span });
      return statement;
    }
    const root = this.body.whole.variable(pointer.root);
    const handed = this.body.f.parameters.some((p) => this.rootsOf(p).includes(root.id));
    if (root.space === "private" && (root.role === "local" || root.role === "parameter") && !handed)
      throw new NotLowerable(
        "XL4006",
        `a pointer to ${root.name} is returned, which ends with the function`,
        value.span,
      );
    this.returned.push({ statement, pointer, span: value.span });
    return statement;
  }

  private rootsOf(parameter: VarId): readonly VarId[] {
    const b = this.body.bindings.get(parameter);
    return b ? (b.several?.shapes ?? [b]).map((s) => s.root) : [];
  }

  /** Returns give the index that differs between calls; the others the caller knows, or gets by parameters. */
  returningIndices(list: readonly Statement[]): readonly Statement[] {
    const first = this.returned.find((r) => r.pointer);
    if (!first?.pointer) {
      this.body.whole.report(
        new NotLowerable(
          "XL4006",
          `${this.body.f.name} returns null only, of no object that is known`,
          this.returned[0]!.span,
        ),
      );
      return list;
    }
    const { pointee } = this.body.f.returnType as PointerType;
    const { pointer: one } = first;
    const plain = this.returned.every((r) => r.pointer && keyOf(r.pointer) === keyOf(one));
    const returned = this.returned.map((r) => {
      const pointer = plain
        ? r.pointer!
        : r.pointer
          ? inArray(r.pointer, pointee)
          : this.body.nulls.nullLike(one, pointee, first.span);
      return { ...r, pointer };
    });
    const shapes = [...new Map(returned.map((r) => [keyOf(r.pointer), r.pointer])).values()];
    return shapes.length === 1
      ? this.returningOne(list, returned, shapes[0]!, first.span)
      : this.returningSeveral(list, returned, shapes, first.span);
  }

  /** Of one object: what returns differ in. */
  private returningOne(
    list: readonly Statement[],
    returned: readonly Returned[],
    pointer: Pointer,
    span: Span,
  ): readonly Statement[] {
    const count = pointer.holes.length;
    const holes = pointer.holes.map((h, k): ResultHole => {
      const all = returned.map((r) => r.pointer.holes[k]!);
      if (all.every((x) => x.kind === "literal" && Number(x.value) === Number(literalValue(h))))
        return { kind: "fixed", value: h };
      const passed = all.map((x) => this.passedIn(x));
      const [one] = passed;
      if (one && passed.every((x) => x?.parameter === one.parameter && x.index === one.index))
        return { kind: "passed", ...one };
      return { kind: "returned" };
    });
    const known = this.known(holes, returned);
    if (known) {
      this.result = { alternatives: [{ ...this.resultPlace(pointer), holes: known }], outs: [], type: voidType, span };
      return withoutEnd(list);
    }
    if (count > 0 && !holes.some((h) => h.kind === "returned")) holes[count - 1] = { kind: "returned" };
    const last = holes.findLastIndex((h: ResultHole) => h.kind === "returned");
    const outs: Variable[] = [];
    const handed = holes.flatMap((h, k) => {
      if (h.kind !== "returned" || k === last) return [];
      holes[k] = { kind: "out", at: outs.length };
      outs.push(
        this.out(
          `index${String(outs.length)}`,
          returned.map((r) => r.pointer.holes[k]!),
        ),
      );
      return [k];
    });
    const place: ResultPlace = { ...this.resultPlace(pointer), holes };
    if (last < 0) {
      this.result = { alternatives: [place], outs, type: voidType, span };
      return withoutEnd(list);
    }
    const type = typeOfIndices(returned.map((r) => r.pointer.holes[last]!));
    this.result = { alternatives: [place], outs, type, span };
    return this.returning(list, returned, (r) => ({
      set: handed.map((k, n) => [outs[n]!, r.pointer.holes[k]!]),
      value: this.body.offsetAs(r.pointer.holes[last]!, type),
    }));
  }

  /**
   * What the caller can put together by itself, so that a function that does nothing else need not be called: each index is
   * fixed, was passed with a pointer, or is made of values of parameters, of each at most once.
   */
  private known(holes: readonly ResultHole[], returned: readonly Returned[]): readonly ResultHole[] | undefined {
    const [one, ...others] = returned;
    if (!one || others.length > 0 || !this.body.whole.isFreeFunction(this.body.f)) return undefined;
    const left = new Map(this.body.f.parameters.map((p, at) => [p, at]));
    const all = holes.map((h, k) => (h.kind === "returned" ? this.ofValuesGiven(one.pointer.holes[k]!, left) : h));
    return all.every((h) => h !== undefined) && all.some((h) => h.kind === "given") ? all : undefined;
  }

  /** An index that is made of values of parameters that the function never changes. Takes them out of what is left. */
  private ofValuesGiven(value: Expr, left: Map<VarId, number>): ResultHole | undefined {
    const parameters = new Map<VarId, number>();
    let isGiven = isPure(value);
    walkExpr(value, {
      expr: (e) => void (e.kind === "load" && e.place.kind !== "variable" && (isGiven = false)),
      place: (p) => {
        const at = p.kind === "variable" ? left.get(p.variable) : undefined;
        if (p.kind !== "variable" || at === undefined) return void (isGiven = false);
        const { mode, type } = this.body.whole.variable(p.variable);
        if (mode !== "value" || type.kind === "pointer" || assignedAgain(this.body.f, p.variable)) isGiven = false;
        left.delete(p.variable);
        parameters.set(p.variable, at);
      },
    });
    return isGiven ? { kind: "given", value, parameters } : undefined;
  }

  /** Of several objects: the number of the one that is meant, and all indices. */
  private returningSeveral(
    list: readonly Statement[],
    returned: readonly Returned[],
    shapes: readonly Pointer[],
    span: Span,
  ): readonly Statement[] {
    const count = Math.max(...shapes.map((s) => s.holes.length));
    const atEnd = (r: Returned, k: number): Expr | undefined => r.pointer.holes[r.pointer.holes.length - count + k];
    const indicesAt = (k: number): Expr[] => returned.flatMap((r) => atEnd(r, k) ?? []);
    const which = this.out("object", []);
    const outs = [which, ...Array.from({ length: count - 1 }, (_, k) => this.out(`index${String(k)}`, indicesAt(k)))];
    const type = typeOfIndices(indicesAt(count - 1));
    const alternatives = shapes.map((s): ResultPlace => {
      const missing = count - s.holes.length;
      const holes = s.holes.map((_, i): ResultHole =>
        missing + i + 1 === count ? { kind: "returned" } : { kind: "out", at: 1 + missing + i },
      );
      return { ...this.resultPlace(s), holes };
    });
    this.result = { alternatives, outs, type, span };
    return this.returning(list, returned, (r) => {
      const at = shapes.findIndex((s) => keyOf(s) === keyOf(r.pointer));
      const number = asType(literal("i32", at, r.span), which.type);
      return {
        // What this object has no index for has to have some value.
        set: outs.map((v, n) => [v, n === 0 ? number : (atEnd(r, n - 1) ?? asType(literal("i32", 0), v.type))]),
        value: this.body.offsetAs(atEnd(r, count - 1)!, type),
      };
    });
  }

  private resultPlace({ root, steps }: Pointer): Omit<ResultPlace, "holes"> {
    const parameter = this.body.f.parameters.find((p) => this.rootsOf(p)[0] === root);
    const via =
      parameter !== undefined && this.body.whole.variable(root).role === "parameter" ? { via: parameter } : {};
    return { root, steps, ...via };
  }

  /** A parameter by which an index leaves the function. */
  private out(name: string, values: readonly Expr[]): Variable {
    return this.body.editor.addVariable({
      name: `${this.body.f.name}_${name}`,
      type: values.length === 0 ? i32 : typeOfIndices(values),
      space: "private",
      role: "parameter",
      mode: "out",
      constant: false,
      span: noSpan,
    });
  }

  private returning(
    list: readonly Statement[],
    returned: readonly Returned[],
    made: (r: Returned) => { readonly set: readonly (readonly [Variable, Expr])[]; readonly value: Expr },
  ): readonly Statement[] {
    const all = new Map(returned.map((r) => [r.statement, made(r)]));
    return rewriteStatements(list, {
      enterStatement: (s) => {
        const found = all.get(s);
        if (!found) return undefined;
        const last = { ...s, value: found.value } as Statement;
        const first = found.set.map(([v, e]): Statement => {
          const expression = assign(variablePlace(v, s.span), asType(e, v.type), s.span);
          return { kind: "expression", expression, span: s.span, trivia: noTrivia };
        });
        return first.length === 0 ? last : withTriviaOf([...first, last], s);
      },
    });
  }

  /** Which index of a pointer parameter this is, where the function never moves it. */
  private passedIn(e: Expr): { readonly parameter: VarId; readonly index: number } | undefined {
    for (const parameter of this.body.f.parameters) {
      const index = (this.body.bindings.get(parameter)?.holes ?? []).findIndex(
        (h) => isVariable(h) && isLoadOf(e, h.id),
      );
      if (index >= 0) return assignedAgain(this.body.f, parameter) ? undefined : { parameter, index };
    }
    return undefined;
  }
}
