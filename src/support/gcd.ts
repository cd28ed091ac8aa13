/** The greatest common divisor of whole numbers that are not negative; of 0 and another, that. */
export const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
