/** Values of 16 and 32 bits in memory that is words, at bytes that are no multiple of their size: members of packed structs. */
import {
  binary,
  block,
  expressionStatement,
  functionCall,
  ifStatement,
  read,
  returnStatement,
  u32Literal,
  type ModuleEditor,
} from "../../ast/builders.js";
import type { Expr, FunctionDeclaration, Statement, VarId } from "../../ast/nodes.js";
import { and, or } from "../../ops/trees.js";
import { noSpan, type Span } from "../../support/span.js";
import { u32 } from "../../types/types.js";
import type { ByteAddress, WordParts } from "./word-parts.js";

/** `step`: what the moving part of the address is a multiple of. */
export type UnalignedAddress = ByteAddress & { readonly step: number };

const shl = (e: Expr, by: number, span: Span): Expr => (by === 0 ? e : binary("shl", e, u32Literal(by, span), span));
const low = (e: Expr, bytes: number): Expr => (bytes === 4 ? e : and(e, u32Literal(2 ** (8 * bytes) - 1)));

export class UnalignedWords {
  private readonly loads = new Map<VarId, FunctionDeclaration>();
  private readonly stores = new Map<VarId, FunctionDeclaration>();

  constructor(
    private readonly editor: ModuleEditor,
    private readonly parts: WordParts,
  ) {}

  functions(): FunctionDeclaration[] {
    return [...this.loads.values(), ...this.stores.values()];
  }

  /** A word whose lowest bits are the value. */
  load(at: UnalignedAddress, bits: 16 | 32, span: Span): Expr {
    const first = inFirstWord(at);
    if (first !== undefined) {
      const begin = this.parts.load(at, span);
      return first >= bits ? begin : or(begin, shl(this.parts.load(beyond(at, first / 8), span), first, span));
    }
    if (bits === 32 && this.isCalled(at)) return this.call(this.loader(at), [this.parts.bytes(at, span)], span);
    return this.pieces(at, bits)
      .map(({ byte, bytes }) => shl(low(this.parts.load(beyond(at, byte), span), bytes), 8 * byte, span))
      .reduce((a, b) => or(a, b));
  }

  /** A value of 32 bits is a helper's. */
  isCalled(at: UnalignedAddress): boolean {
    return inFirstWord(at) === undefined && !this.parts.isOwn(at);
  }

  /** `keep`: holds a word that is named more than once. */
  store(at: UnalignedAddress, bits: 16 | 32, word: Expr, keep: (e: Expr) => Expr, span: Span): Statement[] {
    const first = inFirstWord(at);
    if (bits === 32 && this.isCalled(at))
      return [expressionStatement(this.call(this.storer(at), [this.parts.bytes(at, span), word], span), span)];
    if (first !== undefined && first >= bits) return [this.parts.store(at, bits, word, span)];
    const value = keep(word);
    const after = (n: number): Expr => (n === 0 ? value : binary("shr", value, u32Literal(n, span), span));
    if (first !== undefined)
      return [
        this.parts.store(at, first, value, span),
        this.parts.store(beyond(at, first / 8), bits - first, after(first), span),
      ];
    return this.pieces(at, bits).map(({ byte, bytes }) =>
      this.parts.store(beyond(at, byte), 8 * bytes, after(8 * byte), span),
    );
  }

  /** Each in one word, whichever that is. */
  private pieces(at: UnalignedAddress, bits: 16 | 32): readonly { readonly byte: number; readonly bytes: number }[] {
    const bytes = unitAt(at);
    return Array.from({ length: bits / (8 * bytes) }, (_, i) => ({ byte: i * bytes, bytes }));
  }

  private call(f: FunctionDeclaration, args: readonly Expr[], span: Span): Expr {
    return functionCall(
      f.id,
      args.map((value) => ({ mode: "value", value })),
      f.returnType,
      span,
    );
  }

  private loader({ buffer }: ByteAddress): FunctionDeclaration {
    return this.helper(this.loads, buffer, "word", "the 32 bits from a byte on, in one word or two", ([address]) => {
      const inWord = and(address!, u32Literal(3));
      const begin = this.parts.load({ buffer, fixed: 0, moving: address! }, noSpan);
      const next = binary("add", binary("or", address!, u32Literal(3)), u32Literal(1));
      const end = this.parts.load({ buffer, fixed: 0, moving: next }, noSpan);
      const bits = binary("sub", u32Literal(32), binary("mul", inWord, u32Literal(8)));
      return [
        ifStatement(binary("eq", inWord, u32Literal(0)), block([returnStatement(begin)])),
        returnStatement(or(begin, binary("shl", end, bits))),
      ];
    });
  }

  private storer({ buffer }: ByteAddress): FunctionDeclaration {
    const says = "a store of the 32 bits from a byte on, byte by byte";
    return this.helper(this.stores, buffer, "store_word", says, ([address, value]) =>
      [0, 1, 2, 3].map((i) => {
        const byte = i === 0 ? value! : binary("shr", value!, u32Literal(8 * i));
        return this.parts.store({ buffer, fixed: i, moving: address! }, 8, byte, noSpan);
      }),
    );
  }

  private helper(
    known: Map<VarId, FunctionDeclaration>,
    buffer: VarId,
    what: string,
    emulates: string,
    body: (parameters: readonly Expr[]) => readonly Statement[],
  ): FunctionDeclaration {
    const made = known.get(buffer);
    if (made) return made;
    const names = what === "word" ? ["address"] : ["address", "value"];
    const parameters = names.map((n) => this.editor.addParameter(n, u32));
    const name = `${this.editor.variables.get(buffer)!.name}_${what}`;
    const statements = body(parameters.map((p) => read(p)));
    const returnType = what === "word" ? u32 : ({ kind: "void" } as const);
    const f = this.editor.helper({ name, emulates, parameters, returnType, statements });
    known.set(buffer, f);
    return f;
  }
}

/** The power of two, up to a word, that an address is surely a multiple of. */
export function unitAt({ moving, step, fixed }: UnalignedAddress): 1 | 2 | 4 {
  const parts = moving ? [step, fixed] : [fixed];
  return ([4, 2] as const).find((n) => parts.every((x) => x % n === 0)) ?? 1;
}

const beyond = <T extends ByteAddress>(at: T, bytes: number): T => ({ ...at, fixed: at.fixed + bytes });

/** The bits from the address to the end of its word, where that is known. */
const inFirstWord = ({ moving, step, fixed }: UnalignedAddress): number | undefined =>
  moving && step % 4 !== 0 ? undefined : 32 - 8 * (fixed & 3);
