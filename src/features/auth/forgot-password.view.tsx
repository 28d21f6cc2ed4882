import { authAddresses } from '#features/auth/auth.addresses.ts'
import { failures, forgottenAfterS, type VisitorPage } from '#features/auth/visitor-page.rules.ts'
import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { FormEmail, NoticeBox, SubmitButton } from '#web/ui/form.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

const description =
  'Indiquez l’adresse de votre compte\u00a0: vous recevrez un lien pour choisir un nouveau mot de passe.'

export function head(): DocumentHead {
  return {
    title: 'Mot de passe oublié · Ntalo',
    description,
    canonicalPath: '/auth/forgot-password',
    enhancement: ['public-site', 'auth-form'],
  }
}

export function ForgotPasswordView({ values, notice, faults }: VisitorPage) {
  return (
    <AuthLayout
      title="Mot de passe oublié"
      description={description}
      footer={<TextLink href="/auth/login">Retour à la connexion</TextLink>}
    >
      <NoticeBox notice={notice} />
      <form
        method="post"
        action="/auth/forgot-password"
        className="space-y-4"
        data-endpoint={authAddresses.forgotPassword.path}
        data-failure={failures.forgotPassword}
        data-failure-title="Erreur"
        data-next="/auth/login?notice=forgotten"
        data-after-s={forgottenAfterS}
      >
        <FormEmail {...{ values, faults }} autoComplete="username" />
        <SubmitButton>Envoyer le lien</SubmitButton>
      </form>
    </AuthLayout>
  )
}
