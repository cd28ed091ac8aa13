// The kernel as text for Metal with its slots, and as functions that run anywhere.
import msl, { reflection } from "./sums.cl?msl";
import { sums } from "./sums.cl?ts";

const x = new Float32Array([1, 2, 3, 4, 5, 6, 7, 8]);
const out = new Float32Array(2);
sums({ gridSize: [8] }, { x, out });
const slots = reflection.entries[0].arguments.map(({ path, slots }) => [path, slots.msl.slot]);
console.log(JSON.stringify({ out: [...out], slots, msl }));
