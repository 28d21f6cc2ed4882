import { lockSubscriber } from '#features/subscriptions/access.sql.ts'
import { seatNoun, seats } from '#features/subscriptions/seats/seats.contract.ts'
import { sendInvitation } from '#features/subscriptions/seats/seats.jobs.ts'
import {
  acceptanceRefusal,
  invitationEnd,
  invitationRefusal,
} from '#features/subscriptions/seats/seats.rules.ts'
import {
  findInvitation,
  findOwnSeat,
  findSeat,
  getOwnSide,
  insertInvitation,
  listInvitations,
  listSeats,
  takeSeat,
} from '#features/subscriptions/seats/seats.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { authorOf, createRow, deleteUnlessUsed, explainConstraints } from '#server/writes.ts'

/** Limit per day, because invitations are mails to strangers; freeing seats does not raise it. */
const invitationsPerDay = { hits: 100, windowS: 86_400 }

/**
 * Registers the routes of seats.
 * @param clock current time
 */
export function seatRoutes(api: Api, db: Db, clock: () => Date): void {
  const entityOf = (ownerId: number | null) => ({
    name: 'seats',
    noun: seatNoun,
    table: 'seat',
    versioned: 'invitedAt',
    find: (from: Db, id: number) => findSeat(from, id, ownerId, clock()),
    constraints: {},
  })

  api.on(seats.read, async ({ actor }) => {
    const { userId } = signedIn(actor)
    const at = clock()
    const { ownEmail: _, isEmailVerified: __, ...own } = await getOwnSide(db, userId, at)
    return {
      ...own,
      members: await listSeats(db, userId, at),
      invitations: await listInvitations(db, userId, at),
    }
  })

  api.on(seats.invite, async (call) => {
    const { userId, name } = signedIn(call.actor)
    const { email } = call.body
    const made = await createRow(db, entityOf(userId), call, async (tx) => {
      await lockSubscriber(tx, userId)
      const at = clock()
      const own = await getOwnSide(tx, userId, at)
      if (!own.isEmailVerified)
        throw new AppError('forbidden', 'Confirmez votre adresse e-mail avant d’inviter quelqu’un.')
      const members = await listSeats(tx, userId, at)
      const refusal = invitationRefusal({ email, ownEmail: own.ownEmail }, { seats: own.seats, members })
      if (refusal) throw new AppError('conflict', refusal, { fields: [{ field: 'email', message: refusal }] })
      await spend(tx, `invitations:account:${userId}`, invitationsPerDay)
      const expiresAt = invitationEnd(at)
      await sendInvitation.add(tx, { owner: name, email, expiresAt: expiresAt.toISOString() })
      return insertInvitation(tx, { ownerId: userId, email, expiresAt }, at)
    })
    return { ...made, message: 'Invitation envoyée' }
  })

  api.on(seats.remove, async (call) => {
    const { before } = await deleteUnlessUsed(db, entityOf(signedIn(call.actor).userId), call)
    return { message: before.state === 'active' ? 'Membre retiré' : 'Invitation retirée' }
  })

  api.on(seats.accept, async (call) => {
    const { userId } = signedIn(call.actor)
    const { id } = call.params
    const found = (await findInvitation(db, id, userId)) ?? withdrawn()
    const own = await explainConstraints(memberOnce, () =>
      inTransaction(db, async (tx) => {
        // The lock makes concurrent acceptances of the last seat run one after the other.
        await lockSubscriber(tx, found.ownerId)
        const at = clock()
        const own = await getOwnSide(tx, userId, at)
        const invitation = (await findInvitation(tx, id, userId)) ?? withdrawn()
        if (invitation.isMine) return own
        const refusal = acceptanceRefusal(invitation, {
          isEmailVerified: own.isEmailVerified,
          at,
          seats: (await getOwnSide(tx, invitation.ownerId, at)).seats,
          members: await listSeats(tx, invitation.ownerId, at),
        })
        if (refusal) throw new AppError(own.isEmailVerified ? 'conflict' : 'forbidden', refusal)
        const before = await findSeat(tx, id, null, at)
        await takeSeat(tx, id, userId, at)
        const after = (await findSeat(tx, id, null, at)) ?? withdrawn()
        const entry = { action: 'update', entity: 'seats', entityId: id, before, after }
        await insertAudit(tx, authorOf(call), entry)
        return own
      }),
    )
    const message = `Vous lisez maintenant sur l’abonnement de ${found.owner}.`
    return { message: own.plan ? `${message} Le vôtre continue jusqu’à son terme.` : message }
  })

  api.on(seats.leave, async (call) => {
    const { userId } = signedIn(call.actor)
    const id = await findOwnSeat(db, userId)
    if (id === undefined) throw notFound('Vous n’êtes membre d’aucune organisation.')
    await deleteUnlessUsed(db, entityOf(null), { ...call, params: { id } })
    return { message: 'Vous avez quitté l’organisation' }
  })
}

const memberOnce = {
  seat_user_key: {
    field: 'id',
    message: 'Vous êtes déjà membre d’une organisation. Quittez-la avant d’entrer dans une autre.',
  },
}

function withdrawn(): never {
  throw notFound(
    'Cette invitation est retirée, ou adressée à une autre adresse que celle de votre compte. Connectez-vous avec l’adresse qui l’a reçue.',
  )
}
