/**
 * How much more of the processor work takes for sixteen times as much: about 16 where it is in proportion, 256 where it is
 * quadratic, on any machine.
 *
 * @param work is given a size, small enough to be done some times over
 */
export function growth(size: number, work: (size: number) => void): number {
  const least = (of: number) => Math.min(...[1, 2, 3, 4, 5, 6].map(() => processorMs(() => work(of))))
  // What the engine compiles, it compiles before.
  work(size)
  return least(16 * size) / Math.max(1, least(size))
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
