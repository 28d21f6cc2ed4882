import { periodName } from '#features/plans/plans.rules.ts'
import { moneyText } from '#shared/money.ts'
import type { Site } from '#shared/site.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { type Faults, FormInput, type Notice, NoticeBox, SubmitButton } from '#web/ui/form.view.tsx'

type PayerProps = {
  token: string
  plan: string
  amount: number
  currency: string
  billingPeriod: 'MONTHLY' | 'YEARLY'
  isSimulated: boolean
  /** Whether the payer may choose a card. */
  isCardTaken: boolean
  /** Address where a card payment in progress continues; null for any other. */
  cardPage: string | null
  isAsking: boolean
  values: Readonly<Record<string, string>>
  notice: Notice | null
  faults: Faults
  site: Site
  isDemonstration: boolean
}

export function head(): DocumentHead {
  return {
    title: 'Payer un abonnement · Ntalo',
    description: 'Le plan et son montant.',
    isIndexed: false,
    enhancement: 'public-site',
  }
}

/** The payment page of a link; it shows nothing about the subscriber. */
export function PayerView(props: PayerProps) {
  const { token, plan, amount, currency, billingPeriod, isSimulated, isAsking, values, notice, faults } =
    props
  const { isCardTaken, cardPage } = props
  const sum = moneyText(amount, currency)
  return (
    <PublicLayout site={props.site} isDemonstration={props.isDemonstration}>
      <div className="mx-auto max-w-xl px-4 py-8 md:py-12">
        <h1 className="text-xl font-semibold tracking-tight">Payer un abonnement Ntalo</h1>
        <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 rounded-md border border-line bg-surface p-5 *:[dd]:text-right *:[dd]:font-medium">
          <dt>Plan</dt>
          <dd className="wrap-anywhere">{plan}</dd>
          <dt>Montant</dt>
          <dd>{sum}</dd>
          <dt>Période</dt>
          <dd>{`1\u00a0${periodName({ billingPeriod })}`}</dd>
        </dl>
        <div className="mt-6">
          <NoticeBox notice={notice} />
          {isSimulated && isAsking && (
            <p className="mb-4 text-ink-soft">
              {'Mode démonstration\u00a0: personne n’est débité. Essayez le 081\u00a0345\u00a067\u00a089.'}
            </p>
          )}
          {isAsking && (
            <form method="post" action={`/payer/${token}`} className="space-y-4">
              <input type="hidden" name="amount" value={amount} />
              <FormInput
                name="phone"
                label="Votre numéro mobile money"
                type="tel"
                autoComplete="tel"
                placeholder="+243 81 345 67 89"
                defaultValue={values.phone}
                fault={faults.phone ?? faults.operator ?? faults.planId}
              />
              <SubmitButton>{isCardTaken ? `Payer ${sum} par mobile money` : `Payer ${sum}`}</SubmitButton>
              <p className="text-ink-soft">
                Votre opérateur vous demande ensuite votre code PIN. Votre numéro ne sert qu’à ce paiement.
              </p>
            </form>
          )}
          {isAsking && isCardTaken && (
            <form
              method="post"
              action={`/payer/${token}`}
              className="mt-6 space-y-4 border-t border-line pt-6"
            >
              <input type="hidden" name="amount" value={amount} />
              <input type="hidden" name="method" value="VISA" />
              <SubmitButton>{`Payer ${sum} par carte bancaire`}</SubmitButton>
              <p className="text-ink-soft">
                Vous allez sur la page sécurisée de la banque, puis revenez ici. Votre carte ne passe pas par
                Ntalo.
              </p>
              {faults.method && <p className="text-sm text-red">{faults.method}</p>}
            </form>
          )}
          {!isAsking && notice?.tone === 'error' && (
            <p className="text-ink-soft">
              {'Ce lien ne vaut plus\u00a0: pour payer, demandez-en un autre à qui vous l’a envoyé.'}
            </p>
          )}
          {cardPage && (
            <a href={cardPage} className={buttonClass('secondary', 'w-full')}>
              Retourner à la page de paiement
            </a>
          )}
        </div>
      </div>
    </PublicLayout>
  )
}
