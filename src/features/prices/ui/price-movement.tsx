import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react'
import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import type { PriceSummary, Trend } from '#features/figures/summary/summary.contract.ts'
import {
  asOfText,
  isOfFewProducts,
  isThinBasis,
  isThinMovement,
  isWithoutMargin,
  noChangeText,
  noTrendText,
  weekMark,
} from '#features/figures/summary/summary.rules.ts'
import { today } from '#features/prices/ui/price-selection.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { methodNumber } from '#shared/method.ts'
import {
  capitalise,
  formatCount,
  formatDate,
  formatDateTime,
  formatInterval,
  formatMoney,
  formatNumber,
  formatPercent,
} from '#web/format.ts'
import { InfoPopover } from '#web/ui/info-popover.tsx'

/** The part of a summary that the text of a change needs: no list of days, products or markets. */
export type Moved = Omit<PriceSummary, 'dailyPrices' | 'productDistribution' | 'marketDistribution'>

/** Words, icon and colour of each trend; colour is never the only sign. */
export const trends: Record<
  Trend,
  { word: string; tendency: string; icon: typeof ArrowRight; colour: string }
> = {
  up: { word: 'hausse', tendency: 'Tendance à la hausse', icon: ArrowUpRight, colour: 'text-red' },
  down: { word: 'baisse', tendency: 'Tendance à la baisse', icon: ArrowDownRight, colour: 'text-green' },
  stable: { word: 'stable', tendency: 'Tendance stable', icon: ArrowRight, colour: '' },
}

/** Returns the name of the change of a selection: inflation from three products on. */
export function movementLabel(summary: Moved | undefined): string {
  return summary && isOfFewProducts(summary) ? 'Variation du prix' : 'Inflation estimée'
}

// Beside a large figure, its margin and its word are smaller.
const small = 'font-normal tracking-normal text-[max(0.75rem,0.5em)]'

/** « +1,8 % (± 0,9) hausse »; grey where it is based on too few prices, or on prices older than 30 days. */
export function PriceMovement({ summary }: { summary: Moved }) {
  const { change, priceTrend } = summary
  if (!change) {
    return (
      <span className="font-medium text-ink-soft">{summary.isTooLarge ? 'Non calculé' : 'Insuffisant'}</span>
    )
  }
  return <ChangeTag change={change} trend={priceTrend} isFaint={isFaint(summary)} />
}

/** Same as `PriceMovement`, from a change alone. */
export function ChangeTag({
  change,
  trend,
  isFaint,
}: {
  change: NonNullable<Moved['change']>
  trend: Trend | null
  /** Whether it is based on old or too few prices. */
  isFaint: boolean
}) {
  const { word, icon: Icon, colour } = trends[trend ?? 'stable']
  return (
    <span
      className={`inline-flex flex-wrap items-baseline gap-x-1 font-semibold ${change.isThin || isWithoutMargin(change) || isFaint ? 'text-ink-soft' : colour}`}
    >
      {trend && <Icon className="size-[max(1rem,0.8em)] shrink-0 self-center" aria-hidden />}
      <span className="whitespace-nowrap">{formatPercent(change.value * 100)}</span>
      <span className={small}>
        {intervalText(change)}
        {trend && ` ${word}`}
      </span>
    </span>
  )
}

/** Returns « (± 0,9) » or « (entre +9 et +41 %) » beside a change; empty without a margin. */
export function intervalText({ value, margin }: { value: number; margin: number | null }): string {
  return margin === null ? '' : `(${formatInterval(100 * value, percentInterval({ value, margin }))})`
}

/** Returns whether figures are based on too few prices, or on prices older than 30 days, and must be shown in grey. */
export function isFaint(summary: Moved): boolean {
  return isThinBasis(summary) || isStale(summary.lastCollectedAt)
}

/** Same for its change and its trend, which also rest on too little with fewer than 3 products. */
export function isMovementFaint(summary: Moved): boolean {
  return isThinMovement(summary) || isStale(summary.lastCollectedAt)
}

/** Returns whether the last price of a figure is older than 30 days, or missing. */
export function isStale(last: string | null | undefined): boolean {
  return !last || dayInKinshasa(last) < addDays(today(), -30)
}

/**
 * Returns « semaine du 16 nov. par rapport à celle du 19 oct. », with the reason where there is no trend; or the reason
 * why there is no change.
 */
export function comparedText(summary: Moved): string {
  const { change, priceTrend, knownSeries } = summary
  if (!change)
    return capitalise(noChangeText(summary, { day: formatDate, amount: formatMoney, percent: formatPercent }))
  const [from, to] = [formatDate(change.from), formatDate(change.to)]
  const compared =
    knownSeries === 1
      ? `les derniers jours jusqu’au ${to} par rapport à ceux jusqu’au ${from}`
      : `semaine du ${to}${weekMark(change.to, today())} par rapport à celle du ${from}`
  return [
    compared,
    asOfText(summary.asOf, formatDateTime),
    noTrendText(change, priceTrend, knownSeries === 1),
  ]
    .filter(Boolean)
    .join('\u202f; ')
}

/** Returns the basis of the figures, in one line. */
export function basisText(summary: Moved): string {
  const { change, matchedSeries, knownSeries, silentMarkets } = summary
  return [
    `${formatCount(matchedSeries, 'série suivie', 'séries suivies')} sur ${formatNumber(knownSeries)}`,
    change && formatCount(change.products, 'produit', 'produits'),
    silentMarkets > 0 &&
      `${formatCount(silentMarkets, 'marché', 'marchés')} sans relevé depuis plus de 14\u00a0jours`,
    ratesText(summary),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns which share of the prices was converted, and at which rates; empty where none was. */
export function ratesText({
  totalPrices,
  currencyDistribution,
  atOldRate,
  excluded,
}: Pick<Moved, 'totalPrices' | 'currencyDistribution' | 'atOldRate' | 'excluded'>): string {
  const dollars = currencyDistribution.find(({ currency }) => currency === 'USD')?.count ?? 0
  return [
    dollars > 0 && `${formatPercent((100 * dollars) / totalPrices, false)} des prix convertis du dollar`,
    atOldRate > 0 && `${formatCount(atOldRate, 'prix', 'prix')} à un taux ancien`,
    excludedText(excluded),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns how many prices are left out of the figures; empty where none is. */
export function excludedText(excluded: number): string {
  return excluded > 0
    ? `${formatCount(excluded, 'prix en dollars laissé de côté', 'prix en dollars laissés de côté')}, sans taux connu`
    : ''
}

/** The definition, with its edition. */
export function MovementDefinition() {
  return (
    <InfoPopover label="Variation des prix" definition="/methode#variation">
      L’indice suit chaque semaine les mêmes produits dans les mêmes marchés (méthode « temps-produit »,
      chaque série compte autant, définition nº&nbsp;{methodNumber})&nbsp;: ce qui est collecté en plus ou en
      moins ne le fait pas bouger. La variation compare sa dernière semaine à celle d’une période plus
      tôt&#8239;; pour une seule série, les derniers jours à ceux d’une période plus tôt. La marge (±), ou
      l’intervalle quand ses deux bouts ne sont pas à la même distance, tient compte du nombre de
      produits&#8239;; quand elle contient zéro, les prix sont dits stables, ou la tendance trop incertaine
      au-delà de 5&nbsp;points. Quand peu de produits sont relevés dans l’une des deux semaines, la tendance
      attend une variation plus nette, et rien n’est dit entre les deux. À partir de trois produits, c’est une
      inflation estimée, non pondérée. Les huit dernières semaines sont provisoires.
    </InfoPopover>
  )
}
