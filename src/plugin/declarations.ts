/**
 * Types of the kernels that are imported with `?ts`, in a file that the plug-in writes: a declaration for all files of a kind can
 * name no kernel. Entries of other runs stay as long as their kernel's file is there, since a development server loads but a few.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { portable } from "../build/file-view.js";
import { writeWhole } from "../build/output-files.js";

const head = `// Kernels that are imported as functions, written by crosslane; changes are lost.
/// <reference types="crosslane/texts" />
`;
const entry = /^\/\/ (.+)\n(declare module "[^"\n]*" \{\n[^]*?^\}\n)/gm;

export class Declarations {
  /** Texts by the import as it is found: the file's path below the root, and the query. */
  private readonly modules = new Map<string, string>();

  constructor(
    private readonly file: string,
    private readonly root: string,
  ) {
    for (const [, id, text] of this.read()?.matchAll(entry) ?? [])
      if (existsSync(resolve(root, id!.split("?")[0]!))) this.modules.set(id!, text!);
  }

  /** `exported` are the module's declarations. */
  note(path: string, query: string, exported: string): void {
    const kernels = [...exported.matchAll(/^export function (\w+)/gm)].map(([, name]) => name!);
    const all = `declare const kernels: { ${kernels.map((k) => `readonly ${k}: typeof ${k}`).join("; ")} };`;
    const body = `import type { Launch } from "crosslane/runtime";\n${exported}${all}\nexport default kernels;\n`;
    // In a declared module everything is declared.
    const lines = body
      .replaceAll(/^declare /gm, "")
      .trimEnd()
      .replaceAll(/^(?=.)/gm, "  ");
    const text = `declare module "*/${basename(path)}?${query}" {\n${lines}\n}\n`;
    this.modules.set(`${portable(this.root, path)}?${query}`, text);
    this.write();
  }

  private write(): void {
    const sorted = [...this.modules].sort(([a], [b]) => (a < b ? -1 : 1));
    const nameOf = (text: string): string => text.slice(0, text.indexOf("\n"));
    const parts = sorted.flatMap(([id, text]) => {
      const others = sorted.filter(([, other]) => nameOf(other) === nameOf(text));
      if (others[0]![0] !== id)
        return others.every(([, other]) => other === text) ? [`// ${id}: as ${others[0]![0]}\n`] : [];
      if (others.every(([, other]) => other === text)) return [`// ${id}\n${text}`];
      // One star is all that a pattern has.
      const files = others.map(([other]) => other).join(" and ");
      return [`// ${files} are imported by one name, and have no types here.\n${nameOf(text).replace(/ \{$/, ";")}\n`];
    });
    const whole = `${head}\n${parts.join("\n")}`;
    if (whole !== this.read()) writeWhole(this.file, whole);
  }

  private read(): string | undefined {
    try {
      return readFileSync(this.file, "utf8");
    } catch {
      return undefined;
    }
  }
}
