/**
 * Whether a language declares a name, in any of its versions or with an extension, translated or not: its types, and
 * what is reserved since it is declared before the first line; then what need not be reserved.
 */
import type { SourceForm } from "./ids.js";
import { languages, readingFacts } from "./languages.js";

export function isBuiltin(form: SourceForm, name: string): boolean {
  const { words } = languages[form];
  const reserved = languages[form].reserved();
  const { builtins } = readingFacts(form);
  return (
    words.types.has(name) ||
    words.typePattern.test(name) ||
    words.typeTemplates.has(name) ||
    words.functionTemplates.has(name) ||
    reserved.declared.has(name) ||
    reserved.declaredForm?.test(name) === true ||
    reserved.more?.function?.has(name) === true ||
    builtins.names.has(name) ||
    builtins.form.test(name)
  );
}
