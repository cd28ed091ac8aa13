/**
 * Asynchronous copies of the workgroup that runs (OpenCL C 3.0 6.15.11): done when they are called, which is one of the times at
 * which they may be. That nobody looks before they are waited for is looked after with races; that each event is waited for, and
 * once, is here.
 */
import type { LaunchMemory } from "./launch-memory.js";

/** What a copy reads, or writes: elements of `bytes` bytes, `stride` bytes apart. */
export interface CopySide {
  readonly object: number;
  readonly start: number;
  readonly stride: number;
  readonly bytes: number;
  readonly count: number;
  readonly writes: boolean;
}
export interface AsyncCopy {
  readonly site: number;
  readonly sides: readonly CopySide[];
}

/** Whether some element has a byte among `size` bytes from `offset` on. */
export function touches(side: CopySide, object: number, offset: number, size: number): boolean {
  if (side.object !== object || side.count === 0) return false;
  const { start, stride, bytes } = side;
  const first = stride === 0 ? 0 : Math.max(0, Math.ceil((offset - bytes + 1 - start) / stride));
  return first < side.count && start + first * stride < offset + size && start + first * stride + bytes > offset;
}

export class AsyncCopies {
  /** By event, those that are to be waited for. */
  private readonly open = new Map<number, AsyncCopy[]>();
  private events = 0;

  constructor(private readonly memory: LaunchMemory) {}

  startGroup(): void {
    this.open.clear();
    this.events = 0;
  }

  /** `joined`: 0, or the event of a copy before. Gives the event. */
  start(joined: number, to: CopySide, from: CopySide, site: number): number {
    let event = joined;
    if (joined === 0) event = ++this.events;
    else if (!this.open.has(joined)) {
      this.find(site, `this copy joins ${this.unknown(joined)}`);
      event = ++this.events;
    }
    if (to.stride === 0 || from.stride === 0) this.find(site, "this asynchronous copy has a stride of 0");
    const count = this.inside(to, from, site);
    const [written, source] = [
      { ...to, count },
      { ...from, count },
    ];
    const copy: AsyncCopy = { site, sides: [source, written] };
    this.open.set(event, [...(this.open.get(event) ?? []), copy]);
    this.memory.races?.startCopy(copy);
    this.move(written, source, site);
    return event;
  }

  wait(event: number, site: number): void {
    const copies = this.open.get(event);
    if (!copies) return this.find(site, `this waits for ${this.unknown(event)}`);
    this.open.delete(event);
    for (const copy of copies) this.memory.races?.endCopy(copy);
  }

  /** The workgroup has come to its end. */
  endGroup(): void {
    for (const copies of this.open.values())
      for (const { site } of copies) this.find(site, "this asynchronous copy is never waited for");
  }

  private unknown(event: number): string {
    return event > 0 && event <= this.events
      ? "an event that was waited for before"
      : "what is no event of an asynchronous copy";
  }

  private move(to: CopySide, from: CopySide, site: number): void {
    const { bytes, places } = this.memory;
    const [target, source] = [places[to.object]!, places[from.object]!];
    for (let i = 0; i < to.count; i++) {
      const [at, of] = [to.start + i * to.stride, from.start + i * from.stride];
      bytes.copyWithin(target.base + at, source.base + of, source.base + of + from.bytes);
      this.note(to, at, site);
    }
  }

  /** How many elements lie within both objects, up to the first that does not. */
  private inside(to: CopySide, from: CopySide, site: number): number {
    for (let i = 0; i < to.count; i++)
      if (
        !this.inBounds(from, from.start + i * from.stride, site) ||
        !this.inBounds(to, to.start + i * to.stride, site)
      )
        return i;
    return to.count;
  }

  private inBounds(side: CopySide, at: number, site: number): boolean {
    const p = this.memory.places[side.object]!;
    if (at >= 0 && at + side.bytes <= p.bytes) return true;
    const { name } = this.memory.objects[side.object]!;
    const index = Math.floor(at / side.bytes);
    this.memory.find("out-of-bounds", site, undefined, `asynchronous copy out of bounds of ${name}`, {
      buffer: name,
      index,
    });
    return false;
  }

  /** Of the words of an element: the copy wrote them last. */
  private note(to: CopySide, at: number, site: number): void {
    const writers = this.memory.writers.get(to.object);
    if (!writers) return;
    for (let word = at >> 2; word <= (at + to.bytes - 1) >> 2; word++) {
      writers.site[word] = site + 1;
      writers.lane[word] = 0;
      writers.group[word] = this.memory.groupIndex;
    }
    for (let byte = at; byte < at + to.bytes; byte++) writers.bytes[byte >> 2]! |= 1 << (byte & 3);
  }

  private find(site: number, message: string): void {
    this.memory.find("async-copy", site, undefined, message);
  }
}
