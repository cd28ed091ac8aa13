/**
 * What may differ between a legal tree and the tree read back from its text, each with its reason. Everything else has to
 * agree letter for letter.
 */
export function roundtripForm(form: string): string {
  return form;
}
