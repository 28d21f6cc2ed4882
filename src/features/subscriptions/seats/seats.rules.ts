import { invitationDays, type Seat } from '#features/subscriptions/seats/seats.contract.ts'
import { dayMs } from '#shared/days.ts'
import type { MailContent } from '#shared/mail.ts'

const inFull = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Africa/Kinshasa' })
const dayInWords = (instant: string) => inFull.format(new Date(instant))

export const invitationEnd = (at: Date) => new Date(at.getTime() + invitationDays * dayMs)

/** Returns why an address cannot be invited, in words; null when it can, replacing an expired invitation if any. */
export function invitationRefusal(
  { email, ownEmail }: { email: string; ownEmail: string },
  { seats, members }: { seats: number; members: readonly Seat[] },
): string | null {
  const isSame = (other: string) => other.toLowerCase() === email.toLowerCase()
  if (isSame(ownEmail)) return 'C’est votre propre adresse\u00a0: votre place est déjà comprise.'
  if (seats < 2)
    return 'Votre plan comprend une seule place, la vôtre. Choisissez un plan à plusieurs places pour inviter quelqu’un.'
  const found = members.find((member) => isSame(member.email))
  if (found?.state === 'active') return 'Cette personne est déjà membre.'
  if (found?.state === 'invited')
    return `Cette adresse est déjà invitée, jusqu’au ${dayInWords(found.expiresAt)}. Pour écrire de nouveau, retirez d’abord l’invitation.`
  const taken = members.filter(({ state }) => state !== 'expired').length
  return taken < seats - 1
    ? null
    : `Les ${seats} places de votre plan sont prises, la vôtre comprise. Retirez un membre ou une invitation, ou choisissez un plan plus grand.`
}

type Accepting = { isEmailVerified: boolean; at: Date; seats: number; members: readonly Seat[] }

/** Returns why an invitation cannot be accepted now, in words; null when it can. */
export function acceptanceRefusal(
  { expiresAt, owner }: { expiresAt: string; owner: string },
  { isEmailVerified, at, seats, members }: Accepting,
): string | null {
  if (!isEmailVerified) return 'Confirmez votre adresse e-mail, puis acceptez l’invitation.'
  if (Date.parse(expiresAt) <= at.getTime())
    return `Cette invitation a expiré le ${dayInWords(expiresAt)}. Demandez-en une autre à ${owner}.`
  return members.filter(({ state }) => state === 'active').length < seats - 1
    ? null
    : `Le plan de ${owner} n’a plus de place libre. Demandez-lui d’en libérer une.`
}

/** Returns the members who lose their seat in a plan with fewer seats: the latest ones. */
function losersOf(members: readonly Seat[], seats: number): Seat[] {
  return members
    .filter(({ state }) => state === 'active')
    .toSorted((a, b) => String(a.acceptedAt).localeCompare(String(b.acceptedAt)) || a.id - b.id)
    .slice(seats - 1)
}

/** Returns the warning before a plan with fewer seats; null when no member loses a seat. */
export function lossInWords(
  members: readonly Seat[],
  { plan, seats }: { plan: string; seats: number },
): string | null {
  const losers = losersOf(members, seats)
  if (losers.length === 0) return null
  const names = losers.slice(0, 10).map(({ name, email }) => name ?? email)
  const left = losers.length - names.length
  const others = left > 0 ? ` et ${left} ${left > 1 ? 'autres' : 'autre'}` : ''
  const who = losers.length > 1 ? 'les derniers arrivés n’auront' : 'le dernier arrivé n’aura'
  return `«\u202f${plan}\u202f» comprend ${seats} ${seats > 1 ? 'places' : 'place'}\u00a0: ${who} plus accès (${names.join(', ')}${others}).`
}

/** Returns the mail of an invitation; it does not reveal whether the address has an account. */
export function invitationMail(
  { owner, email, expiresAt }: { owner: string; email: string; expiresAt: string },
  publicUrl: string,
): MailContent {
  return {
    subject: `${owner} vous invite à lire Ntalo`,
    paragraphs: [
      'Bonjour,',
      `${owner} vous propose une place dans son abonnement à Ntalo, les prix des marchés de la RD Congo. Vous n’avez rien à payer.`,
      `Connectez-vous, ou créez un compte, avec l’adresse ${email}, puis acceptez l’invitation. Elle est valable jusqu’au ${dayInWords(expiresAt)}.`,
    ],
    action: { label: 'Voir l’invitation', url: `${publicUrl}/organisation` },
    notes: [
      'Vous ne connaissez pas cette personne\u202f? Ignorez ce message\u00a0: rien ne se passe sans vous.',
    ],
  }
}
