/**
 * In C++ no jump leads past the initialiser of a variable into its scope (C++14 6.7 (3)), neither `goto` nor the jump of a switch to a
 * case. What is given nothing may be made by a constructor, which is known when the body has been read.
 */
import type * as syntax from "../ast/syntax.js";
import type { Span } from "../support/span.js";
import { error, type FunctionState, type Sema } from "./context.js";
import { partsOf } from "./statement-parts.js";

/** A variable whose scope has begun, inside of those before it. */
interface InScope {
  readonly name: string;
  readonly span: Span;
  readonly around: InScope | undefined;
}

interface Jump {
  readonly from: InScope | undefined;
  readonly label: string;
  readonly span: Span;
}

export function refuseJumpsOver(s: Sema, { madeAtOnce }: FunctionState, body: syntax.CompoundStatement): void {
  if (s.reading.declarations.jumpsOverInitializers !== "never") return;
  const jumps: Jump[] = [];
  const labels = new Map<string, InScope | undefined>();
  const refuse = (from: InScope | undefined, to: InScope | undefined, span: Span, what: string): void => {
    const known = new Set<InScope>();
    for (let at = from; at; at = at.around) known.add(at);
    if (!to || known.has(to)) return;
    error(s, "XL2011", `${what} past the initialiser of '${to.name}'`, span, {
      help: `put a block around the statements that use ${to.name}`,
      notes: [{ message: "it is initialised here", span: to.span }],
    });
  };
  /** What is in scope behind a statement. */
  const visit = (
    st: syntax.Statement,
    scope: InScope | undefined,
    atSwitch: InScope | undefined,
  ): InScope | undefined => {
    if (st.kind === "declaration-statement") return withInitialized(st.declaration, scope, madeAtOnce);
    if (st.kind === "goto") jumps.push({ from: scope, label: st.label, span: st.span });
    if (st.kind === "label") labels.set(st.label, scope);
    if (st.kind === "case") refuse(atSwitch, scope, st.span, "a switch jumps to this case");
    let inside = scope;
    if (st.kind === "for" && st.initializer) inside = visit(st.initializer, scope, atSwitch);
    if (st.kind === "range-for")
      inside = { name: st.declaration.declarators[0]?.name?.name ?? "", span: st.span, around: scope };
    const around = st.kind === "switch" ? inside : atSwitch;
    for (const part of partsOf(st)) {
      const behind = visit(part, inside, around);
      if (st.kind === "compound") inside = behind;
    }
    return scope;
  };
  visit(body, undefined, undefined);
  for (const { from, label, span } of jumps) refuse(from, labels.get(label), span, `goto ${label} jumps`);
}

function withInitialized(
  d: syntax.Declaration,
  scope: InScope | undefined,
  made: ReadonlySet<number>,
): InScope | undefined {
  if (d.kind !== "variable" || d.qualifiers.some((q) => q.name === "static")) return scope;
  let inside = scope;
  for (const x of d.declarators)
    if (x.name && (x.initializer || made.has(x.name.span.start)))
      inside = { name: x.name.name, span: x.name.span, around: inside };
  return inside;
}
