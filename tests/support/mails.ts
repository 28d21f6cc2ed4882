import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { headerOf, partOf } from './mail-server.ts'

type SentMail = { subject: string; text: string; url: string }

/** The mails that a server without a mail server has stored for an address, oldest first, once there are so many. */
export async function mailsTo(dataDir: string, address: string, count: number): Promise<SentMail[]> {
  await expect.poll(() => read(dataDir, address).length).toBeGreaterThanOrEqual(count)
  return read(dataDir, address)
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
