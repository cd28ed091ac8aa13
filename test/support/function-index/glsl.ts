/** The function index of GLSL for compute, as glslang declares it: `glslangValidator --dump-builtin-symbols` prints its symbol table. */
import { numbered, type IndexedCall } from "./indexed-call.js";

const line = /^(\w+): {2}global (.+?) ?\b\1\( ?(.*?) ?\)(?: <([\w,]*)>)?$/;

const prefixes: Readonly<Record<string, string>> = {
  bool: "b",
  int: "i",
  uint: "u",
  double: "d",
  float: "",
  float16_t: "f16",
  int8_t: "i8",
  uint8_t: "u8",
  int16_t: "i16",
  uint16_t: "u16",
  int64_t: "i64",
  uint64_t: "u64",
};

/** `vec3` of "3-component vector of float"; nothing for what is no number: images, samplers, structures, rays. */
function typeName(words: string): string | undefined {
  const vector = /^(\d)-component vector of (\w+)$/.exec(words);
  if (vector) return prefixes[vector[2]!] === undefined ? undefined : `${prefixes[vector[2]!]!}vec${vector[1]!}`;
  const matrix = /^(\d)X(\d) matrix of (\w+)$/.exec(words);
  if (matrix)
    return prefixes[matrix[3]!] === undefined ? undefined : `${prefixes[matrix[3]!]!}mat${matrix[1]!}x${matrix[2]!}`;
  return words === "void" || prefixes[words] !== undefined ? words : undefined;
}

/** Operands that have to be constants: scopes, storages and orders of memory, as their names tell them in Khronos' extension. */
const memory = ["gl_ScopeDevice", "gl_StorageSemanticsShared", "gl_SemanticsRelaxed"];

const constants: ReadonlySet<string> = new Set(
  ["Add", "Mul", "Min", "Max", "And", "Or", "Xor"].map((op) => `subgroupClustered${op} 1`),
);

/** Of `dump`, every function of numbers; images and what reads them, and ray queries, are left out. */
export function glslIndex(dump: string): IndexedCall[] {
  return dump.split("\n").flatMap((text, at): IndexedCall[] => {
    const [, name, result, list] = line.exec(text) ?? [];
    if (name === undefined || list === undefined) return [];
    const parameters =
      list === ""
        ? []
        : list.split(/\s*,\s*/).map((p) => {
            const [, before, rest] =
              /^((?:(?:in|out|inout|const|coherent|volatile|lowp|mediump|highp|nonprivate) ?)*)(.+)$/.exec(p)!;
            const words = /^((?:\d-component vector of |\dX\d matrix of )?\w+)/.exec(rest!)![1]!;
            return { type: typeName(words), memory: before!.includes("coherent"), whole: p };
          });
    const type = typeName(result!);
    if (type === undefined || parameters.some((p) => p.type === undefined)) return [];
    const names = numbered("a", parameters.length);
    const shared = parameters.findIndex((p) => p.memory);
    const s = `s${String(at)}`;
    // The operands after the value, or after the comparator and the value, of an atomic are of memory.
    const first = name === "atomicLoad" ? 1 : name === "atomicCompSwap" ? 3 : 2;
    const orders = shared >= 0 && parameters.length > first;
    const args = names.map((a, k) => {
      if (k === shared) return s;
      if (orders && k >= first) return memory[(k - first) % 3]!;
      // The size of a cluster and the lane that is broadcast are constants.
      return constants.has(`${name} ${String(k)}`) ? "1" : a;
    });
    const locals = parameters.flatMap((p, k) =>
      args[k] === names[k] ? [`${p.type!} ${names[k]!} = ${p.type!}(gl_LocalInvocationIndex + 1u);`] : [],
    );
    const call = `${name}(${args.join(", ")})`;
    return [
      {
        signature: `${result!} ${name}(${list})`,
        ...(shared >= 0 ? { declares: `shared ${parameters[shared]!.type!} ${s};` } : {}),
        body: [...locals, type === "void" ? `${call};` : `${type} r = ${call};`].join(" "),
      },
    ];
  });
}
