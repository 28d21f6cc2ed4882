import type { Choices } from '#web/forms/choices.ts'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'
import type { SelectOption } from '#web/ui/select-field.tsx'

type ChoiceFilterProps = FilterControlProps & {
  choices: Choices
  placeholder: string
  /** Where it may only be some of them: how these are searched for. */
  search?: Choices['search']
}

/** A filter by another row: its id in the address, its name on screen. */
export function ChoiceFilter({ choices, placeholder, search, label, value, onChange }: ChoiceFilterProps) {
  return (
    <Combobox
      label={label}
      hideLabel
      className="sm:w-52"
      placeholder={placeholder}
      value={choices.useOption(value ? Number(value) : undefined)}
      search={search ?? choices.search}
      onChange={(option) => onChange(option ? String(option.value) : '')}
    />
  )
}

/**
 * The control and the chip of a filter by another row.
 *
 * @param placeholder what filters nothing: « Toutes les catégories »
 */
export function choiceFilter(choices: Choices, placeholder: string) {
  return {
    control: (props: FilterControlProps) => (
      <ChoiceFilter {...props} choices={choices} placeholder={placeholder} />
    ),
    chip: ({ value }: { value: string }) => choices.useOption(Number(value))?.label ?? '…',
  }
}

/**
 * The control and the chip of a filter by one of a few values.
 *
 * @param allLabel what filters nothing: « Toutes »
 */
export function selectFilter(options: readonly SelectOption[], allLabel: string) {
  return {
    control: (props: FilterControlProps) => <FilterSelect {...props} options={options} allLabel={allLabel} />,
    chip: ({ value }: { value: string }) => options.find((option) => option.value === value)?.label ?? value,
  }
}
