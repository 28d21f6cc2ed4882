import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { type Control, type FieldValues, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { type exchangeRate, exchangeRates } from '#features/rates/rates.contract.ts'
import { call } from '#web/api.ts'
import type { Doubt } from '#web/crud/screens.ts'
import { formatDate, formatNumber } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type ExchangeRate = z.infer<typeof exchangeRate>
type Typed = z.input<typeof exchangeRates.input>
type RateDoubtProps = { control: Control<Typed, unknown, FieldValues>; ownId: number | undefined }

const { day: typedDay, cdfPerUsd: typedRate } = exchangeRates.input.shape
// The franc lost a fifth of its worth, or won it, in some weeks; in a day it never did.
const mostUsual = 1.2

const mostTimes = 5
/** A question that comes later than this is not worth waiting for: the rate is written. */
const longestDoubtMs = 5_000

type Asked = { rate: number; before: ExchangeRate; answer: (isRight: boolean) => void }

/** Asks about a rate that is five times the one before it or more, or a fifth of it or less, before it is written. */
export function useRateDoubt(row: ExchangeRate | undefined): Doubt<Typed> {
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
    // The write that follows meets the same obstacle and says so.
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
 * Says so where a rate is far from the one before it: a slip of a zero, or of a comma, moves every figure that rests on
 * dollars. Nothing is refused.
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
