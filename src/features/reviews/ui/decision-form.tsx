import { Check, Pencil, Trash2, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { today } from '#features/prices/ui/price-selection.ts'
import { type Review, reviews } from '#features/reviews/reviews.contract.ts'
import { returnReasons } from '#features/reviews/reviews.rules.ts'
import { Key } from '#features/reviews/ui/review-case.tsx'
import { readAmount } from '#shared/amounts.ts'
import { addDays } from '#shared/days.ts'
import type { Currency } from '#shared/fields.ts'
import { formatMoney, formatTyped } from '#web/format.ts'
import { useAction } from '#web/query.ts'
import { usePageKeys } from '#web/shortcuts.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { AmountField, DateField, TextField } from '#web/ui/inputs.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

const daysToAnswer = 3
const currencies: readonly { value: Currency; label: string }[] = [
  { value: 'CDF', label: 'FC' },
  { value: 'USD', label: '$US' },
]

/** The possible decisions, one key each; the likeliest is the primary button. */
export function DecisionForm({ review, onDecided }: { review: Review; onDecided: () => void }) {
  const { priceId, likely, currency, agent } = review
  const [typed, setTyped] = useState(likely === null ? '' : formatTyped(likely))
  const [money, setMoney] = useState(currency)
  const [reason, setReason] = useState<string>(
    likely !== null && likely < review.priceValue ? returnReasons[0] : returnReasons[3],
  )
  const [dueOn, setDueOn] = useState(() => addDays(today(), daysToAnswer))
  const [isRejecting, setRejecting] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  const decide = useAction(reviews.decide, { onDone: onDecided })
  const value = Number(readAmount(typed)?.plain ?? 0)
  const isCorrection = value > 0 && (value !== review.priceValue || money !== currency)

  const send = (body: Parameters<typeof decide.mutate>[0]['body']) => {
    if (decide.isPending) return
    const { updatedAt } = review
    decide.mutate({ params: { priceId }, body: { ...body, updatedAt } })
  }
  const accept = () => send({ decision: 'accept' })
  const correct = () => {
    if (isCorrection) send({ decision: 'correct', priceValue: value, currency: money })
    else field.current?.querySelector('input')?.focus()
  }
  const returnPrice = () => {
    if (agent && reason.trim()) send({ decision: 'return', reason, dueOn })
  }
  usePageKeys({
    a: accept,
    c: correct,
    r: returnPrice,
    x: () => setRejecting(true),
    ...Object.fromEntries(returnReasons.map((each, place) => [String(place + 1), () => setReason(each)])),
  })

  return (
    <div className="mt-5 space-y-5 border-t border-line pt-5">
      <div className="flex flex-wrap items-end gap-3">
        <div ref={field} className="w-44">
          <AmountField
            label="Le bon prix"
            unit={money === 'CDF' ? 'FC' : '$US'}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Segmented label="Devise du bon prix" options={currencies} value={money} onChange={setMoney} />
        <Button
          variant={likely === null ? 'secondary' : 'primary'}
          icon={Pencil}
          busy={decide.isPending}
          onClick={correct}
        >
          {isCorrection ? `Corriger en ${formatMoney(value, money)}` : 'Corriger'}
          <Key name="C" />
        </Button>
        <Button
          variant={likely === null ? 'primary' : 'secondary'}
          icon={Check}
          busy={decide.isPending}
          onClick={accept}
        >
          Accepter
          <Key name="A" />
        </Button>
        <Button icon={Trash2} onClick={() => setRejecting(true)}>
          Écarter
          <Key name="X" />
        </Button>
      </div>
      {agent ? (
        <fieldset className="space-y-3">
          <legend className="text-sm text-ink-soft">{`Si vous le renvoyez à ${agent.name}\u00a0: pourquoi\u202f?`}</legend>
          <div className="flex flex-wrap gap-2 pt-2">
            {returnReasons.map((each, place) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === reason}
                onClick={() => setReason(each)}
                className="inline-flex min-h-9 items-center gap-2 rounded-full border border-line-strong px-3 text-sm hover:bg-sunken aria-pressed:border-river aria-pressed:bg-river-soft aria-pressed:text-river"
              >
                {each}
                <Key name={String(place + 1)} />
              </button>
            ))}
          </div>
          <div className="flex flex-wrap items-end gap-3">
            <TextField
              label="Motif"
              className="min-w-48 flex-1"
              maxLength={300}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
            <DateField
              label="Réponse avant le"
              value={dueOn}
              min={today()}
              onChange={(event) => setDueOn(event.target.value)}
            />
            <Button icon={Undo2} busy={decide.isPending} aria-disabled={!reason.trim()} onClick={returnPrice}>
              Renvoyer à l’agent
              <Key name="R" />
            </Button>
          </div>
        </fieldset>
      ) : (
        <p className="text-sm text-ink-soft">
          {'Aucun compte n’a saisi ce prix\u00a0: il ne peut pas être renvoyé.'}
        </p>
      )}
      {isRejecting && (
        <ConfirmDialog
          open
          title={'Écarter ce prix\u202f?'}
          confirmLabel="Écarter"
          busy={decide.isPending}
          error={decide.error?.message}
          onClose={() => setRejecting(false)}
          onConfirm={() => send({ decision: 'reject' })}
        >
          <p>
            Il quitte toutes les listes et tous les chiffres. Le journal de nettoyage garde ce qu’il disait.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
