import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** Files that take a minute and more. A short file says little about how long it takes, and one that starts last is waited for. */
const long = [
  /\/test\/device\/suites-/,
  /\/test\/cross-lane\/(?:glsl|hlsl|msl|opencl)\.test\.ts$/,
  /\/test\/differential\//,
  /\/test\/simulate\.test\.ts$/,
];

/** Starts the long files first, on a machine that does not know them yet too. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = long.findIndex((pattern) => pattern.test(moduleId));
      return at < 0 ? long.length : at;
    };
    return usual.toSorted((a, b) => rank(a) - rank(b));
  }
}
