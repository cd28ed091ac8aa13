/**
 * The parts of the tests. Every file is in one: `unit` needs Node alone and ends soon, `compilers` puts texts before real
 * compilers, `devices` runs on drivers, `fuzz` is generated, and `meaning` runs kernels in the simulator and reads every
 * tree between passes back.
 */
export const projects: Readonly<Record<string, readonly string[]>> = {
  devices: ["test/device/**/*.test.ts"],
  fuzz: [
    "test/{fuzz,random,mutants}/**/*.test.ts",
    "test/{long-lists,scaling,scaling-natives,small-heap}.test.ts",
    "test/sim/random-flow.test.ts",
  ],
  compilers: [
    "test/{accepted,block-arrays,chosen-pointers,defect-kernels,generic-pointers,emulated,judges,metal-shim,null-pointers,outputs}.test.ts",
    "test/{plain-language,statement-shapes,strict,subgroup-matrices,templates,tricky-programs,wide-vectors}.test.ts",
    "test/{names,oracles}/**/*.test.ts",
    "test/ops/{double-forms,judged,quad-judged}.test.ts",
    "test/passes/{compilers,distinct-copies,small-elements,wave-ids}.test.ts",
    "test/cross-lane/{bare-subgroups,barriers,emulated-texts}.test.ts",
    "test/atomics/matrix.test.ts",
    "test/cli/judge.test.ts",
    "test/maps/line-directives.test.ts",
    "test/bindings/**/*.test.ts",
    "test/api/typescript.test.ts",
    "test/{browser,plugin}/**/*.test.ts",
  ],
  meaning: [
    "test/{simulate,roundtrip}.test.ts",
    "test/{async-copies,bfloat,bool-vectors,bools-in-buffers,c-forms,glsl-blocks,glsl-packs,hlsl-buffers}.test.ts",
    "test/{hlsl-language,layouts,library-overloads,matrices,packed-bytes,pointer-casts,pointer-members}.test.ts",
    "test/{prints,shared-types,unions}.test.ts",
    "test/atomics/**/*.test.ts",
    "test/emitters/{format,names-first}.test.ts",
    "test/sema/{hlsl-literals,literals-and-words}.test.ts",
    "test/ops/{double*,gamma,hlsl-barriers,nan-folds,out-places}.test.ts",
    "test/passes/{contraction,double-exponentials,double-functions,double-inverse-angles,fractions,hlsl-doubles,repeatable-places,subgroup-widths,verify-trees}.test.ts",
    "test/differential/**/*.test.ts",
    "test/cross-lane/**/*.test.ts",
    "test/ops/*meaning.test.ts",
    "test/passes/{emulate-subgroups,tree-text}.test.ts",
    "test/{verify,api,build,cli}/**/*.test.ts",
    "test/sim/**/*.test.ts",
  ],
  unit: ["test/**/*.test.ts"],
};
