import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { startJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log.ts'
import { mailTasks, queueMail } from '#server/mail/mail.ts'
import { claimMail } from '#server/mail/outgoing-mail.sql.ts'
import { loadViews } from '#server/views.ts'
import { chartId } from '#shared/mail.ts'
import { firstAttempt } from '../../../tests/support/attempt.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/database.ts'
import { headerOf, mailServer, partOf } from '../../../tests/support/mail-server.ts'

const views = await loadViews(join(import.meta.dirname, '../../../dist'))
const from = 'Ntalo <ne-pas-repondre@ntalo.example>'

const content = {
  subject: 'Votre relevé est prêt\u202f!',
  paragraphs: ['Bonjour Aline <b>Mbuyi</b>,', 'Voici ce que vous attendiez.'],
  action: { label: 'Voir le relevé', url: 'https://ntalo.example/prices?a=1&b=2' },
  notes: ['Vous n’avez rien demandé\u202f? Oubliez ce message.'],
}

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'ntalo-mail-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function sender(database: TestDatabase, smtpUrl: string | null, to = directory()) {
  const [atOnce, late] = mailTasks({
    db: database.db,
    views,
    transport: { smtpUrl, from, directory: join(to, 'mail') },
    log: createLog('silent'),
  })
  if (!atOnce || !late) throw new Error('two tasks send mails')
  return {
    tasks: [atOnce, late],
    /** Sends the mails that are due, once. */
    send: (signal?: AbortSignal) => late.run({}, firstAttempt(database.db, signal)),
  }
}

const left = async ({ pool }: TestDatabase) =>
  (await pool.query('select recipient, attempts, last_error from outgoing_mail order by id')).rows

/** Makes the mails this much older. */
const pass = ({ pool }: TestDatabase, interval: string) =>
  pool.query(
    `update outgoing_mail set send_at = send_at - $1::interval, created_at = created_at - $1::interval`,
    [interval],
  )

test('a mail is sent as HTML and text, in French, from us, to one address', async () => {
  const database = await testDatabase()
  const server = await mailServer()
  await queueMail(database.db, { to: 'aline@exemple.cd', content, replyTo: 'equipe@exemple.cd' })
  await sender(database, server.url).send()
  const [mail] = server.received
  expect(server.received).toHaveLength(1)
  expect(mail).toMatchObject({ from: 'ne-pas-repondre@ntalo.example', to: ['aline@exemple.cd'] })
  const raw = mail?.raw ?? ''
  expect(headerOf(raw, 'subject')).toBe(content.subject)
  expect(headerOf(raw, 'from')).toBe(from)
  expect(headerOf(raw, 'to')).toBe('aline@exemple.cd')
  expect(headerOf(raw, 'reply-to')).toBe('equipe@exemple.cd')
  expect(headerOf(raw, 'message-id')).toMatch(/^<[\da-f-]{36}@ntalo\.example>$/)
  const text = partOf(raw, 'text/plain')
  expect(text).toContain('Bonjour Aline <b>Mbuyi</b>,')
  expect(text).toContain(content.action.url)
  const html = partOf(raw, 'text/html')
  expect(html).toContain('<html lang="fr">')
  expect(html).toContain('Aline &lt;b&gt;Mbuyi&lt;/b&gt;')
  expect(html).toContain('href="https://ntalo.example/prices?a=1&amp;b=2"')
  expect(html).not.toMatch(/<script|<img|<link/)
  expect(await left(database)).toEqual([])
})

test('a chart is part of the mail, named where it is shown, and described where it is not', async () => {
  const database = await testDatabase()
  const server = await mailServer()
  const chart = {
    alt: 'Riz local à Goma\u00a0: de 2\u202f000\u00a0FC à 2\u202f450\u00a0FC.',
    course: [
      [
        [0, 0.1],
        [0.5, 0.2],
      ],
      [
        [0.8, 0.9],
        [1, 0.7],
      ],
    ] as [number, number][][],
    level: 0.6,
    labels: { range: 'Riz local', from: '1 janv. 2026', to: '1 févr. 2026' },
  }
  await queueMail(database.db, { to: 'aline@exemple.cd', content: { ...content, charts: [chart, chart] } })
  await sender(database, server.url).send()
  const raw = server.received[0]?.raw ?? ''
  const html = Buffer.from(raw.replaceAll('=\r\n', '')).toString()
  for (const at of [0, 1]) {
    expect(html).toContain(`cid:${chartId(at)}`)
    const part = raw.split(/\r\n--/).find((each) => each.includes(`Content-ID: <${chartId(at)}>`)) ?? ''
    const png = Buffer.from(part.slice(part.indexOf('\r\n\r\n')), 'base64')
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1024, height: 380 })
    expect(png.length).toBeLessThan(40_000)
  }
})

test('a mail of a transaction that is rolled back is never sent', async () => {
  const database = await testDatabase()
  const server = await mailServer()
  await expect(
    database.db.transaction().execute(async (tx) => {
      await queueMail(tx, { to: 'aline@exemple.cd', content })
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  await sender(database, server.url).send()
  expect(server.received).toEqual([])
})

test('a mail is sent as soon as it is queued, once, with two processes sending', async () => {
  const database = await testDatabase()
  const server = await mailServer()
  const log = createLog('silent')
  const { connection, db } = database
  const runners = [1, 2].map(() =>
    startJobs({ db, connection, tasks: sender(database, server.url).tasks, log }),
  )
  try {
    for (let n = 1; n <= 20; n++) await queueMail(db, { to: `personne-${n}@exemple.cd`, content })
    await expect.poll(() => server.received.length).toBe(20)
    await expect.poll(async () => (await left(database)).length).toBe(0)
  } finally {
    await Promise.all(runners.map((runner) => runner.stop()))
  }
  expect(new Set(server.received.flatMap(({ to }) => to)).size).toBe(20)
  expect(server.received).toHaveLength(20)
})

test('no mail is lost when the mail server is down for a day', async () => {
  const database = await testDatabase()
  const first = await mailServer()
  await first.close()
  const { send } = sender(database, first.url)
  for (let n = 1; n <= 5; n++) await queueMail(database.db, { to: `personne-${n}@exemple.cd`, content })
  // One attempt finds the server down and skips the other mails; none is due again at once.
  await send()
  expect((await left(database)).map(({ attempts }) => attempts)).toEqual([1, 0, 0, 0, 0])
  expect((await left(database))[0]?.last_error).toMatch(/^ESOCKET CONN/)
  for (let hour = 1; hour <= 24; hour++) {
    await pass(database, '1 hour')
    await send()
  }
  const server = await mailServer({ port: first.port })
  await pass(database, '15 minutes')
  await send()
  expect(server.received.flatMap(({ to }) => to).sort()).toEqual(
    [1, 2, 3, 4, 5].map((n) => `personne-${n}@exemple.cd`),
  )
})

test('an address refused permanently is given up, one refused for now is retried, others are served', async () => {
  const database = await testDatabase()
  let isBusy = true
  const server = await mailServer({
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('inconnu'))
        return done(Object.assign(new Error('no such user'), { responseCode: 550 }))
      if (address.startsWith('plus-tard') && isBusy)
        return done(Object.assign(new Error('greylisted'), { responseCode: 450 }))
      done()
    },
  })
  for (const name of ['inconnu', 'plus-tard', 'aline'])
    await queueMail(database.db, { to: `${name}@exemple.cd`, content })
  const { send } = sender(database, server.url)
  await send()
  expect(server.received.flatMap(({ to }) => to)).toEqual(['aline@exemple.cd'])
  expect(await left(database)).toEqual([
    { recipient: 'plus-tard@exemple.cd', attempts: 1, last_error: 'EENVELOPE RCPT TO 450' },
  ])
  isBusy = false
  await pass(database, '2 minutes')
  await send()
  expect(await left(database)).toEqual([])
})

test('a mail not sent after five days is given up', async () => {
  const database = await testDatabase()
  const server = await mailServer()
  await server.close()
  await queueMail(database.db, { to: 'aline@exemple.cd', content })
  await pass(database, '6 days')
  await sender(database, server.url).send()
  expect(await left(database)).toEqual([])
})

test('a silent mail server is disconnected at shutdown, and the mail is not lost', async () => {
  const database = await testDatabase()
  const sockets: Socket[] = []
  const mute = createServer((socket) => sockets.push(socket))
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    mute.close()
  })
  const address = mute.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await queueMail(database.db, { to: 'aline@exemple.cd', content })
  const stop = new AbortController()
  const sending = sender(database, `smtp://127.0.0.1:${port}`).send(stop.signal)
  await expect.poll(() => sockets.length).toBe(1)
  stop.abort(new Error('the process stops'))
  await sending
  expect(await left(database)).toHaveLength(1)
})

test('without a mail server, mails are files that only the server’s user can read', async () => {
  const database = await testDatabase()
  const path = directory()
  await queueMail(database.db, { to: 'aline@exemple.cd', content })
  await sender(database, null, path).send()
  const [name, ...others] = readdirSync(join(path, 'mail'))
  expect(others).toEqual([])
  const file = join(path, 'mail', name ?? '')
  expect(name).toMatch(/^[\da-f-]{36}\.eml$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(partOf(readFileSync(file, 'utf8'), 'text/plain')).toContain(content.action.url)
  expect(await left(database)).toEqual([])
})

test.each([
  ['subject', { content: { ...content, subject: 'Bonjour\r\nBcc: autre@exemple.cd' } }],
  ['recipient', { to: 'aline@exemple.cd\r\nBcc: autre@exemple.cd' }],
  ['reply address', { replyTo: 'aline@exemple.cd\nBcc: autre@exemple.cd' }],
  ['link', { content: { ...content, action: { label: 'Ici', url: 'javascript:alert(1)' } } }],
])('a %s that would write another header or a script is refused', async (_name, wrong) => {
  const { db } = await testDatabase()
  await expect(queueMail(db, { to: 'aline@exemple.cd', content, ...wrong })).rejects.toThrow()
})

test('a comma or a name in an address adds no second recipient', async () => {
  const database = await testDatabase()
  const server = await mailServer()
  await queueMail(database.db, { to: 'aline@exemple.cd, autre@exemple.cd', content })
  await sender(database, server.url).send()
  expect(server.received.flatMap(({ to }) => to)).not.toContain('autre@exemple.cd')
})

test('a mail is due at the instant that it is written, however the database rounds it', async () => {
  const { db } = await testDatabase()
  for (let n = 1; n <= 20; n++) {
    await db.transaction().execute(async (tx) => {
      await queueMail(tx, { to: `personne-${n}@exemple.cd`, content })
      expect(await claimMail(tx)).toMatchObject({ recipient: `personne-${n}@exemple.cd` })
    })
  }
})

test('the same mail sent twice has the same message id', async () => {
  const database = await testDatabase()
  const server = await mailServer()
  await queueMail(database.db, { to: 'aline@exemple.cd', content })
  const { rows } = await database.pool.query('select * from outgoing_mail')
  const { send } = sender(database, server.url)
  await send()
  // Simulates a process that died after it sent the mail and before it recorded this.
  await database.pool.query(`insert into outgoing_mail (key, recipient, content) values ($1, $2, $3)`, [
    rows[0].key,
    rows[0].recipient,
    rows[0].content,
  ])
  await send()
  const names = server.received.map(({ raw }) => headerOf(raw, 'message-id'))
  expect(names).toHaveLength(2)
  expect(new Set(names).size).toBe(1)
})
