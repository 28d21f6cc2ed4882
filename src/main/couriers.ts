import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Courier } from '#features/channels/couriers.rules.ts'
import { createKeccel } from '#features/channels/sms/keccel.gateway.ts'
import { createOrange } from '#features/channels/sms/orange.gateway.ts'
import { createTelegram } from '#features/channels/telegram/telegram.gateway.ts'
import { createWhatsapp } from '#features/channels/whatsapp/whatsapp.gateway.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import { newToken } from '#server/session/tokens.ts'

export type StartedCouriers = {
  couriers: Courier[]
  /** Address of the page that shows simulated messages; null when messages are really sent. */
  simulator: string | null
  listenAt(ownUrl: string): Promise<void>
  stop(): Promise<void>
}

/**
 * Returns the couriers of messages other than mail: the configured providers; otherwise simulated ones, except in
 * production.
 */
export async function startCouriers(config: Config, log: Log): Promise<StartedCouriers> {
  const configured = configuredCouriers(config.channels, log)
  if (configured.length > 0 || config.isProduction) {
    return {
      couriers: configured,
      simulator: null,
      async listenAt(ownUrl) {
        for (const courier of configured) await courier.listenAt?.(ownUrl)
      },
      async stop() {},
    }
  }
  const secret = newToken()
  const program = fork(join(import.meta.dirname, 'channel-simulator.ts'), [secret], {
    execArgv: process.execArgv,
  })
  const [url] = await once(program, 'message', { signal: AbortSignal.timeout(20_000) })
  const couriers = simulatedCouriers(String(url), secret, log)
  return {
    couriers,
    simulator: `${url}/`,
    async listenAt(ownUrl) {
      for (const courier of couriers) await courier.listenAt?.(ownUrl)
    },
    async stop() {
      if (program.exitCode !== null) return
      program.disconnect()
      await once(program, 'exit')
    },
  }
}

function configuredCouriers({ telegram, orange, keccel, whatsapp }: Config['channels'], log: Log): Courier[] {
  return [
    telegram &&
      createTelegram({ ...telegram, url: 'https://api.telegram.org', linkUrl: 'https://t.me', log }),
    orange && createOrange({ ...orange, url: 'https://api.orange.com' }),
    keccel && createKeccel({ ...keccel, url: 'https://api.keccel.com' }),
    whatsapp && createWhatsapp({ ...whatsapp, url: 'https://graph.facebook.com/v23.0' }),
  ].filter((each) => each !== null)
}

function simulatedCouriers(url: string, secret: string, log: Log): Courier[] {
  return [
    createTelegram({ url, linkUrl: `${url}/t.me`, bot: 'ntalo_bot', token: `1:${secret}`, log }),
    createOrange({
      url,
      clientId: 'ntalo',
      clientSecret: secret,
      senderName: 'NTALO',
      receiptSecret: secret,
    }),
    createKeccel({ url, token: secret, from: 'NTALO' }),
  ]
}
