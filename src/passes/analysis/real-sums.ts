/**
 * Floats as a compiler sees them that takes them for real numbers: sums of products of values it does not know. What comes
 * together there and was apart in the text is left out, with its roundings.
 */

/** A number times values, by their numbers, to whole powers. */
interface Term {
  readonly coefficient: number;
  readonly powers: ReadonlyMap<number, number>;
}

export interface RealSum<Step> {
  /** By their powers. */
  readonly terms: ReadonlyMap<string, Term>;
  /** Operations that round on the way to it. */
  readonly steps: ReadonlySet<Step>;
}

/** A sum with more than that, or of more steps, is a value of its own. */
const mostTerms = 24;
const mostSteps = 64;
/** What is left of two terms that are so much larger is rounding, for the most part. */
const lost = 64;
/** Such factors are there to keep products in the range of floats. */
const scale = 2 ** 32;

export interface Combined<Step> {
  readonly sum: RealSum<Step>;
  /** Terms of the operands left each other out. */
  readonly cancels: boolean;
}

const keyOf = (powers: ReadonlyMap<number, number>): string =>
  [...powers]
    .sort(([a], [b]) => a - b)
    .map(([value, power]) => `${String(value)}^${String(power)}`)
    .join("*");

export class RealSums<Step> {
  private readonly numbers = new Map<string, number>();
  private unnamed = 0;

  private number(name: string): number {
    const known = this.numbers.get(name) ?? this.numbers.size;
    this.numbers.set(name, known);
    return known;
  }

  /** Of two values with the same name each is the other. */
  value(name: string): RealSum<Step> {
    const powers = new Map([[this.number(name), 1]]);
    return { terms: new Map([[keyOf(powers), { coefficient: 1, powers }]]), steps: new Set() };
  }

  /** Like no other. */
  unknown(): RealSum<Step> {
    return this.value(`unknown ${String(this.unnamed++)}`);
  }

  constant(x: number): RealSum<Step> {
    return { terms: new Map([["", { coefficient: x, powers: new Map() }]]), steps: new Set() };
  }

  /** A name for it, short however long it is. */
  nameOf({ terms }: RealSum<Step>): string {
    const text = [...terms]
      .map(([key, t]) => `${String(t.coefficient)} ${key}`)
      .sort()
      .join(" + ");
    return String(this.number(`sum ${text}`));
  }

  /** Each of its values taken apart in the same way. */
  part({ terms, steps }: RealSum<Step>, how: string): RealSum<Step> {
    const parts = new Map<string, Term>();
    for (const { coefficient, powers } of terms.values()) {
      const own = new Map([...powers].map(([value, power]) => [this.number(`${how} ${String(value)}`), power]));
      parts.set(keyOf(own), { coefficient, powers: own });
    }
    return { terms: parts, steps };
  }

  negated({ terms, steps }: RealSum<Step>): RealSum<Step> {
    return {
      terms: new Map([...terms].map(([key, t]) => [key, { ...t, coefficient: -t.coefficient }])),
      steps,
    };
  }

  added(step: Step, a: RealSum<Step>, b: RealSum<Step>): Combined<Step> {
    const terms = new Map(a.terms);
    let cancels = false;
    for (const [key, { coefficient, powers }] of b.terms) {
      const there = terms.get(key)?.coefficient ?? 0;
      const both = there + coefficient;
      cancels ||= Math.abs(both) * lost <= Math.min(Math.abs(there), Math.abs(coefficient));
      if (both === 0) terms.delete(key);
      else terms.set(key, { coefficient: both, powers });
    }
    return this.combined(step, terms, a, b, cancels && !(isConstant(a) && isConstant(b)));
  }

  multiplied(step: Step, a: RealSum<Step>, b: RealSum<Step>): Combined<Step> {
    const terms = new Map<string, Term>();
    if (a.terms.size * b.terms.size > mostTerms) return { sum: this.unknown(), cancels: false };
    let cancels = false;
    for (const x of a.terms.values())
      for (const y of b.terms.values()) {
        const powers = new Map(x.powers);
        for (const [value, power] of y.powers) {
          const there = powers.get(value) ?? 0;
          cancels ||= there * power < 0;
          if (there + power === 0) powers.delete(value);
          else powers.set(value, there + power);
        }
        cancels ||= scalesBack(x.coefficient, y.coefficient);
        const key = keyOf(powers);
        const coefficient = (terms.get(key)?.coefficient ?? 0) + x.coefficient * y.coefficient;
        terms.set(key, { coefficient, powers });
      }
    return this.combined(step, terms, a, b, cancels && !(isConstant(a) && isConstant(b)));
  }

  divided(step: Step, a: RealSum<Step>, b: RealSum<Step>): Combined<Step> {
    const [divisor] = b.terms.values();
    if (b.terms.size !== 1 || divisor!.coefficient === 0) {
      return { sum: this.value(`${this.nameOf(a)} / ${this.nameOf(b)}`), cancels: false };
    }
    const powers = new Map([...divisor!.powers].map(([value, power]) => [value, -power]));
    const inverse = { coefficient: 1 / divisor!.coefficient, powers };
    return this.multiplied(step, a, { terms: new Map([[keyOf(powers), inverse]]), steps: b.steps });
  }

  private combined(
    step: Step,
    terms: ReadonlyMap<string, Term>,
    a: RealSum<Step>,
    b: RealSum<Step>,
    cancels: boolean,
  ): Combined<Step> {
    const steps = new Set([...a.steps, ...b.steps, step]);
    const follows = terms.size <= mostTerms && steps.size <= mostSteps && [...terms.values()].every(isNumber);
    return { sum: follows ? { terms, steps } : this.unknown(), cancels };
  }
}

const isNumber = (t: Term): boolean => Number.isFinite(t.coefficient) && t.coefficient !== 0;
const isConstant = (s: RealSum<unknown>): boolean => [...s.terms.keys()].every((key) => key === "");

/** Factors that are not there in the product, or of which one keeps it in range. Powers of two round nothing. */
function scalesBack(x: number, y: number): boolean {
  const [a, b] = [Math.abs(x), Math.abs(y)];
  if (a === 1 || b === 1) return false;
  const rounds = !Number.isInteger(Math.log2(a));
  return (rounds && Math.abs(a * b - 1) < 2 ** -20) || [a, b].some((c) => c >= scale || c <= 1 / scale);
}
