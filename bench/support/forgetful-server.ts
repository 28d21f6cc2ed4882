// Starts the server on a PostgreSQL that confirms commits before they are on disk, which the real server refuses.

import { buildApp } from '#main/app.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/pool.ts'
import { createLog } from '#server/log.ts'
import { noViews } from './no-views.ts'
import { forgetful, migrations } from './private-postgres.ts'

const silent = createLog('silent')
const { DATA_DIR: dataDir = '', PORT: port } = process.env
const { connection } = await startEmbedded({
  dataDir,
  role: 'server',
  log: silent,
  relaxedSettings: forgetful,
})
const { db, pool } = await openDatabase({ connection })
await migrate(pool, migrations, silent)
const http = await buildApp({
  db,
  connection,
  dataDir,
  publicUrl: null,
  trustedProxies: 0,
  log: silent,
  views: noViews(dataDir),
})
console.log(`Ntalo écoute sur ${await http.listen({ port: Number(port), host: '127.0.0.1' })}`)
