// Simulated providers of mobile money and of cards, in a separate process that ends with the process that started it.

import { createCardSimulator } from '#features/payment-simulator/card.routes.ts'
import { createSimulator } from '#features/payment-simulator/simulator.routes.ts'
import { simulatedMerchant } from '#features/payment-simulator/simulator.rules.ts'

const [, , token = ''] = process.argv
const endsAfterMs = 4_000

const simulator = createSimulator({ token, endsAfterMs })
const cards = createCardSimulator({ token, merchant: simulatedMerchant })
process.on('message', (callbackUrl) => simulator.tell(String(callbackUrl)))
// Ignores signals sent to the whole process group: this process ends when the server ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))
const here = { port: 0, host: '127.0.0.1' }
process.send?.({ mobileMoney: await simulator.http.listen(here), card: await cards.http.listen(here) })
