/**
 * Moves labels as little as possible so that they are at least `gap` pixels apart, within the frame and in the same
 * order.
 */
export function spreadLabels(wanted: readonly number[], gap: number, top: number, bottom: number): number[] {
  const order = wanted.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y)
  for (let index = 1; index < order.length; index++) {
    order[index]!.y = Math.max(order[index]!.y, order[index - 1]!.y + gap)
  }
  let floor = bottom
  for (const label of order.toReversed()) {
    label.y = Math.min(label.y, floor)
    floor = label.y - gap
  }
  // When there are too many for the height, labels pass the top rather than overlap.
  const placed = new Array<number>(wanted.length)
  for (const { index, y } of order) placed[index] = order.length * gap > bottom - top ? y : Math.max(y, top)
  return placed
}
