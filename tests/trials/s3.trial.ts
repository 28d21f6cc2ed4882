import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isImageUsed } from '#features/products/products.sql.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { openDatabase } from '#server/db/pool.ts'
import { openPictures } from '#server/files/place.ts'
import { sweepUnused } from '#server/files/stored-contents.ts'
import { insertBrand, insertMarket, insertProduct, insertType } from '../support/catalogue.ts'
import { privateDirectory, quiet } from '../support/embedded.ts'
import { freePort, startServer } from '../support/kill-trial.ts'
import { picture } from '../support/pictures.ts'
import { lackedByRados, startRados } from '../support/rados.ts'
import { insertAccount, openSession } from '../support/server.ts'
import { eventually } from '../support/waiting.ts'

const kills = 5
const refusal = 'Les fichiers ne peuvent pas être lus ni enregistrés pour le moment. Réessayez plus tard.'

const title = lackedByRados
  ? `a real server of S3 is not killed here, since ${lackedByRados} is not installed (Debian: radosgw ceph-mon ceph-osd ceph-common)`
  : 'a real server of S3 is killed five times under pictures and prices: no picture that was confirmed is lost, and prices go on'

test.skipIf(lackedByRados)(title, async () => {
  const rados = await startRados()
  const embedded = await startEmbedded({ dataDir: privateDirectory(), role: 'tool', log: quiet })
  onTestFinished(() => embedded.stop())
  const { connection } = embedded
  const { db, close } = await openDatabase({ connection, max: 4 })
  onTestFinished(close)
  const { url, bucket, key, secret, region } = rados.settings
  const settings = {
    DATABASE_URL: `postgresql://${connection.user}@/${connection.database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`,
    S3_URL: url,
    S3_BUCKET: bucket,
    S3_KEY: key,
    S3_SECRET: secret,
    S3_REGION: region,
  }
  const urls: string[] = []
  for (let n = 0; n < 2; n++) {
    const port = await freePort()
    const server = await startServer(privateDirectory(), port, { settings })
    onTestFinished(() => void server.kill('SIGKILL'))
    urls.push(`http://127.0.0.1:${port}`)
  }
  const [typeId, brandId] = [await insertType(db), await insertBrand(db)]
  const priced = { productId: await insertProduct(db), marketId: await insertMarket(db) }
  const token = await openSession(db, await insertAccount(db, { roles: ['collector'] }))
  const authorization = `Bearer ${token}`

  let isOver = false
  let isAway = false
  const pictures: string[] = []
  const refused = new Map<string, number>()
  const waits: Record<'there' | 'away', number[]> = { there: [], away: [] }
  const oddPrices: string[] = []

  async function sendPictures(address: string, writer: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const colour = `#${((writer * 4_000_037 + n * 7_919) % 0xffffff).toString(16).padStart(6, '0')}`
      const form = new FormData()
      form.set('name', `Produit ${writer} ${n}`)
      for (const name of ['code', 'origin', 'format']) form.set(name, `${name} ${writer} ${n}`)
      form.set('typeId', String(typeId))
      form.set('brandId', String(brandId))
      form.set('weight', '1 kg')
      form.set(
        'image',
        new File([new Uint8Array(await picture(64, 64, colour).png().toBuffer())], 'a.png', {
          type: 'image/png',
        }),
      )
      const answer = await fetch(`${address}/api/products`, {
        method: 'POST',
        headers: { authorization },
        body: form,
      })
      const body = Object(await answer.json())
      if (answer.status === 201) pictures.push(body.image_url)
      else if (answer.status !== 503) throw new Error(`${answer.status} ${JSON.stringify(body)}`)
      else {
        const what = `${answer.status} ${body.message}`
        refused.set(what, (refused.get(what) ?? 0) + 1)
        await sleep(50)
      }
    }
  }

  async function sendPrices(address: string, writer: number): Promise<void> {
    for (let n = 1; !isOver; n++) {
      const kind = isAway ? 'away' : 'there'
      const startedAt = performance.now()
      const answer = await fetch(`${address}/api/prices`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...priced,
          priceValue: writer * 10_000 + n,
          currency: 'CDF',
          collectorName: 'Amina',
        }),
      })
      const text = await answer.text()
      if (answer.status !== 201) oddPrices.push(`${answer.status} ${text.slice(0, 200)}`)
      waits[kind].push(performance.now() - startedAt)
      await sleep(20)
    }
  }

  const writers = urls.flatMap((address, at) => [
    sendPictures(address, 2 * at + 1),
    sendPictures(address, 2 * at + 2),
    sendPrices(address, at + 1),
  ])
  const failed = Promise.all(writers).then(() => new Promise<never>(() => undefined))
  const refusals = () => [...refused.values()].reduce((sum, each) => sum + each, 0)
  /** Waits for a condition; rejects when a writer fails. */
  const until = (what: string, isSo: () => boolean) => Promise.race([eventually(what, isSo), failed])
  const backAfterMs: number[] = []
  try {
    for (let kill = 0; kill < kills; kill++) {
      const [stored, before] = [pictures.length, refusals()]
      await until('pictures are stored', () => pictures.length > stored + 20)
      await rados.kill()
      isAway = true
      const written = waits.away.length
      await until(
        'uploads are refused, prices written',
        () => refusals() > before + 4 && waits.away.length > written + 20,
      )
      const startedAt = performance.now()
      await rados.start()
      isAway = false
      const there = pictures.length
      await until('pictures are stored again', () => pictures.length > there)
      backAfterMs.push(Math.round(performance.now() - startedAt))
    }
  } finally {
    isOver = true
    await Promise.all(writers)
  }

  for (const [n, path] of pictures.entries()) {
    const answer = await fetch(`${urls[n % 2]}${path}`)
    const hash = createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex')
    expect([path, answer.status, path.includes(hash)]).toEqual([path, 200, true])
  }
  const storage = openPictures({ dataDir: privateDirectory(), s3: rados.settings })
  const orphans = (await storage.listOlder(-60_000)).length - new Set(pictures).size
  await sweepUnused({ db, storage, isUsed: isImageUsed }, new AbortController().signal, -60_000)
  const left = (await storage.listOlder(-60_000)).map((hash) => `/uploads/${hash}.webp`).sort()
  const shown = await db.selectFrom('product').select('image').where('image', 'is not', null).execute()
  console.log(
    `${pictures.length} pictures confirmed, ${refusals()} uploads refused, ${orphans} objects without an answer before the sweep; ` +
      `prices: ${waits.there.length} written while the store was there (median ${middle(waits.there)} ms), ` +
      `${waits.away.length} while it was away (median ${middle(waits.away)} ms), ${oddPrices.length} refused; ` +
      `pictures again after ${backAfterMs.join(', ')} ms`,
  )
  expect(left).toEqual([...new Set(shown.map(({ image }) => `/uploads/${image}.webp`))].sort())
  expect(pictures.filter((path) => !left.includes(path))).toEqual([])
  expect([...refused.keys()]).toEqual([`503 ${refusal}`])
  expect(oddPrices).toEqual([])
  expect(middle(waits.away)).toBeLessThan(2 * middle(waits.there))
})

function middle(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
}
