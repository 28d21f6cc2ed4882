// Objects on any server that speaks S3, by signed requests (AWS Signature Version 4).

import { AwsClient } from 'aws4fetch'
import { AppError } from '#server/errors.ts'
import { timeLimits } from '#server/time-limits.ts'

export type S3Settings = { url: string; bucket: string; key: string; secret: string; region: string }

export type S3 = {
  /** Stores a whole object; resolves once the server has confirmed it. */
  put(key: string, content: Blob | Uint8Array): Promise<void>
  /** @returns null when there is no such object */
  get(key: string): Promise<Response | null>
  has(key: string): Promise<boolean>
  remove(key: string): Promise<void>
  /** Lists the objects with this key prefix, with the time (ms) of their last write. */
  list(prefix: string): AsyncGenerator<{ key: string; at: number }>
}

/** Additional time limit per byte (ms): a large file is sent at 1 MB/s at least. */
const perByteMs = 1 / 1_000

/** Opens a bucket. Every call throws an {@link AppError} 503 when the server does not answer, or refuses the key. */
export function openS3({ url, bucket, key: accessKeyId, secret, region }: S3Settings): S3 {
  const signer = new AwsClient({ accessKeyId, secretAccessKey: secret, region, service: 's3', retries: 0 })
  const root = `${url}/${encodeURIComponent(bucket)}`
  const addressOf = (key: string) => `${root}/${key.split('/').map(encodeURIComponent).join('/')}`

  async function call(address: string, init: RequestInit = {}, bytes = 0): Promise<Response> {
    try {
      // The content is not hashed for the signature, because the connection protects it.
      const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
      const signed = await signer.sign(address, { method: init.method ?? 'GET', headers })
      const beginning = new AbortController()
      const timer = setTimeout(() => beginning.abort(), timeLimits.store + bytes * perByteMs)
      // Once it has begun, an answer may last: `fetch` itself ends one that brings no byte for five minutes.
      const sending = { ...init, headers: signed.headers, signal: beginning.signal }
      const response = await fetch(signed.url, sending).finally(() => clearTimeout(timer))
      if (response.ok || response.status === 404) return response
      throw new Error(`S3 answered ${response.status}: ${(await response.text()).slice(0, 200)}`)
    } catch (cause) {
      throw new AppError(
        'unavailable',
        'Les fichiers ne peuvent pas être lus ni enregistrés pour le moment. Réessayez plus tard.',
        {
          retryAfterS: 5,
          cause,
        },
      )
    }
  }

  return {
    async put(key, content) {
      const size = content instanceof Blob ? content.size : content.length
      const body = content instanceof Blob ? content : new Blob([new Uint8Array(content)])
      const response = await call(addressOf(key), { method: 'PUT', body }, size)
      await response.body?.cancel()
      if (response.status === 404) throw new AppError('unavailable', `Le dossier S3 ${bucket} n’existe pas.`)
    },
    async get(key) {
      const response = await call(addressOf(key))
      if (response.ok) return response
      await response.body?.cancel()
      return null
    },
    async has(key) {
      return (await call(addressOf(key), { method: 'HEAD' })).ok
    },
    async remove(key) {
      const response = await call(addressOf(key), { method: 'DELETE' })
      await response.body?.cancel()
    },
    async *list(prefix) {
      let token: string | undefined
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix })
        if (token) query.set('continuation-token', token)
        const text = await (await call(`${root}?${query}`)).text()
        for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          yield { key: valueIn(entry, 'Key'), at: Date.parse(valueIn(entry, 'LastModified')) }
        }
        token = valueIn(text, 'NextContinuationToken') || undefined
      } while (token)
    },
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function valueIn(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? '')
}
