/**
 * Parts of the words of a buffer: bytes and 16-bit values where the target has neither in memory.
 *
 * A load takes the word the part is in and shifts it down. A store has to leave the bytes beside it, which other lanes may
 * write at the same time: the word is exchanged as a whole by compare-exchange, and again where it has changed since it was
 * read. Clearing the bits by one atomic and setting them by a second would do for lanes with bytes of their own too, but of
 * lanes that store to one byte, each the same or not, it would leave a mixture and show zeros in between; an exchange is one
 * event, as the store is in the source. Each failure means that another lane has stored: lanes do not wait for each other.
 */
import {
  assign,
  binary,
  declare,
  element,
  expressionStatement,
  functionCall,
  load,
  opCall,
  returnStatement,
  u32Literal,
  literal,
  variablePlace,
  type ModuleEditor,
  read,
} from "../../ast/builders.js";
import {
  type Expr,
  type FunctionDeclaration,
  type Place,
  type Statement,
  type Variable,
  type VarId,
} from "../../ast/nodes.js";
import { and, complement, or } from "../../ops/trees.js";
import { noSpan, type Span } from "../../support/span.js";
import { u32, type Type } from "../../types/types.js";
import { loopUntilExchanged } from "../lowerings/atomics.js";

/** Bytes from the start of the buffer, as what is known at run time only and a constant. */
export interface ByteAddress {
  readonly buffer: VarId;
  /** Words that are a part of a lane's own object, where the address is counted from them. */
  readonly words?: Place;
  readonly fixed: number;
  readonly moving?: Expr;
}

export interface WordObject {
  /** The target takes the byte address of a word, which then has to be one. */
  readonly inBytes: boolean;
  readonly type: Type;
  /** No other lane sees it, and no other function names it. */
  readonly own: boolean;
}

const mask = (bits: number): Expr => literal("u32", bits, noSpan, `0x${bits.toString(16)}`);

export class WordParts {
  private readonly loads = new Map<VarId, FunctionDeclaration>();
  private readonly stores = new Map<VarId, FunctionDeclaration>();

  constructor(
    private readonly editor: ModuleEditor,
    private readonly memory: (id: VarId) => WordObject,
  ) {}

  /** The helpers that were needed, to stand before the functions that use them. */
  functions(): FunctionDeclaration[] {
    // A word whose other parts other lanes may store to meanwhile is read as it is stored.
    for (const [buffer, finish] of this.unfinished) this.loads.set(buffer, finish(this.stores.has(buffer)));
    this.unfinished.clear();
    return [...this.loads.values(), ...this.stores.values()];
  }
  private readonly unfinished = new Map<VarId, (shared: boolean) => FunctionDeclaration>();

  /** A word whose lowest bits are the part; what is above is whatever follows in memory. */
  load(at: ByteAddress, span: Span): Expr {
    if (!at.moving) {
      const word = load(element(this.words(at, span), u32Literal(at.fixed >>> 2, span), span), span);
      const shift = 8 * (at.fixed & 3);
      return shift === 0 ? word : binary("shr", word, u32Literal(shift, span), span);
    }
    if (this.isOwn(at)) {
      const { word, shift } = this.ownWord(at, span);
      return binary("shr", load(word, span), shift, span);
    }
    return functionCall(this.loader(at.buffer).id, [{ mode: "value", value: this.bytes(at, span) }], u32, span);
  }

  /** Stores the lowest `bits` bits of a word, into one word. */
  store(at: ByteAddress, bits: number, value: Expr, span: Span): Statement {
    if (this.isOwn(at)) {
      const { word, shift } = this.ownWord(at, span);
      const kept = and(load(word, span), complement(binary("shl", mask(2 ** bits - 1), shift, span)));
      const part = binary("shl", and(value, mask(2 ** bits - 1)), shift, span);
      return expressionStatement(assign(word, or(kept, part), span), span);
    }
    const values = [this.bytes(at, span), mask(2 ** bits - 1), value];
    const call = functionCall(
      this.storer(at.buffer).id,
      values.map((v) => ({ mode: "value" as const, value: v })),
      { kind: "void" },
      span,
    );
    return expressionStatement(call, span);
  }

  isOwn(at: ByteAddress): boolean {
    return at.words !== undefined || this.memory(at.buffer).own;
  }

  private words({ buffer, words }: Pick<ByteAddress, "buffer" | "words">, span: Span): Place {
    return words ?? variablePlace({ id: buffer, type: this.memory(buffer).type }, span);
  }

  /** The word a byte is in. */
  wordAround(bytes: Expr, { buffer }: ByteAddress, span: Span): Place {
    const start = this.memory(buffer).inBytes ? and(bytes, complement(u32Literal(3))) : bytes;
    return element(this.words({ buffer }, span), binary("shr", start, u32Literal(2), span), span);
  }

  /** The word a byte of a lane's own memory is in, and the bits below the byte. */
  private ownWord(at: ByteAddress, span: Span): { readonly word: Place; readonly shift: Expr } {
    const bytes = this.bytes(at, span);
    const known = at.moving ? undefined : at.fixed;
    const number =
      known === undefined ? binary("shr", bytes, u32Literal(2, span), span) : u32Literal(known >>> 2, span);
    const shift =
      known === undefined
        ? binary("mul", and(bytes, u32Literal(3)), u32Literal(8), span)
        : u32Literal(8 * (known & 3), span);
    return { word: element(this.words(at, span), number, span), shift };
  }

  bytes(at: ByteAddress, span: Span): Expr {
    if (!at.moving) return u32Literal(at.fixed, span);
    return at.fixed === 0 ? at.moving : binary("add", at.moving, u32Literal(at.fixed, span), span);
  }

  /** The word a byte is in, from its address in bytes. */
  private wordAt(buffer: VarId, address: Variable): Place {
    return this.wordAround(read(address), { buffer, fixed: 0 }, noSpan);
  }
  private readonly shiftAt = (address: Variable): Expr =>
    binary("mul", and(read(address), u32Literal(3)), u32Literal(8));

  private loader(buffer: VarId): FunctionDeclaration {
    return this.once(
      this.loads,
      buffer,
      "bits",
      "the bits from a byte on, up to the end of its word",
      u32,
      (parameter) => {
        const address = parameter("address");
        const word = load(this.wordAt(buffer, address));
        this.unfinished.set(buffer, (shared) => {
          const f = this.loads.get(buffer)!;
          if (!shared) return f;
          const value = binary("shr", this.sharedWord(buffer, address), this.shiftAt(address));
          return { ...f, body: { ...f.body, statements: [returnStatement(value)] } };
        });
        return [returnStatement(binary("shr", word, this.shiftAt(address)))];
      },
    );
  }

  private sharedWord(buffer: VarId, address: Variable): Expr {
    return opCall("atomic.load", [], u32, noSpan, { places: [this.wordAt(buffer, address)], order: "relaxed" });
  }

  private storer(buffer: VarId): FunctionDeclaration {
    const says = "a store to a part of a word; other lanes may store to its other parts at the same time";
    return this.once(this.stores, buffer, "store", says, { kind: "void" }, (parameter, local) => {
      const [address, bits, value] = [parameter("address"), parameter("mask"), parameter("value")];
      const shift = local("shift");
      const moved = (e: Expr): Expr => binary("shl", e, read(shift));
      const { statements } = loopUntilExchanged(
        { local },
        this.wordAt(buffer, address),
        { type: u32, span: noSpan },
        (old) => or(and(old, complement(moved(read(bits)))), moved(and(read(value), read(bits)))),
      );
      return [declare(shift.id, this.shiftAt(address)), ...statements];
    });
  }

  private once(
    known: Map<VarId, FunctionDeclaration>,
    buffer: VarId,
    what: string,
    emulates: string,
    returnType: Type,
    body: (parameter: (name: string) => Variable, local: (name: string) => Variable) => readonly Statement[],
  ): FunctionDeclaration {
    const made = known.get(buffer);
    if (made) return made;
    const parameters: Variable[] = [];
    const parameter = (n: string): Variable => {
      const v = this.editor.addParameter(n, u32);
      parameters.push(v);
      return v;
    };
    const name = `${this.editor.variables.get(buffer)!.name}_${what}`;
    const statements = body(parameter, (n) => this.editor.addLocal(n, u32));
    const f = this.editor.helper({ name, emulates, parameters, returnType, statements });
    known.set(buffer, f);
    return f;
  }
}
