// Reading and planning a statement of ten lines takes PostgreSQL longer than running it.

const preparedFrom = 10
const mostPrepared = 200
const mostCounted = 2_000

/**
 * Names the statements that have come often enough to be worth preparing: each connection then reads and plans them
 * once. They are few, since every connection keeps what it has prepared as long as it lasts.
 *
 * @returns the name of a statement; undefined for one that comes too seldom
 */
export function createPreparation(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return (text) => {
    const prepared = names.get(text)
    if (prepared || names.size >= mostPrepared) return prepared
    const count = (counts.get(text) ?? 0) + 1
    if (count >= preparedFrom) {
      counts.delete(text)
      names.set(text, `often_${names.size}`)
    } else {
      // Texts that come once would fill the memory.
      if (counts.size >= mostCounted) counts.clear()
      counts.set(text, count)
    }
    return names.get(text)
  }
}
