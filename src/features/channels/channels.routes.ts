import { randomInt } from 'node:crypto'
import { channels, type OwnChannel } from '#features/channels/channels.contract.ts'
import { type Channel, channelLabels, channelNames, mostTries } from '#features/channels/channels.rules.ts'
import {
  type ChannelAddress,
  confirmAddress,
  countTry,
  forgetAddress,
  isJustConfirmed,
  listAddresses,
  storeProof,
} from '#features/channels/channels.sql.ts'
import type { Courier } from '#features/channels/couriers.rules.ts'
import { queueMessage } from '#features/channels/sending/sending.jobs.ts'
import { countOfMonth } from '#features/channels/sending/sending.sql.ts'
import { getCallFacts } from '#features/subscriptions/access.sql.ts'
import { smsLimit } from '#features/subscriptions/subscriptions.rules.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import { authorOf } from '#server/writes.ts'
import { readPhone } from '#shared/phone.ts'

type Dependencies = {
  couriers: readonly Courier[]
  clock: () => Date
  /** Address of the page that shows simulated messages; null when messages are really sent. */
  simulator: string | null
}

const dayS = 86_400
const codesOf = { user: { hits: 5, windowS: dayS }, number: { hits: 3, windowS: dayS } }

export function channelRoutes(api: Api, db: Db, { couriers, clock, simulator }: Dependencies): void {
  const courierOf = (channel: Channel) => {
    const courier = couriers.find((each) => each.channel === channel)
    if (!courier) throw new AppError('conflict', `${channelLabels[channel]} n’est pas encore proposé.`)
    return courier
  }

  api.on(channels.list, async ({ actor }) => {
    const { userId, permissions } = signedIn(actor)
    const own = await listAddresses(db, userId)
    const isExempt = permissions.includes('access.exempt')
    const limit = smsLimit(await getCallFacts(db, userId), clock(), isExempt)
    const used = await countOfMonth(db, userId, 'sms', clock())
    const data = channelNames.map((channel) => {
      const row = own.find((each) => each.channel === channel)
      return {
        channel,
        isOffered: couriers.some((each) => each.channel === channel),
        state: stateOf(row),
        address: channel === 'sms' ? (row?.address ?? null) : null,
        confirmedAt: row?.confirmedAt ?? null,
        credit: channel === 'sms' ? { used, limit } : null,
      }
    })
    return { data, simulator }
  })

  api.on(channels.link, async (call) => {
    const { userId } = signedIn(call.actor)
    const { channel } = call.body
    const { linkFor } = courierOf(channel)
    if (!linkFor) throw new AppError('conflict', `${channelLabels[channel]} ne se relie pas par un lien.`)
    const token = newToken()
    await inTransaction(db, async (tx) => {
      await storeProof(tx, { userId, channel, proof: hashToken(token), address: null })
      await insertAudit(tx, authorOf(call), entry('link', userId, channel))
    })
    return { url: linkFor(token), message: 'Ouvrez le lien, puis envoyez le message' }
  })

  api.on(channels.code, async (call) => {
    const { userId } = signedIn(call.actor)
    courierOf('sms')
    const phone = readPhone(call.body.phone)
    if (!phone) {
      throw invalidField(
        'phone',
        'Ce n’est pas un numéro de mobile congolais. Exemple\u00a0: 081 345 67 89 ou +243 81 345 67 89.',
      )
    }
    await spend(db, `sms-code:user:${userId}`, codesOf.user)
    await spend(db, `sms-code:number:${phone}`, codesOf.number)
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    await inTransaction(db, async (tx) => {
      await storeProof(tx, { userId, channel: 'sms', proof: proofOf(userId, code), address: phone })
      const content = `Ntalo: votre code est ${code}. Ne le donnez à personne. Si vous n'avez rien demandé, oubliez ce message.`
      await queueMessage(tx, {
        userId,
        channel: 'sms',
        address: phone,
        purpose: 'code',
        content,
        at: clock(),
      })
      await insertAudit(tx, authorOf(call), entry('link', userId, 'sms'))
    })
    return { message: `Code envoyé au +${phone}` }
  })

  api.on(channels.confirm, async (call) => {
    const { userId } = signedIn(call.actor)
    const given = call.body.code.replaceAll(/\s/g, '')
    // A wrong code must be counted although it is refused, so the error is thrown after the transaction commits.
    const isRight = await inTransaction(db, async (tx) => {
      const awaited = await countTry(tx, userId, 'sms')
      if (!awaited && (await isJustConfirmed(tx, userId, 'sms'))) return true
      if (!awaited || awaited.tries > mostTries) return null
      const { id, address, proof } = awaited
      const isSame = proof.equals(proofOf(userId, given))
      if (isSame) await confirmAddress(tx, { id, channel: 'sms', address })
      await insertAudit(tx, authorOf(call), entry(isSame ? 'confirm' : 'mistake', userId, 'sms'))
      return isSame
    })
    if (isRight === null)
      throw invalidField('code', 'Ce code n’est plus valable. Demandez-en un autre, puis saisissez-le.')
    if (!isRight) throw invalidField('code', 'Ce code n’est pas celui que nous avons envoyé.')
    return { message: 'Numéro confirmé' }
  })

  api.on(channels.stop, async (call) => {
    const { userId } = signedIn(call.actor)
    const { channel } = call.body
    await inTransaction(db, async (tx) => {
      await forgetAddress(tx, userId, channel)
      await insertAudit(tx, authorOf(call), entry('stop', userId, channel))
    })
    return { message: `Vous n’êtes plus prévenu par ${channelLabels[channel]}` }
  })
}

function stateOf(row: ChannelAddress | undefined): OwnChannel['state'] {
  if (!row?.confirmedAt) return 'none'
  if (row.stoppedBecause === 'asked') return 'stopped'
  return row.stoppedBecause ?? 'confirmed'
}

function entry(action: string, userId: number, channel: Channel) {
  return { action, entity: 'channels', entityId: userId, after: { channel } }
}

function proofOf(userId: number, code: string): Buffer {
  return hashToken(`${userId} ${code}`)
}
