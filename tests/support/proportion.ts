/**
 * Returns the ratio of processor time for a size sixteen times as large: about 16 when the work is linear, 256 when it
 * is quadratic, on any machine.
 *
 * @param work runs for a given size, small enough to be repeated
 */
export function growth(size: number, work: (size: number) => void): number {
  const least = (of: number) => Math.min(...[1, 2, 3, 4, 5, 6].map(() => processorMs(() => work(of))))
  // First run, so that the engine compiles before the measurement.
  work(size)
  return least(16 * size) / Math.max(1, least(size))
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
