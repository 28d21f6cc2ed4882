import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

/** A mail ready to be sent. */
export type MailMessage = {
  /** Permanent id, by which a reader can recognise a duplicate. */
  key: string
  to: string
  replyTo: string | null
  subject: string
  html: string
  text: string
  /** Inline pictures, referenced by id. */
  pictures: readonly { id: string; png: Buffer }[]
  /** URL of one-click unsubscription. */
  unsubscribeUrl?: string | undefined
}

/** A destination of mails: a mail server or a folder. */
export type MailTransport = {
  /** @throws Error when the mail is not accepted, or not in time */
  send(mail: MailMessage): Promise<void>
  close(): void
}

export type MailTransportOptions = {
  /** URL of the mail server; null when there is none: mails are then stored as files. */
  smtpUrl: string | null
  /** Sender: `Ntalo <ne-pas-repondre@ntalo.cd>`. */
  from: string
  /** Folder of the mails when there is no mail server. */
  directory: string
}

/** Opens the mail server, or the folder when there is none; the caller closes it. */
export function openMailTransport({ smtpUrl, from, directory }: MailTransportOptions): MailTransport {
  return smtpUrl ? openSmtp(smtpUrl, from) : openDirectory(directory, from)
}

const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

function openSmtp(url: string, from: string): MailTransport {
  // One connection for all mails of a run, closed with the transport.
  const transport = createTransport({ url, pool: true, maxConnections: 1, ...timeouts, ...noFileAccess })
  return {
    async send(mail) {
      await transport.sendMail(messageOf(mail, from))
    },
    close: () => transport.close(),
  }
}

function openDirectory(directory: string, from: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, ...noFileAccess })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail, from))
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, `${mail.key}.eml`)
      // Mails may give access to accounts: other users of the machine must not read them, and files must be complete.
      await writeFile(`${path}.unfinished`, message as Buffer, { mode: 0o600 })
      await rename(`${path}.unfinished`, path)
    },
    close: () => transport.close(),
  }
}

// Prevents the mail library from reading files or URLs named in the content.
const noFileAccess = { disableFileAccess: true, disableUrlAccess: true }

function messageOf(
  { key, to, replyTo, subject, html, text, pictures, unsubscribeUrl }: MailMessage,
  from: string,
) {
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    // As an object, so that a comma does not split the address in two.
    to: { name: '', address: to },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    subject,
    html,
    text,
    attachments: pictures.map(({ id, png }) => ({
      cid: id,
      content: png,
      contentType: 'image/png',
      filename: `${id.split('@')[0]}.png`,
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
