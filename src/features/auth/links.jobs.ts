// Links are created and mailed by jobs, so that a request does the same and takes the same time whether its address has
// an account or not.

import { z } from 'zod'
import {
  countRecentLinks,
  findAddressee,
  findAddresseeById,
  findFirstSuperAdmin,
  insertLink,
  sweepLinks,
} from '#features/auth/links.sql.ts'
import {
  addressChangedMail,
  alreadyRegisteredMail,
  resetLifetimeS,
  resetMail,
  securityMail,
  verificationMail,
  verifyLifetimeS,
} from '#features/auth/mails.rules.ts'
import { insertUserWithRole, isWithoutAccounts } from '#features/auth/registration.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'
import { queueMail } from '#server/mail/mail.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import { hourMs } from '#shared/days.ts'

/** Mails a link that sets the password, if the address has an account. */
export const sendResetLink = defineJob('reset link', z.object({ email: z.string() }))

/** Mails a link that confirms the address of an account, if it is not confirmed. */
export const sendVerificationLink = defineJob('verification link', z.object({ email: z.string() }))

/** Mails the owner of an address that it already has an account, or that its sign-in has changed. */
export const tellOwner = defineJob(
  'tell owner',
  z.object({
    userId: z.int(),
    news: z.enum([
      'registered again',
      'password changed',
      'outlets ended',
      'second factor on',
      'second factor off',
    ]),
  }),
)

/** Handles a change of address: mails a confirmation link to the new address, and a notice to the former one. */
export async function tellNewAddress(tx: Db, former: { email: string }, email: string): Promise<void> {
  await sendVerificationLink.add(tx, { email })
  await queueMail(tx, { to: former.email, content: addressChangedMail })
}

/** Limit of mails requested for an account in an hour, so that others cannot flood a mailbox. */
const mostLinksPerHour = 5

/** @param publicUrl base address of the site */
export function linkTasks({ db, publicUrl }: { db: Db; publicUrl: string }): Task[] {
  return [
    sendResetLink.doneBy(({ email }) =>
      inTransaction(db, async (tx) => {
        const to = await findAddressee(tx, email)
        if (!to || (await countRecentLinks(tx, to.id, 'reset')) >= mostLinksPerHour) return
        const url = await newResetLink(tx, to, publicUrl)
        await queueMail(tx, {
          to: to.email,
          content: resetMail({ name: greetedName(to), url, isFirst: !to.has_password }),
        })
      }),
    ),
    sendVerificationLink.doneBy(({ email }) =>
      inTransaction(db, async (tx) => {
        const to = await findAddressee(tx, email)
        if (!to || to.email_verified || (await countRecentLinks(tx, to.id, 'verify')) >= mostLinksPerHour)
          return
        await queueMail(tx, {
          to: to.email,
          content: verificationMail(await newLink(tx, to, 'verify', publicUrl)),
        })
      }),
    ),
    tellOwner.doneBy(({ userId, news }) =>
      inTransaction(db, async (tx) => {
        const to = await findAddresseeById(tx, userId)
        const isByOthers = news === 'registered again' || to?.email_verified === false
        if (!to || (isByOthers && !(await mayTellAgain(tx, userId)))) return
        const addressee = { name: greetedName(to), url: `${publicUrl}/auth/login` }
        const content =
          news === 'registered again' ? alreadyRegisteredMail(addressee) : securityMail(news, addressee)
        await queueMail(tx, { to: to.email, content })
      }),
    ),
    { name: 'sweep links', everyMs: hourMs, run: () => sweepLinks(db) },
  ]
}

/** Counts a mail that others can cause. @returns false when the account has had its number of them in this hour */
async function mayTellAgain(tx: Db, userId: number): Promise<boolean> {
  try {
    await spend(tx, `tell-owner:account:${userId}`, { hits: mostLinksPerHour, windowS: 3600 })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'limited') return false
    throw error
  }
}

/**
 * Returns the name to greet an account with; null when a stranger may have chosen it to send a text to the address.
 * Accounts without a password were created by an administrator or with Google.
 */
function greetedName(to: { name: string; email_verified: boolean; has_password: boolean }): string | null {
  return to.email_verified || !to.has_password ? to.name : null
}

async function newLink(
  tx: Db,
  to: { id: number; email: string },
  purpose: 'reset' | 'verify',
  publicUrl: string,
): Promise<string> {
  const token = newToken()
  const lifetimeS = purpose === 'reset' ? resetLifetimeS : verifyLifetimeS
  await insertLink(tx, { hash: hashToken(token), userId: to.id, purpose, email: to.email, lifetimeS })
  return `${publicUrl}/auth/${purpose === 'reset' ? 'reset-password' : 'verify-email'}?token=${token}`
}

async function newResetLink(tx: Db, to: { id: number; email: string }, publicUrl: string): Promise<string> {
  const entry = { action: 'reset-link', entity: 'users', entityId: to.id }
  await insertAudit(tx, { actor: null, requestId: null }, entry)
  return newLink(tx, to, 'reset', publicUrl)
}

/**
 * Creates a link that sets the password of the first super administrator who can sign in, for an operator whose mails
 * do not arrive.
 * @returns null when there is no such account
 */
export function makeAdminLink(db: Db, publicUrl: string): Promise<{ email: string; url: string } | null> {
  return inTransaction(db, async (tx) => {
    const to = await findFirstSuperAdmin(tx)
    return to ? { email: to.email, url: await newResetLink(tx, to, publicUrl) } : null
  })
}

/** On a database without accounts, creates the first super administrator, who chooses a password by a link. */
export function inviteFirstAdmin(db: Db, email: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (!(await isWithoutAccounts(tx))) return
    const entityId = await insertUserWithRole(tx, {
      name: 'Administrateur',
      email,
      passwordHash: null,
      role: 'super admin',
    })
    await insertAudit(
      tx,
      { actor: null, requestId: null },
      { action: 'create', entity: 'users', entityId: entityId ?? null },
    )
    await sendResetLink.add(tx, { email })
  })
}
