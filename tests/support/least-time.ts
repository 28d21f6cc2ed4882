/**
 * The least of several times in ms, where one is not within the limit at once: a busy machine only adds to what is timed.
 *
 * @param timeMs does it once more and says how long it took
 */
export async function leastTime(limitMs: number, timeMs: () => Promise<number>): Promise<number> {
  let least = await timeMs()
  for (let more = 0; more < 4 && least > limitMs; more++) least = Math.min(least, await timeMs())
  return least
}
