import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '#server/db/pool.ts'
import { headerOf, partOf } from './mail-server.ts'
import { testDefaults } from './server.ts'

type SentMail = { subject: string; text: string; url: string }

/** Returns the mails that a server without SMTP has stored for an address, oldest first, once there are `count`. */
export async function mailsTo(dataDir: string, address: string, count: number): Promise<SentMail[]> {
  await expect.poll(() => read(dataDir, address).length).toBeGreaterThanOrEqual(count)
  return read(dataDir, address)
}

/**
 * Returns the mails to an address, once the queue is empty. Where jobs run, a test must not read `outgoing_mail`
 * itself: its rows may already be gone.
 */
export async function sentMails(
  { db, dataDir }: { db: Db; dataDir: string },
  address: string,
): Promise<SentMail[]> {
  await expect.poll(() => db.selectFrom('outgoing_mail').select('id').execute()).toEqual([])
  return read(dataDir, address)
}

/** Returns the texts of the mails that ask the team to check a payment, once the queue is empty. */
export async function mailsAboutPayment(server: { db: Db; dataDir: string }, id: number): Promise<string[]> {
  const mails = await sentMails(server, testDefaults.contactTo)
  return mails.filter(({ subject }) => subject === `Paiement ${id} à vérifier`).map(({ text }) => text)
}

function read(dataDir: string, address: string): SentMail[] {
  const directory = join(dataDir, 'mail')
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .filter((raw) => headerOf(raw, 'to')?.toLowerCase() === address.toLowerCase())
    .map((raw) => {
      const text = partOf(raw, 'text/plain')
      return { subject: headerOf(raw, 'subject') ?? '', text, url: /https?:\/\/\S+/.exec(text)?.[0] ?? '' }
    })
}
