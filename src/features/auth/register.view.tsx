import { authAddresses } from '#features/auth/auth.addresses.ts'
import { GoogleButton } from '#features/auth/google/google-button.view.tsx'
import { NewPassword } from '#features/auth/new-password.view.tsx'
import { failures, type VisitorPage } from '#features/auth/visitor-page.rules.ts'
import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { FormEmail, FormName, NoticeBox, SubmitButton } from '#web/ui/form.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

const description = 'Quatorze jours d’essai gratuit, sans carte bancaire.'

export function head(): DocumentHead {
  return {
    title: 'Inscription · Ntalo',
    description,
    canonicalPath: '/auth/register',
    enhancement: ['public-site', 'auth-form'],
  }
}

export function RegisterView({ values, notice, faults, hasGoogle }: VisitorPage) {
  return (
    <AuthLayout
      title="Inscription"
      description={description}
      footer={
        <>
          {'Déjà inscrit\u202f? '}
          <TextLink href="/auth/login">Se connecter</TextLink>
        </>
      }
    >
      <NoticeBox notice={notice} />
      <form
        method="post"
        action="/auth/register"
        className="space-y-4"
        data-endpoint={authAddresses.register.path}
        data-failure={failures.register}
        data-failure-title="Erreur"
        data-next="/auth/login?notice=registered"
      >
        <FormName {...{ values, faults }} />
        <FormEmail {...{ values, faults }} autoComplete="email" />
        <NewPassword label="Mot de passe" faults={faults} />
        <SubmitButton>S’inscrire</SubmitButton>
      </form>
      {hasGoogle && <GoogleButton />}
    </AuthLayout>
  )
}
