import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startThread } from './thread.ts'

const failing = new URL('data:text/javascript,throw new Error("the database does not answer")')
const start = () => startThread(failing, { heapMb: 64 })

test('an error of a thread that nobody waits for any more does not end the process', async () => {
  const thread = start()
  const given = once(thread, 'message', { signal: AbortSignal.abort() })
  await expect(given).rejects.toThrow('The operation was aborted')
  const code = await new Promise((resolve) => thread.on('exit', resolve))
  expect(code).toBe(1)
})

test('an error of a thread reaches whoever waits for its message', async () => {
  await expect(once(start(), 'message')).rejects.toThrow('the database does not answer')
})
