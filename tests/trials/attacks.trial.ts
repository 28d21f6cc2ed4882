import { expect, onTestFinished, test } from 'vitest'
import { percentile } from '../../bench/measure.ts'
import {
  brokenForms,
  pictures,
  searches,
  unreadDownloads,
  type Watched,
  watchDuring,
} from '../support/attacks.ts'
import { insertProduct } from '../support/catalogue.ts'
import { form } from '../support/forms.ts'
import { narrowLimits } from '../support/limits.ts'
import { picture } from '../support/pictures.ts'
import { testServer } from '../support/server.ts'

narrowLimits()

const seconds = 2
const server = await testServer()
const neighbour = await server.as('collector')
const paths = ['/api/markets', '/api/categories?limit=10', '/api/auth/me']

function expectUndisturbed({ refused, ms }: Watched): void {
  expect(refused).toEqual([])
  // What takes 20 ms on a quiet machine; the bench holds it to a second for 99 in 100.
  expect(percentile(ms, 0.5)).toBeLessThan(2_000)
}

test('twenty connections of slow searches of one user leave another his answers', async () => {
  const attacker = await server.as('collector')
  // Whatever reads brands waits, and so is as slow as a statement may be.
  const holder = await server.pool.connect()
  onTestFinished(async () => {
    await holder.query('rollback')
    holder.release()
  })
  await holder.query('begin; lock table brand in access exclusive mode')
  expectUndisturbed(await watchDuring(searches(attacker, '/api/brands'), seconds, { neighbour, paths }))
})

test('pictures that are long to decode delay nobody but who sends them', async () => {
  const attacker = await server.as('collector')
  const path = `/api/products/${await insertProduct(server.db)}/image`
  const large = await picture(6_000, 4_000).png().toBuffer()
  const attack = pictures(attacker, path, large)
  expectUndisturbed(await watchDuring(attack, seconds, { neighbour, paths }))
  // In fair turns: another's comes after the one that is being decoded.
  const small = form({}, { file: await picture().png().toBuffer() })
  const controller = new AbortController()
  const attacking = attack(controller.signal)
  await expect.poll(async () => (await neighbour.post(path, small)).status).toBe(200)
  controller.abort()
  await attacking
})

test('forms that never end leave another his answers, and room for his own', async () => {
  const attacker = await server.as('collector')
  const path = `/api/products/${await insertProduct(server.db)}/image`
  expectUndisturbed(await watchDuring(brokenForms(attacker, server.url, path), seconds, { neighbour, paths }))
  const small = form({}, { file: await picture().png().toBuffer() })
  expect((await neighbour.post(path, small)).status).toBe(200)
})

test('downloads that are not read leave another his own', async () => {
  const attacker = await server.as('collector')
  const path = '/api/markets/export?fileFormat=csv'
  expect((await neighbour.get(path)).status).toBe(200)
  const attack = unreadDownloads(attacker, server.url, path)
  expectUndisturbed(await watchDuring(attack, seconds, { neighbour, paths: [...paths, path] }))
})
