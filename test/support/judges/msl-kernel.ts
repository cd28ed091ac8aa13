import { addressSpaces, gridAttributes, inputAttributes, standardAttributes } from "./msl-language.js";
import type { Draft } from "./msl-check.js";
import { closing } from "./msl-tokens.js";
import type { Token } from "./msl-tokens.js";

export interface Attribute {
  readonly name: string;
  readonly argument: string;
  readonly at: Token;
}

export function isKernelHead(head: readonly Token[]): boolean {
  return head.some(({ text }) => text === "kernel");
}

/**
 * Reads the `[[...]]` between two token indices and takes them out of the text. `objection` says why a name is wrong
 * there; attributes of C++ itself are left for clang.
 */
export function readAttributes(
  draft: Draft,
  tokens: readonly Token[],
  start: number,
  end: number,
  objection: (name: string) => string | undefined,
): Attribute[] {
  const found: Attribute[] = [];
  for (let i = start; i < end; i++) {
    if (tokens[i]!.text !== "[" || tokens[i + 1]?.text !== "[") continue;
    const close = closing(tokens, i);
    if (close < 0 || tokens[close - 1]!.text !== "]") {
      draft.refuse(tokens[i]!, "an attribute is not closed");
      return found;
    }
    let standard = 0;
    for (let j = i + 2; j < close - 1; j++) {
      const name = tokens[j]!;
      if (name.text === ",") continue;
      let argument = "";
      if (tokens[j + 1]!.text === "(") {
        const last = closing(tokens, j + 1);
        argument = tokens
          .slice(j + 2, last)
          .map(({ text }) => text)
          .join(" ");
        j = last;
      }
      if (standardAttributes.has(name.text)) {
        if (tokens[j + 1]!.text === "::") j += 2;
        standard++;
        continue;
      }
      const why = name.kind === "word" ? objection(name.text) : "an attribute has no name";
      if (why !== undefined) draft.refuse(name, why);
      else found.push({ name: name.text, argument, at: name });
    }
    if (standard === 0) {
      const stop = tokens[close]!;
      draft.replace(tokens[i]!.start, stop.start + stop.text.length, " ");
    }
    i = close;
  }
  return found;
}

const resourceAttributes: ReadonlySet<string> = new Set(["buffer", "threadgroup"]);
const maximalIndex = 30;

/** `open` is the index of the parameter list's parenthesis. */
export function checkKernel(draft: Draft, tokens: readonly Token[], start: number, open: number): void {
  const head = tokens.slice(start, open);
  const name = head[head.length - 1]!;
  if (name.text === "main") draft.refuse(name, "a Metal function cannot be called main");
  readAttributes(draft, tokens, start, open, (attribute) =>
    attribute === "max_total_threads_per_threadgroup" ? undefined : `[[${attribute}]] is no attribute of a kernel`,
  );
  if (head[head.length - 2]?.text !== "void") draft.refuse(name, "a kernel returns void");
  const attributeKernel = head.find(({ text }, i) => text === "kernel" && head[i - 1]?.text === "[");
  if (attributeKernel !== undefined) draft.refuse(attributeKernel, "[[kernel]] is written kernel");

  const close = closing(tokens, open);
  const taken = new Set<string>();
  const components = new Map<string, number>();
  for (const [from, to] of parameters(tokens, open, close)) checkParameter(draft, tokens, from, to, taken, components);
  if (new Set(components.values()).size > 1) {
    const listed = [...components].map(([attribute, n]) => `${attribute} ${n}`).join(", ");
    draft.refuse(name, `the positions and sizes of a kernel have one number of components: ${listed}`);
  }
  for (let i = close + 1; i < tokens.length && tokens[i]!.text !== "{" && tokens[i]!.text !== ";"; i++) {
    draft.refuse(tokens[i]!, `${tokens[i]!.text} after a kernel's parameters`);
  }
  const body = tokens[close + 1];
  if (body?.text === "{") {
    const end = closing(tokens, close + 1);
    readAttributes(draft, tokens, close + 1, end, (attribute) => `[[${attribute}]] inside a function`);
  }
}

function parameters(tokens: readonly Token[], open: number, close: number): [number, number][] {
  const ranges: [number, number][] = [];
  let from = open + 1;
  let angle = 0;
  for (let i = open + 1; i <= close; i++) {
    const { text } = tokens[i]!;
    if (text === "(" || text === "[" || text === "{") i = closing(tokens, i);
    else if (text === "<") angle++;
    else if (text === ">") angle--;
    else if ((text === "," && angle === 0) || i === close) {
      if (i > from) ranges.push([from, i]);
      from = i + 1;
    }
  }
  return ranges;
}

function checkParameter(
  draft: Draft,
  tokens: readonly Token[],
  from: number,
  to: number,
  taken: Set<string>,
  components: Map<string, number>,
): void {
  const first = tokens[from]!;
  const all = readAttributes(draft, tokens, from, to, (name) =>
    resourceAttributes.has(name) || name in inputAttributes || name === "function_constant"
      ? undefined
      : `unknown attribute [[${name}]]`,
  );
  const firstBracket = tokens.findIndex(({ text }, i) => i >= from && i < to && text === "[");
  const declared = tokens.slice(from, firstBracket < 0 ? to : firstBracket);
  if (declared.length === 1 && first.text === "void") return;
  const name = declared[declared.length - 1]!;
  // Beside what the parameter is: whether the host gives it (MSL 5.8.1).
  const attributes = all.filter((a) => a.name !== "function_constant" || all.length === 1);
  const pointer = declared.some(({ text }) => text === "*" || text === "&");
  if (attributes.length > 1) draft.refuse(name, `${name.text} has more than one attribute`);
  const attribute = attributes[0];
  if (pointer) checkResource(draft, name, declared, attribute, taken);
  else if (attribute === undefined) draft.refuse(name, `${name.text} is a value and has no attribute`);
  else if (resourceAttributes.has(attribute.name))
    draft.refuse(name, `[[${attribute.name}]] on ${name.text}, which is no pointer or reference`);
  else {
    const type = declared.slice(0, -1).filter(({ text }) => text !== "const" && text !== "metal" && text !== "::");
    const allowed = inputAttributes[attribute.name];
    const spelled = type.map(({ text }) => text).join(" ");
    if (allowed !== undefined && !allowed.includes(spelled)) {
      draft.refuse(name, `[[${attribute.name}]] is ${allowed.join(" or ")}, not ${spelled}`);
    }
    if (attribute.argument !== "") draft.refuse(name, `[[${attribute.name}]] takes no argument`);
    if (taken.has(attribute.name)) draft.refuse(name, `[[${attribute.name}]] is there twice`);
    taken.add(attribute.name);
    if (gridAttributes.has(attribute.name)) components.set(attribute.name, Number(/[23]$/.exec(spelled)?.[0] ?? 1));
  }
}

function checkResource(
  draft: Draft,
  name: Token,
  declared: readonly Token[],
  attribute: Attribute | undefined,
  taken: Set<string>,
): void {
  const space = declared.find(({ text }) => addressSpaces.has(text))?.text;
  if (space === undefined) return; // Refused with all other pointers that name none.
  if (space === "thread") {
    draft.refuse(name, "a kernel's pointers are device, constant or threadgroup");
    return;
  }
  const expected = space === "threadgroup" ? "threadgroup" : "buffer";
  if (attribute === undefined) {
    // Metal finds slots for buffers and for references to threadgroup variables itself.
    const isPointer = declared.some(({ text }) => text === "*");
    if (expected === "threadgroup" && isPointer) draft.refuse(name, `${name.text} needs [[threadgroup(n)]]`);
    return;
  }
  if (attribute.name !== expected) {
    draft.refuse(name, `a ${space} pointer takes [[${expected}(n)]], not [[${attribute.name}]]`);
    return;
  }
  if (!/^\d+$/.test(attribute.argument)) {
    draft.refuse(name, `[[${expected}]] takes an index`);
    return;
  }
  const slot = `${expected} ${Number(attribute.argument)}`;
  if (Number(attribute.argument) > maximalIndex)
    draft.refuse(name, `[[${expected}(${attribute.argument})]] is above ${maximalIndex}`);
  if (taken.has(slot)) draft.refuse(name, `[[${expected}(${attribute.argument})]] is there twice`);
  taken.add(slot);
}
