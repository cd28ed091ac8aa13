/**
 * Puts the bodies of functions in the place of calls of them: of functions that move pointers which lie in an object of their
 * caller, or return such an object. What a call in the tree does is kept to the letter: arguments are evaluated from left to
 * right into parameters of their own, references stand for the place they were given, and names are made unique by printers.
 */
import {
  addressOf,
  assign,
  block,
  boolLiteral,
  declare,
  deref,
  expressionStatement,
  ifStatement,
  literalValue,
  load,
  rootVariable,
  type ModuleEditor,
  variablePlace,
} from "../ast/builders.js";
import { heldPlace } from "../ast/held-place.js";
import { Linearizer } from "../ast/linearize.js";
import {
  noTrivia,
  type Assign,
  type Comma,
  type Expr,
  type FunctionCall,
  type FunctionDeclaration,
  type FunctionId,
  type Place,
  type Statement,
  type Variable,
  type VarId,
} from "../ast/nodes.js";
import { isPure, rewriteFunction, rewriteStatement, rewriteStatements, walkStatement } from "../ast/walk.js";
import { append } from "../support/append.js";
import { firstCall } from "./first-call.js";
import type { Span } from "../support/span.js";
import { bool, pointer, type Type } from "../types/types.js";

/** Says what is not supported yet. */
export type Refuse = (what: string, span: Span) => void;

/** Where what a function returns goes. */
type Sink =
  | { readonly kind: "nothing" }
  | { readonly kind: "variable"; readonly variable: VarId }
  | { readonly kind: "place"; readonly place: Place };

/** A variable and members of it: to name it twice changes nothing. */
export function isPathOfVariable(p: Place): boolean {
  if (p.kind === "element") return literalValue(p.index) !== undefined && isPathOfVariable(p.base);
  return p.kind === "variable" || (p.kind === "member" && isPathOfVariable(p.base));
}

/** A parameter by which the callee sets what is its caller's. */
export const isByReference = ({ mode }: Pick<Variable, "mode">): boolean => mode !== undefined && mode !== "value";

/** In one function. Functions that call each other twice make twice as much at each step: more is taken for too much. */
const mostStatements = 10_000;

export class InlineCalls {
  /** How many statements have been put in the place of calls of the function that is read. */
  private statements = 0;

  constructor(
    private readonly editor: ModuleEditor,
    private readonly functions: ReadonlyMap<FunctionId, FunctionDeclaration>,
    private readonly isInlined: (id: FunctionId) => boolean,
    private readonly holdsPointers: (type: Type) => boolean,
    private readonly refuse: Refuse,
  ) {}

  /** Variables of each function whose address is taken, by itself or by what gets them by reference. */
  private readonly addressedIn = new Map<FunctionId, ReadonlySet<VarId>>();
  private addressed: ReadonlySet<VarId> = new Set();

  /** The function with no call left of what is put in place. */
  inside(f: FunctionDeclaration): FunctionDeclaration {
    this.statements = 0;
    this.addressed = this.withAddress(f);
    this.addressedIn.set(f.id, this.addressed);
    const next = rewriteFunction(f, { statement: (s) => this.statement(s) });
    return this.apart(next);
  }

  /**
   * What is left stands in the middle of expressions, in operands that may be left out and in heads of loops: calls, and assignments of objects with
   * pointers of which the value is taken. What is around them is taken apart.
   */
  private apart(f: FunctionDeclaration): FunctionDeclaration {
    const whole = new Set<Expr>();
    let found = false;
    const isValued = (e: Expr): e is Assign =>
      e.kind === "assign" && !whole.has(e) && this.holdsPointers(e.target.type);
    walkStatement(f.body, {
      statement: (s) => void (s.kind === "expression" && whole.add(s.expression)),
      expr: (e) => !(found ||= this.callIn(e) !== undefined || isValued(e)),
    });
    if (!found) return f;
    const linearizer = new Linearizer(this.editor, (e, discarded, original) => {
      const hold = (type: Type): Variable => {
        const held = this.editor.addLocal("result", type, e.span);
        linearizer.settled.add(held.id);
        return held;
      };
      if (isValued(original) && e.kind === "assign") {
        const indices: Statement[] = [];
        const target = heldPlace(e.target, (index) => {
          if (index.kind === "literal") return index;
          const held = hold(index.type);
          indices.push(declare(held.id, index, e.span));
          return load(variablePlace(held), index.span);
        });
        const before = [...indices, expressionStatement({ ...e, target }, e.span)];
        return { before, value: discarded ? undefined : load(target, e.span) };
      }
      const call = this.callIn(e);
      if (!call) return undefined;
      if (call.type.kind === "void") return { before: this.body(call, { kind: "nothing" }), value: undefined };
      const { id } = hold(call.type);
      const before = [declare(id, undefined, call.span), ...this.body(call, { kind: "variable", variable: id })];
      return { before, value: load(variablePlace(this.editor.variables.get(id)!), call.span) };
    });
    return linearizer.function(f);
  }

  private withAddress(f: FunctionDeclaration): ReadonlySet<VarId> {
    const found = new Set<VarId | undefined>();
    walkStatement(f.body, {
      expr: (e) => {
        if (e.kind === "address-of") found.add(rootVariable(e.place));
        if (e.kind !== "call") return;
        const { parameters } = this.functions.get(e.function)!;
        e.arguments.forEach((a, i) => {
          if (a.mode !== "value" && this.addressedIn.get(e.function)!.has(parameters[i]!))
            found.add(rootVariable(a.place));
        });
      },
    });
    return new Set([...found].filter((id) => id !== undefined));
  }

  private readonly reading = new Map<FunctionId, boolean>();

  /** Whether a function, and what it calls, writes nothing but variables of its own. */
  private onlyReads(id: FunctionId): boolean {
    const known = this.reading.get(id);
    if (known !== undefined) return known;
    let fine = true;
    const isOwn = (root: VarId | undefined): boolean => {
      const v = root === undefined ? undefined : this.editor.variables.get(root)!;
      return v !== undefined && (v.role === "local" || (v.role === "parameter" && !isByReference(v)));
    };
    walkStatement(this.functions.get(id)!.body, {
      statement: (s) => void (fine &&= s.kind !== "barrier"),
      place: (p, use) => void (fine &&= use === "read" || use === "address" || isOwn(rootVariable(p))),
      expr: (e) => {
        if (e.kind === "call") fine &&= this.onlyReads(e.function);
        else if (e.kind === "op" || e.kind === "print") fine &&= isPure(e);
      },
    });
    this.reading.set(id, fine);
    return fine;
  }

  private statement(s: Statement): Statement | readonly Statement[] {
    if (s.kind === "for" && s.initializer.length > 0) return this.ofLoop(s);
    // A temporary that a reference of the call stands for is filled before it.
    if (s.kind === "expression" && s.expression.kind === "comma" && this.endsInCall(s.expression))
      return [
        ...listOf(this.statement({ ...s, expression: s.expression.left })),
        ...listOf(this.statement({ ...s, expression: s.expression.right, trivia: noTrivia })),
      ];
    const before: Statement[] = [];
    let rest = s;
    for (let call = this.earlier(rest); call; call = this.earlier(rest)) {
      if (call.kind === "comma") {
        before.push(expressionStatement(call.left, call.span));
        rest = withPartReplaced(rest, call, call.right);
        continue;
      }
      const held = this.editor.addLocal("result", call.type, call.span);
      before.push(declare(held.id, undefined, call.span));
      append(before, this.body(call, { kind: "variable", variable: held.id }));
      rest = withPartReplaced(rest, call, load(variablePlace(held, call.span)));
    }
    const last = this.ofRoot(rest);
    if (before.length === 0) return last;
    const all = [...before, ...listOf(last)];
    return all.map((x, i) => (i === 0 ? { ...x, trivia: s.trivia } : x === rest ? { ...x, trivia: noTrivia } : x));
  }

  /** What is not all of the statement, and may come before it. */
  private earlier(s: Statement): FunctionCall | Comma | undefined {
    const e = evaluatedFirst(s);
    const root = e?.kind === "assign" && !e.operator && isPathOfVariable(e.target) ? e.value : e;
    const call =
      e &&
      firstCall(e, {
        isStatement: (a) => !a.operator && isPathOfVariable(a.target) && this.holdsPointers(a.target.type),
        isWanted: (c) => this.isInlined(c.function) && c.type.kind !== "void",
        variable: (id) => this.editor.variables.get(id)!,
        isAddressed: (id) => this.addressed.has(id),
        onlyReads: (c) => this.onlyReads(c.function),
      });
    // Only of a call that is the whole value the result has a place already.
    return call && (call.kind === "comma" || call !== root || s.kind === "if" || s.kind === "switch")
      ? call
      : undefined;
  }

  private ofRoot(s: Statement): Statement | readonly Statement[] {
    if (s.kind === "declare" && s.initializer) {
      const call = this.callIn(s.initializer);
      if (!call) return s;
      const v = this.editor.variables.get(s.variable)!;
      // Its value comes in statements behind.
      if (v.constant) this.editor.setVariable({ ...v, constant: false });
      const { initializer: _, ...bare } = s;
      return [bare, ...this.body(call, { kind: "variable", variable: s.variable })];
    }
    if (s.kind === "expression") {
      const e = s.expression;
      const call = this.callIn(e);
      if (call) return this.body(call, { kind: "nothing" }, s.trivia);
      if (e.kind === "assign" && !e.operator && isPathOfVariable(e.target)) {
        const value = this.callIn(e.value);
        if (value) return this.body(value, { kind: "place", place: e.target }, s.trivia);
      }
    }
    if (s.kind === "return" && s.value) {
      const call = this.callIn(s.value);
      if (!call) return s;
      const held = this.editor.addLocal("result", call.type, s.span);
      const from = variablePlace(held, s.span);
      return [
        declare(held.id, undefined, s.span, s.trivia),
        ...this.body(call, { kind: "variable", variable: held.id }),
        { ...s, value: load(from), trivia: noTrivia },
      ];
    }
    return s;
  }

  /** What is evaluated once, before the loop, may stand before it. */
  private ofLoop(s: Statement & { readonly kind: "for" }): Statement {
    const list: readonly Statement[] = s.initializer;
    if (list.every((i) => i.kind === "expression" || (i.kind === "declare" && i.initializer))) return s;
    return block([...list, { ...s, initializer: [] }], s.span, s.trivia);
  }

  private callIn(e: Expr): FunctionCall | undefined {
    return e.kind === "call" && this.isInlined(e.function) ? e : undefined;
  }

  private endsInCall(e: Expr): boolean {
    return e.kind === "comma" ? this.endsInCall(e.right) : this.callIn(e) !== undefined;
  }

  private body(call: FunctionCall, sink: Sink, trivia = noTrivia): Statement[] {
    const f = this.functions.get(call.function)!;
    const places = new Map<VarId, Place>();
    const out: Statement[] = [];
    const back: Statement[] = [];
    f.parameters.forEach((id, i) => {
      const p = this.editor.variables.get(id)!;
      const given = call.arguments[i]!;
      const copied = given.mode !== "value" && given.mode !== "ref" && this.isSeenElsewhere(given.place, i, call);
      if (given.mode === "value") {
        const own = this.copy(p);
        places.set(id, variablePlace(own));
        out.push(declare(own.id, given.value, call.span));
      } else if (isPathOfVariable(given.place)) places.set(id, given.place);
      else if (given.place.type.kind === "pointer") this.refuse("a reference to such a pointer is", call.span);
      else {
        const at = this.editor.addVariable({
          name: p.name,
          type: pointer(given.place.type, p.space, p.constant),
          space: "private",
          role: "local",
          constant: true,
          span: p.span,
        });
        out.push(declare(at.id, addressOf(given.place, p.space, call.span, p.constant), call.span));
        places.set(id, deref(load(variablePlace(at))));
      }
      const place = places.get(id);
      if (!copied || !place) return;
      const { id: copy } = this.copy(p);
      const own = variablePlace(this.editor.variables.get(copy)!);
      out.push(declare(copy, given.mode === "inout" ? load(place) : undefined, call.span));
      back.push(expressionStatement(assign(place, load(own)), call.span));
      places.set(id, own);
    });
    walkStatement(f.body, {
      statement: (s) => {
        this.statements++;
        if (s.kind === "declare")
          places.set(s.variable, variablePlace(this.copy(this.editor.variables.get(s.variable)!)));
      },
    });
    if (this.statements > mostStatements) {
      const what = "functions that move or return pointers in objects are, where they take the place of their calls,";
      this.refuse(`${what} with more than ${mostStatements} statements`, call.span);
      return [];
    }
    const stands = (p: Place): Place => {
      const at = p.kind === "variable" ? places.get(p.variable) : undefined;
      return at ? { ...at, span: p.span } : p;
    };
    const cloned = rewriteStatements(f.body.statements, {
      place: stands,
      statement: (s) => {
        if (s.kind !== "declare") return s;
        const to = places.get(s.variable);
        return to?.kind === "variable" ? { ...s, variable: to.variable } : s;
      },
    });
    // What is returned goes where it goes when `out` and `inout` parameters are back in their places.
    const held =
      back.length > 0 && sink.kind === "place" ? this.editor.addLocal("result", call.type, call.span) : undefined;
    if (held) out.push(declare(held.id, undefined, call.span));
    append(out, this.returned(cloned, held ? { kind: "variable", variable: held.id } : sink, call));
    append(out, back);
    if (held && sink.kind === "place")
      out.push(expressionStatement(assign(sink.place, load(variablePlace(held))), call.span));
    const [first, ...rest] = out;
    if (!first) return [];
    return trivia === noTrivia ? out : [{ ...first, trivia }, ...rest];
  }

  /**
   * Whether the callee could see the object by another name, so that a copy of it, which `out` and `inout` are, is another. Buffer
   * objects themselves are not copied: DXC has what is assigned to one in the other at once.
   */
  private isSeenElsewhere(place: Place, at: number, call: FunctionCall): boolean {
    if (place.type.kind === "pointer" && place.type.object !== undefined) return false;
    if (place.type.kind === "struct" && this.editor.structs.get(place.type.name)?.counted) return false;
    const root = rootVariable(place);
    const v = root === undefined ? undefined : this.editor.variables.get(root)!;
    return (
      v === undefined ||
      v.space !== "private" ||
      v.role === "global" ||
      this.addressed.has(v.id) ||
      call.arguments.some((a, i) => i !== at && a.mode !== "value" && rootVariable(a.place) === root)
    );
  }

  private copy(v: Variable): Variable {
    const { id: _, mode: _mode, ...own } = v;
    return this.editor.addVariable({ ...own, role: "local", space: "private" });
  }

  /** The statements with what they return put where it goes. */
  private returned(list: readonly Statement[], sink: Sink, call: FunctionCall): readonly Statement[] {
    const last = list.at(-1);
    const before = last?.kind === "return" ? list.slice(0, -1) : list;
    const value = last?.kind === "return" ? last.value : undefined;
    const end = value ? [...this.given(value, sink, last!)] : [];
    if (!before.some(hasReturn)) return [...before, ...end];
    // A `break` out of a loop or switch has to go on: this says so.
    const returned = before.some(returnsFromLoop) ? this.editor.addLocal("returned", bool, call.span) : undefined;
    const leave = (span: Span): Statement => ({ kind: "break", span, trivia: noTrivia });
    const marked = (span: Span): Statement[] =>
      returned ? [expressionStatement(assign(variablePlace(returned), boolLiteral(true, span)), span)] : [];
    const rewritten = rewriteStatements([...before, ...end], {
      statement: (s) => {
        if (returned && isLeftByBreak(s) && writes(s, returned.id))
          return [
            s,
            ifStatement(load(variablePlace(returned, s.span)), block([leave(s.span)], s.span), undefined, s.span),
          ];
        if (s.kind !== "return") return s;
        const [first, ...rest] = [...(s.value ? this.given(s.value, sink, s) : []), ...marked(s.span), leave(s.span)];
        return s.value ? [first, ...rest] : [{ ...first, trivia: s.trivia }, ...rest];
      },
    });
    return [
      ...(returned ? [declare(returned.id, boolLiteral(false, call.span), call.span)] : []),
      {
        kind: "do-while",
        body: block(rewritten, call.span),
        condition: boolLiteral(false, call.span),
        span: call.span,
        trivia: noTrivia,
      },
    ];
  }

  private given(value: Expr, sink: Sink, s: Statement): readonly Statement[] {
    const call = this.callIn(value);
    if (call) return this.body(call, sink);
    if (sink.kind === "nothing") return isPure(value) ? [] : [expressionStatement(value, s.span, s.trivia)];
    const to = sink.kind === "place" ? sink.place : variablePlace(this.editor.variables.get(sink.variable)!, s.span);
    return [expressionStatement(assign(to, value), s.span, s.trivia)];
  }
}

const listOf = (made: Statement | readonly Statement[]): readonly Statement[] =>
  Array.isArray(made) ? (made as readonly Statement[]) : [made as Statement];

/** What a statement evaluates once and before all else. */
function evaluatedFirst(s: Statement): Expr | undefined {
  switch (s.kind) {
    case "declare":
      return s.initializer;
    case "expression":
      return s.expression;
    case "return":
      return s.value;
    case "if":
      return s.condition;
    case "switch":
      return s.value;
    default:
      return undefined;
  }
}

/** The parts that are not evaluated first have no such call any more. */
const withPartReplaced = (s: Statement, part: Expr, by: Expr): Statement =>
  rewriteStatement(s, { enterExpr: (e) => (e === part ? by : undefined) });

function hasReturn(s: Statement): boolean {
  let found = false;
  walkStatement(s, {
    statement: (x) => {
      if (x.kind === "return") found = true;
      return !found;
    },
    expr: () => false,
    place: () => false,
  });
  return found;
}

const isLeftByBreak = ({ kind }: Statement): boolean =>
  kind === "for" || kind === "while" || kind === "do-while" || kind === "switch";

function writes(s: Statement, variable: VarId): boolean {
  let found = false;
  walkStatement(s, {
    expr: (e) => {
      found ||= e.kind === "assign" && e.target.kind === "variable" && e.target.variable === variable;
      return !found;
    },
  });
  return found;
}

/** A `break` there would leave something else. */
function returnsFromLoop(s: Statement): boolean {
  let found = false;
  walkStatement(s, {
    statement: (x) => {
      const catches = isLeftByBreak(x);
      if (catches && hasReturn(x)) found = true;
      return !catches;
    },
    expr: () => false,
    place: () => false,
  });
  return found;
}
