/** What bindings are written in; apart from their printers, since a config is read without these. */
export const bindingExtensions = { ts: "ts", c: "h" } as const;
export type BindingLanguage = keyof typeof bindingExtensions;
export const bindingLanguages: readonly BindingLanguage[] = ["ts", "c"];
