/** Names of GLSL 4.60 and the extensions of compute that a program may take, or that are reserved by their form alone. */
import { anyOf } from "../reserved-names.js";
import { wordSet } from "../words.js";

export const builtins = {
  // GL_KHR_cooperative_matrix, GL_NV_cooperative_vector, GL_EXT_ray_query and their kind.
  names: wordSet(`coopMatLoad coopMatStore coopMatMulAdd coopMatLoadTensorNV coopMatStoreTensorNV coopMatReduceNV
    coopMatPerElementNV coopMatTransposeNV coopVecLoadNV coopVecStoreNV coopVecMatMulNV coopVecMatMulAddNV
    coopVecOuterProductAccumulateNV coopVecReduceSumAccumulateNV createTensorLayoutNV setTensorLayoutDimensionNV
    setTensorLayoutStrideNV setTensorLayoutBlockSizeNV setTensorLayoutClampValueNV sliceTensorLayoutNV createTensorViewNV
    setTensorViewDimensionsNV setTensorViewStrideNV setTensorViewClipNV fcoopmatNV icoopmatNV ucoopmatNV
    saturatedConvertEXT bitcastExpandEXT bitcastContractEXT tensorReadARM tensorWriteARM tensorSizeARM unpackHalf4x16
        helperInvocationEXT`),
  form: anyOf(
    "rayQuery\\w*EXT",
    "gl_(?:Max|Min)[A-Z]\\w*",
    "gl_(?:Scope|Semantics|StorageSemantics|MatrixUse|CooperativeMatrix\\w*|CooperativeVector\\w*|RayFlags|RayQuery\\w*)\\w*",
    "gl_(?:DeviceIndex|SMCountNV|WarpsPerSMNV|WarpIDNV|SMIDNV|WarpMaxIDARM|CoreIDARM|CoreCountARM|CoreMaxIDARM|WarpIDARM)",
    "gl_Subgroup\\w+",
  ),
};
