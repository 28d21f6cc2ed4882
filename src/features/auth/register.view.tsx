import { GoogleButton } from '#features/auth/google/google-button.view.tsx'
import { failures, passwordHint, type VisitorPage } from '#features/auth/visitor-page.rules.ts'
import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { FormInput, FormPassword, NoticeBox, SubmitButton } from '#web/ui/form.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

const description = 'Quatorze jours d’essai gratuit, sans carte bancaire.'

export function head(): DocumentHead {
  return {
    title: 'Inscription · Ntalo',
    description,
    canonicalPath: '/auth/register',
    enhancement: 'auth-form',
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
        data-endpoint="/api/auth/register"
        data-failure={failures.register}
        data-failure-title="Erreur"
        data-next="/auth/login?notice=registered"
      >
        <FormInput
          name="name"
          label="Nom complet"
          autoComplete="name"
          maxLength={200}
          defaultValue={values.name}
          fault={faults.name}
        />
        <FormInput
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          defaultValue={values.email}
          fault={faults.email}
        />
        <FormPassword
          name="password"
          label="Mot de passe"
          autoComplete="new-password"
          minLength={8}
          maxLength={1000}
          hint={passwordHint}
          fault={faults.password}
        />
        <FormPassword
          name="confirmPassword"
          label="Confirmer le mot de passe"
          autoComplete="new-password"
          maxLength={1000}
          fault={faults.confirmPassword}
        />
        <SubmitButton>S’inscrire</SubmitButton>
      </form>
      {hasGoogle && <GoogleButton />}
    </AuthLayout>
  )
}
