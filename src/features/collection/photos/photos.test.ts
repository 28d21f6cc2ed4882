import { createHash, randomUUID } from 'node:crypto'
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { EntryReceipt } from '#features/collection/entries/entries.contract.ts'
import { pictureTasks } from '#features/products/products.jobs.ts'
import { openPictures } from '#server/files/place.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { form } from '../../../../tests/support/forms.ts'
import { hostileFiles, noise } from '../../../../tests/support/pictures.ts'
import { type Client, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db, dataDir } = server
const agent = await server.as('agent')
const manager = await server.as('manager')
const marketId = await insertMarket(db)

let taken = 0
/** Returns a picture that no other test uses. */
const photo = () =>
  noise(30 + ++taken, 30)
    .jpeg()
    .toBuffer()
const shaOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function sendEntry(kind: 'typed' | 'absent' = 'typed') {
  const id = randomUUID()
  const more = kind === 'absent' ? { reason: 'rupture' } : { priceValue: 2500 }
  const productId = await insertProduct(db)
  const entries = [{ id, productId, marketId, kind, ...more, deviceAt: new Date().toISOString() }]
  const { body } = await agent.post('/api/collection/batches', { deviceId: 'essai', entries })
  const [receipt] = (body as { receipts: EntryReceipt[] }).receipts
  return { id, priceId: receipt?.priceId ?? 0 }
}

async function sendPhoto(entryId: string, image: Buffer, by: Client = agent, sha256 = shaOf(image)) {
  return by.put(`/api/collection/photos/${sha256}`, form({ entryId }, { image }))
}

async function photosOf(priceId: number, by: Client = manager) {
  const { status, body } = await by.get(`/api/prices/${priceId}/photos`)
  return { status, data: (Object(body).data ?? []) as { sha256: string; image: string }[] }
}

async function fileOf(priceId: number): Promise<string> {
  const { rows } = await sql<{ image: string }>`
    select image from price_photo where price_id = ${priceId}`.execute(db)
  const image = rows[0]?.image ?? 'none'
  return join(dataDir, 'proofs', image.slice(0, 2), `${image}.webp`)
}

test('a photo proves the price of the agent’s own entry, is stored once however often it is sent, and is in the journal', async () => {
  const { id, priceId } = await sendEntry()
  const image = await photo()
  for (const _ of [1, 2, 3]) {
    const answer = await sendPhoto(id, image)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ sha256: shaOf(image) })
  }
  const { data } = await photosOf(priceId)
  expect(data).toMatchObject([
    { sha256: shaOf(image), image: expect.stringMatching(/^data:image\/webp;base64,/) },
  ])
  const { rows } = await sql`
    select action from audit_entry where entity = 'photos' and entity_id = ${priceId}`.execute(db)
  expect(rows).toEqual([{ action: 'create' }])
})

test('a photo has no public address, and is shown only to reviewers', async () => {
  const { id, priceId } = await sendEntry()
  await sendPhoto(id, await photo())
  const name = (await fileOf(priceId)).split('/').at(-1)
  expect((await fetch(`${server.url}/uploads/${name}`)).status).toBe(404)
  for (const role of ['agent', 'user'] as const) {
    expect((await photosOf(priceId, await server.as(role))).status).toBe(403)
  }
})

test('a photo of another agent’s entry, of an unknown one, of an absence, or of a deleted price is refused', async () => {
  const { id, priceId } = await sendEntry()
  expect((await sendPhoto(id, await photo(), await server.as('agent'))).status).toBe(404)
  expect((await sendPhoto(randomUUID(), await photo())).status).toBe(404)
  expect((await sendPhoto((await sendEntry('absent')).id, await photo())).status).toBe(409)
  await sql`delete from price where id = ${priceId}`.execute(db)
  expect((await sendPhoto(id, await photo())).status).toBe(409)
})

test('a file that is not a picture, is too large, or does not match its hash is refused', async () => {
  const { id, priceId } = await sendEntry()
  for (const [name, bytes] of Object.entries(await hostileFiles())) {
    expect([400, 413], name).toContain((await sendPhoto(id, bytes)).status)
  }
  expect((await sendPhoto(id, await photo(), agent, 'ab'.repeat(32))).status).toBe(400)
  const large = Buffer.concat([await photo(), Buffer.alloc(500_000)])
  expect((await sendPhoto(id, large)).status).toBe(400)
  expect((await photosOf(priceId)).data).toEqual([])
})

test('a fourth photo of one price is refused, even when two arrive at once', async () => {
  const { id, priceId } = await sendEntry()
  for (const _ of [1, 2]) expect((await sendPhoto(id, await photo())).status).toBe(200)
  const images = [await photo(), await photo()]
  const answers = await Promise.all(images.map((image) => sendPhoto(id, image)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await photosOf(priceId)).data).toHaveLength(3)
})

test('a photo is deleted with its price, and its file with the next sweep; a photo of another price is not', async () => {
  const [gone, stays] = [await sendEntry(), await sendEntry()]
  for (const { id } of [gone, stays]) await sendPhoto(id, await photo())
  const [lost, left] = [await fileOf(gone.priceId), await fileOf(stays.priceId)]
  const collector = await server.as('collector')
  expect((await collector.delete(`/api/prices/${gone.priceId}`)).status).toBe(200)
  expect((await photosOf(gone.priceId)).data).toEqual([])
  const old = new Date(Date.now() - 2 * 24 * 3_600_000)
  for (const path of [lost, left]) utimesSync(path, old, old)
  const place = { dataDir, s3: null }
  const tasks = pictureTasks(db, openPictures(place), openPictures(place, 'proofs'))
  const sweep = tasks.find(({ name }) => name === 'sweep pictures')
  await sweep?.run({}, { signal: new AbortController().signal } as never)
  expect([existsSync(lost), existsSync(left)]).toEqual([false, true])
})
