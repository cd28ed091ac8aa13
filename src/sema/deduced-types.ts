/** Types of variables that their initialisers say: `auto`, and class templates without arguments. */
import { isOpen } from "./open-literals.js";
import type * as syntax from "../ast/syntax.js";
import { type Type } from "../types/types.js";
import { forwarded } from "./forwarding.js";
import { mentions } from "./mentioned-names.js";
import { isLvalue, error, notYet, placeSpace, type NamedTypeInfo, type Sema } from "./context.js";
import { typeOfOperand } from "./declared-types.js";
import { expression, unevaluated } from "./expressions.js";
import { classDeduced } from "./calls.js";
import { provisionally } from "./templates/state.js";

/** The one value that an initialiser is (C++17 10.1.7.4). */
export function valueGiven(init: syntax.Initializer): syntax.Expression | undefined {
  if (init.form === "assign") return init.value.kind === "initializer-list" ? undefined : init.value;
  const [only, ...more] = init.form === "paren" ? init.values : init.value.elements.map((e) => e.value);
  return more.length > 0 || only?.kind === "initializer-list" || only?.kind === "pack-expansion" ? undefined : only;
}

/** `auto x = value`: the type of the value. */
export function autoType(
  s: Sema,
  x: syntax.Declarator,
  way: "value" | "declared",
  whole: boolean,
): NamedTypeInfo | undefined {
  const init = x.initializer;
  const value = init && valueGiven(init);
  if (!value) return notYet(s, "'auto' without a value is", x.span);
  if (x.name && mentions(value, x.name.name))
    return error(s, "XL2013", `'${x.name.name}' has no type yet in its own initialiser`, x.span);
  // The initialiser is read again for the variable; its problems are reported then, unless it has no type at all.
  const v = provisionally(s, () => unevaluated(s, () => expression(s, value)));
  if (!v) return void unevaluated(s, () => expression(s, value));
  if (v.expr && isOpen(v.expr))
    return notYet(s, "'auto' of a number without a type is", x.span, "give the number a type: 3u, 3.0f, int(3)");
  const [derivation, ...more] = x.derivations;
  if (way === "declared" && derivation) return error(s, "XL2013", "nothing stands beside 'decltype(auto)'", x.span);
  if (way === "declared") return typeOfOperand(s, { expression: value }, v);
  if (more.length > 0 || derivation?.kind === "array") return notYet(s, "such a use of 'auto' is", x.span);
  const type: Type =
    !whole && v.type.kind === "array" && derivation?.kind !== "reference" && s.language.arrays === "decay" && v.place
      ? {
          kind: "pointer",
          pointee: v.type.element,
          space: placeSpace(s, v.place),
          ...(v.readOnly ? { readOnly: true } : {}),
        }
      : v.type;
  if (derivation?.kind === "reference" && derivation.rvalue) return forwarded(s, v, type);
  if (derivation?.kind === "reference" && v.readOnly !== undefined && isLvalue(v)) return { type, constant: true };
  if (derivation?.kind !== "pointer") return { type };
  if (type.kind !== "pointer") return error(s, "XL2013", "'auto *' needs a pointer", x.span);
  return { type: type.pointee, ...(type.readOnly ? { constant: true } : {}) };
}

/** `Row r = x;`, `Row r(x);`: the class template's arguments are those of an object it is given, or what a constructor says (C++17 16.3.1.8). */
export function ofInitializer(
  s: Sema,
  specifier: syntax.VariableDeclaration["specifier"],
  x: syntax.Declarator,
): NamedTypeInfo | undefined {
  const named = specifier as syntax.NamedType;
  const init = x.initializer;
  if (x.derivations.length > 0) return error(s, "XL2005", `'${named.name}' needs arguments here`, x.span);
  const list = !init ? [] : init.form === "paren" ? init.values : [init.value];
  const type = classDeduced(s, named, list, init?.form === "assign");
  return type && type !== "none" ? { type } : undefined;
}
