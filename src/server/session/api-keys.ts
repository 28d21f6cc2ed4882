import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLetters = 30
const checkLetters = 6
const start = 'ntalo_live_'
const shape = new RegExp(`^${start}([0-9A-Za-z]{${randomLetters}})([0-9A-Za-z]{${checkLetters}})$`)

/** A new key: `ntalo_live_`, 30 random letters (178 bits), and six that check them. Only its hash is stored. */
export function newApiKey(): string {
  const secret = Array.from({ length: randomLetters }, () => letters[randomInt(letters.length)]).join('')
  return `${start}${secret}${checkOf(secret)}`
}

/** Whether a text has the format and checksum of a key; the key may still be unknown or revoked. */
export function isApiKey(text: string): boolean {
  const [, secret, check] = shape.exec(text) ?? []
  return secret !== undefined && check === checkOf(secret)
}

/** Returns the part of a key that is shown after its creation: the prefix and the last four letters. */
export const visibleEnds = (key: string) => `${start}…${key.slice(-4)}`

/** The CRC-32 of the secret in base 62. */
function checkOf(secret: string): string {
  let rest = crc32(secret)
  let check = ''
  for (let place = 0; place < checkLetters; place++) {
    check = letters[rest % letters.length] + check
    rest = Math.floor(rest / letters.length)
  }
  return check
}
