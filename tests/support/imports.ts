import { expect, onTestFinished } from 'vitest'
import type { Import } from '#features/imports/imports.contract.ts'
import { lockImports } from '#features/imports/lock.sql.ts'
import { inBulkTransaction } from '#server/db/bulk-transaction.ts'
import type { Database } from '#server/db/pool.ts'
import type { Answer, Client } from './server.ts'

/** Uploads a file as the screen does. */
export function sendFile(
  client: Client,
  content: string | Uint8Array,
  { kind = 'prices', name = 'prix.csv' } = {},
): Promise<Answer> {
  const form = new FormData()
  form.set('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name))
  return client.post(`/api/imports?kind=${kind}`, form)
}

/** Returns the import of a file after its dry run. */
export async function checkedImport(client: Client, content: string | Uint8Array): Promise<Import> {
  const { status, body } = await sendFile(client, content)
  expect(status).toBe(201)
  return settled(client, Object(body).id)
}

/** Applies an action to an import, and waits for its jobs. */
export async function move(client: Client, id: number, what: string, body?: object): Promise<Import> {
  const answer = await client.post(`/api/imports/${id}/${what}`, body)
  expect(answer.status, answer.text).toBe(200)
  return settled(client, id)
}

/** Returns an import once no job is planned for it. */
export async function settled(client: Client, id: number): Promise<Import> {
  const isActive = async () => /ing$/.test((await readImport(client, id)).state)
  await expect.poll(isActive, { interval: 20 }).toBe(false)
  return readImport(client, id)
}

export async function readImport(client: Client, id: number): Promise<Import> {
  const { status, body, text } = await client.get(`/api/imports/${id}`)
  expect(status, text).toBe(200)
  // The server has checked its response against the contract.
  return body as Import
}

/** Holds the lock of imports, as another import under way would, until it is released or the test ends. */
export async function holdImports(pool: Database['pool']): Promise<() => Promise<void>> {
  const isHeld = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  const holding = inBulkTransaction(pool, async ({ tx }) => {
    await lockImports(tx)
    isHeld.resolve()
    await isOver.promise
  })
  // When PostgreSQL was killed, the lock is already gone.
  const ended = holding.catch(() => {})
  const release = async () => {
    isOver.resolve()
    await ended
  }
  onTestFinished(release)
  await isHeld.promise
  return release
}
