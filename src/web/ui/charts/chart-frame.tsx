import { Copy, Download, ImageDown, Table2 } from 'lucide-react'
import { type ReactNode, Suspense, use, useRef, useState } from 'react'
import { dayMs } from '#shared/days.ts'
import { saveFile } from '#web/download.ts'
import { formatCount, formatDate } from '#web/format.ts'
import { lazyCode } from '#web/lazy-code.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { type ChartTable, fileStem, toCsv } from '#web/ui/charts/chart-table.ts'
import { type ChartWords, ChartWordsContext } from '#web/ui/charts/chart-words.ts'
import { copyImage } from '#web/ui/charts/copy-image.ts'
import { linkInText, linkWithin } from '#web/ui/charts/link-within.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'
import { dimmable, dimmed, Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'

export type ChartFrameProps = {
  /** The finding, or the name of the measure. */
  title: string
  /** The period and the place. */
  subtitle?: string
  /** Number of values behind the chart, day of the last one, and link to their list. */
  source?: { count?: number; last?: string | null; href?: string }
  /** Controls beside the title, such as a Segmented or an InfoPopover. */
  actions?: ReactNode
  /** Definition of the measure, shown by an « i » button; by default, how the chart is drawn. */
  info?: ReactNode
  /** Address of the full definition. */
  definition?: string
  /** The finding in a sentence, between the title and the drawing. */
  note?: ReactNode
  /** Based on too few observations to be shown in colour. */
  isFaint?: boolean | undefined
  loading?: boolean
  refetching?: boolean
  /** An ErrorState, shown instead of the drawing. */
  error?: ReactNode
  /** An EmptyState; by default, a sentence of the chart's own words. */
  empty?: ReactNode
  className?: string
}

type FrameProps = ChartFrameProps & {
  /** Creates the table on request: most visitors only look at the drawing. */
  makeTable: () => ChartTable
  isEmpty: boolean
  placeholder: string
  /** The drawing; it may open the table. */
  children: ReactNode | ((showTable: () => void) => ReactNode)
}

// Loaded on request, because few users open it.
const DataTable = lazyCode(() => import('#web/ui/charts/data-table.view.tsx'), 'DataTable')

const plainDefinition =
  'Calculé sur tout ce que la sélection retient. Un jour sans donnée reste vide, un tronçon estimé est en pointillé. « Voir les données » donne les chiffres eux-mêmes.'

/** The frame of every chart: title, source, equivalent table, image and CSV. */
export function ChartFrame(props: FrameProps) {
  const {
    title,
    subtitle,
    source = {},
    actions,
    note,
    info,
    definition,
    isFaint,
    refetching,
    error,
    isEmpty,
    makeTable,
    className = '',
  } = props
  // A chart that failed is not shown as loading.
  const loading = props.loading && !error
  const [asTable, setAsTable] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const words = use(ChartWordsContext)
  const sourceText = loading ? '' : sourceLine(source, words)
  const ready = !loading && !error && !isEmpty
  const isGrey = isFaint || isOldSource(source)
  const withImage = async (use: (image: Promise<Blob>, name: string) => Promise<string>) => {
    const svg = body.current?.querySelector('svg')
    if (!svg) return
    try {
      // Loaded on request. The promise itself is passed on, because the clipboard needs it.
      const image = import('#web/ui/charts/chart-image.ts').then(({ chartImage, legendOf }) =>
        chartImage(svg, { title, subtitle, legend: legendOf(svg), source: sourceText, isFaint: isGrey }),
      )
      toast.success(await use(image, `${fileStem(title)}.png`))
    } catch {
      toast.error('L’image n’a pas pu être créée. Le tableau et le fichier CSV restent disponibles.')
    }
  }
  const download = () =>
    saveFile(new Blob([toCsv(makeTable())], { type: 'text/csv;charset=utf-8' }), `${fileStem(title)}.csv`)
  return (
    <figure
      // Isolated, so that the browser does not repaint what is beside the drawing.
      className={`flex min-w-0 flex-col rounded-md border border-line bg-surface *:isolate ${className}`}
      aria-busy={loading || refetching || undefined}
    >
      <figcaption className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-4 pt-4 sm:px-5">
        <div className="min-w-0 flex-1 basis-48 sm:basis-80">
          <div className="flex items-center gap-1">
            <h2 className="min-w-0 text-base font-semibold">{title}</h2>
            <InfoPopover label={title} definition={definition}>
              {info ?? plainDefinition}
            </InfoPopover>
          </div>
          {subtitle && <p className="mt-0.5 text-ink-soft">{subtitle}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </figcaption>
      {note && <div className="px-4 pt-3 sm:px-5">{note}</div>}
      <div
        ref={body}
        className={`flex flex-1 flex-col justify-center px-4 pt-4 sm:px-5 ${dimmable} ${refetching ? dimmed : ''} ${ready && isGrey ? 'grayscale' : ''}`}
      >
        {loading ? (
          <Skeleton className={`w-full ${props.placeholder}`} />
        ) : error ? (
          error
        ) : isEmpty ? (
          (props.empty ?? (
            <EmptyState compact title={words.nothing.title}>
              {words.nothing.sentence}
            </EmptyState>
          ))
        ) : asTable ? (
          <Suspense fallback={<Skeleton className={`w-full ${props.placeholder}`} />}>
            <DataTable title={title} table={makeTable()} renderLink={linkWithin} />
          </Suspense>
        ) : typeof props.children === 'function' ? (
          props.children(() => setAsTable(true))
        ) : (
          props.children
        )}
      </div>
      <footer className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5 pr-2 pl-4 sm:pl-5">
        <p className="min-w-0 flex-1 basis-44 py-1 text-xs text-ink-soft">
          {source.href && source.count ? linkInText(source.href, sourceText) : sourceText}
        </p>
        {ready && (
          <div className="no-print flex flex-wrap items-center justify-end max-sm:-ml-3 max-sm:w-[calc(100%+0.75rem)] min-[22rem]:max-sm:justify-between sm:ml-auto">
            <Button
              variant="ghost"
              icon={Table2}
              onClick={() => setAsTable(!asTable)}
              className="px-3 max-sm:[&>svg]:hidden"
            >
              {asTable ? 'Voir le graphique' : 'Voir les données'}
            </Button>
            {!asTable && (
              <>
                <IconButton
                  label="Copier l’image"
                  icon={Copy}
                  onClick={() =>
                    withImage(async (image, name) =>
                      (await copyImage(image, name)) === 'copied'
                        ? 'Image copiée dans le presse-papiers'
                        : 'Image téléchargée',
                    )
                  }
                />
                <IconButton
                  label="Télécharger l’image (PNG)"
                  icon={ImageDown}
                  onClick={() =>
                    withImage(async (image, name) => {
                      saveFile(await image, name)
                      return 'Image téléchargée'
                    })
                  }
                />
              </>
            )}
            <IconButton label="Télécharger en CSV" icon={Download} onClick={download} />
          </div>
        )}
      </footer>
    </figure>
  )
}

/** Returns « Source : Ntalo, 12 480 données. Dernière donnée : 21 nov. 2026 ». */
function sourceLine(source: Source, words: ChartWords): string {
  const count = source.count === undefined ? '' : `, ${formatCount(source.count, words.one, words.many)}`
  const last = source.last ? `. ${words.last}\u00a0: ${formatDate(source.last)}` : ''
  return `Source\u00a0: Ntalo${count}${last}${isOldSource(source) ? ', il y a plus de 30\u00a0jours' : ''}`
}

type Source = NonNullable<ChartFrameProps['source']>

const freshMs = 31 * dayMs

/** Whether the last value of a chart is older than 30 days: the chart is then drawn in grey. */
function isOldSource({ last }: Source): boolean {
  return last != null && Date.now() - Date.parse(last) > freshMs
}
