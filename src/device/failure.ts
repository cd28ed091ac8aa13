/** What goes wrong with a device, as plain data: it crosses from the process that talks to the driver to the one that reports. */
import type { Code } from "../support/codes.js";
import { kindOf } from "../support/problem-kinds.js";

/** A line of a compiler's log that names a line of the kernel. */
export interface LogLine {
  readonly severity: "error" | "warning";
  /** From 1. */
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}

export interface Failure {
  readonly code: Code;
  readonly message: string;
  readonly help?: string;
  readonly log?: readonly LogLine[];
  /** What the driver or compiler printed besides. */
  readonly notes?: readonly string[];
}

export class DeviceError extends Error {
  readonly failure: Failure;

  constructor(code: Code, message: string, more: Omit<Failure, "code" | "message"> = {}) {
    super(message);
    this.name = "DeviceError";
    this.failure = { code, message, ...more };
  }

  static of(failure: Failure): DeviceError {
    const { code, message, ...more } = failure;
    return new DeviceError(code, message, more);
  }
}

/** It says that the kernel cannot run here, not that anything is wrong with it. */
export const isNotRunnable = (failure: Failure): boolean => kindOf(failure.code) === "not-runnable";
