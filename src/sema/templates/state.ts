/** What one analysis keeps about templates, and how instances are read in their place. */
import { append, prepend } from "../../support/append.js";
import { kindOf } from "../../support/problem-kinds.js";
import type { Problem } from "../../support/diagnostics.js";
import { NumberedNames } from "../../support/numbered-names.js";
import type { VarId } from "../../ast/nodes.js";
import type * as syntax from "../../ast/syntax.js";
import { wordPattern } from "../../support/scan.js";
import type { Span } from "../../support/span.js";
import type { Scope, Sema } from "../context.js";
import { error } from "../context.js";
import type { Arguments, OutsideFunction, StructTemplate } from "./template.js";

export interface InstanceOfStruct {
  readonly template: StructTemplate;
  readonly arguments: Arguments;
  /** What the template, or the specialisation that it is of, defines behind itself; and the parameters of that one. */
  readonly outside: readonly OutsideFunction[];
  readonly parameters: readonly syntax.TemplateParameter[];
  /** Functions declared behind are not meant by the names of its text: that of the template, or of the specialisation it is. */
  readonly seenBefore: number;
}

export interface TemplateState {
  /** Names of instances. */
  readonly taken: Set<string>;
  /** Anew where names are taken back. */
  numbers: NumberedNames;
  /** Words of the source. */
  readonly words: { has(word: string): boolean };
  /** Structs that were made of templates, by name. */
  readonly structs: Map<string, InstanceOfStruct>;
  /** Those of them that are only named so far: C++ needs to know what they are where something looks at them (C++14 14.7.1 (1)). */
  readonly onlyNamed: Set<string>;
  /** Variables of the file that instances brought. */
  readonly variables: Set<VarId>;
  /** What is made of a template just now, and how deep that is: what it looks at in itself is part of it. */
  reading: { readonly struct: string; readonly depth: number } | undefined;
  /** The library's, where something named it. */
  integralConstant: StructTemplate | undefined;
  integerSequence: StructTemplate | undefined;
  /** How to take back what was made since, latest last: an entry that is read again makes its instances again. */
  readonly undo: (() => void)[];
  /** Instances that are being read inside one another. */
  depth: number;
  /** Attempts that are under way, whose problems may be taken back, and the problems of bodies read meanwhile, which stay. */
  attempts: number;
  readonly ofBodies: Problem[];
  /** Problems that were found again in another instance, or by another that wants it; they are said once. */
  readonly again: Set<Problem>;
  /** A conversion that the source declares is looked for. */
  converting: boolean;
  /** How many instances have been made. */
  instances: number;
  /** Names of functions mean what is declared before this place, where no argument has a type of the source (C++14 14.6.4). */
  visibleBefore: number | undefined;
  /** What is read is of no template, and types of arguments bring no more. */
  untemplated: boolean;
}

export function newTemplateState(text: string): TemplateState {
  let found: Set<string> | undefined;
  return {
    taken: new Set(),
    numbers: new NumberedNames(),
    words: { has: (word) => (found ??= new Set(text.match(new RegExp(wordPattern, "gu")))).has(word) },
    structs: new Map(),
    onlyNamed: new Set(),
    variables: new Set(),
    reading: undefined,
    integralConstant: undefined,
    integerSequence: undefined,
    undo: [],
    depth: 0,
    attempts: 0,
    ofBodies: [],
    again: new Set(),
    converting: false,
    instances: 0,
    visibleBefore: undefined,
    untemplated: false,
  };
}

/** What is known of structs, by name: who asks for it looks at the struct. */
export class KnownOfStructs<T> extends Map<string, T> {
  constructor(private readonly templates: TemplateState) {
    super();
  }

  override get(struct: string): T | undefined {
    if (this.templates.onlyNamed.size > 0) lookAt(this.templates, struct);
    return super.get(struct);
  }

  override has(struct: string): boolean {
    if (this.templates.onlyNamed.size > 0) lookAt(this.templates, struct);
    return super.has(struct);
  }
}

function lookAt({ onlyNamed, reading, depth }: TemplateState, struct: string): void {
  const isOwn = reading?.struct === struct && reading.depth === depth;
  if (!isOwn) onlyNamed.delete(struct);
}

/** How many instances there are now; the result takes back those made since. */
export function instancesSoFar(s: Sema): () => void {
  const { undo, instances } = s.templates;
  const count = undo.length;
  return () => {
    while (undo.length > count) undo.pop()!();
    s.templates.instances = instances;
  };
}

const mostNotes = 6;

/** Deeper ones are taken for endless. */
const maxInstanceDepth = 64;

/**
 * Reads something at another place than where the reading is: at file scope, with the names of `scope`, before what is being
 * read. Problems get a note that says what for.
 */
export function elsewhere<T>(
  s: Sema,
  scope: Scope,
  visibleBefore: number | undefined,
  what: { readonly shown: string; readonly span: Span },
  work: () => T,
): T | undefined {
  const { templates } = s;
  if (templates.depth >= maxInstanceDepth) {
    const said = s.problems.list.some((p) => kindOf(p.code) === "too-deep");
    return said
      ? undefined
      : error(
          s,
          "XL1006",
          `templates and methods are read in one another more than ${maxInstanceDepth} deep`,
          what.span,
        );
  }
  const before = s.problems.list.length;
  const outer = {
    fn: s.fn,
    scope: s.scope,
    depth: s.depth,
    visible: templates.visibleBefore,
    untemplated: templates.untemplated,
  };
  const pending = s.pendingComments.splice(0);
  s.fn = undefined;
  s.scope = scope;
  s.depth = 0;
  templates.visibleBefore = visibleBefore;
  templates.untemplated = false;
  templates.depth++;
  try {
    return work();
  } finally {
    templates.depth--;
    templates.visibleBefore = outer.visible;
    templates.untemplated = outer.untemplated;
    s.fn = outer.fn;
    s.scope = outer.scope;
    s.depth = outer.depth;
    prepend(s.pendingComments, pending);
    told(s, before, what);
  }
}

/** The problems since, each once for all instances, with the instance it was found in. */
function told(s: Sema, before: number, { shown, span }: { readonly shown: string; readonly span: Span }): void {
  const list = s.problems.list;
  const added = list.splice(before);
  for (const p of added) {
    const again = list.find(
      (q) =>
        q.code === p.code && q.span?.start === p.span?.start && q.span?.end === p.span?.end && p.span !== undefined,
    );
    if (again) {
      s.templates.again.add(again);
      continue;
    }
    // Of a long chain the first ones, and the outermost.
    const notes = (p.notes ?? []).slice(0, mostNotes - 1);
    list.push({ ...p, notes: [...notes, { message: `in '${shown}', which is made here`, span }] });
  }
}

/** More are taken for endless, too: a template that asks for two of itself makes twice as many at each step. */
const maxInstances = 10_000;

/** Whether one more instance may be made; where not, it is said whatever becomes of the attempt. */
export function mayInstantiate(s: Sema, span: Span): boolean {
  const { templates } = s;
  if (templates.instances++ < maxInstances) return true;
  if (templates.instances > maxInstances + 1) return false;
  wrongForAll(s, "XL1006", `the file makes more than ${maxInstances} instances of its templates`, span);
  return false;
}

/** What is wrong whatever becomes of the attempt that finds it: a name that no arguments give a meaning. */
export function wrongForAll(
  s: Sema,
  code: Problem["code"],
  message: string,
  span: Span,
  more: Pick<Problem, "help"> = {},
): undefined {
  const problem: Problem = { severity: "error", code, message, span, ...more };
  if (s.templates.attempts > 0) s.templates.ofBodies.push(problem);
  else s.problems.add(problem);
}

/** What `work` gives; where it gives nothing, nothing is said either, but of the bodies of functions that were read on the way. */
export function attempt<T>(s: Sema, work: () => T | undefined): T | undefined {
  const { templates } = s;
  const before = s.problems.list.length;
  const again = new Set(templates.again);
  templates.attempts++;
  const made = work();
  templates.attempts--;
  const failed = made === undefined || s.problems.list.length > before;
  // What is not translated yet is no reason to take another function.
  if (failed) {
    append(
      templates.ofBodies,
      s.problems.list.slice(before).filter((p) => kindOf(p.code) === "not-yet"),
    );
    s.problems.truncate(before);
    for (const p of templates.again) if (!again.has(p)) templates.again.delete(p);
  }
  if (templates.attempts === 0) for (const p of templates.ofBodies.splice(0)) s.problems.add(p);
  return failed ? undefined : made;
}

/**
 * Reads what is read once more for good, when what is wrong with it is said; bodies of functions that it is the first to want are read
 * for good now.
 */
export function provisionally<T>(s: Sema, work: () => T): T {
  const { templates } = s;
  const before = s.problems.list.length;
  templates.attempts++;
  const made = work();
  templates.attempts--;
  s.problems.truncate(before);
  if (templates.attempts === 0) for (const p of templates.ofBodies.splice(0)) s.problems.add(p);
  return made;
}

/** Reads the body of a function: what is wrong with it is wrong whatever becomes of the attempt that asked for it. */
export function readBody(s: Sema, work: () => void): void {
  const { templates } = s;
  const { attempts } = templates;
  const { scratch } = s;
  const before = s.problems.list.length;
  templates.attempts = 0;
  s.scratch = undefined;
  work();
  templates.attempts = attempts;
  s.scratch = scratch;
  if (attempts > 0) append(templates.ofBodies, s.problems.list.splice(before));
}
