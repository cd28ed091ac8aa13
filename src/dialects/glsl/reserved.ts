/** Names that are taken in GLSL: see `reserved-names.ts`. */
import { anyOf, type Reserved } from "../reserved-names.js";
import { wordSet } from "../words.js";

const table: Reserved = {
  entry: "main",
  words:
    wordSet(`asm class enum extern false goto inline long namespace public short sizeof static template this true typedef union
    unsigned using interface active cast common external filter fixed fvec2 fvec3 fvec4 half hvec2 hvec3 hvec4 input noinline output
    partition pervertexEXT pervertexNV resource sample sampler3DRect shadercallcoherent subroutine superp isubpassInputMS
    usubpassInputMS _Pragma main VULKAN samplerExternalOES fcoopmatNV icoopmatNV ucoopmatNV`),
  // GLSL 4.60 3.6 to 3.8; glslang 12 knows image and texture types of 16 and 64 bits as types alone.
  form: /^gl_|^GL_|__/,
  declared:
    wordSet(`radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2 log2 sqrt inversesqrt abs
    sign floor trunc round roundEven ceil fract mod modf min max clamp mix step smoothstep isnan isinf floatBitsToInt floatBitsToUint
    intBitsToFloat uintBitsToFloat fma frexp ldexp length distance dot cross normalize faceforward reflect refract matrixCompMult
    outerProduct transpose determinant inverse lessThan lessThanEqual greaterThan greaterThanEqual equal notEqual any all not
    uaddCarry usubBorrow umulExtended imulExtended bitfieldExtract bitfieldInsert bitfieldReverse bitCount findLSB findMSB barrier
    memoryBarrier groupMemoryBarrier memoryBarrierBuffer memoryBarrierShared memoryBarrierImage memoryBarrierAtomicCounter
    controlBarrier texture dFdx dFdy fwidth EmitVertex EndPrimitive noise1 noise2 noise3 noise4 ftransform debugPrintfEXT
    subpassLoad interpolateAtCentroid clockARB clock2x32ARB clockRealtimeEXT clockRealtime2x32EXT readInvocationARB
    readFirstInvocationARB ballotARB anyInvocation allInvocations allInvocationsEqual dotEXT dotPacked4x8EXT demote
    mid3 min3 max3 time fmin3 fmid3 fmax3 textureDirectedShadow absoluteDifference addSaturate subtractSaturate average
    averageRounded multiply32x16 countLeadingZeros countTrailingZeros packSnorm packUnorm`),
  // Known to glslang whether or not their extension is asked for.
  declaredForm: anyOf(
    "subgroup(?:Barrier|MemoryBarrier(?:Buffer|Shared|Image)?|Elect|All|Any|AllEqual|Broadcast(?:First)?|(?:Inverse)?Ballot|Ballot(?:BitExtract|BitCount|InclusiveBitCount|ExclusiveBitCount|FindLSB|FindMSB)|Shuffle(?:Xor|Up|Down)?|(?:Inclusive|Exclusive|Clustered|Partitioned|PartitionedInclusive|PartitionedExclusive)?(?:Add|Mul|Min|Max|And|Or|Xor)(?:NV)?|(?:Clustered)?Rotate|Quad(?:Broadcast|Swap(?:Horizontal|Vertical|Diagonal)|All|Any)|PartitionNV)",
    "atomic(?:Add|And|Or|Xor|Min|Max|Exchange|CompSwap|Load|Store|Counter\\w*)",
    "image(?:Load|Store|Size|Samples|Atomic[A-Z]\\w*)",
    "texture[A-Z]\\w*",
    "texelFetch\\w*",
    "(?:un)?pack(?:8|16|32|64|(?:Half|Float)2x16|Double2x32|U?[Ii]nt2x(?:16|32)|[US]norm(?:2x16|4x8))",
    "interpolateAt\\w+",
    "(?:u?int(?:8|16|64)?|float16|half|double)BitsTo(?:Float|Half|Double|U?[Ii]nt)(?:16|64)?",
    "float16BitsToU?[Ii]nt16",
    "u?int16BitsToFloat16",
    "bfloat16BitsToU?[Ii]ntEXT",
    "u?intBitsToBFloat16EXT",
  ),
  clashes: new Set(["function", "entry", "block", "type"]),
  // A struct has no `.length`, as everything with a dot is asked for its method.
  more: {
    member: wordSet("length"),
    type: new Set(
      ["f16image", "f16texture", "f16sampler", "i64image", "u64image"]
        .flatMap((t) =>
          "1D 2D 3D 1DArray 2DArray 2DMS 2DMSArray 2DRect Buffer Cube CubeArray 1DArrayShadow 1DShadow 2DArrayShadow 2DRectShadow 2DShadow CubeArrayShadow CubeShadow"
            .split(" ")
            .map((x) => t + x),
        )
        .concat("f16subpassInput", "f16subpassInputMS"),
    ),
  },
};

export const reserved = (): Reserved => table;
