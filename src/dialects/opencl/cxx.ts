/**
 * C++ for OpenCL 1.0 and 2021: C++17 with the library, the kernels and the memory of OpenCL C. Sources: "The C++ for OpenCL 1.0 and
 * 2021 Programming Language Documentation" (Khronos), and clang-19, which compiles it. It is read, and OpenCL C is written.
 */
import { signWords } from "../../support/sign-words.js";
import type { ReadLanguage } from "../language.js";
import { asm, cpp20Words, cppRefused, cppWords, gnu, keywordMap, withoutTypeof, wordSet } from "../words.js";
import { opencl } from "./index.js";

const { facts, words, reading } = opencl;
const { superset: _, ...plainReading } = reading;

/** What C has and C++ has not, or has as something else. */
const ofC = wordSet("auto restrict _Bool __auto_type");
const without = (all: ReadonlySet<string>): string[] => [...all].filter((word) => !ofC.has(word));

export const openclCxx: ReadLanguage = {
  facts: {
    ...facts,
    name: "C++ for OpenCL",
    prefersSpecial: true,
    enumerations: "promoted",
    relations: "bool of scalars",
    discardedObjects: "read if volatile",
    characters: "i8",
    enumerators: "typed",
    conversions: { ...facts.conversions, choices: "kept", voidPointers: "to" },
  },
  words: {
    ...words,
    // `restrict` is a name like others.
    spellings: new Map([
      ...[...words.spellings].filter(([, word]) => word !== "restrict"),
      ["__restrict__", "__restrict"] as const,
    ]),
    ...withoutTypeof("decltype(x)", ["__typeof__", "__typeof"]),
    signs: signWords,
    digitSeparators: true,
    userLiterals: true,
    rawStrings: true,
    templates: true,
    keywords: keywordMap(`${cppWords} ${cppRefused} vec_step`, {
      ...gnu,
      ...asm,
      _Static_assert: "static_assert",
      __alignof__: "alignof",
      __alignof: "alignof",
      __typeof__: "typeof",
      __typeof: "typeof",
    }),
    qualifiers: new Set([
      ...without(words.qualifiers),
      ...wordSet("__restrict constexpr mutable explicit virtual noexcept override final thread_local"),
    ]),
    softQualifiers: wordSet("pipe consteval constinit"),
    softKeywords: cpp20Words,
    types: new Set([...without(words.types), "auto"]),
    functionTemplates: wordSet("static_cast reinterpret_cast const_cast dynamic_cast addrspace_cast"),
  },
  reserved: opencl.reserved,
  reading: {
    ...plainReading,
    macros: {
      ...Object.fromEntries(Object.entries(reading.macros).filter(([name]) => name !== "__OPENCL_C_VERSION__")),
      __cplusplus: "201703L",
      __OPENCL_CPP_VERSION__: "202100",
      __CL_CPP_VERSION_1_0__: "100",
      __CL_CPP_VERSION_2021__: "202100",
    },
    nullNames: ["nullptr", "NULL"],
    truthInConditions: true,
    declarations: {
      ...reading.declarations,
      unreturnedValues: false,
      references: true,
      deducesTypes: "auto",
      deducesClassArguments: true,
      lambdas: true,
      classes: "with constructors",
      keepsValues: true,
      rangeFor: true,
      tags: false,
      overloads: true,
      directInitializers: true,
      defaultArguments: true,
      headsShareScope: true,
      labelledDeclarations: true,
      namespaceForms: true,
      jumpsOverInitializers: "never",
    },
    expressions: {
      ...reading.expressions,
      constructors: "of one value",
      assignsLists: true,
      assignsValueFirst: true,
    },
  },
};
