import { once } from 'node:events'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

export type Received = { from: string; to: string[]; raw: string }

/** Starts a mail server on a port of this machine that stores the mails it receives, until the test ends. */
export async function mailServer(options: SMTPServerOptions & { port?: number } = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  const listening = server.listen(options.port ?? 0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(close)
  return { received, port, url: `smtp://127.0.0.1:${port}`, close }
}

/** Returns a header of a raw mail, unfolded; undefined when absent. */
export function headerOf(raw: string, name: string): string | undefined {
  const [head = ''] = raw.split('\r\n\r\n')
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const line = lines.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line && decodeWords(line.slice(name.length + 1).trim())
}

/** Returns the decoded part of a raw mail with this type: `text/plain`, `text/html`. */
export function partOf(raw: string, type: string): string {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1]
  const parts = boundary ? raw.split(`--${boundary}`) : [raw]
  const part = parts.find((each) => each.toLowerCase().includes(`content-type: ${type};`)) ?? ''
  const at = part.indexOf('\r\n\r\n')
  const [head, body] = [part.slice(0, at).toLowerCase(), part.slice(at + 4)]
  if (head.includes('base64')) return Buffer.from(body, 'base64').toString()
  return head.includes('quoted-printable') ? decodeQuoted(body.replaceAll('=\r\n', '')) : body
}

function decodeWords(text: string): string {
  return text
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
}

function decodeQuoted(text: string): string {
  return Buffer.from(
    text.replaceAll(/=([\dA-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
}
