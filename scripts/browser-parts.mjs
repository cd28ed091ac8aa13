/**
 * What pages load only when a kernel or a target needs it (src/support/deferred.ts): parts by name, each with the modules through which
 * the rest enters it; what only those import comes with them. From outside, only functions and classes of such a module can be had.
 * test/browser/browser.test.ts holds what a translation loads by this list.
 */
export const parts = {
  // The passes and printers of texts: TypeScript has few passes and a printer of its own.
  texts: ["src/passes/pipelines/texts.ts", "src/api/print-legal.ts"],
  "print-msl": ["emitters/msl/printer.ts"],
  "print-glsl": ["emitters/glsl/printer.ts"],
  "print-opencl": ["emitters/opencl/printer.ts"],
  "print-hlsl": ["emitters/hlsl/printer.ts"],
  // Kernels run by WebAssembly, but for what it leaves to printed code.
  "print-typescript": ["emitters/typescript/module.ts", "emitters/typescript/printer.ts"],
  // What is of one source language.
  "read-msl": ["src/sema/readers/msl-votes.ts"],
  "read-glsl": [
    "src/sema/readers/glsl-blocks.ts",
    "src/sema/readers/glsl-calls.ts",
    "src/sema/readers/glsl-execution-modes.ts",
  ],
  "read-opencl": ["src/sema/readers/opencl-calls.ts"],
  "intel-subgroups": ["src/sema/readers/opencl-intel.ts"],
  "read-hlsl": [
    "src/sema/readers/hlsl-calls.ts",
    "src/sema/readers/hlsl-counters.ts",
    "src/sema/readers/hlsl-interface.ts",
    "src/sema/readers/hlsl-objects.ts",
    "src/sema/readers/hlsl-status.ts",
  ],
  // What a language's texts may not be called by.
  "reserved-msl": ["src/dialects/msl/reserved.ts"],
  "reserved-glsl": ["src/dialects/glsl/reserved.ts"],
  "reserved-opencl": ["src/dialects/opencl/reserved.ts"],
  "reserved-hlsl": ["src/dialects/hlsl/reserved.ts"],
  // What few kernels have.
  lowerings: [
    "src/passes/lowerings/index.ts",
    "src/passes/lowerings/atomics.ts",
    "src/passes/lowerings/bitcasts.ts",
    "src/passes/lowerings/half.ts",
  ],
  lanes: [
    "src/passes/lowerings/broadcast-loops.ts",
    "src/passes/lowerings/clustered.ts",
    "src/passes/lowerings/partitioned.ts",
    "src/passes/lowerings/quad.ts",
    "src/passes/lowerings/subgroup.ts",
  ],
  formulas: [
    "src/passes/lowerings/angles.ts",
    "src/passes/lowerings/domains.ts",
    "src/passes/lowerings/formulas.ts",
    "src/passes/lowerings/out-results.ts",
    "src/passes/lowerings/remainders.ts",
  ],
  summaries: ["src/ops/summary.ts"],
  doubles: [
    "src/passes/lowerings/double-angles.ts",
    "src/passes/lowerings/double-exponentials.ts",
    "src/passes/lowerings/double-gamma.ts",
    "src/passes/lowerings/double-hyperbolics.ts",
    "src/passes/lowerings/double-inverse-angles.ts",
    "src/passes/lowerings/double-powers.ts",
    "src/passes/lowerings/gamma.ts",
  ],
  emulation: ["src/passes/emulate/memory-ops.ts", "src/passes/emulate/predicate.ts"],
  pointers: [
    "src/passes/pointers/function-lowering.ts",
    "src/passes/pointers/pointer-uses.ts",
    "src/passes/pointers/objects-in-scope.ts",
    "src/sema/object-pointers.ts",
    "src/sema/split-pointer-members.ts",
  ],
  words: [
    "src/passes/memory/union-words.ts",
    "src/passes/memory/word-memory.ts",
    "src/passes/memory/word-parts.ts",
    "src/passes/memory/words-of-buffers.ts",
    "src/passes/select/words-in-a-row.ts",
  ],
  "float-order": ["src/passes/analysis/cancelling-sums.ts", "src/passes/values/ordered-sums.ts"],
  "long-vectors": ["src/passes/values/structs-of-parts.ts", "src/passes/values/vector-division.ts"],
  matrices: ["src/passes/values/matrix-arithmetic.ts", "src/passes/values/structs-of-columns.ts"],
  bfloats: ["src/passes/values/bfloat-bits.ts"],
  bools: ["src/sema/bools-as-integers.ts"],
  sizes: ["src/sema/size-values.ts"],
  templates: [
    "src/sema/templates/bind.ts",
    "src/sema/templates/declare.ts",
    "src/sema/templates/deduce.ts",
    "src/sema/templates/function-templates.ts",
    "src/sema/templates/partial-order.ts",
    "src/sema/templates/struct-templates.ts",
  ],
  methods: ["src/sema/methods.ts", "src/sema/method-calls.ts"],
  lambdas: ["src/sema/lambdas.ts"],
  calls: ["src/sema/first-call.ts", "src/sema/inline-calls.ts"],
  "constant-calls": ["src/ast/constant-functions.ts"],
  lists: ["src/sema/initializer-lists.ts", "src/sema/flat-lists.ts"],
  jumps: ["src/sema/entered-blocks.ts", "src/sema/jumps.ts", "src/sema/switch-statement.ts"],
  prints: ["src/passes/select/print-calls.ts", "src/sema/prints.ts"],
  "block-arrays": ["src/sema/block-choice.ts"],
  conditions: ["src/frontend/condition.ts"],
  "syntax-errors": ["src/frontend/syntax-errors.ts", "src/frontend/read-apart.ts"],
  maps: ["src/maps/line-directives.ts", "src/maps/source-map.ts"],
  "number-functions": ["emitters/wasm/number-module.ts"],
  devices: ["src/caps/narrow.ts", "src/caps/device-report.ts"],
};

/** What all parts are loaded after: it is in one chunk, however many parts share it. */
export const core = ["src/api/compile.ts", "src/passes/index.ts"];
