import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { SubmitButton } from '#web/ui/form.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

export function head(): DocumentHead {
  return {
    title: 'Ne plus recevoir d’alertes · Ntalo',
    description: 'Ne plus recevoir les alertes de prix par e-mail.',
    isIndexed: false,
  }
}

const sentences = {
  ask: 'Vos alertes de prix ne vous seront plus envoyées par e-mail. Elles restent dans l’application.',
  done: 'C’est fait\u00a0: vos alertes de prix ne vous sont plus envoyées par e-mail. Vous pouvez les demander à nouveau dans vos paramètres.',
  unknown: 'Ce lien n’est plus valable. Vos paramètres disent quels e-mails vous recevez.',
}

/** One button, since programs that look at mails open links too. */
export function UnsubscribeView({ state, token }: { state: keyof typeof sentences; token: string }) {
  return (
    <AuthLayout
      title="Alertes par e-mail"
      description={sentences[state]}
      footer={<TextLink href="/settings">Mes paramètres</TextLink>}
    >
      {state === 'ask' && (
        <form method="post" action={`/desabonnement/${token}`} className="space-y-4">
          <SubmitButton>Ne plus recevoir ces e-mails</SubmitButton>
        </form>
      )}
    </AuthLayout>
  )
}
