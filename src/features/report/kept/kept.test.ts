import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { contentOfFile, openReportFiles, reportFileTasks } from '#features/report/kept/kept.jobs.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { narrowLimits, widenLimits } from '../../../../tests/support/limits.ts'
import { startS3 } from '../../../../tests/support/s3-server.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'
import { eventually } from '../../../../tests/support/waiting.ts'

const s3 = await startS3()
const server = await testServer({ hasJobs: true, s3: s3.settings })
const { db, dataDir } = server
const storage = openReportFiles({ dataDir, s3: s3.settings })
const productId = await insertProduct(db)
const marketId = await insertMarket(db)
await insertPrice(db, { product_id: productId, market_id: marketId })
const owner = await server.clientOf(await insertAccount(db, { roles: ['user'], ageDays: 1 }))

const stored = () => [...s3.objects.keys()].filter((key) => key.startsWith('reports/')).sort()
const keyOf = (hash: string) => `reports/${hash.slice(0, 2)}/${hash}.file`
const sweep = () =>
  reportFileTasks(db, storage)
    .find(({ name }) => name === 'sweep report files')
    ?.run({}, { signal: new AbortController().signal } as never)

type IssueFile = { url: string; bytes: number; sha256: string }

async function madeIssue() {
  const blocks = [{ kind: 'table', selection: { productId, marketId } }]
  const { id } = Object((await owner.post('/api/reports', { title: 'Riz', blocks })).body)
  await owner.post(`/api/reports/${id}/issues`, { to: 'nobody' })
  const path = `/api/reports/${id}/issues`
  const [issue] = await eventually('the issue is made', async () => {
    const { data } = (await owner.get(path)).body as { data: { state: string; files: IssueFile[] }[] }
    return data[0]?.state === 'made' ? data : null
  })
  await eventually('its job is over', async () => {
    const { rows } = await sql`select from job where task = 'make report issue'`.execute(db)
    return rows.length === 0
  })
  return { id, files: issue?.files ?? [] }
}

const pathOf = (url: string) => url.slice(url.indexOf('/api'))

test('the files of an issue are stored by their content, and deleted with their report', async () => {
  const { id, files } = await madeIssue()
  expect(stored()).toEqual(files.map(({ sha256 }) => keyOf(sha256)).sort())
  for (const { url, bytes, sha256 } of files) {
    const answer = await server.visitor.get(pathOf(url))
    expect(answer.status).toBe(200)
    expect(answer.bytes.length).toBe(bytes)
    expect(contentOfFile(answer.bytes).hash).toBe(sha256)
  }
  expect((await sql`select from report_file where content is not null`.execute(db)).rows).toEqual([])
  expect((await owner.delete(`/api/reports/${id}`)).status).toBe(200)
  await eventually('the files have gone', () => stored().length === 0)
})

test('a report of statistics is stored there too, and the twenty-first replaces the first', async () => {
  const manager = await server.as('manager')
  const { id } = Object((await manager.post(`/api/statistics/reports?marketId=${marketId}`)).body)
  const path = `/api/statistics/reports/${id}/file`
  const file = await eventually('it is drawn', async () => {
    const answer = await manager.get(path)
    return answer.status === 200 ? answer : null
  })
  expect(stored()).toEqual([keyOf(contentOfFile(file.bytes).hash)])
  await sql`
    insert into made_report (user_id, asked, file_name, state)
    select ${manager.userId}, '{}', 'x.pdf', 'failed' from generate_series(1, 19)`.execute(db)
  await manager.post(`/api/statistics/reports?marketId=${marketId}&period=90d`)
  expect((await manager.get(path)).status).toBe(404)
  await eventually(
    'another stands there',
    () => stored().length === 1 && !s3.objects.has(keyOf(contentOfFile(file.bytes).hash)),
  )
})

test('while the store does not answer a file is refused with a sentence, and requested reports are made once it answers', async () => {
  const { files } = await madeIssue()
  narrowLimits()
  s3.silence(true)
  onTestFinished(() => {
    s3.silence(false)
    widenLimits()
  })
  const refused = await server.visitor.get(pathOf(files[0]?.url ?? ''))
  expect(refused).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('Les fichiers ne peuvent pas') },
  })
  expect(refused.headers.get('retry-after')).toBe('5')
  s3.silence(false)
  expect((await server.visitor.get(pathOf(files[0]?.url ?? ''))).status).toBe(200)
})

test('a file in a row is moved to the store, and files without a row are deleted after a day', async () => {
  const { files } = await madeIssue()
  const [pdf, xlsx] = files
  const old = s3.objects.get(keyOf(pdf?.sha256 ?? ''))
  await sql`
    update report_file set content = ${old?.bytes}, bytes = null where sha256 = ${pdf?.sha256}`.execute(db)
  s3.objects.delete(keyOf(pdf?.sha256 ?? ''))
  expect((await server.visitor.get(pathOf(pdf?.url ?? ''))).bytes).toEqual(old?.bytes)
  const [orphan, young] = [contentOfFile(Buffer.from('orphan')), contentOfFile(Buffer.from('young'))]
  for (const each of [orphan, young]) await storage.put(each)
  const longAgo = new Date('2026-01-01')
  for (const { hash } of [orphan, { hash: xlsx?.sha256 ?? '' }])
    Object.assign(s3.objects.get(keyOf(hash)) ?? {}, { at: longAgo })
  await sweep()
  expect(stored()).toContain(keyOf(pdf?.sha256 ?? ''))
  expect(stored()).toContain(keyOf(xlsx?.sha256 ?? ''))
  expect(stored()).toContain(keyOf(young.hash))
  expect(stored()).not.toContain(keyOf(orphan.hash))
  expect(
    (await sql`select from report_file where content is not null or bytes is null`.execute(db)).rows,
  ).toEqual([])
  expect((await server.visitor.get(pathOf(pdf?.url ?? ''))).status).toBe(200)
})
