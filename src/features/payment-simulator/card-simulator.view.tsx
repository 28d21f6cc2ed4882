import { moneyText } from '#shared/money.ts'
import type { Site } from '#shared/site.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { FormInput, SubmitButton } from '#web/ui/form.view.tsx'

type CardSimulatorProps = {
  amount: string
  currency: string
  description: string
  isPaid: boolean
  site: Site
  isDemonstration: boolean
}

export function head(): DocumentHead {
  return {
    title: 'Page de paiement simulée · Ntalo',
    description: 'Démonstration du paiement par carte.',
    isIndexed: false,
    enhancement: 'public-site',
  }
}

/** The card page of a demonstration: the visitor pays, is declined, cancels or leaves, without a card. */
export function CardSimulatorView(props: CardSimulatorProps) {
  const { amount, currency, description, isPaid } = props
  return (
    <PublicLayout site={props.site} isDemonstration={props.isDemonstration}>
      <div className="mx-auto max-w-xl px-4 py-8 md:py-12">
        <h1 className="text-xl font-semibold tracking-tight">Page de paiement simulée</h1>
        <p className="mt-2 text-ink-soft">
          {
            'Démonstration\u00a0: cette page tient la place de celle de FlexPay. Personne n’est débité\u202f; n’y tapez aucune vraie carte.'
          }
        </p>
        <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 rounded-md border border-line bg-surface p-5 *:[dd]:text-right *:[dd]:font-medium">
          <dt>Motif</dt>
          <dd className="wrap-anywhere">{description}</dd>
          <dt>Montant</dt>
          <dd>{moneyText(amount, currency)}</dd>
        </dl>
        {isPaid && <p className="mt-4 font-medium">Cette commande est déjà payée.</p>}
        <form method="post" className="mt-6 space-y-4">
          <input type="hidden" name="act" value="pay" />
          <FormInput
            name="card"
            label="Carte d’essai"
            autoComplete="off"
            defaultValue="4000 0000 0000 0789"
          />
          <SubmitButton>{`Payer ${moneyText(amount, currency)}`}</SubmitButton>
        </form>
        <div className="mt-4 grid gap-3 sm:grid-cols-3">
          <Act act="decline">Carte refusée</Act>
          <Act act="cancel">Annuler</Act>
          <Act act="leave">Quitter</Act>
        </div>
      </div>
    </PublicLayout>
  )
}

function Act({ act, children }: { act: string; children: string }) {
  return (
    <form method="post">
      <input type="hidden" name="act" value={act} />
      <button type="submit" className={buttonClass('secondary', 'w-full')}>
        {children}
      </button>
    </form>
  )
}
