import type { Choices } from '#web/forms/choices.ts'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'
import type { SelectOption } from '#web/ui/select-field.tsx'
import type { Option, SearchOptions } from '#web/ui/use-options.ts'

type SearchFilterProps = FilterControlProps & {
  placeholder: string
  search: SearchOptions
  /** The active option; when absent, the raw value is shown. */
  option?: Option | null
}

/** A filter with one of many options, searched by name. */
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
  /** Search that replaces the default one, to offer only some of the rows. */
  search?: SearchOptions
}

/** A filter by a row of another resource: its id in the address, its name on screen. */
export function ChoiceFilter({ choices, ...props }: ChoiceFilterProps) {
  const option = choices.useOption(props.value ? Number(props.value) : undefined)
  return <SearchFilter search={choices.search} {...props} option={option} />
}

/**
 * Returns the control and the chip of a filter by a row of another resource.
 *
 * @param placeholder text when the filter is not active: « Toutes les catégories »
 */
export function choiceFilter(choices: Choices, placeholder: string) {
  return {
    control: (props: FilterControlProps) => (
      <ChoiceFilter {...props} choices={choices} placeholder={placeholder} />
    ),
    chip: chipOf(choices),
  }
}

/** Returns a chip component that shows the name of the row of the filter. */
export function chipOf(choices: Choices) {
  return ({ value }: { value: string }) => choices.useName(Number(value)) ?? ''
}

/**
 * Returns the control and the chip of a filter with a few fixed values.
 *
 * @param allLabel text when the filter is not active: « Toutes »
 */
export function selectFilter(options: readonly SelectOption[], allLabel: string) {
  return {
    control: (props: FilterControlProps) => <FilterSelect {...props} options={options} allLabel={allLabel} />,
    chip: ({ value }: { value: string }) => options.find((option) => option.value === value)?.label ?? value,
  }
}
