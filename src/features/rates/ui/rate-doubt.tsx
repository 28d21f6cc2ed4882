import { TriangleAlert } from 'lucide-react'
import { type Control, type FieldValues, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { exchangeRates } from '#features/rates/rates.contract.ts'
import { formatDate, formatNumber } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'

type Typed = z.input<typeof exchangeRates.input>
type RateDoubtProps = { control: Control<Typed, unknown, FieldValues>; ownId: number | undefined }

const { day: typedDay, cdfPerUsd: typedRate } = exchangeRates.input.shape
// The franc lost a fifth of its worth, or won it, in some weeks; in a day it never did.
const mostUsual = 1.2

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
