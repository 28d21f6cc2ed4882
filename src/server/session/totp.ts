import { createHmac, randomBytes } from 'node:crypto'

const stepS = 30
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 20 random bytes, as RFC 4226 recommends for HMAC-SHA-1. */
export const newSecret = (): Buffer => randomBytes(20)

/** The number of whole 30 seconds since 1970. @param atMs milliseconds since 1970 */
export const stepAt = (atMs: number): number => Math.floor(atMs / 1000 / stepS)

/** The six digits of a step (RFC 4226, section 5.3). */
export function totpOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/**
 * Returns the step of a code: the current one, or one before or after, since clocks differ (RFC 6238, section 5.2).
 *
 * @param lastStep last step used; codes up to it are refused
 */
export function stepOf(
  secret: Buffer,
  typed: string,
  lastStep: number,
  now = stepAt(Date.now()),
): number | null {
  return [now - 1, now, now + 1].find((step) => step > lastStep && totpOf(secret, step) === typed) ?? null
}

/** Returns the secret for an authenticator application, as text and as a link. @param email of the account */
export function provisioning(secret: Buffer, email: string): { secret: string; uri: string } {
  const base32 = toBase32(secret)
  const label = encodeURIComponent(`Ntalo:${email}`)
  return {
    secret: base32,
    uri: `otpauth://totp/${label}?secret=${base32}&issuer=Ntalo&algorithm=SHA1&digits=6&period=30`,
  }
}

/** RFC 4648, without padding: 20 bytes need none. */
function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

/** Returns recovery codes of ten characters, for a lost telephone: `k7m2p-x9d4q`. */
export function newRecoveryCodes(): string[] {
  // 32 characters, so that all are equally likely; none looks like another.
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  const code = () => [...randomBytes(10)].map((byte) => letters[byte % letters.length]).join('')
  return Array.from({ length: 10 }, code).map((each) => `${each.slice(0, 5)}-${each.slice(5)}`)
}

/** Normalises a typed recovery code to the issued form. */
export const readRecoveryCode = (typed: string): string => typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
