import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Revenue } from '#features/revenue/revenue.contract.ts'
import { daysOf, definitions } from '#features/revenue/revenue.rules.ts'
import { formatMoney, formatNumber } from '#web/format.ts'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Table } from '#web/ui/table.tsx'

type Sum = {
  name: string
  currency: string
  count: number
  amount: number
  /** Address of the list of its rows; null if no filter selects them. */
  to: string | null
  search: Record<string, string>
}

/** Renders an amount, as a link to its rows for users who may read them. */
type Lead = (to: string, search: Record<string, string>, text: ReactNode) => ReactNode

type SumTableProps = {
  /** Fragment of the address that leads here. */
  id?: string
  title: string
  definition: string
  nothing: string
  head: string
  rows: readonly Sum[]
  lead: Lead
}

const monthInWords = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats a month, `yyyy-mm`. */
export function monthText(month: string): string {
  return monthInWords.format(new Date(month))
}

/** The amounts received and refunded month by month, a line for each currency. */
export function MonthTable({ months, lead }: { months: Revenue['months']; lead: Lead }) {
  const cell = (
    kind: 'invoice' | 'credit_note',
    of: (row: Revenue['months'][number]) => [number, number],
  ) => {
    return (row: Revenue['months'][number]) => {
      const [count, amount] = of(row)
      const search = { ...daysOf(row.month), kind, currency: row.currency }
      const sum = formatMoney(amount, row.currency)
      return count === 0 ? sum : lead('/factures', search, sum)
    }
  }
  return (
    <div id="mois" className="scroll-mt-20">
      <Card
        title="Mois par mois"
        description={`Reçu\u00a0: ${definitions.received} Remboursé\u00a0: ${definitions.refunded}`}
        padded={false}
      >
        <Table
          caption="Mois par mois"
          rows={months}
          rowKey={({ month, currency }) => `${month} ${currency}`}
          empty={<EmptyState compact title="Rien n’a été reçu depuis un an." />}
          columns={[
            { key: 'month', header: 'Mois', cell: ({ month }) => monthText(month) },
            {
              key: 'count',
              header: 'Factures',
              align: 'end',
              cell: ({ receivedCount }) => formatNumber(receivedCount),
            },
            {
              key: 'received',
              header: 'Reçu',
              align: 'end',
              cell: cell('invoice', ({ receivedCount, received }) => [receivedCount, received]),
            },
            {
              key: 'refunded',
              header: 'Remboursé',
              align: 'end',
              cell: cell('credit_note', ({ refundedCount, refunded }) => [refundedCount, refunded]),
            },
          ]}
        />
      </Card>
    </div>
  )
}

/** Sums with their definition, each linked to its rows. */
export function SumTable({ id, title, definition, nothing, head, rows, lead }: SumTableProps) {
  return (
    <div id={id} className="min-w-0 scroll-mt-20">
      <Card title={title} description={definition} padded={false}>
        <Table
          caption={title}
          rows={rows}
          rowKey={({ name, currency }) => `${name} ${currency}`}
          empty={<EmptyState compact title={nothing} />}
          columns={[
            { key: 'name', header: head, cell: ({ name }) => name },
            { key: 'count', header: 'Nombre', align: 'end', cell: ({ count }) => formatNumber(count) },
            {
              key: 'amount',
              header: 'Montant',
              align: 'end',
              cell: ({ to, search, amount, currency }) => {
                const sum = formatMoney(amount, currency)
                return to === null ? sum : lead(to, search, sum)
              },
            },
          ]}
        />
      </Card>
    </div>
  )
}

type Person = {
  userId: number
  name: string
  plan: string | null
  at: string
  why?: string
  monthly?: string
}

/** The users counted by a figure. */
export function People({
  id,
  title,
  definition,
  count,
  rows,
}: {
  /** Fragment of the address that leads here. */
  id: string
  title: string
  definition: string
  /** Number of all, of whom `rows` are the latest. */
  count: number
  rows: readonly Person[]
}) {
  const why = { key: 'why', header: 'Pourquoi', cell: ({ why }: Person) => why }
  const monthly = {
    key: 'monthly',
    header: 'Par mois',
    align: 'end' as const,
    cell: ({ monthly }: Person) => monthly,
  }
  const cut =
    count > rows.length && ` Les ${formatNumber(rows.length)} plus récents sur ${formatNumber(count)}.`
  return (
    <div id={id} className="min-w-0 scroll-mt-20">
      <Card title={title} description={`${definition}${cut || ''}`} padded={false}>
        <Table
          caption={title}
          rows={rows}
          rowKey={({ userId, at }) => `${userId} ${at}`}
          empty={<EmptyState compact title="Personne ce mois-là" />}
          columns={[
            {
              key: 'name',
              header: 'Nom',
              cell: ({ userId, name }) => (
                <Link
                  to="/subscriptions"
                  search={{ userId: String(userId) } as never}
                  className="text-river hover:underline"
                >
                  {name}
                </Link>
              ),
            },
            { key: 'plan', header: 'Plan', cell: ({ plan }) => plan ?? 'Aucun' },
            { key: 'at', header: 'Date', cell: ({ at }) => <DateTime value={at} /> },
            ...(rows.some((row) => row.why) ? [why] : []),
            ...(rows.some((row) => row.monthly) ? [monthly] : []),
          ]}
        />
      </Card>
    </div>
  )
}
