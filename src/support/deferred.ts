/**
 * Code of a bundle that is fetched when something calls it (scripts/browser-parts.mjs lists it). What calls it does not wait: a call that
 * comes too early throws `NotLoaded` through everything up to the API, which fetches the part and begins again. Stages keep nothing
 * beyond a call, so that beginning again is as if it had been there.
 */
type Module = Readonly<Record<string, unknown>>;
type Callable = (...args: unknown[]) => unknown;

export class NotLoaded extends Error {
  constructor(readonly load: () => Promise<void>) {
    super("a part of crosslane is called that is not loaded yet");
  }
}

/** What a part exports, once it is loaded. */
export function deferredPart<T>(fetch: () => Promise<T>): () => T {
  let part: T | undefined;
  const load = async (): Promise<void> => {
    part = await fetch();
  };
  return () => {
    if (!part) throw new NotLoaded(load);
    return part;
  };
}

/** Stand-ins for functions and classes of a part, by module and name. */
export function deferred(
  fetch: () => Promise<Readonly<Record<string, Module>>>,
): (module: string, name: string) => Callable {
  const part = deferredPart(fetch);
  return (module, name) => {
    const real = (): Callable => part()[module]![name] as Callable;
    return new Proxy(function () {}, {
      apply: (_, self, args: unknown[]): unknown => Reflect.apply(real(), self, args),
      construct: (_, args: unknown[]): object => Reflect.construct(real(), args) as object,
      get: (_, key): unknown => Reflect.get(real(), key),
    });
  };
}

/** Does what may come upon parts that are not loaded, until it did not. */
export async function withParts<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      await error.load();
    }
  }
}
