import { type ComponentProps, useState } from 'react'
import { type Control, type FieldValues, type Path, useController } from 'react-hook-form'
import { type First, FirstStep } from '#web/forms/first-step.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import type { Option } from '#web/ui/use-options.ts'

type ChoiceFieldProps<Values extends FieldValues> = Omit<
  ComponentProps<typeof Combobox>,
  'value' | 'onChange' | 'error'
> & {
  control: Control<Values, unknown, FieldValues>
  name: Path<Values>
  /** Options known before any search, such as the current value. */
  initial?: readonly Option[]
  /** What to create first when there is nothing to choose. */
  first?: First
  /** Called when the user has chosen an option. */
  onChosen?: () => void
}

/** A combobox in a form, whose value is that of the chosen option. */
export function ChoiceField<Values extends FieldValues>(props: ChoiceFieldProps<Values>) {
  const { control, name, initial = [], first, onChosen, ...rest } = props
  const { field, fieldState } = useController({ control, name })
  const [chosen, setChosen] = useState<Option | null>(null)
  const shown = [chosen, ...initial].find((option) => option?.value === field.value) ?? null
  const choose = (option: Option | null) => {
    setChosen(option)
    field.onChange(option?.value ?? '')
    if (option) onChosen?.()
  }
  const box = <Combobox {...rest} value={shown} error={fieldState.error?.message} onChange={choose} />
  if (!first) return box
  return (
    <div>
      {box}
      <FirstStep {...first} onCreated={choose} />
    </div>
  )
}
