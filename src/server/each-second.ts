/**
 * Returns a function that counts frequent events and reports them at most once a second.
 *
 * @param tell called with the number of events since the previous report
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
