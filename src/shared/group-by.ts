/**
 * Returns the items by key, keys in order of first appearance and items in their own order. `Map.groupBy` does the
 * same, but Safari 16 and Firefox 115 lack it.
 */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
