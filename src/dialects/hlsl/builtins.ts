/** Names of HLSL up to shader model 6.9 that a program may take, or that are reserved by their form alone. */
import { anyOf } from "../reserved-names.js";
import { wordSet } from "../words.js";

export const builtins = {
  names: wordSet(`GetGroupWaveIndex GetGroupWaveCount  WaveMatrixLeft WaveMatrixRight
    WaveMatrixLeftColAcc WaveMatrixRightRowAcc WaveMatrixAccumulator
    HitObject MaybeReorderThread    
    `),
  form: anyOf("__builtin_\\w+", "dot4add_\\w+", "RasterizerOrdered\\w+"),
};
