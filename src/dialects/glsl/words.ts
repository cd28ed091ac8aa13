/** Words of GLSL: 4.60 section 3.6. */
import { keywordMap, plainSigns, plainWords, statements, wordSet, withoutTypeof, type DialectWords } from "../words.js";

export const words: DialectWords = {
  ...withoutTypeof("the type itself"),
  ...plainSigns,
  ...plainWords,
  unicodeNames: false,
  casts: false,
  templates: true,
  keywords: keywordMap(`${statements} discard layout precision spirv_execution_mode`),
  qualifiers:
    wordSet(`const in out inout uniform buffer shared coherent volatile restrict readonly writeonly centroid flat smooth
    noperspective patch invariant precise lowp mediump highp nonuniformEXT subgroupcoherent workgroupcoherent queuefamilycoherent
    devicecoherent nonprivate attribute varying taskPayloadSharedEXT spirv_literal`),
  softQualifiers: wordSet("sample"),
  arithmetic: wordSet(""),
  types: wordSet(`void bool int uint float double float16_t float32_t float64_t bfloat16_t
    int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t sampler samplerShadow atomic_uint
    accelerationStructureEXT rayQueryEXT subpassInput subpassInputMS isubpassInput usubpassInput uint4x8_t`),
  typePattern:
    /^(?:(?:|i|u|b|d|f16|f32|f64|bf16|[iu](?:8|16|32|64))vec[234]|(?:|d|f16|f32|f64)mat[234](?:x[234])?|[iu]?(?:sampler|image|texture)(?:1D|2D|3D|Cube|Buffer|2DRect|1DArray|2DArray|CubeArray|2DMS|2DMSArray)(?:Shadow)?|sampler(?:1D|2D|Cube|1DArray|2DArray|CubeArray|2DRect)Shadow|[iu64]+image(?:1D|2D|3D|Buffer|2DArray))$/,
  typeTemplates: wordSet("coopmat coopvecNV tensorLayoutNV tensorViewNV"),
  functionTemplates: wordSet(""),
  memberTemplates: wordSet(""),
};
