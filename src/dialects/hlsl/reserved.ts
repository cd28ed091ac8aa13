/** Names that are taken in HLSL: see `reserved-names.ts`. */
import { c, c11, type Reserved } from "../reserved-names.js";
import { wordSet } from "../words.js";

/** DXC calls its own, whatever the program declares, or finds the call ambiguous. */
const intrinsics =
  wordSet(`abort abs acos all and any asdouble asfloat asfloat16 asin asint asint16 asuint asuint16 atan atan2 ceil clamp
  clip cos cosh countbits cross ddx ddx_coarse ddx_fine ddy ddy_coarse ddy_fine degrees determinant distance dot dot2add
  dot4add_i8packed dot4add_u8packed dst errorf exp exp2 f16tof32 f32tof16 faceforward firstbithigh firstbitlow floor fma fmod frac
  frexp fwidth isfinite isinf isnan isnormal ldexp length lerp lit log log10 log2 mad max min modf msad4 mul noise normalize or
  pack_clamp_s8 pack_clamp_u8 pack_s8 pack_u8 pow printf radians rcp reflect refract reversebits round rsqrt saturate select sign sin
  sincos sinh smoothstep source_mark sqrt step tan tanh tex1D tex1Dbias tex1Dgrad tex1Dlod tex1Dproj tex2D tex2Dbias tex2Dgrad
  tex2Dlod tex2Dproj tex3D tex3Dbias tex3Dgrad tex3Dlod tex3Dproj texCUBE texCUBEbias texCUBEgrad texCUBElod texCUBEproj transpose
  trunc unpack_s8s16 unpack_s8s32 unpack_u8u16 unpack_u8u32 AddUint64 AcceptHitAndEndSearch AllMemoryBarrier
  AllMemoryBarrierWithGroupSync AllocateRayQuery Barrier CallShader CheckAccessFullyMapped CreateResourceFromHeap D3DCOLORtoUBYTE4
  DeviceMemoryBarrier DeviceMemoryBarrierWithGroupSync DispatchMesh DispatchRaysDimensions DispatchRaysIndex
  EvaluateAttributeAtSample EvaluateAttributeCentroid EvaluateAttributeSnapped GeometryIndex GetAttributeAtVertex
  GetRemainingRecursionLevels GetRenderTargetSampleCount GetRenderTargetSamplePosition GroupMemoryBarrier
  GroupMemoryBarrierWithGroupSync HitKind IgnoreHit InstanceID InstanceIndex InterlockedAdd InterlockedAnd InterlockedCompareExchange
  InterlockedCompareExchangeFloatBitwise InterlockedCompareStore InterlockedCompareStoreFloatBitwise InterlockedExchange
  InterlockedMax InterlockedMin InterlockedOr InterlockedXor IsHelperLane NonUniformResourceIndex ObjectRayDirection ObjectRayOrigin
  ObjectToWorld ObjectToWorld3x4 ObjectToWorld4x3 PrimitiveIndex Process2DQuadTessFactorsAvg Process2DQuadTessFactorsMax
  Process2DQuadTessFactorsMin ProcessIsolineTessFactors ProcessQuadTessFactorsAvg ProcessQuadTessFactorsMax ProcessQuadTessFactorsMin
  ProcessTriTessFactorsAvg ProcessTriTessFactorsMax ProcessTriTessFactorsMin QuadAll QuadAny QuadReadAcrossDiagonal QuadReadAcrossX
  QuadReadAcrossY QuadReadLaneAt RayFlags RayTCurrent RayTMin ReportHit SetMeshOutputCounts TraceRay TriangleObjectPositions
  WaveActiveAllEqual WaveActiveAllTrue WaveActiveAnyTrue WaveActiveBallot WaveActiveBitAnd WaveActiveBitOr WaveActiveBitXor
  WaveActiveCountBits WaveActiveMax WaveActiveMin WaveActiveProduct WaveActiveSum WaveGetLaneCount WaveGetLaneIndex WaveIsFirstLane
  WaveMatch WaveMultiPrefixBitAnd WaveMultiPrefixBitOr WaveMultiPrefixBitXor WaveMultiPrefixCountBits WaveMultiPrefixProduct
  WaveMultiPrefixSum WavePrefixCountBits WavePrefixProduct WavePrefixSum WaveReadLaneAt WaveReadLaneFirst WorldRayDirection
  WorldRayOrigin WorldToObject WorldToObject3x4 WorldToObject4x3`);

/** Qualifiers of other stages: DXC takes them for names where a type stands before them. */
const contextual = wordSet("center indices payload primitives vertices precise globallycoherent reordercoherent");

const table: Reserved = {
  entry: "main",
  words: new Set([
    ...wordSet(c),
    ...wordSet(c11),
    ...wordSet(`__asm __attribute __declspec __extension__ __inline __int128 __restrict asm asm_fragment catch class compile compile_fragment const_cast delete discard dynamic_cast explicit export friend fxgroup
      interface mutable namespace new operator packoffset pass pixelfragment private protected public register reinterpret_cast
      sizeof stateblock stateblock_state static_cast string technique technique10 technique11 template this throw try typeid typename
      using vertexfragment virtual wchar_t NULL point line lineadj linear triangle triangleadj centroid shared sample texture
      AppendStructuredBuffer BlendState CompileShader ComputeShader DepthStencilState DepthStencilView DomainShader GeometryShader
      HullShader Hullshader PixelShader RenderTargetView VertexShader`),
  ]),
  form: /^__/,
  memberForm: /^__(?:[A-Z]\w*|\w+__|hlsl_\w+)$/,
  declared:
    wordSet(`std dx vk ALL_MEMORY UAV_MEMORY GROUP_SHARED_MEMORY NODE_INPUT_MEMORY NODE_OUTPUT_MEMORY GROUP_SYNC GROUP_SCOPE
    DEVICE_SCOPE CANDIDATE_PROCEDURAL_PRIMITIVE CANDIDATE_NON_OPAQUE_TRIANGLE COMMITTED_NOTHING COMMITTED_TRIANGLE_HIT
    COMMITTED_PROCEDURAL_PRIMITIVE_HIT ResourceDescriptorHeap SamplerDescriptorHeap RWTexture2DMS RWTexture2DMSArray`),
  declaredForm:
    /^(?:RAY_FLAG|RAYQUERY_FLAG|HIT_KIND|SAMPLER_FEEDBACK|STATE_OBJECT)_\w+$|^(?:RasterizerOrdered\w+|(?:RW)?(?:Dispatch|Group|Thread|Empty)?Node(?:Input|Output)\w*|(?:RW)?(?:Dispatch|Group|Thread)Node(?:Input|Output)Records?)$/,
  clashes: new Set(["variable", "buffer", "enumerator", "function", "entry", "type"]),
  more: {
    function: intrinsics,
    type: contextual,
    block: contextual,
    enumerator: contextual,
    macro: wordSet("SV_DispatchThreadID numthreads"),
  },
};

export const reserved = (): Reserved => table;
