/** Closes a `switch` over a discriminated union: a new kind without an arm is a compile error here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
