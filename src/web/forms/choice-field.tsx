import { type ComponentProps, useState } from 'react'
import { type Control, type FieldValues, type Path, useController } from 'react-hook-form'
import { Combobox } from '#web/ui/combobox.tsx'
import type { Option } from '#web/ui/use-options.ts'

type ChoiceFieldProps<Values extends FieldValues> = Omit<
  ComponentProps<typeof Combobox>,
  'value' | 'onChange' | 'error'
> & {
  control: Control<Values, unknown, FieldValues>
  name: Path<Values>
  /** Options that are named before any search: the one that is edited. */
  initial?: readonly Option[]
  /** Called once the user has chosen one. */
  onChosen?: () => void
}

/** A combobox in a form, which holds the option's value. */
export function ChoiceField<Values extends FieldValues>(props: ChoiceFieldProps<Values>) {
  const { control, name, initial = [], onChosen, ...rest } = props
  const { field, fieldState } = useController({ control, name })
  const [chosen, setChosen] = useState<Option | null>(null)
  const shown = [chosen, ...initial].find((option) => option?.value === field.value) ?? null
  return (
    <Combobox
      {...rest}
      value={shown}
      error={fieldState.error?.message}
      onChange={(option) => {
        setChosen(option)
        field.onChange(option?.value ?? '')
        if (option) onChosen?.()
      }}
    />
  )
}
