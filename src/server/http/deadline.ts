import { AppError } from '#server/errors.ts'

/**
 * Gives work up when it takes too long. It is not stopped: the limits on statements and connections end it soon after,
 * and what it still writes is written as a whole.
 *
 * @throws AppError 503 after `ms`
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      reject(
        new AppError('unavailable', 'La réponse a pris trop de temps. Réessayez, ou réduisez la sélection.', {
          retryAfterS: 5,
        }),
      ),
    Math.max(0, ms),
  )
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
