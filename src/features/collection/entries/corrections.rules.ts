/**
 * Groups the entries of a batch so that each comes in a later group than the one that it corrects. Entries that correct
 * each other in a circle are the last group.
 */
export function groupsByCorrection<Fresh extends { entry: { clientId: string; replaces: string | null } }>(
  fresh: readonly Fresh[],
): Fresh[][] {
  const groups: Fresh[][] = []
  let left = [...fresh]
  while (left.length > 0) {
    const ids = new Set(left.map(({ entry }) => entry.clientId.toLowerCase()))
    const mustWait = ({ entry }: Fresh) => entry.replaces !== null && ids.has(entry.replaces.toLowerCase())
    const later = left.filter(mustWait)
    const isCircle = later.length === left.length
    groups.push(isCircle ? left : left.filter((each) => !mustWait(each)))
    left = isCircle ? [] : later
  }
  return groups
}
