/**
 * Legal, unique, stable names. A name of the source is kept unless the target reserves it or it would hide something of the
 * source; then a number or an underscore is added, always the same one for the same input. What passes added takes what is
 * left. Nothing of a kernel reaches the output but names that match `identifier`.
 */
import { isOwnText } from "../../src/ast/lookup.js";
import { languageFacts, writingFacts } from "../../src/dialects/languages.js";
import { hasRuntimeTail } from "../../src/types/layout.js";
import { walkStatement } from "../../src/ast/walk.js";
import { isReserved, type NameRole } from "../../src/dialects/reserved.js";
import type { TargetDialect } from "../../src/dialects/ids.js";
import { asciiName } from "../../src/support/ascii-names.js";
import { NumberedNames } from "../../src/support/numbered-names.js";
import type { Span } from "../../src/support/span.js";
import { showType, type Type } from "../../src/types/types.js";
import type { Printed } from "./line-writer.js";
import type { FunctionDeclaration, FunctionId, Module, Statement, Variable, VarId } from "./tree.js";
import { nameMark, writtenWords, type WrittenWords } from "./written-words.js";

/** Of a name as the output may have it; a text of the source's own dialect keeps its letters beyond ASCII. */
const identifier = /^[\p{XID_Start}_][\p{XID_Continue}]*$/u;

export interface Names {
  variable(id: VarId): string;
  function(id: FunctionId): string;
  /** Whether other functions of the text have this one's name. */
  overloaded(id: FunctionId): boolean;
  struct(name: string): string;
  member(struct: string, name: string): string;
  enumerator(index: number, name: string): string;
  enum(index: number): string | undefined;
  macro(name: string): string;
  /** A file-scope name for something the printer adds (a block), and the same again for what has the name `of`. */
  block(wanted: string, of?: string): string;
}

export interface NamingOptions {
  readonly target: TargetDialect;
  /** Whether functions may share a name when their parameters differ. */
  readonly overloads: boolean;
}

/**
 * Prints a module twice: first with marked names, to see the words the text is made of beside them, then with names that
 * leave those words what they are.
 */
export function printNamed(module: Module, options: NamingOptions, print: (names: Names) => Printed): Printed {
  const words = writtenWords(print(nameModule(module, options, undefined)).text);
  return print(nameModule(module, options, words));
}

/** `words`: those of the text; without them names are only marked. */
function legalName(
  wanted: string,
  { target, own }: { readonly target: TargetDialect; readonly own: boolean },
  role: NameRole,
  words: WrittenWords | undefined,
): string {
  const letters = own ? wanted : asciiName(wanted);
  const plain = letters.replace(/[^\p{XID_Continue}]/gu, "_").replace(/^(?=[0-9]|$)/, "v");
  if (!words) return nameMark + plain;
  // A type is one to the parser wherever its name stands, as a macro is one: in `layout(std430)`, too.
  const free = (name: string): boolean =>
    !isReserved(target, name, role) &&
    (role === "member" || !(role === "macro" || role === "type" ? words.all : words.lookedUp).has(name));
  // What is reserved for how it begins, or for underscores in it, stays so with one more at its end.
  const mended = plain
    .replace(/__+/g, "_")
    .replace(/^_(?=[A-Z])/, "")
    .replace(/^gl_/, "g_");
  for (const name of [plain, `${plain}_`, mended, `${mended}_`]) if (identifier.test(name) && free(name)) return name;
  for (let name = `v_${mended}`; ; name += "0") if (free(name)) return name;
}

function unique(name: string, numbers: NumberedNames, taken: (n: string) => boolean): string {
  return numbers.free(name, taken, /\d$/.test(name) ? `${name}_` : name, 1);
}

/** What is named in a file as a whole, by what is free there. */
class FileNames {
  private readonly taken = new Set<string>();
  private readonly numbers = new NumberedNames();

  constructor(
    private readonly text: { readonly target: TargetDialect; readonly own: boolean },
    private readonly words: WrittenWords | undefined,
  ) {}

  legal(wanted: string, role: NameRole): string {
    return legalName(wanted, this.text, role, this.words);
  }
  has(name: string): boolean {
    return this.taken.has(name);
  }
  all(): Iterable<string> {
    return this.taken;
  }
  add(name: string): void {
    this.taken.add(name);
  }
  claim(wanted: string, role: NameRole): string {
    return this.claimLegal(this.legal(wanted, role), () => false);
  }
  /** For what passes added: it stays clear of `others`, too. */
  claimLegal(legal: string, others: (name: string) => boolean): string {
    const name = unique(legal, this.numbers, (n) => this.taken.has(n) || others(n));
    this.taken.add(name);
    return name;
  }
}

/** Declared in the source: what passes add lies nowhere in its text. */
const isFromSource = (span: Span): boolean => span.end > 0;

/** Names of the source that are settled after those of the file: what passes add to the file has none of them. */
function laterNames(module: Module, file: FileNames): ReadonlySet<string> {
  const names = new Set<string>();
  for (const v of module.variables.values()) if (isFromSource(v.span)) names.add(file.legal(v.name, "local"));
  for (const item of module.order) if (item.kind === "constant-macro") names.add(file.legal(item.name, "macro"));
  return names;
}

/** Of the functions that are no entries; those of entries are known. */
class FunctionNames {
  readonly names: Map<FunctionId, string>;
  /** The parameter lists of the functions of a name. */
  readonly signatures = new Map<string, Set<string>>();

  constructor(
    private readonly module: Module,
    private readonly file: FileNames,
    private readonly overloads: boolean,
    entries: ReadonlyMap<FunctionId, string>,
  ) {
    this.names = new Map(entries);
  }

  /** Those share names with each other and with no others. */
  name(functions: readonly FunctionDeclaration[], others: (name: string) => boolean): void {
    const shared = new Map<string, Set<string>>();
    for (const f of functions) {
      if (this.names.has(f.id)) continue;
      const wanted = this.file.legal(f.name, "function");
      const key = f.parameters.map((p) => parameterKey(this.module, p)).join(",");
      const seen = shared.get(wanted);
      if (this.overloads && seen && !seen.has(key)) {
        seen.add(key);
        this.names.set(f.id, wanted);
        continue;
      }
      const name = this.file.claimLegal(wanted, others);
      const signatures = new Set([key]);
      this.names.set(f.id, name);
      this.signatures.set(name, signatures);
      shared.set(name, signatures);
    }
  }
}

/** Variables of the file that are neither resources nor moved into functions. */
function globalsOf(module: Module): readonly Variable[] {
  const resources = new Set(module.resources.map((r) => r.variable));
  const elsewhere = new Set<VarId>();
  for (const f of module.functions) {
    f.parameters.forEach((p) => elsewhere.add(p));
    walkStatement(f.body, { statement: (s) => void (s.kind === "declare" && elsewhere.add(s.variable)) });
  }
  for (const list of module.legal?.builtinParameters.values() ?? []) for (const b of list) elsewhere.add(b.variable);
  return [...module.variables.values()].filter(
    (v) => v.role === "global" && !resources.has(v.id) && !elsewhere.has(v.id),
  );
}

/** Locals and parameters of a function: unique among the names visible at their place. A name free again after its block may return. */
function nameVariablesOf(
  module: Module,
  f: FunctionDeclaration,
  first: readonly VarId[],
  file: FileNames,
  own: boolean,
  variables: Map<VarId, string>,
): void {
  const written = new Set<string>();
  const always = new NumberedNames();
  const scope = scopeIn(new Set(), always);
  const note = (id: VarId): void => {
    const v = module.variables.get(id)!;
    if (isFromSource(v.span)) written.add(file.legal(v.name, "local"));
  };
  for (const id of [...first, ...f.parameters]) note(id);
  walkStatement(f.body, { statement: (s) => void (s.kind === "declare" && note(s.variable)) });
  const everywhere = (n: string): boolean => file.has(n) || written.has(n);
  const declareIn = (id: VarId, place: Scope): void => {
    const { visible, here, added, numbers, numbersHere } = place;
    const v = module.variables.get(id)!;
    const wanted = file.legal(v.name, "local");
    const fromSource = isFromSource(v.span);
    // In its own dialect the source may hide an outer name; what passes added stays clear of all of them. Elsewhere that may
    // have in a block of its own what the source declares in another.
    const hides = own && fromSource;
    const clear = fromSource || own || place === scope;
    if (!fromSource && clear) unique(wanted, always, everywhere);
    const isTaken = (n: string): boolean =>
      visible.has(n) || file.has(n) || (clear && written.has(n) && !(fromSource && n === wanted));
    const name = hides ? unique(wanted, numbersHere, (n) => here.has(n)) : unique(wanted, numbers, isTaken);
    variables.set(id, name);
    here.add(name);
    if (visible.has(name)) return;
    visible.add(name);
    added.push(name);
  };
  for (const id of first) declareIn(id, scope);
  for (const p of f.parameters) declareIn(p, scope);
  nameLocals(f.body.statements, scope, declareIn);
}

function nameMembers(module: Module, file: FileNames): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const memberNames = new Map<string, Map<string, string>>();
  for (const [name, s] of module.structs) {
    const used = new Set<string>();
    const numbers = new NumberedNames();
    if (s.subgroupMatrix) {
      memberNames.set(name, new Map(s.members.map((m) => [m.name, "thread_elements()"])));
      continue;
    }
    memberNames.set(
      name,
      new Map(
        s.members.map((m) => {
          const member = unique(file.legal(m.name, "member"), numbers, (n) => used.has(n));
          used.add(member);
          return [m.name, member];
        }),
      ),
    );
  }
  return memberNames;
}

/** Named last: a macro reaches every word behind it, members and locals too, and what it stands for is looked up nowhere else. */
function nameMacros(module: Module, file: FileNames, elsewhere: Iterable<string>): ReadonlyMap<string, string> {
  const macros = new Map<string, string>();
  const everywhere = new Set([...file.all(), ...elsewhere]);
  const numbers = new NumberedNames();
  for (const item of module.order) {
    if (item.kind !== "constant-macro" || macros.has(item.name)) continue;
    const name = unique(file.legal(item.name, "macro"), numbers, (n) => everywhere.has(n));
    macros.set(item.name, name);
    everywhere.add(name);
    file.add(name);
  }
  return macros;
}

function nameModule(module: Module, options: NamingOptions, words: WrittenWords | undefined): Names {
  const { target } = options;
  const own = isOwnText(module, target);
  const file = new FileNames({ target, own }, words);
  // Entries first: their names are what hosts look up.
  const entries = new Map(module.entries.map((e) => [e.function, file.claim(e.name, "entry")]));
  // Where resources are parameters of the entry, they are local names.
  const resourcesAreParameters = languageFacts[target].resources === "parameters";
  const variables = new Map<VarId, string>();
  const structs = new Map<string, string>();
  const functions = new FunctionNames(module, file, options.overloads, entries);
  const globals = globalsOf(module);
  const enums = module.enums.map((e) => (e.name === undefined ? undefined : file.claim(e.name, "type")));
  const enumerators = module.enums.map(
    (e) => new Map(e.enumerators.map((x) => [x.name, file.claim(x.name, "enumerator")])),
  );
  const later = laterNames(module, file);
  // Then what else the source names, and what passes added last.
  for (const fromSource of [true, false]) {
    const others = (name: string): boolean => !fromSource && later.has(name);
    const claim = (wanted: string, role: NameRole): string => file.claimLegal(file.legal(wanted, role), others);
    for (const r of module.resources) {
      const v = module.variables.get(r.variable)!;
      if (isFromSource(v.span) === fromSource && (!resourcesAreParameters || r.kind === "specialization"))
        variables.set(r.variable, claim(v.name, "buffer"));
    }
    for (const [name, s] of module.structs) {
      if (isFromSource(s.span) !== fromSource) continue;
      // What ends in an array of unknown size may be no type, only a block.
      const onlyBlock =
        writingFacts(target).openEnded === "blocks" && hasRuntimeTail({ kind: "struct", name }, module.structs);
      // A type of the target's own keeps its name.
      structs.set(name, onlyBlock || s.subgroupMatrix === true ? name : claim(name, "type"));
    }
    for (const v of globals) if (isFromSource(v.span) === fromSource) variables.set(v.id, claim(v.name, "variable"));
    functions.name(
      module.functions.filter((f) => isFromSource(f.nameSpan) === fromSource),
      others,
    );
  }
  const parametersOfEntries = entryParameters(module, resourcesAreParameters);
  for (const f of module.functions) {
    const first = parametersOfEntries.get(f.id) ?? [];
    nameVariablesOf(module, f, first, file, own, variables);
  }
  for (const r of module.resources)
    if (!variables.has(r.variable))
      variables.set(r.variable, file.legal(module.variables.get(r.variable)!.name, "local"));
  const members = nameMembers(module, file);
  const macros = nameMacros(module, file, [
    ...variables.values(),
    ...[...members.values()].flatMap((m) => [...m.values()]),
  ]);
  const blocks = new Map<string, string>();

  return {
    variable: (id) => variables.get(id) ?? missing(`variable ${id} (${module.variables.get(id)?.name ?? "?"})`),
    overloaded: (id) => (functions.signatures.get(functions.names.get(id) ?? "")?.size ?? 0) > 1,
    function: (id) => functions.names.get(id) ?? missing(`function ${id}`),
    struct: (name) => structs.get(name) ?? missing(`struct ${name}`),
    member: (struct, name) => members.get(struct)?.get(name) ?? missing(`member ${name}`),
    enumerator: (index, name) => enumerators[index]?.get(name) ?? missing(`enumerator ${name}`),
    enum: (index) => enums[index],
    macro: (name) => macros.get(name) ?? missing(`macro ${name}`),
    block(wanted, of = "") {
      const key = `${of} ${wanted}`;
      const known = blocks.get(key);
      if (known) return known;
      const name = file.claim(wanted, "block");
      blocks.set(key, name);
      return name;
    },
  };
}

interface Scope {
  /** Names seen at a place: one set for all scopes of a function, which each leaves as it found it. */
  readonly visible: Set<string>;
  /** Those declared in the innermost block itself, and those among them that were not seen before. */
  readonly here: Set<string>;
  readonly added: string[];
  readonly numbers: NumberedNames;
  readonly numbersHere: NumberedNames;
}

const scopeIn = (visible: Set<string>, outer: NumberedNames): Scope => ({
  visible,
  here: new Set(),
  added: [],
  numbers: new NumberedNames(outer),
  numbersHere: new NumberedNames(),
});

function missing(what: string): never {
  throw new Error(`${what} has no name`);
}

function entryParameters(module: Module, resources: boolean): ReadonlyMap<FunctionId, readonly VarId[]> {
  const constants = new Set(module.resources.filter((r) => r.kind === "specialization").map((r) => r.variable));
  return new Map(
    module.entries.map((entry) => {
      const builtins = (module.legal?.builtinParameters.get(entry.function) ?? []).map((b) => b.variable);
      return [
        entry.function,
        resources ? [...entry.resources.filter((id) => !constants.has(id)), ...builtins] : builtins,
      ];
    }),
  );
}

function parameterKey(module: Module, id: VarId): string {
  const v = module.variables.get(id)!;
  const type: Type = v.type;
  return `${v.mode ?? "value"} ${v.space} ${showType(type)}`;
}

/** Visits declarations with the names visible at each. Siblings do not see each other's. */
function nameLocals(list: readonly Statement[], scope: Scope, declareIn: (id: VarId, scope: Scope) => void): void {
  for (const s of list) nameIn(s, scope, declareIn);
}

function nameIn(s: Statement, scope: Scope, declareIn: (id: VarId, scope: Scope) => void): void {
  const inner = (body: readonly Statement[]): void => {
    const own = scopeIn(scope.visible, scope.numbers);
    nameLocals(body, own, declareIn);
    for (const name of own.added) scope.visible.delete(name);
  };
  switch (s.kind) {
    case "declare":
      return declareIn(s.variable, scope);
    case "block":
      return inner(s.statements);
    case "if":
      inner([s.then]);
      if (s.else) inner([s.else]);
      return;
    case "switch":
      return inner(s.cases.flatMap((c) => c.body));
    case "for":
      return inner([...s.initializer, s.body]);
    case "while":
    case "do-while":
      return inner([s.body]);
    default:
      return;
  }
}
