/** Milliseconds of processor time of this process so far: what a busy machine does besides does not count. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
