/** Returns the id of a row that was just inserted. */
export function idOf<K>(ids: Map<K, number>, key: K): number {
  const id = ids.get(key)
  if (id === undefined)
    throw new Error(`the demonstration data name ${String(key)}, which is nowhere in them`)
  return id
}
