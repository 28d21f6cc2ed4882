import { useState } from 'react'
import { type Stray, strays } from '#features/reconciliation/strays/strays.contract.ts'
import { ReturnedDialog } from '#features/reconciliation/strays/ui/stray-dialogs.tsx'
import { formatDate, formatMoney, formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'

/** The receipts without a payment still to be refunded; nothing when there are none. */
export function StrayCard() {
  const answer = useAnswer(strays.list, {})
  const { data } = answer
  const [opened, setOpened] = useState<Stray | null>(null)
  if (answer.error && !data) {
    return <LoadFailure compact title="Erreur lors du chargement des sommes à rembourser" answer={answer} />
  }
  if (!data || (data.total === 0 && !opened)) return null
  return (
    <Card
      title="À rembourser chez l’opérateur"
      description={`${formatNumber(data.total)} ${data.total > 1 ? 'encaissements' : 'encaissement'} sans paiement d’ici.`}
      padded={false}
    >
      <ul aria-label="À rembourser chez l’opérateur">
        {data.data.map((row) => (
          <li
            key={row.id}
            className="flex flex-col gap-3 border-b border-line px-4 py-4 last:border-b-0 sm:flex-row sm:items-center sm:px-5"
          >
            <div className="min-w-0 flex-1 space-y-1">
              <p className="font-medium">
                {`${formatMoney(row.amount, row.currency)}, reçus le ${formatDate(row.receivedOn)}`}
              </p>
              <p className="text-sm wrap-anywhere text-ink-soft">{`Référence\u00a0: ${row.reference}`}</p>
              <p className="text-sm wrap-anywhere text-ink-soft">{row.note}</p>
            </div>
            <Button className="shrink-0 max-sm:w-full" onClick={() => setOpened(row)}>
              Noter le remboursement
            </Button>
          </li>
        ))}
      </ul>
      {opened && <ReturnedDialog row={opened} onClose={() => setOpened(null)} />}
    </Card>
  )
}
