import { authAddresses } from '#features/auth/auth.addresses.ts'
import { GoogleButton } from '#features/auth/google/google-button.view.tsx'
import { failures, type VisitorPage } from '#features/auth/visitor-page.rules.ts'
import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { FormEmail, FormInput, FormPassword, NoticeBox, SubmitButton } from '#web/ui/form.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

export function head(): DocumentHead {
  return {
    title: 'Connexion · Ntalo',
    description: 'Accédez aux prix des marchés et à votre espace de travail.',
    canonicalPath: '/auth/login',
    enhancement: ['public-site', 'auth-form'],
  }
}

export function LoginView({ values, notice, faults, hasGoogle }: VisitorPage) {
  return (
    <AuthLayout
      title="Connexion"
      description="Accédez aux prix des marchés et à votre espace de travail."
      footer={
        <>
          {'Pas encore de compte\u202f? '}
          <TextLink href="/auth/register">S’inscrire</TextLink>
        </>
      }
    >
      <NoticeBox notice={notice} />
      <form
        method="post"
        action="/auth/login"
        className="space-y-4"
        data-endpoint={authAddresses.login.path}
        data-failure={failures.login}
        data-failure-title="Erreur de connexion"
      >
        <input type="hidden" name="redirectUrl" value={values.redirectUrl} />
        <FormEmail {...{ values, faults }} autoComplete="username" />
        <FormPassword
          name="password"
          label="Mot de passe"
          autoComplete="current-password"
          fault={faults.password}
        />
        <div data-second-step hidden={faults.code === undefined}>
          <FormInput
            name="code"
            label="Code de vérification"
            hint={
              <>
                {'De votre application, ou un code de secours. Vous n’avez plus ni l’un ni l’autre\u202f? '}
                <TextLink href="/contact?sujet=Vérification%20en%20deux%20étapes">Écrivez-nous</TextLink>
              </>
            }
            required={false}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={50}
            fault={faults.code}
          />
        </div>
        <p className="text-sm">
          <TextLink href="/auth/forgot-password">{'Mot de passe oublié\u202f?'}</TextLink>
        </p>
        <SubmitButton>Se connecter</SubmitButton>
      </form>
      {hasGoogle && <GoogleButton redirectUrl={values.redirectUrl} />}
    </AuthLayout>
  )
}
