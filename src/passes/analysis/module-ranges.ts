/** Bounds of integers across functions: a parameter that keeps its value has the bounds of what all calls of the module give. */
import { hull, type Interval } from "../../ast/interval.js";
import type { Expr, FunctionDeclaration, FunctionId, Module, VarId } from "../../ast/nodes.js";
import { walkExpr, walkStatement } from "../../ast/walk.js";
import { Ranges, type KnownBounds } from "./ranges.js";

interface Given {
  readonly caller: FunctionDeclaration;
  readonly value: Expr;
}

export class ModuleRanges {
  private readonly ranges = new Map<FunctionId, Ranges>();
  /** What calls give for a parameter; absent where a call hands over a place, or the function writes the parameter. */
  private readonly given: ReadonlyMap<VarId, readonly Given[]>;
  private readonly known = new Map<VarId, Interval | undefined>();

  constructor(
    private readonly module: Module,
    private readonly builtin: KnownBounds["builtin"] = () => undefined,
  ) {
    this.given = givenTo(module);
  }

  of(f: FunctionDeclaration): Ranges {
    let found = this.ranges.get(f.id);
    if (!found) {
      found = new Ranges(this.module, f, { builtin: this.builtin, variable: (id) => this.parameter(id) });
      this.ranges.set(f.id, found);
    }
    return found;
  }

  private parameter(id: VarId): Interval | undefined {
    if (this.known.has(id)) return this.known.get(id);
    // Of a function that calls itself nothing is known on the way.
    this.known.set(id, undefined);
    const [first, ...rest] = (this.given.get(id) ?? []).map(({ caller, value }) => this.of(caller).of(value));
    const bounds = first && rest.reduce(hull, first);
    this.known.set(id, bounds);
    return bounds;
  }
}

function givenTo(module: Module): ReadonlyMap<VarId, readonly Given[]> {
  const given = new Map<VarId, Given[]>();
  const open = new Set<VarId>();
  const parameters = new Map(module.functions.map((f) => [f.id, f.parameters]));
  for (const caller of module.functions) {
    walkStatement(caller.body, {
      place: (p, use) => void (use !== "read" && p.kind === "variable" && open.add(p.variable)),
      expr: (e) => {
        if (e.kind !== "call") return;
        for (const [i, id] of (parameters.get(e.function) ?? []).entries()) {
          const argument = e.arguments[i];
          if (argument?.mode !== "value") open.add(id);
          else given.set(id, [...(given.get(id) ?? []), { caller, value: argument.value }]);
        }
      },
    });
    if (caller.isEntry) for (const id of caller.parameters) open.add(id);
  }
  for (const v of module.variables.values()) {
    if (!v.initializer) continue;
    walkExpr(v.initializer, {
      expr: (e) => void (e.kind === "call" && parameters.get(e.function)?.forEach((id) => open.add(id))),
    });
  }
  for (const id of open) given.delete(id);
  return given;
}
