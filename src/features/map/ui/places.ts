import type { MarketOnMap, PlaceFigures, PriceMap, ProvinceOnMap } from '#features/map/map.contract.ts'
import type { MapMeasure, MeasuredPlace } from '#features/map/map.rules.ts'
import { listOf, type Selected } from '#features/prices/listed.rules.ts'
import { intervalText, trends } from '#features/prices/ui/price-movement.tsx'
import { formatCount, formatDate, formatMoney, formatPercent, notAvailable } from '#web/format.ts'

/** A market or a province, as shown by the map and its table. */
export type Place = PlaceFigures & {
  key: string
  name: string
  /** The location of a market; the number of markets of a province. */
  detail: string
  /** The address of the page of a market. */
  href?: string
  /** The address of the list of the prices behind its figures. */
  rowsHref?: string
  at?: { latitude: number; longitude: number }
}

export function placeOfMarket(market: MarketOnMap, rows: Selected): Place {
  const { id, name, location, province, latitude, longitude } = market
  return {
    ...market,
    key: String(id),
    name,
    detail: [location === name ? null : location, province === location ? null : province]
      .filter(Boolean)
      .join(', '),
    href: `/markets/${id}`,
    rowsHref: listOf({ ...rows, marketId: id }),
    ...(latitude !== null && longitude !== null && { at: { latitude, longitude } }),
  }
}

export function placeOfProvince(province: ProvinceOnMap, rows: Selected): Place {
  const { name, markets } = province
  return {
    ...province,
    key: name,
    detail: formatCount(markets, 'marché relevé', 'marchés relevés'),
    rowsHref: listOf({ ...rows, province: name }),
  }
}

/** Returns the value that colours a place on the map. */
export function measured(place: PlaceFigures, measure: MapMeasure): MeasuredPlace {
  if (measure === 'level')
    return { value: place.level, isFaint: place.isLevelThin || place.isStale, isStable: false }
  return {
    value: place.change?.value ?? null,
    isFaint: place.isChangeThin || hasNoTrend(place) || place.isStale,
    isStable: place.trend === 'stable',
  }
}

/** Whether a place has a change without a trend: it gets no colour either. */
function hasNoTrend({ change, trend }: PlaceFigures): boolean {
  return change !== null && trend === null
}

/** Formats a level: `2 350 FC`; the centimes of an average are not significant. */
export function levelText({ level }: PlaceFigures): string {
  return formatMoney(level && Math.round(level))
}

/** Formats a change: « +1,8 % (± 0,9) hausse ». */
export function changeText({ change, trend }: PlaceFigures): string {
  if (!change) return notAvailable
  return [formatPercent(change.value * 100), intervalText(change), trend && trends[trend].word]
    .filter(Boolean)
    .join(' ')
}

/** Returns why a place is grey; an empty string if it is not. */
export function weaknessOf(place: PlaceFigures, measure: MapMeasure): string {
  if (place.prices === 0) return 'aucun relevé'
  const isThin = measure === 'level' ? place.isLevelThin : place.isChangeThin
  return [
    isThin && 'trop peu de relevés',
    measure === 'change' && !isThin && hasNoTrend(place) && 'tendance non établie',
    place.isStale && 'plus de 30\u00a0jours',
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns for example « 12 relevés, 4 séries suivies, le dernier le 21 nov. 2026 ». */
export function basisOf({ prices, series, lastDay }: PlaceFigures): string {
  if (prices === 0) return 'Aucun relevé dans la période'
  return [
    formatCount(prices, 'relevé', 'relevés'),
    series > 0 && formatCount(series, 'série suivie', 'séries suivies'),
    lastDay && `le dernier le ${formatDate(lastDay)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Describes a place in one sentence, for screen readers. */
export function sentenceOfPlace(place: Place, measure: MapMeasure): string {
  const figure = measure === 'level' ? levelText(place) : changeText(place)
  return [`${place.name}${place.detail && ` (${place.detail})`}\u00a0: ${figure}`, weaknessOf(place, measure)]
    .filter(Boolean)
    .join(', ')
}

/** Returns the number of prices behind a map, and the day of the last one. */
export function sourceOfMap({ markets }: PriceMap) {
  const days = markets.flatMap(({ lastDay }) => lastDay ?? [])
  return { count: markets.reduce((sum, { prices }) => sum + prices, 0), last: days.sort().at(-1) ?? null }
}
