import type { DeviceConnection } from "../../src/device/connection.js";
import type { Outcome } from "./suite.mjs";

export interface Suite {
  readonly name: string;
  cases(): readonly string[];
  run(crosslane: object, connection: DeviceConnection, name: string): Promise<Outcome[]>;
}
export const suites: readonly Suite[];
