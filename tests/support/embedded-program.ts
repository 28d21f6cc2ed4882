// Uses the embedded PostgreSQL as the server or a command does, in a process that can be killed.
// Arguments: role, DATA_DIR, and « once » to stop at once. Prints one JSON line per event.

import { startEmbedded } from '#server/db/embedded/embedded.ts'

const [role, dataDir, duration] = process.argv.slice(2)
if ((role !== 'server' && role !== 'tool') || !dataDir)
  throw new Error('usage: embedded-program.ts ROLE DATA_DIR')

const print = (event: Record<string, unknown>) => console.log(JSON.stringify(event))
const log = {
  info: (message: string) => print({ info: message }),
  warn: (message: string) => print({ warn: message }),
  error: (message: string) => print({ error: message }),
}

try {
  const embedded = await startEmbedded({ dataDir, role, log })
  const staysAlive = setInterval(() => {}, 60_000)
  const stop = async () => {
    await embedded.stop()
    clearInterval(staysAlive)
    print({ stopped: true })
  }
  process.once('SIGTERM', stop)
  print({ ready: embedded.connection })
  if (duration === 'once') await stop()
} catch (error) {
  print({ refused: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}
