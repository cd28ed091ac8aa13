/** Loads and stores of four lanes at a time: elements that follow each other, lie evenly, or anywhere. */
import { bytesOf, visitExpr } from "../../src/regions/machine.js";
import type { Address, Checked, MachineExpr, MachineScalar, MemoryLoad } from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";
import { i32, i64, v128 } from "./bytes.js";
import { halfFunction, halvesFromBits, type HalfVector } from "./half-vectors.js";
import { groupLanes, sameExpr, withoutConstant } from "./lane-shapes.js";
import { neverNegative } from "./lane-values.js";
import type { Noted } from "./race-screen.js";
import { compareOps, isNarrow, lanesOfGroup, type Pointer } from "./vector-lanes.js";
import { VectorRecords } from "./vector-records.js";

/** A call costs the keeping of all vectors besides; places beyond so many are calls. */
const mostHalvesWritten = 64;

/** Opcodes that load or store one lane, by its bytes. */
const laneLoad: Readonly<Record<number, number>> = { 1: 84, 2: 85, 4: 86 };
const laneStore: Readonly<Record<number, number>> = { 1: 88, 2: 89, 4: 90 };

export abstract class VectorMemory extends VectorRecords {
  /** Leaves four lanes of an expression held in 32 bits; bools as masks. */
  abstract vector(e: MachineExpr): void;

  /** The operation has no vector form. */
  protected abstract isByLane(e: MachineExpr): boolean;

  /** Bytes from a lane's element to the next lane's; undefined where they do not lie evenly. */
  protected evenBytes(a: Address): number | undefined {
    if (typeof a.object !== "number" || this.module.object(a.object).kind === "private") return undefined;
    const s = this.g.shapes.stride(a.index);
    return s === undefined ? undefined : s * a.unit;
  }

  /** Of an access whose lanes' elements lie evenly, with what is looked at once for a run of lanes; undefined for others. */
  protected evenPlace(a: Address, scalar: ScalarKind): EvenPlace | undefined {
    const { object, unit } = a;
    if (typeof object !== "number" || scalar === "bf16" || !isNarrow(scalar)) return undefined;
    if (this.module.object(object).kind === "private") return undefined;
    const checked = checkedPart(a.index);
    if (checked && (checked !== a.index || checked.address.object !== object || checked.address.unit !== unit))
      return undefined;
    const stride = this.g.shapes.strideInRun(a.index);
    if (stride === undefined || stride <= 0 || mayFind(a.index)) return undefined;
    const index = this.g.shapes.inlined(a.index);
    if (!index) return undefined;
    const at = a.offset;
    const [first, end] = [at, at + bytesOf(scalar)];
    if (!checked) return { object, unit, index, stride, at, first, end };
    const { offset } = checked.address;
    return {
      ...{ object, unit, index, stride, at },
      first: Math.min(first, offset),
      end: Math.max(end, offset + checked.bytes),
    };
  }

  /** Of an index that is checked by itself. */
  protected evenCheck({ address, bytes }: Checked): EvenPlace | undefined {
    const { object, unit, offset } = address;
    const stride = this.g.shapes.strideInRun(address.index);
    if (typeof object !== "number" || stride === undefined || stride <= 0 || mayFind(address.index)) return undefined;
    if (this.module.object(object).kind === "private") return undefined;
    const index = this.g.shapes.inlined(address.index);
    return index && { object, unit, index, stride, at: offset, first: offset, end: offset + bytes };
  }

  /** The check of an index cannot fail in a run, for which it was looked at. */
  protected isInside(e: Checked): boolean {
    const own = this.evenCheck(e);
    if (!own) return false;
    return [own, fromNeighbour(own)].some((place) => {
      const p = place && this.samePointer(place);
      return place !== undefined && p?.always === true && covers(p, place);
    });
  }

  protected samePointer(p: EvenPlace): Pointer | undefined {
    return this.g.pointers.find(
      (q) => q.object === p.object && q.unit === p.unit && q.stride === p.stride && sameExpr(q.index, p.index),
    );
  }

  /** The pointer that reaches an access, and where from it the access lies. */
  protected pointerOf(a: Address, scalar: ScalarKind): { readonly pointer: Pointer; readonly at: number } | undefined {
    const place = this.evenPlace(a, scalar);
    if (!place) return undefined;
    const own = this.samePointer(place);
    if (own && covers(own, place)) return { pointer: own, at: place.at };
    const from = fromNeighbour(place);
    const pointer = from && this.samePointer(from);
    return from && pointer?.always && covers(pointer, from) ? { pointer, at: from.at } : undefined;
  }

  /** Runs `through` with the pointer that reaches an access, `otherwise` where there is none or it is not inside. */
  private byPointer(
    a: Address,
    scalar: ScalarKind,
    through: (p: Pointer, at: number) => void,
    otherwise: () => void,
  ): void {
    const found = this.pointerOf(a, scalar);
    if (!found) return otherwise();
    const { pointer, at } = found;
    if (pointer.always) return through(pointer, at);
    this.code.get(pointer.inside);
    this.ifElse(() => through(pointer, at), otherwise);
  }

  /** Leaves four consecutive elements as 32 bits each; `at` leaves the address of the first and gives what is to be added. */
  private loadConsecutive(a: Address | undefined, scalar: ScalarKind, at: () => number): void {
    const { code } = this;
    const size = bytesOf(scalar);
    if (a) this.noteApart("read", a, size, size, at);
    const offset = at();
    if (size === 4) code.simdMemory(0, offset);
    else if (size === 2) code.simdMemory(scalar === "i16" ? 3 : 4, offset);
    else if (scalar === "i8") code.simdMemory(92, offset).simd(135).simd(167);
    else code.simdMemory(92, offset).simd(137).simd(169);
    this.heldFromStored(scalar);
  }

  private heldFromStored(scalar: ScalarKind): void {
    const { code } = this;
    if (scalar === "f16") this.halves(halvesFromBits);
    if (scalar === "bool") code.v128([0, 0, 0, 0]).simd(56);
  }

  /** Notes the elements of the lanes that take part; `at` as for `loadConsecutive`. */
  protected noteApart(how: Noted, a: Address, size: number, apart: number, at: () => number): void {
    if (!this.screened(a.object)) return;
    const { code, g } = this;
    const first = this.newLocal(i32);
    const offset = at();
    code.set(first);
    if (apart === size && this.noteConsecutive(how, a.object, size, first, offset, g.lane, g.mask)) return;
    this.eachPart((part) => this.noteAccess(how, a.object, size, first, offset + part * apart, g.lanes[part]!));
  }

  /** As `loadConsecutive`, of elements that lie `apart` bytes from each other. */
  private loadApart(a: Address, scalar: ScalarKind, apart: number, at: () => number): void {
    const { code } = this;
    const size = bytesOf(scalar);
    this.noteApart("read", a, size, apart, at);
    const value = this.newLocal(v128);
    code.v128([0, 0, 0, 0]).set(value);
    for (const part of lanesOfGroup) {
      const offset = at() + part * apart;
      code
        .get(value)
        .simdMemory(laneLoad[size]!, offset)
        .op((part * 4) / size)
        .set(value);
    }
    code.get(value);
    if (scalar === "i8" || scalar === "i16") this.normaliseVector(scalar);
    this.heldFromStored(scalar);
  }

  private storeApart(a: Address, scalar: ScalarKind, apart: number, value: number, at: () => number): void {
    const size = bytesOf(scalar);
    this.noteApart("write", a, size, apart, at);
    this.eachPart((part) => {
      const offset = at() + part * apart;
      this.code
        .get(value)
        .simdMemory(laneStore[size]!, offset)
        .op((part * 4) / size);
    });
  }

  /** An index without its check, where it is a 32-bit number that has a vector form. */
  protected narrowIndex(a: Address): MachineExpr | undefined {
    if (typeof a.object !== "number") return undefined;
    const checked = a.index.kind === "checked" ? a.index : undefined;
    if (checked && checked.address.object !== a.object) return undefined;
    const index = checked ? checked.address.index : a.index;
    if (index.kind !== "conversion" || index.scalar !== "index" || index.mode || index.site !== undefined)
      return undefined;
    const { from, operand } = index;
    if (from !== "i32" && from !== "u32") return undefined;
    return operand.kind === "load" || !this.isByLane(operand) ? operand : undefined;
  }

  /**
   * The indices of four lanes as 32-bit numbers, once it is sure that all lanes that take part are inside; undefined where they
   * are not computed in 32 bits.
   */
  private vectorIndices(a: Address): number | undefined {
    if (typeof a.object !== "number") return undefined;
    const narrow = this.narrowIndex(a);
    if (!narrow) return undefined;
    const checked = a.index.kind === "checked" ? a.index : undefined;
    const { code } = this;
    const found = this.newLocal(v128);
    this.vector(narrow);
    code.set(found);
    if (!checked) return found;
    const { unit, offset } = checked.address;
    const limit = this.module.limit(a.object, unit, offset + checked.bytes);
    code.get(found);
    // No object has 2^31 units: what is below zero is beyond.
    code
      .get(this.globalLocal({ kind: "limit", limit }, i64))
      .op(0xa7)
      .simd(17)
      .simd(compareOps.u["ge"]!);
    if (offset < 0) {
      const low = Math.ceil(-offset / unit);
      code.get(found).v128([low, low, low, low]).simd(compareOps.u["lt"]!).simd(80);
    }
    this.unfitWhere();
    return found;
  }

  /** Leaves the address of a lane's element by the vector of indices. */
  private addressOfPart(a: Address, indices: number, part: number): void {
    const { code } = this;
    code.get(indices).simd(27).op(part).i32(a.unit).op(0x6c);
    code.get(this.base(a.object as number)).op(0x6a);
    if (this.module.object(a.object as number).kind === "private")
      code
        .get(this.g.lanes[part]!)
        .i32(this.laneStride(a.object as number))
        .op(0x6c, 0x6a);
    if (a.offset !== 0) code.i32(a.offset).op(0x6a);
  }

  /** Indices that may follow each other in most groups although they do not always: those kept inside by min and max. */
  private mayFollow(e: MachineExpr): boolean {
    if (this.g.shapes.isUniform(e)) return false;
    const { shapes } = this.g;
    if (e.kind === "local") {
      const value = shapes.valueOf(e.local);
      return value !== undefined && this.mayFollow(value);
    }
    if (e.kind === "conversion" && !e.mode) return this.mayFollow(e.operand);
    if (e.kind !== "operation") return shapes.stride(e) === 1;
    const one = (list: readonly MachineExpr[]): boolean =>
      list.every((x) => shapes.isUniform(x) || this.mayFollow(x)) &&
      list.filter((x) => !shapes.isUniform(x)).length === 1;
    if (["min", "max", "add", "sub"].includes(e.op)) return shapes.stride(e) === 1 || one(e.arguments);
    return shapes.stride(e) === 1;
  }

  /** Loads by indices of their own; undefined (and nothing) where they are not computed in 32 bits. */
  private loadByIndices(e: MemoryLoad, scalar: ScalarKind): number | undefined {
    const a = e.address;
    const { code, g } = this;
    if (bytesOf(scalar) > 4 || a.unit % bytesOf(scalar) !== 0 || a.offset % bytesOf(scalar) !== 0) return undefined;
    const indices = this.vectorIndices(a);
    if (indices === undefined) return undefined;
    const value = this.newLocal(v128);
    this.eachPart((part) => {
      if (!this.screened(a.object)) return;
      this.addressOfPart(a, indices, part);
      const size = bytesOf(scalar);
      this.noteAddress(
        "read",
        a.object,
        size,
        0,
        this.inSeveralLanes(e, this.scopeOf(part)) ? "several" : g.lanes[part]!,
      );
      code.op(0x1a);
    });
    const apart = (): void => {
      code.v128([0, 0, 0, 0]).set(value);
      this.eachPart((part) => {
        this.addressOfPart(a, indices, part);
        code
          .get(value)
          .simdMemory(laneLoad[bytesOf(scalar)]!, 0)
          .op((part * 4) / bytesOf(scalar))
          .set(value);
      });
      code.get(value);
      if (scalar === "i8" || scalar === "i16") this.normaliseVector(scalar);
      this.heldFromStored(scalar);
      code.set(value);
    };
    const index = a.index.kind === "checked" ? a.index.address.index : a.index;
    const isShared = this.module.object(a.object as number).kind !== "private";
    if (g.mask === undefined && isShared && a.unit === bytesOf(scalar) && this.mayFollow(index)) {
      code.get(indices).get(indices).simd(27).op(0).simd(17).v128(lanesOfGroup).simd(174).simd(55).simd(163);
      this.ifElse(() => {
        this.loadConsecutive(undefined, scalar, () => {
          this.addressOfPart(a, indices, 0);
          return 0;
        });
        code.set(value);
      }, apart);
    } else apart();
    return value;
  }

  /**
   * The address of the first lane's element of an even access whose lanes follow each other, in a local, once it is sure that all
   * lanes that take part are inside; `otherwise` is run where lanes that take none would not be.
   */
  protected contiguous(a: Address, scalar: ScalarKind, inside: (at: number) => void, otherwise: () => void): void {
    const { code, g } = this;
    const checked = checkedPart(a.index);
    const at = this.newLocal(i32);
    const index = this.newLocal(i64);
    const more = a.offset;
    const stride = g.shapes.stride(a.index)!;
    const address = (): void => {
      code
        .get(index)
        .op(0xa7)
        .i32(a.unit)
        .op(0x6c)
        .get(this.base(a.object as number))
        .op(0x6a);
      if (more !== 0) code.i32(more).op(0x6a);
      code.set(at);
    };
    const given = checked ? uncheckedIndex(a.index, checked) : a.index;
    const plain = this.isUnsetElsewhere(given) ? g.shapes.inlined(given)! : given;
    this.expr(plain, this.scopeOf(0));
    code.set(index);
    // What is fit for the first and the last lane is for those between.
    if (mayFind(plain)) {
      this.expr(plain, this.scopeOf(groupLanes - 1));
      code.op(0x1a);
    }
    // Without a check of its own the index is known to be inside for lanes that take part.
    const reach = checked ? checked.address.offset + checked.bytes : a.offset + bytesOf(scalar);
    const limit = this.module.limit(a.object as number, checked ? checked.address.unit : a.unit, reach);
    const end = this.globalLocal({ kind: "limit", limit }, i64);
    const low = checked && checked.address.offset < 0 ? Math.ceil(-checked.address.offset / checked.address.unit) : 0;
    code
      .get(index)
      .i64((groupLanes - 1) * stride)
      .op(0x7c)
      .get(end)
      .op(0x53);
    if (low !== 0 || !neverNegative(plain)) code.get(index).i64(low).op(0x59, 0x71);
    this.ifElse(() => {
      address();
      inside(at);
    }, otherwise);
  }

  protected isContiguous(a: Address, scalar: ScalarKind): boolean {
    if (this.evenBytes(a) !== bytesOf(scalar) || a.offset % bytesOf(scalar) !== 0) return false;
    // A lane that takes no part must not be looked at.
    if (this.g.mask !== undefined && mayFind(a.index)) return false;
    const checked = checkedPart(a.index);
    // The check is of the same index, or there is none.
    if (checked !== undefined && (checked !== a.index || checked.address.object !== a.object)) return false;
    const plain = checked ? uncheckedIndex(a.index, checked) : a.index;
    return !this.isUnsetElsewhere(plain) || this.g.shapes.inlined(plain) !== undefined;
  }

  /** A number made of locals that are set for lanes that take part only: the first lane's says nothing of the others. */
  private isUnsetElsewhere(e: MachineExpr): boolean {
    if (this.g.mask === undefined) return false;
    let unset = false;
    visitExpr(e, (x) => {
      if (x.kind !== "local" || this.g.shapes.isUniformLocal(x.local)) return;
      const held = this.g.held.get(x.local);
      unset ||= held?.kind === "lanes" || this.module.local(x.local).storage === "slot";
    });
    return unset;
  }

  /** The same place in each lane's copy of a private object: they lie a copy apart. */
  protected isSamePlace(a: Address, scalar: ScalarKind): boolean {
    const { object, unit, offset, index } = a;
    if (typeof object !== "number" || scalar === "bf16" || !isNarrow(scalar)) return false;
    const size = bytesOf(scalar);
    if (this.module.object(object).kind !== "private" || !this.g.shapes.isUniform(index)) return false;
    return index.kind === "constant"
      ? (Number(index.value) * unit + offset) % size === 0
      : unit % size === 0 && offset % size === 0;
  }

  /** The address of the first lane's element, in a local, and what is to be added to it. */
  private samePlace(a: Address, scalar: ScalarKind): () => number {
    const { code } = this;
    const at = this.newLocal(i32);
    const more = this.address(a, scalar, this.groupScope)!;
    code.set(at);
    return () => {
      code.get(at);
      return more;
    };
  }

  protected vectorLoad(e: MemoryLoad, scalar: ScalarKind = e.scalar, to: MachineScalar = scalar): void {
    const { code } = this;
    const a = e.address;
    const lanes = (): void => this.gathered(to, (part) => this.load(e, this.scopeOf(part), scalar));
    const value = this.newLocal(v128);
    const other = (): void => {
      if (this.isSamePlace(a, scalar)) {
        this.loadApart(a, scalar, this.laneStride(a.object as number), this.samePlace(a, scalar));
        code.set(value);
        return;
      }
      if (scalar === "bf16" || !this.isContiguous(a, scalar)) {
        const found = scalar === "bf16" ? undefined : this.loadByIndices(e, scalar);
        if (found === undefined) lanes();
        else code.get(found);
        code.set(value);
        return;
      }
      this.contiguous(
        a,
        scalar,
        (at) => {
          this.loadConsecutive(a, scalar, () => {
            code.get(at);
            return 0;
          });
          code.set(value);
        },
        () => {
          lanes();
          code.set(value);
        },
      );
    };
    this.byPointer(
      a,
      scalar,
      (p, from) => {
        const apart = p.stride * p.unit;
        const at = (): number => this.addressBy(p, from);
        if (apart === bytesOf(scalar)) this.loadConsecutive(a, scalar, at);
        else if (scalar === "f16" && this.halfFromRecords(p, from))
          this.noteApart("read", a, bytesOf(scalar), apart, at);
        else if (this.loadFromRecords(p, scalar, from)) {
          this.noteApart("read", a, bytesOf(scalar), apart, at);
          this.heldFromStored(scalar);
        } else this.loadApart(a, scalar, apart, at);
        code.set(value);
      },
      other,
    );
    code.get(value);
    if (to !== scalar) this.normaliseVector(to);
  }

  /** Stores four lanes of what `value` leaves in a local; `byLane` where they do not lie evenly or are not all inside. */
  protected storeEvenly(a: Address, scalar: ScalarKind, value: () => number, byLane: () => void): void {
    const { code } = this;
    this.byPointer(
      a,
      scalar,
      (p, place) => {
        const apart = p.stride * p.unit;
        const from = value();
        if (apart !== bytesOf(scalar)) return this.storeApart(a, scalar, apart, from, () => this.addressBy(p, place));
        const at = this.newLocal(i32);
        code.get(p.address).i32(place).op(0x6a).set(at);
        this.noteStored(a, scalar, at);
        this.storeVector(at, scalar, from);
      },
      () => {
        if (this.isSamePlace(a, scalar)) {
          const from = value();
          return this.storeApart(a, scalar, this.laneStride(a.object as number), from, this.samePlace(a, scalar));
        }
        if (!this.isContiguous(a, scalar)) return byLane();
        this.contiguous(
          a,
          scalar,
          (at) => {
            this.noteStored(a, scalar, at);
            this.storeVector(at, scalar, value());
          },
          byLane,
        );
      },
    );
  }

  private noteStored(a: Address, scalar: ScalarKind, at: number): void {
    this.noteApart("write", a, bytesOf(scalar), bytesOf(scalar), () => {
      this.code.get(at);
      return 0;
    });
  }

  /** Stores four lanes of a local to consecutive elements. */
  protected storeVector(at: number, scalar: ScalarKind, value: number): void {
    const { code, g } = this;
    const size = bytesOf(scalar);
    if (size === 4) {
      code.get(at).get(value);
      if (g.mask !== undefined) code.get(at).simdMemory(0, 0).get(g.mask).simd(82);
      code.simdMemory(11, 0);
      return;
    }
    if (g.mask !== undefined) {
      this.eachPart((part) =>
        code
          .get(at)
          .get(value)
          .simd(27)
          .op(part)
          .memory(size === 2 ? 0x3b : 0x3a, size * part),
      );
      return;
    }
    const picked = size === 2 ? [0, 1, 4, 5, 8, 9, 12, 13] : [0, 4, 8, 12];
    code.get(at).get(value).get(value).simd(13);
    for (let i = 0; i < 16; i++) code.op(picked[i] ?? 0);
    code.simdMemory(size === 2 ? 91 : 90, 0).op(0);
  }

  /** In place of the vector on the stack, what is made of it: written out, but for kernels that do much of it. */
  protected halves(h: HalfVector): void {
    const { code, module } = this;
    if (++module.halvesWritten > mostHalvesWritten) {
      code.call(module.ownFunction(h.name, () => halfFunction(h)));
      return;
    }
    const x = this.newLocal(v128);
    code.set(x);
    h.write(
      code,
      x,
      Array.from({ length: h.temporaries }, () => this.newLocal(v128)),
    );
  }
}

/** An access whose lanes' elements lie evenly: where it lies from the index, and which bytes have to be inside. */
export type EvenPlace = Pick<Pointer, "object" | "unit" | "index" | "stride" | "first" | "end"> & {
  readonly at: number;
};

const covers = (p: Pointer, place: EvenPlace): boolean => place.first >= p.first && place.end <= p.end;

/** Elements farther from each other have bounds of their own. */
const nearBytes = 64;

/** The same access from the element that its index adds a constant to, or takes one from. */
export function fromNeighbour(place: EvenPlace): EvenPlace | undefined {
  const { index, more } = withoutConstant(place.index);
  const bytes = more * place.unit;
  if (bytes === 0 || Math.abs(bytes) > nearBytes) return undefined;
  const { at, first, end } = place;
  return { ...place, index, at: at + bytes, first: first + bytes, end: end + bytes };
}

/** The check an index has, where it is one or has one inside. */
function checkedPart(e: MachineExpr): Checked | undefined {
  let found: Checked | undefined;
  visitExpr(e, (x) => {
    if (x.kind === "checked") found ??= x;
  });
  return found;
}

/** The arithmetic of an index can have a finding of its own. */
export function mayFind(e: MachineExpr): boolean {
  let found = false;
  visitExpr(e, (x) => {
    if ((x.kind === "operation" || x.kind === "conversion") && x.site !== undefined) found = true;
  });
  return found;
}

const uncheckedIndex = (e: MachineExpr, checked: Checked): MachineExpr => (e === checked ? checked.address.index : e);
