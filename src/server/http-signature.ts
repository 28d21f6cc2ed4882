// HTTP message signatures (RFC 9421) with a digest of the body (RFC 9530), of requests that we receive and send.

import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { httpbis } from 'http-message-signatures'

/** The PEM of a public key by its id; undefined when there is none. Throws when that cannot be found out now. */
export type KeyFinder = (id: string) => Promise<string | undefined>

type SignedRequest = { url: string; headers: Record<string, string | string[]>; body: Uint8Array }

const toleranceS = 5 * 60
const algorithms: Record<string, { hash: string; options?: object }> = {
  'ecdsa-p256-sha256': { hash: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  'ecdsa-p384-sha384': { hash: 'sha384', options: { dsaEncoding: 'ieee-p1363' } },
  'rsa-v1_5-sha256': { hash: 'sha256' },
}

/**
 * Whether a POST was signed by the key that it names, over its method, its path and its body, within five minutes of now.
 * `unknown` when the key cannot be had now.
 */
export async function verifySignature(
  request: SignedRequest,
  findKey: KeyFinder,
): Promise<boolean | 'unknown'> {
  if (!hasRightDigest(request) || !isRecent(request)) return false
  let isKeyUnknown = false
  try {
    const isRight = await httpbis.verifyMessage(
      {
        requiredFields: ['@method', '@path', 'content-digest'],
        tolerance: toleranceS,
        // The package takes the tolerance off the moment of signing before it measures the age.
        maxAge: 2 * toleranceS,
        keyLookup: async ({ keyid, alg }) => {
          const algorithm = algorithms[String(alg)]
          let pem: string | undefined
          try {
            pem = await findKey(String(keyid))
          } catch {
            isKeyUnknown = true
          }
          if (!pem || !algorithm) return null
          const key = createPublicKey(pem)
          return {
            id: String(keyid),
            algs: [String(alg)],
            verify: async (data, signature) =>
              verify(algorithm.hash, data, { key, ...algorithm.options }, signature),
          }
        },
      },
      { method: 'POST', url: request.url, headers: request.headers },
    )
    return isKeyUnknown ? 'unknown' : isRight === true
  } catch {
    // Too old, not covering what it must, or not readable at all.
    return isKeyUnknown ? 'unknown' : false
  }
}

/** `sha-256=:…:` of a body, for its Content-Digest. */
export function contentDigest(body: Uint8Array, algorithm: 'sha-256' | 'sha-512' = 'sha-256'): string {
  const hash = createHash(algorithm.replace('-', '')).update(body).digest('base64')
  return `${algorithm}=:${hash}:`
}

function hasRightDigest({ headers, body }: SignedRequest): boolean {
  const given = String(headers['content-digest'] ?? '')
  const algorithm = /\bsha-512=/.test(given) ? 'sha-512' : 'sha-256'
  const [part = ''] = given.split(/,\s*/).filter((each) => each.startsWith(`${algorithm}=`))
  const [wanted, got] = [Buffer.from(contentDigest(body, algorithm)), Buffer.from(part)]
  return wanted.length === got.length && timingSafeEqual(wanted, got)
}

// Beside `created` and `expires`, which the signature itself may bear.
function isRecent({ headers }: SignedRequest): boolean {
  const date = headers['signature-date']
  if (date === undefined) return true
  const ageMs = Date.now() - Date.parse(String(date))
  return Math.abs(ageMs) <= toleranceS * 1000
}
