import { CountryMap } from '#features/markets/country-map.view.tsx'
import { colouredProvinces } from '#features/reports/blocks/provinces.rules.ts'
import type { DrawnReport, DrawnTable } from '#shared/drawing.ts'
import { formatDate, formatTenths } from '#web/format.ts'
import { parseAllSeries } from '#web/ui/charts/line-data.ts'
import { layOutLines } from '#web/ui/charts/line-layout.ts'
import { LinePlot } from '#web/ui/charts/line-plot.view.tsx'
import { backgrounds } from '#web/ui/charts/series-colours.ts'
import { unitFormat } from '#web/ui/charts/unit-format.ts'
import { LogoMark } from '#web/ui/logo.view.tsx'

type Section = DrawnReport['sections'][number]

/** A report as a page, with the same blocks in the same order as its PDF. */
export function BulletinBody({ content, level = 2 }: { content: DrawnReport; level?: 1 | 2 }) {
  const { title, lines, sections } = content
  const Title = level === 1 ? 'h1' : 'h2'
  return (
    <article className="rounded-md border border-line bg-surface p-4 sm:p-8">
      <p className="flex items-center gap-2 border-b-2 border-ink pb-3 font-semibold">
        <LogoMark className="size-6 shrink-0" />
        Ntalo
      </p>
      <Title className="mt-4 text-xl font-semibold tracking-tight wrap-anywhere">{title}</Title>
      {lines.map((line) => (
        <p key={line} className="text-sm text-ink-soft wrap-anywhere">
          {line}
        </p>
      ))}
      {sections.map((section, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two blocks may say the same, and none moves by itself.
        <Block key={at} section={section} level={level} />
      ))}
    </article>
  )
}

function Block({ section, level }: { section: Section; level: 1 | 2 }) {
  const { title, definition, rowsBehind, drawn, rows, table } = section
  const Title = level === 1 ? 'h2' : 'h3'
  const lines = section.lines ?? [{ name: title, rows }]
  const isEmpty =
    drawn !== 'text' &&
    (table ? table.rows.length === 0 : lines.every((line) => line.rows.every(({ value }) => value === null)))
  return (
    <section className={`mt-6 ${rowsBehind?.href.endsWith('/methode') ? 'rounded-md bg-sunken p-4' : ''}`}>
      <Title className="text-base font-semibold wrap-anywhere">{title}</Title>
      {definition.split('\n').map((paragraph, at) => (
        <p
          // biome-ignore lint/suspicious/noArrayIndexKey: two paragraphs may be the same, such as blank lines.
          key={at}
          className={drawn === 'text' ? 'mt-2 max-w-prose' : 'mt-0.5 max-w-prose text-sm text-ink-soft'}
        >
          {paragraph}
        </p>
      ))}
      <div className="mt-3">
        {isEmpty ? (
          <p className="text-ink-soft">Aucune donnée pour cette sélection.</p>
        ) : (
          <Figures section={section} />
        )}
      </div>
      {rowsBehind && (
        <p className="mt-1 text-sm">
          <a href={rowsBehind.href} className="inline-block py-1 text-river underline">
            {rowsBehind.text}
            <span className="sr-only">{`\u00a0: ${title}`}</span>
          </a>
        </p>
      )}
    </section>
  )
}

function Figures({ section }: { section: Section }) {
  const { drawn, rows, table } = section
  if (drawn === 'text') return null
  if (table) return <Prices table={table} title={section.title} />
  if (drawn === 'picture') return <Provinces section={section} />
  if (drawn === 'line' || drawn === 'weeks') return <Course section={section} />
  return (
    <dl className="grid gap-x-8 sm:grid-cols-2">
      {rows.map(({ name, text, isFaint }) => (
        <div key={name} className="flex items-baseline justify-between gap-4 border-b border-line py-1.5">
          <dt className="text-ink-soft">{name}</dt>
          <dd className={`text-right font-medium tabular-nums ${isFaint ? 'text-ink-soft' : ''}`}>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Widths of a drawing: on a phone, the letters of the wide one would be too small. */
const widths = [
  { width: 640, className: 'hidden w-full sm:block' },
  { width: 330, className: 'w-full sm:hidden' },
] as const

function Course({
  section: { title, unit, drawn, rows, lines = [{ name: title, rows }] },
}: {
  section: Section
}) {
  const series = lines.map((line, at) => ({
    key: String(at),
    label: line.name,
    points: line.rows.map(({ name, value, isFaint, isProvisional }) => ({
      date: name,
      value,
      isFaint,
      isProvisional,
    })),
  }))
  const isOne = series.length === 1
  const isWeekly = drawn === 'weeks'
  const formatValue = isWeekly ? formatTenths : unitFormat(unit)
  const data = parseAllSeries(series)
  const options = isWeekly ? { maxGapDays: 7 } : isOne ? { area: true } : { maxGapDays: 14 }
  return (
    <>
      {widths.map(({ width, className }) => (
        <LinePlot
          key={width}
          layout={layOutLines({ data, width, height: 220, formatValue, ...options })}
          unit={unit}
          className={className}
        />
      ))}
      <ul className="mt-2 space-y-1 text-sm">
        {series.map(({ key, label, points }, at) => {
          const last = points.findLast(({ value }) => value !== null)
          return (
            <li key={key} className="flex items-baseline gap-2">
              {!isOne && <span className={`size-2.5 shrink-0 rounded-full ${backgrounds[at]}`} aria-hidden />}
              <span className="wrap-anywhere">
                {last?.value == null
                  ? `${label}\u00a0: aucun relevé`
                  : `${isOne ? 'Dernière valeur' : label}\u00a0: ${formatValue(last.value)}, ${isWeekly ? 'semaine du ' : 'le '}${formatDate(last.date)}`}
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** On a phone the words of a row are stacked, so that its price is visible without scrolling. */
function Prices({ table: { columns, words, rows }, title }: { table: DrawnTable; title: string }) {
  const placeOf = (at: number) => {
    if (at >= words) return 'text-right whitespace-nowrap'
    return at === 0 ? '' : 'hidden sm:table-cell'
  }
  return (
    <section
      className="overflow-x-auto"
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line-strong text-left text-ink-soft">
            {columns.map((column, at) => (
              <th key={column} scope="col" className={`py-1.5 pr-3 font-medium ${placeOf(at)}`}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two markets of the same name may have the same figures.
            <tr key={row} className="border-b border-line">
              {cells.map(({ text, isFaint }, at) =>
                at === 0 ? (
                  <th key={columns[at]} scope="row" className="min-w-28 py-1.5 pr-3 text-left font-normal">
                    {text}
                    {cells.slice(1, words).map((cell, index) => (
                      <span key={columns[1 + index]} className="block text-xs text-ink-soft sm:hidden">
                        {cell.text}
                      </span>
                    ))}
                  </th>
                ) : (
                  <td
                    key={columns[at]}
                    className={`py-1.5 pr-3 tabular-nums ${placeOf(at)} ${at === words ? 'font-semibold' : ''} ${isFaint ? 'text-ink-soft' : ''}`}
                  >
                    {text}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

// Whole class names, because Tailwind scans source files for them.
const shades = {
  level: [
    'fill-chart-1 opacity-20',
    'fill-chart-1 opacity-40',
    'fill-chart-1 opacity-60',
    'fill-chart-1 opacity-80',
    'fill-chart-1',
  ],
  change: [
    'fill-chart-1',
    'fill-chart-1 opacity-45',
    'fill-chart-5 opacity-20',
    'fill-chart-2 opacity-45',
    'fill-chart-2',
  ],
} as const
const greys = { faint: 'fill-line-strong opacity-60', none: 'fill-surface' } as const

function Provinces({ section }: { section: Section }) {
  const measure = section.unit === '%' ? 'change' : 'level'
  const drawn = colouredProvinces(section)
  return (
    <div className="grid items-center gap-4 sm:grid-cols-2">
      <CountryMap
        label={`${section.title}. Les chiffres sont dans la liste.`}
        areCitiesMarked={false}
        land={
          <path
            d={drawn.map(({ d }) => d).join('')}
            className="fill-surface stroke-line-strong"
            strokeWidth="8"
          />
        }
      >
        {drawn.map(({ name, d, place }) => (
          <path
            key={name}
            d={d}
            strokeWidth="4"
            className={`stroke-line-strong ${place === 'faint' || place === 'none' ? greys[place] : shades[measure][place]}`}
          />
        ))}
      </CountryMap>
      <dl>
        {section.rows.map(({ name, text, isFaint }) => (
          <div key={name} className="flex justify-between gap-4 border-b border-line py-1 text-sm">
            <dt>{name}</dt>
            <dd className={`font-medium tabular-nums ${isFaint ? 'text-ink-soft' : ''}`}>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
