/** Words of HLSL: the reference, and DXC. */
import { cppWords, keywordMap, plainSigns, plainWords, wordSet, withoutTypeof, type DialectWords } from "../words.js";

export const words: DialectWords = {
  ...withoutTypeof("decltype(x)"),
  ...plainSigns,
  ...plainWords,
  unicodeNames: true,
  casts: true,
  templates: true,
  keywords: keywordMap(`${cppWords} discard cbuffer tbuffer interface`, { _Static_assert: "static_assert" }),
  qualifiers: wordSet(`const static uniform extern volatile precise groupshared in out inout row_major column_major
    nointerpolation noperspective globallycoherent inline unorm snorm noinline reordercoherent`),
  softQualifiers: wordSet(
    "linear centroid sample shared export point line triangle lineadj triangleadj primitive vertices indices payload",
  ),
  arithmetic: wordSet("unsigned int"),
  types: wordSet(`void bool int uint dword float half double auto min16float min10float min16int min12int min16uint
    float16_t float32_t float64_t int16_t uint16_t int32_t uint32_t int64_t uint64_t int8_t4_packed uint8_t4_packed
    vector matrix string ByteAddressBuffer RWByteAddressBuffer RasterizerOrderedByteAddressBuffer
    SamplerState SamplerComparisonState sampler sampler1D sampler2D sampler3D samplerCUBE
    Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS Texture3D TextureCube TextureCubeArray
    Buffer RaytracingAccelerationStructure RayDesc BuiltInTriangleIntersectionAttributes`),
  typePattern:
    /^(?:bool|int|uint|dword|float|half|double|min16float|min10float|min16int|min12int|min16uint|(?:float|u?int)(?:16|32|64)_t)[1234](?:x[1234])?$/,
  typeTemplates:
    wordSet(`vector matrix StructuredBuffer RWStructuredBuffer AppendStructuredBuffer ConsumeStructuredBuffer Buffer
    RWBuffer ConstantBuffer TextureBuffer Texture1D Texture1DArray Texture2D Texture2DArray Texture2DMS Texture2DMSArray Texture3D
    TextureCube TextureCubeArray RWTexture1D RWTexture1DArray RWTexture2D RWTexture2DArray RWTexture3D RasterizerOrderedBuffer
    RasterizerOrderedStructuredBuffer RasterizerOrderedTexture1D RasterizerOrderedTexture2D RasterizerOrderedTexture3D
    FeedbackTexture2D FeedbackTexture2DArray RayQuery InputPatch OutputPatch PointStream LineStream TriangleStream
    DispatchNodeInputRecord NodeOutput`),
  functionTemplates: wordSet("reinterpret_cast static_cast"),
  memberTemplates: wordSet("Load Store"),
};
