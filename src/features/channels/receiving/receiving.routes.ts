import type { Channel } from '#features/channels/channels.rules.ts'
import { confirmAddress, findByProof, stopAddress } from '#features/channels/channels.sql.ts'
import type { Courier, ProviderNews } from '#features/channels/couriers.rules.ts'
import { type Asked, priceAnswer, readAsked, words } from '#features/channels/receiving/receiving.rules.ts'
import { queueMessage } from '#features/channels/sending/sending.jobs.ts'
import { noteReceipt } from '#features/channels/sending/sending.sql.ts'
import { searchedWords } from '#features/public-prices/public-prices.rules.ts'
import { searchPrices } from '#features/public-prices/public-prices.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import type { Webhooks } from '#server/http/webhooks.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { hashToken } from '#server/session/tokens.ts'

type Dependencies = { db: Db; couriers: readonly Courier[]; publicUrl: string | null; clock: () => Date }

const nobody = { actor: null, requestId: null }
/** Limit of texts of one chat that are answered. */
const budget = { hits: 30, windowS: 3600 }

/** Registers the webhooks where providers push receipts and the texts of readers. */
export function channelNewsRoutes(
  webhooks: Webhooks,
  { db, couriers, publicUrl, clock }: Dependencies,
): void {
  for (const { name, channel, news } of couriers) {
    if (!news) continue
    webhooks.on(news.path, async (request) => {
      const messages = news.read(request)
      if (!messages) throw new AppError('unauthenticated', 'Ce message ne vient pas du fournisseur.')
      for (const message of messages) await take(message, { name, channel })
    })
    if (news.challenge) webhooks.prove(news.path, news.challenge)
  }

  async function take(
    message: ProviderNews,
    { name, channel }: Pick<Courier, 'name' | 'channel'>,
  ): Promise<void> {
    switch (message.kind) {
      case 'receipt':
        return inTransaction(db, (tx) => noteReceipt(tx, { provider: name, ...message }))
      case 'left':
        return inTransaction(db, (tx) => stop(tx, channel, message.address, 'unreachable'))
      case 'text':
        return answer(message, channel)
    }
  }

  async function answer(
    { cause, address, otherAddress = address, text }: Extract<ProviderNews, { kind: 'text' }>,
    channel: Channel,
  ): Promise<void> {
    const asked = readAsked(text)
    const isAnswered = await isWithinBudget(`chat:${channel}:${address}`)
    // Over the limit, linking and stopping still take effect, without a reply.
    if (!isAnswered && asked.kind === 'search') return
    await inTransaction(db, async (tx) => {
      const content = await contentFor(tx, asked, { channel, address, otherAddress })
      if (!isAnswered) return
      await queueMessage(tx, {
        userId: null,
        channel,
        address,
        purpose: 'answer',
        content,
        cause,
        at: clock(),
      })
    })
  }

  /** Any other failure reaches the provider, which then pushes the message again. */
  async function isWithinBudget(key: string): Promise<boolean> {
    try {
      await spend(db, key, budget)
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'limited') return false
      throw error
    }
  }

  async function contentFor(
    tx: Db,
    asked: Asked,
    { channel, address, otherAddress }: { channel: Channel; address: string; otherAddress: string },
  ): Promise<string> {
    if (asked.kind === 'start') {
      const found = asked.token && (await findByProof(tx, channel, hashToken(asked.token)))
      if (!found) return asked.token ? words.expired : words.hello
      await confirmAddress(tx, { id: found.id, channel, address })
      await insertAudit(tx, nobody, {
        action: 'confirm',
        entity: 'channels',
        entityId: found.userId,
        after: { channel },
      })
      return words.linked
    }
    if (asked.kind === 'stop') {
      for (const each of new Set([address, otherAddress])) await stop(tx, channel, each, 'asked')
      return words.stopped
    }
    return priceAnswer(asked.text, await searchPrices(tx, searchedWords(asked.text)), publicUrl)
  }

  async function stop(tx: Db, channel: Channel, address: string, because: 'asked' | 'unreachable') {
    const userId = await stopAddress(tx, channel, address, because)
    if (userId === undefined) return
    await insertAudit(tx, nobody, {
      action: 'stop',
      entity: 'channels',
      entityId: userId,
      after: { channel, because },
    })
  }
}
