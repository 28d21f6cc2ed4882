import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { paymentStatuses, payments } from '#features/payments/payments.contract.ts'
import { RecordDialog } from '#features/payments/transfers/ui/record-dialog.tsx'
import { StatusDialog } from '#features/payments/ui/status-dialog.tsx'
import { differenceWords } from '#features/reconciliation/differences.rules.ts'
import {
  type Difference,
  reconciliation,
  type StatementSource,
} from '#features/reconciliation/reconciliation.contract.ts'
import {
  AdoptDialog,
  ReturnDialog,
  ReturnedDialog,
} from '#features/reconciliation/strays/ui/stray-dialogs.tsx'
import { AttachDialog } from '#features/reconciliation/ui/attach-dialog.tsx'
import { moneyText } from '#shared/money.ts'
import { formatDate, formatDateTime, formatMoney, formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type DifferenceListProps = {
  label: string
  differences: readonly Difference[]
  /** Total number, including those not shown. */
  total: number
  whenEmpty: string
  /** Source of the statement; absent without a statement. */
  source?: StatementSource
}

/** The differences, each with both sides and its action. */
export function DifferenceList({ label, differences, total, whenEmpty, source }: DifferenceListProps) {
  const [opened, setOpened] = useState<Difference | null>(null)
  const close = () => setOpened(null)
  // An open dialog keeps its input, even after the last row has disappeared.
  if (total === 0 && !opened) return <p className="px-4 py-3 text-ink-soft sm:px-5">{whenEmpty}</p>
  return (
    <>
      <ul aria-label={label}>
        {differences.map((difference) => (
          <li
            key={keyOf(difference)}
            className="flex flex-col gap-3 border-b border-line px-4 py-4 last:border-b-0 sm:flex-row sm:items-center sm:px-5"
          >
            <div className="min-w-0 flex-1 space-y-1">
              <Badge tone={difference.action === 'examine' ? 'red' : 'amber'}>
                {differenceWords[difference.kind].label}
              </Badge>
              <p className="max-w-prose">{difference.why}</p>
              {sidesOf(difference).map((side, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two payments may have the same text.
                <p key={at} className="text-sm wrap-anywhere text-ink-soft">
                  {side}
                </p>
              ))}
            </div>
            <DifferenceAction difference={difference} onOpen={setOpened} />
          </li>
        ))}
      </ul>
      {total > differences.length && (
        <p className="px-4 py-3 text-ink-soft sm:px-5">
          {`${formatNumber(differences.length)} différences sont montrées sur ${formatNumber(total)}. Les suivantes viennent quand celles-ci sont réglées.`}
        </p>
      )}
      {opened?.action === 'decide' && opened.payment && <Decide id={opened.payment.id} onClose={close} />}
      {opened?.action === 'record' && opened.transfer && (
        <RecordDialog row={opened.transfer} given={givenBy(opened)} onClose={close} />
      )}
      {opened?.line && source && source !== 'bank' && opened.action === 'adopt' && (
        <AdoptDialog provider={source} line={opened.line} candidates={opened.candidates} onClose={close} />
      )}
      {opened?.line && source && source !== 'bank' && opened.action === 'return' && (
        <ReturnDialog provider={source} line={opened.line} onClose={close} />
      )}
      {opened?.action === 'returned' && opened.stray && <ReturnedDialog row={opened.stray} onClose={close} />}
      {opened?.action === 'attach' && opened.line && (
        <AttachDialog line={opened.line} given={givenBy(opened)} onClose={close} />
      )}
    </>
  )
}

// The reason names the receipt: a pro-forma may have several that are absent.
const keyOf = ({ kind, line, payment, transfer, why }: Difference) =>
  [kind, line?.number, payment?.id, transfer?.id, why].join(' ')

// For a bank that does not give its currency.
const plain = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 2 })

/** Returns the texts of both sides, one per line on screen. */
function sidesOf({ line, payment, candidates, transfer, stray }: Difference): string[] {
  const payments = [...(payment ? [payment] : []), ...candidates].map(
    (each) =>
      `Ici\u00a0: ${each.client}, ${formatMoney(each.amount, each.currency)}, ${paymentStatuses[each.status].toLowerCase()}, demandé le ${formatDateTime(each.createdAt)}`,
  )
  const order =
    transfer &&
    `Ici\u00a0: ${transfer.reference}, ${transfer.client}, ${formatMoney(transfer.amount, transfer.currency)}, reçu ${formatMoney(transfer.received, transfer.currency)}`
  const amount =
    line &&
    (line.currency
      ? moneyText(line.amount, line.currency)
      : plain.format(line.amount as Intl.StringNumericLiteral))
  const theirs =
    line &&
    `Relevé, ligne ${line.number}\u00a0: ${[formatDate(line.day), amount, line.phone && `+${line.phone}`, line.label, line.reference].filter(Boolean).join(', ')}`
  const noted = stray?.note ? `Note du ${formatDate(stray.updatedAt)}\u00a0: ${stray.note}` : null
  return [theirs, ...payments, order, noted].filter((side) => side !== null)
}

/** Returns the values of the bank's line for the form of a transfer. */
const givenBy = ({ line }: Difference) =>
  line
    ? { amount: line.amount.replace('.', ','), bankReference: line.reference, receivedOn: line.day }
    : undefined

const actionLabels = {
  decide: 'Décider',
  record: 'Enregistrer le virement',
  attach: 'Chercher le client',
  adopt: 'Rattacher',
  return: 'Noter à rembourser',
  returned: 'Noter le remboursement',
}

const actionClass = 'shrink-0 max-sm:w-full'

function DifferenceAction({
  difference,
  onOpen,
}: {
  difference: Difference
  onOpen: (difference: Difference) => void
}) {
  const { action, payment, transfer, line } = difference
  const ask = useAction(reconciliation.ask)
  if (action === 'ask' && payment) {
    const reference = line?.reference
    return (
      <Button
        className={actionClass}
        busy={ask.isPending}
        onClick={() => ask.mutate({ params: { id: payment.id }, body: reference ? { reference } : {} })}
      >
        Interroger l’opérateur
      </Button>
    )
  }
  if (action === 'examine' || action === 'ask') {
    const search = transfer?.reference ?? payment?.transactionRef ?? line?.reference ?? ''
    return (
      <Link
        to={transfer ? '/virements' : '/payments'}
        search={{ search } as never}
        className={buttonClass('secondary', actionClass)}
      >
        Examiner
      </Link>
    )
  }
  return (
    <Button className={actionClass} onClick={() => onOpen(difference)}>
      {actionLabels[action]}
    </Button>
  )
}

/** The dialog of a payment’s status, after the payment is refetched. */
function Decide({ id, onClose }: { id: number; onClose: () => void }) {
  const answer = useAnswer(payments.find, { params: { id } }, { staleTimeMs: 0 })
  if (answer.data) return <StatusDialog row={answer.data} onClose={onClose} />
  return (
    <Dialog
      open
      size="sm"
      title="Décider de ce paiement"
      footer={<Button onClick={onClose}>Fermer</Button>}
      onClose={onClose}
    >
      {answer.error ? (
        <LoadFailure compact title="Erreur lors du chargement du paiement" answer={answer} />
      ) : (
        <Skeleton className="h-16 w-full" />
      )}
    </Dialog>
  )
}
