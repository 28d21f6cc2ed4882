import { Download, FileSpreadsheet, FileText, type LucideIcon } from 'lucide-react'
import type { Endpoint } from '#shared/contract.ts'
import type { Address } from '#web/api.ts'
import { FileProgress, useDownload, useFocusOfDownload } from '#web/file-progress.tsx'
import { formatNumber } from '#web/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Menu } from '#web/ui/menu.tsx'

type ExportMenuProps = {
  endpoint: Address<Endpoint>
  label?: string
  /** Query of the list; all its pages are exported. */
  query?: { page?: number; limit?: number } & Record<string, unknown>
  /** Formats that the endpoint offers besides the common ones. */
  others?: readonly FileChoice[]
}

export type FileChoice = { format: string; label: string; icon: LucideIcon }

const formats: readonly FileChoice[] = [
  { format: 'xlsx', label: 'Classeur Excel (XLSX)', icon: FileSpreadsheet },
  { format: 'csv', label: 'CSV pour tableur', icon: FileText },
]

/**
 * « Exporter »: downloads the selection as a file; during the download, shows its progress and a button to cancel it.
 */
export function ExportMenu({ endpoint, label = 'Exporter', query = {}, others = [] }: ExportMenuProps) {
  const { page: _page, limit: _limit, ...selection } = query
  const { received, start, cancel } = useDownload(endpoint, {
    done: 'Export terminé',
    failed: 'Erreur lors de l’export',
  })

  const box = useFocusOfDownload<HTMLDivElement>(received !== null)

  return (
    <div ref={box} className="contents">
      {received !== null ? (
        <FileProgress
          text={`Export en cours\u00a0: ${formatNumber(received / 1e6, 1)}\u00a0Mo`}
          cancelLabel="Annuler l’export"
          onCancel={cancel}
        />
      ) : (
        <Menu
          label={label}
          buttonClassName={buttonClass()}
          button={
            <>
              <Download className="size-4" aria-hidden />
              <span aria-hidden>{label}</span>
            </>
          }
          items={[...formats, ...others].map(({ format, label, icon }) => ({
            label,
            icon,
            onSelect: () => void start({ query: { ...selection, fileFormat: format } }),
          }))}
        />
      )}
    </div>
  )
}
