import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#server/errors.ts'
import { timeLimits } from '#server/time-limits.ts'

const parameters = {
  // 2 is argon2id; the package's enum cannot be imported without emitting code.
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}
const atOnce = 4

let running = 0
const waiting: (() => void)[] = []

/** Whether a hash was made with weaker parameters than the current ones. */
export function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parameters
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`)
}

/** @throws AppError 503 when too many hashes are queued */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFKC'), parameters))
}

// Verified when there is no account, so that the answer takes as long as for a wrong password.
const nobody =
  '$argon2id$v=19$m=19456,t=2,p=1$c29kaXVtY2hsb3JpZGU$gsJhsmkDTwHeoCmqNKxTgHMLYbTHRwBJq4z5LGnPDsE'

/**
 * @param stored hash of the account, or null when there is none: the result is then false, after the same time
 * @throws AppError 503 when too many hashes are queued
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const isRight = await inTurn(() => verify(stored ?? nobody, password.normalize('NFKC')))
  return isRight && stored !== null
}

// Each hash takes 19 MiB and a thread, so only a few run at once and the others wait.
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(
          new AppError('unavailable', 'Trop de connexions en même temps. Réessayez dans un instant.', {
            retryAfterS: 2,
          }),
        )
      }, timeLimits.passwordTurn)
      waiting.push(turn)
    })
  } else {
    running++
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
