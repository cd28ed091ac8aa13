/** The command line is used wrongly: said on standard error, exit code 2. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly help?: string,
  ) {
    super(message);
  }
}
