import { FileUp } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

type DropZoneProps = {
  /** « Choisir un fichier ou le déposer ici » */
  label: string
  hint?: ReactNode
  accept?: string
  disabled?: boolean
  onFile: (file: File) => void
}

/** A file input that takes the file as soon as it is chosen, by tap, drop or keyboard. */
export function DropZone({ label, hint, accept, disabled, onFile }: DropZoneProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  return (
    <div
      className={`relative flex min-h-32 flex-col items-center justify-center gap-1 rounded-md border border-dashed border-line-strong p-4 text-center has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-river ${over ? 'bg-river-soft' : 'bg-surface'} ${disabled ? 'opacity-55' : ''}`}
    >
      <FileUp className="size-6 text-ink-soft" aria-hidden />
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="max-w-prose text-xs text-ink-soft">
          {hint}
        </p>
      )}
      {/* The input covers the frame, so that the browser handles drop and tap. */}
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Lets the user choose the same file again.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
      />
    </div>
  )
}
