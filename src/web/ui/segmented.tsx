type SegmentedProps<Value extends string | number> = {
  label: string
  options: readonly { value: Value; label: string; name?: string }[]
  value: Value
  onChange: (value: Value) => void
  className?: string
}

/**
 * A choice among a few options, side by side: 7j, 30j, 90j. `name` is the long form, on hover and for screen readers.
 */
export function Segmented<Value extends string | number>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange, className = '' } = props
  return (
    <fieldset
      className={`inline-flex h-control shrink-0 rounded-md border border-line-strong bg-surface p-0.5 ${className}`}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          // The accessible name remains the visible text, for voice control; the title is only a description.
          title={option.name}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="min-w-11 grow rounded-md px-3 text-sm font-medium whitespace-nowrap text-ink-soft hover:text-ink aria-pressed:bg-river-soft aria-pressed:text-river"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
