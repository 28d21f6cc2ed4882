import { createServer } from 'node:net'
import { readConfig } from '#server/config.ts'
import { codeOf } from '#server/db/errors.ts'

const longestStopMs = 35_000

/** Functions that release what was opened, called in reverse order. */
const releases: (() => Promise<unknown>)[] = []
let isStopping = false

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  setTimeout(() => process.exit(1), longestStopMs).unref()
  try {
    for (const release of releases.reverse()) await release()
    process.exit(exitCode)
  } catch (error) {
    console.error(`Arrêt incomplet : ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  }
}

async function start(): Promise<void> {
  const config = readConfig()
  await assertFree(config)
  // Loading the rest of the program takes seconds: errors in the settings are reported before.
  const { serve } = await import('#main/serving.ts')
  await serve(config, releases)
}

/**
 * Checks that the server can listen on the address.
 *
 * @throws the error of `listen` when the address is not local or is taken
 */
async function assertFree({ host, port }: { host: string; port: number }): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen({ host, port }, resolve)
  })
  await new Promise((resolve) => probe.close(resolve))
}

process.on('SIGTERM', () => void stop(0))
process.on('SIGINT', () => void stop(0))
start().catch((error: unknown) => {
  // A start that is interrupted by a stop fails, because its resources are released.
  if (isStopping) return
  console.error(explain(error))
  void stop(1)
})

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Database errors have their own messages, so an address error that is left comes from HOST.
  return listenFaults[codeOf(error) ?? ''] ?? error.message
}

const notHere = 'HOST n’est pas une adresse de cette machine. Essayez HOST=127.0.0.1 ou HOST=0.0.0.0.'
const listenFaults: Record<string, string> = {
  EADDRINUSE: 'Ce port est déjà pris par un autre programme. Choisissez-en un autre : PORT=3001 npm start',
  EADDRNOTAVAIL: notHere,
  ENOTFOUND: notHere,
  EAI_AGAIN: notHere,
}
