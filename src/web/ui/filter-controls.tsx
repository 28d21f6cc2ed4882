import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import type { SelectOption } from '#web/ui/select-field.tsx'

type FilterSelectProps = {
  label: string
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
  /** Label of the option with an empty value, which turns the filter off. */
  allLabel?: string
}

/** A filter by choice, with its name inside the frame. */
export function FilterSelect({ label, value, options, onChange, allLabel = 'Tous' }: FilterSelectProps) {
  const id = useId()
  return (
    <FilterFrame id={id} label={label} active={value !== ''}>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="h-full min-w-0 flex-1 cursor-pointer appearance-none truncate bg-transparent pr-9 pl-1.5 font-medium text-ink outline-none sm:max-w-52 [&>option]:bg-surface"
      >
        <option value="">{allLabel}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute right-3 size-4 text-ink-soft" aria-hidden />
    </FilterFrame>
  )
}

type FilterInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  label: string
  value: string
  onChange: (value: string) => void
}

/** A filter by day, amount or word, with its name inside the frame. */
export function FilterInput({ label, value, onChange, className = 'sm:w-32', ...rest }: FilterInputProps) {
  const id = useId()
  return (
    <FilterFrame id={id} label={label} active={value !== ''}>
      <input
        {...rest}
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        className={`h-full min-w-0 flex-1 bg-transparent pr-3 pl-1.5 font-medium text-ink outline-none ${className}`}
      />
    </FilterFrame>
  )
}

type FilterFrameProps = { id: string; label: string; active: boolean; children: ReactNode }

function FilterFrame({ id, label, active, children }: FilterFrameProps) {
  return (
    <span
      className={`relative inline-flex h-control items-center rounded-md border bg-surface text-base sm:text-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-river ${active ? 'border-river' : 'border-line-strong'}`}
    >
      <label htmlFor={id} className="shrink-0 pl-3 text-ink-soft">
        {label}
      </label>
      {children}
    </span>
  )
}
