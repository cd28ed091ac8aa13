/** Names with letters beyond ASCII as languages without such names have them: `δx` is `deltax`, `é` is `e`, and others are their numbers. */

const greek =
  `alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega`.split(
    " ",
  );
/** Forms of Greek letters that lie elsewhere in Unicode. */
const otherGreek: Readonly<Record<string, string>> = {
  ϵ: "epsilon",
  ϑ: "theta",
  ϕ: "phi",
  ϱ: "rho",
  ϖ: "pi",
  ϰ: "kappa",
};

function asciiLetter(letter: string): string {
  if (Object.hasOwn(otherGreek, letter)) return otherGreek[letter]!;
  const code = letter.codePointAt(0)!;
  const small = greek[code - 0x3b1];
  if (small !== undefined) return small;
  const capital = greek[code - 0x391];
  if (capital !== undefined) return capital[0]!.toUpperCase() + capital.slice(1);
  return `u${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Letters of ASCII, digits and `_` as they are. */
export function asciiName(name: string): string {
  if (/^[\0-\x7f]*$/.test(name)) return name;
  // Marks stand behind their letters (NFKD), and letters in other forms (`µ`, `ℓ`, `𝜎`) are those they are forms of.
  return name
    .normalize("NFKD")
    .replace(/(?<=\P{ASCII}|[A-Za-z])\p{Mn}+/gu, "")
    .replace(/\P{ASCII}/gu, asciiLetter);
}
