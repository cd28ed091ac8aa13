/**
 * Whether workgroups touch nothing in common that one of them writes: then what a launch leaves does not depend on the order they
 * run in. Byte offsets are sums of multiples of the workgroup's place and of the lane's, with what the launch gives as numbers;
 * whatever is not of that form is taken to meet others.
 */
import { definitions } from "../../emitters/wasm/lane-shapes.js";
import { bytesOf, exprsOf, isBig, visitCode, visitExpr } from "../regions/machine.js";
import { regionBodies, regionExprs } from "../regions/queries.js";
import type { Address, Code, LocalId, MachineExpr, MachineScalar, Program, Region } from "../regions/tree.js";
import { integerRange } from "../types/numeric.js";
import { copiesAside } from "./collectives/async-copies.js";
import { onceEach } from "../support/once.js";
import type { Machine, ThreeSizes } from "./machine.js";

/** What of a launch decides it. */
interface LaunchNumbers {
  readonly size: ThreeSizes;
  readonly workgroups: ThreeSizes;
  readonly offset: ThreeSizes;
  readonly threads: ThreeSizes;
  /** What the launch gives a local. */
  readonly given: (local: LocalId) => number | undefined;
}

interface Access {
  readonly address: Address;
  readonly bytes: number;
}

/** Accesses of the buffers that are written, one list for each; undefined where workgroups may meet whatever the numbers. */
export type WrittenAccesses = readonly (readonly Access[])[] | undefined;

/** Of a program, for all of its launches. */
export const writtenAccesses = onceEach((program: Program): WrittenAccesses => {
  const lists = new Map<number, Access[]>();
  const written = new Set<number>();
  let meets = copiesAside(program.regions);
  const note = (address: Address, bytes: number, writes: boolean): void => {
    if (typeof address.object !== "number") meets = true;
    else if (program.objects[address.object]!.kind === "buffer") {
      if (writes) written.add(address.object);
      const list = lists.get(address.object);
      if (list) list.push({ address, bytes });
      else lists.set(address.object, [{ address, bytes }]);
    }
  };
  const expression = (e: MachineExpr): void =>
    visitExpr(e, (x) => void (x.kind === "load" && note(x.address, bytesOf(x.scalar), false)));
  const code = (list: readonly Code[]): void =>
    visitCode(list, (c) => {
      if (c.kind === "store") note(c.address, bytesOf(c.scalar), true);
      // Of lanes that change an element in turns, the order of workgroups may decide.
      if (c.kind === "atomic" && (typeof c.address.object !== "number" || isBuffer(c.address.object))) meets = true;
      if (c.kind === "print") meets = true;
      exprsOf(c).forEach(expression);
    });
  const isBuffer = (id: number): boolean => program.objects[id]!.kind === "buffer";
  const walk = (list: readonly Region[]): void => {
    for (const r of list) {
      if (r.kind === "lanes" || r.kind === "uniform") code(r.code);
      regionExprs(r).forEach(expression);
      for (const b of regionBodies(r)) walk(b);
    }
  };
  walk(program.regions);
  // Inside functions the place of a lane is what their callers pass.
  for (const h of program.helpers) code(h.body);
  return meets ? undefined : [...written].map((id) => lists.get(id)!);
});

/** A sum of multiples of independent variables, each from 0 to below its count. */
interface Sum {
  readonly constant: number;
  readonly terms: ReadonlyMap<string, number>;
}

class NotASum extends Error {}

class Sums {
  private readonly counts = new Map<string, number>();
  private readonly defined: ReadonlyMap<LocalId, MachineExpr>;

  constructor(
    private readonly program: Program,
    private readonly launch: LaunchNumbers,
  ) {
    this.defined = definitions(program);
    (["x", "y", "z"] as const).forEach((axis, i) => {
      this.counts.set(`group_${axis}`, launch.workgroups[i]!);
      this.counts.set(`local_${axis}`, launch.size[i]!);
    });
  }

  /** No two workgroups have a byte in common. */
  separate(accesses: readonly Access[]): boolean {
    const offsets = accesses.map(({ address: a, bytes }) => {
      const { constant, terms } = this.times(this.of(a.index, true), a.unit);
      return { from: constant + a.offset, to: constant + a.offset + bytes, terms };
    });
    const [first] = offsets;
    const key = (t: ReadonlyMap<string, number>): string => JSON.stringify([...t].filter(([, by]) => by !== 0).sort());
    if (!offsets.every((o) => key(o.terms) === key(first!.terms))) return false;
    let span = Math.max(...offsets.map((o) => o.to)) - Math.min(...offsets.map((o) => o.from));
    const steps = [...this.counts]
      .filter(([, count]) => count > 1)
      .map(([name, count]) => ({ isGroup: name.startsWith("group"), by: Math.abs(first!.terms.get(name) ?? 0), count }))
      .sort((a, b) => a.by - b.by);
    // From the first place of a workgroup on, each step goes beyond all that the smaller ones reach.
    let amongGroups = false;
    for (const { isGroup, by, count } of steps) {
      if (by === 0 && !isGroup) continue;
      amongGroups ||= isGroup;
      if (amongGroups && by < span) return false;
      span += by * (count - 1);
    }
    return true;
  }

  private range({ constant, terms }: Sum): readonly [number, number] {
    let [low, high] = [constant, constant];
    for (const [name, by] of terms) {
      const most = by * (this.counts.get(name)! - 1);
      if (most < 0) low += most;
      else high += most;
    }
    return [low, high];
  }

  /** Numbers wrap where they leave their kind. */
  private fits(sum: Sum, kind: MachineScalar): Sum {
    const [low, high] = this.range(sum);
    const { min, max } = kind === "index" || isBig(kind) ? { min: -(2 ** 52), max: 2 ** 52 } : integerRange(kind);
    if (low < min || high > max || (kind[0] === "u" && low < 0)) throw new NotASum();
    return sum;
  }

  private times({ constant, terms }: Sum, by: number): Sum {
    return { constant: constant * by, terms: new Map([...terms].map(([name, c]) => [name, c * by])) };
  }

  private plus(a: Sum, b: Sum): Sum {
    const terms = new Map(a.terms);
    for (const [name, c] of b.terms) terms.set(name, (terms.get(name) ?? 0) + c);
    return { constant: a.constant + b.constant, terms };
  }

  /** `ofLane`: what it says of a lane is of the lane whose access it is. */
  private of(e: MachineExpr, ofLane: boolean): Sum {
    switch (e.kind) {
      case "constant":
        return number(Number(e.value));
      case "local": {
        const given = this.launch.given(e.local);
        if (given !== undefined) return number(given);
        const value = this.defined.get(e.local);
        if (!value) throw new NotASum();
        const { storage } = this.program.locals.get(e.local)!;
        return this.of(value, ofLane && storage !== "workgroup" && storage !== "subgroup");
      }
      case "builtin":
        return this.builtin(e, ofLane);
      case "checked":
        return this.of(e.address.index, ofLane);
      case "conversion":
        if (e.mode || e.from[0] === "f" || e.scalar[0] === "f" || e.scalar === "bool") throw new NotASum();
        return this.fits(this.of(e.operand, ofLane), e.scalar);
      case "operation":
        return this.fits(this.operation(e, ofLane), e.scalar);
      default:
        throw new NotASum();
    }
  }

  private operation(e: MachineExpr & { kind: "operation" }, ofLane: boolean): Sum {
    if (e.scalar[0] === "f" || e.scalar === "bool") throw new NotASum();
    const operand = (i: number): Sum => this.of(e.arguments[i]!, ofLane);
    switch (e.op) {
      case "add":
        return this.plus(operand(0), operand(1));
      case "sub":
        return this.plus(operand(0), this.times(operand(1), -1));
      case "mul": {
        const [a, b] = [operand(0), operand(1)];
        if (b.terms.size === 0) return this.times(a, b.constant);
        if (a.terms.size === 0) return this.times(b, a.constant);
        throw new NotASum();
      }
      case "shl": {
        const by = operand(1);
        if (by.terms.size > 0 || by.constant > 31) throw new NotASum();
        return this.times(operand(0), 2 ** by.constant);
      }
      case "within":
      case "unless_open":
        return operand(0);
      default:
        throw new NotASum();
    }
  }

  private builtin({ builtin, component }: MachineExpr & { kind: "builtin" }, ofLane: boolean): Sum {
    const { size, workgroups, offset, threads } = this.launch;
    const axis = (["x", "y", "z"] as const)[component];
    const local = (at: 0 | 1 | 2, by = 1): Sum => {
      if (!ofLane && size[at] > 1) throw new NotASum();
      return { constant: 0, terms: new Map(size[at] > 1 ? [[`local_${"xyz"[at]}`, by]] : []) };
    };
    const group: Sum = { constant: 0, terms: new Map(workgroups[component] > 1 ? [[`group_${axis}`, 1]] : []) };
    switch (builtin) {
      case "workgroup_id":
        return group;
      case "local_id":
        return local(component);
      case "global_id":
        return this.plus(number(offset[component]), this.plus(this.times(group, size[component]), local(component)));
      case "local_index":
        return this.plus(local(0), this.plus(local(1, size[0]), local(2, size[0] * size[1])));
      case "workgroup_size":
      case "enqueued_workgroup_size":
        return number(size[component]);
      case "num_workgroups":
        return number(workgroups[component]);
      case "global_size":
        return number(threads[component]);
      case "global_offset":
        return number(offset[component]);
      default:
        throw new NotASum();
    }
  }
}

const number = (constant: number): Sum => ({ constant, terms: new Map() });

function numbersOf(program: Program, { size, grid: { workgroups, offset, threads }, values }: Machine): LaunchNumbers {
  const given = new Map<LocalId, number>();
  program.values.forEach((v, i) => v.locals?.forEach((l, at) => given.set(l, Number(values[i]![at]))));
  return { size, workgroups, offset, threads, given: (l) => given.get(l) };
}

/** Of the launch of a machine for whole workgroups. */
export function groupsAreSeparate(program: Program, written: WrittenAccesses, m: Machine): boolean {
  if (!written) return false;
  const sums = new Sums(program, numbersOf(program, m));
  try {
    return written.every((accesses) => sums.separate(accesses));
  } catch (e) {
    if (e instanceof NotASum) return false;
    throw e;
  }
}
