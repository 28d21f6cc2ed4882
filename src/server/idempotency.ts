import { createHash } from 'node:crypto'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import { type Call, signedIn } from '#server/http/endpoint.ts'
import { claimKey, findAnswer, storeAnswer } from '#server/idempotency.sql.ts'
import type { Endpoint } from '#shared/contract.ts'

/**
 * Runs a write once per `Idempotency-Key`: for one day, repeated requests get the response of the first. Without the
 * header the write always runs. The key is stored in the transaction of the write.
 *
 * @throws AppError 400 for a malformed key, 422 when the key was used for a different request
 */
export async function withIdempotencyKey<T>(
  tx: Db,
  { request, actor }: Pick<Call<Endpoint>, 'request' | 'actor'>,
  work: () => Promise<T>,
): Promise<T> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return work()
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError('invalid', 'Idempotency-Key\u00a0: 1 à 255 caractères sans espace ni accent.')
  }
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, await withDigests(request.body)]))
    .digest()
  const asked = { userId: signedIn(actor).userId, key, fingerprint }
  if (await claimKey(tx, asked)) {
    const answer = await work()
    await storeAnswer(tx, asked, answer)
    return answer
  }
  const first = await findAnswer(tx, asked)
  if (!first?.isSame) {
    throw new AppError('unprocessable', 'Cette Idempotency-Key a déjà servi pour une autre demande.')
  }
  // The stored answer comes from the same work for the same request, so it has type T.
  return first.answer as T
}

/** Returns a body with the digest of each file in its place: a file itself has no JSON. */
async function withDigests(body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null) return body
  const files = Object.entries(body).filter(([, value]) => value instanceof File)
  const digests = files.map(async ([name, file]: [string, File]) => {
    const bytes = new Uint8Array(await file.arrayBuffer())
    return [name, createHash('sha256').update(bytes).digest('hex')]
  })
  return files.length === 0 ? body : { ...body, ...Object.fromEntries(await Promise.all(digests)) }
}
