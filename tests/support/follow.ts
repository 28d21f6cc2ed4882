// A client of server-sent events, as another program would write it.

import { onTestFinished } from 'vitest'
import type { Client } from './server.ts'

export type Told = { event: string; id: string; data: unknown }

/**
 * Follows a stream of events as a client; disconnects after the test.
 *
 * @param lastId id of the last event received
 */
export async function follow(url: string, who: Client, lastId?: string) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await fetch(url, {
    headers: {
      ...(who.token && { authorization: `Bearer ${who.token}` }),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
    signal: leaving.signal,
  })
  const events = read(response)
  return {
    status: response.status,
    headers: response.headers,
    /** Returns the next event; rejects when the stream ends before. */
    async next(): Promise<Told> {
      const { value } = await events.next()
      if (!value) throw new Error('the stream has ended')
      return value
    },
    /** Resolves when the server ends the stream, with its last events. */
    async end(): Promise<Told[]> {
      const last: Told[] = []
      for await (const item of events) last.push(item)
      return last
    },
    leave: () => leaving.abort(),
  }
}

async function* read(response: Response): AsyncGenerator<Told, void> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/)))
      // A line that begins with a colon is only a heartbeat.
      if (fields.event) yield { event: fields.event, id: fields.id, data: JSON.parse(fields.data) }
    }
  }
}
