import { formatNumber } from '#web/format.ts'
import type { RenderLink } from '#web/ui/charts/chart-link.ts'
import type { ChartTable } from '#web/ui/charts/chart-table.ts'

const mostRows = 400

type DataTableProps = { title: string; table: ChartTable; renderLink: RenderLink }

/** The figures of a chart as a table; pages without a script put it in a <details>. */
export function DataTable({ title, table, renderLink }: DataTableProps) {
  const { columns, rows, hrefs = [], texts = defaultText } = table
  return (
    <>
      <section
        className="max-h-80 overflow-auto rounded-md border border-line"
        aria-label={`Données : ${title}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <table className="w-full border-separate border-spacing-0">
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines of the same name have columns of the same title.
                  key={index}
                  scope="col"
                  className={`sticky top-0 border-b border-line bg-surface px-3 py-2 text-xs font-medium text-ink-soft ${index ? 'text-right' : 'text-left'}`}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostRows).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same name.
              <tr key={at}>
                {row.map((cell, index) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: as the title above it.
                    key={index}
                    className={`border-b border-line px-3 py-2 ${index ? 'text-right' : 'text-left'}`}
                  >
                    {index === 0 && hrefs[at]
                      ? renderLink(hrefs[at], texts(cell, index))
                      : texts(cell, index)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > mostRows && (
        <p className="mt-2 text-xs text-ink-soft">
          {`Les ${formatNumber(mostRows)} premières lignes sur ${formatNumber(rows.length)}. Le fichier CSV les contient toutes.`}
        </p>
      )}
    </>
  )
}

function defaultText(cell: string | number | null): string {
  return cell === null ? '—' : typeof cell === 'number' ? formatNumber(cell) : cell
}
