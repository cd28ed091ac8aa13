/** Where the host sees bools. */
import type { Module, Resource } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import { scalarOf, type AddressSpace, type Type } from "../types/types.js";

/** Whether a value of the type has bools of its own, those in structs aside. */
export const isOfBools = (type: Type): boolean =>
  type.kind === "array" ? isOfBools(type.element) : scalarOf(type) === "bool";

/** What the host gives or counts in bytes: workgroup memory that is sized at launch, too. */
export const isOfHost = (r: Resource): boolean =>
  r.kind === "buffer" || r.kind === "value" || r.kind === "workgroup-sized-at-launch";

/** The structs and address spaces in which the host sees bools. */
export class Reached {
  readonly structs = new Set<string>();
  readonly spaces = new Set<AddressSpace>();

  constructor(private readonly module: Module<"canonical">) {
    for (const r of module.resources) {
      const v = module.variables.get(r.variable)!;
      if (isOfHost(r)) this.reach(v.type, v.space);
    }
    const pointers = (type: Type): void => {
      if (type.kind === "array") pointers(type.element);
      if (type.kind !== "pointer") return;
      // What is only cast to in constant memory may be a table of the program's own.
      if (type.space === "global") this.reach(type.pointee, type.space);
      pointers(type.pointee);
    };
    for (const v of module.variables.values()) pointers(v.type);
    for (const s of module.structs.values()) for (const m of s.members) pointers(m.type);
    walkModule(module, { expr: (e) => (e.kind === "bitcast" ? pointers(e.type) : undefined) });
  }

  get any(): boolean {
    return this.spaces.size > 0;
  }

  private reach(type: Type, space: AddressSpace): boolean {
    let found = isOfBools(type);
    if (type.kind === "array") found = this.reach(type.element, space) || found;
    else if (type.kind === "struct")
      for (const m of this.module.structs.get(type.name)!.members)
        if (this.reach(m.type, space)) {
          this.structs.add(type.name);
          found = true;
        }
    if (found) this.spaces.add(space);
    return found;
  }
}
