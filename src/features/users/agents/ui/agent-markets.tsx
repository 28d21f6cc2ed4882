import { X } from 'lucide-react'
import { useState } from 'react'
import { type Control, type FieldValues, useController } from 'react-hook-form'
import type { z } from 'zod'
import { marketChoices, marketOption } from '#features/markets/ui/choices.ts'
import { type Agent, agents } from '#features/users/agents/agents.contract.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { FieldError } from '#web/ui/field.tsx'
import type { Option } from '#web/ui/use-options.ts'

type AgentMarketsProps = {
  control: Control<z.input<typeof agents.input>, unknown, FieldValues>
  /** Markets assigned already. */
  markets: Agent['markets']
}

/** The markets of an agent, each with a button to remove it, and a search to add one. */
export function AgentMarkets({ control, markets }: AgentMarketsProps) {
  const { field, fieldState } = useController({ control, name: 'marketIds' })
  const [added, setAdded] = useState<readonly Option[]>([])
  const chosen: readonly unknown[] = field.value ?? []
  const assigned = markets.map(marketOption)
  const shown = [
    ...assigned,
    ...added.filter(({ value }) => !assigned.some((each) => each.value === value)),
  ].filter(({ value }) => chosen.includes(value))
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1.5 text-sm font-medium">{agents.labels.markets}</legend>
      {shown.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {shown.map(({ value, label }) => (
            <li key={value} className="max-w-full">
              <button
                type="button"
                aria-label={`Retirer ${label}`}
                className="inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-full bg-river-soft py-1 pr-2.5 pl-3.5 font-medium text-river hover:bg-sunken md:pointer-fine:min-h-8"
                onClick={() => field.onChange(chosen.filter((id) => id !== value))}
              >
                <span className="min-w-0 text-start wrap-anywhere">{label}</span>
                <X className="size-4 shrink-0" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        label="Ajouter un marché"
        value={null}
        search={marketChoices.search}
        onChange={(option) => {
          if (!option || chosen.includes(option.value)) return
          setAdded([...added.filter(({ value }) => value !== option.value), option])
          field.onChange([...chosen, option.value])
        }}
      />
      {fieldState.error?.message && <FieldError id="marketIds-error">{fieldState.error.message}</FieldError>}
    </fieldset>
  )
}
