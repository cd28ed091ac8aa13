/** A browser without a screen, where one is installed. */
import { chromium, type Browser } from "playwright-core";
import { findProgram } from "../../src/judges/judge.js";

const program = ["chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome"]
  .map(findProgram)
  .find((path) => path !== undefined);

/** As `toolTest` wants it. */
export const missingBrowser: readonly string[] = program === undefined ? ["chromium-headless-shell"] : [];

/** Undefined where none is installed. Chromium keeps root from its sandbox. */
export async function startBrowser(): Promise<Browser | undefined> {
  if (program === undefined) return undefined;
  return chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-gpu"] });
}
