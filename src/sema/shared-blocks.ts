/**
 * Blocks of workgroup memory (GL_EXT_shared_memory_block). Several that a program names lie over each other from the first byte
 * on: glslang decorates them `Aliased`, and SPV_KHR_workgroup_memory_explicit_layout says that they are one memory. While functions are
 * read each is a variable of its own; then they are members of one union.
 */
import { member, ModuleEditor, variablePlace } from "../ast/builders.js";
import { noTrivia, type Module, type StructMember, type VarId, type Variable } from "../ast/nodes.js";
import { rewriteModule, walkModule } from "../ast/walk.js";
import type { StructType } from "../types/types.js";
import { error, notYet, type Sema } from "./context.js";
import { uniqueStructName } from "./scopes.js";

/** A block of workgroup memory, while functions are read. */
export interface SharedBlock {
  readonly variable: VarId;
  /** Where its members lie elsewhere than at the bytes its struct gives them: what is refused where that can be seen. */
  readonly elsewhere?: string;
}

export function withSharedBlocks(s: Sema, module: Module<"canonical">): Module<"canonical"> {
  if (s.sharedBlocks.length === 0) return module;
  refuseMixedShared(s, module);
  if (s.sharedBlocks.length === 1) return module;
  const named = new Set<VarId>();
  walkModule(module, { place: (p) => void (p.kind === "variable" && named.add(p.variable)) });
  const blocks = s.sharedBlocks.filter((b) => named.has(b.variable));
  if (blocks.length < 2) return module;
  const refused = blocks.find((b) => b.elsewhere);
  if (refused?.elsewhere) {
    const { span } = module.variables.get(refused.variable)!;
    notYet(s, refused.elsewhere, span, "make the blocks one, or give each std430");
    return module;
  }
  return asUnion(s, module, new Set(blocks.map((b) => b.variable)));
}

function asUnion(s: Sema, module: Module<"canonical">, blocks: ReadonlySet<VarId>): Module<"canonical"> {
  const editor = new ModuleEditor(module);
  const variables = [...blocks].map((id) => module.variables.get(id)!);
  const { span } = variables[0]!;
  const type: StructType = { kind: "struct", name: uniqueStructName(s, "SharedBlocks"), union: true };
  const members = variables.map((v): StructMember => ({
    name: v.name,
    type: v.type,
    trivia: v.trivia ?? noTrivia,
    span,
  }));
  const structs = new Map(module.structs).set(type.name, {
    name: type.name,
    union: true,
    members,
    span,
    trivia: noTrivia,
    innerComments: [],
  });
  const whole = editor.addVariable({
    name: "sharedBlocks",
    type,
    space: "workgroup",
    role: "global",
    constant: false,
    span,
  } satisfies Omit<Variable, "id">);
  for (const id of blocks) editor.variables.delete(id);
  // The last of them: the structs of all stand before it.
  const last = module.order.findLastIndex((o) => o.kind === "variable" && blocks.has(o.variable));
  const order = module.order.flatMap((o, i): Module["order"] =>
    i === last
      ? [
          { kind: "struct", name: type.name },
          { kind: "variable", variable: whole.id },
        ]
      : o.kind === "variable" && blocks.has(o.variable)
        ? []
        : [o],
  );
  return rewriteModule(editor.finish({ structs, order }), {
    place: (p) => {
      if (p.kind !== "variable" || !blocks.has(p.variable)) return p;
      const block = module.variables.get(p.variable)!;
      return member(variablePlace(whole, p.span), block.name, block.type, p.span);
    },
  });
}

/** Shared variables that lie beside a shared block (as glslang has it). */
function refuseMixedShared(s: Sema, module: Module<"canonical">): void {
  const blocks = new Set(s.sharedBlocks.map((b) => b.variable));
  for (const v of module.variables.values())
    if (v.space === "workgroup" && v.role === "global" && !blocks.has(v.id))
      error(s, "XL2010", `'${v.name}' cannot lie beside a shared block`, v.span, { help: "declare it in the block" });
}
