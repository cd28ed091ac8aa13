const cell = new Int32Array(new SharedArrayBuffer(4));

/** Sleeps in a thread that waits for a driver; 0 only lets others run. */
export function pause(milliseconds: number): void {
  Atomics.wait(cell, 0, 0, milliseconds);
}
