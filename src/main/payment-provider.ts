import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { simulatedMerchant } from '#features/payment-simulator/simulator.rules.ts'
import type { CardPages } from '#features/payments/card/card.rules.ts'
import { createCardPages, createFlexpay } from '#features/payments/flexpay/flexpay.gateway.ts'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import type { Payments } from '#main/money.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import { newToken } from '#server/session/tokens.ts'

export type StartedProvider = {
  provider: Payments
  /** Sets the callback address, once the server's own address is known. */
  listenAt(ownUrl: string): void
  stop(): Promise<void>
}

/** Returns the configured providers, the preferred one first; otherwise a simulated one, except in production. */
export async function startPaymentProvider(config: Config, log: Log): Promise<StartedProvider> {
  let here = config.publicUrl
  const mobileMoney = [
    ...(config.pawapay ? [createPawapay({ ...config.pawapay, log })] : []),
    ...(config.flexpay ? [createFlexpay({ ...config.flexpay, log, ownUrl: () => here })] : []),
  ].sort((one, other) => Number(other.name === config.askedFirst) - Number(one.name === config.askedFirst))
  if (mobileMoney.length > 0) {
    return {
      provider: { mobileMoney, card: cardOf(config, log, () => here), isSimulated: false },
      listenAt: (url) => {
        here ??= url
      },
      async stop() {},
    }
  }
  if (config.isProduction) {
    log.warn('no payment provider is configured: nobody can pay')
    return { provider: null, listenAt() {}, async stop() {} }
  }
  const token = newToken()
  const program = fork(join(import.meta.dirname, 'payment-simulator.ts'), [token], {
    execArgv: process.execArgv,
  })
  const [{ mobileMoney: url, card: cardUrl }] = (await once(program, 'message', {
    signal: AbortSignal.timeout(20_000),
  })) as [{ mobileMoney: string; card: string }]
  let own: string | null = null
  return {
    provider: {
      mobileMoney: [createPawapay({ url, token, log })],
      card: simulatedCards(cardUrl, token, { log, ownUrl: () => own }),
      cardSimulator: cardUrl,
      isSimulated: true,
    },
    listenAt(ownUrl) {
      own = ownUrl
      if (program.connected) program.send(`${ownUrl}/webhooks/pawapay`)
    },
    async stop() {
      if (program.exitCode !== null) return
      program.disconnect()
      await once(program, 'exit')
    },
  }
}

function cardOf({ flexpay }: Config, log: Log, ownUrl: () => string | null): CardPages | null {
  if (!flexpay?.cardUrl) return null
  return createCardPages({ ...flexpay, pageUrl: flexpay.cardUrl, log, ownUrl })
}

/** Returns the simulated card provider, whose page this server shows; it works under any host name of this server. */
export function simulatedCards(
  url: string,
  token: string,
  options: { log: Log; ownUrl: () => string | null; timeoutMs?: number },
): CardPages {
  const pages = createCardPages({
    pageUrl: `${url}/pay`,
    url,
    merchant: simulatedMerchant,
    token,
    ...options,
  })
  return {
    ...pages,
    async initiate(order) {
      const said = await pages.initiate(order)
      return said.kind === 'accepted' && said.pageUrl
        ? { ...said, pageUrl: new URL(said.pageUrl).pathname }
        : said
    },
  }
}
