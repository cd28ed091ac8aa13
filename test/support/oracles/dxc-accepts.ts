import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askDxcPastFaults } from "../judges/dxc.js";
import { inScratchFolder } from "../../../src/judges/run-program.js";
import type { FoldCase } from "./dxc-fold.js";

/**
 * Whether DXC takes a text, asked by the hundred: functions that nothing calls are checked like others, so that many cases
 * share a compilation, and the line of each error tells the case. What only the making of code refuses (`[unroll]`, endless
 * loops) is not seen.
 */
export interface AcceptCase extends Pick<FoldCase, "hlslVersion" | "args"> {
  /** Text at file scope; cases that share it share a compilation. */
  readonly shared?: string;
  /** Functions of the case's own, whose names are nobody else's. */
  readonly text: string;
}

/** "taken", what DXC says, or that it ends with a fault on it. */
export type Acceptance = "taken" | "fault" | { readonly refused: string };

const largestUnit = 24;

export async function acceptedByDxc(cases: readonly AcceptCase[]): Promise<Acceptance[]> {
  const results = new Array<Acceptance>(cases.length);
  const groups = new Map<string, number[]>();
  cases.forEach((c, i) => {
    const key = JSON.stringify([c.shared, c.hlslVersion, c.args]);
    groups.set(key, [...(groups.get(key) ?? []), i]);
  });
  let open = [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / largestUnit) }, (_, n) =>
      group.slice(n * largestUnit, (n + 1) * largestUnit),
    ),
  );
  while (open.length > 0) {
    const next: number[][] = [];
    const answers = await ask(open.map((unit) => unit.map((i) => cases[i]!)));
    open.forEach((unit, u) => {
      const answer = answers[u]!;
      if (answer === "ok") return unit.forEach((i) => (results[i] = "taken"));
      const told = answer === "fault" ? new Map<number, string>() : answer;
      // DXC stops at twenty errors, and after a fault: those it has not spoken of are asked again.
      told.forEach((said, at) => (results[unit[at]!] = { refused: said }));
      const rest = unit.filter((_, at) => !told.has(at));
      if (told.size === 0 && unit.length === 1) return void (results[unit[0]!] = "fault");
      const half = told.size === 0 ? Math.ceil(rest.length / 2) : rest.length;
      for (let at = 0; at < rest.length; at += half) next.push(rest.slice(at, at + half));
    });
    open = next;
  }
  return results;
}

type UnitAnswer = "ok" | "fault" | ReadonlyMap<number, string>;

async function ask(units: readonly (readonly AcceptCase[])[]): Promise<UnitAnswer[]> {
  return inScratchFolder(async (folder) => {
    const requests = units.map((unit, u) => {
      const [{ shared = "", hlslVersion, args = [] }] = unit as readonly [AcceptCase];
      const path = join(folder, `${u}.hlsl`);
      const head = `${shared}\n[numthreads(1, 1, 1)] void accept_main() {}\n`;
      writeFileSync(path, head + unit.map((c) => `${c.text}\n`).join(""));
      const version = hlslVersion === undefined ? [] : ["-HV", hlslVersion];
      return {
        profile: "cs_6_6",
        entry: "accept_main",
        path,
        args: ["-Vd", ...version, ...args],
        output: join(folder, String(u)),
        head,
      };
    });
    const said = await askDxcPastFaults(requests);
    return said.map((answer, n): UnitAnswer =>
      answer === "ok" || answer === "fault" ? answer : errorsOf(requests[n]!, units[n]!),
    );
  });
}

/** The first error of each case. */
function errorsOf(
  request: { readonly output: string; readonly head: string },
  unit: readonly AcceptCase[],
): UnitAnswer {
  const log = readFileSync(`${request.output}.log`, "utf8");
  const first = request.head.split("\n").length;
  const ends: number[] = [];
  for (const c of unit) ends.push((ends.at(-1) ?? first) + c.text.split("\n").length);
  const told = new Map<number, string>();
  for (const [, line, said] of log.matchAll(/hlsl\.hlsl:(\d+):\d+: error: ([^\n\r]*)/g)) {
    const at = ends.findIndex((end) => Number(line) < end);
    if (Number(line) < first) throw new Error(`DXC refuses what the cases share: ${log}`);
    if (at >= 0 && !told.has(at)) told.set(at, said!);
  }
  return told.size > 0 ? told : "fault";
}
