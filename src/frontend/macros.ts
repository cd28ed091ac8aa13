/**
 * Macro expansion after C23 6.10.5: arguments are expanded before they are put in, `#` and `##` work on them as written,
 * and the result is scanned again together with what follows, where a macro does not expand inside itself.
 */
import { onceEach } from "../support/once.js";
import { Kind, Scanner, wouldJoin } from "../support/scan.js";

/** A preprocessing token. `spaced`: white space before it. */
export interface PpToken {
  readonly kind: Kind;
  readonly text: string;
  readonly spaced: boolean;
  /** Met inside its own expansion: never expanded again. */
  readonly painted?: boolean;
}

export interface Macro {
  readonly name: string;
  readonly parameters?: readonly string[];
  /** The last parameter takes the rest of the arguments. */
  readonly variadic: boolean;
  readonly body: readonly PpToken[];
  /** Defined by the source, not by the dialect or the command line. */
  readonly ofSource: boolean;
}

/** Where tokens after a macro's name come from. */
export interface TokenSource {
  /** Whether the next token is `(`; nothing is consumed. */
  nextIsParen(): boolean;
  /** The next token, undefined at the end. */
  read(): PpToken | undefined;
}

/** A use that cannot be expanded; the message is for people. */
export class ExpansionError extends Error {}
/** The expansion grows without bound. */
export class ExpansionLimit extends Error {}

const maxTokens = 8_000_000;
const maxTokenLength = 65_536;
const maxArgumentDepth = 256;

interface Context {
  readonly tokens: readonly PpToken[];
  next: number;
  readonly macro: string;
}

/** Whether something is to be done with the body of a macro without parameters. */
const joins = onceEach((macro: Macro): boolean =>
  macro.body.some(({ text }) => text === "##" || text === "__VA_OPT__"),
);

export class Expander {
  private made = 0;
  private readonly disabled = new Set<string>();

  constructor(private readonly lookup: (name: string) => Macro | undefined) {}

  /** The full expansion of the macro that `first` names; undefined where it is a function-like macro without arguments. */
  expandUse(first: PpToken, source: TokenSource): readonly PpToken[] | undefined {
    const macro = this.lookup(first.text)!;
    if (macro.parameters && !source.nextIsParen()) return undefined;
    this.disabled.clear();
    return this.run([first], source, 0);
  }

  expandList(tokens: readonly PpToken[]): readonly PpToken[] {
    this.disabled.clear();
    return this.run(tokens, undefined, 0);
  }

  private count(n: number): void {
    this.made += n;
    if (this.made > maxTokens) throw new ExpansionLimit(`macros expand to more than ${maxTokens} tokens`);
  }

  /** Expands `first`; while macros of it are open, tokens of `source` may be taken as arguments. */
  private run(first: readonly PpToken[], source: TokenSource | undefined, depth: number): PpToken[] {
    if (depth > maxArgumentDepth)
      throw new ExpansionLimit(`macro arguments are nested deeper than ${maxArgumentDepth}`);
    const output: PpToken[] = [];
    const contexts: Context[] = [{ tokens: first, next: 0, macro: "" }];
    const settle = (): Context | undefined => {
      for (let top = contexts.at(-1); top; top = contexts.at(-1)) {
        if (top.next < top.tokens.length) return top;
        contexts.pop();
        this.disabled.delete(top.macro);
      }
      return undefined;
    };
    const stream: TokenSource = {
      nextIsParen: () => {
        const top = settle();
        if (top) return top.tokens[top.next]!.text === "(";
        return source?.nextIsParen() ?? false;
      },
      read: () => {
        const top = settle();
        return top ? top.tokens[top.next++] : source?.read();
      },
    };
    for (let top = settle(); top; top = settle()) {
      const token = top.tokens[top.next++]!;
      this.count(1);
      const macro = token.kind === Kind.word && !token.painted ? this.lookup(token.text) : undefined;
      if (!macro) {
        output.push(token);
        continue;
      }
      if (this.disabled.has(macro.name)) {
        output.push({ ...token, painted: true });
        continue;
      }
      let replacement: readonly PpToken[];
      if (macro.parameters) {
        if (!stream.nextIsParen()) {
          output.push(token);
          continue;
        }
        replacement = this.substitute(macro, this.collectArguments(macro, stream), depth);
      } else replacement = joins(macro) ? this.substitute(macro, [], depth) : macro.body;
      this.count(replacement.length);
      if (replacement.length > 0 && replacement[0]!.spaced !== token.spaced) {
        replacement = [{ ...replacement[0]!, spaced: token.spaced }, ...replacement.slice(1)];
      }
      contexts.push({ tokens: replacement, next: 0, macro: macro.name });
      this.disabled.add(macro.name);
    }
    return output;
  }

  private collectArguments(macro: Macro, stream: TokenSource): PpToken[][] {
    const parameters = macro.parameters!;
    stream.read();
    const args: PpToken[][] = [[]];
    for (let depth = 0; ;) {
      const token = stream.read();
      if (!token) throw new ExpansionError(`the arguments of macro '${macro.name}' are never closed`);
      this.count(1);
      if (token.text === ")" && depth === 0) break;
      if (token.text === "(") depth++;
      else if (token.text === ")") depth--;
      const restOfArguments = macro.variadic && args.length === parameters.length;
      if (token.text === "," && depth === 0 && !restOfArguments) args.push([]);
      else args.at(-1)!.push(token);
    }
    if (parameters.length === 0 && args.length === 1 && args[0]!.length === 0) return [];
    if (macro.variadic && args.length === parameters.length - 1) args.push([]);
    if (args.length !== parameters.length) {
      const wanted = macro.variadic ? `at least ${parameters.length - 1}` : `${parameters.length}`;
      throw new ExpansionError(
        `macro '${macro.name}' takes ${wanted} argument${wanted === "1" ? "" : "s"} but is given ${args.length}`,
      );
    }
    return args;
  }

  private substitute(macro: Macro, args: readonly PpToken[][], depth: number): readonly PpToken[] {
    const expanded: (readonly PpToken[])[] = [];
    const expandedArgument = (index: number): readonly PpToken[] =>
      (expanded[index] ??= this.run(args[index]!, undefined, depth + 1));
    return this.substituteBody(macro, macro.body, args, expandedArgument);
  }

  private substituteBody(
    macro: Macro,
    body: readonly PpToken[],
    args: readonly PpToken[][],
    expandedArgument: (index: number) => readonly PpToken[],
  ): readonly PpToken[] {
    const parameters = macro.parameters ?? [];
    const indices = new Map(parameters.map((name, index) => [name, index]));
    const indexOf = (token: PpToken | undefined): number =>
      token?.kind === Kind.word ? (indices.get(token.text) ?? -1) : -1;
    const isPaste = (token: PpToken | undefined): boolean => token?.kind === Kind.sign && token.text === "##";
    const output: (PpToken | Placemarker)[] = [];
    const put = (tokens: readonly PpToken[], spaced: boolean): void => {
      if (tokens.length === 0) {
        output.push(placemarker);
        return;
      }
      tokens.forEach((token, i) => output.push(i === 0 && token.spaced !== spaced ? { ...token, spaced } : token));
    };
    /** Tokens after `##` are joined to the last one of the output. */
    const putPasted = (tokens: readonly PpToken[]): void => {
      const left = output.pop()!;
      const [first, ...rest] = tokens;
      if (first === undefined) output.push(left);
      else if (left === placemarker) output.push(first);
      else output.push(paste(left, first));
      for (const token of rest) output.push(token);
    };

    for (let at = 0; at < body.length; at++) {
      const token = body[at]!;
      let pasting = false;
      let current = token;
      if (isPaste(token) && output.length > 0) {
        pasting = true;
        current = body[++at]!;
      }
      const parameter = indexOf(current);
      if (macro.parameters && current.text === "#" && current.kind === Kind.sign && indexOf(body[at + 1]) >= 0) {
        const text = stringify(args[indexOf(body[++at])]!);
        const string: PpToken = { kind: Kind.string, text, spaced: current.spaced };
        if (pasting) putPasted([string]);
        else output.push(string);
      } else if (macro.variadic && current.text === "__VA_OPT__" && body[at + 1]?.text === "(") {
        const close = closingParen(body, at + 1);
        const inner = body.slice(at + 2, close);
        const last = parameters.length - 1;
        const content =
          expandedArgument(last).length > 0 ? this.substituteBody(macro, inner, args, expandedArgument) : [];
        at = close;
        if (pasting) putPasted(content);
        else put(content, current.spaced);
      } else if (parameter >= 0) {
        const isRest = macro.variadic && parameter === parameters.length - 1;
        const argument = args[parameter]!;
        if (pasting) {
          const before = output.at(-1);
          // GNU: `, ## __VA_ARGS__` takes the comma away where there are no arguments, and joins nothing else.
          if (isRest && before !== placemarker && before?.text === ",") {
            if (argument.length === 0) output.pop();
            else for (const part of expandedArgument(parameter)) output.push(part);
          } else putPasted(argument);
        } else if (isPaste(body[at + 1])) put(argument, current.spaced);
        else put(expandedArgument(parameter), current.spaced);
      } else if (pasting) putPasted([current]);
      else output.push(current);
      this.count(1);
      if (output.length > maxTokens) this.count(output.length);
    }
    return output.filter((token): token is PpToken => token !== placemarker);
  }
}

/** An empty argument beside `##`. */
const placemarker = Symbol("placemarker");
type Placemarker = typeof placemarker;

function closingParen(tokens: readonly PpToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]!.text === "(") depth++;
    else if (tokens[at]!.text === ")" && --depth === 0) return at;
  }
  throw new ExpansionError("the parenthesis of __VA_OPT__ is never closed");
}

function paste(left: PpToken, right: PpToken): PpToken {
  const text = left.text + right.text;
  if (text.length > maxTokenLength) throw new ExpansionLimit("joining with ## makes an endless token");
  const scanner = new Scanner(text);
  const kind = scanner.next();
  if (scanner.position !== text.length || kind >= Kind.lineComment) {
    throw new ExpansionError(`joining '${left.text}' and '${right.text}' with ## gives no token`);
  }
  return { kind, text, spaced: left.spaced };
}

function stringify(tokens: readonly PpToken[]): string {
  let text = "";
  tokens.forEach((token, i) => {
    if (i > 0 && token.spaced) text += " ";
    const quoted = token.kind === Kind.string || token.kind === Kind.character;
    text += quoted ? token.text.replace(/["\\]/g, "\\$&") : token.text;
    if (text.length > maxTokenLength) throw new ExpansionLimit("# makes an endless string");
  });
  return `"${text}"`;
}

/** The text of tokens: blanks where they had them, or where two would join. */
export function spell(tokens: readonly PpToken[]): string {
  // Joined at the end: to look at the end of a string that grows copies it.
  const parts: string[] = [];
  let end = "";
  for (const token of tokens) {
    if (parts.length > 0 && (token.spaced || wouldJoin(end, token.text))) {
      parts.push(" ");
      end = " ";
    }
    parts.push(token.text);
    end = token.text.length > 1 ? token.text.slice(-2) : (end + token.text).slice(-2);
  }
  return parts.join("");
}

export function tokensOf(text: string): PpToken[] {
  const scanner = new Scanner(text);
  const tokens: PpToken[] = [];
  for (let kind = scanner.next(); kind !== Kind.end; kind = scanner.next()) {
    if (kind === Kind.lineComment || kind === Kind.blockComment) continue;
    tokens.push({ kind, text: text.slice(scanner.start, scanner.position), spaced: scanner.spaced });
  }
  return tokens;
}

/**
 * Reads what stands after `#define`. `error` says what is wrong with it; such a definition is not to be used.
 */
export function defineMacro(tokens: readonly PpToken[], ofSource: boolean): Macro | { readonly error: string } {
  const [first] = tokens;
  if (!first || first.kind !== Kind.word) return { error: "#define needs the name of a macro" };
  const name = first.text;
  if (name === "defined" || name === "__VA_ARGS__" || name === "__VA_OPT__")
    return { error: `'${name}' cannot be a macro` };
  let at = 1;
  let parameters: Set<string> | undefined;
  let variadic = false;
  if (tokens[1]?.text === "(" && !tokens[1].spaced) {
    parameters = new Set();
    at = 2;
    if (tokens[at]?.text === ")") at++;
    else {
      for (;;) {
        const token = tokens[at++];
        if (token?.text === "...") {
          variadic = true;
          parameters.add("__VA_ARGS__");
        } else if (token?.kind === Kind.word) {
          if (parameters.has(token.text))
            return { error: `parameter '${token.text}' of macro '${name}' appears twice` };
          parameters.add(token.text);
          // GNU: `args...`
          if (tokens[at]?.text === "...") {
            variadic = true;
            at++;
          }
        } else return { error: `the parameters of macro '${name}' are malformed` };
        const after = tokens[at++];
        if (after?.text === ")") break;
        if (after?.text !== "," || variadic) return { error: `the parameters of macro '${name}' are malformed` };
      }
    }
  }
  const body = tokens.slice(at).map((token, i) => (i === 0 && token.spaced ? { ...token, spaced: false } : token));
  if (body[0]?.text === "##" || body.at(-1)?.text === "##") return { error: `## stands at an end of macro '${name}'` };
  if (parameters) {
    for (const [i, token] of body.entries()) {
      const isHash = token.kind === Kind.sign && token.text === "#";
      const next = body[i + 1];
      if (isHash && !(next && parameters.has(next.text))) {
        return { error: `# in macro '${name}' is not followed by a parameter` };
      }
    }
  }
  return { name, ...(parameters ? { parameters: [...parameters] } : {}), variadic, body, ofSource };
}

export function sameMacro(a: Macro, b: Macro): boolean {
  return (
    a.variadic === b.variadic &&
    a.parameters?.join() === b.parameters?.join() &&
    a.body.length === b.body.length &&
    a.body.every((token, i) => token.text === b.body[i]!.text && (i === 0 || token.spaced === b.body[i]!.spaced))
  );
}
