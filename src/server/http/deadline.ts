import { AppError } from '#server/errors.ts'

/**
 * Rejects when work takes too long. The work is not stopped: the limits on statements and connections end it soon
 * after, and its transaction is committed or rolled back as a whole.
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
