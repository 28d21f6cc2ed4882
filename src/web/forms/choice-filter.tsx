import type { Choices } from '#web/forms/choices.ts'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import { Combobox } from '#web/ui/combobox.tsx'

/**
 * The control and the chip of a filter by another row: its id in the address, its name on screen.
 *
 * @param placeholder what filters nothing: « Toutes les catégories »
 */
export function choiceFilter(choices: Choices, placeholder: string) {
  return {
    control: ({ label, value, onChange }: FilterControlProps) => (
      <Combobox
        label={label}
        hideLabel
        className="sm:w-56"
        placeholder={placeholder}
        value={choices.useOption(value ? Number(value) : undefined)}
        search={choices.search}
        onChange={(option) => onChange(option ? String(option.value) : '')}
      />
    ),
    chip: ({ value }: { value: string }) => choices.useOption(Number(value))?.label ?? '…',
  }
}
