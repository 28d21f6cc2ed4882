import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type Device, devices, openDeviceSession } from '#features/collection/devices/devices.contract.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { networkOf } from '#server/http/visitors.ts'
import {
  findDevice,
  insertDeviceKey,
  listDevices,
  revokeOldDevices,
  spendCounter,
} from '#server/session/device-keys.sql.ts'
import { refundHit, spend } from '#server/session/rate-limit.sql.ts'
import { insertSession, revokeSession } from '#server/session/session.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import { authorOf, createRow, type Entity, getRow } from '#server/writes.ts'

const entity: Entity<Device> = {
  name: 'devices',
  noun: { one: 'Appareil', many: 'appareils', gender: 'm' },
  table: 'session',
  versioned: 'createdAt',
  find: async (from, id) => (await listDevices(from, id))[0],
  constraints: {},
}
/**
 * Maximum number of devices of an account. A phone whose storage was emptied is added again, and the oldest device is
 * revoked.
 */
const mostDevices = 10
const perAddress = { hits: 100, windowS: 15 * 60 }

export function deviceRoutes(api: Api, db: Db, sessions: Sessions): void {
  api.on(devices.list, async () => ({ data: await listDevices(db) }))

  api.on(devices.create, async (call) => {
    const actor = signedIn(call.actor)
    if (!may(actor, 'prices.collect') && !may(actor, 'prices.write')) {
      throw new AppError('forbidden', 'Vous n’avez pas le droit de relever des prix.')
    }
    const { name } = call.body
    const publicKey = Buffer.from(call.body.publicKey, 'base64')
    if (!readKey(publicKey)) throw invalidField('publicKey', 'Une clé publique ECDSA P-256 est attendue.')
    const made = await createRow(db, entity, call, async (tx) => {
      const client = (call.request.headers['user-agent'] ?? '').slice(0, 300)
      const id = await insertSession(tx, actor.userId, client)
      await insertDeviceKey(tx, id, { publicKey, name })
      await revokeOldDevices(tx, actor.userId, mostDevices)
      return id
    })
    return { ...made, message: 'Appareil ajouté' }
  })

  api.on(openDeviceSession, async ({ body, request }) => {
    const { deviceId, counter, signature } = body
    const key = `device:address:${networkOf(request.ip)}`
    await spend(db, key, perAddress)
    const device = await findDevice(db, deviceId)
    const token = newToken()
    const isProved = device && isSigned(device.publicKey, `ntalo:${deviceId}:${counter}`, signature)
    if (!isProved || !(await spendCounter(db, deviceId, { counter, tokenHash: hashToken(token) }))) {
      throw new AppError('unauthenticated', 'Cet appareil n’ouvre plus de session. Connectez-vous à nouveau.')
    }
    await refundHit(db, key)
    const { name } = signedIn(await sessions.actorOf(token))
    return { token, user: { id: device.userId, name } }
  })

  api.on(devices.revoke, async (call) => {
    const { id } = call.params
    const { user } = await inTransaction(db, async (tx) => {
      const before = await getRow(tx, entity, id)
      await revokeSession(tx, id)
      await insertAudit(tx, authorOf(call), { action: 'delete', entity: entity.name, entityId: id, before })
      return before
    })
    sessions.drop(user.id)
    return { message: 'Appareil révoqué' }
  })
}

/** Returns null unless the bytes are a public key of the curve that phones use. */
function readKey(bytes: Buffer): KeyObject | null {
  try {
    const key = createPublicKey({ key: bytes, format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}

/** Returns whether a signature in Web Crypto's format (r and s, base64) matches the text and the key. */
function isSigned(publicKey: Buffer, text: string, signature: string): boolean {
  const key = readKey(publicKey)
  if (!key) return false
  return verify(
    'sha256',
    Buffer.from(text),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64'),
  )
}
