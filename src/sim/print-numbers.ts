/** Numbers as C's formatted output writes them (C99 7.19.6.1), exactly: digits are those of the value, rounded to nearest even. */
import { padded, type PrintConversion } from "../ast/print-format.js";
import { f64Bits } from "../types/numeric.js";

/** An argument of a conversion; floats by their value. */
export function printScalar(c: PrintConversion, value: number | bigint | boolean): string {
  const { letter } = c;
  switch (letter) {
    case "c":
      return padded(String.fromCharCode(Number(value)), c);
    case "d":
    case "u":
    case "o":
    case "x":
    case "X":
      return integer(c, BigInt(value));
    default: {
      const text = float({ ...c, letter: letter.toLowerCase() as "f" }, Number(value));
      return letter === letter.toLowerCase() ? text : text.toUpperCase();
    }
  }
}

const signOf = (negative: boolean, flags: string): string =>
  negative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";

/** `sign` and a base's prefix stay in front of zeros. */
function filled(c: PrintConversion, sign: string, digits: string, zeros: boolean): string {
  const missing = (c.width ?? 0) - sign.length - digits.length;
  if (zeros && c.flags.includes("0") && !c.flags.includes("-")) return sign + "0".repeat(Math.max(0, missing)) + digits;
  return padded(sign + digits, c);
}

const bases = { d: 10, u: 10, o: 8, x: 16, X: 16 } as const;

function integer(c: PrintConversion, value: bigint): string {
  const letter = c.letter as keyof typeof bases;
  const magnitude = value < 0n ? -value : value;
  const least = c.precision ?? 1;
  let digits = (magnitude === 0n && least === 0 ? "" : magnitude.toString(bases[letter])).padStart(least, "0");
  if (letter === "X") digits = digits.toUpperCase();
  const marked = c.flags.includes("#");
  if (letter === "o" && marked && !digits.startsWith("0")) digits = `0${digits}`;
  const prefix = bases[letter] === 16 && marked && magnitude !== 0n ? `0${letter}` : "";
  const sign = letter === "d" ? signOf(value < 0n, c.flags) : "";
  return filled(c, sign + prefix, digits, c.precision === undefined);
}

function float(c: PrintConversion & { readonly letter: "f" | "e" | "g" | "a" }, value: number): string {
  const negative = value < 0 || Object.is(value, -0);
  const sign = signOf(negative, c.flags);
  if (!Number.isFinite(value)) return filled(c, sign, Number.isNaN(value) ? "nan" : "inf", false);
  const magnitude = Math.abs(value);
  const keepsPoint = c.flags.includes("#");
  switch (c.letter) {
    case "a":
      return filled(c, `${sign}0x`, hexadecimal(magnitude, c.precision, keepsPoint), true);
    case "f":
      return filled(c, sign, fixed(magnitude, c.precision ?? 6, keepsPoint), true);
    case "e":
      return filled(c, sign, scientific(magnitude, c.precision ?? 6, keepsPoint), true);
    case "g":
      return filled(c, sign, general(magnitude, Math.max(1, c.precision ?? 6), keepsPoint), true);
  }
}

/** value * 10^scale, to the nearest integer, of two the even one. */
function scaled(value: number, scale: number): bigint {
  const bits = f64Bits(value);
  const exponent = Number((bits >> 52n) & 2047n);
  const fraction = bits & ((1n << 52n) - 1n);
  let numerator = exponent === 0 ? fraction : fraction | (1n << 52n);
  let denominator = 1n;
  const power = Math.max(exponent, 1) - 1075;
  if (power >= 0) numerator <<= BigInt(power);
  else denominator <<= BigInt(-power);
  if (scale >= 0) numerator *= 10n ** BigInt(scale);
  else denominator *= 10n ** BigInt(-scale);
  const whole = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  return twice > denominator || (twice === denominator && whole % 2n === 1n) ? whole + 1n : whole;
}

function fixed(value: number, precision: number, keepsPoint: boolean): string {
  const digits = scaled(value, precision)
    .toString()
    .padStart(precision + 1, "0");
  const at = digits.length - precision;
  return digits.slice(0, at) + (precision > 0 || keepsPoint ? "." : "") + digits.slice(at);
}

/** `precision` + 1 digits, and the power of ten of the first. */
function significant(value: number, precision: number): { readonly digits: string; readonly exponent: number } {
  if (value === 0) return { digits: "0".repeat(precision + 1), exponent: 0 };
  // The estimate may be one off, and rounding may give a digit more.
  for (let exponent = Math.floor(Math.log10(value)) - 1; ; exponent++) {
    const digits = scaled(value, precision - exponent).toString();
    if (digits.length === precision + 1) return { digits, exponent };
  }
}

function scientific(value: number, precision: number, keepsPoint: boolean): string {
  const { digits, exponent } = significant(value, precision);
  const mantissa = digits[0]! + (precision > 0 || keepsPoint ? "." : "") + digits.slice(1);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function general(value: number, precision: number, keepsZeros: boolean): string {
  const { exponent } = significant(value, precision - 1);
  const plain = exponent >= -4 && exponent < precision;
  const text = plain
    ? fixed(value, precision - 1 - exponent, keepsZeros)
    : scientific(value, precision - 1, keepsZeros);
  if (keepsZeros) return text;
  const [mantissa, power] = text.split("e") as [string, string?];
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return power === undefined ? short : `${short}e${power}`;
}

/** Without `0x`: one digit before the point, which is 1 but for subnormal numbers and zero. */
function hexadecimal(value: number, precision: number | undefined, keepsPoint: boolean): string {
  const bits = f64Bits(value);
  const biased = Number((bits >> 52n) & 2047n);
  let mantissa = (bits & ((1n << 52n) - 1n)) | (biased === 0 ? 0n : 1n << 52n);
  const exponent = value === 0 ? 0 : Math.max(biased, 1) - 1023;
  let count = 13;
  if (precision !== undefined && precision < count) {
    const cut = 4n * BigInt(count - precision);
    const rest = mantissa & ((1n << cut) - 1n);
    const half = 1n << (cut - 1n);
    mantissa >>= cut;
    if (rest > half || (rest === half && mantissa % 2n === 1n)) mantissa += 1n;
    count = precision;
  }
  const first = mantissa >> (4n * BigInt(count));
  let digits = count === 0 ? "" : (mantissa & ((1n << (4n * BigInt(count))) - 1n)).toString(16).padStart(count, "0");
  digits = precision === undefined ? digits.replace(/0+$/, "") : digits.padEnd(precision, "0");
  const point = digits !== "" || keepsPoint ? "." : "";
  return `${first}${point}${digits}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}
