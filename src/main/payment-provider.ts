import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { PaymentProvider } from '#features/payments/checkout/checkout.routes.ts'
import { createFlexpay } from '#features/payments/flexpay/flexpay.gateway.ts'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import { newToken } from '#server/session/tokens.ts'

export type StartedProvider = {
  provider: PaymentProvider | null
  /** Our callback address, once there is one. */
  listenAt(ownUrl: string): void
  stop(): Promise<void>
}

/** The providers that are configured, the one to be asked first before; else a simulated one; none in production. */
export async function startPaymentProvider(config: Config, log: Log): Promise<StartedProvider> {
  let here = config.publicUrl
  const mobileMoney = [
    ...(config.pawapay ? [createPawapay({ ...config.pawapay, log })] : []),
    ...(config.flexpay ? [createFlexpay({ ...config.flexpay, log, ownUrl: () => here })] : []),
  ].sort((one, other) => Number(other.name === config.askedFirst) - Number(one.name === config.askedFirst))
  if (mobileMoney.length > 0) {
    return {
      provider: { mobileMoney, isSimulated: false },
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
  const [url] = await once(program, 'message', { signal: AbortSignal.timeout(20_000) })
  return {
    provider: { mobileMoney: [createPawapay({ url: String(url), token, log })], isSimulated: true },
    listenAt: (ownUrl) => program.connected && program.send(`${ownUrl}/webhooks/pawapay`),
    async stop() {
      if (program.exitCode !== null) return
      program.disconnect()
      await once(program, 'exit')
    },
  }
}
