import { Download } from 'lucide-react'
import { type Edition, editions } from '#features/editions/editions.contract.ts'
import { FileProgress, useDownload, useFocusOfDownload } from '#web/file-progress.tsx'
import { formatNumber } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'

const labels = { csv: 'CSV (gzip, HXL)', parquet: 'Parquet', datapackage: 'Description (Data Package)' }

/** Lists the files of an edition to download, each with its hash. */
export function EditionFiles({ edition: { number, files } }: { edition: Edition }) {
  return (
    <ul className="divide-y divide-line">
      {files.map((file) => (
        <EditionFile key={file.format} number={number} file={file} />
      ))}
    </ul>
  )
}

type EditionFileProps = { number: number; file: Edition['files'][number] }

function EditionFile({ number, file: { format, name, bytes, sha256 } }: EditionFileProps) {
  const { received, start, cancel } = useDownload(editions.file, {
    done: 'Téléchargement terminé',
    failed: 'Erreur lors du téléchargement',
  })
  const line = useFocusOfDownload<HTMLLIElement>(received !== null)
  return (
    <li ref={line} className="flex min-h-14 flex-wrap items-center justify-between gap-3 py-2">
      <span className="min-w-0 flex-1 basis-60">
        <span className="block font-medium">{`${labels[format]}, ${sizeOf(bytes)}`}</span>
        <span className="block break-all font-mono text-xs text-ink-soft">{`SHA-256 ${sha256}`}</span>
      </span>
      {received === null ? (
        <Button
          icon={Download}
          aria-label={`Télécharger ${name}`}
          onClick={() => void start({ params: { id: number }, query: { format } })}
        >
          Télécharger
        </Button>
      ) : (
        <FileProgress
          text={`${sizeOf(received)} sur ${sizeOf(bytes)}`}
          cancelLabel="Annuler"
          onCancel={cancel}
        />
      )}
    </li>
  )
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? `${formatNumber(Math.ceil(bytes / 1_000), 0)}\u00a0ko`
    : `${formatNumber(bytes / 1_000_000, 1)}\u00a0Mo`
}
