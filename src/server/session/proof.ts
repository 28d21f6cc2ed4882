import type { Db } from '#server/db/pool.ts'
import { invalidField } from '#server/errors.ts'
import { verifyPassword } from '#server/session/passwords.ts'
import { resetCounters, spend } from '#server/session/rate-limit.sql.ts'
import { findSecondFactor, takeRecoveryCode, takeStep } from '#server/session/second-factor.sql.ts'
import { findPasswordHash } from '#server/session/session.sql.ts'
import { hashToken } from '#server/session/tokens.ts'
import { readRecoveryCode, stepOf } from '#server/session/totp.ts'

/** Limit on attempts to guess a password or a code. */
export const guesses = { hits: 10, windowS: 15 * 60, grows: true }

type Proof = { currentPassword?: string | null | undefined; code?: string | null | undefined }

/**
 * Verifies the password and second factor of a signed-in user again, before a change of their credentials.
 *
 * @throws AppError 400 under the field that is wrong, 429 after too many tries
 */
export async function verifyProof(db: Db, userId: number, { currentPassword, code }: Proof): Promise<void> {
  const key = `own-password:${userId}`
  await spend(db, key, guesses)
  const stored = await findPasswordHash(db, userId)
  if (stored === null) {
    throw invalidField(
      'currentPassword',
      'Ce compte n’a pas de mot de passe. Choisissez-en un par «\u202fMot de passe oublié\u202f».',
    )
  }
  if (!(await verifyPassword(stored, currentPassword ?? ''))) {
    throw invalidField('currentPassword', 'Ce n’est pas votre mot de passe actuel')
  }
  await resetCounters(db, key)
  await proveSecondFactor(db, userId, code)
}

/**
 * Verifies the second factor of an account that has one: an authenticator code or a recovery code, each usable once.
 *
 * @param device has a separate count of attempts, so that others who know the password cannot use them up
 * @throws AppError 400 under `code` when it is missing or wrong, 429 after too many tries
 */
export async function proveSecondFactor(
  db: Db,
  userId: number,
  code: Proof['code'],
  device: string | null = null,
): Promise<void> {
  const factor = await findSecondFactor(db, userId)
  if (!factor?.is_on) return
  if (!code?.trim()) {
    throw invalidField('code', 'Entrez le code de votre application, ou un code de secours.')
  }
  const key = device ? `second-factor:${userId}:${device}` : `second-factor:${userId}`
  await spend(db, key, guesses)
  const isRight =
    (await takeCode(db, userId, factor, code)) ||
    (await takeRecoveryCode(db, userId, hashToken(readRecoveryCode(code))))
  if (!isRight) throw wrongCode()
  await resetCounters(db, key)
}

/** Verifies and uses up an authenticator code; returns whether it was right. */
export async function takeCode(
  db: Db,
  userId: number,
  factor: { secret: Buffer; last_step: number },
  typed: string,
): Promise<boolean> {
  const step = stepOf(factor.secret, typed.replaceAll(/\s/g, ''), factor.last_step)
  return step !== null && takeStep(db, userId, step)
}

export const wrongCode = () => invalidField('code', 'Ce code n’est pas le bon, ou il a déjà servi.')
