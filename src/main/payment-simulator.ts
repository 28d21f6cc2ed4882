// The simulated provider of mobile money, a process of its own that ends with the one that started it.

import { createSimulator } from '#features/payment-simulator/simulator.routes.ts'

const [, , token = ''] = process.argv
const endsAfterMs = 4_000

const simulator = createSimulator({ token, endsAfterMs })
process.on('message', (callbackUrl) => simulator.tell(String(callbackUrl)))
// The server's own signals reach the whole group: it tells us to end by ending.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))
process.send?.(await simulator.http.listen({ port: 0, host: '127.0.0.1' }))
