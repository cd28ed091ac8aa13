/**
 * A module in two: what common kernels run, and what they never do (scripts/rarely-run.json, which scripts/find-rarely-run.mjs writes),
 * which a page loads when it is called (src/support/deferred.ts).
 */
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import ts from "typescript";

const list = new URL("rarely-run.json", import.meta.url);
/** By part and module: names of functions, and of what classes and objects have as `Class.method` and `object.key`, with blanks between. */
const rare = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : {};
/** By module and name: the part, and what it is exported as there. */
const places = {};
for (const [part, modules] of Object.entries(rare)) {
  let count = 0;
  for (const [module, names] of Object.entries(modules))
    for (const name of names.split(" ")) (places[module] ??= {})[name] = { part, alias: `$${(count++).toString(36)}` };
}
const placeOf = (module, name) =>
  Object.hasOwn(places, module) && Object.hasOwn(places[module], name) ? places[module][name] : undefined;

/** The part that a module's function is in, if it is in one. */
export const rarePartOf = (module, name) => placeOf(module, name)?.part;
export const rareModulesOf = (part) => Object.keys(rare[part]);

const isExported = (s) => s.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword) ?? false;
/** What leaves its function by other ways than a call of it could. */
const needsItsPlace = (node) => {
  let found = false;
  const look = (n) => {
    if (n.kind === ts.SyntaxKind.SuperKeyword || ts.isPrivateIdentifier(n) || ts.isMetaProperty(n)) found = true;
    else ts.forEachChild(n, look);
  };
  look(node);
  return found;
};

/** Functions that a module's constant object has by keys without blanks. */
const entriesOf = (object, { properties }) =>
  properties.flatMap((p) =>
    ts.isPropertyAssignment(p) && ts.isArrowFunction(p.initializer) && /^[\w."]+$/.test(p.name.getText())
      ? [{ name: `${object}.${p.name.text}`, node: p.initializer, entry: true }]
      : [],
  );

/**
 * Functions and methods of a module that can be moved: `{ name, node, statement?, method?, entry? }`, by what they are; overloads are left
 * where they are.
 */
export function movable(source) {
  const all = source.statements.flatMap((s) => {
    if (ts.isFunctionDeclaration(s) && s.name) return [{ name: s.name.text, node: s, statement: s }];
    if (ts.isVariableStatement(s) && s.declarationList.declarations.length === 1) {
      const [{ name, initializer }] = s.declarationList.declarations;
      const isConstant = (s.declarationList.flags & ts.NodeFlags.Const) !== 0;
      if (!isConstant || !ts.isIdentifier(name) || !initializer) return [];
      if (ts.isObjectLiteralExpression(initializer)) return entriesOf(name.text, initializer);
      return ts.isArrowFunction(initializer) ? [{ name: name.text, node: initializer, statement: s }] : [];
    }
    if (!ts.isClassDeclaration(s) || !s.name) return [];
    return s.members.flatMap((m) =>
      ts.isMethodDeclaration(m) && ts.isIdentifier(m.name)
        ? [{ name: `${s.name.text}.${m.name.text}`, node: m, method: m.name.text }]
        : [],
    );
  });
  const count = (name) => all.filter((f) => rareName(f.name) === rareName(name)).length;
  return all.filter(({ name, node }) => count(name) === 1 && node.body && !node.asteriskToken && !needsItsPlace(node));
}

const rareName = (name) => name.replace(/\W/g, "_");

/** Every name that stands in a text. */
const wordsOf = (text) => new Set(text.match(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu));

/** The imports that a text needs, with names that are rarely run taken from where they went. */
function importsFor(source, text, together) {
  const words = wordsOf(text);
  return source.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    if (!importClause || importClause.isTypeOnly) return [];
    const { name, namedBindings } = importClause;
    const from = moduleSpecifier.text;
    const lines = [];
    if (name && words.has(name.text)) lines.push(`import ${name.text} from ${JSON.stringify(from)};`);
    if (namedBindings && ts.isNamespaceImport(namedBindings) && words.has(namedBindings.name.text))
      lines.push(`import * as ${namedBindings.name.text} from ${JSON.stringify(from)};`);
    if (namedBindings && ts.isNamedImports(namedBindings)) {
      for (const e of namedBindings.elements) {
        if (e.isTypeOnly || !words.has(e.name.text)) continue;
        const there = (e.propertyName ?? e.name).text;
        const at = together?.(from, there) ?? from;
        lines.push(`import { ${there} as ${e.name.text} } from ${JSON.stringify(at)};`);
      }
    }
    return lines;
  });
}

/** Names that a pattern of a declaration binds. */
const boundBy = (name) =>
  ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((e) => (ts.isBindingElement(e) ? boundBy(e.name) : []));

/** Names that a module declares and that are values. */
const declared = (source) =>
  source.statements.flatMap((s) => {
    const exported = isExported(s);
    if ((ts.isFunctionDeclaration(s) || ts.isClassDeclaration(s) || ts.isEnumDeclaration(s)) && s.name)
      return [{ name: s.name.text, exported }];
    if (!ts.isVariableStatement(s)) return [];
    return s.declarationList.declarations.flatMap((d) => boundBy(d.name)).map((name) => ({ name, exported }));
  });

/**
 * `usual` is the module without what is rarely run; `parts` has that by the part it is loaded with, and its exports there. `together` says of an import of what is
 * in a part where it can be had from directly. Absent where all of the module is usual.
 */
export function split(module, text, together) {
  if (!Object.hasOwn(places, module)) return undefined;
  const source = ts.createSourceFile(module, text, ts.ScriptTarget.Latest, true);
  const out = movable(source).flatMap((f) => {
    const place = placeOf(module, f.name);
    return place ? [{ ...f, ...place }] : [];
  });
  if (out.length === 0) return undefined;
  const loaders = [...new Set(out.map(({ part }) => part))];
  const loader = (part) => `$rare${loaders.indexOf(part)}`;
  const cuts = out.map(({ name, part, alias, node, method, entry, statement }) => {
    const call = `${loader(part)}().${alias}`;
    if (entry) return { from: node.getStart(), to: node.end, text: `(...all) => ${call}(...all)` };
    if (method === undefined) {
      const stub = `function ${name}() { return ${call}(...arguments); }`;
      return { from: statement.getStart(), to: statement.end, text: isExported(statement) ? `export ${stub}` : stub };
    }
    return { from: node.name.end, to: node.end, text: `() { return ${call}.apply(this, arguments); }` };
  });
  const imports = source.statements.filter(ts.isImportDeclaration);
  let usual = text;
  for (const { from, to, text: instead } of [
    ...cuts,
    ...imports.map((s) => ({ from: s.getStart(), to: s.end, text: "" })),
  ].sort((a, b) => b.from - a.from))
    usual = usual.slice(0, from) + instead + usual.slice(to);
  const all = declared(source);
  const hidden = new Set();
  const parts = new Map(
    loaders.map((part) => {
      const moved = out.filter((f) => f.part === part);
      const rest = moved.map((f) => textOf(f, text)).join("\n");
      const own = new Set(moved.flatMap(({ name, statement }) => (statement === undefined ? [] : [name])));
      const words = wordsOf(rest);
      const needed = all.filter(({ name }) => words.has(name) && !own.has(name));
      for (const { name, exported } of needed) if (!exported) hidden.add(name);
      const itself = JSON.stringify(`./${basename(module)}`);
      const names = needed.map(({ name }) => name).join(", ");
      const lines = [
        ...importsFor(source, rest, (from, name) => together(part, from, name)),
        needed.length > 0 ? `import { ${names} } from ${itself};` : "",
        rest,
      ];
      const exported = moved.map(({ name, alias }) => `${rareName(name)} as ${alias}`).join(", ");
      return [part, { text: lines.join("\n"), exported }];
    }),
  );
  return {
    usual: [
      ...importsFor(source, usual),
      ...loaders.map((part) => `import { of as ${loader(part)} } from ${JSON.stringify(`rare-ones:${part}`)};`),
      usual,
      hidden.size > 0 ? `export { ${[...hidden].join(", ")} };` : "",
    ].join("\n"),
    parts,
  };
}

/** A function or method as a function by itself. */
function textOf({ name, node, method, entry, statement }, text) {
  if (entry) return `export const ${rareName(name)} = ${node.getText()};`;
  if (method === undefined) return `${isExported(statement) ? "" : "export "}${statement.getText()}`;
  const isAsync = node.modifiers?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  return `export ${isAsync ? "async " : ""}function ${rareName(name)}${text.slice(node.name.end, node.end)}`;
}
