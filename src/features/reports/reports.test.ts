import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { ReportIssue } from '#features/reports/reports.contract.ts'
import { monthlyBulletin } from '#features/reports/reports.rules.ts'
import { sendReports } from '#features/reports/sending/sending.jobs.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import type { DrawnReport } from '#shared/drawing.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { mailsTo, sentMails } from '../../../tests/support/mails.ts'
import { type Client, insertAccount, testDefaults, testServer } from '../../../tests/support/server.ts'

const ahead = 0
const clock = () => new Date(Date.now() + ahead)
const server = await testServer({ hasJobs: true, clock, publicUrl: testDefaults.publicUrl })
const { db, dataDir } = server
const today = dayInKinshasa(new Date())

let productId: number
let marketId: number
let id: number
let owner: Client
let visitors = 0
const address = () => `lecteur-${++visitors}@exemple.cd`

beforeEach(async () => {
  productId = await insertProduct(db, { name: 'Riz local', weight: '1 kg' })
  marketId = await insertMarket(db, { name: 'Virunga', location: `Goma ${productId}` })
  for (let days = 40; days > 0; days -= 2) await quote(days, days > 20 ? 2000 : 2500)
  id = await insertAccount(db, { roles: ['user'], ageDays: 1 })
  owner = await server.clientOf(id)
})

const quote = (days: number, price_value: number) =>
  insertPrice(db, { product_id: productId, market_id: marketId, day: addDays(today, -days), price_value })
const block = (kind: string, more: object = {}) => ({ kind, selection: { productId, marketId }, ...more })
const make = async (more: object = {}) => {
  const { status, body } = await owner.post('/api/reports', {
    title: 'Riz de Goma',
    blocks: [block('table')],
    ...more,
  })
  expect(status).toBe(201)
  return body as { id: number; updatedAt: string; nextAt: string | null; recipients: object[] }
}
const issuesOf = async (report: number) =>
  ((await owner.get(`/api/reports/${report}/issues`)).body as { data: ReportIssue[] }).data
const issueEnded = async (report: number, state: string, count = 1) => {
  await expect
    .poll(async () => (await issuesOf(report)).filter((issue) => issue.state === state).length)
    .toBe(count)
  return (await issuesOf(report))[0]!
}
/** Returns the path of the link in a recipient's invitation. */
const invitationOf = async (to: string) => {
  const [mail] = await mailsTo(dataDir, to, 1)
  return new URL(mail?.url ?? '').pathname
}
const form = (choice: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: choice,
})
const said = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test('the preview of a report shows the figures of today, block by block', async () => {
  const { status, body } = await owner.post('/api/reports/preview', {
    title: 'Riz de Goma',
    blocks: [
      ...['figures', 'chart', 'table', 'map', 'comparison', 'method'].map((kind) => block(kind)),
      { kind: 'text', title: 'À retenir', text: 'Le riz monte.' },
    ],
  })
  expect(status).toBe(200)
  const { sections } = (body as { content: DrawnReport }).content
  expect(sections.map(({ drawn }) => drawn)).toEqual([
    'figures',
    'line',
    'table',
    'picture',
    'line',
    'text',
    'text',
  ])
  const [figures, course, table] = sections
  expect(figures?.rows.map(({ name, text }) => said(`${name}: ${text}`))).toEqual(
    expect.arrayContaining(['Variation: +25,0 %', 'Tendance: non établie', 'Prix maximum: 2 500 FC']),
  )
  expect(course?.rows).toHaveLength(20)
  const [row] = table?.table?.rows ?? []
  expect(row?.slice(0, 4).map(({ text }) => said(text))).toEqual([
    'Riz local, 1 kg',
    expect.stringMatching(/^Virunga, Goma \d+$/),
    '2 500 FC',
    '+25,0 %',
  ])
  expect(sections.at(-1)).toMatchObject({ title: 'À retenir', definition: 'Le riz monte.' })
})

test('a report is written, changed and deleted only by its owner', async () => {
  const report = await make({ ...monthlyBulletin(), recipients: [] })
  expect(report.nextAt).not.toBeNull()
  const other = await server.as('user')
  await sql`update app_user set created_at = now() where id = ${other.userId}`.execute(db)
  expect((await other.get(`/api/reports/${report.id}`)).status).toBe(404)
  const path = `/api/reports/${report.id}`
  expect(await owner.put(path, { title: 'Autre', schedule: null })).toMatchObject({
    status: 200,
    body: { title: 'Autre', nextAt: null, schedule: null },
  })
  expect((await owner.put(path, { title: 'Encore', updatedAt: report.updatedAt })).status).toBe(409)
  // An issue that is due is still made after a correction of the title.
  const schedule = { frequency: 'monthly', day: 1, hour: 7, skipsUnchanged: true } as const
  expect((await owner.put(path, { schedule })).body).toMatchObject({ schedule })
  // The job that plans issues does not take this one meanwhile.
  await sql`update job set run_at = now() + interval '25 seconds' where schedule = 'plan reports'`.execute(db)
  const due = '2026-01-01T06:00:00.000Z'
  await sql`update report set next_at = ${due} where id = ${report.id}`.execute(db)
  expect((await owner.put(path, { title: 'Bulletin', schedule })).body).toMatchObject({ nextAt: due })
  const later = { ...schedule, hour: 8 }
  expect(Object((await owner.put(path, { schedule: later })).body).nextAt > due).toBe(true)
  expect((await owner.delete(path)).status).toBe(200)
  expect((await owner.get('/api/reports')).body).toEqual({ data: [] })
})

test.each([
  ['no block', { blocks: [] }, 'blocks'],
  ['a block that does not exist', { blocks: [{ kind: 'pie' }] }, 'blocks.0.kind'],
  ['a text without words', { blocks: [{ kind: 'text', text: ' ' }] }, 'blocks.0.text'],
  ['an address that is none', { recipients: ['goma'] }, 'recipients.0'],
  ['an eighth day of the week', { schedule: { frequency: 'weekly', day: 8 } }, 'schedule.day'],
])('a report with %s is refused under its field', async (_what, wrong, field) => {
  const { status, body } = await owner.post('/api/reports', {
    title: 'R',
    blocks: [block('table')],
    ...wrong,
  })
  expect({
    status,
    fields: (body as { errors: { field: string }[] }).errors.map((each) => each.field),
  }).toEqual({
    status: 400,
    fields: [field],
  })
})

test('an issue is made once, with a page, a tagged PDF and a workbook, readable by anyone with the address', async () => {
  const report = await make({
    blocks: [block('figures'), block('chart'), block('table'), block('map'), block('comparison')],
  })
  const asked = await owner.post(`/api/reports/${report.id}/issues`, { to: 'nobody' })
  expect(asked).toMatchObject({ status: 202, body: { state: 'planned', url: null, files: [] } })
  const issue = await issueEnded(report.id, 'made')
  const page = await server.visitor.get(new URL(issue.url ?? '').pathname)
  expect(page.status).toBe(200)
  expect(page.text).toContain('bulletin')
  const [pdf, xlsx] = await Promise.all(
    issue.files.map(({ url }) => server.visitor.get(url.slice(url.indexOf('/api')))),
  )
  expect(pdf?.headers.get('content-type')).toBe('application/pdf')
  const raw = pdf?.bytes.toString('latin1') ?? ''
  expect(raw.startsWith('%PDF-1.7')).toBe(true)
  expect(raw).toMatch(/\/MarkInfo/)
  expect(raw).toMatch(/\/Lang/)
  expect(xlsx?.bytes.subarray(0, 2).toString()).toBe('PK')
  expect((await server.visitor.get('/bulletins/inconnu')).status).toBe(404)
  expect((await server.visitor.get('/api/reports/issues/inconnu/file')).status).toBe(404)
  await owner.delete(`/api/reports/${report.id}`)
  expect((await server.visitor.get(new URL(issue.url ?? '').pathname)).status).toBe(404)
})

test('no mail is sent to a recipient before they confirm, or after they unsubscribe', async () => {
  const [yes, silent, gone] = [address(), address(), address()]
  const report = await make({ recipients: [yes, silent, gone] })
  for (const to of [yes, gone]) {
    const link = await invitationOf(to)
    expect((await server.visitor.get(link)).status).toBe(200)
    expect((await server.visitor.send(link, form('choice=confirm'))).status).toBe(200)
  }
  // An omitted body means an issue without a comment.
  expect((await owner.send(`/api/reports/${report.id}/issues`, { method: 'POST' })).status).toBe(202)
  const first = await issueEnded(report.id, 'sent')
  expect(first.deliveries).toEqual({ sent: 2, waiting: 0, refused: 0, expired: 0, unknown: 0 })
  const [, bulletin] = await mailsTo(dataDir, gone, 2)
  expect(bulletin?.text).toContain(first.url ?? 'no page')
  // As mail programs do: one click, without a session (RFC 8058).
  const leaving = await server.visitor.send(await invitationOf(gone), form('List-Unsubscribe=One-Click'))
  expect(leaving.status).toBe(200)
  await owner.put(`/api/reports/${report.id}`, { recipients: [yes, silent, gone] })
  await owner.post(`/api/reports/${report.id}/issues`, {})
  expect((await issueEnded(report.id, 'sent', 2)).deliveries).toMatchObject({ sent: 1 })
  expect(await sentMails({ db, dataDir }, gone)).toHaveLength(2)
  expect(await sentMails({ db, dataDir }, silent)).toHaveLength(1)
  expect((await owner.get(`/api/reports/${report.id}`)).body).toMatchObject({
    recipients: [
      { email: yes, state: 'confirmed' },
      { email: silent, state: 'waiting' },
      { email: gone, state: 'left' },
    ],
  })
})

test('a recipient unsubscribes while the owner’s account is suspended, and cannot subscribe then', async () => {
  const to = address()
  const report = await make({ recipients: [to] })
  const link = await invitationOf(to)
  await server.visitor.send(link, form('choice=confirm'))
  await sql`update app_user set status = 'SUSPENDED' where id = ${id}`.execute(db)
  expect((await server.visitor.get(link)).status).toBe(200)
  expect((await server.visitor.send(link, form('List-Unsubscribe=One-Click'))).status).toBe(200)
  expect((await server.visitor.send(link, form('choice=confirm'))).status).toBe(404)
  await sql`update app_user set status = 'ACTIVE' where id = ${id}`.execute(db)
  expect((await owner.get(`/api/reports/${report.id}`)).body).toMatchObject({
    recipients: [{ email: to, state: 'left' }],
  })
})

test('a person who refused one report of an owner is not invited to another', async () => {
  const to = address()
  await make({ recipients: [to] })
  await server.visitor.send(await invitationOf(to), form('choice=leave'))
  const spelled = to.toUpperCase()
  expect((await make({ recipients: [spelled] })).recipients).toEqual([{ email: spelled, state: 'left' }])
  expect(await sentMails({ db, dataDir }, to)).toHaveLength(1)
  const other = await server.clientOf(await insertAccount(db, { roles: ['user'], ageDays: 1 }))
  const body = { title: 'Riz de Bukavu', blocks: [block('table')], recipients: [to] }
  expect((await other.post('/api/reports', body)).body).toMatchObject({ recipients: [{ state: 'waiting' }] })
})

test('a refusal outlives its report, and ends when the person confirms another report of the owner', async () => {
  const to = address()
  const first = await make({ recipients: [to] })
  const link = await invitationOf(to)
  const second = await make({ recipients: [to] })
  const [, other] = await mailsTo(dataDir, to, 2)
  await server.visitor.send(link, form('choice=leave'))
  expect((await owner.delete(`/api/reports/${first.id}`)).status).toBe(200)
  expect((await make({ recipients: [to] })).recipients).toEqual([{ email: to, state: 'left' }])
  expect(await sentMails({ db, dataDir }, to)).toHaveLength(2)
  await server.visitor.send(new URL(other?.url ?? '').pathname, form('choice=confirm'))
  expect((await owner.get(`/api/reports/${second.id}`)).body).toMatchObject({
    recipients: [{ email: to, state: 'confirmed' }],
  })
  expect((await make({ recipients: [to] })).recipients).toEqual([{ email: to, state: 'waiting' }])
})

test('a change of recipients is a new version, which an older copy of the report does not replace', async () => {
  const report = await make()
  const path = `/api/reports/${report.id}`
  const { updatedAt } = report
  expect((await owner.put(path, { recipients: [address()], updatedAt })).status).toBe(200)
  expect((await owner.put(path, { recipients: [], updatedAt })).status).toBe(409)
})

test('an account with an unconfirmed address invites nobody, and sends itself nothing', async () => {
  const stranger = await server.clientOf(
    await insertAccount(db, { roles: ['user'], ageDays: 1, isVerified: false }),
  )
  const body = { title: 'Réglez ici', blocks: [block('table')] }
  const refused = { status: 403, body: { message: expect.stringContaining('Confirmez votre adresse') } }
  expect(await stranger.post('/api/reports', { ...body, recipients: [address()] })).toMatchObject(refused)
  const path = `/api/reports/${Object((await stranger.post('/api/reports', body)).body).id}`
  expect(await stranger.put(path, { recipients: [address()] })).toMatchObject(refused)
  expect(await stranger.post(`${path}/issues`, { to: 'owner' })).toMatchObject(refused)
  expect((await stranger.post(`${path}/issues`, { to: 'nobody' })).status).toBe(202)
})

test('an owner whose address is no longer confirmed when a mail is due gets none', async () => {
  const report = await make()
  await sql`update app_user set email_verified = false where id = ${id}`.execute(db)
  await sql`
    with issue as (
      insert into report_issue (report_id, token, planned_at, audience, is_scheduled, state, made_at, content)
      values (${report.id}, ${`adresse-${report.id}`}, now(), 'owner', false, 'made', now(), '{}') returning id)
    insert into report_delivery (issue_id, is_to_owner, send_at, state)
    select id, true, now(), 'waiting' from issue`.execute(db)
  await sql`update job set run_at = now() where schedule = 'send late reports'`.execute(db)
  expect((await issueEnded(report.id, 'failed')).deliveries).toMatchObject({ sent: 0, waiting: 0 })
})

test('nobody is invited more than three times a day, however often they are removed from a list', async () => {
  const to = address()
  const report = await make({ recipients: [to] })
  const path = `/api/reports/${report.id}`
  for (let invited = 1; invited < 3; invited++) {
    await owner.put(path, { recipients: [] })
    expect((await owner.put(path, { recipients: [to] })).status).toBe(200)
  }
  await owner.put(path, { recipients: [] })
  expect((await owner.put(path, { recipients: [to] })).status).toBe(429)
  expect((await owner.get(path)).body).toMatchObject({ recipients: [] })
})

test('a report is sent at its hour, skipped without new data, and sent again with a new quote', async () => {
  const to = address()
  const schedule = { frequency: 'weekly', day: 1, hour: 7, skipsUnchanged: true }
  // A method of the whole market is in the report; its figures move with every price of the country.
  const blocks = [block('table'), { kind: 'method' }]
  const report = await make({ blocks, recipients: [to], schedule })
  await server.visitor.send(await invitationOf(to), form('choice=confirm'))
  const weekLater = async () => {
    await sql`update report set next_at = now() where id = ${report.id}`.execute(db)
    await sql`update job set run_at = now() where schedule = 'plan reports'`.execute(db)
  }
  await weekLater()
  expect(await issueEnded(report.id, 'sent')).toMatchObject({ isScheduled: true, deliveries: { sent: 1 } })
  await insertPrice(db, { product_id: await insertProduct(db), market_id: marketId, day: today })
  await weekLater()
  expect(await issueEnded(report.id, 'skipped')).toMatchObject({
    reason: expect.stringContaining('Aucun relevé nouveau'),
  })
  await quote(0, 2600)
  await weekLater()
  await issueEnded(report.id, 'sent', 2)
})

test.each([
  ['refused', 'failed', 'Aucun e-mail n’a été accepté'],
  ['expired', 'failed', 'en cinq jours'],
  ['none', 'failed', 'les destinataires n’en veulent plus'],
  ['unknown', 'sent', null],
])('an issue whose mails all ended as « %s » has %s', async (end, state, reason) => {
  const report = await make()
  await sql`
    with issue as (
      insert into report_issue (report_id, token, planned_at, audience, is_scheduled, state, made_at)
      values (${report.id}, ${`fin-${report.id}`}, now(), 'owner', false, 'made', now()) returning id)
    insert into report_delivery (issue_id, is_to_owner, send_at, state)
    select id, true, now(), ${end} from issue`.execute(db)
  await sql`update job set run_at = now() where schedule = 'send late reports'`.execute(db)
  const issue = await issueEnded(report.id, state)
  expect(issue.reason).toEqual(reason && expect.stringContaining(reason))
})

test('mails wait five days for the mail server, and then the issue says why none was sent', async () => {
  const report = await make()
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  await sql`
    with issue as (
      insert into report_issue (report_id, token, planned_at, audience, is_scheduled, state, made_at, content)
      values (${report.id}, ${`panne-${report.id}`}, now(), 'owner', false, 'made', ${later(-114)}, '{"sections":[],"lines":[]}')
      returning id)
    insert into report_delivery (issue_id, is_to_owner, send_at, state, attempts)
    select id, true, ${later(1)}, 'waiting', 30 from issue`.execute(db)
  const sendAt = (at: Date) =>
    sendReports(
      {
        db,
        clock: () => at,
        publicUrl: testDefaults.publicUrl,
        views: { renderMail: () => '' },
        transport: { smtpUrl: 'smtp://127.0.0.1:2', from: 'ntalo@exemple.cd', directory: '' },
      },
      new AbortController().signal,
    )
  await sendAt(later(2))
  expect((await issuesOf(report.id))[0]?.deliveries).toMatchObject({ waiting: 1 })
  await sendAt(later(7))
  expect((await issuesOf(report.id))[0]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('en cinq jours'),
    deliveries: { waiting: 0, refused: 0, expired: 1 },
  })
})

test('an owner who may no longer read sends nothing', async () => {
  const to = address()
  const report = await make({ recipients: [to] })
  await server.visitor.send(await invitationOf(to), form('choice=confirm'))
  await sql`
    insert into report_issue (report_id, token, planned_at, audience, is_scheduled)
    values (${report.id}, ${`t${report.id}`}, now(), 'recipients', true)`.execute(db)
  await sql`update app_user set created_at = now() - interval '40 days' where id = ${id}`.execute(db)
  await sql`
    insert into job (task, payload) select 'make report issue', jsonb_build_object('issueId', id)
      from report_issue where report_id = ${report.id}`.execute(db)
  await expect
    .poll(
      async () =>
        (
          await sql<{ state: string }>`select state from report_issue where report_id = ${report.id}`.execute(
            db,
          )
        ).rows,
    )
    .toEqual([{ state: 'skipped' }])
  expect(await mailsTo(dataDir, to, 1)).toHaveLength(1)
})

test('an address with characters that the database cannot store leads to no issue, without an error', async () => {
  for (const path of ['/bulletins/%00', '/bulletins/reception/%00']) {
    expect((await fetch(`${server.url}${path}`)).status).toBe(404)
  }
  expect((await fetch(`${server.url}/api/reports/issues/%00/file?fileFormat=pdf`)).status).toBe(400)
})
