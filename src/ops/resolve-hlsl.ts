/**
 * Which function of HLSL a call takes, as DXC decides it: the first whose shapes fit. All operands of one component type
 * are brought to a common kind, or, where the function does not have that, to the function's first; vectors are cut to the
 * smallest. Asked of DXC (1.9) by the tests of test/fuzz; it is in no document.
 */
import { combinedKind } from "../dialects/conversions.js";
import { wordSet } from "../dialects/words.js";
import {
  asSingle,
  componentCount,
  componentsOf,
  isSingle,
  scalarOf,
  shaped,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import type { BuiltinArgument } from "./row.js";
import type { Parameter } from "./signature.js";

/** Kinds of component a function takes; the first is taken for all that it does not. */
export type ComponentClass = readonly ScalarKind[];

const floatLike: ComponentClass = ["f32", "f16"];
const anyFloat: ComponentClass = ["f32", "f16", "f64"];
const anyInt: ComponentClass = ["i32", "i16", "u32", "u16", "i64", "u64"];
const numeric: ComponentClass = ["f32", "f16", "f64", "i16", "i32", "u16", "u32", "i64", "u64"];
const any: ComponentClass = [...numeric, "bool"];

/** Of every function whose operands have a type in common (test/ops/resolve.test.ts: none of the table is missing). */
const classes = new Map<string, ComponentClass>(
  (
    [
      [
        floatLike,
        `acos asin atan atan2 ceil cos cosh cross degrees determinant distance exp exp2 faceforward floor fmod frac isfinite
        isinf isnan isnormal ldexp length lerp log log10 log2 modf normalize pow radians reflect refract round rsqrt sin sincos
        sinh smoothstep sqrt step tan tanh trunc asuint f32tof16 lit D3DCOLORtoUBYTE4 dot2add`,
      ],
      [
        anyInt,
        "countbits firstbithigh firstbitlow reversebits WaveMultiPrefixBitAnd WaveMultiPrefixBitOr WaveMultiPrefixBitXor",
      ],
      [["u32", "u64"], "WaveActiveBitAnd WaveActiveBitOr WaveActiveBitXor"],
      // Of any kind in DXC, and tested against zero.
      [["bool"], "all any"],
      [any, "select transpose NonUniformResourceIndex WaveActiveAllEqual WaveReadLaneAt WaveReadLaneFirst"],
      [
        numeric,
        `abs clamp dot dst mad max min mul sign WaveActiveSum WaveActiveProduct WaveActiveMin WaveActiveMax WavePrefixSum
        WavePrefixProduct WaveMultiPrefixSum WaveMultiPrefixProduct WaveMatch QuadReadLaneAt QuadReadAcrossX QuadReadAcrossY
        QuadReadAcrossDiagonal`,
      ],
      [anyFloat, "rcp saturate"],
      [["f64"], "fma"],
      [["u32"], "AddUint64 f16tof32 asdouble"],
      [["f32"], "clip frexp"],
    ] as const
  ).flatMap(([taken, names]) => names.split(/\s+/).map((name) => [name, taken] as const)),
);

/** Functions whose result has a type of its own in DXC, whatever that of the row. */
const apart = wordSet(
  "all any countbits firstbithigh firstbitlow sign isfinite isinf isnan isnormal WaveActiveAllEqual WaveMatch",
);

export const hasOwnResult = (name: string): boolean => apart.has(name);

/** Functions that take their own kind only, and numbers without a type. */
const strict = wordSet("fma");

export const isOfOtherKind = (name: string, args: readonly BuiltinArgument[]): boolean =>
  (strict.has(name) &&
    args.some((a) => a.open === undefined && !componentClass(name).includes(scalarOf(a.type) ?? "bool"))) ||
  (ofNumbersAlone.has(name) && args.some((a) => isSingle(a.type)));

/** Functions that take no vector of one component for a number. */
const ofNumbersAlone = wordSet("lit");

/** Functions of vectors, to which DXC makes numbers vectors of one component. */
const ofVectors = wordSet("normalize reflect refract faceforward");

/** Functions whose last operand alone says whether one component is a vector or a number. */
const ofLast = wordSet("select");

/** Functions that give numbers for vectors of one component, too. */
const ofNumbers = wordSet("f16tof32 f32tof16");

export const givesSingle = (name: string): boolean => !ofNumbers.has(name);

/** Whether a call of arguments of minimum precision gives such a value: functions of bits have 32. */
export const keepsPrecision = (name: string): boolean => !hasOwnResult(name) && classes.get(name) !== anyInt;

function componentClass(name: string): ComponentClass {
  const taken = classes.get(name);
  if (!taken) throw new Error(`broken table: ${name} of HLSL takes operands of no kind`);
  return taken;
}

/** Whether what is computed has as many components as this. */
export const givesShape = ({ pattern }: Parameter): boolean => /^([TBIUFHNM]|N\d+)$/.test(pattern);

export interface CommonOperands {
  readonly type: Type;
  /** All are numbers without a type, and so is the result. */
  readonly open: boolean;
}

/** The type `T` of a call, from the operands that have it (or its scalar); undefined where their shapes do not go together. */
export function commonOperands(
  name: string,
  parameters: readonly Parameter[],
  args: readonly BuiltinArgument[],
  result: string,
): CommonOperands | undefined {
  const shared = args.filter((_, i) => parameters[i]!.mode === "value" && /^(T|S)$/.test(parameters[i]!.pattern));
  if (shared.length === 0) return undefined;
  const legal = componentClass(name);
  const follows = /^(T|S)$/.test(result) && !hasOwnResult(name);
  let kind: ScalarKind | undefined;
  let open = true;
  let enumerated = true;
  for (const a of shared) {
    // Enumerators have no more width than bools have.
    const own = a.enumerated ? "bool" : scalarOf(a.type);
    if (own === undefined) return undefined;
    const isOpen = a.open !== undefined;
    // What the result does not depend on has a type at once.
    const given = isOpen && !follows ? concrete(a.open, legal) : own;
    const stays = isOpen && follows;
    enumerated &&= a.enumerated === true;
    if (kind === undefined) {
      kind = given;
      open = stays;
    } else if (!(kind === "bool" && given === "bool" && !stays && !open)) {
      kind = combinedKind(kind, given, open, stays);
      open &&= stays;
    }
  }
  const shaping = args.filter((_, i) => parameters[i]!.mode === "value" && givesShape(parameters[i]!));
  const isVector = ({ type }: BuiltinArgument): boolean => type.kind === "vector" || isSingle(type);
  const vectors = shaping.flatMap((a) => (isVector(a) ? [componentsOf(a.type)] : []));
  const size = vectors.length === 0 ? 1 : Math.min(...vectors);
  const openKind = open && (kind === "i64" ? legal.includes("i32") || legal.includes("u32") : legal !== anyInt);
  const chosen = openKind || (!open && legal.includes(kind!) && !enumerated) ? kind! : legal[0]!;
  const type = shaped(chosen, size);
  const deciding = ofLast.has(name) ? shared.slice(-1) : shaping;
  const single = givesSingle(name) && deciding.some(isVector);
  return { type: single || ofVectors.has(name) ? asSingle(type) : type, open: openKind };
}

/** The kind DXC gives a number without a type where the result does not depend on it. */
function concrete(kind: ScalarKind, legal: ComponentClass): ScalarKind {
  if (legal.includes(kind)) return kind;
  return kind === "f32" && legal.includes("f64") ? "f64" : legal[0]!;
}

/** A parameter that is a number whatever the others are takes no vector of one component. */
export const takesSingle = (p: Parameter, { type }: BuiltinArgument): boolean => !isSingle(type) || givesShape(p);

/** Whether an argument fits a parameter that is not of type `T`: any number or bool of as many components, or more. */
export function fits(p: Parameter, a: BuiltinArgument, wanted: Type): boolean {
  const [from, to] = [componentCount(a.type), componentCount(wanted)];
  return (
    p.mode === "value" &&
    takesSingle(p, a) &&
    from !== undefined &&
    to !== undefined &&
    a.type.kind !== "matrix" &&
    wanted.kind !== "matrix" &&
    (from === 1 || from >= to)
  );
}
