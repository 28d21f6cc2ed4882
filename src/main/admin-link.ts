import { resolve } from 'node:path'
import { inviteFirstAdmin, makeAdminLink } from '#features/auth/links.jobs.ts'
import { localUrl, readConfig } from '#server/config.ts'
import { assertWritable } from '#server/db/durability.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/pool.ts'

const root = resolve(import.meta.dirname, '../..')

// Logs to standard error: standard output contains only the link.
const log = {
  info: (message: string) => console.error(message),
  warn: (message: string) => console.error(message),
  error: (message: string) => console.error(message),
}

try {
  await printLink()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function printLink(): Promise<void> {
  const config = readConfig()
  const embedded = config.databaseUrl
    ? null
    : await startEmbedded({ dataDir: config.dataDir, role: 'tool', log })
  try {
    const connection = embedded?.connection ?? config.databaseUrl ?? ''
    const { db, pool, close } = await openDatabase({
      connection,
      max: 2,
      applicationName: 'ntalo admin-link',
    })
    try {
      await assertWritable(pool)
      await migrate(pool, resolve(root, 'db/migrations'), log)
      if (config.adminEmail) await inviteFirstAdmin(db, config.adminEmail)
      const link = await makeAdminLink(db, config.publicUrl ?? localUrl(config.host, config.port))
      if (!link) {
        throw new Error(
          'Aucun super administrateur ne peut se connecter. Sur une base sans compte, indiquez son adresse dans ADMIN_EMAIL.',
        )
      }
      console.error(`Pour ${link.email}, une seule fois, pendant 30 minutes :`)
      console.log(link.url)
    } finally {
      await close()
    }
  } finally {
    await embedded?.stop()
  }
}
