import { constraintOf, isSerializationFailure } from '#server/db/errors.ts'

type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Groups the items of concurrent callers into batches: items that arrive while a batch runs wait for the next one.
 * A single item is processed at once. When a batch takes longer than `patienceMs`, another starts beside it. A batch
 * that fails on a constraint or a serialization failure is retried one item at a time.
 *
 * @param work processes a batch atomically, and returns one result per item in the same order
 * @param limits `works`: maximum number of concurrent batches; `items`: maximum batch size; `patienceMs`: how long (ms)
 *   an item waits for a running batch before another starts
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
        if (result === undefined) reject(new Error('the work returned no result for an item'))
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
