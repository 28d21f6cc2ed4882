export type PieItem = { key: string | number; label: string; value: number }

/** At most `most` slices, largest first; what is left over becomes « Autres ». */
export function pieSlices(items: readonly PieItem[], most = 8): PieItem[] {
  const sorted = items.filter(({ value }) => value > 0).sort((a, b) => b.value - a.value)
  if (sorted.length <= most) return sorted
  const rest = sorted.slice(most - 1).reduce((sum, { value }) => sum + value, 0)
  return [...sorted.slice(0, most - 1), { key: 'autres', label: 'Autres', value: rest }]
}
