// A server that sends alerts by Telegram, SMS and WhatsApp to the simulated providers, over HTTP.

import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { askReceipts, sendMessages } from '#features/channels/sending/sending.jobs.ts'
import { createChannelSimulator } from '#features/channels/simulator/simulator.routes.ts'
import { createKeccel } from '#features/channels/sms/keccel.gateway.ts'
import { createOrange } from '#features/channels/sms/orange.gateway.ts'
import { createTelegram } from '#features/channels/telegram/telegram.gateway.ts'
import { createWhatsapp } from '#features/channels/whatsapp/whatsapp.gateway.ts'
import { createLog } from '#server/log.ts'
import { testServer } from './server.ts'

const secret = 'a-secret-of-simulated-providers'
/** Timeout (ms): long for a provider that answers, short for one that never does. */
const silentMs = 5_000

/** @param clock current time of the server, and the time at which messages are sent unless a test gives another */
export async function channelServer(clock: () => Date) {
  const simulator = createChannelSimulator({ secret })
  const url = await simulator.http.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => simulator.http.close())
  const log = createLog('silent')
  const timeoutMs = silentMs
  const telegram = createTelegram({
    url,
    linkUrl: 'https://t.me',
    bot: 'ntalo_bot',
    token: `1:${secret}`,
    log,
    timeoutMs,
  })
  const orange = createOrange({
    url,
    clientId: 'ntalo',
    clientSecret: secret,
    senderName: 'NTALO',
    receiptSecret: secret,
    timeoutMs,
  })
  const keccel = createKeccel({ url, token: secret, from: 'NTALO', timeoutMs })
  const whatsapp = createWhatsapp({
    url,
    token: secret,
    numberId: '12345',
    number: '243800000000',
    appSecret: secret,
    timeoutMs,
    verifyToken: secret,
    template: 'alerte_prix',
  })
  const couriers = [telegram, orange, keccel, whatsapp]
  const server = await testServer({ clock, couriers })
  simulator.tell(server.url)
  await telegram.listenAt?.(server.url)
  return {
    ...server,
    simulator,
    couriers,
    secret,
    /** Sends the messages that are due. */
    send: (at = clock()) => sendMessages({ db: server.db, couriers, clock: () => at, log }),
    /** Polls the providers that send no receipts. */
    ask: (at: Date) => askReceipts({ db: server.db, couriers, clock: () => at, log }),
    async messagesTo(address: string) {
      const { rows } = await sql<{
        state: string
        provider: string | null
        attempts: number
        content: string | null
      }>`
        select state, provider, attempts, content from outgoing_message where address = ${address} order by created_at`.execute(
        server.db,
      )
      return rows
    },
    textsTo: (address: string) => simulator.books().filter(({ to }) => to === address),
  }
}
