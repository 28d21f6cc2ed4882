import { type Control, type FieldValues, type Path, useController } from 'react-hook-form'
import { FieldGroup } from '#web/ui/field.tsx'
import { Checkbox } from '#web/ui/inputs.tsx'

/** An option; `isFixed`: it cannot be changed by the user. */
export type CheckboxOption = { value: number | string; label: string; hint?: string; isFixed?: boolean }

type CheckboxListProps<Values extends FieldValues> = {
  control: Control<Values, unknown, FieldValues>
  name: Path<Values>
  label: string
  /** Groups of options with their headings; a group without a heading has no frame. */
  groups: readonly { label?: string; options: readonly CheckboxOption[] }[]
}

/** A list of checkboxes in a form, whose value is the list of the checked ids or names. */
export function CheckboxList<Values extends FieldValues>(props: CheckboxListProps<Values>) {
  const { control, name, label, groups } = props
  const { field, fieldState } = useController({ control, name })
  const chosen: readonly (number | string)[] = field.value
  const toggle = (value: number | string) =>
    field.onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
  const error = fieldState.error?.message
  const firstOption = groups.flatMap(({ options }) => options).find(({ isFixed }) => !isFixed)
  return (
    <FieldGroup label={label} error={error}>
      <div className="grid gap-x-6 gap-y-3 rounded-md border border-line px-4 py-2 sm:grid-cols-2">
        {groups.map((group) => (
          <div key={group.label ?? ''} className={group.label ? '' : 'contents'}>
            {group.label && <p className="pt-2 text-xs font-semibold text-ink-soft">{group.label}</p>}
            {group.options.map(({ value, isFixed, ...option }) => (
              <Checkbox
                key={value}
                {...option}
                disabled={isFixed}
                // The form focuses the first control that is marked.
                aria-invalid={error !== undefined && value === firstOption?.value ? true : undefined}
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
              />
            ))}
          </div>
        ))}
      </div>
    </FieldGroup>
  )
}
