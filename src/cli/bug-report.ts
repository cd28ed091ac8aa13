import { readFileSync } from "node:fs";
import type { Diagnostic } from "../support/diagnostics.js";

/** A bug of crosslane itself. The stack is for whoever is asked to look at it, and only on request. */
export function bugDiagnostic(error: unknown, about?: string): Diagnostic {
  const message = error instanceof Error ? error.message.split("\n")[0]! : String(error);
  const stack = process.env.CROSSLANE_STACK && error instanceof Error ? error.stack?.split("\n").slice(1) : undefined;
  return {
    severity: "error",
    code: "XL9001",
    message: `crosslane itself failed${about ? ` on ${about}` : ""}: ${message}`,
    notes: [
      { message: `crosslane ${packageVersion()}, Node ${process.versions.node}; nothing was written` },
      ...(stack ?? []).map((line) => ({ message: line.trim() })),
    ],
    help: "this is a bug: please report it with the input, the command line and what CROSSLANE_STACK=1 adds to this message",
  };
}

/** The package is three folders up from dist/src/cli, and two from src/cli. */
export function packageVersion(): string {
  for (const path of ["../../../package.json", "../../package.json"]) {
    try {
      const description = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as {
        name?: string;
        version?: string;
      };
      if (description.name === "crosslane" && description.version) return description.version;
    } catch {
      // Not there: the other place.
    }
  }
  return "unknown";
}
