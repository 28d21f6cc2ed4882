import { authAddresses } from '#features/auth/auth.addresses.ts'
import { failures, type VisitorPage } from '#features/auth/visitor-page.rules.ts'
import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { FormEmail, NoticeBox, SubmitButton } from '#web/ui/form.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

export function head(): DocumentHead {
  return {
    title: 'Confirmer l’adresse · Ntalo',
    description: 'Confirmez l’adresse e-mail de votre compte.',
    isIndexed: false,
    enhancement: 'auth-form',
  }
}

/** With a link: a button, since programs that scan mails open links too. Without: a form to request another link. */
export function VerifyEmailView({ values, notice, faults }: VisitorPage) {
  return (
    <AuthLayout
      title="Confirmer l’adresse"
      description={
        values.token
          ? 'Confirmez que cette adresse e-mail est bien la vôtre.'
          : 'Indiquez l’adresse de votre compte pour recevoir un nouveau lien de confirmation.'
      }
      footer={
        values.token ? (
          <TextLink href="/auth/verify-email">Demander un autre lien</TextLink>
        ) : (
          <TextLink href="/auth/login">Se connecter</TextLink>
        )
      }
    >
      <NoticeBox notice={notice} />
      <form
        method="post"
        action="/auth/verify-email"
        className="space-y-4"
        data-endpoint={authAddresses[values.token ? 'verifyEmail' : 'resendVerification'].path}
        data-failure={failures.other}
        data-failure-title="Erreur"
        data-next={values.token ? '/auth/login?notice=verified' : undefined}
      >
        {values.token ? (
          <>
            <input type="hidden" name="token" value={values.token} />
            <SubmitButton>Confirmer mon adresse</SubmitButton>
          </>
        ) : (
          <>
            <FormEmail {...{ values, faults }} autoComplete="username" />
            <SubmitButton>Envoyer le lien</SubmitButton>
          </>
        )}
      </form>
    </AuthLayout>
  )
}
