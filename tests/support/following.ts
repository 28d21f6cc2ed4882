// A program that maintains a copy of a list by requesting its changes.

import { expect } from 'vitest'
import type { Answer } from './server.ts'

type Asking = { get(path: string): Promise<Answer> }
export type FollowedRow = { id: number }

/** @param path a list, with its filters */
export function startFollower<Row extends FollowedRow>(path: string, since = '2000-01-01') {
  const copy = new Map<number, Row>()
  let cursor: string | null = null
  return {
    copy,
    cursor: () => cursor ?? '',
    ids: () => [...copy.keys()].sort((a, b) => a - b),
    /** Reads until there are no more changes. */
    async catchUp(by: Asking, limit = 100): Promise<void> {
      for (let hasMore = true; hasMore; ) {
        const from: string =
          cursor === null && since !== 'start' ? `updatedSince=${since}` : `cursor=${cursor ?? since}`
        const answer = await by.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}&${from}`)
        expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
        const changes = answer.body as { data: Row[]; deleted: number[]; cursor: string; hasMore: boolean }
        for (const row of changes.data) copy.set(row.id, row)
        for (const id of changes.deleted) copy.delete(id)
        cursor = changes.cursor
        hasMore = changes.hasMore
      }
    },
  }
}
