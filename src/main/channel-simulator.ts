// The simulated providers of messages, a process of its own that ends with the one that started it.

import { createChannelSimulator } from '#features/channels/simulator/simulator.routes.ts'

const [, , secret = ''] = process.argv

const simulator = createChannelSimulator({ secret })
// The server's own signals reach the whole group: it ends when the server does.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))
process.send?.(await simulator.http.listen({ port: 0, host: '127.0.0.1' }))
