/**
 * What a target profile is, as data: version, feature atoms, limits, and the device it was narrowed to, if any. `src/caps`
 * makes profiles; passes and printers hand them on.
 */
import type { TargetDialect } from "../dialects/ids.js";

export interface Limits {
  /** Bytes of workgroup memory every device of the profile has. */
  readonly workgroupMemory: number;
  readonly maxWorkgroupSize: readonly [number, number, number];
  readonly maxWorkgroupInvocations: number;
  /** Fixed by the language: its compiler refuses what is larger, whatever the device. */
  readonly fixed?: boolean;
  /** Bytes of push constants or root constants. */
  readonly pushConstants?: number;
}

export interface Profile {
  readonly id: string;
  readonly dialect: TargetDialect;
  readonly version: number;
  /** A version with what one vendor's devices add, or with what is there for debugging; looked at where it is named. */
  readonly variant?: "nv" | "debug";
  readonly atoms: ReadonlySet<string>;
  readonly limits: Limits;
  readonly device?: DeviceFacts;
  /** Told what is asked of the profile, and the answer. */
  readonly asked?: (atom: string, has: boolean) => void;
}

/** What is known of one device that a profile was narrowed to. */
export interface DeviceFacts {
  readonly name: string;
  /** The profile without the device. */
  readonly whole: Profile;
  /** Why the device does not have an atom of `whole`, as its report says it. */
  readonly lacks: ReadonlyMap<string, string>;
  /** Subgroup widths kernels run at there, narrowest first; absent where the report does not say. */
  readonly subgroupSizes?: readonly number[];
  /** Which of them a kernel can be made to run at. */
  readonly selectable: boolean;
  /** Limits that come from the device and not from the profile. */
  readonly limits: Partial<Limits>;
}
