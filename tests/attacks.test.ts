import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { brokenForms, pictures, searches, unreadDownloads } from './support/attacks.ts'
import { insertProduct } from './support/catalogue.ts'
import { form } from './support/forms.ts'
import { picture } from './support/pictures.ts'
import { type Client, listenOn, testServer } from './support/server.ts'
import { untilWaiting } from './support/waiting.ts'

// The same attacks measured by the clock, for seconds: `tests/trials/attacks.trial.ts`.

const server = await testServer()
const neighbour = await server.as('collector')
const paths = ['/api/markets', '/api/categories?limit=10', '/api/auth/me']
/** One user's share: a third of the gate's places. */
const shareOfOne = 4

/** Starts an attack, which ends with the test. */
function attacked(attack: (signal: AbortSignal) => Promise<void>): void {
  const controller = new AbortController()
  const ended = attack(controller.signal)
  onTestFinished(async () => {
    controller.abort()
    await ended
  })
}

async function expectServed(who: Client): Promise<void> {
  for (const path of [...paths, ...paths]) expect((await who.get(path)).status, path).toBe(200)
}

test('a connection that was opened and never used does not delay the shutdown', async () => {
  const other = await listenOn(server)
  const socket = connect(Number(new URL(other.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  await other.http.close()
  await closed
})

test('twenty slow searches of one user take a third of the places, and another user is served', async () => {
  const holder = await server.pool.connect()
  const letGo = async () => {
    await holder.query('rollback')
    holder.release()
  }
  await holder.query('begin; lock table brand in access exclusive mode')
  attacked(searches(await server.as('collector'), '/api/brands'))
  // Hooks run in reverse order: the attack ends once its searches are answered.
  onTestFinished(letGo)
  await untilWaiting(server.db, shareOfOne)
  await expectServed(neighbour)
  await untilWaiting(server.db, shareOfOne)
})

test('pictures that are long to decode take turns with another user’s pictures', async () => {
  const attacker = await server.as('collector')
  const path = `/api/products/${await insertProduct(server.db)}/image`
  attacked(pictures(attacker, path, await picture(3_000, 2_000).png().toBuffer()))
  await expectServed(neighbour)
  const small = form({}, { file: await picture().png().toBuffer() })
  await expect.poll(async () => (await neighbour.post(path, small)).status).toBe(200)
})

test('while one user sends forms that never end, another user is answered, and may send forms', async () => {
  const path = `/api/products/${await insertProduct(server.db)}/image`
  attacked(brokenForms(await server.as('collector'), server.url, path))
  await expectServed(neighbour)
  const small = form({}, { file: await picture().png().toBuffer() })
  expect((await neighbour.post(path, small)).status).toBe(200)
})

test('while one user does not read downloads, another user can download', async () => {
  const path = '/api/markets/export?fileFormat=csv'
  attacked(unreadDownloads(await server.as('collector'), server.url, path))
  await expectServed(neighbour)
  expect((await neighbour.get(path)).status).toBe(200)
})
