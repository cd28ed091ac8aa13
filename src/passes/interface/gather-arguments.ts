/**
 * MSL binds each argument by value to a buffer of its own, and a kernel has 31. Where that is too few, the arguments by
 * value are members of one struct. Late: lengths and other arguments that passes add are there.
 */
import { member, ModuleEditor, variablePlace } from "../../ast/builders.js";
import {
  noTrivia,
  type EntryPoint,
  type Module,
  type Place,
  type Resource,
  type StructMember,
  type TopLevel,
  type VarId,
} from "../../ast/nodes.js";
import { isOwnText, resourceOf } from "../../ast/lookup.js";
import { rewriteModule } from "../../ast/walk.js";
import { NumberedNames } from "../../support/numbered-names.js";
import { noSpan } from "../../support/span.js";
import { languageFacts, writingFacts } from "../../dialects/languages.js";
import type { TextContext, TextPass } from "../pass.js";

export const gatherArguments: TextPass = {
  name: "gather-arguments",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    return module.entries.reduce((m, _, n) => gatherThoseOf(m, m.entries[n]!, context), module);
  },
};

function gatherThoseOf(module: Module, entry: EntryPoint, context: TextContext): Module {
  const { mostBuffers = Infinity } = writingFacts(context.target);
  const bound = entry.resources
    .map((id) => resourceOf(module, id)!)
    .filter((r) => r.kind === "buffer" || isArgument(r));
  if (bound.length <= mostBuffers) return module;
  // The list of another kernel may lack some of the members.
  const others = new Set(module.entries.flatMap((e) => (e === entry ? [] : e.resources)));
  const gathered = bound.filter((r) => isArgument(r) && !others.has(r.variable));
  if (gathered.length < 2) return module;

  const editor = new ModuleEditor(module);
  const start = module.entries.length === 1 ? "Params" : `${entry.name}_params`;
  const numbers = new NumberedNames();
  const name = numbers.free(start, (n) => module.structs.has(n), start);
  const members = gathered.map((r): StructMember => {
    const v = module.variables.get(r.variable)!;
    return { name: v.name, type: v.type, trivia: v.trivia ?? noTrivia, span: v.span };
  });
  const taken = new Set<string>();
  const distinct = members.map((m) => {
    const own = numbers.free(m.name, (n) => taken.has(n));
    taken.add(own);
    return { ...m, name: own };
  });
  const structs = new Map(module.structs).set(name, {
    name,
    members: distinct,
    span: noSpan,
    trivia: noTrivia,
    innerComments: [],
  });
  const whole = editor.addVariable({
    name: "params",
    type: { kind: "struct", name },
    space: "constant",
    role: "resource",
    constant: true,
    span: noSpan,
  });
  const resource: Resource = { variable: whole.id, kind: "value", path: whole.name, access: "read", gathered };
  const parts = new Map<VarId, StructMember>(gathered.map((r, i) => [r.variable, distinct[i]!]));
  const first = gathered[0]!.variable;
  const instead = <T>(list: readonly T[], variable: (item: T) => VarId, it: T): T[] =>
    list.flatMap((item) => (variable(item) === first ? [it] : parts.has(variable(item)) ? [] : [item]));
  context.note(
    "emulated",
    "arguments-in-struct",
    `${languageFacts[context.target].name} has ${mostBuffers} buffers: arguments by value are passed in the struct ${name}`,
  );

  const order = module.order.filter((o) => o.kind !== "resource" || !parts.has(o.variable));
  const at = order.findLastIndex((o) => o.kind === "struct") + 1;
  const declared: TopLevel[] = [...order.slice(0, at), { kind: "struct", name }, ...order.slice(at)];
  return rewriteModule(
    editor.finish({
      structs,
      order: declared,
      resources: instead(module.resources, (r) => r.variable, resource),
      entries: module.entries.map((e) =>
        e === entry ? { ...e, resources: instead(e.resources, (id) => id, whole.id) } : e,
      ),
    }),
    {
      place(p): Place {
        const m = p.kind === "variable" ? parts.get(p.variable) : undefined;
        return m ? member(variablePlace(whole, p.span), m.name, m.type, p.span) : p;
      },
    },
  );
}

const isArgument = (r: Resource): boolean => r.kind === "value" || r.kind === "derived";
