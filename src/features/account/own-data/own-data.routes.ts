import { ownAccount } from '#features/account/account.contract.ts'
import { partsOfOwnData } from '#features/account/own-data/own-data.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Snapshot } from '#server/db/snapshot.ts'
import { type Exports, rowsPerBatch } from '#server/exports.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { spend } from '#server/session/rate-limit.sql.ts'

const exportsInTurn = { hits: 10, windowS: 15 * 60 }

/** Streams all data stored about the caller: a collector may have written hundreds of thousands of prices. */
export function ownDataRoutes(api: Api, db: Db, exports: Exports): void {
  api.on(ownAccount.exportAll, async (call) => {
    const { userId } = signedIn(call.actor)
    await spend(db, `export:${userId}`, exportsInTurn)
    const snapshot = await exports.open(call)
    call.reply.headers({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="mes-donnees-ntalo.json"',
    })
    return written(snapshot, userId)
  })
}

async function* written(snapshot: Snapshot, userId: number): AsyncGenerator<string, void, undefined> {
  try {
    let before = '{'
    for (const { name, items, isOne } of partsOfOwnData(userId)) {
      yield `${before}"${name}":${isOne ? '' : '['}`
      let count = 0
      for await (const batch of snapshot.read(items, rowsPerBatch)) {
        yield `${count > 0 ? ',' : ''}${batch.map(({ item }) => item).join(',')}`
        count += batch.length
      }
      yield isOne ? (count === 0 ? 'null' : '') : ']'
      before = ','
    }
    yield '}'
  } finally {
    await snapshot.close()
  }
}
