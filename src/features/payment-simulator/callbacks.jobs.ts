import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import type { Scenario } from '#features/payment-simulator/simulator.rules.ts'
import { requestJson } from '#server/http-client.ts'
import { contentDigest } from '#server/http-signature.ts'

type Signature = Scenario['signature']

const timeoutMs = 5_000
/** Age at which a signature is too old to be accepted. */
const oldMs = 6 * 60_000
const signedParts = [
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
  'content-length',
]

/** Creates a sender of deposit callbacks like pawaPay's, signed with its own key. */
export function createCaller() {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyId = randomUUID()

  async function signed(url: string, said: object, signature: Signature): Promise<Record<string, string>> {
    const text = Buffer.from(JSON.stringify(said))
    const at = new Date(Date.now() - (signature === 'old' ? oldMs : 0))
    const headers = {
      'content-type': 'application/json',
      'content-length': String(text.length),
      'content-digest': contentDigest(signature === 'bad' ? Buffer.from('something else') : text, 'sha-512'),
      'signature-date': at.toISOString(),
    }
    const message = await httpbis.signMessage(
      {
        name: 'sig-pp',
        fields: signedParts,
        params: ['alg', 'keyid', 'created', 'expires'],
        paramValues: { created: at, expires: new Date(Date.now() + 60_000) },
        key: {
          id: keyId,
          alg: 'ecdsa-p256-sha256',
          sign: async (data) => sign('sha256', data, { key: keys.privateKey, dsaEncoding: 'ieee-p1363' }),
        },
      },
      { method: 'POST', url, headers },
    )
    const { 'content-length': _, ...sent } = message.headers as Record<string, string>
    return sent
  }

  return {
    /** Response of `GET /v2/public-key/http`. */
    keys: [{ id: keyId, key: keys.publicKey.export({ type: 'spki', format: 'pem' }) }],
    /** @returns the status of the response; null when nothing listens there */
    async call(url: string, said: object, signature: Signature): Promise<number | null> {
      try {
        const headers = signature === 'none' ? {} : await signed(url, said, signature)
        return (await requestJson(url, { method: 'POST', headers, body: said, timeoutMs })).status
      } catch {
        return null
      }
    },
  }
}
