import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { checkedLookup, hostOf, type Reach, refusalOfUrl } from '#server/webhooks/reach.ts'

/** What a server said: its status and the beginning of its answer. */
export type PostAnswer = { status: number; answer: string }

const longestMs = 15_000
/** What is read of an answer, whatever its length. */
const mostAnswerBytes = 2_048

/**
 * Sends a message to an address that somebody else chose. Redirects are not followed, what was looked up is checked and
 * connected to, and all of it ends after 15 s or with `signal`.
 *
 * @throws Error that says why nothing was answered
 */
export async function postAway(
  address: string,
  {
    body,
    headers,
    reach,
    signal,
  }: {
    body: string
    headers: Record<string, string>
    reach: Reach
    signal: AbortSignal
  },
): Promise<PostAnswer> {
  // Literal addresses are never looked up: only this looks at them.
  const refusal = refusalOfUrl(address, reach)
  if (refusal) throw new Error(refusal)
  const url = new URL(address)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new Error('Aucune réponse en 15\u00a0secondes.')), longestMs)
  const stop = () => deadline.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
        protocol: url.protocol,
        hostname: hostOf(url),
        port: url.port,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A connection is used once: none is left to a server that may have become another.
        agent: false,
        lookup: checkedLookup(reach),
        maxHeaderSize: 16_384,
        signal: deadline.signal,
      })
      request.on('response', resolve)
      request.on('error', (error) => reject(deadline.signal.aborted ? deadline.signal.reason : error))
      request.end(body)
    })
    return { status: response.statusCode ?? 0, answer: await beginningOf(response) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** The beginning of an answer; what is cut after its status was still answered. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= mostAnswerBytes) break
    }
  } catch {
    // Its status counts.
  } finally {
    response.destroy()
  }
  // PostgreSQL stores no NUL.
  return Buffer.concat(chunks).subarray(0, mostAnswerBytes).toString('utf8').replaceAll('\0', '\ufffd')
}
