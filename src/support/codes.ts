/**
 * Every diagnostic code: the sentence `crosslane explain` starts from, and what to do about it. The thousands digit is the
 * stage (what code asks of a code is in problem-kinds.ts). Codes are never used again. docs/diagnostics.md is written from here (`UPDATE_DOCS=1 npx vitest run
 * test/diagnostics.test.ts`).
 */

/** By the thousands digit. */
export const codeStages = [
  "the preprocessor: directives, macros, includes",
  "syntax: the text does not read",
  "names and types",
  "capability: the target or its profile cannot do it",
  "lowering: the kernel does not fit the target as it is",
  "findings of the simulator while the kernel ran",
  "launch files and verification",
  "devices",
  "command line and files",
  "a bug of crosslane itself",
] as const;

export interface Explanation {
  readonly what: string;
  readonly then: string;
}

export const codes = {
  XL0001: {
    what: "a preprocessor directive is malformed or unknown",
    then: "look at the line: directives start with # and a word the dialect knows",
  },
  XL0002: {
    what: "a macro is defined or redefined wrongly",
    then: "a macro is a name, and its parameters are names, each once; #undef it before it is defined otherwise",
  },
  XL0003: {
    what: "a macro is used with arguments it does not take",
    then: "give as many arguments as the macro has parameters; a variadic macro takes more",
  },
  XL0004: {
    what: "the condition of #if cannot be computed",
    then: "a condition is made of whole numbers, defined(), and operators; names that are no macros are 0 (an error in GLSL)",
  },
  XL0005: {
    what: "#if, #else and #endif do not match",
    then: "each #if has one #endif, and #else comes last",
  },
  XL0006: {
    what: "an included file is not found",
    then: "files are looked for beside the including file and in the folders of -I, and nowhere else; headers of the language itself are built in",
  },
  XL0007: {
    what: "the source asks for an error with #error",
    then: "define what the source asks for with -D, or change the source",
  },
  XL0008: {
    what: "the source asks for a warning with #warning",
    then: "nothing has to be done",
  },
  XL0009: {
    what: "a comment is never closed",
    then: "close the comment with */",
  },
  XL0010: {
    what: "the file is not text, or is empty",
    then: "save the file as UTF-8",
  },
  XL0011: {
    what: "the source is larger or more deeply nested than crosslane takes",
    then: "sources have at most 4 MB with their includes, each counted once, less where Node has less memory than 800 MB, includes 200 levels, and conditionals 256",
  },
  XL0012: {
    what: "the expansion of macros does not end within the limits",
    then: "look for a macro that expands to ever more of others",
  },
  XL0013: {
    what: "a token continues across a line continuation",
    then: "join the two lines",
  },
  XL0014: {
    what: "the compilers of the dialect take the next line into the comment",
    then: "end the comment in something else than a backslash and blanks, or `??/`",
  },
  XL0015: {
    what: "a comment that is to suppress messages names no code, or one that does not exist",
    then: "write `crosslane-suppress XL6015: reason` behind the code or above it, `crosslane-suppress-file XL6015` for the whole file; errors cannot be suppressed",
  },
  XL0016: {
    what: "a file has bytes that are no text in UTF-8",
    then: "name its encoding with --encoding, or save it as UTF-8; comments keep what can be read of them, and U+FFFD stands for the rest",
  },
  XL1001: {
    what: "the text does not follow the grammar of its dialect",
    then: "the place is where reading stopped; the fault may lie just before it. Of a file in another dialect, say which with --from",
  },
  XL1002: {
    what: "a character belongs to no token of the language",
    then: "remove the character",
  },
  XL1003: {
    what: "a number is malformed",
    then: "see the dialect for the suffixes and digits it has",
  },
  XL1004: {
    what: "a quote is not closed",
    then: "close the quote on the same line",
  },
  XL1005: {
    what: "brackets do not match",
    then: "the message names both brackets",
  },
  XL1006: {
    what: "brackets, statements, expressions or calls are nested too deeply",
    then: "nesting is taken to a depth of 256, and calls of functions within functions to 512",
  },
  XL1007: {
    what: "the text is read as another language than the one its dialect is named after",
    then: "nothing has to be done; --cl-std clc++2021 or a file named .clcpp says it, and --cl-std CL3.0 reads OpenCL C only",
  },
  XL1900: {
    what: "the construct is valid but not supported yet",
    then: "write it in another way; README.md lists what is not there yet",
  },
  XL2001: {
    what: "a name is used that is not declared",
    then: "declare the name before its use, or correct its spelling",
  },
  XL2002: {
    what: "a name is declared twice in one scope",
    then: "give one of the two another name; the note shows the other",
  },
  XL2003: {
    what: "a value does not convert to the type its place needs",
    then: "write a cast or a constructor; dialects differ in what they convert by themselves",
  },
  XL2004: {
    what: "an operator does not take operands of these types",
    then: "see the types in the message; dialects differ in which operators take vectors, bool and structs",
  },
  XL2005: {
    what: "no function of that name takes these arguments, or several do equally well",
    then: "the notes list the functions of that name; a cast of an argument chooses one",
  },
  XL2006: {
    what: "something is written that cannot be written",
    then: "constants, inputs, values and read-only buffers are not written; the message names which it is",
  },
  XL2007: {
    what: "a constant expression is needed",
    then: "use numbers, named constants and operators on them; a function call is none",
  },
  XL2008: {
    what: "a function calls itself",
    then: "write a loop: no target has recursion",
  },
  XL2009: {
    what: "an address space is missing, wrong or not possible here",
    then: "name the address space: device, constant, threadgroup or thread in MSL, global, local, constant or private in OpenCL C",
  },
  XL2010: {
    what: "an entry point or its interface is not declared as the dialect wants",
    then: "see the message for the attribute or the kind of argument",
  },
  XL2011: {
    what: "a statement stands where it has no meaning",
    then: "break, continue, return, case and default stand where they lead somewhere",
  },
  XL2012: {
    what: "a member or component does not exist",
    then: "see the declaration of the type; a vector has as many components as its type says",
  },
  XL2013: {
    what: "a type is not known or cannot be used here",
    then: "spell the type as the dialect does, or use another one at this place",
  },
  XL2014: {
    what: "an initialiser does not fit what it initialises",
    then: "give as many values as there are members or elements, or fewer where the dialect fills up with zeros",
  },
  XL2015: {
    what: "a literal cannot be represented",
    then: "choose a smaller number or a type with more bits",
  },
  XL2016: {
    what: "a conversion drops components of a vector",
    then: "a swizzle says that it is meant",
  },
  XL2017: {
    what: "a name is not what its use needs it to be",
    then: "call functions, index arrays and buffers, and use variables as values",
  },
  XL2018: {
    what: "a function does not return what it promises",
    then: "return a value of the declared type on every path",
  },
  XL2019: {
    what: "a static assertion does not hold",
    then: "what the source asserts is not so for this dialect or these defines",
  },
  XL2020: {
    what: "a sub-array, size or count is not possible",
    then: "sizes are whole numbers from 1, known when the source is read",
  },
  XL2021: {
    what: "the language has no such construct, though others have",
    then: "write it as the language does; the message names the construct",
  },
  XL2022: {
    what: "compilers of the language do not agree on what the text means",
    then: "it is read as the language's reference compiler does; the help says how to write it so that all agree",
  },
  XL3001: {
    what: "the target has no way to carry out an operation",
    then: "choose a newer version with --target-profile, or another target; `crosslane capabilities <op>` shows who has it",
  },
  XL3003: {
    what: "the target or its profile does not have a type",
    then: "choose a newer version with --target-profile, or another type",
  },
  XL3004: {
    what: "the target has no barrier or fence as strong as the source's",
    then: "use a barrier of smaller scope, if the kernel allows it, or another target",
  },
  XL3005: {
    what: "the target cannot provide a builtin value",
    then: "pass the value as an argument, or choose another version or target",
  },
  XL3006: {
    what: "the target cannot run the kernel at the subgroup width it asks for",
    then: "choose a width the device has with --subgroup-size, or another device",
  },
  XL3007: {
    what: "the kernel is larger than the device allows",
    then: "use smaller workgroups or less workgroup memory",
  },
  XL4001: {
    what: "there is no such kernel to translate",
    then: "name one of the kernels with --entry",
  },
  XL4002: {
    what: "the target holds one kernel a file, and the source has several",
    then: "choose one with --entry, or write one file for each with --out-dir",
  },
  XL4003: {
    what: "the target fixes the workgroup size, and the source leaves it to the launch",
    then: "give the size with --workgroup-size, or in the launch file",
  },
  XL4004: {
    what: "the target fixes the size of workgroup memory, and the source leaves it to the launch",
    then: "give the bytes with --local name=bytes, or in the launch file",
  },
  XL4005: {
    what: "a pointer may point into two different objects",
    then: "targets without pointers need to know the array: index the arrays themselves in both branches",
  },
  XL4006: {
    what: "a pointer is used in a way that cannot be written without pointers",
    then: "use an index in place of the pointer",
  },
  XL4007: {
    what: "arguments refer to overlapping objects, which the target would copy",
    then: "pass one of the arguments through a variable of its own",
  },
  XL4008: {
    what: "a value of this type has no form in the target at this place",
    then: "use another type at this place; the message says which",
  },
  XL4009: {
    what: "something would have to be assumed, which --strict does not allow",
    then: "change the source so that it holds by itself, or translate without --strict; docs/assumptions.md lists all kinds",
  },
  XL4010: {
    what: "subgroups cannot be emulated through workgroup memory here",
    then: "bring the operation into flow that all lanes of the workgroup reach, or give --workgroup-size",
  },
  XL4011: {
    what: "a kernel is left out, since it cannot be translated; others of its file are",
    then: "the note says what stands in its way, which is reported as a warning as well; --entry with its name makes that an error",
  },
  XL5001: {
    what: "the simulator cannot run a construct of the kernel",
    then: "translate and run the kernel on a device, or write the construct in another way",
  },
  XL5002: {
    what: "memory is accessed out of bounds",
    then: "compare the index with the length before the access; --strict writes such guards",
  },
  XL5003: {
    what: "memory is accessed at an address that its type does not allow",
    then: "use offsets that are a multiple of the size of the type",
  },
  XL5004: {
    what: "a barrier is not reached by all invocations",
    then: "bring the barrier out of the branch or loop that not all invocations take",
  },
  XL5005: {
    what: "a lane is read that is not active or does not exist",
    then: "ask whether the lane is there before its value is used",
  },
  XL5006: {
    what: "an operation has no defined result for its operands",
    then: "keep the operands within what the function is defined for; what comes out differs between devices",
  },
  XL5007: {
    what: "an argument has to be the same in all lanes and is not",
    then: "use a function that takes an argument of its own per lane, such as a shuffle in place of a broadcast",
  },
  XL5008: {
    what: "a run does not come to its end",
    then: "look for a loop that waits for lanes or workgroups that need not run meanwhile, or never ends; --max-steps allows more steps",
  },
  XL5009: {
    what: "a launch breaks what the translation takes for granted",
    then: "launch as the translation assumes, or translate with --strict; docs/assumptions.md has the list",
  },
  XL5010: {
    what: "a value is used that was never written",
    then: "write the memory before it is read; what is there differs between devices",
  },
  XL5011: {
    what: "a cross-lane operation that all lanes have to reach is not reached by all",
    then: "OpenCL C promises these operations only where all invocations of the sub-group come: use the non-uniform ones",
  },
  XL5012: {
    what: "the masks of a partitioned operation are no partition of the active lanes",
    then: "give each lane the mask of all lanes with its own key, as the match operations return it",
  },
  XL5013: {
    what: "two accesses to the same memory are ordered by nothing",
    then: "put a barrier between them, use an atomic operation, or have each invocation write its own element",
  },
  XL5014: {
    what: "a signed integer overflows, or an integer is shifted by its width or more, which the dialect leaves open",
    then: "compute in unsigned integers, which wrap, or limit the operands",
  },
  XL5015: {
    what: "an asynchronous copy is not waited for once, or has a stride of 0",
    then: "wait for the event of every copy before its data are used and before the kernel ends, and begin with event 0 after that; strides are 1 and more",
  },
  XL5016: {
    what: "two invocations write the same value to the same memory, and nothing orders them",
    then: "whoever comes last, the same is there, though the memory models of OpenCL and Vulkan call it undefined: let one invocation write; `--findings all,same-value-race` makes it a finding",
  },
  XL6001: {
    what: "the launch file is not JSON",
    then: "the place is where reading stopped",
  },
  XL6002: {
    what: "the launch file has a key that means nothing there",
    then: "the help lists the keys there are",
  },
  XL6003: {
    what: "a value of the launch file has the wrong form",
    then: 'docs/launch-files.md says what values there are; numbers that JSON cannot write are strings ("nan", "-inf", "0x7fc00000")',
  },
  XL6004: {
    what: "a key of the launch fits no argument of the kernel, or several",
    then: "`crosslane reflect` lists the arguments; a key is a path, or the end of one that fits no other",
  },
  XL6005: {
    what: "an argument of the kernel is not in the launch",
    then: '`crosslane reflect` lists the arguments; each needs an entry in "args"',
  },
  XL6006: {
    what: "the bytes of an argument do not fit the kernel's type",
    then: "count and type together give the bytes; they have to be a whole number of the kernel's elements",
  },
  XL6007: {
    what: "the sizes of the launch do not fit the kernel",
    then: "a workgroup size of the source, what a target can start, and the limits of launches have to fit together",
  },
  XL6008: {
    what: "a file named by the launch cannot be used",
    then: "files are raw little-endian bytes and lie beside the launch file",
  },
  XL6009: {
    what: "an output is not what the launch file expects",
    then: "either the kernel or the expectation is wrong: the message has both values",
  },
  XL6010: {
    what: "the translation computed something else than its source",
    then: "the translation is not to be used; this is a bug of crosslane unless an assumption in the report does not hold: please report it",
  },
  XL6011: {
    what: "the source has a finding, so nothing can be said about its translation",
    then: "mend the finding in the source first, or give a launch file for which it has none",
  },
  XL6012: {
    what: "the entry point to run is not in the file, or there are several to choose from",
    then: 'name one with --entry or "entry" in the launch file',
  },
  XL6013: {
    what: "the kernel has a finding on every launch that was derived from its interface",
    then: "describe a launch it is meant for in a launch file beside it; `crosslane run` shows the findings",
  },
  XL6015: {
    what: "what the kernel computes depends on the width of subgroups",
    then: 'list the widths the kernel is meant for as "subgroupSizes", or have the source require one',
  },
  XL6016: {
    what: "what the kernel computes depends on how invocations are put into subgroups",
    then: "use the lane number and subgroup number the dialect gives, not the local index",
  },
  XL6017: {
    what: "numbers differ from the source's within what the dialects leave open",
    then: "give a tolerance in a launch file to decide how far they may",
  },
  XL6018: {
    what: "the compiler of the target does not take the text that was written for it",
    then: "report it with the kernel; a text in the source's own dialect may have been refused before",
  },
  XL6019: {
    what: "a text was put before no compiler: there is none, or the text includes files of its source",
    then: "install glslang-tools and spirv-tools for GLSL, clang for OpenCL C, dxc for HLSL; Metal's compiler comes with Xcode",
  },
  XL6020: {
    what: "a text was written in a language that crosslane does not read, so that it cannot be run",
    then: "translate to a language that is read, or put the text before a compiler",
  },
  XL6021: {
    what: "a build wrote a text that computes the same where it ran, and no launch ran all of its statements",
    then: "put a launch file beside the kernel that reaches them; `crosslane verify --show-launches` shows what was tried",
  },
  XL7001: {
    what: "what drivers are called through cannot be loaded",
    then: "npm install koffi",
  },
  XL7002: {
    what: "there is no driver or loader for the device's API",
    then: "on Debian: pocl-opencl-icd or mesa-vulkan-drivers; `crosslane devices` shows what is found",
  },
  XL7003: {
    what: "there is no such device",
    then: "`crosslane devices` lists the devices there are",
  },
  XL7004: {
    what: "the device lacks something the kernel needs",
    then: "choose another device or target; --device-profile writes only what a device has",
  },
  XL7005: {
    what: "a compiler refuses the kernel for the device",
    then: "the note has the compiler's own words; of a translation this is a bug of crosslane or of the compiler: docs/devices.md lists known ones",
  },
  XL7006: {
    what: "the launch is larger than the device allows",
    then: "launch fewer or smaller workgroups",
  },
  XL7007: {
    what: "the kernel did not end in time on the device",
    then: "--timeout gives it longer; the simulator finds loops that wait for ever",
  },
  XL7008: {
    what: "the driver failed or the device was lost",
    then: "the note has the driver's own words; try the launch again, or the simulator",
  },
  XL7009: {
    what: "a program that is needed to compile for the device is missing",
    then: "on Debian: glslang-tools and spirv-tools",
  },
  XL7010: {
    what: "the device does not take kernels of this dialect",
    then: "translate the kernel to a dialect of the device first",
  },
  XL7011: {
    what: "the compiled kernel has another interface than its text",
    then: "nothing was run: please report it, with the kernel",
  },
  XL7012: {
    what: "a validator objects to what is to be run, or is missing",
    then: "the note has the validator's own words; on Debian: spirv-tools, vulkan-validationlayers",
  },
  XL7013: {
    what: "what DXC compiled is not read by the program that makes SPIR-V of it",
    then: "--hlsl-compiler glslang compiles it in another way; docs/devices.md lists what is not read",
  },
  XL8001: {
    what: "the command line is used wrongly",
    then: "`crosslane <command> --help` lists what there is",
  },
  XL8002: {
    what: "a file cannot be read or written",
    then: "look at the path and the rights of the file",
  },
  XL8003: {
    what: "an output would replace an input or another output",
    then: "write into another folder with --out-dir",
  },
  XL8004: {
    what: "the output on disk is not what the translation gives",
    then: "run the same command without --check to write it",
  },
  XL8005: {
    what: "the report given as --device-profile cannot be used",
    then: "a report is the JSON of vulkaninfo, clinfo or `crosslane devices --format profile`",
  },
  XL8010: {
    what: "a file that crosslane did not write stands where an output would go",
    then: "write somewhere else, or replace it with --force: generated files begin with a comment that says so, and others are left alone",
  },
  XL8011: {
    what: "the config of a build is wrong",
    then: "look at the place: keys and values are those of the schema, which docs/build.md lists",
  },
  XL8012: {
    what: "part of the config does nothing",
    then: "look at the pattern: no input fits it",
  },
  XL9001: {
    what: "crosslane met a case it should have handled; please report it",
    then: "please report it with the input, the command line and what CROSSLANE_STACK=1 adds to the message",
  },
} as const satisfies Record<`XL${number}`, Explanation>;

export type Code = keyof typeof codes;
