import type { MarketOnMap, PlaceFigures, PriceMap, ProvinceOnMap } from '#features/map/map.contract.ts'
import type { MapMeasure, MeasuredPlace } from '#features/map/map.rules.ts'
import { listOf, type Selected } from '#features/prices/listed.rules.ts'
import { intervalText, trends } from '#features/prices/ui/price-movement.tsx'
import { formatCount, formatDate, formatMoney, formatPercent, NOT_AVAILABLE } from '#web/format.ts'

/** A market or a province as the map and its table show it. */
export type Place = PlaceFigures & {
  key: string
  name: string
  /** Where a market is; how many markets a province has. */
  detail: string
  /** The page of a market. */
  href?: string
  /** The prices behind its figures. */
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

/** What the map colours a place by. */
export function measured(place: PlaceFigures, measure: MapMeasure): MeasuredPlace {
  if (measure === 'level')
    return { value: place.level, isFaint: place.isLevelThin || place.isStale, isStable: false }
  return {
    value: place.change?.value ?? null,
    isFaint: place.isChangeThin || isUntold(place) || place.isStale,
    isStable: place.trend === 'stable',
  }
}

/** Whether nothing tells where the prices of a place go: no colour says so either. */
function isUntold({ change, trend }: PlaceFigures): boolean {
  return change !== null && trend === null
}

/** `2 350 FC`; the centimes of an average mean nothing. */
export function levelText({ level }: PlaceFigures): string {
  return formatMoney(level && Math.round(level))
}

/** « +1,8 % (± 0,9) hausse ». */
export function changeText({ change, trend }: PlaceFigures): string {
  if (!change) return NOT_AVAILABLE
  return [formatPercent(change.value * 100), intervalText(change), trend && trends[trend].word]
    .filter(Boolean)
    .join(' ')
}

/** Why a place is grey; nothing where it is not. */
export function weaknessOf(place: PlaceFigures, measure: MapMeasure): string {
  if (place.prices === 0) return 'aucun relevé'
  const isThin = measure === 'level' ? place.isLevelThin : place.isChangeThin
  return [
    isThin && 'trop peu de relevés',
    measure === 'change' && !isThin && isUntold(place) && 'tendance non établie',
    place.isStale && 'plus de 30\u00a0jours',
  ]
    .filter(Boolean)
    .join(', ')
}

/** « 12 relevés, 4 séries suivies, le dernier le 21 nov. 2026 ». */
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

/** All that is said of a place, for who does not see the map. */
export function sentenceOfPlace(place: Place, measure: MapMeasure): string {
  const figure = measure === 'level' ? levelText(place) : changeText(place)
  return [`${place.name}${place.detail && ` (${place.detail})`}\u00a0: ${figure}`, weaknessOf(place, measure)]
    .filter(Boolean)
    .join(', ')
}

/** How many prices a map rests on, and the day of the last. */
export function sourceOfMap({ markets }: PriceMap) {
  const days = markets.flatMap(({ lastDay }) => lastDay ?? [])
  return { count: markets.reduce((sum, { prices }) => sum + prices, 0), last: days.sort().at(-1) ?? null }
}
