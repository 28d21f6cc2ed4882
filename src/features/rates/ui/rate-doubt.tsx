import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { type Control, type FieldValues, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { type exchangeRate, exchangeRates } from '#features/rates/rates.contract.ts'
import { call } from '#web/api.ts'
import type { Confirmation } from '#web/crud/screens.ts'
import { formatDate, formatNumber } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type ExchangeRate = z.infer<typeof exchangeRate>
type Typed = z.input<typeof exchangeRates.input>
type RateDoubtProps = { control: Control<Typed, unknown, FieldValues>; ownId: number | undefined }

const { day: typedDay, cdfPerUsd: typedRate } = exchangeRates.input.shape
// Largest ratio of two successive rates without a warning: the franc has moved by a fifth in some weeks, but never in a
// day.
const mostUsual = 1.2

const mostTimes = 5
/** Longest time (ms) to look up the previous rate: after it, the rate is written without a question. */
const longestDoubtMs = 5_000

type Asked = { rate: number; before: ExchangeRate; answer: (isRight: boolean) => void }

/**
 * Asks for confirmation before a rate is written that is at least five times the previous one, or at most a fifth of
 * it.
 */
export function useRateDoubt(row: ExchangeRate | undefined): Confirmation<Typed> {
  const [asked, setAsked] = useState<Asked>()
  async function isSure(typed: Typed): Promise<boolean> {
    const { data: rate } = typedRate.safeParse(typed.cdfPerUsd)
    const before = await findRateBefore(String(typed.day), row?.id)
    if (!rate || !before || (rate < mostTimes * before.cdfPerUsd && rate * mostTimes > before.cdfPerUsd)) {
      return true
    }
    const isRight = await new Promise<boolean>((answer) => setAsked({ rate, before, answer }))
    setAsked(undefined)
    return isRight
  }
  return { isSure, question: asked && <Question {...asked} /> }
}

async function findRateBefore(day: string, ownId: number | undefined): Promise<ExchangeRate | undefined> {
  try {
    const { data } = await call<typeof exchangeRates.list>(exchangeRates.list, {
      query: { limit: 2, sort: '-day', endDate: day },
      signal: AbortSignal.timeout(longestDoubtMs),
    })
    return data.find(({ id }) => id !== ownId)
  } catch {
    // Ignored: the write that follows meets the same error and shows it.
    return undefined
  }
}

function Question({ rate, before, answer }: Asked) {
  return (
    <ConfirmDialog
      open
      irreversible={false}
      title={'Confirmez-vous ce taux\u202f?'}
      confirmLabel="Confirmer"
      cancelLabel="Corriger"
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      <p>
        {`Vous avez saisi ${formatNumber(rate, 6)}\u00a0FC pour un dollar. Le taux du ${formatDate(before.day)} est de ${formatNumber(before.cdfPerUsd, 6)}\u00a0FC.`}
      </p>
    </ConfirmDialog>
  )
}

/**
 * Warns when a rate is far from the previous one: a typing error of a zero or a comma would change every figure
 * converted from dollars. Nothing is refused.
 */
export function RateDoubt({ control, ownId }: RateDoubtProps) {
  const [dayText, rateText] = useWatch({ control, name: ['day', 'cdfPerUsd'] })
  const day = typedDay.safeParse(dayText).data
  const rate = typedRate.safeParse(rateText).data
  const { data } = useAnswer(
    exchangeRates.list,
    { query: { limit: 2, sort: '-day', endDate: day } },
    { enabled: day !== undefined && rate !== undefined, keepsPrevious: true },
  )
  const before = data?.data.find(({ id }) => id !== ownId)
  const ratio = before && rate ? rate / before.cdfPerUsd : 1
  const isFar = ratio > mostUsual || ratio < 1 / mostUsual
  return (
    <p role="status" className={isFar ? 'flex items-start gap-2' : 'sr-only'}>
      {before && isFar && (
        <>
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-amber" aria-hidden />
          {`Loin du taux du ${formatDate(before.day)}, ${formatNumber(before.cdfPerUsd, 2)}\u00a0FC\u00a0: vérifiez-le avant d’enregistrer.`}
        </>
      )}
    </p>
  )
}
