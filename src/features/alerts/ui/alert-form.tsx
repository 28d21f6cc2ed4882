import { hashKey, useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { alerts } from '#features/alerts/alerts.contract.ts'
import type { AlertChannel } from '#features/alerts/alerts.rules.ts'
import type { Condition } from '#features/alerts/judging/judging.rules.ts'
import { ChannelChoice } from '#features/alerts/ui/channel-choice.tsx'
import { mostMarks, PreviewCurve } from '#features/alerts/ui/preview-curve.tsx'
import { readAmount } from '#shared/amounts.ts'
import { call } from '#web/api.ts'
import { formatCount, formatDate, formatMoney, formatNumber, formatTyped } from '#web/format.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction } from '#web/query.ts'
import { AmountField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const kinds = [
  { value: 'level.above', label: 'passe au-dessus de', unit: 'francs', sign: 'FC' },
  { value: 'level.below', label: 'passe au-dessous de', unit: 'francs', sign: 'FC' },
  { value: 'change.above', label: 'monte de plus de', unit: 'pour cent', sign: '%' },
  { value: 'change.below', label: 'baisse de plus de', unit: 'pour cent', sign: '%' },
  { value: 'unusual.above', label: 'est inhabituellement haut', unit: null, sign: '' },
  { value: 'unusual.below', label: 'est inhabituellement bas', unit: null, sign: '' },
  { value: 'silence.above', label: 'n’est plus relevé depuis plus de', unit: 'jours', sign: 'j' },
] as const

const periods = [7, 30, 90, 365].map((days) => ({ value: String(days), label: `en ${days}\u00a0jours` }))

type Values = {
  what: (typeof kinds)[number]['value']
  threshold: string
  period: string
  channels: AlertChannel[]
}

type AlertFormProps = {
  product: { id: number; name: string; weight: string }
  /** Null for any market. */
  market: { id: number; name: string; location: string } | null
  onClose: () => void
}

/** The form of a new alert: a sentence with choices in it, and how often it would have rung in the past year. */
export function AlertForm({ product, market, onClose }: AlertFormProps) {
  const create = useAction(alerts.create)
  const attempt = useAttempt()
  const { register, control, watch, ...form } = useForm<Values>({
    defaultValues: { what: 'level.above', threshold: '', period: '30', channels: ['mail'] },
    shouldFocusError: false,
  })
  const { errors } = form.formState
  const values = watch()
  const { unit, sign } = kinds.find(({ value }) => value === values.what) ?? kinds[0]
  const condition = conditionOf(values)
  return (
    <SaveDialog
      title="M’alerter"
      submitLabel="Créer l’alerte"
      form={{ register, control, watch, ...form }}
      onSave={async (given: Values) => {
        const body = {
          productId: product.id,
          marketId: market?.id ?? null,
          ...partsOf(given),
          // As typed, which the contract types as a number: the server reads it, and asks when it reads in two ways.
          ...(partsOf(given).kind !== 'unusual' && { threshold: given.threshold }),
          channels: given.channels,
        }
        await create.mutateAsync({ body: body as never, headers: attempt.headersFor(body) })
      }}
      onClose={onClose}
    >
      <p>
        {'Prévenez-moi quand le prix de '}
        <strong className="font-semibold">{`${product.name}, ${product.weight}`}</strong>
        {market ? ` à ${market.name}, ${market.location}` : ', dans l’un de ses marchés'}
        {'\u00a0:'}
      </p>
      <SelectField
        label="Ce qui fait sonner"
        options={kinds.map(({ value, label }) => ({ value, label }))}
        error={errors.what?.message}
        {...register('what')}
      />
      {unit && (
        <AmountField
          label={`Seuil, en ${unit}`}
          unit={sign}
          required
          error={errors.threshold?.message}
          {...register('threshold')}
        />
      )}
      {values.what.startsWith('change') && (
        <SelectField label="Période" options={periods} {...register('period')} />
      )}
      <Preview
        product={product.id}
        market={market?.id ?? null}
        condition={condition}
        onThreshold={(next) => form.setValue('threshold', formatTyped(next))}
      />
      <ChannelChoice control={control} name="channels" />
      <p className="text-sm text-ink-soft">
        {partsOf(values).kind === 'silence'
          ? 'Elle sonne une fois, et attend un nouveau relevé avant de sonner encore.'
          : `Il faut deux relevés qui le disent\u00a0: une faute de frappe ne sonne pas. Une alerte qui a sonné attend que le prix soit ${unit ? 'revenu de 3\u00a0%' : 'redevenu habituel'} avant de sonner encore.`}
      </p>
    </SaveDialog>
  )
}

function partsOf({ what, period }: Values) {
  const [kind, direction] = what.split('.') as [Condition['kind'], Condition['direction']]
  return { kind, direction, periodDays: Number(period) as 7 | 30 | 90 | 365 }
}

/** Returns the condition of the form; null while its threshold is not a number, or is ambiguous. */
function conditionOf(values: Values) {
  const parts = partsOf(values)
  if (parts.kind === 'unusual') return { ...parts, threshold: 1 }
  const threshold = Number(readAmount(values.threshold)?.plain)
  return threshold > 0 ? { ...parts, threshold } : null
}

type PreviewProps = {
  product: number
  market: number | null
  condition: ReturnType<typeof conditionOf>
  onThreshold: (threshold: number) => void
}

const typingMs = 300

/** « Aurait sonné 3 fois depuis un an », with the days, the curve, and other thresholds. */
function Preview({ product, market, condition, onThreshold }: PreviewProps) {
  const { threshold, ...others } = condition ?? { threshold: null }
  const asked = { productId: product, marketId: market, ...others }
  const answer = useQuery({
    queryKey: [alerts.preview.path, asked, threshold],
    queryFn: async ({ signal }) => {
      if (!condition) return null
      // Cancelled by the next key: a threshold that is being typed is not asked for.
      await new Promise((resolve) => setTimeout(resolve, typingMs))
      return call(alerts.preview, { body: { ...asked, ...condition }, signal })
    },
    enabled: condition !== null,
    // Figures of another threshold stay meanwhile, but not those of another kind of alert.
    placeholderData: (before, query) =>
      hashKey([query?.queryKey[1]]) === hashKey([asked]) ? before : undefined,
  })
  const { data, isPlaceholderData } = answer
  if (condition && answer.isError) {
    return (
      <LoadFailure compact title="Erreur lors du calcul des jours où elle aurait sonné" answer={answer} />
    )
  }
  return (
    <div role="status" aria-busy={isPlaceholderData} className="rounded-md bg-sunken px-3 py-2 text-sm">
      {!data || !condition ? (
        <p className="text-ink-soft">
          {condition
            ? 'Calcul des jours où elle aurait sonné…'
            : 'Donnez un seuil pour voir combien de fois elle aurait sonné depuis un an.'}
        </p>
      ) : (
        <>
          <p className="font-medium">
            {data.count === 0
              ? 'N’aurait jamais sonné depuis un an.'
              : `Aurait sonné ${formatCount(data.count, 'fois', 'fois')} depuis un an.`}
            {data.isRinging && ' Le seuil est déjà franchi\u00a0: elle sonnera la prochaine fois.'}
          </p>
          {data.count > 0 && (
            <ol className="flex list-inside list-decimal flex-wrap gap-x-3 text-ink-soft">
              {data.rings.slice(-mostMarks).map(({ day, marketId, price }) => (
                <li key={`${day} ${marketId}`}>{`${formatDate(day)} (${formatMoney(price)})`}</li>
              ))}
            </ol>
          )}
          <PreviewCurve
            points={data.points}
            rings={data.rings}
            threshold={condition.kind === 'level' ? condition.threshold : null}
          />
          {data.others.length > 0 && (
            <ul aria-label="Autres seuils" className="mt-2 flex flex-wrap gap-2">
              {data.others.map(({ threshold: other, count }) => (
                <li key={other}>
                  <button
                    type="button"
                    aria-disabled={isPlaceholderData}
                    onClick={() => isPlaceholderData || onThreshold(other)}
                    className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-line-strong bg-surface px-3 hover:bg-sunken aria-disabled:opacity-55"
                  >
                    <span className="font-medium">{thresholdText(condition.kind, other)}</span>
                    <span className="text-ink-soft">{formatCount(count, 'fois', 'fois')}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}

function thresholdText(kind: Condition['kind'], threshold: number): string {
  if (kind === 'level') return formatMoney(threshold)
  return kind === 'change' ? `${formatNumber(threshold)}\u00a0%` : formatCount(threshold, 'jour', 'jours')
}
