/** What languages of a family have in common. */
import type { DeclarationFacts, EvaluationOrder, ExpressionFacts } from "./language.js";

const inAnyOrder: EvaluationOrder = {
  operands: "open",
  arguments: "open",
  argumentsRead: "in turn",
  assignment: "open",
  indices: "open",
  placesOnce: true,
};

/** MSL and OpenCL C. */
export const cFamily = {
  pointers: true,
  byteAddressBuffers: false,
  arrays: "decay",
  openEnds: true,
  shortLists: true,
  openLiterals: false,
  order: inAnyOrder,
  continuesLines: { blanks: true, trigraph: true },
  resources: "parameters",
  looseUniforms: false,
  statesSizes: false,
  wholeWorkgroups: false,
  subgroupBarrier: "all",
  memory: "natural",
  buffers: "natural",
} as const;

/** GLSL and HLSL. */
export const shadingFamily = {
  pointers: false,
  enumerators: "typed",
  byteAddressBuffers: false,
  arrays: "values",
  openEnds: false,
  discardedObjects: "read",
  shortLists: false,
  relations: "bool",
  continuesLines: { blanks: false, trigraph: false },
  resources: "file scope",
  statesSizes: true,
  wholeWorkgroups: true,
  subgroupBarrier: "active",
  memory: "structured",
} as const;

/** Declarations of shading languages. */
export const shadingDeclarations = {
  references: false,
  deducesTypes: undefined,
  lambdas: false,
  classes: "nothing",
  namesReachInitializers: true,
  directInitializers: false,
  defaultArguments: false,
  rangeFor: false,
  pointerSpaces: "inferred",
  tags: false,
  overloads: true,
  constantLocals: "none",
} as const satisfies Partial<DeclarationFacts>;

/** Expressions as most languages have them. */
export const plainExpressions: ExpressionFacts = {
  components: ["xyzw", "rgba"],
  numberedComponents: false,
  scalarComponents: false,
  matrixElements: false,
  constructors: true,
  constantsOfParts: true,
  constructorsTakeParts: false,
  storedOnly: new Set(),
  structConstructors: false,
  vectorLiterals: false,
  assignsLists: false,
  vectorCasts: true,
  conversionFunctions: false,
  elidedBraces: true,
  bitsOfBools: true,
  floatRemainder: false,
  shifts: "each its own",
  bestOverload: "each argument",
  libraryOverloads: "hidden",
  constMethodsOnly: true,
};
