import type { CellWriter } from '#shared/csv/write.ts'
import type { DrawnReport } from '#shared/drawing.ts'

/** One figure per row, so that a pivot table can be made of it. */
export const reportSheet = {
  name: 'Bulletin',
  columns: [
    { title: 'Bloc', width: 30 },
    { title: 'Élément', width: 40 },
    { title: 'Mesure', width: 22 },
    { title: 'Valeur', width: 16 },
    { title: 'Unité', width: 12 },
    { title: 'Texte', width: 40 },
  ],
}

/** Returns the figures of a report as rows of a sheet. */
export async function* rowsOfReport(
  { title, lines, sections }: DrawnReport,
  cells: CellWriter,
): AsyncGenerator<readonly string[], void, undefined> {
  const row = (
    block: string,
    element: string,
    measure: string | null,
    { value = null, unit = '', text = null }: { value?: number | null; unit?: string; text?: string | null },
  ) =>
    cells.row([
      cells.text(block),
      cells.text(element),
      cells.text(measure),
      cells.number(value === null ? null : String(Math.round(value * 100) / 100)),
      cells.text(unit || null),
      cells.text(text),
    ])
  yield lines.map((line) => row('Bulletin', title, null, { text: line }))
  for (const section of sections) {
    yield [row(section.title, '', null, { text: section.definition })]
    for (const { name, rows } of section.lines ?? [])
      yield rows.map((each) => row(section.title, name, each.name, { value: each.value, unit: section.unit }))
    yield section.rows.map(({ name, value, unit = section.unit, text }) =>
      row(section.title, name, null, { value, unit, text: text ?? null }),
    )
    const { table } = section
    if (!table) continue
    for (const line of table.rows) {
      const element = line
        .slice(0, table.words)
        .map(({ text }) => text)
        .join(', ')
      yield line.slice(table.words).map(({ text, value, unit }, at) =>
        row(section.title, element, table.columns[table.words + at] ?? '', {
          ...(value !== undefined && { value }),
          ...(unit && { unit: unit === 'CDF' ? 'FC' : unit === 'USD' ? '$US' : unit }),
          text,
        }),
      )
    }
  }
}
