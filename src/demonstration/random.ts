/** A deterministic pseudo-random generator: each use has its own named stream, the same in every run. */
export type Random = {
  /** Returns a number from 0 (included) to 1 (excluded). */
  next(): number
  between(low: number, high: number): number
  /** Returns a whole number, both ends included. */
  integer(low: number, high: number): number
  /** Returns a number of the normal distribution with mean 0 and standard deviation 1. */
  normal(): number
  pick<T>(list: readonly [T, ...T[]]): T
}

const seed = 'Ntalo 2026'

/** Returns the stream with that name: sfc32 of PractRand (Chris Doty-Humphrey, public domain), seeded by the name. */
export function randomStream(name: string): Random {
  let [a, b, c, d] = stateOf(`${seed}/${name}`)

  function next(): number {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 2 ** 32
  }
  // Discards the first numbers, which are still correlated with the seed.
  for (let i = 0; i < 12; i++) next()

  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    integer,
    between: (low, high) => low + next() * (high - low),
    // Box-Muller transform.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: (list) => list[integer(0, list.length - 1)] ?? list[0],
  }
}

// FNV-1a hash, computed once for each of the four words of the state.
function stateOf(name: string): [number, number, number, number] {
  const word = (offset: number) => {
    let hash = 2_166_136_261 ^ offset
    for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
    return hash | 0
  }
  return [word(0), word(0x9e37), word(0x79b9), word(0x7f4a)]
}
