import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownPath, statusRefusals } from '#features/auth/auth.rules.ts'
import type { Entrance } from '#features/auth/entrance.routes.ts'
import { openStash } from '#features/auth/google/browser-stash.routes.ts'
import { googleCallback, googleInitiate, googleSecondStep } from '#features/auth/google/google.contract.ts'
import { takeGooglePicture } from '#features/auth/google/google.jobs.ts'
import { type Google, type GooglePerson, googleWords } from '#features/auth/google/google.rules.ts'
import { findAccountOfGoogle, linkGoogle, lockAccountOfAddress } from '#features/auth/google/google.sql.ts'
import { findLink, insertLink, spendLink } from '#features/auth/links.sql.ts'
import { removeWaysIn } from '#features/auth/registration.routes.ts'
import { insertUserWithRole } from '#features/auth/registration.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Api } from '#server/http/endpoint.ts'
import { siteOrigin } from '#server/http/site-origin.ts'
import { networkOf } from '#server/http/visitors.ts'
import type { Log } from '#server/log.ts'
import { proveSecondFactor } from '#server/session/proof.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { findSecondFactor } from '#server/session/second-factor.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import { authorOf } from '#server/writes.ts'

const perAddress = { hits: 100, windowS: 15 * 60 }
/** How long a user coming from Google may take to enter the code of the second factor. */
const secondStepS = 10 * 60

type Visit = { request: FastifyRequest; reply: FastifyReply }

/** Registers the routes of signing in with Google; if it is not configured, they answer so. */
export function googleRoutes(
  api: Api,
  db: Db,
  options: {
    google: Google | null
    sessions: Sessions
    entrance: Entrance
    /** Null when not configured: then the address that the browser uses. */
    publicUrl: string | null
    log: Log
  },
): void {
  const { google, sessions, entrance, publicUrl, log } = options
  const stash = openStash(publicUrl?.startsWith('https:') ?? false)
  const redirectUriOf = (request: FastifyRequest) => `${siteOrigin(request, publicUrl)}/auth/google/callback`

  const asked = async <T>(words: string, ask: (google: Google) => Promise<T>): Promise<T> => {
    if (!google) throw notFound(googleWords.notConfigured)
    return ask(google).catch((error: unknown) => {
      log.error({ err: error }, 'Google does not answer')
      throw new AppError('unavailable', words, { retryAfterS: 10 })
    })
  }

  api.on(
    googleInitiate,
    async ({ query, reply }, { url, attempt }: Awaited<ReturnType<Google['begin']>>) => {
      stash.keepAttempt(reply, { ...attempt, goTo: ownPath(query.redirectUrl) })
      return { redirect_url: url }
    },
    ({ request }) => asked(googleWords.cannotStart, (it) => it.begin(redirectUriOf(request))),
  )

  api.on(
    googleCallback,
    async (call, { person, goTo }: { person: GooglePerson; goTo: string }) => {
      const userId = await inTransaction(db, (tx) => accountOf(tx, call, person))
      sessions.drop(userId)
      if ((await findSecondFactor(db, userId))?.is_on) {
        const step = newToken()
        const link = { hash: hashToken(step), userId, email: person.email, lifetimeS: secondStepS }
        await insertLink(db, { ...link, purpose: 'google' })
        stash.keepStep(call.reply, { step, goTo })
        // Throws the refusal that asks for a code.
        await proveSecondFactor(db, userId, null)
      }
      return enter(call, userId, goTo)
    },
    async ({ query, request, reply }) => {
      const attempt = stash.attemptOf(request)
      stash.clear(reply)
      if (!query.code || !query.state) throw new AppError('invalid', googleWords.nothingGiven)
      // Another browser, a newer tab, or a response used before.
      if (!attempt) throw new AppError('invalid', googleWords.failed)
      await spend(db, `google:address:${networkOf(request.ip)}`, perAddress)
      const url = new URL(redirectUriOf(request))
      for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value)
      const person = await asked(googleWords.failed, (it) => it.finish(url, attempt))
      if (!person) throw new AppError('invalid', googleWords.failed)
      return { person, goTo: attempt.goTo }
    },
  )

  api.on(googleSecondStep, async (call) => {
    const stashed = stash.stepOf(call.request)
    const hash = stashed && hashToken(stashed.step)
    const link = hash && (await findLink(db, hash, 'google'))
    if (!link) throw new AppError('invalid', googleWords.failed)
    const device = await entrance.knownDeviceOf(call.request, link.user_id)
    await proveSecondFactor(db, link.user_id, call.body.code, device)
    if (!(await spendLink(db, hash, 'google'))) throw new AppError('invalid', googleWords.failed)
    stash.clear(call.reply)
    return enter(call, link.user_id, stashed.goTo)
  })

  async function enter(visit: Visit, userId: number, goTo: string) {
    const session = await entrance.open(visit, userId, 'google')
    return { ...session, success: true as const, redirectUrl: ownPath(goTo) }
  }

  /** Returns the account of a Google user: already linked, found by its address, or created. */
  async function accountOf(tx: Db, { request }: Visit, person: GooglePerson): Promise<number> {
    const { sub, email, isVerified, name, picture } = person
    const author = authorOf({ actor: null, request })
    const linked = await findAccountOfGoogle(tx, sub)
    if (!linked && !isVerified) {
      throw new AppError(
        'forbidden',
        'Google n’a pas vérifié cette adresse. Vérifiez-la chez Google, ou connectez-vous avec un mot de passe.',
      )
    }
    const account = linked ?? (await lockAccountOfAddress(tx, email))
    if (account && account.status !== 'ACTIVE') {
      throw new AppError('forbidden', statusRefusals[account.status] ?? 'Ce compte n’est pas actif.')
    }
    if (linked) return linked.id
    if (account?.google_sub && account.email_verified) {
      throw new AppError('duplicate', 'Cette adresse est déjà celle d’un autre compte Google.')
    }
    const id =
      account?.id ?? (await insertUserWithRole(tx, { name, email, passwordHash: null, role: 'user' }))
    // The same address was registered at the same moment.
    if (id === undefined) throw new AppError('conflict', googleWords.failed)
    const ended = account && !account.email_verified ? await removeWaysIn(tx, id) : undefined
    await linkGoogle(tx, id, sub)
    if (picture) await takeGooglePicture.add(tx, { userId: id, url: picture })
    await insertAudit(
      tx,
      { ...author, actor: { userId: id, name } },
      {
        action: account ? 'link-google' : 'register',
        entity: 'users',
        entityId: id,
        after: { by: 'google', ...ended },
      },
    )
    return id
  }
}
