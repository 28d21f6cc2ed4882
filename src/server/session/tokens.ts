import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { dayS } from '#shared/days.ts'

/** 32 random bytes, opaque; only its hash is ever stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, wanted: string): boolean {
  return timingSafeEqual(hashToken(given), hashToken(wanted))
}

/** Returns the SHA-256 of a token, which the database stores instead of the token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export const accessLifetimeS = 15 * 60
/** The specification's cookie age; sliding, since each use issues a new token. */
export const refreshLifetimeS = dayS
