import { useId } from 'react'

type SegmentedProps<Value extends string | number> = {
  label: string
  options: readonly { value: Value; label: string; name?: string }[]
  value: Value
  onChange: (value: Value) => void
  className?: string
}

/** One choice among a few, side by side: 7 j, 30 j, 90 j. `name` is the long form read aloud. */
export function Segmented<Value extends string | number>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange, className = '' } = props
  const group = useId()
  return (
    <fieldset
      className={`inline-flex h-control shrink-0 rounded-md border border-line-strong bg-surface p-0.5 ${className}`}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={option.name}
          className="flex min-w-11 flex-1 items-center justify-center rounded-md px-3 text-sm font-medium whitespace-nowrap text-ink-soft hover:text-ink has-checked:bg-river-soft has-checked:text-river has-focus-visible:outline-2 has-focus-visible:outline-river"
        >
          <input
            type="radio"
            name={group}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            aria-label={option.name}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
