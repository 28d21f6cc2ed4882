import { answerInvitation, findRecipient } from '#features/reports/reports.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { FormPage, PageAnswer, PageVisit } from '#server/http/pages.ts'
import { queueMail } from '#server/mail/mail.ts'
import { tokenInAddress } from '#shared/fields.ts'

type Invitation = { email: string; token: string; title: string; owner: string; origin: string }

/** Returns the address where a recipient confirms or unsubscribes: one click, without a session (RFC 8058). */
export function receptionUrl(origin: string, token: string): string {
  return `${origin}/bulletins/reception/${token}`
}

/** Asks a person whether they want to receive a report; nothing else is sent before they confirm. */
export function invite(tx: Db, { email, token, title, owner, origin }: Invitation): Promise<void> {
  const url = receptionUrl(origin, token)
  return queueMail(tx, {
    to: email,
    content: {
      subject: `Recevoir «\u202f${title}\u202f»\u202f?`.slice(0, 190),
      paragraphs: [
        'Bonjour,',
        `${owner} vous propose de recevoir par e-mail «\u202f${title}\u202f», un bulletin de prix des marchés de la RD Congo.`,
        'Si vous le voulez, confirmez-le. Sinon, ne faites rien\u00a0: rien ne vous sera envoyé.',
      ],
      action: { label: 'Recevoir ce bulletin', url },
      notes: ['Chaque envoi porte un lien pour cesser de le recevoir, d’un clic.'],
      unsubscribeUrl: url,
    },
  })
}

/** Returns the page behind a recipient's links. A POST without a choice, as mail programs send it, unsubscribes. */
export function receptionPage(db: Db): FormPage {
  const page = (state: 'ask' | 'confirmed' | 'left' | 'unknown', props: object = {}): PageAnswer => ({
    view: 'reception',
    status: state === 'unknown' ? 404 : 200,
    props: { state, ...props },
  })
  const find = async ({ request }: PageVisit) => {
    const { token = '' } = request.params as { token?: string }
    const link = tokenInAddress.test(token) ? await findRecipient(db, token) : undefined
    return link && { link, props: { token, title: link.title, owner: link.owner, schedule: link.schedule } }
  }
  return {
    path: '/bulletins/reception/:token',
    async show(visit) {
      const found = await find(visit)
      if (!found) return page('unknown')
      return page(found.link.state === 'waiting' ? 'ask' : found.link.state, found.props)
    },
    async take(fields, visit) {
      const found = await find(visit)
      if (!found) return page('unknown')
      const state = fields.choice === 'confirm' ? 'confirmed' : 'left'
      if (state === 'confirmed' && !found.link.isActive) return page('unknown')
      await answerInvitation(db, found.link.id, state)
      return page(state, found.props)
    },
  }
}
