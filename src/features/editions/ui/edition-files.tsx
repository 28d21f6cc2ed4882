import { Download } from 'lucide-react'
import { useState } from 'react'
import { type Edition, editions } from '#features/editions/editions.contract.ts'
import { download } from '#web/download.ts'
import { formatNumber } from '#web/format.ts'
import { statementOf } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

const labels = { csv: 'CSV (gzip, HXL)', parquet: 'Parquet', datapackage: 'Description (Data Package)' }

/** Lists the files of an edition to download, each with its hash. */
export function EditionFiles({ edition: { number, files } }: { edition: Edition }) {
  const [busy, setBusy] = useState<string | null>(null)
  async function save(format: Edition['files'][number]['format']): Promise<void> {
    setBusy(format)
    try {
      const input = { params: { id: number }, query: { format }, signal: new AbortController().signal }
      await download(editions.file, input, () => {})
    } catch (error) {
      toast.error(statementOf(error))
    } finally {
      setBusy(null)
    }
  }
  return (
    <ul className="divide-y divide-line">
      {files.map(({ format, name, bytes, sha256 }) => (
        <li key={format} className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2">
          <span className="min-w-0 flex-1 basis-60">
            <span className="block font-medium">{`${labels[format]}, ${sizeOf(bytes)}`}</span>
            <span className="block break-all font-mono text-xs text-ink-soft">{`SHA-256 ${sha256}`}</span>
          </span>
          <Button
            icon={Download}
            busy={busy === format}
            aria-label={`Télécharger ${name}`}
            onClick={() => void save(format)}
          >
            Télécharger
          </Button>
        </li>
      ))}
    </ul>
  )
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? `${formatNumber(Math.ceil(bytes / 1_000), 0)}\u00a0ko`
    : `${formatNumber(bytes / 1_000_000, 1)}\u00a0Mo`
}
