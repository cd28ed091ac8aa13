/**
 * C structures as data: fields in order, from which sizes and offsets follow by the rules of the 64-bit C ABIs (each
 * field aligned to its own size, the whole to its largest). A test compares them with the C headers.
 */

export type Primitive = "u8" | "u16" | "u32" | "i32" | "u64" | "f32" | "ptr";
export type FieldType = Primitive | Structure<Fields> | readonly [Primitive | Structure<Fields>, number];
export type Fields = Readonly<Record<string, FieldType>>;

export interface Field {
  readonly name: string;
  readonly type: Primitive | Structure<Fields>;
  readonly offset: number;
  /** Of arrays. */
  readonly count: number;
}

export interface Structure<F extends Fields = Fields> {
  readonly name: string;
  readonly size: number;
  readonly align: number;
  readonly fields: { readonly [K in keyof F]: Field };
  /** Vulkan's `sType`. */
  readonly structureType?: number;
}

const primitiveSize: Readonly<Record<Primitive, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  i32: 4,
  u64: 8,
  f32: 4,
  ptr: 8,
};

export function sizeOf(type: Primitive | Structure<Fields>): number {
  return typeof type === "string" ? primitiveSize[type] : type.size;
}

export function struct<F extends Fields>(name: string, description: F, structureType?: number): Structure<F> {
  const fields: Record<string, Field> = {};
  let at = 0;
  let align = 1;
  for (const [key, described] of Object.entries(description)) {
    const [type, count] = Array.isArray(described)
      ? (described as readonly [Primitive | Structure<Fields>, number])
      : [described as Primitive | Structure<Fields>, 1];
    const own = typeof type === "string" ? primitiveSize[type] : type.align;
    at = Math.ceil(at / own) * own;
    fields[key] = { name: key, type, offset: at, count };
    at += sizeOf(type) * count;
    align = Math.max(align, own);
  }
  return {
    name,
    size: Math.ceil(at / align) * align,
    align,
    fields: fields as Structure<F>["fields"],
    ...(structureType === undefined ? {} : { structureType }),
  };
}

export type Value = number | bigint | readonly (number | bigint)[] | ((view: DataView, offset: number) => void);
export type Values<F extends Fields> = { readonly [K in keyof F]?: Value };

function writePrimitive(view: DataView, at: number, type: Primitive, value: number | bigint): void {
  switch (type) {
    case "u8":
      return view.setUint8(at, Number(value));
    case "u16":
      return view.setUint16(at, Number(value), true);
    case "u32":
      return view.setUint32(at, Number(value), true);
    case "i32":
      return view.setInt32(at, Number(value), true);
    case "f32":
      return view.setFloat32(at, Number(value), true);
    case "u64":
    case "ptr":
      return view.setBigUint64(at, BigInt(value), true);
  }
}

function readPrimitive(view: DataView, at: number, type: Primitive): number | bigint {
  switch (type) {
    case "u8":
      return view.getUint8(at);
    case "u16":
      return view.getUint16(at, true);
    case "u32":
      return view.getUint32(at, true);
    case "i32":
      return view.getInt32(at, true);
    case "f32":
      return view.getFloat32(at, true);
    case "u64":
    case "ptr":
      return view.getBigUint64(at, true);
  }
}

/** Fields that are not given stay as they are: zero in fresh memory. */
export function writeStructure<F extends Fields>(view: DataView, at: number, s: Structure<F>, values: Values<F>): void {
  if (s.structureType !== undefined) view.setUint32(at, s.structureType, true);
  for (const [key, value] of Object.entries<Value | undefined>(values)) {
    if (value === undefined) continue;
    const field = s.fields[key]!;
    const start = at + field.offset;
    if (typeof value === "function") value(view, start);
    else if (typeof field.type !== "string") throw new Error(`${s.name}.${key} is a structure`);
    else if (typeof value === "object") {
      if (value.length > field.count) throw new Error(`${s.name}.${key} has ${field.count} elements`);
      const { type } = field;
      value.forEach((v, i) => writePrimitive(view, start + i * sizeOf(type), type, v));
    } else writePrimitive(view, start, field.type, value);
  }
}

export function readField<F extends Fields>(
  view: DataView,
  at: number,
  s: Structure<F>,
  key: keyof F,
  index = 0,
): number | bigint {
  const field = s.fields[key];
  if (typeof field.type !== "string") throw new Error(`${s.name}.${String(key)} is a structure`);
  return readPrimitive(view, at + field.offset + index * sizeOf(field.type), field.type);
}

export function readNumber<F extends Fields>(
  view: DataView,
  at: number,
  s: Structure<F>,
  key: keyof F,
  index = 0,
): number {
  return Number(readField(view, at, s, key, index));
}

/** Text of a fixed array of chars, up to its zero. */
export function readText<F extends Fields>(view: DataView, at: number, s: Structure<F>, key: keyof F): string {
  const { offset, count } = s.fields[key];
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at + offset, count);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(bytes.slice(0, end < 0 ? count : end));
}
