import { wideColumnsOf } from '#features/mappings/columns.rules.ts'
import type { FieldDescription, Mapping, ProposedTable } from '#features/mappings/mappings.contract.ts'
import { Table } from '#web/ui/table.tsx'

type FirstRow = { cells: readonly string[]; index: number }

/** Shows the first rows unchanged, with the meaning of each column above its title. */
export function FirstRows({
  table,
  draft,
  fields,
}: {
  table: ProposedTable
  draft: Mapping
  fields: readonly FieldDescription[]
}) {
  const labels = new Map(
    fields.flatMap(({ key, label }) => {
      const source = draft.fields[key]
      return source && 'column' in source ? [[source.column, label]] : []
    }),
  )
  const wide = wideColumnsOf(draft)
  const inTitles = fields.find(({ key }) => key === wide?.key)
  if (wide && inTitles)
    for (const title of table.titles) if (wide.has(title)) labels.set(title, inTitles.label)
  const columns = table.titles.map((title, at) => ({ title, at }))
  const titles = [...labels.keys()]
  const place = ({ title }: { title: string }) => (labels.has(title) ? titles.indexOf(title) : titles.length)
  // Mapped columns first, since only the first ones are visible: date, market, product, price.
  const shown = columns.toSorted((a, b) => place(a) - place(b))
  return (
    <section aria-label="Premières lignes du fichier" className="min-w-0 space-y-2">
      <h3 className="font-semibold">Premières lignes</h3>
      <Table
        caption="Premières lignes du fichier"
        // No column is hidden: its content tells what it is.
        choice={Object.fromEntries(table.titles.map((title) => [title, true]))}
        columns={shown.map(({ title, at }) => ({
          key: title,
          header: labels.has(title) ? `${title} → ${labels.get(title)}` : title,
          className: labels.has(title) ? 'whitespace-nowrap' : 'whitespace-nowrap text-ink-soft',
          cell: ({ cells }: FirstRow) => cells[at] ?? '',
        }))}
        rows={table.rows.map((cells, index) => ({ cells, index }))}
        rowKey={({ index }) => index}
        empty={<p className="p-4 text-ink-soft">Aucune ligne sous les titres.</p>}
        cards={never}
      />
    </section>
  )
}

// A table of thirty columns stays a table on a phone too: it scrolls in its frame.
const never = '(width < 0px)'
