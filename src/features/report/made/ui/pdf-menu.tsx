import { useQueryClient } from '@tanstack/react-query'
import { FileChartColumn, FilePlus2, LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { madeReportAddresses } from '#features/report/made/made.addresses.ts'
import type { MadeReport, madeReports } from '#features/report/made/made.contract.ts'
import { call } from '#web/api.ts'
import { download } from '#web/download.ts'
import { formatCount, formatDateTime } from '#web/format.ts'
import { statementOf, useAnswer } from '#web/query.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Menu } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.ts'

const isUnfinished = ({ state }: MadeReport) => state === 'waiting' || state === 'drawing'
const lookAgainMs = 1_500

/** « PDF »: requests a PDF of the selection, shows its progress, and lists the PDFs of the last 30 days. */
export function PdfMenu({ query }: { query: Record<string, unknown> }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<number | null>(null)
  const { data } = useAnswer<typeof madeReports.list>(
    madeReportAddresses.list,
    {},
    { pauseMs: (answer) => (answer?.data.some(isUnfinished) ? lookAgainMs : false) },
  )
  const reports = data?.data ?? []
  const unfinished = reports.find(isUnfinished)
  const mine = reports.find(({ id }) => id === asked)

  // Downloads the report requested here as soon as it is ready.
  useEffect(() => {
    if (!mine || isUnfinished(mine)) return
    setAsked(null)
    if (mine.state === 'done') void save(mine)
    else toast.error('Le rapport n’a pas pu être dessiné. Demandez-le de nouveau.')
  }, [mine])

  async function ask(): Promise<void> {
    try {
      const report = await call<typeof madeReports.create>(madeReportAddresses.create, { query })
      toast.success(report.message)
      setAsked(report.id)
      await client.invalidateQueries({ queryKey: [madeReportAddresses.list.path] })
    } catch (error) {
      toast.error(statementOf(error))
    }
  }

  return (
    <Menu
      label="PDF"
      buttonClassName={buttonClass()}
      button={
        <>
          {unfinished ? (
            <LoaderCircle className="size-4 animate-busy" aria-hidden />
          ) : (
            <FileChartColumn className="size-4" aria-hidden />
          )}
          <span aria-hidden>PDF</span>
        </>
      }
      items={[
        {
          label: 'Préparer un nouveau PDF',
          icon: FilePlus2,
          onSelect: () => void ask(),
        },
        ...reports.map((report, i) => ({
          label: `${formatDateTime(report.createdAt)}\u00a0: ${stateOf(report)}`,
          separated: i === 0,
          disabled: report.state !== 'done',
          onSelect: () => void save(report),
        })),
      ]}
    />
  )
}

/** Returns the progress of a report: « 2 rapports avant lui », « en préparation », « prêt ». */
function stateOf({ state, ahead }: MadeReport): string {
  if (state === 'done') return 'prêt'
  if (state === 'failed') return 'échec'
  return ahead > 0 ? `${formatCount(ahead, 'rapport', 'rapports')} avant lui` : 'en préparation'
}

async function save({ id }: MadeReport): Promise<void> {
  try {
    const input = { params: { id }, signal: new AbortController().signal }
    await download<typeof madeReports.file>(madeReportAddresses.file, input, () => {})
  } catch (error) {
    toast.error(statementOf(error))
  }
}
