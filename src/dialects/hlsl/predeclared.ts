/** Words of HLSL's Barrier(): shader model 6.8. */
import { word, type PredeclaredWords, type Word } from "../predeclared-words.js";

const hlslWords: ReadonlyMap<string, Word> = new Map([
  ["UAV_MEMORY", word(1)],
  ["GROUP_SHARED_MEMORY", word(2)],
  ["NODE_INPUT_MEMORY", word(4)],
  ["NODE_OUTPUT_MEMORY", word(8)],
  ["ALL_MEMORY", word(15)],
  ["GROUP_SYNC", word(1)],
  ["GROUP_SCOPE", word(2)],
  ["DEVICE_SCOPE", word(4)],
]);

export const predeclared: PredeclaredWords = { words: hlslWords };
