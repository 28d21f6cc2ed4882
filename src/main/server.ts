import { createServer } from 'node:net'
import { readConfig } from '#server/config.ts'
import { codeOf } from '#server/db/errors.ts'

const longestStopMs = 35_000

/** Releases what was opened, last opened first. */
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
  // The rest of the program takes seconds to load: what is wrong with the settings is said before.
  const { serve } = await import('#main/serving.ts')
  await serve(config, releases)
}

/** @throws the error of listening where the address is not ours or taken */
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
  // What it was starting was taken from under it.
  if (isStopping) return
  console.error(explain(error))
  void stop(1)
})

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A database has words of its own for an address that is not there: what is left is HOST.
  return listenFaults[codeOf(error) ?? ''] ?? error.message
}

const notHere = 'HOST n’est pas une adresse de cette machine. Essayez HOST=127.0.0.1 ou HOST=0.0.0.0.'
const listenFaults: Record<string, string> = {
  EADDRINUSE: 'Ce port est déjà pris par un autre programme. Choisissez-en un autre : PORT=3001 npm start',
  EADDRNOTAVAIL: notHere,
  ENOTFOUND: notHere,
  EAI_AGAIN: notHere,
}
