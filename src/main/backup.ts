// `npm run backup -- DIR` and `npm run restore -- DIR`: this module reads which, and says what was done.

import { resolve } from 'node:path'
import { backUp } from '#server/backup/back-up.ts'
import type { Manifest } from '#server/backup/manifest.ts'
import { restore } from '#server/backup/restore.ts'
import { readConfig } from '#server/config.ts'

const log = {
  info: (message: string) => console.error(message),
  warn: (message: string) => console.error(message),
  error: (message: string) => console.error(message),
}

process.exitCode = await main(process.argv.slice(2))

async function main([command, from, path, given, ...rest]: string[]): Promise<number> {
  try {
    const isRestore = command === 'restore'
    if (!from || path === undefined || !given || rest.length > 0) {
      throw new Error(
        `Indiquez un dossier, et lui seul : npm run ${isRestore ? 'restore' : 'backup'} -- DOSSIER`,
      )
    }
    const { dataDir, databaseUrl } = readConfig()
    const place = { dataDir, databaseUrl, path, log }
    const folder = resolve(from, given)
    const manifest = isRestore ? await restore(folder, place) : await backUp(place, folder)
    console.log(`${isRestore ? 'Restauré depuis' : 'Sauvegardé dans'} ${folder} :\n${contentOf(manifest)}`)
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
}

function contentOf({ madeAt, kind, database, files }: Manifest): string {
  const count = new Intl.NumberFormat('fr-CD')
  const rows = Object.values(database.rows)
  const sum = (values: number[]) => count.format(values.reduce((total, each) => total + each, 0))
  return [
    `  état du ${new Date(madeAt).toLocaleString('fr-FR', { timeZone: 'Africa/Kinshasa' })} (Kinshasa), schéma ${database.schema}`,
    `  ${count.format(rows.length)} tables, ${sum(rows)} lignes, journal jusqu’au maillon ${count.format(database.journal.position)}`,
    `  ${count.format(files.length)} fichiers, ${sum(files.map(({ bytes }) => bytes))} octets, empreintes vérifiables (${kind === 'base' ? 'base embarquée' : 'pg_dump'})`,
  ].join('\n')
}
