/**
 * Values of more components than the target's vectors have become vectors of four, operation by operation (docs/design/wide-vectors.md).
 * What is left of the long ones are variables, members, arguments and results, read and written as a whole or four components at
 * a time, and values put together of fours: `wide-structs` then makes structs of them.
 */
import type { TextPass } from "../pass.js";
import { hasLongVectors } from "./vector-parts.js";
import { Divider } from "./vector-division.js";

export const divideVectors: TextPass = {
  name: "divide-vectors",
  run(module, context) {
    return hasLongVectors(module, context.target) ? new Divider(module, context).run() : module;
  },
};
