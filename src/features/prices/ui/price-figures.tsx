import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { isFaint, isMovementFaint, isStale, trends } from '#features/prices/ui/price-movement.tsx'
import { formatCount, formatDate, formatMoney, formatNumber } from '#web/format.ts'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type PriceFiguresProps = { summary: PriceSummary | undefined; periodText: string; refetching: boolean }

// Created once, so that React skips it when an answer arrives.
const averageInfo = (
  <InfoPopover label="Prix moyen" definition="/methode#moyennes">
    Moyenne des prix de la sélection, en francs. Un prix en dollars est converti au taux de son jour. La
    tendance est à la hausse quand les mêmes prix ont monté de plus de 1&nbsp;% et que la marge exclut zéro, à
    la baisse de même. Rien n’est dit quand trop peu de produits sont relevés dans l’une des deux semaines
    comparées.
  </InfoPopover>
)
const lowestInfo = (
  <InfoPopover label="Prix minimum" definition="/methode#moyennes">
    Le plus bas des prix de la sélection, en francs, au taux de son jour pour un prix en dollars.
  </InfoPopover>
)
const highestInfo = (
  <InfoPopover label="Prix maximum" definition="/methode#moyennes">
    Le plus haut des prix de la sélection, en francs, au taux de son jour pour un prix en dollars.
  </InfoPopover>
)

/** Number, average, minimum and maximum of the whole selection, in francs. */
export function PriceFigures({ summary, periodText, refetching }: PriceFiguresProps) {
  const { totalPrices = 0, averagePrice, minPrice, maxPrice, lastCollectedAt, excluded = 0 } = summary ?? {}
  const about = summary?.isEstimate ? 'environ ' : ''
  const trend = summary?.priceTrend ? trends[summary.priceTrend] : undefined
  const isOld = summary !== undefined && isStale(lastCollectedAt)
  const amounts = { isFaint: summary !== undefined && isFaint(summary) }
  const colour = summary && isMovementFaint(summary) ? '' : trend?.colour
  return (
    <Counters
      label="Chiffres des prix"
      loading={summary === undefined}
      refetching={refetching}
      items={[
        {
          key: 'count',
          label: 'Prix relevés',
          value: `${about}${formatNumber(totalPrices)}`,
          basis: summary ? countedText(summary, periodText) : periodText,
          isFaint: isOld,
          info: (
            <InfoPopover label="Prix relevés" definition="/methode#plateforme">
              {`Nombre de prix de la sélection, ${periodText}. De plusieurs produits, les chiffres ne prennent que les biens\u00a0: ni salaires, ni services, ni taux.`}
              {lastCollectedAt && ` Le dernier a été relevé le ${formatDate(lastCollectedAt)}.`}
              {excluded > 0 &&
                ` ${formatCount(excluded, 'prix', 'prix')} en dollars, sans taux de change connu, n’y entrent pas.`}
            </InfoPopover>
          ),
        },
        {
          key: 'average',
          ...amounts,
          label: 'Prix moyen',
          value: inFrancs(averagePrice),
          basis: (
            <>
              {periodText}
              {/* Always one line high, so that the counters keep their height while the user types. */}
              <span className={`flex min-h-4 items-center gap-x-1 ${colour ?? ''}`}>
                {trend && (
                  <>
                    <trend.icon className="size-3.5 shrink-0" aria-hidden />
                    {trend.tendency}
                  </>
                )}
              </span>
            </>
          ),
          info: averageInfo,
        },
        {
          key: 'min',
          ...amounts,
          label: 'Prix minimum',
          value: inFrancs(minPrice),
          basis: periodText,
          info: lowestInfo,
        },
        {
          key: 'max',
          ...amounts,
          label: 'Prix maximum',
          value: inFrancs(maxPrice),
          basis: periodText,
          info: highestInfo,
        },
      ]}
    />
  )
}

/** « 11 155 prix, en moyenne 19 793 FC », and under it the period. */
export function FiguresInShort({ summary, periodText }: Omit<PriceFiguresProps, 'refetching'>) {
  const { totalPrices = 0, averagePrice } = summary ?? {}
  const faint = summary !== undefined && totalPrices > 0 && isFaint(summary)
  return (
    <>
      <span className={`block truncate ${faint ? 'text-ink-soft' : ''}`}>
        {!summary
          ? 'Chiffres'
          : totalPrices === 0
            ? 'Aucun prix'
            : summary.isEstimate
              ? `Environ ${formatCount(totalPrices, 'prix', 'prix')}`
              : `${formatCount(totalPrices, 'prix', 'prix')}, en moyenne ${inFrancs(averagePrice)}`}
      </span>
      <span className="block text-xs font-normal whitespace-normal text-ink-soft">
        {summary ? countedText(summary, periodText) : periodText}
      </span>
    </>
  )
}

/** The period, and the day of the last price where it is older than 30 days. */
function countedText({ lastCollectedAt }: PriceSummary, periodText: string): string {
  return lastCollectedAt && isStale(lastCollectedAt)
    ? `${periodText}, le dernier le ${formatDate(lastCollectedAt)}`
    : periodText
}

// The centimes of an average, or of converted dollars, are not significant.
function inFrancs(amount: number | null | undefined): string {
  return formatMoney(amount && Math.round(amount))
}
