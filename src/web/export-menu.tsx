import { Download, FileSpreadsheet, FileText, LoaderCircle, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Endpoint } from '#shared/contract.ts'
import { type Address, messageOf } from '#web/api.ts'
import { download } from '#web/download.ts'
import { formatNumber } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Menu } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.ts'

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
  const [received, setReceived] = useState<number | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(format: string): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setReceived(0)
    try {
      const input = { query: { ...selection, fileFormat: format }, signal: controller.signal }
      await download(endpoint, input, setReceived)
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
        onSelect: () => void start(format),
      }))}
    />
  )
}
