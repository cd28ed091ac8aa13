/**
 * A screen for data races: code that notes who touched what, and gives the run up where two accesses may race. It remembers less
 * than `src/sim/races.ts` and orders by barriers of the workgroup alone, so that what it lets pass has no race there either; what
 * it does not let pass the printed code looks at, which has the findings.
 *
 * Each granule of memory that is written in the kernel has stamps in shadow memory, which is laid out as the memory itself: who wrote
 * it last, who read it, who changed it atomically. A stamp is an epoch and a lane; epochs begin with each workgroup and behind
 * each barrier, for workgroup memory and for buffers apart, and are never the same in two workgroups. 0 is nobody. Of readers of
 * one epoch one lane is remembered, or that there are several (all bits of the lane); that lanes of several workgroups read is all
 * bits. (FastTrack, Flanagan and Freund, PLDI 2009, keeps as little of those that write.)
 */
import type { RegionBarrier } from "../../src/regions/tree.js";
import { i32, v128, type ValueType } from "./bytes.js";
import { epochsAt, FunctionText } from "./function-text.js";
import { laneBits, laneMask, lastEpoch, lists, type List, type ScreenedObject } from "./race-shadows.js";

export type Noted = "read" | "write" | "atomic";
/** What an access must not meet, and where it is noted. */
const meets: Readonly<Record<Noted, readonly List[]>> = {
  read: ["writers", "atomics"],
  write: ["writers", "readers", "atomics"],
  atomic: ["writers", "readers"],
};
const listOf: Readonly<Record<Noted, List>> = { read: "readers", write: "writers", atomic: "atomics" };

/** Locals that hold where the current epoch begins, and the first of this workgroup, as stamps of lane 0. */
interface Epoch {
  readonly start: number;
  readonly group: number;
}

export abstract class RaceScreenText extends FunctionText {
  private readonly epochLocals: [Epoch | undefined, Epoch | undefined] = [undefined, undefined];
  /** Used from one instruction to the next ones only. */
  private readonly scratchLocals = new Map<string, number>();

  private held(name: string, type: ValueType): number {
    let found = this.scratchLocals.get(name);
    if (found === undefined) this.scratchLocals.set(name, (found = this.lastingLocal(type)));
    return found;
  }

  protected screened(object: unknown): ScreenedObject | undefined {
    return typeof object === "number" ? this.module.screen?.objects.get(object) : undefined;
  }

  /** Notes an access whose address is on the stack. */
  protected noteAddress(how: Noted, object: unknown, bytes: number, offset: number, lane: number | "several"): void {
    if (!this.screened(object)) return;
    const at = this.held("at", i32);
    this.code.set(at);
    this.noteAccess(how, object, bytes, at, offset, lane);
    this.code.get(at);
  }

  /** Of workgroup memory (0) or buffers (1). In the kernel's own function they change, others find them in memory. */
  private epoch(kind: 0 | 1): Epoch {
    let found = this.epochLocals[kind];
    if (found) return found;
    found = { start: this.lastingLocal(i32), group: this.lastingLocal(i32) };
    this.epochLocals[kind] = found;
    this.prologue
      .i32(0)
      .memory(0x28, epochsAt + 4 * kind)
      .set(found.start);
    this.prologue
      .i32(0)
      .memory(0x28, epochsAt + 8 + 4 * kind)
      .set(found.group);
    return found;
  }

  /** A new epoch begins; `group`: with a workgroup. */
  private nextEpoch(kind: 0 | 1, group: boolean): void {
    const { code } = this;
    const { start, group: first } = this.epoch(kind);
    code
      .get(start)
      .i32(1 << laneBits)
      .op(0x6a)
      .tee(start)
      .i32(lastEpoch)
      .op(0x4f);
    this.ifElse(() => this.unfit());
    code
      .i32(0)
      .get(start)
      .memory(0x36, epochsAt + 4 * kind);
    if (!group) return;
    code.get(start).set(first);
    code
      .i32(0)
      .get(start)
      .memory(0x36, epochsAt + 8 + 4 * kind);
  }

  protected screensGroup(): void {
    if (!this.module.screen) return;
    this.nextEpoch(0, true);
    this.nextEpoch(1, true);
  }

  /** Of some buffers alone it is none here: what it orders is left to the exact check. */
  protected screensBarrier({ memory, objects }: RegionBarrier): void {
    if (!this.module.screen) return;
    if (memory.workgroup) this.nextEpoch(0, false);
    if (memory.global && !objects) this.nextEpoch(1, false);
  }

  private shadow(list: List): number {
    return this.globalLocal({ kind: "shadow", at: lists.indexOf(list) }, i32);
  }

  private listsMet(o: ScreenedObject, how: Noted): readonly List[] {
    return meets[how].filter((l) => l !== "atomics" || o.atomics);
  }

  /**
   * Notes an access of `bytes` at the address in a local and `offset` more. `lane`: the local with the lane, or several, which all
   * come to the same place.
   */
  protected noteAccess(
    how: Noted,
    object: unknown,
    bytes: number,
    at: number,
    offset: number,
    lane: number | "several",
  ): void {
    const o = this.screened(object);
    if (!o) return;
    const { code } = this;
    const { scale } = this.module.screen!;
    const epoch = this.epoch(o.shared ? 0 : 1);
    const [me, word] = [this.held("me", i32), this.held("word", i32)];
    code.get(epoch.start);
    if (lane === "several") code.i32(laneMask);
    else code.get(lane);
    code.op(0x72).set(me);
    code.get(at);
    if (offset !== 0) code.i32(offset).op(0x6a);
    if (scale !== 1) code.i32(scale).op(0x6c);
    code.set(word);
    for (let granule = 0; granule < Math.max(1, bytes / o.granule); granule++) {
      const more = granule * o.granule * scale;
      for (const list of this.listsMet(o, how))
        this.meet(o, epoch, list, word, more, lane === "several" ? undefined : me);
      const address = (): void => void code.get(word).get(this.shadow(listOf[how])).op(0x6a);
      if (how === "write") {
        address();
        code.get(me).memory(0x36, more);
      } else this.noteOneOf(o, epoch, address, more, me);
    }
  }

  /** Gives the run up where a stamp is another lane's of this epoch, or another workgroup's. `me`: nobody where several lanes come at once. */
  private meet(o: ScreenedObject, epoch: Epoch, list: List, word: number, more: number, me: number | undefined): void {
    const { code } = this;
    const stamp = this.held("stamp", i32);
    code.get(word).get(this.shadow(list)).op(0x6a).memory(0x28, more).tee(stamp);
    if (o.shared) code.get(epoch.start).op(0x4f);
    else {
      code.get(epoch.group).op(0x6b).get(epoch.start).get(epoch.group).op(0x6b, 0x4f);
      code.get(stamp).i32(0).op(0x47, 0x71);
    }
    if (me !== undefined) code.get(stamp).get(me).op(0x47, 0x71);
    this.ifElse(() => this.unfit());
  }

  /** Notes one of those that may be several. */
  private noteOneOf(o: ScreenedObject, epoch: Epoch, address: () => void, more: number, me: number): void {
    const { code } = this;
    const stamp = this.held("stamp", i32);
    address();
    code.memory(0x28, more).tee(stamp).get(me).op(0x47);
    this.ifElse(() => {
      address();
      if (o.shared) {
        code.get(stamp).i32(laneMask).op(0x72).get(me).get(stamp).get(epoch.start).op(0x4f, 0x1b);
      } else {
        code.get(me);
        // Several of this epoch, or of several workgroups.
        code.get(stamp).i32(laneMask).op(0x72).i32(-1).get(stamp).get(epoch.start).op(0x4f, 0x1b);
        code.get(stamp).get(epoch.group).op(0x6b).get(epoch.start).get(epoch.group).op(0x6b, 0x49);
        code.get(stamp).op(0x45, 0x72, 0x1b);
      }
      code.memory(0x36, more);
    });
  }

  /** As `noteAccess`, of four lanes from the one in `lane` on, at consecutive elements of 4 bytes; false where that has no vector form. */
  protected noteConsecutive(
    how: Noted,
    object: unknown,
    bytes: number,
    at: number,
    offset: number,
    lane: number,
    mask: number | undefined,
  ): boolean {
    const o = this.screened(object);
    if (!o) return true;
    if (bytes !== 4 || o.granule !== 4 || this.module.screen!.scale !== 1) return false;
    const { code } = this;
    const epoch = this.epoch(o.shared ? 0 : 1);
    const [me, word, stamp] = [this.held("lanes", v128), this.held("word", i32), this.held("stamps", v128)];
    const start = (): void => void code.get(epoch.start).simd(17);
    const span = (): void => void code.get(epoch.start).get(epoch.group).op(0x6b).simd(17);
    const sinceGroup = (): void => void code.get(stamp).get(epoch.group).simd(17).simd(177);
    code.get(epoch.start).get(lane).op(0x72).simd(17).v128([0, 1, 2, 3]).simd(174).set(me);
    code.get(at);
    if (offset !== 0) code.i32(offset).op(0x6a);
    code.set(word);
    const address = (list: List): void => void code.get(word).get(this.shadow(list)).op(0x6a);
    for (const list of this.listsMet(o, how)) {
      address(list);
      code.simdMemory(0, 0).set(stamp);
      if (o.shared) {
        code.get(stamp);
        start();
        code.simd(64);
      } else {
        sinceGroup();
        span();
        code.simd(64).get(stamp).v128([0, 0, 0, 0]).simd(56).simd(78);
      }
      code.get(stamp).get(me).simd(56).simd(78);
      if (mask !== undefined) code.get(mask).simd(78);
      code.simd(83);
      this.ifElse(() => this.unfit());
    }
    const to = listOf[how];
    if (how === "write" && mask === undefined) {
      address(to);
      code.get(me).simdMemory(11, 0);
      return true;
    }
    address(to);
    code.simdMemory(0, 0).set(stamp);
    address(to);
    const several = (): void => void code.get(stamp).v128([laneMask, laneMask, laneMask, laneMask]).simd(80);
    const fromEpoch = (): void => {
      code.get(stamp);
      start();
      code.simd(64);
    };
    if (how === "write") code.get(me);
    else if (o.shared) {
      several();
      code.get(me);
      fromEpoch();
      code.get(stamp).get(me).simd(56).simd(78).simd(82);
    } else {
      code.get(me);
      several();
      code.v128([-1, -1, -1, -1]);
      fromEpoch();
      code.simd(82);
      sinceGroup();
      span();
      code.simd(58).get(stamp).v128([0, 0, 0, 0]).simd(55).simd(80).get(stamp).get(me).simd(55).simd(80).simd(82);
    }
    if (mask !== undefined) code.get(stamp).get(mask).simd(82);
    code.simdMemory(11, 0);
    return true;
  }
}
