import { z } from 'zod'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { emailAddress, idParams, instant } from '#shared/fields.ts'
import type { Noun } from '#shared/resource.ts'

export const seatNoun: Noun = { one: 'Membre', many: 'membres', gender: 'm' }

/** Validity of an invitation in days. */
export const invitationDays = 14

const seat = z
  .object({
    id: z.int(),
    email: z.string(),
    /** Null until the invitation is accepted. */
    name: z.string().nullable(),
    state: z.enum(['invited', 'expired', 'active']),
    /** Whether the plan includes the seat: the latest members lose theirs first. */
    isComprised: z.boolean(),
    invitedAt: instant,
    expiresAt: instant,
    acceptedAt: instant.nullable(),
  })
  .meta({ id: 'Seat' })
export type Seat = z.infer<typeof seat>

export const organisation = z
  .object({
    /** Plan of the user's own subscription and its number of seats, including the user's; 1 without a plan. */
    plan: z.string().nullable(),
    seats: z.int(),
    /** Members and invitations, the earliest first. */
    members: z.array(seat),
    /** The next plan when it has fewer seats; null otherwise. */
    coming: z.object({ plan: z.string(), seats: z.int(), at: instant }).nullable(),
    /** The organisation whose member the user is. */
    membership: z
      .object({
        owner: z.string(),
        plan: z.string().nullable(),
        acceptedAt: instant,
        isComprised: z.boolean(),
      })
      .nullable(),
    /** Invitations to the address of the account. */
    invitations: z.array(
      z.object({ id: z.int(), owner: z.string(), expiresAt: instant, isExpired: z.boolean() }),
    ),
  })
  .meta({ id: 'Organisation' })
export type Organisation = z.infer<typeof organisation>

export const seats = {
  read: defineEndpoint({
    method: 'GET',
    path: '/api/organisation',
    right: 'session',
    summary: 'Son organisation\u00a0: places, membres et invitations',
    description:
      'Les membres lisent sur l’abonnement de qui les invite, sans voir ses paiements ni ses factures. Les appels et les SMS du plan se partagent en parts égales entre ses places.',
    response: organisation,
  }),
  invite: defineEndpoint({
    method: 'POST',
    path: '/api/organisation/members',
    right: 'session',
    summary: 'Inviter un membre',
    description: `Un e-mail le lui dit\u202f; il accepte avec un compte de cette adresse, dans les ${invitationDays} jours. Une invitation prend une place.`,
    body: z.object({ email: emailAddress }).meta({ id: 'InvitationBody' }),
    status: 201,
    response: seat.extend({ message: z.string() }),
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/organisation/members/{id}',
    right: 'session',
    summary: 'Retirer un membre ou une invitation',
    description: 'Le membre n’a plus accès aussitôt, et sa place est libre.',
    params: idParams,
    response: acknowledgement,
  }),
  accept: defineEndpoint({
    method: 'POST',
    path: '/api/organisation/invitations/{id}/accept',
    right: 'session',
    summary: 'Accepter une invitation',
    description: 'Avec l’adresse invitée, confirmée. On est membre d’une seule organisation à la fois.',
    params: idParams,
    response: acknowledgement,
  }),
  leave: defineEndpoint({
    method: 'DELETE',
    path: '/api/organisation/membership',
    right: 'session',
    summary: 'Quitter l’organisation dont on est membre',
    description: 'L’accès qu’elle donnait se ferme aussitôt.',
    response: acknowledgement,
  }),
}
