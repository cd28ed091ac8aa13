import type { DeviceConnection } from "../../src/device/connection.js";

export interface Outcome {
  readonly fixture: string;
  readonly from: string;
  readonly what: string;
  readonly state: "equal" | "different" | "not-here" | "failed" | "refused";
  readonly message?: string;
  readonly explained?: string;
}
export function fixtureNames(): string[];
export function runFixture(
  crosslane: object,
  connection: DeviceConnection,
  fixture: string,
): Promise<Outcome[]>;
export function show(outcome: Outcome): string;
export function unexplained(outcomes: readonly Outcome[]): Outcome[];
export function summary(outcomes: readonly Outcome[]): string;
