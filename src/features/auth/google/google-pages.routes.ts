import { ownPath } from '#features/auth/auth.rules.ts'
import { googleCallback, googleInitiate, googleSecondStep } from '#features/auth/google/google.contract.ts'
import { googleWords } from '#features/auth/google/google.rules.ts'
import type { VisitorPage } from '#features/auth/visitor-page.rules.ts'
import { type FormPage, type PageAnswer, submit } from '#server/http/pages.ts'

/** Returns the page of the sign-in button, and the two addresses that Google redirects to. */
export function googlePages(options: { hasGoogle: boolean }): FormPage[] {
  const page = (view: string, shown: Partial<VisitorPage>, status = 200): PageAnswer => ({
    view,
    status,
    props: { values: {}, notice: null, faults: {}, ...options, ...shown },
  })
  const refused = (view: string, message: string, status: number) =>
    page(view, { notice: { tone: 'error', title: 'Erreur', message } }, status)

  const callback: Omit<FormPage, 'path'> = {
    async show({ query }) {
      const { code, state, iss, error } = query
      if (!code || !state) {
        return refused('google-callback', error ? googleWords.failed : googleWords.nothingGiven, 400)
      }
      return page('google-callback', { values: { code, state, ...(iss && { iss }) } })
    },
    // Without a script, the form of the page posts its values here.
    async take(fields, visit) {
      const isSecondStep = fields.state === undefined
      const outcome = await submit(visit, isSecondStep ? googleSecondStep : googleCallback, fields)
      if (outcome.isDone) return { goTo: ownPath(Object(outcome.answer).redirectUrl) }
      const { status, message, faults } = outcome
      if (faults.code === undefined) return refused('google-callback', message, status)
      return page('google-callback', { faults }, status)
    },
  }

  return [
    {
      path: '/auth/google',
      async show(visit) {
        const outcome = await submit(visit, googleInitiate, visit.query)
        if (outcome.isDone) return { goTo: Object(outcome.answer).redirect_url }
        return refused('login', outcome.message, outcome.status)
      },
    },
    { path: '/auth/google/callback', ...callback },
    { path: '/auth/callback', ...callback },
  ]
}
