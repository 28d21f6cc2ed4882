// HTTP message signatures (RFC 9421) with a digest of the body (RFC 9530).

import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { httpbis } from 'http-message-signatures'

/** Returns the PEM of a public key by its id; undefined when unknown. Throws when the keys cannot be fetched. */
export type KeyFinder = (id: string) => Promise<string | undefined>

type SignedRequest = { url: string; headers: Record<string, string | string[]>; body: Uint8Array }

const toleranceS = 5 * 60
const algorithms: Record<string, { hash: string; options?: object }> = {
  'ecdsa-p256-sha256': { hash: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  'ecdsa-p384-sha384': { hash: 'sha384', options: { dsaEncoding: 'ieee-p1363' } },
  'rsa-v1_5-sha256': { hash: 'sha256' },
}

/**
 * Verifies that a POST was signed by the key it names, over its method, path and body, within five minutes of now.
 * Returns `unknown` when the key cannot be fetched.
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
        // The package subtracts the tolerance from the creation time before it computes the age.
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
    // The signature is too old, misses a required component, or cannot be parsed.
    return isKeyUnknown ? 'unknown' : false
  }
}

/** Returns the Content-Digest header of a body: `sha-256=:…:`. */
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

// Checked in addition to `created` and `expires`, which are optional parameters of the signature.
function isRecent({ headers }: SignedRequest): boolean {
  const date = headers['signature-date']
  if (date === undefined) return true
  const ageMs = Date.now() - Date.parse(String(date))
  return Math.abs(ageMs) <= toleranceS * 1000
}
