import { markets } from '#features/markets/markets.contract.ts'
import { useAnswer } from '#web/query.ts'

/** Where there are markets. */
export function useLocations(): string[] {
  const { data } = useAnswer(markets.list, { query: { limit: 200, sort: 'location' } })
  return [...new Set(data?.data.map(({ location }) => location))]
}
