/**
 * Specialisation constants whose values are known when the text is read: given by who compiles it, by name or id, or fixed
 * since one sizes an array. They are constants of the file from there on, under their names, and no arguments.
 */
import type { Expr, Resource, VarId } from "../ast/nodes.js";
import { isFloat, scalar as scalarType, type ScalarKind, type Type } from "../types/types.js";
import { integerRange } from "../types/numeric.js";
import { didYouMean } from "../support/did-you-mean.js";
import type { Span } from "../support/span.js";
import { convertConstant, evaluate, literalForm } from "./constants.js";
import { error, resourceFor, type Sema } from "./context.js";

/** A value for a specialisation constant; floats are rounded to its type. */
export type SpecValue = number | bigint | boolean;
/** By the constant's name or by its number (`constant_id`, `function_constant`), as the text of one. */
export type SpecValues = Readonly<Record<string, SpecValue>>;

const own = (s: Sema, key: string): SpecValue | undefined =>
  s.options.spec && Object.hasOwn(s.options.spec, key) ? s.options.spec[key] : undefined;

/** What the workgroup's size is along a dimension that is left to specialisation, where that is settled or given. */
export function givenSize(s: Sema, dimension: number): number | undefined {
  const id = s.localSize.ids[dimension];
  if (id === undefined) return undefined;
  const size = s.options.workgroupSize;
  const asked = size && (size[dimension] ?? 1);
  const ownValue = own(s, String(id));
  if (ownValue !== undefined) s.specUsed.add(String(id));
  if (ownValue !== undefined || asked !== undefined) s.specialized = true;
  const value = s.settledNumbers.get(id) ?? ownValue ?? asked;
  if (value === undefined) return undefined;
  const span = s.localSize.span!;
  const n = Number(value);
  if (typeof value === "boolean" || !Number.isInteger(n) || n < 1 || n >= 2 ** 32)
    return error(s, "XL6006", `${String(value)} is no size of a workgroup, which constant ${id} is`, span);
  const message = (other: number): string =>
    `constant ${id} is the workgroup's size along ${"xyz"[dimension]}, and is both ${n} and ${other}`;
  for (const other of [Number(ownValue ?? n), asked ?? n])
    if (other !== n)
      return error(s, "XL6007", message(other), span, {
        help: "give it once: with --workgroup-size, or with --spec and its number",
      });
  return n;
}

/** The value given for a constant, as its type has it; undefined where none is, or a wrong one has been reported. */
export function givenConstant(
  s: Sema,
  name: string,
  number: number | undefined,
  type: ScalarKind,
  span: Span,
): Expr | undefined {
  const keys = [name, ...(number === undefined ? [] : [String(number)])].filter((k) => own(s, k) !== undefined);
  const [key, second] = keys;
  if (key === undefined) return undefined;
  for (const k of keys) s.specUsed.add(k);
  if (second !== undefined && own(s, key) !== own(s, second))
    return error(s, "XL6004", `'${name}' is given twice: as '${key}' and as '${second}'`, span);
  const value = own(s, key)!;
  const fits = fitting(value, type);
  if (typeof fits === "object") return error(s, "XL6006", `'${name}': ${fits.problem}`, span);
  return { kind: "literal", type: { kind: "scalar", scalar: type }, value: literalForm(fits), span };
}

function fitting(value: SpecValue, type: ScalarKind): bigint | number | boolean | { readonly problem: string } {
  if (type === "bool")
    return typeof value === "boolean" || Number(value) === 0 || Number(value) === 1
      ? Boolean(Number(value))
      : { problem: "a bool is true, false, 0 or 1" };
  if (typeof value === "boolean") return { problem: `a ${type} is given as a number` };
  if (isFloat(type)) return convertConstant(Number(value), type) ?? { problem: `${value} is no ${type}` };
  if (typeof value === "number" && !Number.isInteger(value)) return { problem: `${value} is no integer` };
  const whole = BigInt(value);
  const { min, max } = integerRange(type);
  return whole < min || whole > max ? { problem: `${value} is not in the range of ${type}` } : whole;
}

/** A resource becomes a constant of the file with this value. */
export function settleConstant(s: Sema, resource: Resource, value: Expr): void {
  const v = s.variables.get(resource.variable)!;
  s.resources.splice(s.resources.indexOf(resource), 1);
  const number = resource.slot?.number;
  const known = evaluate(s, value);
  if (number !== undefined && known !== undefined) s.settledNumbers.set(number, literalForm(known));
  s.variables.set(v.id, { ...v, role: "global", compileTime: true, initializer: value });
  s.constants.set(v.id, value);
  s.settledConstants.add(v.id);
  const at = s.order.findIndex((o) => o.kind === "resource" && o.variable === v.id);
  if (at >= 0) s.order[at] = { kind: "variable", variable: v.id };
}

/** A constant that was just declared takes the value that is given for it, or for the workgroup's size if it is that. */
export function takeGiven(s: Sema, id: VarId, name: string, type: ScalarKind): void {
  s.specNames.add(name);
  const resource = resourceFor(s, id)!;
  const number = resource.slot?.number;
  const { span } = s.variables.get(id)!;
  const given = givenConstant(s, name, number, type, span);
  if (given) s.specialized = true;
  const dimension = number === undefined ? -1 : s.localSize.ids.indexOf(number);
  const size = given || dimension < 0 ? undefined : givenSize(s, dimension);
  const value = given ?? (size === undefined ? undefined : sizeLiteral(size, scalarType(type), span));
  if (value) settleConstant(s, resource, value);
}

/** A size of the workgroup as a constant that shares its number has it; of one that is no integer that is said at the end. */
export function sizeLiteral(size: number, type: Type, span: Span): Expr | undefined {
  if (type.kind !== "scalar" || type.scalar === "bool" || isFloat(type.scalar)) return undefined;
  return { kind: "literal", type, value: literalForm(BigInt(size)), span };
}

/** Another name of a constant that has its value: what is given under this name has to be the same. */
export function takeGivenAgain(s: Sema, id: VarId, name: string, type: ScalarKind): void {
  s.specNames.add(name);
  const v = s.variables.get(id)!;
  const again = givenConstant(s, name, undefined, type, v.span);
  const before = v.initializer && evaluate(s, v.initializer);
  if (again && before !== evaluate(s, again))
    error(s, "XL6004", `'${name}' is given twice, and not the same value`, v.span);
}

/** Says so where a value is given for a constant that is not there: nothing that was asked for is passed over. */
export function refuseUnknownGiven(s: Sema): void {
  const leftOut = s.options.part?.leftOut;
  const open = s.openArrays ?? new Set<string>();
  for (const key of Object.keys(s.options.arrayLength ?? {}))
    if (!open.has(key) && !leftOut?.has(key)) {
      const help =
        didYouMean(key, open) ?? (open.size > 0 ? `there are ${[...open].join(", ")}` : "the source has none");
      s.problems.error("XL6004", `there is no array '${key}' without a length, for which one is given`, undefined, {
        help,
      });
    }
  for (const key of Object.keys(s.options.spec ?? {})) {
    if (s.specUsed.has(key) || leftOut?.has(key)) continue;
    const names = s.specNames;
    const help = !s.reading.declarations.specialization
      ? `${s.language.name} has none: --define gives a macro, and the launch arguments`
      : (didYouMean(key, names) ?? (names.size > 0 ? `there are ${[...names].join(", ")}` : "the source has none"));
    const what = Number.isInteger(Number(key)) ? `with the number ${key}` : `'${key}'`;
    s.problems.error("XL6004", `there is no specialisation constant ${what}, for which a value is given`, undefined, {
      help,
    });
  }
}
