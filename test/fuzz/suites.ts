import { copiesSuite } from "./copies.js";
import { dataMoves } from "./data-moves.js";
import { doubleForms } from "./double-forms.js";
import { floatEdges, floatEdgesOnDevices, granted } from "./float-edges/suite.js";
import { glslConstants } from "./glsl-constants.js";
import { hostile } from "./hostile.js";
import { hlslAcceptance } from "./hlsl-acceptance.js";
import { hlslChoices } from "./hlsl-choices.js";
import { hlslLiterals } from "./hlsl-literals.js";
import { hlslMinimum } from "./hlsl-minimum.js";
import { hlslOverloads } from "./hlsl-overloads.js";
import { kernelsSuite } from "./kernels/suite.js";
import { literals } from "./literals.js";
import { namesSuite } from "./names.js";
import { integerConstants, integerMeaning } from "./integer-constants.js";
import { integerDevices } from "./integer-devices.js";
import { integerFunctions } from "./integer-functions.js";
import { orderSuite } from "./order.js";
import { pointerCasts, pointers } from "./pointers.js";
import { statements } from "./statements.js";
import { unions } from "./unions.js";
import { wideVectors } from "./wide-vectors.js";
import type { FuzzSuite } from "./suite.js";

/** All suites, a line each. */
export const suites: readonly FuzzSuite[] = [
  copiesSuite,
  dataMoves,
  doubleForms,
  glslConstants,
  hlslAcceptance,
  hlslChoices,
  hlslLiterals,
  hlslMinimum,
  hlslOverloads,
  namesSuite,
  integerConstants,
  integerDevices,
  integerFunctions,
  integerMeaning,
  orderSuite,
  pointers,
  pointerCasts,
  statements,
  unions,
  wideVectors,
  floatEdges,
  granted,
  floatEdgesOnDevices,
  hostile,
  kernelsSuite,
  literals,
];
