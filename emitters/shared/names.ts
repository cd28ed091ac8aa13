/**
 * Legal, unique, stable names. A name of the source is kept unless the target reserves it or it would hide something; then
 * a number or an underscore is added, always the same one for the same input. Nothing of a kernel reaches the output but
 * names that match `identifier`.
 */
import { languageFacts } from "../../src/dialects/language.js";
import { hasRuntimeTail } from "../../src/types/layout.js";
import type * as nodes from "../../src/ast/nodes.js";
import type { FunctionId, Stage, VarId } from "../../src/ast/nodes.js";
import { walkStatement } from "../../src/ast/walk.js";
import { isReserved, type ReservedUse } from "../../src/dialects/reserved.js";
import type { Target } from "../../src/dialects/ids.js";
import { showType, type Type } from "../../src/types/types.js";

/** Texts are of the target tree; the module of TypeScript, which is run, of the canonical one. */
type Module = nodes.Module<Stage>;
type FunctionDeclaration = nodes.FunctionDeclaration<Stage>;
type Statement = nodes.Statement<Stage>;

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
  readonly target: Target;
  /** Whether functions may share a name when their parameters differ. */
  readonly overloads: boolean;
  /** Names the output uses at file scope without declaring them. */
  readonly taken?: readonly string[];
  /** Predeclared functions the output calls. */
  readonly called?: ReadonlySet<string>;
}

function legalName(wanted: string, target: Target, use: ReservedUse, called?: ReadonlySet<string>): string {
  let name = wanted.replace(/[^A-Za-z0-9_]/g, "_");
  if (!/^[A-Za-z_]/.test(name)) name = `v${name}`;
  if (target === "glsl") name = name.replace(/^gl_/, "g_").replace(/__+/g, "_");
  // Two underscores in front are reserved everywhere, whatever follows.
  if (target !== "ts" && (use !== "member" || target === "msl")) name = name.replace(/^__+/, "_");
  while (isReserved(target, name, use, called)) name += "_";
  if (!identifier.test(name)) throw new Error(`name ${JSON.stringify(wanted)} has no legal form`);
  return name;
}

function unique(name: string, taken: (n: string) => boolean): string {
  if (!taken(name)) return name;
  const stem = /\d$/.test(name) ? `${name}_` : name;
  for (let i = 1; ; i++) if (!taken(`${stem}${i}`)) return `${stem}${i}`;
}

export function nameModule(module: Module, options: NamingOptions): Names {
  const { target } = options;
  const own = module.dialect === target;
  const file = new Set<string>(options.taken ?? []);
  const claim = (wanted: string, use: ReservedUse): string => {
    const name = unique(legalName(wanted, target, use, options.called), (n) => file.has(n));
    file.add(name);
    return name;
  };

  const macros = new Map<string, string>();
  for (const item of module.order) if (item.kind === "constant-macro" && !macros.has(item.name)) macros.set(item.name, claim(item.name, "file"));

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
  for (const list of module.legal?.builtinParameters.values() ?? []) for (const b of list) parametersOfEntries.add(b.variable);
  // Where resources are parameters of the entry, they are local names.
  const resourcesAreParameters = target !== "ts" && languageFacts[target].resources === "parameters";
  for (const r of module.resources) {
    if (resourcesAreParameters && r.kind !== "specialization") continue;
    variables.set(r.variable, claim(module.variables.get(r.variable)!.name, "variable"));
  }

  const structs = new Map<string, string>();
  for (const name of module.structs.keys()) {
    // What ends in an array of unknown size is no type in GLSL, only a block.
    const onlyBlock = target === "glsl" && hasRuntimeTail({ kind: "struct", name }, module.structs);
    structs.set(name, onlyBlock ? name : claim(name, "type"));
  }
  const enums = module.enums.map((e) => (e.name === undefined ? undefined : claim(e.name, "type")));
  const enumerators = module.enums.map((e) => new Map(e.enumerators.map((x) => [x.name, claim(x.name, "file")])));

  for (const [id, v] of module.variables) {
    if (variables.has(id) || locals.has(id) || parametersOfEntries.has(id) || resourceIds.has(id)) continue;
    if (v.role === "global") variables.set(id, claim(v.name, "variable"));
  }
  for (const f of module.functions) {
    if (entryIds.has(f.id)) continue;
    const wanted = legalName(f.name, target, "function");
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
        statement: (s) => void (s.kind === "declare" && fromSource(s.variable) && written.add(module.variables.get(s.variable)!.name)),
      });
    }
    const declareIn = (id: VarId, { visible, here }: Scope): void => {
      const v = module.variables.get(id)!;
      // In its own dialect the source may hide an outer name; what passes added stays clear of all of them.
      const hides = own && fromSource(id);
      const taken = (n: string): boolean => (hides ? here.has(n) : visible.has(n) || file.has(n) || written.has(n));
      const name = unique(legalName(v.name, target, own ? "own-local" : "local", options.called), taken);
      variables.set(id, name);
      visible.add(name);
      here.add(name);
    };
    for (const id of entryIds.has(f.id) ? entryParameters(module, f.id, resourcesAreParameters) : []) declareIn(id, scope);
    for (const p of f.parameters) declareIn(p, scope);
    nameLocals(f.body.statements, scope, declareIn);
  }
  for (const id of resourceIds) if (!variables.has(id)) variables.set(id, legalName(module.variables.get(id)!.name, target, "local"));

  const memberNames = new Map<string, Map<string, string>>();
  for (const [name, s] of module.structs) {
    const used = new Set<string>();
    memberNames.set(
      name,
      new Map(
        s.members.map((m) => {
          const member = unique(legalName(m.name, target, "member"), (n) => used.has(n));
          used.add(member);
          return [m.name, member];
        }),
      ),
    );
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
      const name = claim(wanted, "type");
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
  const inner = (body: readonly Statement[]): void => nameLocals(body, { visible: new Set(scope.visible), here: new Set() }, declareIn);
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
