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
 * The step whose code was typed: the present one, or one before or after, since clocks differ (RFC 6238, section 5.2).
 *
 * @param lastStep the last one taken; it and those before it serve no more
 */
export function stepOf(
  secret: Buffer,
  typed: string,
  lastStep: number,
  now = stepAt(Date.now()),
): number | null {
  return [now - 1, now, now + 1].find((step) => step > lastStep && totpOf(secret, step) === typed) ?? null
}

/** What an authenticator application reads, typed or as a link. @param email whose account it is */
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

/** Codes of ten letters for the day when the telephone is lost: `k7m2p-x9d4q`. */
export function newRecoveryCodes(): string[] {
  // 32 of them, so that each is as likely; none is taken for another.
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  const code = () => [...randomBytes(10)].map((byte) => letters[byte % letters.length]).join('')
  return Array.from({ length: 10 }, code).map((each) => `${each.slice(0, 5)}-${each.slice(5)}`)
}

/** As it was given, however it was typed. */
export const readRecoveryCode = (typed: string): string => typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
