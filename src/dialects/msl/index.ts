/** MSL: specification 1 to 5 (C++14). */
import { cFamily } from "../shared.js";
import type { Language } from "../language.js";
import { macros } from "./macros.js";
import { reserved } from "./reserved.js";
import { words } from "./words.js";

export const msl: Language = {
  facts: {
    ...cFamily,
    name: "MSL",
    matrixOperators: "linear",
    flatLists: false,
    distinctEnumerations: false,
    vectorConditions: "componentwise",
    builtins: "parameters",
    extension: "metal",
    relations: "bool",
    characters: "i8",
    enumerators: "typed",
    arithmetic: {
      signedOverflow: "undefined",
      shiftCount: "undefined",
      signedShiftLeft: "undefined",
      negativeRemainder: "truncates",
      unsignedDivisionByZero: "undefined",
    },
    conversions: {
      promotes: "small integers",
      scalars: "any",
      vectors: "never",
      shapes: "fixed",
      splats: "everywhere",
      common: "usual conversions",
      ranksScalars: false,
    },
    subgroupSize: { cannot: "MSL cannot ask for it" },
    versions: "msl",
    scalars: { i64: "msl>=2.2", f64: "msl.no_double" },
  },
  words,
  reserved,
  reading: {
    systemHeaders:
      /^(?:metal_(?:stdlib|types|common|math|integer|relational|geometric|matrix|compute|graphics|atomic|simdgroup|simdgroup_matrix|texture|pack|array|uniform|quadgroup|command_buffer|raytracing|tessellation|limits|extended_vector|packed_vector|imageblocks|function_groups|visible_function_table|interpolate|mesh|numeric|type_traits|logging|config|assert)|simd\/\w+\.h|TargetConditionals\.h)$/,
    macros,
    nullNames: ["nullptr", "NULL"],
    floatSuffixes: new Map([
      ["", "f32"],
      ["f", "f32"],
      ["h", "f16"],
    ]),
  },
};
