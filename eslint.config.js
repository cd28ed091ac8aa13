import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Rules that ask for types, of the files of tsconfig.json. */
const typed = { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } };

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", ".cache/", ".gpu/", "src/frontend/generated/", "fixtures/"] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ["src/**/*.ts", "emitters/**/*.ts"],
    extends: [tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: typed,
    rules: {
      "@typescript-eslint/no-deprecated": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      // Off, though it asks for types: no-unnecessary-condition takes variables that callbacks set for what they were at
      // first (30 of its 50 findings). Of the strict rules the others are about style.
    },
  },
  {
    // A part with a name tells more than a long function. Comments and blank lines count.
    files: ["src/**/*.ts", "emitters/**/*.ts", "bin/**/*.js"],
    rules: { "max-lines-per-function": ["error", { max: 100 }] },
  },
  {
    files: ["src/**/*.ts", "emitters/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.property.name=/^(push|unshift)$/] > SpreadElement",
          message: "A long list overflows the stack as arguments: use append or prepend of src/support/append.ts.",
        },
      ],
    },
  },
  {
    // A test that waits for nothing cannot fail.
    files: ["test/**/*.ts"],
    languageOptions: typed,
    rules: {
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
    },
  },
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: {
      globals: { process: "readonly", console: "readonly", performance: "readonly", URL: "readonly" },
    },
  },
  {
    // What Node starts with; see bin/load.js.
    files: ["bin/**/*.js"],
    languageOptions: {
      sourceType: "commonjs",
      globals: { require: "readonly", module: "writable", __dirname: "readonly" },
    },
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
  {
    rules: {
      // TypeScript itself reports unknown names.
      "no-undef": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": "error",
      eqeqeq: "error",
      "no-console": "off",
    },
  },
);
