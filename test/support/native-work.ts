/**
 * Counts what functions of the engine pass over: elements of arrays, maps and sets that are iterated or copied, entries of objects
 * that are listed, characters that are searched. V8's own counts leave these out, and a time is no test. Copies by `{...o}`,
 * joined texts and hashing have no function that could be asked: `node bench/scaling.mjs` shows their time.
 */

/** What was passed over, by the function that did it. */
export type NativeWork = ReadonlyMap<string, number>;

type Native = (this: unknown, ...args: unknown[]) => unknown;

interface Call {
  readonly self: unknown;
  readonly args: readonly unknown[];
  readonly result: unknown;
  /** The receiver's size, and where its pattern began to look, as the call began. */
  readonly size: number;
  readonly start: number;
}
type Passed = (call: Call) => number;

const sizeOf = (value: unknown): number =>
  Array.isArray(value) || typeof value === "string"
    ? value.length
    : typeof value === "object" && value !== null
      ? names(value).length
      : 0;

// As they were before anything here was put in their place.
const names = Object.getOwnPropertyNames.bind(Object);
const placeIn = (self: unknown, sought: unknown): number =>
  typeof self === "string" ? (plain.text.call(self, sought) as number) : (plain.array.call(self, sought) as number);
const plain = {
  text: Object.getOwnPropertyDescriptor(String.prototype, "indexOf")!.value as Native,
  array: Object.getOwnPropertyDescriptor(Array.prototype, "indexOf")!.value as Native,
};

const one: Passed = () => 1;
const all: Passed = ({ size }) => size;
const made: Passed = ({ result }) => sizeOf(result);
/** Searches: as far as they had to look. */
const forwards: Passed = ({ size, args, result }) =>
  (Number(result) < 0 ? size : Number(result) + 1) - Number(args[1] ?? 0);
const backwards: Passed = ({ size, args, result }) =>
  Math.min(Number(args[1] ?? size), size) - Math.max(Number(result), 0);
const within: Passed = ({ self, args, result, size }) => (result === true ? placeIn(self, args[0]) + 1 : size);
const moved: Passed = ({ size, args, result }) => size - Number(args[0] ?? 0) + sizeOf(result);
/** A pattern that can hold at one place alone looks no further. */
const matched: Passed = ({ self, args, result, start }) => {
  const { sticky, source } = self as RegExp;
  if (result) {
    const match = result as RegExpExecArray;
    return match.index - start + match[0].length;
  }
  return sticky || source.startsWith("^") ? 1 : sizeOf(args[0]) - start;
};

const iteratorOf = (value: Iterable<unknown>): object => Object.getPrototypeOf(value[Symbol.iterator]()) as object;

const watched: readonly (readonly [name: string, holder: object, functions: Readonly<Record<string, Passed>>])[] = [
  ["array iterator", iteratorOf([]), { next: one }],
  ["map iterator", iteratorOf(new Map()), { next: one }],
  ["set iterator", iteratorOf(new Set()), { next: one }],
  [
    "array",
    Array.prototype,
    {
      ...{ includes: within, indexOf: forwards, lastIndexOf: backwards },
      ...{ slice: made, concat: made, flat: made, toSorted: made, splice: moved },
      ...{ join: all, reverse: all, fill: all, shift: all, unshift: all, sort: all },
    },
  ],
  [
    "text",
    String.prototype,
    { includes: within, indexOf: forwards, lastIndexOf: backwards, split: all, replaceAll: all, repeat: made },
  ],
  ["pattern", RegExp.prototype, { exec: matched }],
  ["object", Object, { keys: made, values: made, entries: made, fromEntries: made, assign: made }],
];

/** Watches until `restore` is called; the whole process is slower for it. */
export function watchNatives(): { readonly take: () => NativeWork; readonly restore: () => void } {
  let work = new Map<string, number>();
  const before: (() => void)[] = [];
  for (const [name, holder, functions] of watched)
    for (const [key, passed] of Object.entries(functions)) {
      const descriptor = Object.getOwnPropertyDescriptor(holder, key)!;
      const native = descriptor.value as Native;
      const label = `${name} ${key}`;
      Object.defineProperty(holder, key, {
        ...descriptor,
        value: function (this: unknown, ...args: unknown[]): unknown {
          const size = Array.isArray(this) || typeof this === "string" ? this.length : 0;
          const start = this instanceof RegExp && (this.global || this.sticky) ? this.lastIndex : 0;
          const result = native.apply(this, args);
          const n = Math.max(passed({ self: this, args, result, size, start }), 0);
          work.set(label, (work.get(label) ?? 0) + n);
          return result;
        },
      });
      before.push(() => Object.defineProperty(holder, key, descriptor));
    }
  return {
    take: () => {
      const taken = work;
      work = new Map();
      return taken;
    },
    restore: () => before.forEach((put) => put()),
  };
}
