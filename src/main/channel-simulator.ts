// Simulated message providers, in a separate process that ends with the process that started it.

import { createChannelSimulator } from '#features/channels/simulator/simulator.routes.ts'

const [, , secret = ''] = process.argv

const simulator = createChannelSimulator({ secret })
// Ignores signals sent to the whole process group: this process ends when the server ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))
process.send?.(await simulator.http.listen({ port: 0, host: '127.0.0.1' }))
