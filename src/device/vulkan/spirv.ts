/**
 * What is read of a SPIR-V module before it is run: capabilities and the interface as the compiler laid it out. Numbers
 * are those of the SPIR-V specification (sections 3.7 decorations, 3.31 capabilities, 3.37 instructions).
 */

export interface SpirvResource {
  readonly names: readonly string[];
  readonly set: number;
  readonly binding: number;
  /** One of the resources of an array that the binding holds. */
  readonly element?: { readonly index: number; readonly count: number };
  /** `texel`: a buffer of texels, which has no block. */
  readonly what: "storage" | "uniform" | "texel";
  readonly block: SpirvBlock;
}

/** Offsets of scalars ascend; `tail` is the runtime-sized array at the end. */
export interface SpirvBlock {
  readonly offsets: readonly number[];
  readonly tail?: { readonly offset: number; readonly stride: number; readonly offsets: readonly number[] };
}

export interface SpirvModule {
  readonly capabilities: readonly number[];
  readonly extensions: readonly string[];
  /** Widths of floats for which the module asks for the execution mode SignedZeroInfNanPreserve. */
  readonly keepsSpecialNumbers: readonly number[];
  readonly resources: readonly SpirvResource[];
  readonly pushConstants?: SpirvBlock;
  readonly specializationIds: readonly number[];
  readonly entries: readonly string[];
}

const op = {
  name: 5,
  extension: 10,
  entryPoint: 15,
  executionMode: 16,
  capability: 17,
  typeInt: 21,
  typeFloat: 22,
  typeVector: 23,
  typeMatrix: 24,
  typeImage: 25,
  typeArray: 28,
  typeRuntimeArray: 29,
  typeStruct: 30,
  typePointer: 32,
  constant: 43,
  variable: 59,
  decorate: 71,
  memberDecorate: 72,
} as const;
const signedZeroInfNanPreserve = 4461;
const decoration = {
  specId: 1,
  bufferBlock: 3,
  rowMajor: 4,
  arrayStride: 6,
  matrixStride: 7,
  binding: 33,
  descriptorSet: 34,
  offset: 35,
} as const;
/** `Dim` of a buffer of texels. */
const bufferImage = 5;
const storageClass = { uniformConstant: 0, uniform: 2, pushConstant: 9, storageBuffer: 12 } as const;

type SpirvType =
  | { readonly kind: "scalar"; readonly bytes: number }
  | { readonly kind: "vector"; readonly element: number; readonly count: number }
  | { readonly kind: "matrix"; readonly column: number; readonly count: number }
  | { readonly kind: "array"; readonly element: number; readonly length?: number }
  | { readonly kind: "struct"; readonly members: readonly number[] }
  | { readonly kind: "texels" }
  | { readonly kind: "pointer"; readonly storage: number; readonly pointee: number };

/** A string literal: bytes of words, up to a zero. */
function literal(words: Uint32Array, from: number): { text: string; next: number } {
  const bytes: number[] = [];
  for (let i = from; i < words.length; i++) {
    for (let b = 0; b < 4; b++) {
      const byte = (words[i]! >>> (8 * b)) & 255;
      if (byte === 0) return { text: new TextDecoder().decode(new Uint8Array(bytes)), next: i + 1 };
      bytes.push(byte);
    }
  }
  return { text: "", next: words.length };
}

/** The instructions that say what a module takes. */
interface Declarations {
  readonly names: Map<number, string>;
  readonly types: Map<number, SpirvType>;
  /** By `id what` or `id.member what`. */
  readonly decorations: Map<string, number>;
  readonly variables: { readonly id: number; readonly type: number; readonly storage: number }[];
  readonly capabilities: number[];
  readonly extensions: string[];
  readonly entries: string[];
  readonly specializationIds: number[];
  readonly keepsSpecialNumbers: number[];
}

function readDeclarations(words: Uint32Array): Declarations {
  if (words[0] !== 0x07230203) throw new Error("this is no SPIR-V module");
  const names = new Map<number, string>();
  const types = new Map<number, SpirvType>();
  const constants = new Map<number, number>();
  const decorations = new Map<string, number>();
  const variables: { id: number; type: number; storage: number }[] = [];
  const capabilities: number[] = [];
  const extensions: string[] = [];
  const entries: string[] = [];
  const specializationIds: number[] = [];
  const keepsSpecialNumbers: number[] = [];
  for (let at = 5; at < words.length;) {
    const length = words[at]! >>> 16;
    if (length === 0) throw new Error("this SPIR-V module is damaged");
    const w = words.subarray(at + 1, at + length);
    switch (words[at]! & 0xffff) {
      case op.capability:
        capabilities.push(w[0]!);
        break;
      case op.extension:
        extensions.push(literal(w, 0).text);
        break;
      case op.name:
        names.set(w[0]!, literal(w, 1).text);
        break;
      case op.entryPoint:
        entries.push(literal(w, 2).text);
        break;
      case op.executionMode:
        if (w[1] === signedZeroInfNanPreserve) keepsSpecialNumbers.push(w[2]!);
        break;
      case op.decorate:
        decorations.set(`${w[0]} ${w[1]}`, w[2] ?? 1);
        if (w[1] === decoration.specId) specializationIds.push(w[2]!);
        break;
      case op.memberDecorate:
        decorations.set(`${w[0]}.${w[1]} ${w[2]}`, w[3] ?? 1);
        break;
      case op.typeInt:
      case op.typeFloat:
        types.set(w[0]!, { kind: "scalar", bytes: w[1]! / 8 });
        break;
      case op.typeVector:
        types.set(w[0]!, { kind: "vector", element: w[1]!, count: w[2]! });
        break;
      case op.typeMatrix:
        types.set(w[0]!, { kind: "matrix", column: w[1]!, count: w[2]! });
        break;
      case op.typeImage:
        if (w[2] === bufferImage) types.set(w[0]!, { kind: "texels" });
        break;
      case op.typeArray:
        types.set(w[0]!, { kind: "array", element: w[1]!, length: constants.get(w[2]!) ?? 0 });
        break;
      case op.typeRuntimeArray:
        types.set(w[0]!, { kind: "array", element: w[1]! });
        break;
      case op.typeStruct:
        types.set(w[0]!, { kind: "struct", members: [...w.subarray(1)] });
        break;
      case op.typePointer:
        types.set(w[0]!, { kind: "pointer", storage: w[1]!, pointee: w[2]! });
        break;
      case op.constant:
        constants.set(w[1]!, w[2]!);
        break;
      case op.variable:
        variables.push({ type: w[0]!, id: w[1]!, storage: w[2]! });
        break;
      default:
        break;
    }
    at += length;
  }
  return {
    names,
    types,
    decorations,
    variables,
    capabilities,
    extensions,
    entries,
    specializationIds,
    keepsSpecialNumbers,
  };
}

/** How the types of a module lie in memory. */
class Layouts {
  constructor(private readonly declarations: Declarations) {}

  private type(id: number): SpirvType {
    return this.declarations.types.get(id)!;
  }

  decorated(key: string, what: number): number | undefined {
    return this.declarations.decorations.get(`${key} ${what}`);
  }

  private sizeOf(id: number): number {
    const t = this.type(id);
    if (t.kind === "scalar") return t.bytes;
    return t.kind === "vector" ? t.count * this.sizeOf(t.element) : 0;
  }

  /** Offsets of the scalars of a type at `base`; a matrix's layout is said on the member that holds it. */
  private offsetsOf(id: number, base: number, member = ""): number[] {
    const t = this.type(id);
    switch (t.kind) {
      case "scalar":
        return [base];
      case "vector":
        return Array.from({ length: t.count }, (_, i) => base + i * this.sizeOf(t.element));
      case "matrix": {
        const stride = this.decorated(member, decoration.matrixStride) ?? 0;
        const rows = this.type(t.column);
        if (rows.kind !== "vector") return [];
        const unit = this.sizeOf(rows.element);
        const rowMajor = this.decorated(member, decoration.rowMajor) !== undefined;
        const [outer, inner] = rowMajor ? [rows.count, t.count] : [t.count, rows.count];
        return Array.from(
          { length: outer * inner },
          (_, i) => base + Math.floor(i / inner) * stride + (i % inner) * unit,
        );
      }
      case "array": {
        const stride = this.decorated(String(id), decoration.arrayStride) ?? 0;
        return Array.from({ length: t.length ?? 0 }, (_, i) =>
          this.offsetsOf(t.element, base + i * stride, member),
        ).flat();
      }
      case "struct":
        return t.members.flatMap((m, i) =>
          this.offsetsOf(m, base + (this.decorated(`${id}.${i}`, decoration.offset) ?? 0), `${id}.${i}`),
        );
      case "texels":
      case "pointer":
        return [];
    }
  }

  blockOf(id: number): SpirvBlock {
    const t = this.type(id);
    if (t.kind !== "struct") return { offsets: [] };
    const lastIndex = t.members.length - 1;
    const last = this.declarations.types.get(t.members[lastIndex]!);
    const open = last?.kind === "array" && last.length === undefined ? last : undefined;
    const start = (i: number): number => this.decorated(`${id}.${i}`, decoration.offset) ?? 0;
    const fixed = open ? t.members.slice(0, -1) : t.members;
    const offsets = fixed.flatMap((m, i) => this.offsetsOf(m, start(i), `${id}.${i}`)).sort((a, b) => a - b);
    if (!open) return { offsets };
    const stride = this.decorated(String(t.members[lastIndex]), decoration.arrayStride) ?? 0;
    const inner = this.offsetsOf(open.element, 0, `${id}.${lastIndex}`).sort((a, b) => a - b);
    return { offsets, tail: { offset: start(lastIndex), stride, offsets: inner } };
  }
}

export function readSpirv(words: Uint32Array): SpirvModule {
  const declarations = readDeclarations(words);
  const { names, types, variables } = declarations;
  const layouts = new Layouts(declarations);
  const resources: SpirvResource[] = [];
  let pushConstants: SpirvBlock | undefined;
  for (const { id, type, storage } of variables) {
    const pointer = types.get(type);
    if (pointer?.kind !== "pointer") continue;
    if (storage === storageClass.pushConstant) pushConstants = layouts.blockOf(pointer.pointee);
    const pointee = types.get(pointer.pointee);
    const list = pointee?.kind === "array" ? pointee : undefined;
    const block = list?.element ?? pointer.pointee;
    const texels = storage === storageClass.uniformConstant && types.get(block)?.kind === "texels";
    if (!texels && storage !== storageClass.uniform && storage !== storageClass.storageBuffer) continue;
    // Before SPIR-V 1.3 storage blocks were uniform variables with a decoration of their type.
    const isStorage =
      storage === storageClass.storageBuffer || layouts.decorated(String(block), decoration.bufferBlock) !== undefined;
    const resource: SpirvResource = {
      names: [names.get(id) ?? "", names.get(block) ?? ""].filter((n) => n !== ""),
      set: layouts.decorated(String(id), decoration.descriptorSet) ?? 0,
      binding: layouts.decorated(String(id), decoration.binding) ?? 0,
      what: texels ? "texel" : isStorage ? "storage" : "uniform",
      block: layouts.blockOf(block),
    };
    const count = list?.length;
    if (count === undefined) resources.push(resource);
    else for (let index = 0; index < count; index++) resources.push({ ...resource, element: { index, count } });
  }
  const { capabilities, keepsSpecialNumbers, extensions, specializationIds, entries } = declarations;
  return {
    capabilities,
    keepsSpecialNumbers,
    extensions,
    resources,
    specializationIds,
    entries,
    ...(pushConstants ? { pushConstants } : {}),
  };
}
