import { existsSync, readFileSync } from "node:fs";
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

/**
 * The path of a file of the package; undefined where it is not there. The package is three folders up from dist/src/cli, and two from
 * src/cli and from the command's bundle.
 */
export function fileOfPackage(name: string): URL | undefined {
  for (const up of ["../../../", "../../"]) {
    try {
      const description = JSON.parse(readFileSync(new URL(`${up}package.json`, import.meta.url), "utf8")) as {
        name?: string;
      };
      const file = new URL(`${up}${name}`, import.meta.url);
      if (description.name === "crosslane" && existsSync(file)) return file;
    } catch {
      // Not there: the other place.
    }
  }
  return undefined;
}

export function packageVersion(): string {
  const description = fileOfPackage("package.json");
  if (description === undefined) return "unknown";
  return (JSON.parse(readFileSync(description, "utf8")) as { version?: string }).version ?? "unknown";
}
