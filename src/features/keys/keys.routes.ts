import { keys, usage } from '#features/keys/keys.contract.ts'
import { mayGive, mostKeys } from '#features/keys/keys.rules.ts'
import {
  countKeys,
  findKey,
  insertKey,
  listDays,
  listKeys,
  lockOwner,
  revokeKey,
} from '#features/keys/keys.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { newApiKey, visibleEnds } from '#server/session/api-keys.ts'
import type { Quotas } from '#server/session/quotas.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { hashToken } from '#server/session/tokens.ts'
import { authorOf, createRow, getRow } from '#server/writes.ts'
import { latestVersion } from '#shared/api-versions.ts'
import { instantOf } from '#shared/days.ts'
import type { Noun } from '#shared/resource.ts'

const noun: Noun = { one: 'Clé', many: 'clés', gender: 'f' }

/** Registers the routes of API keys and of their usage. */
export function keyRoutes(
  api: Api,
  db: Db,
  { quotas, sessions }: { quotas: Quotas; sessions: Sessions },
): void {
  // Restricted to one user: keys of others do not exist here.
  const entityOf = (userId: number) => ({
    name: 'keys',
    noun,
    table: 'api_key',
    versioned: 'createdAt',
    constraints: {},
    find: (from: Db, id: number) => findKey(from, userId, id),
  })

  api.on(keys.list, async ({ actor }) => {
    const { userId } = signedIn(actor)
    // Writes the calls of the last seconds first.
    await quotas.settle()
    return { data: await listKeys(db, userId) }
  })

  api.on(keys.create, async (call) => {
    const { userId, permissions } = signedIn(call.actor)
    const { name, scopes } = call.body
    const expiresAt = call.body.expiresAt ? instantOf(call.body.expiresAt) : null
    const missing = scopes.find((scope) => !mayGive(permissions, scope))
    if (missing) throw invalidField('scopes', `Vous n’avez pas vous-même ce droit\u00a0: ${missing}.`)
    if (expiresAt && Date.parse(expiresAt) <= Date.now()) {
      throw invalidField('expiresAt', 'Cette date est passée.')
    }
    // Stays undefined for a repeated Idempotency-Key: the key of the first request is not stored.
    let key: string | undefined
    const row = await createRow(db, entityOf(userId), call, async (tx) => {
      const { isEmailVerified } = await lockOwner(tx, userId)
      if (!isEmailVerified)
        throw new AppError('forbidden', 'Confirmez votre adresse e-mail avant de créer une clé.')
      if ((await countKeys(tx, userId)) >= mostKeys) {
        throw new AppError(
          'conflict',
          `Vous avez déjà ${mostKeys} clés\u00a0: révoquez-en une pour en créer une autre.`,
        )
      }
      key = newApiKey()
      const named = { userId, name, scopes: [...new Set(scopes)], version: latestVersion, expiresAt }
      return insertKey(tx, { ...named, hash: hashToken(key), prefix: visibleEnds(key) })
    })
    if (key === undefined) {
      throw new AppError('conflict', 'Cette clé est déjà créée\u00a0: révoquez-la et recommencez.')
    }
    return { ...row, key, message: 'Clé créée' }
  })

  api.on(keys.revoke, async (call) => {
    const { userId } = signedIn(call.actor)
    const { id } = call.params
    await inTransaction(db, async (tx) => {
      await lockRow(tx, 'api_key', id)
      const before = await getRow(tx, entityOf(userId), id)
      await revokeKey(tx, id)
      await insertAudit(tx, authorOf(call), { action: 'delete', entity: 'keys', entityId: id, before })
    })
    sessions.drop(userId)
    return { message: 'Clé révoquée' }
  })

  api.on(usage, async ({ actor }) => {
    const { userId, limits } = signedIn(actor)
    const used = await quotas.usageOf(userId)
    return {
      data: used.map((each) => ({ ...each, limit: limits[each.window] })),
      days: await listDays(db, userId),
    }
  })
}
