import { authAddresses } from '#features/auth/auth.addresses.ts'
import { NewPassword } from '#features/auth/new-password.view.tsx'
import { failures, type VisitorPage } from '#features/auth/visitor-page.rules.ts'
import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { NoticeBox, SubmitButton } from '#web/ui/form.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

export function head(): DocumentHead {
  return {
    title: 'Nouveau mot de passe · Ntalo',
    description: 'Choisissez le mot de passe de votre compte.',
    isIndexed: false,
    enhancement: 'auth-form',
  }
}

export function ResetPasswordView({ values, notice, faults }: VisitorPage) {
  return (
    <AuthLayout
      title="Nouveau mot de passe"
      description={
        values.token && 'Choisissez le mot de passe de votre compte. Toutes ses sessions se termineront.'
      }
      footer={<TextLink href="/auth/forgot-password">Demander un autre lien</TextLink>}
    >
      <NoticeBox notice={notice} />
      {values.token && (
        <form
          method="post"
          action="/auth/reset-password"
          className="space-y-4"
          data-endpoint={authAddresses.resetPassword.path}
          data-failure={failures.other}
          data-failure-title="Erreur"
          data-next="/auth/login?notice=reset"
        >
          <input type="hidden" name="token" value={values.token} />
          <NewPassword label="Nouveau mot de passe" faults={faults} />
          <SubmitButton>Enregistrer le mot de passe</SubmitButton>
        </form>
      )}
    </AuthLayout>
  )
}
