import { priceAddresses } from '#features/prices/prices.addresses.ts'
import type { prices } from '#features/prices/prices.contract.ts'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'

/** The names of those who collect, to choose from where one writes prices; the field stays free. */
export function useCollectors(): string[] {
  const enabled = useMay()(['prices.write', 'prices.collect'])
  const { data } = useAnswer<typeof prices.collectors>(priceAddresses.collectors, {}, { enabled })
  return [...new Set(data?.data.map(({ name }) => name))]
}
