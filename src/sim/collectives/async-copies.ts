/** Asynchronous copies and waits for them: what all lanes say alike is taken from the first that comes. */
import { regionBodies } from "../../regions/queries.js";
import type { Region } from "../../regions/tree.js";
import type { Machine } from "../machine.js";
import { active, at, type Operand, type Uniform, type Wait } from "./subgroup.js";

/** The operands as the first active lane has them, after a finding where another has others. */
function agreed(
  m: Machine,
  site: number,
  wait: Wait,
  start: number,
  end: number,
  operands: readonly Operand[],
): number[] {
  let first = start;
  while (first < end && !active(wait, first)) first++;
  return operands.map((o) => {
    if (typeof o === "object") m.sameInAll(site, wait, start, end, o);
    return Number(at(o, Math.min(first, end - 1)));
  });
}

/** Routines of copies that go on by themselves. */
const isOfAsyncCopies = (routine: string): boolean => Object.hasOwn(asyncRoutines, routine);
/** The same of the function that code calls: it has what its routine goes over in front. */
export const callsAsyncCopies = (name: string): boolean => asyncNames.has(name);

/** Something goes on beside a program's own invocations. */
export const copiesAside = (regions: readonly Region[]): boolean =>
  regions.some(
    (r) => (r.kind === "collective" && isOfAsyncCopies(r.collective.routine)) || regionBodies(r).some(copiesAside),
  );

export const asyncRoutines: Readonly<Record<string, Uniform>> = {
  async_copy(m, _kind, site, wait, start, end, ...operands) {
    const [event, to, toStart, toStride, from, fromStart, fromStride, count, bytes] = agreed(
      m,
      site,
      wait,
      start,
      end,
      operands,
    ) as [number, number, number, number, number, number, number, number, number];
    // A count below 0 is a size_t beyond all memory.
    const elements = count < 0 ? 2 ** 32 : count;
    return m.memory.copies.start(
      event,
      { object: to, start: toStart, stride: toStride, bytes, count: elements, writes: true },
      { object: from, start: fromStart, stride: fromStride, bytes, count: elements, writes: false },
      site,
    );
  },
  wait_event(m, _kind, site, wait, start, end, ...operands) {
    const [event] = agreed(m, site, wait, start, end, operands) as [number];
    m.memory.copies.wait(event, site);
    return event;
  },
};

const asyncNames: ReadonlySet<string> = new Set(Object.keys(asyncRoutines).map((name) => `workgroup_${name}`));
