/** Filters of a selection as the API reads them. */
export type Selected = Record<string, string | number | undefined>

/** The prices that the figures of a selection rest on: of several products, goods alone. */
export function rowsOfFigures(selection: Selected): Selected {
  const isOfSeveral = selection.productId === undefined && selection.kind === undefined
  return isOfSeveral ? { ...selection, kind: 'good' } : selection
}

/** Where the prices of a selection are listed; one without days is of all dates. */
export function listOf(selection: Selected): string {
  const isDated = selection.startDate !== undefined || selection.endDate !== undefined
  const given = Object.entries(isDated ? selection : { ...selection, period: 'all' }).flatMap(
    ([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]),
  )
  return `/prices?${new URLSearchParams(given)}`
}
