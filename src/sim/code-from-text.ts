/** Code that is made of printed text: where a page's content-security policy allows it. */
import { once } from "../support/once.js";
import { LaunchError } from "./launch-memory.js";

/** What is asked for is done by the printed code alone, and there is none here. */
export class NeedsCodeFromText extends LaunchError {}

/** What `make` makes by `Function`. */
export function codeFromText<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    throw new NeedsCodeFromText(
      "this is left to the printed code, and code from text is not allowed here (a content-security policy without 'unsafe-eval')",
    );
  }
}

export const codeFromTextIsAllowed = once((): boolean => {
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    return typeof new Function("") === "function";
  } catch {
    return false;
  }
});
