import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import type { checkPrice, PriceCheck } from '#features/prices/check/check.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import type { prices } from '#features/prices/prices.contract.ts'
import { call } from '#web/api.ts'
import { formatCount, formatDate, formatMoney } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type Values = z.input<typeof prices.create.body>
type Body = z.output<typeof prices.create.body>
type Typed = Body & { exceptId: number | undefined }

/** Longest wait for the check; after it, the price is written without a question. */
const longestDoubtMs = 5_000

/**
 * Asks for a confirmation before writing a price that looks wrong or already exists. If the write fails, the same price
 * is not asked about again: it may exist because only the response was lost.
 * @param onCorrect called once the question is closed and the price is to be corrected
 * @returns `writeIfSure`, which resolves to the result of the write, or to false; and the question while it is asked
 */
export function useDoubt(onCorrect: () => void): {
  writeIfSure: <Written>(typed: Typed, write: () => Promise<Written>) => Promise<Written | false>
  question: ReactNode
} {
  const settled = useRef('')
  const isToCorrect = useRef(false)
  const [asked, setAsked] = useState<{
    typed: Typed
    check: PriceCheck
    answer: (isRight: boolean) => void
  }>()

  async function isSure(typed: Typed): Promise<boolean> {
    const check = await checkOf(typed)
    if (!check || (!check.isOutlier && !check.duplicate)) return true
    const isRight = await new Promise<boolean>((answer) => setAsked({ typed, check, answer }))
    isToCorrect.current = !isRight
    setAsked(undefined)
    return isRight
  }
  const correct = useEffectEvent(onCorrect)
  useEffect(() => {
    if (asked || !isToCorrect.current) return
    isToCorrect.current = false
    // Wait until the dialog has given the focus back to the element that had it before.
    const timer = setTimeout(() => correct())
    return () => clearTimeout(timer)
  }, [asked])
  async function writeIfSure<Written>(typed: Typed, write: () => Promise<Written>): Promise<Written | false> {
    const text = JSON.stringify(typed)
    if (settled.current !== text && !(await isSure(typed))) return false
    settled.current = text
    const written = await write()
    settled.current = ''
    return written
  }
  return { writeIfSure, question: asked && <Question {...asked} /> }
}

/** Returns « Dernier prix : 1 500 FC, le 21 nov. 2026 » once product and market are chosen. */
export function useLastPrice(
  control: Control<Values, unknown, Body>,
  exceptId: number | undefined,
): string | undefined {
  const [productId, marketId] = useWatch({ control, name: ['productId', 'marketId'] })
  const query = { productId: Number(productId), marketId: Number(marketId), exceptId }
  const isChosen = query.productId > 0 && query.marketId > 0
  const { data } = useAnswer<typeof checkPrice>(priceAddresses.check, { query }, { enabled: isChosen })
  if (!isChosen || !data) return undefined
  if (!data.lastPrice) return 'Aucun prix connu pour ce produit dans ce marché.'
  const { value, currency, day } = data.lastPrice
  return `Dernier prix\u00a0: ${formatMoney(value, currency)}, le ${formatDate(day)}`
}

async function checkOf(typed: Typed): Promise<PriceCheck | null> {
  const { productId, marketId, priceValue, currency, collectorName, exceptId } = typed
  const collectedAt = typed.collectedAt ?? undefined
  const query = { productId, marketId, priceValue, currency, collectorName, collectedAt, exceptId }
  try {
    return await call<typeof checkPrice>(priceAddresses.check, {
      query,
      signal: AbortSignal.timeout(longestDoubtMs),
    })
  } catch {
    // A failed check must not block: the write that follows meets the same error and reports it.
    return null
  }
}

type QuestionProps = { typed: Typed; check: PriceCheck; answer: (isRight: boolean) => void }

function Question({ typed, check, answer }: QuestionProps) {
  const { median, quotes, lastPrice } = check
  const price = formatMoney(typed.priceValue, typed.currency)
  return (
    <ConfirmDialog
      open
      irreversible={false}
      title={'Confirmez-vous ce prix\u202f?'}
      confirmLabel="Confirmer"
      cancelLabel="Corriger"
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      {check.isOutlier && (
        <p>
          {`Vous avez saisi ${price}. `}
          {median !== null &&
            `Sur 90\u00a0jours, le prix médian de ce produit dans ce marché est de ${formatMoney(median)} (${formatCount(quotes, 'relevé', 'relevés')}). `}
          {lastPrice &&
            `Le dernier est de ${formatMoney(lastPrice.value, lastPrice.currency)}, le ${formatDate(lastPrice.day)}.`}
        </p>
      )}
      {check.duplicate && (
        <p>{`${typed.collectorName} a déjà relevé ${price} pour ce produit, dans ce marché, ce jour-là\u00a0: ce prix serait un doublon.`}</p>
      )}
    </ConfirmDialog>
  )
}
