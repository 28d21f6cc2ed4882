import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { controlClass } from '#web/ui/control-class.ts'
import { useDraft } from '#web/ui/use-draft.ts'

type SearchFieldProps = {
  /** Accessible name: « Rechercher une marque ». */
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
}

/** A search box that calls back after a pause of 300 ms in typing, or immediately on Enter. */
export function SearchField({ label, placeholder = 'Rechercher…', value, onChange }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const { shown, type, commit, leave } = useDraft({ value, onCommit: onChange, debounceMs: 300 })
  return (
    <div className="relative">
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-ink-soft"
        aria-hidden
      />
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        aria-keyshortcuts="/"
        aria-label={label}
        placeholder={placeholder}
        value={shown}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Inside a form, Enter in the search box searches without submitting the form.
          event.preventDefault()
          commit()
        }}
        className={`${controlClass} pl-10 ${shown === '' ? 'pr-3' : 'pr-11'} text-ellipsis [&::-webkit-search-cancel-button]:hidden`}
      />
      {shown !== '' && (
        <button
          type="button"
          aria-label="Effacer la recherche"
          // The box keeps the focus: leaving it would commit its text first.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            commit('')
            input.current?.focus()
          }}
          className="absolute top-0 right-0 flex size-control items-center justify-center rounded-md text-ink-soft hover:text-ink"
        >
          <X className="size-4.5" aria-hidden />
        </button>
      )}
    </div>
  )
}
