/**
 * Between boundary form and regions: every construct that must be run above the lanes is an item with its level, and
 * control flow that splits lanes around a boundary has become parking and resuming. What has no boundary stays code.
 */
import type { Span } from "../support/span.js";
import { CannotRun } from "./boundary-lowering.js";
import { bodiesOf, visitCode } from "./machine.js";
import type {
  BoundaryForm,
  Code,
  Collective,
  IfCode,
  LabelId,
  LoopCode,
  RegionBarrier,
  MachineExpr,
  SiteId,
  SwitchCode,
  WaitId,
} from "./tree.js";
import { returned } from "./tree.js";
import type { Uniformity } from "./uniformity.js";

/** 2 stands between workgroup barriers, 1 between cross-lane ops, 0 inside lanes. */
export type Level = 0 | 1 | 2;

export type Item =
  | { readonly kind: "code"; readonly level: 0; readonly code: Code; readonly span: Span }
  | {
      readonly kind: "if";
      readonly level: Level;
      readonly condition: MachineExpr;
      readonly then: readonly Item[];
      readonly else: readonly Item[];
      readonly span: Span;
    }
  | {
      readonly kind: "loop";
      readonly level: Level;
      readonly label: LabelId;
      readonly head: readonly Item[];
      readonly condition?: MachineExpr;
      readonly body: readonly Item[];
      readonly step: readonly Item[];
      readonly whileAny: boolean;
      readonly span: Span;
    }
  | {
      readonly kind: "switch";
      readonly level: Level;
      readonly label: LabelId;
      readonly value: MachineExpr;
      readonly span: Span;
      readonly cases: readonly {
        readonly labels: readonly (number | bigint)[];
        readonly isDefault: boolean;
        readonly body: readonly Item[];
      }[];
    }
  | {
      readonly kind: "block";
      readonly level: Level;
      readonly label: LabelId;
      readonly body: readonly Item[];
      readonly span: Span;
    }
  | { readonly kind: "break" | "continue"; readonly level: Level; readonly label: LabelId; readonly span: Span }
  | { readonly kind: "return"; readonly level: 2; readonly span: Span }
  | {
      readonly kind: "barrier";
      readonly level: Level;
      readonly barrier: RegionBarrier;
      readonly site: SiteId;
      readonly span: Span;
    }
  | { readonly kind: "collective"; readonly level: Level; readonly collective: Collective; readonly span: Span }
  | {
      readonly kind: "resume";
      readonly level: Level;
      readonly wait: WaitId;
      readonly park?: WaitId;
      readonly span: Span;
    }
  | { readonly kind: "if-any"; readonly level: Level; readonly body: readonly Item[]; readonly span: Span };

/** Lists nested in an item, in execution order. */
export function itemBodies(i: Item): readonly (readonly Item[])[] {
  switch (i.kind) {
    case "if":
      return [i.then, i.else];
    case "loop":
      return [i.head, i.body, i.step];
    case "switch":
      return i.cases.map((c) => c.body);
    case "block":
    case "if-any":
      return [i.body];
    default:
      return [];
  }
}

interface Target {
  readonly level: Level;
  /** Where lanes wait; undefined where the construct is left as a whole. */
  readonly breakWait: WaitId | undefined;
  readonly continueWait: WaitId | undefined;
}

export function itemsOf(form: BoundaryForm, uniform: Uniformity, fences: boolean): Item[] {
  return new ItemBuilder(uniform, fences).list(form.body);
}

class ItemBuilder {
  private readonly targets = new Map<LabelId, Target>();
  private readonly boundaryLevels = new Map<Code, Level>();
  private nextWait = 1;

  constructor(
    private readonly uniform: Uniformity,
    /** Fences are kept, for who looks for races. */
    private readonly fences: boolean,
  ) {}

  private wait(span: Span): WaitId {
    const id = this.nextWait++;
    if (id >= returned)
      throw new CannotRun("control flow that splits lanes is nested too deep, or a switch has too many cases", span);
    return id;
  }

  private boundaryLevel(c: Code): Level {
    const known = this.boundaryLevels.get(c);
    if (known !== undefined) return known;
    let level: Level = 0;
    if (c.kind === "barrier")
      level = c.barrier.execution === "workgroup" ? 2 : c.barrier.execution === "subgroup" ? 1 : 0;
    if (c.kind === "collective") level = c.scope === "workgroup" ? 2 : 1;
    for (const b of bodiesOf(c)) for (const x of b) level = Math.max(level, this.boundaryLevel(x)) as Level;
    this.boundaryLevels.set(c, level);
    return level;
  }

  /** The level a statement has to be run at: that of its boundaries, and of the constructs it leaves as a whole. */
  private levelOf(c: Code): Level {
    let level = this.boundaryLevel(c);
    visitCode([c], (x) => {
      if (x.kind === "return" && this.uniform.returnRank(x) === 0) level = 2;
      if (x.kind !== "break" && x.kind !== "continue") return;
      const target = this.targets.get(x.label);
      if (target && this.waitOf(x.kind, target) === undefined) level = Math.max(level, target.level) as Level;
    });
    return level;
  }

  private waitOf(kind: "break" | "continue", t: Target): WaitId | undefined {
    return kind === "break" ? t.breakWait : t.continueWait;
  }

  list(code: readonly Code[]): Item[] {
    return code.flatMap((c) => {
      // Behind a statement no lane waits inside it, so its meeting points can be used again.
      const free = this.nextWait;
      const items = this.items(c);
      this.nextWait = free;
      return items;
    });
  }

  private items(c: Code): Item[] {
    const level = this.levelOf(c);
    if (c.kind === "barrier") {
      // A fence alone orders nothing here: memory operations happen in the order they are run.
      if (level === 0) return this.fences ? [this.code(c)] : [];
      return [{ kind: "barrier", level, barrier: c.barrier, site: c.site, span: c.span }];
    }
    if (level === 0) return [{ kind: "code", level: 0, code: this.laneCode(c), span: c.span }];
    const limit = level === 2 ? 0 : 1;
    switch (c.kind) {
      case "collective":
        return [{ kind: "collective", level, collective: c, span: c.span }];
      case "if":
        return this.uniform.rank(c.condition) > limit ? this.splitIf(c, level) : [this.wholeIf(c, level)];
      case "loop": {
        const rank = Math.max(c.condition ? this.uniform.rank(c.condition) : 0, this.uniform.escapeRank(c.label));
        return rank > limit ? this.splitLoop(c, level) : [this.wholeLoop(c, level)];
      }
      case "switch": {
        const rank = Math.max(this.uniform.rank(c.value), this.uniform.escapeRank(c.label));
        return rank > limit ? this.splitSwitch(c, level) : [this.wholeSwitch(c, level)];
      }
      case "block": {
        const split = this.uniform.escapeRank(c.label) > limit;
        const breakWait = split ? this.wait(c.span) : undefined;
        this.targets.set(c.label, { level, breakWait, continueWait: undefined });
        const body = this.list(c.body);
        if (breakWait === undefined) return [{ kind: "block", level, label: c.label, body, span: c.span }];
        return [
          { kind: "if-any", level, body, span: c.span },
          { kind: "resume", level, wait: breakWait, span: c.span },
        ];
      }
      case "break":
      case "continue":
        return [{ kind: c.kind, level, label: c.label, span: c.span }];
      case "return":
        return [{ kind: "return", level: 2, span: c.span }];
      default:
        throw new Error(`broken tree: ${c.kind} above the lanes`);
    }
  }

  private wholeIf(c: IfCode, level: Level): Item {
    return {
      kind: "if",
      level,
      condition: c.condition,
      then: this.list(c.then),
      else: this.list(c.else),
      span: c.span,
    };
  }

  private splitIf(c: IfCode, level: Level): Item[] {
    const span = c.span;
    const otherwise = this.wait(span);
    const items: Item[] = [
      this.code({
        kind: "if",
        condition: c.condition,
        then: [],
        else: [{ kind: "park", wait: otherwise, span }],
        span,
      }),
      { kind: "if-any", level, body: this.list(c.then), span },
    ];
    if (c.else.length === 0) return [...items, { kind: "resume", level, wait: otherwise, span }];
    const join = this.wait(span);
    return [
      ...items,
      { kind: "resume", level, wait: otherwise, park: join, span },
      { kind: "if-any", level, body: this.list(c.else), span },
      { kind: "resume", level, wait: join, span },
    ];
  }

  private code(code: Code): Item {
    return { kind: "code", level: 0, code, span: code.span };
  }

  private wholeLoop(c: LoopCode, level: Level): Item {
    this.targets.set(c.label, { level, breakWait: undefined, continueWait: undefined });
    return {
      kind: "loop",
      level,
      label: c.label,
      head: this.list(c.head),
      body: this.list(c.body),
      step: this.list(c.step),
      whileAny: false,
      span: c.span,
      ...(c.condition ? { condition: c.condition } : {}),
    };
  }

  private splitLoop(c: LoopCode, level: Level): Item[] {
    const span = c.span;
    const breakWait = this.wait(span);
    const continueWait = this.wait(span);
    this.targets.set(c.label, { level, breakWait, continueWait });
    const head = this.list(c.head);
    if (c.condition) {
      head.push(
        this.code({
          kind: "if",
          condition: c.condition,
          then: [],
          else: [{ kind: "park", wait: breakWait, span }],
          span,
        }),
      );
    }
    const body: Item[] = [{ kind: "if-any", level, body: this.list(c.body), span }];
    const step: Item[] = [{ kind: "resume", level, wait: continueWait, span }, ...this.list(c.step)];
    return [
      { kind: "loop", level, label: c.label, head, body, step, whileAny: true, span },
      { kind: "resume", level, wait: breakWait, span },
    ];
  }

  private wholeSwitch(c: SwitchCode, level: Level): Item {
    this.targets.set(c.label, { level, breakWait: undefined, continueWait: undefined });
    const cases = c.cases.map((x) => ({ labels: x.labels, isDefault: x.isDefault, body: this.list(x.body) }));
    return { kind: "switch", level, label: c.label, value: c.value, cases, span: c.span };
  }

  /** Lanes wait at their case; each case in text order takes its lanes along with those that fall through. */
  private splitSwitch(c: SwitchCode, level: Level): Item[] {
    const span = c.span;
    const breakWait = this.wait(span);
    this.targets.set(c.label, { level, breakWait, continueWait: undefined });
    const waits = c.cases.map(() => this.wait(span));
    const dispatch = c.cases.map((x, i) => ({
      labels: x.labels,
      isDefault: x.isDefault,
      body: [{ kind: "park", wait: waits[i]!, span } as const],
    }));
    if (!c.cases.some((x) => x.isDefault))
      dispatch.push({ labels: [], isDefault: true, body: [{ kind: "park", wait: breakWait, span }] });
    return [
      this.code({ kind: "switch", label: c.label, value: c.value, cases: dispatch, span }),
      ...c.cases.flatMap((x, i): Item[] => [
        { kind: "resume", level, wait: waits[i]!, span },
        { kind: "if-any", level, body: this.list(x.body), span },
      ]),
      { kind: "resume", level, wait: breakWait, span },
    ];
  }

  /** Code of a lane: jumps out of it and returns make the lane wait. */
  private laneCode(c: Code): Code {
    const inner = new Set<LabelId>();
    visitCode([c], (x) => {
      if (x.kind === "loop" || x.kind === "switch" || x.kind === "block") inner.add(x.label);
    });
    const rewriteList = (list: readonly Code[]): Code[] =>
      (this.fences ? list : list.filter((x) => x.kind !== "barrier")).map(rewrite);
    const rewrite = (x: Code): Code => {
      switch (x.kind) {
        case "break":
        case "continue": {
          if (inner.has(x.label)) return x;
          const target = this.targets.get(x.label);
          const wait = target && this.waitOf(x.kind, target);
          if (wait === undefined) throw new Error("broken tree: a jump out of lanes");
          return { kind: "park", wait, span: x.span };
        }
        case "return":
          return { kind: "park", wait: returned, span: x.span };
        case "if":
          return { ...x, then: rewriteList(x.then), else: rewriteList(x.else) };
        case "loop":
          return { ...x, head: rewriteList(x.head), body: rewriteList(x.body), step: rewriteList(x.step) };
        case "switch":
          return { ...x, cases: x.cases.map((k) => ({ ...k, body: rewriteList(k.body) })) };
        case "block":
          return { ...x, body: rewriteList(x.body) };
        default:
          return x;
      }
    };
    return rewrite(c);
  }
}
