import {
  type AlertChannel,
  alertChannelLabels,
  type UnsubscribeState,
} from '#features/alerts/alerts.rules.ts'
import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { SubmitButton } from '#web/ui/form.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

export function head(): DocumentHead {
  return {
    title: 'Ne plus recevoir d’alertes · Ntalo',
    description: 'Ne plus recevoir les alertes de prix par e-mail ou par SMS.',
    isIndexed: false,
  }
}

const sentences: Record<UnsubscribeState, (by: string) => string> = {
  ask: (by) =>
    `Vos alertes de prix ne vous seront plus envoyées par ${by}. Elles restent dans l’application.`,
  done: (by) =>
    `C’est fait\u00a0: vos alertes de prix ne vous sont plus envoyées par ${by}. Vous pouvez les demander à nouveau dans vos paramètres.`,
  unknown: () => 'Ce lien n’est plus valable. Vos paramètres disent quelles alertes vous recevez.',
}

type UnsubscribeProps = { state: UnsubscribeState; action: string; by: Extract<AlertChannel, 'mail' | 'sms'> }

/** A button, since programs that scan messages open links too. */
export function UnsubscribeView({ state, action, by }: UnsubscribeProps) {
  return (
    <AuthLayout
      title={state === 'unknown' ? 'Alertes de prix' : `Alertes par ${alertChannelLabels[by]}`}
      description={sentences[state](alertChannelLabels[by])}
      footer={<TextLink href="/settings">Mes paramètres</TextLink>}
    >
      {state === 'ask' && (
        <form method="post" action={action} className="space-y-4">
          <SubmitButton>
            {by === 'sms' ? 'Ne plus recevoir ces SMS' : 'Ne plus recevoir ces e-mails'}
          </SubmitButton>
        </form>
      )}
    </AuthLayout>
  )
}
