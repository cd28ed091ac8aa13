/**
 * A constructor is a function that returns its object (constructors.ts), so that the address it knows is that of a variable of its own.
 * Where it may keep that, in a member or in what it is given, the address would lead there and not to the object that is made of it
 * (C++14 12.1, 12.8 (31)): such constructors are refused.
 */
import { functionOf } from "../ast/lookup.js";
import type { Expr, Module, Place, VarId } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import type { Refuse } from "./inline-calls.js";

/** `made`: the variables that constructors return. */
export function refuseKeptObjects(module: Module<"canonical">, made: ReadonlySet<VarId>, refuse: Refuse): void {
  if (made.size === 0) return;
  const kept = new KeptObjects(module, made).found();
  for (const span of kept) refuse("a constructor that keeps the address of its object, or of a part of it, is", span);
}

class KeptObjects {
  /** What may be such an object, or a reference to one. */
  private readonly objects: Set<VarId>;
  /** Pointers that may lead into one. */
  private readonly pointers = new Set<VarId>();
  private grown = true;

  constructor(
    private readonly module: Module<"canonical">,
    made: ReadonlySet<VarId>,
  ) {
    this.objects = new Set(made);
  }

  /** Where such an address is put into something that may outlive the function. */
  found(): ReadonlySet<Span> {
    const kept = new Set<Span>();
    const { variables } = this.module;
    while (this.grown) {
      this.grown = false;
      walkModule(this.module, {
        statement: (s) => {
          if (s.kind === "declare" && s.initializer && this.leadsInto(s.initializer))
            this.add(this.pointers, s.variable);
        },
        expr: (e) => {
          if (e.kind === "call") this.handOver(e);
          if (e.kind === "construct") for (const a of e.arguments) if (this.leadsInto(a)) kept.add(a.span);
          if (e.kind !== "assign" || !this.leadsInto(e.value)) return;
          const v = e.target.kind === "variable" ? variables.get(e.target.variable)! : undefined;
          const own = v?.role === "local" || (v?.role === "parameter" && (v.mode ?? "value") === "value");
          if (v && own) this.add(this.pointers, v.id);
          else kept.add(e.span);
        },
      });
    }
    return kept;
  }

  private add(to: Set<VarId>, id: VarId): void {
    if (to.has(id)) return;
    to.add(id);
    this.grown = true;
  }

  private handOver(e: Expr & { kind: "call" }): void {
    const { parameters } = functionOf(this.module, e.function)!;
    e.arguments.forEach((a, i) => {
      if (a.mode === "value" ? this.leadsInto(a.value) : this.isInside(a.place))
        this.add(a.mode === "value" ? this.pointers : this.objects, parameters[i]!);
    });
  }

  private leadsInto(e: Expr): boolean {
    if (e.type.kind !== "pointer") return false;
    switch (e.kind) {
      case "address-of":
        return this.isInside(e.place);
      case "load":
        return e.place.kind === "variable" && this.pointers.has(e.place.variable);
      case "call":
        return e.arguments.some((a) => (a.mode === "value" ? this.leadsInto(a.value) : this.isInside(a.place)));
      case "conditional":
        return this.leadsInto(e.whenTrue) || this.leadsInto(e.whenFalse);
      case "comma":
        return this.leadsInto(e.right);
      case "assign":
        return this.leadsInto(e.value);
      case "pointer-offset":
        return this.leadsInto(e.pointer);
      case "bitcast":
      case "convert":
        return this.leadsInto(e.operand);
      default:
        return false;
    }
  }

  private isInside(p: Place): boolean {
    if (p.kind === "variable") return this.objects.has(p.variable);
    return p.kind === "deref" ? this.leadsInto(p.pointer) : this.isInside(p.base);
  }
}
