import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
  /** Address of the list of its rows. */
  to: string
  search: Record<string, string>
}

type SumTableProps = {
  title: string
  definition: string
  nothing: string
  head: string
  rows: readonly Sum[]
  lead: (to: string, search: Record<string, string>, text: ReactNode) => ReactNode
}

/** Sums with their definition, each linked to its rows. */
export function SumTable({ title, definition, nothing, head, rows, lead }: SumTableProps) {
  return (
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
            cell: ({ to, search, amount, currency }) => lead(to, search, formatMoney(amount, currency)),
          },
        ]}
      />
    </Card>
  )
}

type Person = { userId: number; name: string; plan: string | null; at: string; why?: string }

/** The users counted by a figure. */
export function People({
  id,
  title,
  definition,
  rows,
}: {
  /** Fragment of the address that leads here. */
  id: string
  title: string
  definition: string
  rows: readonly Person[]
}) {
  const why = { key: 'why', header: 'Pourquoi', cell: ({ why }: Person) => why }
  return (
    <div id={id} className="min-w-0 scroll-mt-20">
      <Card title={title} description={definition} padded={false}>
        <Table
          caption={title}
          rows={rows}
          rowKey={({ userId }) => userId}
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
          ]}
        />
      </Card>
    </div>
  )
}
