import type { ImportReport, Rejection } from '#features/imports/report.contract.ts'

/** Most rejections listed in a report; `rejected` counts them all. */
const longestErrorList = 1000
const mostReasons = 50
/** From this number of reasons that differ only by what they quote, they are reported as one. */
const mostWordings = 4
const mostCurrencies = 20

type Reason = { count: number; line: number }

/**
 * Counts the rejected rows and groups their reasons, in bounded memory.
 *
 * @param onRejected called with each of them
 */
export function rejectionList(onRejected: (rejection: Rejection) => void = () => {}) {
  const groups = new Map<string, Reason & { wordings: Map<string, Reason> }>()
  const currencies = new Map<string, number>()
  let errors: ImportReport['errors'] = []
  let rejected = 0

  return {
    take(rejection: Rejection): void {
      const { line, reason, foreignCurrency } = rejection
      rejected += 1
      // Rows rejected after the file is read may be anywhere in it: twice as many are buffered, and the first lines
      // kept.
      errors.push({ line, message: reason })
      if (errors.length === 2 * longestErrorList) errors = firstOf(errors)
      const stem = reason.replaceAll(quotation, '«\u202f…\u202f»')
      const group = counted(groups, stem, mostReasons, () => ({ count: 0, line, wordings: new Map() }))
      if (group) {
        group.count += 1
        const wording = counted(group.wordings, reason, mostWordings, () => ({ count: 0, line }))
        if (wording) wording.count += 1
      }
      if (foreignCurrency && (currencies.has(foreignCurrency) || currencies.size < mostCurrencies)) {
        currencies.set(foreignCurrency, (currencies.get(foreignCurrency) ?? 0) + 1)
      }
      onRejected(rejection)
    },
    report() {
      errors = firstOf(errors)
      const reasons = [...groups].flatMap(([stem, { wordings, ...all }]) =>
        wordings.size < mostWordings ? [...wordings] : [[stem, all] as const],
      )
      return {
        rejected,
        errors,
        reasons: reasons
          .map(([message, { count, line }]) => ({ message, count, example: { line } }))
          .toSorted((a, b) => b.count - a.count || a.example.line - b.example.line),
        currencies: [...currencies]
          .map(([code, count]) => ({ code, count }))
          .toSorted((a, b) => b.count - a.count),
      }
    },
  }
}

function firstOf(errors: ImportReport['errors']): ImportReport['errors'] {
  return errors.toSorted((a, b) => a.line - b.line).slice(0, longestErrorList)
}

const quotation = /«[^»]*»/g

/** Returns the entry of a key, creating it while there is room. */
function counted<T>(map: Map<string, T>, key: string, most: number, make: () => T): T | undefined {
  const existing = map.get(key)
  if (existing !== undefined || map.size >= most) return existing
  const made = make()
  map.set(key, made)
  return made
}
