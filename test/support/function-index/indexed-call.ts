/** One signature of a language's function index and a kernel's text that calls it: what `test/names/function-index.test.ts` reads. */
export interface IndexedCall {
  /** As the index has it, in the language's own words. */
  readonly signature: string;
  /** What stands at file scope before it, if anything does. */
  readonly declares?: string;
  /** The parameters of the kernel that calls it, where it needs memory. */
  readonly parameters?: string;
  /** Statements that make one call. */
  readonly body: string;
}

/** The function's name. */
export const nameOf = (call: IndexedCall): string => /(\w+)[(<]/.exec(call.signature)?.[1] ?? call.signature;

/** `n` numbered names. */
export const numbered = (prefix: string, n: number): string[] =>
  Array.from({ length: n }, (_, k) => `${prefix}${String(k)}`);
