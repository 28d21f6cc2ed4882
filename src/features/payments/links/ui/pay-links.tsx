import { type PaymentLink, paymentLinks } from '#features/payments/links/links.contract.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { statementOf, useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { ErrorNote } from '#web/ui/error-state.tsx'

/** Creates links by which someone else pays a plan, and revokes them. */
export function PayLinks({ planId }: { planId: number }) {
  const links = useAnswer(paymentLinks.list, {})
  const attempt = useAttempt()
  const create = useAction(paymentLinks.create, { onDone: attempt.end })
  return (
    <Card
      title="Faire payer par quelqu’un d’autre"
      description={
        'Un lien qui ne montre que le plan et son montant. Il vaut 14 jours\u202f; qui l’ouvre paie avec son propre numéro ou sa carte.'
      }
      actions={
        <Button
          busy={create.isPending}
          onClick={() => create.mutate({ body: { planId }, headers: attempt.headersFor({ planId }) })}
        >
          Créer un lien
        </Button>
      }
    >
      {create.error && <ErrorNote>{statementOf(create.error)}</ErrorNote>}
      {links.error && !links.data && (
        <LoadFailure compact title="Erreur lors du chargement des liens de paiement" answer={links} />
      )}
      {(links.data?.data.length ?? 0) > 0 && (
        <ul aria-label="Liens de paiement" className="divide-y divide-line">
          {links.data?.data.map((link) => (
            <LinkRow key={link.id} link={link} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function LinkRow({ link }: { link: PaymentLink }) {
  const { id, url, plan, amount, currency, expiresAt } = link
  const remove = useAction(paymentLinks.remove)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{`${plan}, ${formatMoney(amount, currency)}`}</p>
        <p className="text-ink-soft wrap-anywhere">{url}</p>
        <p className="text-ink-soft">{`Jusqu’au ${formatDate(expiresAt)}`}</p>
        {remove.error && <ErrorNote>{statementOf(remove.error)}</ErrorNote>}
      </div>
      <div className="flex gap-3">
        <Button onClick={() => void copyText(url, 'Lien copié')}>Copier</Button>
        <Button busy={remove.isPending} onClick={() => remove.mutate({ params: { id } })}>
          Retirer
        </Button>
      </div>
    </li>
  )
}
