import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { checkedLookup, hostOf, type Reach, refusalOfUrl } from '#server/webhooks/reach.ts'

/** Status and beginning of the body of a response. */
export type PostAnswer = { status: number; answer: string }

const longestMs = 15_000
/** Maximum number of bytes read of a response body. */
const mostAnswerBytes = 2_048

/**
 * Posts a message to an address chosen by a third party. Redirects are not followed, the connection is made to the
 * checked address of the lookup, and everything ends after 15 s or with `signal`.
 *
 * @throws Error with the reason when there is no response
 */
export async function postToThirdParty(
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
  // IP addresses are not looked up, so `lookup` does not check them.
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
        // Connections are not reused: the name may later resolve to a different server.
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

/** Returns the beginning of a body; a body cut after the status still counts as a response. */
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
    // Ignored: the status has been received.
  } finally {
    response.destroy()
  }
  // PostgreSQL cannot store NUL.
  return Buffer.concat(chunks).subarray(0, mostAnswerBytes).toString('utf8').replaceAll('\0', '\ufffd')
}
