import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/pool.ts'
import { testDatabase } from '../../tests/support/database.ts'
import { privateDirectory, startProgram } from '../../tests/support/embedded.ts'
import { holdImports } from '../../tests/support/imports.ts'
import { onDatabase } from '../../tests/support/kill-trial.ts'
import { wfpFile2023, wfpFile2025 } from '../../tests/support/price-files.ts'
import { programEnv } from '../../tests/support/program-env.ts'
import { untilWaiting } from '../../tests/support/waiting.ts'

const root = resolve(import.meta.dirname, '../..')
const empty = {
  read: 0,
  added: 0,
  existing: 0,
  revised: 0,
  withdrawn: 0,
  rejected: 0,
  notes: [],
  reasons: [],
}

describe('the command', async () => {
  const { db, connection } = await testDatabase()
  const { host, port, user, database } = connection
  const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const start = (...words: string[]) => startImport({ DATABASE_URL: url }, words)
  const run = (...words: string[]) => start(...words).ended

  test('reports in French the result of a file', async () => {
    const trial = await run('prices', fileOf(wfpFile2023({}, { currency: 'XAF' })), '--dry-run')
    expect(trial).toMatchObject({ code: 0, stderr: '' })
    expect(plain(trial.stdout)).toBe(
      [
        'Essai à blanc de prix.csv : rien n’a été écrit.',
        '  Lignes lues     2',
        '  Prix à ajouter  1',
        '  Déjà là         0',
        '  Rejetées        1',
        'À créer : 1 marché, 1 catégorie, 1 type de produit, 1 produit.',
        '  1 marché : Virunga (Goma)',
        '  1 catégorie : Céréales et tubercules',
        '  1 type de produit : Farine et semoule de maïs',
        '  1 produit : Maize flour · kg · Détail',
        'Lignes rejetées :',
        '  ligne 4 : La devise « XAF » n’est ni CDF ni USD.',
        '',
      ].join('\n'),
    )
  })

  test('explains how to read a file whose only currency is unknown', async () => {
    const rows = [{ currency: 'KES' }, { currency: 'KES', date: '2023-04-15' }]
    const { stdout } = await run('prices', fileOf(wfpFile2025(...rows)), '--dry-run')
    expect(plain(stdout)).toContain(
      '2 lignes : La devise « KES » n’est ni CDF ni USD. (par exemple la ligne 2)',
    )
    const advice =
      'Toutes les lignes sont en KES. Pour les lire en francs congolais\u00a0: --currency-map KES=CDF'
    expect(stdout).toContain(advice)
    const output = jsonOf(await run('prices', fileOf(wfpFile2025(...rows)), '--dry-run', '--json'))
    expect(output).toMatchObject({ read: 2, rejected: 2, notes: [advice] })
  })

  test('gives the report as JSON on its last line, and adds nothing the second time', async () => {
    const words = [
      'prices',
      fileOf(wfpFile2025({}, { currency: 'XAF' })),
      '--json',
      '--currency-map',
      'XAF=CDF',
    ]
    const report = {
      read: 2,
      added: 1,
      existing: 1,
      revised: 0,
      withdrawn: 0,
      rejected: 0,
      notes: [],
      reasons: [],
      errors: [],
    }
    expect(jsonOf(await run(...words))).toEqual(report)
    expect(jsonOf(await run(...words))).toEqual({ ...report, added: 0, existing: 2 })
    expect(await countPrices()).toBe(1)
  })

  test('fails with the reason when the file cannot be imported, in JSON too', async () => {
    const path = fileOf(wfpFile2025({}).replace(',price,', ',prix,'))
    const { code, stderr, stdout } = await run('prices', path, '--json')
    const advice =
      'Un autre tableau se décrit une fois à la page Imports ; il se lit ensuite avec --mapping NOM.'
    expect([code, plain(stderr)]).toEqual([1, `Colonne absente : price.\n${advice}\n`])
    const errors = [{ line: 0, message: `Colonne absente\u00a0: price.\n${advice}` }]
    expect(JSON.parse(stdout)).toEqual({ ...empty, errors })
  })

  test('reads its standard input when the file is called -', async () => {
    const program = start('prices', '-', '--dry-run')
    program.write(wfpFile2025({}))
    const { code, stdout } = await program.ended
    expect([code, plain(stdout.split('\n')[0] ?? '')]).toEqual([
      0,
      'Essai à blanc de l’entrée standard : rien n’a été écrit.',
    ])
  })

  test('fails when the file does not exist, before it starts a database', async () => {
    const { code, stdout, stderr } = await run('prices', '/nulle/part.csv')
    expect([code, stdout, stderr]).toEqual([1, '', 'Le fichier /nulle/part.csv n’existe pas.\n'])
  })

  test('stopped by Ctrl-C undoes everything and says so', async () => {
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(7304)`.execute(tx)
      const program = start('prices', fileOf(wfpFile2025({ date: '2020-02-02' })))
      await untilWaiting(db, 1)
      program.signal('SIGINT')
      const { code, stderr } = await program.ended
      expect([code, plain(stderr)]).toEqual([130, 'Import interrompu : rien n’a été écrit.\n'])
    })
    expect(await countPrices()).toBe(1)
  })

  async function countPrices(): Promise<number> {
    const { n } = await db
      .selectFrom('price')
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return n
  }
})

describe('on a machine without a database', () => {
  test('the command starts a database, or uses that of a server beside it', async () => {
    const dataDir = join(privateDirectory(), 'données')
    const words = ['prices', fileOf(wfpFile2025({}, { market: 'Birere' })), '--json']
    const alone = await startImport({ DATA_DIR: dataDir }, words).ended
    expect(jsonOf(alone)).toMatchObject({ read: 2, added: 2 })

    await startProgram('server', dataDir).event('ready')
    const beside = await startImport({ DATA_DIR: dataDir }, words).ended
    expect(jsonOf(beside)).toMatchObject({ read: 2, added: 0, existing: 2 })
  })

  test('a server that stops ends the command that uses its database, and nothing is written', async () => {
    const dataDir = privateDirectory()
    const path = fileOf(wfpFile2025({}))
    jsonOf(await startImport({ DATA_DIR: dataDir }, ['prices', path, '--json', '--dry-run']).ended)
    const server = startProgram('server', dataDir)
    const beside = await openDatabase({ connection: await server.event('ready') })
    onTestFinished(beside.close)
    await holdImports(beside.pool)
    const command = startImport({ DATA_DIR: dataDir }, ['prices', path])
    await untilWaiting(beside.db, 1)
    server.signal('SIGTERM')
    const { code, stderr } = await command.ended
    expect([code, plain(stderr)]).toEqual([
      1,
      'La base de données s’est arrêtée, avec le serveur peut-être : rien n’a été écrit. Relancez la commande.\n',
    ])
    expect(await server.ended).toBe(0)
    expect(await onDatabase(dataDir, (db) => db.selectFrom('price').select('id').execute())).toEqual([])
  })
})

function startImport(env: Record<string, string>, words: string[]) {
  const child = spawn(process.execPath, ['src/main/import.ts', ...words], {
    cwd: root,
    env: { ...programEnv, ...env },
    stdio: 'pipe',
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk
  })
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
    child.once('close', (code) => done({ code, ...said }))
  })
  return {
    ended,
    write: (text: string) => void child.stdin.end(text),
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
  }
}

function fileOf(content: string): string {
  const path = join(privateDirectory(), 'prix.csv')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

function jsonOf({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): unknown {
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

/** Replaces no-break spaces by ordinary ones. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}
