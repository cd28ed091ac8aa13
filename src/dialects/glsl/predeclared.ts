/** Words of GL_KHR_memory_scope_semantics. */
import { word, type PredeclaredWords, type Word } from "../predeclared-words.js";

const glslWords: ReadonlyMap<string, Word> = new Map([
  ["gl_ScopeDevice", word(1)],
  ["gl_ScopeWorkgroup", word(2)],
  ["gl_ScopeSubgroup", word(3)],
  ["gl_ScopeInvocation", word(4)],
  ["gl_ScopeQueueFamily", word(5)],
  ["gl_SemanticsRelaxed", word(0)],
  ["gl_SemanticsAcquire", word(2)],
  ["gl_SemanticsRelease", word(4)],
  ["gl_SemanticsAcquireRelease", word(8)],
  ["gl_SemanticsMakeAvailable", word(0x2000)],
  ["gl_SemanticsMakeVisible", word(0x4000)],
  ["gl_SemanticsVolatile", word(0x8000)],
  ["gl_StorageSemanticsNone", word(0)],
  ["gl_StorageSemanticsBuffer", word(0x40)],
  ["gl_StorageSemanticsShared", word(0x100)],
  ["gl_StorageSemanticsImage", word(0x800)],
  ["gl_StorageSemanticsOutput", word(0x1000)],
]);

export const predeclared: PredeclaredWords = { words: glslWords };
