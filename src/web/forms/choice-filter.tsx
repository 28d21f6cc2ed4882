import type { Choices } from '#web/forms/choices.ts'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'
import type { SelectOption } from '#web/ui/select-field.tsx'
import type { Option, SearchOptions } from '#web/ui/use-options.ts'

type SearchFilterProps = FilterControlProps & {
  placeholder: string
  search: SearchOptions
  /** What is in force; its value as it is without it. */
  option?: Option | null
}

/** A filter by one of many, found by letters of its name. */
export function SearchFilter({ label, value, onChange, option, ...rest }: SearchFilterProps) {
  return (
    <Combobox
      {...rest}
      label={label}
      hideLabel
      className="sm:w-52"
      value={option === undefined && value ? { value, label: value } : (option ?? null)}
      onChange={(next) => onChange(next ? String(next.value) : '')}
    />
  )
}

type ChoiceFilterProps = FilterControlProps & {
  choices: Choices
  placeholder: string
  /** Where it may only be some of them: how these are searched for. */
  search?: SearchOptions
}

/** A filter by another row: its id in the address, its name on screen. */
export function ChoiceFilter({ choices, ...props }: ChoiceFilterProps) {
  const option = choices.useOption(props.value ? Number(props.value) : undefined)
  return <SearchFilter search={choices.search} {...props} option={option} />
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
    chip: chipOf(choices),
  }
}

/** How another row is named where it is what is filtered by. */
export function chipOf(choices: Choices) {
  return ({ value }: { value: string }) => choices.useOption(Number(value))?.label ?? '…'
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
