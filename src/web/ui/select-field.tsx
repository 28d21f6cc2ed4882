import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Field, type FieldProps } from '#web/ui/field.tsx'

export type SelectOption = { value: string | number; label: string; disabled?: boolean }
type SelectFieldProps = FieldProps &
  Omit<ComponentProps<'select'>, keyof FieldProps> & {
    options: readonly SelectOption[]
    placeholder?: string
  }

/** A choice in a short list. For more than a few dozen options, use the combobox. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, required, hideLabel, className, options, placeholder, ...rest } = props
  return (
    <Field {...{ label, hint, error, required, hideLabel, className }}>
      {(control) => (
        <span className="relative block">
          <select {...rest} {...control} className={`${control.className} appearance-none pr-9`}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-soft"
            aria-hidden
          />
        </span>
      )}
    </Field>
  )
}
