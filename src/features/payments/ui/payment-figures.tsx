import { paymentSummary, payments } from '#features/payments/payments.contract.ts'
import { MethodPie } from '#features/payments/ui/method-pie.tsx'
import { dayMs } from '#shared/days.ts'
import { formatCount, formatMoney, formatNumber } from '#web/format.ts'
import { useListState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { type ChartWords, ChartWordsContext } from '#web/ui/charts/chart-words.ts'
import { LineChart } from '#web/ui/charts/line-chart.tsx'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'
import { PhoneFold } from '#web/ui/phone-fold.tsx'

const words: ChartWords = {
  one: 'paiement',
  many: 'paiements',
  last: 'Dernier paiement',
  nothing: { title: 'Aucun paiement trouvé', sentence: 'Aucun paiement pour cette sélection.' },
}

/** Sums of the payments in the list, in dollars at the rate of each day. */
export function PaymentFigures() {
  const list = useListState(payments)
  const { page: _page, limit: _limit, sort: _sort, ...selection } = list.query
  const answer = useAnswer(paymentSummary, { query: selection }, { keepsPrevious: true })
  // Paid amounts by default: failed payments are no income of a day.
  const status = selection.status ?? 'PAID'
  const received = useAnswer(paymentSummary, { query: { ...selection, status } }, { keepsPrevious: true })
  const { data } = answer
  if (answer.isError && !data) {
    return <LoadFailure compact title="Erreur lors du chargement des chiffres" answer={answer} />
  }
  const sumOf = (wanted: string) => data?.byStatus.find((each) => each.status === wanted)
  const inEach = (wanted: string) =>
    (data?.byStatusAndCurrency ?? [])
      .filter((each) => each.status === wanted)
      .map(({ currency, amount }) => formatMoney(amount, currency))
      .join(' + ')
  const counter = (key: string, label: string) => ({
    key,
    label,
    value: formatNumber(sumOf(key)?.amount ?? 0, 0),
    unit: '$US',
    basis: [formatCount(sumOf(key)?.count ?? 0, 'paiement', 'paiements'), inEach(key)]
      .filter(Boolean)
      .join('\u00a0: '),
    info: (
      <InfoPopover label={label}>
        Somme des paiements de ce statut que la recherche et les filtres retiennent, en dollars, au taux du
        jour de chacun.
      </InfoPopover>
    ),
  })
  const withoutRate =
    data?.withoutRate && `${formatCount(data.withoutRate, 'paiement', 'paiements')} sans taux`
  const subtitle = `${status === 'PAID' ? 'Paiements reçus' : 'Selon les filtres'}, en $US au taux du jour`
  const loading = received.isPending
  return (
    <PhoneFold summary={`Paiements\u00a0: ${data ? formatNumber(data.totalCount) : '…'}`}>
      <Counters
        label="Chiffres des paiements"
        loading={!data}
        refetching={answer.isPlaceholderData}
        items={[
          {
            key: 'total',
            label: 'Paiements',
            value: formatNumber(data?.totalCount),
            basis: [list.isFiltered ? 'Selon la recherche et les filtres' : 'Toutes les dates', withoutRate]
              .filter(Boolean)
              .join(', dont '),
            info: (
              <InfoPopover label="Paiements">
                Nombre de paiements que la recherche et les filtres retiennent, quel que soit leur statut.
                Ceux dont le jour n’a pas de taux de change ne sont dans aucune somme en dollars.
              </InfoPopover>
            ),
          },
          counter('PAID', 'Encaissé'),
          counter('PENDING', 'En attente'),
          counter('FAILED', 'Échoué'),
        ]}
      />
      {received.isError && !received.data ? (
        <LoadFailure compact title="Erreur lors du chargement des courbes" answer={received} />
      ) : (
        <ChartWordsContext value={words}>
          <div className="grid gap-4 lg:grid-cols-[3fr_2fr]">
            <LineChart
              title="Montants par jour"
              subtitle={subtitle}
              unit="$US"
              area
              loading={loading}
              series={[
                {
                  key: 'amount',
                  label: 'Montant',
                  points: everyDay(received.data?.daily ?? []),
                },
              ]}
            />
            <MethodPie
              title="Moyens de paiement"
              subtitle={subtitle}
              loading={loading}
              shares={received.data?.byMethod ?? []}
            />
          </div>
        </ChartWordsContext>
      )}
    </PhoneFold>
  )
}

// A day without payments is zero, not a gap.
function everyDay(days: readonly { date: string; count: number; amount: number }[]) {
  const byDay = new Map(days.map((each) => [each.date, each]))
  const [first, last] = [days[0]?.date, days.at(-1)?.date]
  if (!first || !last) return []
  const count = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  return Array.from({ length: count }, (_, after) => {
    const date = new Date(Date.parse(first) + after * dayMs).toISOString().slice(0, 10)
    return { date, value: byDay.get(date)?.amount ?? 0, count: byDay.get(date)?.count ?? 0 }
  })
}
