import { createHash } from 'node:crypto'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import { type Call, signedIn } from '#server/http/endpoint.ts'
import { claimKey, findAnswer, storeAnswer } from '#server/idempotency.sql.ts'
import type { Endpoint } from '#shared/contract.ts'

/**
 * Does a write once, however often it is sent with the same `Idempotency-Key`: for a day, those that come after the first
 * get its answer. Without the header it is simply done. The key is stored in the transaction of the effect.
 *
 * @throws AppError 400 for a key that is none, 422 when it was used for something else
 */
export async function once<T>(
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
    .update(JSON.stringify([request.method, request.url, request.body]))
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
  // It was made by the same work for the same request.
  return first.answer as T
}
