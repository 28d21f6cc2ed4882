import type { VisitorPage } from '#features/auth/visitor-page.rules.ts'
import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { FormInput, NoticeBox, SubmitButton } from '#web/ui/form.view.tsx'

export function head(): DocumentHead {
  return {
    title: 'Connexion Google · Ntalo',
    description: 'Connexion à Ntalo avec Google.',
    isIndexed: false,
    enhancement: 'google-callback',
  }
}

/** The page that receives Google's response: it can show one of three states, and its script chooses which. */
export function GoogleCallbackView({ values, notice, faults, hasGoogle }: VisitorPage) {
  const asksCode = faults.code !== undefined
  return (
    <AuthLayout title="Connexion Google">
      <NoticeBox notice={notice} />
      {values.code && (
        <form method="post" data-step="waiting" className="space-y-4">
          {Object.entries(values).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <p role="status">Connexion en cours…</p>
          <SubmitButton>Terminer la connexion</SubmitButton>
          {/* Data for the script, written only by our own server. */}
          <pre hidden data-answer>
            {JSON.stringify(values)}
          </pre>
        </form>
      )}
      <form method="post" data-step="code" hidden={!asksCode} className="space-y-4">
        <FormInput
          name="code"
          label="Code de vérification"
          hint="De votre application, ou un code de secours."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={50}
          fault={faults.code}
        />
        <SubmitButton>Se connecter</SubmitButton>
      </form>
      <p data-step="failed" hidden={notice?.tone !== 'error'} className="flex flex-wrap gap-3">
        <a href="/auth/login" className={buttonClass('secondary')}>
          Retour à la connexion
        </a>
        {hasGoogle && (
          <a href="/auth/google" className={buttonClass('primary')}>
            Réessayer
          </a>
        )}
      </p>
    </AuthLayout>
  )
}
