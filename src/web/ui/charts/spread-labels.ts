/** Moves labels apart until each has `gap` pixels, as little as possible, within the frame; order kept. */
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
  // Too many for the height: better out at the top than one over the other.
  const placed = new Array<number>(wanted.length)
  for (const { index, y } of order) placed[index] = order.length * gap > bottom - top ? y : Math.max(y, top)
  return placed
}
