import { Download, FileSpreadsheet, FileText, LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ExportFormat, exportPrices } from '#features/prices/exports/exports.contract.ts'
import { messageOf } from '#web/api.ts'
import { download } from '#web/download.ts'
import { formatNumber } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Menu } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.ts'

type ExportMenuProps = {
  /** What the list shows; all its pages are exported. */
  query: { page: number; limit: number } & Record<string, unknown>
}

// The address only: the contract's schemas stay with the server.
const address = { method: 'GET', path: '/api/prices/export' } as const

const formats: { format: ExportFormat; label: string; icon: typeof FileText }[] = [
  { format: 'xlsx', label: 'Classeur Excel (XLSX)', icon: FileSpreadsheet },
  { format: 'csv', label: 'CSV pour tableur', icon: FileText },
  { format: 'csv-machine', label: 'CSV pour programme', icon: FileText },
]

/** « Exporter »: the selection as a file. While it comes, how much has come, and a way to give up. */
export function ExportMenu({ query: { page: _page, limit: _limit, ...query } }: ExportMenuProps) {
  const [received, setReceived] = useState<number | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(format: ExportFormat): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setReceived(0)
    try {
      const input = { query: { ...query, format }, signal: controller.signal }
      await download<typeof exportPrices>(address, input, setReceived)
      toast.success('Le fichier est prêt.', 'Export terminé')
    } catch (error) {
      if (!controller.signal.aborted) toast.error(messageOf(error), 'Erreur lors de l’export')
    } finally {
      setReceived(null)
    }
  }

  if (received !== null) {
    return (
      <div className="flex items-center gap-3">
        <p className="flex items-center gap-2 text-ink-soft tabular-nums">
          <LoaderCircle className="size-4 animate-busy" aria-hidden />
          {`Export en cours\u00a0: ${formatNumber(received / 1e6, 1)}\u00a0Mo`}
        </p>
        <Button onClick={() => running.current?.abort()}>Annuler l’export</Button>
      </div>
    )
  }
  return (
    <Menu
      label="Exporter"
      buttonClassName={buttonClass()}
      button={
        <>
          <Download className="size-4" aria-hidden />
          <span aria-hidden>Exporter</span>
        </>
      }
      items={formats.map(({ format, label, icon }) => ({ label, icon, onSelect: () => void start(format) }))}
    />
  )
}
