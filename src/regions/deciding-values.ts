/** Which arguments by value a condition is made of: what a launch would have to change to make it go the other way. */
import { bodiesOf, visitCode, visitExpr, exprsOf, writtenBy } from "./machine.js";
import { append } from "../support/append.js";
import type { Code, CoverPoint, LaunchValue, LocalId, MachineExpr, ObjectId, PointId } from "./tree.js";

/** The points, each branch with the arguments of its condition as far as locals lead to them. */
export function withDecidingValues(
  points: readonly CoverPoint[],
  bodies: readonly (readonly Code[])[],
  values: readonly LaunchValue[],
): readonly CoverPoint[] {
  if (!points.some((p) => p.branch)) return points;
  const sources = new Map<LocalId, MachineExpr[]>();
  const conditions = new Map<PointId, MachineExpr>();
  const decides = (condition: MachineExpr, ways: readonly (readonly Code[])[]): void => {
    for (const [first] of ways)
      if (first?.kind === "cover" && !conditions.has(first.point)) conditions.set(first.point, condition);
  };
  for (const body of bodies)
    visitCode(body, (c) => {
      if ((c.kind === "if" || c.kind === "loop") && c.condition)
        decides(c.condition, c.kind === "if" ? bodiesOf(c) : [c.body]);
      if (c.kind === "switch") decides(c.value, bodiesOf(c));
      for (const l of writtenBy(c)) sources.set(l, [...(sources.get(l) ?? []), ...exprsOf(c)]);
    });
  const ofLocal = new Map<LocalId, string>();
  const ofObject = new Map<ObjectId, string>();
  for (const v of values) {
    if (v.kind === "derived") continue;
    for (const l of v.locals ?? []) ofLocal.set(l, v.path);
    if (v.object && !ofObject.has(v.object.id)) ofObject.set(v.object.id, v.path);
  }
  const pathsOf = (condition: MachineExpr): string[] => {
    const found = new Set<string>();
    const seen = new Set<LocalId>();
    const todo = [condition];
    for (let e = todo.pop(); e; e = todo.pop())
      visitExpr(e, (x) => {
        if (x.kind === "load" && typeof x.address.object === "number") {
          const path = ofObject.get(x.address.object);
          if (path !== undefined) found.add(path);
        }
        if (x.kind !== "local" || seen.has(x.local)) return;
        seen.add(x.local);
        const path = ofLocal.get(x.local);
        if (path !== undefined) found.add(path);
        else append(todo, sources.get(x.local) ?? []);
      });
    return [...found];
  };
  return points.map((p, id) => {
    const condition = conditions.get(id);
    if (!p.branch || !condition) return p;
    const paths = pathsOf(condition);
    return paths.length === 0 ? p : { ...p, branch: { ...p.branch, values: paths } };
  });
}
