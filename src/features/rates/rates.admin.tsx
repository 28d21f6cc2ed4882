import { Link } from '@tanstack/react-router'
import { FileUp, TriangleAlert } from 'lucide-react'
import { exchangeRates } from '#features/rates/rates.contract.ts'
import { RateDoubt, useRateDoubt } from '#features/rates/ui/rate-doubt.tsx'
import { dayMs } from '#shared/days.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime, formatNumber, formatTyped, notAvailable } from '#web/format.ts'
import { periodControls } from '#web/forms/day-filter.tsx'
import { SuggestField } from '#web/forms/suggestions.tsx'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { AmountField, DateField } from '#web/ui/inputs.tsx'

const staleDays = 7
const sources = ['BCC', 'Marché parallèle', 'WFP']

const { ListPage } = adminScreens(exchangeRates, {
  layout: 'table',
  path: '/taux',
  createVerb: 'Ajouter',
  description:
    'Combien de francs vaut un dollar, jour après jour\u00a0: les prix en dollars sont convertis au taux de leur jour.',
  whenEmpty:
    'Les taux saisis ou importés apparaîtront ici\u00a0: les prix en dollars sont convertis avec eux.',
  nameOf: ({ day }) => formatDate(day),
  ownOrder: { key: 'day', direction: 'desc' },
  columns: [
    { key: 'day', card: 'title', cell: ({ day }) => formatDate(day) },
    {
      key: 'cdfPerUsd',
      align: 'end',
      cell: ({ cdfPerUsd }) => (
        <span className="font-medium whitespace-nowrap">{`${formatNumber(cdfPerUsd, 6)}\u00a0FC`}</span>
      ),
    },
    { key: 'source', cell: ({ source }) => source ?? notAvailable },
    { key: 'updatedAt', card: 'hidden', cell: ({ updatedAt }) => formatDate(updatedAt) },
  ],
  filters: [...periodControls],
  blank: { day: '', cdfPerUsd: '', source: '' },
  valuesOf: ({ cdfPerUsd }) => ({ cdfPerUsd: formatTyped(cdfPerUsd) }),
  useConfirmation: useRateDoubt,
  form: ({ field, control }, row) => (
    <>
      <DateField required {...field('day')} />
      <AmountField required unit="FC" {...field('cdfPerUsd')} />
      <RateDoubt control={control} ownId={row?.id} />
      <SuggestField maxLength={200} suggestions={sources} {...field('source')} />
    </>
  ),
  details: (rate) => [
    { key: 'day', value: formatDate(rate.day) },
    { key: 'cdfPerUsd', value: `${formatNumber(rate.cdfPerUsd, 6)}\u00a0FC` },
    { key: 'source', value: rate.source ?? notAvailable },
    { label: 'Saisi le', value: formatDateTime(rate.createdAt) },
    { key: 'updatedAt', value: formatDateTime(rate.updatedAt) },
  ],
})

/** Lists the rates, with a warning when the last one is older than a week. */
export function RatesPage() {
  const { data } = useAnswer(exchangeRates.list, { query: { limit: 1, sort: '-day' } })
  const last = data?.data[0]
  const age = last && Math.floor((Date.now() - Date.parse(last.day)) / dayMs)
  return (
    <ListPage actions={<ImportLink />}>
      {data && (age === undefined || age > staleDays) && (
        <p
          className="flex items-start gap-2 rounded-md border border-amber bg-surface px-4 py-3"
          role="status"
        >
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-amber" aria-hidden />
          {last
            ? `Le dernier taux est du ${formatDate(last.day)}, il y a ${age} jours. Les prix en dollars sont convertis à ce taux ancien.`
            : 'Aucun taux n’est connu\u00a0: les prix en dollars n’entrent dans aucun chiffre.'}
        </p>
      )}
    </ListPage>
  )
}

function ImportLink() {
  const may = useMay()
  if (!may('rates.write')) return null
  return (
    <Link to="/prices/imports" search={{ kind: 'rates' }} className={buttonClass()}>
      <FileUp className="size-4" aria-hidden />
      Importer
    </Link>
  )
}
