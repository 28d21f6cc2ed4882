// PostgreSQL takes longer to parse and optimise a statement of ten lines than to execute it.

const preparedFrom = 10
const mostPrepared = 200
const mostCounted = 2_000

/**
 * Names the statements that are frequent enough to prepare: each connection then parses and optimises them once. Their
 * number is limited, because a connection holds its prepared statements until it is closed.
 *
 * @returns a function that returns the name of a statement; undefined for one that is too rare
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
      // Texts that occur only once would fill the memory.
      if (counts.size >= mostCounted) counts.clear()
      counts.set(text, count)
    }
    return names.get(text)
  }
}
