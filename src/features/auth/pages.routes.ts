import { login } from '#features/auth/auth.contract.ts'
import { ownPath } from '#features/auth/auth.rules.ts'
import type { Entrance } from '#features/auth/entrance.routes.ts'
import { linkToken, register, resendVerification, verifyEmail } from '#features/auth/registration.contract.ts'
import { forgotPassword, resetPassword } from '#features/auth/reset.contract.ts'
import {
  differentPasswords,
  emptyFields,
  failures,
  forgotten,
  forgottenAfterS,
  incompleteLink,
  noticeOf,
  secondStepTitle,
  type VisitorPage,
} from '#features/auth/visitor-page.rules.ts'
import {
  type FormFields,
  type FormPage,
  type Outcome,
  type PageAnswer,
  type PageVisit,
  submit,
} from '#server/http/pages.ts'
import type { Endpoint } from '#shared/contract.ts'

/** Notices of the sign-in page, by the `notice` parameter that other pages add to its address. */
const notices: Record<string, string> = {
  registered:
    'Inscription réussie. Un lien vous attend dans votre boîte e-mail pour confirmer votre adresse.',
  reset: 'Votre mot de passe est changé. Connectez-vous.',
  verified: 'Votre adresse est confirmée.',
  forgotten,
}

// A user who has just confirmed their address is shown it in the settings.
const signedInPath = ({ query }: PageVisit) =>
  query.notice === 'verified' ? '/settings' : ownPath(query.redirectUrl)

type Form = {
  view: string
  endpoint: Pick<Endpoint, 'method' | 'path'>
  failure: string
  failureTitle?: string
  done: (message: string, fields: FormFields) => PageAnswer
}

/** The pages to sign in, register, or reset a lost password. */
export function authPages(entrance: Entrance, options: { hasGoogle: boolean }): FormPage[] {
  const page = (view: string, shown: Partial<VisitorPage>, status = 200): PageAnswer => ({
    view,
    status,
    props: { values: {}, notice: null, faults: {}, ...options, ...shown },
  })

  const guestOnly =
    (show: (visit: PageVisit) => PageAnswer) =>
    async (visit: PageVisit): Promise<PageAnswer> =>
      (await entrance.isSignedIn(visit.request)) ? { goTo: signedInPath(visit) } : show(visit)

  const take =
    ({ view, endpoint, failure, failureTitle = 'Erreur', done }: Form) =>
    async (fields: FormFields, visit: PageVisit): Promise<PageAnswer> => {
      const { password: _password, confirmPassword, ...values } = fields
      const refuse = (message: string | null, faults: VisitorPage['faults'], title: string, status: number) =>
        page(
          view,
          { values, faults, notice: message === null ? null : { tone: 'error', title, message } },
          status,
        )
      if (confirmPassword !== undefined && confirmPassword !== fields.password) {
        return refuse(differentPasswords, { confirmPassword: differentPasswords }, 'Erreur', 400)
      }
      const onScreen = Object.keys(fields).filter((name) => name !== 'token' && name !== 'redirectUrl')
      const outcome: Outcome = await submit(visit, endpoint, fields)
      if (outcome.isDone) return done(outcome.message, fields)
      const { status, faults } = outcome
      // The password was right: this is not an error, but shows the field of the second step.
      if (faults.code !== undefined && !fields.code?.trim()) {
        const notice = { tone: 'success' as const, title: secondStepTitle, message: faults.code }
        return page(view, { values, faults: { code: '' }, notice }, status)
      }
      const isEmpty = Object.keys(faults).some((name) => !fields[name]?.trim())
      const message = isEmpty
        ? emptyFields
        : status < 500
          ? noticeOf(outcome.message, faults, onScreen)
          : failure
      return refuse(message, faults, isEmpty ? 'Erreur' : failureTitle, status)
    }

  const forgot: Omit<FormPage, 'path'> = {
    show: guestOnly(() => page('forgot-password', {})),
    take: take({
      view: 'forgot-password',
      endpoint: forgotPassword,
      failure: failures.forgotPassword,
      done: (message) => ({
        ...(page('forgot-password', { notice: { tone: 'success', message } }) as Extract<
          PageAnswer,
          { view: string }
        >),
        next: { path: '/auth/login?notice=forgotten', afterS: forgottenAfterS },
      }),
    }),
  }

  return [
    {
      path: '/auth/login',
      show: guestOnly(({ query }) => {
        const message = notices[query.notice ?? '']
        return page('login', {
          values: query.redirectUrl ? { redirectUrl: ownPath(query.redirectUrl) } : {},
          notice: message ? { tone: 'success', message } : null,
        })
      }),
      take: take({
        view: 'login',
        endpoint: login,
        failure: failures.login,
        failureTitle: 'Erreur de connexion',
        done: (_message, { redirectUrl }) => ({ goTo: ownPath(redirectUrl) }),
      }),
    },
    {
      path: '/auth/register',
      show: guestOnly(() => page('register', {})),
      take: take({
        view: 'register',
        endpoint: register,
        failure: failures.register,
        done: () => ({ goTo: '/auth/login?notice=registered' }),
      }),
    },
    { path: '/auth/forgot-password', ...forgot },
    { path: '/forgot-password', ...forgot },
    {
      path: '/auth/reset-password',
      show: async ({ query: { token } }) =>
        linkToken.safeParse(token).success
          ? page('reset-password', { values: { token: token! } })
          : page('reset-password', { notice: { tone: 'error', title: 'Erreur', message: incompleteLink } }),
      take: take({
        view: 'reset-password',
        endpoint: resetPassword,
        failure: failures.other,
        done: () => ({ goTo: '/auth/login?notice=reset' }),
      }),
    },
    {
      path: '/auth/verify-email',
      show: async ({ query }) => page('verify-email', { values: query.token ? { token: query.token } : {} }),
      take: (fields, visit) =>
        take({
          view: 'verify-email',
          endpoint: fields.token ? verifyEmail : resendVerification,
          failure: failures.other,
          done: (message) =>
            fields.token
              ? { goTo: '/auth/login?notice=verified' }
              : page('verify-email', { notice: { tone: 'success', message } }),
        })(fields, visit),
    },
  ]
}
