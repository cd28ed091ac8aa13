/** What suites on devices report. */
import type { DeviceConnection } from "../../src/device/connection.js";
import type { HlslCompiler, KernelLanguage } from "../../src/device/kernel.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

/**
 * `not-here`: the device or the compiler for it lacks something; `refused`: the target does not take the source;
 * `failed`: anything else that kept it from running.
 */
export type State = "equal" | "different" | "not-here" | "failed" | "refused";

/** One per text and launch, or per call of a kernel of many. */
export interface Outcome {
  /** What was run: a fixture and its entry, or a call. */
  readonly name: string;
  readonly from: TwoWayDialect;
  readonly what: "source" | KernelLanguage;
  readonly language: TwoWayDialect;
  readonly state: State;
  /** The op, where it is one call. */
  readonly op?: string;
  /** What was asked to compile HLSL, where it was. */
  readonly compiler?: HlslCompiler;
  readonly code?: string;
  readonly message?: string;
  /** Headline of docs/devices.md: why a difference or failure is none of crosslane's. */
  readonly explained?: string;
}

export interface Suite {
  readonly name: string;
  cases(): readonly string[];
  run(connection: DeviceConnection, name: string): Promise<Outcome[]>;
}

export const show = (o: Outcome): string =>
  `${o.name}: ${o.from}${o.what === "source" ? "" : ` -> ${o.what}`}: ${o.state}${o.message ? `: ${o.message}` : ""}${o.explained ? ` [${o.explained}]` : ""}`;

/** What stands against crosslane: differences and failures nobody can explain. */
export const unexplained = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter((o) => (o.state === "different" || o.state === "failed") && !o.explained);

export function summary(outcomes: readonly Outcome[]): string {
  const count = (state: State): number => outcomes.filter((o) => o.state === state).length;
  const ran = count("equal") + count("different");
  const explained = outcomes.filter((o) => o.explained).length;
  return `ran ${ran}, equal ${count("equal")}, different ${count("different")}, not runnable here ${count("not-here")}, failed ${count("failed")}, refused by the target ${count("refused")}; ${explained} of the different and failed are explained in docs/devices.md`;
}
