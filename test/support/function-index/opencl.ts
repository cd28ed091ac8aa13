/** The function index of OpenCL C, as clang's own header opencl-c.h declares it for every extension. */
import { numbered, type IndexedCall } from "./indexed-call.js";

const declaration =
  /^([\w ]+?(?: \*)?)__attribute__\(\(overloadable\)\)((?: ?__attribute__\(\((?:[^()]|\([^()]*\))*\)\))*) ?(\w+)\(([^()]*)\)/;
/** What is no data: images, samplers, and what belongs to the queue, the pipes and Intel's media. */
const foreign = /image|sampler|event_t|queue|ndrange|clk_|pipe|reserve_id|intel|cl_mem|\.\.\.|\b(?:block|kernel)/;
const spaces = /__(global|local|constant|private|generic)/;
/** The most elements that a pointer's function touches. */
const elements = 16;

/** Of the preprocessed header, every function of data. */
export function openclIndex(header: string): IndexedCall[] {
  const joined = header.replace(/,\n/g, ", ");
  const seen = new Set<string>();
  return joined.split("\n").flatMap((text): IndexedCall[] => {
    const [, result, , name, list] = declaration.exec(text.trim()) ?? [];
    if (name === undefined || list === undefined) return [];
    const signature = `${result!.trim()} ${name}(${list})`.replace(/\s+/g, " ");
    if (foreign.test(signature) || seen.has(signature)) return [];
    seen.add(signature);
    const parameters = list === "void" || list === "" ? [] : list.split(/\s*,\s*/);
    const names = numbered("a", parameters.length);
    const params: string[] = [];
    const locals: string[] = [];
    const args = names.map((a, k) => {
      const p = parameters[k]!.trim().replace(/^((?:[\w ]|\*)*?)\b([a-z]\w*)$/, (whole, before: string, last: string) =>
        // A parameter's own name stands after a type; what stands alone is the type.
        before.trim() !== "" &&
        /[\w*] ?$/.test(before) &&
        !/^(?:const|volatile|unsigned|signed)\s*$/.test(before.trim()) &&
        !types.test(last)
          ? before.trim()
          : whole,
      );
      const pointer = /^(.*)\*\s*(?:const|restrict)?$/.exec(p);
      if (!pointer) {
        if (/^cl_mem_fence_flags$/.test(p)) return "CLK_LOCAL_MEM_FENCE";
        if (/^memory_order$/.test(p)) return "memory_order_relaxed";
        if (/^memory_scope$/.test(p)) return "memory_scope_device";
        if (k === parameters.length - 1 && /_clustered_/.test(name)) return "1u";
        const type = p.replace(/\bconst\b/g, "").trim();
        locals.push(`${type} ${a} = (${type})1;`);
        return a;
      }
      const space = spaces.exec(pointer[1]!)?.[1] ?? "generic";
      const element = pointer[1]!
        .replace(/__\w+/g, "")
        .replace(/\b(?:const|volatile)\b/g, "")
        .trim();
      if (space === "private" || space === "generic") {
        if (/^atomic_/.test(element)) params.push(`__global ${element} *${a}`);
        else {
          locals.push(`${element} ${a}[${String(elements)}];`);
        }
      } else params.push(`__${space} ${element} *${a}`);
      return a;
    });
    const type = result!.trim();
    const call = `${name}(${args.join(", ")})`;
    return [
      {
        signature,
        parameters: params.join(", "),
        body: [...locals, type === "void" ? `${call};` : `${type} r = ${call};`].join(" "),
      },
    ];
  });
}
const types =
  /^(?:u?(?:char|short|int|long)|float|double|half|size_t|ptrdiff_t|intptr_t|uintptr_t|bool|memory_\w+|cl_\w+|atomic_\w+)\d*$/;
