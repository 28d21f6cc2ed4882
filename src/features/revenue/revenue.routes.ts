import { type Revenue, revenues } from '#features/revenue/revenue.contract.ts'
import { daysOf, linesOf } from '#features/revenue/revenue.rules.ts'
import {
  countSubscribers,
  type Span,
  sumMonths,
  sumShares,
  sumWaiting,
} from '#features/revenue/revenue.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { type FileFormat, fileFormats, type Rows, sendAs } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { CellWriter } from '#shared/csv/write.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'

const sheet = {
  name: 'Recettes',
  columns: [
    { title: 'Rubrique', width: 28 },
    { title: 'Élément', width: 28 },
    { title: 'Valeur', width: 18 },
    { title: 'Unité', width: 14 },
    { title: 'Définition', width: 60 },
  ],
}

const plain = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 2 })

/** @param clock current time */
export function revenueRoutes(api: Api, db: Db, clock: () => Date): void {
  api.on(revenues.read, ({ query }) => readRevenue(db, query.month, clock()))

  api.on(revenues.exportAll, async (call) => {
    const { fileFormat, month } = call.query
    const revenue = await readRevenue(db, month, clock())
    const format: FileFormat = fileFormats[fileFormat]
    sendAs(call, `recettes-${revenue.month}`, format)
    return format.write(sheet, rowsOf(revenue, format.cells))
  })
}

async function readRevenue(db: Db, asked: string | undefined, at: Date): Promise<Revenue> {
  const span = spanOf(asked, at)
  const [months, shares, waiting, subscribers] = await Promise.all([
    sumMonths(db, span),
    sumShares(db, span),
    sumWaiting(db, dayInKinshasa(at)),
    countSubscribers(db, span),
  ])
  const { month, until } = span
  return { month, until: until.toISOString(), months, waiting, ...shares, ...subscribers }
}

function spanOf(asked: string | undefined, at: Date): Span {
  const month = asked ?? dayInKinshasa(at).slice(0, 7)
  const { startDate, endDate } = daysOf(month)
  const end = new Date(midnight(addDays(endDate, 1)).getTime() - 1)
  return { month, from: midnight(startDate), until: end < at ? end : at }
}

/** Returns the first instant of a day in Kinshasa, which is one hour ahead of UTC all year round. */
function midnight(day: string): Date {
  return new Date(`${day}T00:00:00+01:00`)
}

async function* rowsOf(revenue: Revenue, write: CellWriter): Rows {
  yield linesOf(revenue).map(({ section, item, value, unit, definition }) =>
    write.row([
      write.text(section),
      write.text(item),
      write.number(plain.format(value)),
      write.text(unit),
      write.text(definition),
    ]),
  )
}
