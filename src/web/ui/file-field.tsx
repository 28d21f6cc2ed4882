import { FileUp, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '#web/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Field, type FieldProps } from '#web/ui/field.tsx'

type FileFieldProps = FieldProps & {
  accept?: string
  value: File | null
  onChange: (file: File | null) => void
  /** Address of the stored picture, shown until another one is chosen. */
  currentUrl?: string | null
}

/** A file input by tap or drop; shows the file's name, its size and, for a picture, a preview. */
export function FileField({ accept, value, onChange, currentUrl, ...field }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const preview = usePreview(value) ?? currentUrl
  const [broken, setBroken] = useState<string | null>(null)
  const clear = () => {
    if (input.current) input.current.value = ''
    onChange(null)
    // The button that was pressed disappears.
    input.current?.focus()
  }
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <div
            className={`flex min-h-20 items-center gap-3 rounded-md border border-dashed border-line-strong p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-river ${over ? 'bg-river-soft' : 'bg-surface'}`}
          >
            {preview && preview !== broken ? (
              <img
                src={preview}
                alt=""
                onError={() => setBroken(preview)}
                className="size-14 shrink-0 rounded-md border border-line object-cover"
              />
            ) : (
              <FileUp className="size-6 shrink-0 text-ink-soft" aria-hidden />
            )}
            <div className="min-w-0 flex-1">
              <p className={`font-medium ${value ? 'truncate pr-11' : ''}`}>
                {value ? value.name : 'Choisir un fichier ou le déposer ici'}
              </p>
              {value && <p className="text-xs text-ink-soft">{fileWeight(value.size)}</p>}
            </div>
          </div>
          {/* The input covers the frame, so that the browser handles drop and tap. */}
          <input
            ref={input}
            {...control}
            type="file"
            accept={accept}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
            onChange={(event) => onChange(event.currentTarget.files?.[0] ?? null)}
            onDragEnter={() => setOver(true)}
            onDragLeave={() => setOver(false)}
            onDrop={() => setOver(false)}
          />
          {value && (
            <IconButton
              label="Retirer le fichier"
              icon={X}
              onClick={clear}
              className="absolute top-4 right-2 bg-surface"
            />
          )}
        </div>
      )}
    </Field>
  )
}

/** Formats a file size: `480 ko`, `1,2 Mo`. */
export function fileWeight(bytes: number): string {
  const kilobytes = bytes / 1000
  return kilobytes < 1000
    ? `${formatNumber(Math.max(1, Math.round(kilobytes)))} ko`
    : `${formatNumber(kilobytes / 1000, 1)} Mo`
}

function usePreview(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return
    const next = URL.createObjectURL(file)
    setUrl(next)
    return () => {
      URL.revokeObjectURL(next)
      setUrl(null)
    }
  }, [file])
  return url
}
