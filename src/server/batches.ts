import { constraintOf, isSerializationFailure } from '#server/db/errors.ts'

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Does the same work for many at once: while one is on its way, what arrives waits, and goes together in the next one.
 * A single caller goes at once, and nobody waits long behind a work that is held up: another begins beside it. What
 * a database refuses because of one of them is done again for each alone.
 *
 * @param work answers for each item, in their order; all of it takes effect, or nothing
 * @param limits how many works may be on their way at the same time, how many items one takes, and how long (ms) one may
 *   keep others waiting
 */
export function inBatches<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  { works, items, patienceMs }: { works: number; items: number; patienceMs: number },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let busy = 0
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    busy += 1
    while (waiting.length > 0) {
      clearTimeout(timer)
      await settle(waiting.splice(0, items))
    }
    busy -= 1
  }

  function begin(): void {
    if (busy === 0) void run()
    else if (busy < works && waiting.length === 1) {
      timer = setTimeout(() => {
        if (waiting.length > 0) void run()
      }, patienceMs)
    }
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item))
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index]
        if (result === undefined) reject(new Error('a work answers for each item'))
        else resolve(result)
      })
    } catch (error) {
      if (batch.length > 1 && isFaultOfOne(error)) await Promise.all(batch.map((each) => settle([each])))
      else for (const { reject } of batch) reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      begin()
    })
}

function isFaultOfOne(error: unknown): boolean {
  return constraintOf(error) !== null || isSerializationFailure(error)
}
