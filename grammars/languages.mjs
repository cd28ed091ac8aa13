/**
 * The grammars of the languages as one: what they share, and rules that each has of its own. Those are hooks of the core (every language
 * has a rule of that name), which become one rule that asks which language is read, or helpers of one language alone.
 */

/** A rule, as `name` and what stands behind its `=`. */
function rulesOf({ source, text }) {
  const heads = [...text.matchAll(/^([A-Z]\w*)(?: "[^"]*")?\s*=\s*/gm)];
  return heads.map((head, i) => {
    const next = heads[i + 1]?.index ?? text.length;
    // Comments in front of the next rule are not of this one.
    const body = text.slice(head.index + head[0].length, next).replace(/\n+(?:\/\/.*\n|\n)*$/, "");
    return { source, name: head[1], body };
  });
}

/** The grammar's text of all languages' own rules; throws where a language has not what the others have. */
export function languageRules(grammars) {
  const languages = Object.keys(grammars);
  const rules = new Map();
  for (const language of languages)
    for (const { name, body } of rulesOf(grammars[language])) {
      if (!rules.has(name)) rules.set(name, new Map());
      const bodies = rules.get(name);
      bodies.set(body, [...(bodies.get(body) ?? []), language]);
    }
  return [...rules].map(([name, bodies]) => rule(name, bodies, languages)).join("\n\n");
}

/** What never matches needs no way of its own. */
const never = "!. .";

function rule(name, bodies, languages) {
  const having = [...bodies.values()].flat();
  if (having.length === 1 || (bodies.size === 1 && having.length === languages.length))
    return `${name}\n  = ${[...bodies.keys()][0]}`;
  const missing = languages.filter((language) => !having.includes(language));
  if (missing.length > 0) throw new Error(`${missing.join(", ")}: no rule ${name}, which ${having.join(", ")} have`);
  const ways = [...bodies].filter(([body]) => body !== never);
  return `${name}\n  = ${ways.map(([body, of]) => `&{ return ${isOneOf(of)}; } @(${body})`).join("\n  / ")}`;
}

/** In the parser `language` is the one that is read. */
const isOneOf = (languages) => languages.map((l) => `language === ${JSON.stringify(l)}`).join(" || ");
