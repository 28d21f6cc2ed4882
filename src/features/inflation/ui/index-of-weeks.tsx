import type { Inflation, readInflation } from '#features/inflation/inflation.contract.ts'
import { basisLine, type InflationShown, isWeak } from '#features/inflation/ui/shown.ts'
import { listOf, rowsOfFigures } from '#features/prices/listed.rules.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { useIndexLine } from '#features/prices/ui/evolution.tsx'
import { searchOf } from '#features/shares/shares.rules.ts'
import { ShareAndCite } from '#features/shares/ui/share-and-cite.tsx'
import type { QueryOf } from '#shared/contract.ts'
import { addDays } from '#shared/days.ts'
import { methodNumber } from '#shared/method.ts'
import { ExportMenu } from '#web/export-menu.tsx'
import { formatDate } from '#web/format.ts'
import { LineChart } from '#web/ui/charts/line-chart.tsx'

type IndexOfWeeksProps = InflationShown & {
  subject: string
  /** The whole query of the page. */
  query: QueryOf<typeof readInflation>
}

/** Shows the index over a year, what it rests on, and the link to its prices. */
export function IndexOfWeeks({ inflation, refetching, subject, chosen, query }: IndexOfWeeksProps) {
  const index = inflation?.index
  const line = useIndexLine(inflation)
  const basis = inflation?.basis
  const rows = {
    ...chosen,
    startDate: basis?.firstDay ?? undefined,
    endDate: basis?.lastDay ?? undefined,
  }
  return (
    <LineChart
      title="Indice hebdomadaire des prix"
      {...line}
      subtitle={index?.[0] ? `${subject}. 100 = semaine du ${formatDate(index[0].week)}` : subject}
      isFaint={isWeak(inflation)}
      source={{ count: basis?.prices ?? undefined, last: basis?.lastDay, href: listOf(rowsOfFigures(rows)) }}
      loading={inflation === undefined}
      refetching={refetching}
      info={
        <>
          L’indice suit chaque semaine les mêmes produits dans les mêmes marchés (méthode
          «&#8239;temps-produit&#8239;» sur 53&nbsp;semaines, définition nº&nbsp;{methodNumber})&nbsp;: ce qui
          est collecté en plus ou en moins ne le fait pas bouger. Les prix en dollars sont convertis au taux
          de leur jour. Sans pondérations, chaque série compte autant&#8239;; avec elles, le poids d’un type
          de produit est partagé entre ses séries. Une semaine que rien ne relie aux autres n’a pas de valeur.
          En tirets, les huit dernières semaines, provisoires.
        </>
      }
      note={
        inflation && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="min-w-0 flex-1 basis-64 text-xs text-ink-soft">{`${basisLine(inflation)}.`}</p>
            {inflation.basis.prices !== 0 && (
              <div className="flex flex-wrap items-center">
                <ShareAndCite
                  title={`Indice hebdomadaire des prix, ${subject}`}
                  address={{ path: '/statistiques/inflation', search: searchOf(query) }}
                />
                <ExportMenu
                  endpoint={priceAddresses.exportAll}
                  query={{ ...rows, startDate: firstDayBehind(inflation), behind: 'figures' }}
                  label="Les données de ce chiffre"
                />
              </div>
            )}
          </div>
        )
      }
    />
  )
}

/** Returns the first day of the prices behind these weeks, including the year before the earliest yearly change. */
function firstDayBehind({ weeks, basis }: Inflation): string | undefined {
  const earliest = weeks.find(({ yearly }) => yearly !== null)
  const days = [basis.firstDay ?? [], earliest ? addDays(earliest.week, -7 * 52) : []].flat()
  return days.sort()[0]
}
