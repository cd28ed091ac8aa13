/**
 * Legal, unique, stable names. A name of the source is kept unless the target reserves it or it would hide something; then
 * a number or an underscore is added, always the same one for the same input. Nothing of a kernel reaches the output but
 * names that match `identifier`.
 */
import { languageFacts, writingFacts } from "../../src/dialects/languages.js";
import { hasRuntimeTail } from "../../src/types/layout.js";
import { walkStatement } from "../../src/ast/walk.js";
import { isReserved, type NameRole } from "../../src/dialects/reserved.js";
import type { TargetDialect } from "../../src/dialects/ids.js";
import { showType, type Type } from "../../src/types/types.js";
import type { Printed } from "./line-writer.js";
import type { FunctionDeclaration, FunctionId, Module, Statement, VarId } from "./tree.js";
import { nameMark, writtenWords, type WrittenWords } from "./written-words.js";

/** Of a name as the output may have it. */
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

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
  /** A file-scope name for something the printer adds (a block). */
  block(wanted: string): string;
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
function legalName(wanted: string, target: TargetDialect, role: NameRole, words: WrittenWords | undefined): string {
  const plain = wanted.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=[0-9]|$)/, "v");
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

function unique(name: string, taken: (n: string) => boolean): string {
  if (!taken(name)) return name;
  const stem = /\d$/.test(name) ? `${name}_` : name;
  for (let i = 1; ; i++) if (!taken(`${stem}${i}`)) return `${stem}${i}`;
}

function nameModule(module: Module, options: NamingOptions, words: WrittenWords | undefined): Names {
  const { target } = options;
  const own = module.dialect === target;
  const file = new Set<string>();
  const legal = (wanted: string, role: NameRole): string => legalName(wanted, target, role, words);
  const claim = (wanted: string, role: NameRole): string => {
    const name = unique(legal(wanted, role), (n) => file.has(n));
    file.add(name);
    return name;
  };

  // Entries first: their names are what hosts look up.
  const functions = new Map<FunctionId, string>();
  const signatures = new Map<string, Set<string>>();
  const signature = (f: FunctionDeclaration): string => f.parameters.map((p) => parameterKey(module, p)).join(",");
  const entryIds = new Set(module.entries.map((e) => e.function));
  for (const e of module.entries) functions.set(e.function, claim(e.name, "entry"));

  const variables = new Map<VarId, string>();
  const resourceIds = new Set(module.resources.map((r) => r.variable));
  const locals = new Set<VarId>();
  for (const f of module.functions) {
    f.parameters.forEach((p) => locals.add(p));
    walkStatement(f.body, { statement: (s) => void (s.kind === "declare" && locals.add(s.variable)) });
  }
  const parametersOfEntries = new Set<VarId>();
  for (const list of module.legal?.builtinParameters.values() ?? [])
    for (const b of list) parametersOfEntries.add(b.variable);
  // Where resources are parameters of the entry, they are local names.
  const resourcesAreParameters = languageFacts[target].resources === "parameters";
  for (const r of module.resources) {
    if (resourcesAreParameters && r.kind !== "specialization") continue;
    variables.set(r.variable, claim(module.variables.get(r.variable)!.name, "buffer"));
  }

  const structs = new Map<string, string>();
  for (const name of module.structs.keys()) {
    // What ends in an array of unknown size may be no type, only a block.
    const onlyBlock =
      writingFacts(target).openEnded === "blocks" && hasRuntimeTail({ kind: "struct", name }, module.structs);
    structs.set(name, onlyBlock ? name : claim(name, "type"));
  }
  const enums = module.enums.map((e) => (e.name === undefined ? undefined : claim(e.name, "type")));
  const enumerators = module.enums.map((e) => new Map(e.enumerators.map((x) => [x.name, claim(x.name, "enumerator")])));

  for (const [id, v] of module.variables) {
    if (variables.has(id) || locals.has(id) || parametersOfEntries.has(id) || resourceIds.has(id)) continue;
    if (v.role === "global") variables.set(id, claim(v.name, "variable"));
  }
  for (const f of module.functions) {
    if (entryIds.has(f.id)) continue;
    const wanted = legal(f.name, "function");
    const key = signature(f);
    const seen = signatures.get(wanted);
    if (options.overloads && seen && !seen.has(key)) {
      seen.add(key);
      functions.set(f.id, wanted);
      continue;
    }
    const name = claim(wanted, "function");
    functions.set(f.id, name);
    signatures.set(name, new Set([key]));
  }

  // Locals: unique among the names visible at their place. A name free again after its block may return.
  for (const f of module.functions) {
    const scope: Scope = { visible: new Set(), here: new Set() };
    const written = new Set<string>();
    const fromSource = (id: VarId): boolean => module.variables.get(id)!.span.end > 0;
    if (own) {
      for (const p of f.parameters) if (fromSource(p)) written.add(module.variables.get(p)!.name);
      walkStatement(f.body, {
        statement: (s) =>
          void (s.kind === "declare" && fromSource(s.variable) && written.add(module.variables.get(s.variable)!.name)),
      });
    }
    const declareIn = (id: VarId, { visible, here }: Scope): void => {
      const v = module.variables.get(id)!;
      // In its own dialect the source may hide an outer name; what passes added stays clear of all of them.
      const hides = own && fromSource(id);
      const taken = (n: string): boolean => (hides ? here.has(n) : visible.has(n) || file.has(n) || written.has(n));
      const name = unique(legal(v.name, "local"), taken);
      variables.set(id, name);
      visible.add(name);
      here.add(name);
    };
    for (const id of entryIds.has(f.id) ? entryParameters(module, f.id, resourcesAreParameters) : [])
      declareIn(id, scope);
    for (const p of f.parameters) declareIn(p, scope);
    nameLocals(f.body.statements, scope, declareIn);
  }
  for (const id of resourceIds)
    if (!variables.has(id)) variables.set(id, legal(module.variables.get(id)!.name, "local"));

  const memberNames = new Map<string, Map<string, string>>();
  for (const [name, s] of module.structs) {
    const used = new Set<string>();
    memberNames.set(
      name,
      new Map(
        s.members.map((m) => {
          const member = unique(legal(m.name, "member"), (n) => used.has(n));
          used.add(member);
          return [m.name, member];
        }),
      ),
    );
  }
  // Last: a macro reaches every word behind it, members and locals too, and what it stands for is looked up nowhere else.
  const macros = new Map<string, string>();
  const everywhere = new Set([
    ...file,
    ...variables.values(),
    ...[...memberNames.values()].flatMap((m) => [...m.values()]),
  ]);
  for (const item of module.order) {
    if (item.kind !== "constant-macro" || macros.has(item.name)) continue;
    const name = unique(legal(item.name, "macro"), (n) => everywhere.has(n));
    macros.set(item.name, name);
    everywhere.add(name);
    file.add(name);
  }
  const blocks = new Map<string, string>();

  return {
    variable: (id) => variables.get(id) ?? missing(`variable ${id} (${module.variables.get(id)?.name ?? "?"})`),
    overloaded: (id) => (signatures.get(functions.get(id) ?? "")?.size ?? 0) > 1,
    function: (id) => functions.get(id) ?? missing(`function ${id}`),
    struct: (name) => structs.get(name) ?? missing(`struct ${name}`),
    member: (struct, name) => memberNames.get(struct)?.get(name) ?? missing(`member ${name}`),
    enumerator: (index, name) => enumerators[index]?.get(name) ?? missing(`enumerator ${name}`),
    enum: (index) => enums[index],
    macro: (name) => macros.get(name) ?? missing(`macro ${name}`),
    block(wanted) {
      const known = blocks.get(wanted);
      if (known) return known;
      const name = claim(wanted, "block");
      blocks.set(wanted, name);
      return name;
    },
  };
}

/** Names seen at a place, and those declared in the innermost block itself. */
interface Scope {
  readonly visible: Set<string>;
  readonly here: Set<string>;
}

function missing(what: string): never {
  throw new Error(`${what} has no name`);
}

function entryParameters(module: Module, id: FunctionId, resources: boolean): readonly VarId[] {
  const entry = module.entries.find((e) => e.function === id);
  if (!entry) return [];
  const builtins = (module.legal?.builtinParameters.get(id) ?? []).map((b) => b.variable);
  const constants = new Set(module.resources.filter((r) => r.kind === "specialization").map((r) => r.variable));
  return resources ? [...entry.resources.filter((id) => !constants.has(id)), ...builtins] : builtins;
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
  const inner = (body: readonly Statement[]): void =>
    nameLocals(body, { visible: new Set(scope.visible), here: new Set() }, declareIn);
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
