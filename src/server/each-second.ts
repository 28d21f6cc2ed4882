/**
 * Counts what may happen a thousand times a second, so that it is reported once a second at most.
 *
 * @param tell gets how many times it has happened since it was told last
 */
export function countEachSecond(tell: (count: number) => void): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > 1) return
    const timer = setTimeout(() => {
      tell(count)
      count = 0
    }, 1_000)
    timer.unref()
  }
}
