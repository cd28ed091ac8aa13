/** Math functions on floats and (where the dialects have them) integers: docs/semantics/data.md sections 10 and 11. */
import { angleRows } from "../angles.js";
import { openDomainRows } from "../domains.js";
import type { OpRow } from "../row.js";
import { arithmeticRows } from "./arithmetic.js";
import { floatPartRows } from "./float-parts.js";
import { floatTestRows } from "./float-tests.js";
import { inverseAngleRows } from "./inverse-angles.js";
import { minMaxRows } from "./min-max.js";
import { powerRows } from "./powers.js";
import { preciseRows } from "./precise.js";
import { unaryRows } from "./unary.js";

export const mathRows: readonly OpRow[] = [
  ...unaryRows,
  ...angleRows,
  ...openDomainRows,
  ...arithmeticRows,
  ...minMaxRows,
  ...inverseAngleRows,
  ...powerRows,
  ...preciseRows,
  ...floatPartRows,
  ...floatTestRows,
];
