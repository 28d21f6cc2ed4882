import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

/** A mail as it leaves us. */
export type Letter = {
  /** A permanent id: a reader who gets it twice can see that. */
  key: string
  to: string
  replyTo: string | null
  subject: string
  html: string
  text: string
  /** Shown inside, by their ids. */
  pictures: readonly { id: string; png: Buffer }[]
  /** Where one click ends mails of its kind. */
  unsubscribeUrl?: string | undefined
}

/** Where mails go. */
export type Post = {
  /** @throws Error when it did not take the mail, or not in time */
  send(letter: Letter): Promise<void>
  close(): void
}

export type PostOptions = {
  /** Null when there is no mail server: mails are then stored as files. */
  smtpUrl: string | null
  /** Who mails come from: `Ntalo <ne-pas-repondre@ntalo.cd>`. */
  from: string
  /** Where mails are stored when there is no mail server. */
  directory: string
}

export function openPost({ smtpUrl, from, directory }: PostOptions): Post {
  return smtpUrl ? openSmtp(smtpUrl, from) : openDirectory(directory, from)
}

const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

function openSmtp(url: string, from: string): Post {
  // One connection for the mails that leave together, closed with the post.
  const transport = createTransport({ url, pool: true, maxConnections: 1, ...timeouts, ...closed })
  return {
    async send(letter) {
      await transport.sendMail(messageOf(letter, from))
    },
    close: () => transport.close(),
  }
}

function openDirectory(directory: string, from: string): Post {
  const transport = createTransport({ streamTransport: true, buffer: true, ...closed })
  return {
    async send(letter) {
      const { message } = await transport.sendMail(messageOf(letter, from))
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, `${letter.key}.eml`)
      // They open accounts: nobody else on this machine reads them, or half of one.
      await writeFile(`${path}.unfinished`, message as Buffer, { mode: 0o600 })
      await rename(`${path}.unfinished`, path)
    },
    close: () => transport.close(),
  }
}

// A mail is made of texts only, never of files or addresses that a text would name.
const closed = { disableFileAccess: true, disableUrlAccess: true }

function messageOf(
  { key, to, replyTo, subject, html, text, pictures, unsubscribeUrl }: Letter,
  from: string,
) {
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    // As an object: a comma in an address does not make two of it.
    to: { name: '', address: to },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    subject,
    html,
    text,
    attachments: pictures.map(({ id, png }) => ({
      ...{ cid: id, content: png, contentType: 'image/png', filename: `${id.split('@')[0]}.png` },
    })),
    messageId: `<${key}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}
