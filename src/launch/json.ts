/**
 * JSON with places. Launch files are written by hand, so a wrong key or value is shown where it stands; and integers
 * beyond 2^53 keep their digits.
 */

export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonWord;

interface JsonBase {
  /** Half-open range of offsets into the text. */
  readonly start: number;
  readonly end: number;
}
export interface JsonObject extends JsonBase {
  readonly kind: "object";
  readonly members: readonly JsonMember[];
}
export interface JsonMember {
  readonly key: JsonString;
  readonly value: JsonNode;
}
export interface JsonArray extends JsonBase {
  readonly kind: "array";
  readonly elements: readonly JsonNode[];
}
export interface JsonString extends JsonBase {
  readonly kind: "string";
  readonly value: string;
}
export interface JsonNumber extends JsonBase {
  readonly kind: "number";
  readonly text: string;
  readonly value: number;
}
export interface JsonWord extends JsonBase {
  readonly kind: "word";
  readonly value: boolean | null;
}

export interface JsonError {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

const deepest = 64;

/** Reads a text; the first error ends it. With `comments`, comments and a comma behind the last value are allowed. */
export function parseJson(
  text: string,
  { comments = false }: { readonly comments?: boolean } = {},
): { readonly node: JsonNode } | { readonly error: JsonError } {
  const reader = new Reader(text, comments);
  try {
    return { node: reader.document() };
  } catch (error) {
    if (error instanceof Stop) return { error: { message: error.message, start: error.start, end: error.end } };
    throw error;
  }
}

class Stop extends Error {
  constructor(
    message: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(message);
  }
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Reader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly comments: boolean,
  ) {
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  document(): JsonNode {
    const node = this.value(0);
    this.blanks();
    if (this.at < this.text.length) this.fail("nothing may follow the value of the file");
    return node;
  }

  private fail(message: string, start = this.at, end = Math.min(start + 1, this.text.length)): never {
    throw new Stop(message, start, end);
  }

  private blanks(): void {
    for (;;) {
      const c = this.text[this.at];
      if (c === " " || c === "\n" || c === "\t" || c === "\r") this.at++;
      else if (!this.comments || c !== "/" || !this.comment()) return;
    }
  }

  /** Goes past a comment, where one starts here. */
  private comment(): boolean {
    const second = this.text[this.at + 1];
    if (second !== "/" && second !== "*") return false;
    const end = this.text.indexOf(second === "/" ? "\n" : "*/", this.at + 2);
    if (end === -1 && second === "*") this.fail("the comment is not closed", this.at, this.at + 2);
    this.at = end === -1 ? this.text.length : end + (second === "/" ? 1 : 2);
    return true;
  }

  private value(depth: number): JsonNode {
    if (depth > deepest) this.fail(`values are nested deeper than ${deepest}`);
    this.blanks();
    const c = this.text[this.at];
    if (c === undefined) this.fail("the file ends where a value is expected");
    if (c === "{") return this.object(depth);
    if (c === "[") return this.array(depth);
    if (c === '"') return this.string();
    if (c === "-" || (c >= "0" && c <= "9")) return this.number();
    const word = /[A-Za-z_]+/y;
    word.lastIndex = this.at;
    const found = word.exec(this.text)?.[0];
    const start = this.at;
    if (found === "true" || found === "false" || found === "null") {
      this.at += found.length;
      return { kind: "word", value: found === "null" ? null : found === "true", start, end: this.at };
    }
    if (c === "/" && (this.text[start + 1] === "/" || this.text[start + 1] === "*")) this.fail("JSON has no comments");
    return this.fail(
      found ? `'${found}' is no value of JSON (a word is written in quotes)` : `a value is expected, not '${c}'`,
      start,
      start + (found?.length ?? 1),
    );
  }

  private object(depth: number): JsonObject {
    const start = this.at++;
    const members: JsonMember[] = [];
    const seen = new Set<string>();
    for (;;) {
      this.blanks();
      if (this.text[this.at] === "}" && (members.length === 0 || this.comments)) break;
      if (this.text[this.at] !== '"') this.fail("a key in double quotes is expected");
      const key = this.string();
      if (seen.has(key.value)) this.fail(`the key '${key.value}' stands here twice`, key.start, key.end);
      seen.add(key.value);
      this.blanks();
      if (this.text[this.at] !== ":") this.fail("':' is expected after a key");
      this.at++;
      members.push({ key, value: this.value(depth + 1) });
      this.blanks();
      if (this.text[this.at] === "}") break;
      if (this.text[this.at] !== ",") this.fail("',' or '}' is expected");
      this.at++;
    }
    this.at++;
    return { kind: "object", members, start, end: this.at };
  }

  private array(depth: number): JsonArray {
    const start = this.at++;
    const elements: JsonNode[] = [];
    for (;;) {
      this.blanks();
      if (this.text[this.at] === "]" && (elements.length === 0 || this.comments)) break;
      elements.push(this.value(depth + 1));
      this.blanks();
      if (this.text[this.at] === "]") break;
      if (this.text[this.at] !== ",") this.fail("',' or ']' is expected");
      this.at++;
    }
    this.at++;
    return { kind: "array", elements, start, end: this.at };
  }

  private string(): JsonString {
    const start = this.at++;
    let value = "";
    for (;;) {
      const c = this.text[this.at];
      if (c === undefined || c === "\n") this.fail("the string is not closed", start, this.at);
      if (c < " ") this.fail("a control character in a string is written as an escape");
      this.at++;
      if (c === '"') return { kind: "string", value, start, end: this.at };
      if (c !== "\\") {
        value += c;
        continue;
      }
      const e = this.text[this.at++] ?? "";
      if (e === "u") {
        const digits = this.text.slice(this.at, this.at + 4);
        if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("four hexadecimal digits are expected after '\\u'");
        value += String.fromCharCode(parseInt(digits, 16));
        this.at += 4;
        continue;
      }
      const plain = escapes[e];
      if (plain === undefined) this.fail(`'\\${e}' is no escape of JSON`, this.at - 2, this.at);
      value += plain;
    }
  }

  private number(): JsonNumber {
    const start = this.at;
    const form = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
    form.lastIndex = start;
    const text = form.exec(this.text)?.[0];
    const next = text === undefined ? "" : (this.text[start + text.length] ?? "");
    if (text === undefined || /[0-9A-Za-z_.]/.test(next)) {
      const whole = /[-+0-9A-Za-z_.]+/y;
      whole.lastIndex = start;
      const written = whole.exec(this.text)?.[0] ?? "";
      this.fail(`'${written}' is no number of JSON (write it as a string)`, start, start + written.length);
    }
    this.at += text.length;
    return { kind: "number", text, value: Number(text), start, end: this.at };
  }
}
