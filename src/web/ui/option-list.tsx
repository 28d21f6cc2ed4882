import { Check } from 'lucide-react'
import { type Ref, useEffect } from 'react'
import { formatCount } from '#web/format.ts'
import type { Option, OptionsState } from '#web/ui/use-options.ts'

type OptionListProps = {
  ref: Ref<HTMLDivElement>
  id: string
  label: string
  open: boolean
  state: OptionsState
  active: Option | undefined
  selected: Option | null
  onChoose: (option: Option) => void
}

/** The list under a combobox. It never gets the focus: the box refers to the active option. */
export function OptionList({ ref, id, label, open, state, active, selected, onChoose }: OptionListProps) {
  useEffect(() => {
    if (open && active)
      document
        .getElementById(optionId(id, state.options.indexOf(active)))
        ?.scrollIntoView({ block: 'nearest' })
  }, [open, active, id, state.options])
  return (
    <>
      <div
        ref={ref}
        popover="manual"
        className="fixed inset-auto m-0 max-h-72 overflow-y-auto rounded-md border border-line bg-surface p-1.5 text-ink shadow-float"
        onPointerDown={(event) => event.preventDefault()}
      >
        <div
          id={id}
          role="listbox"
          aria-label={label}
          className={state.status === 'loading' ? 'opacity-55' : ''}
        >
          {open &&
            state.options.map((option, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus.
              // biome-ignore lint/a11y/useKeyWithClickEvents: Enter is handled by the box.
              <div
                key={option.value}
                id={optionId(id, index)}
                role="option"
                aria-selected={option.value === selected?.value}
                onClick={() => onChoose(option)}
                className={`flex min-h-11 cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 hover:bg-sunken ${option === active ? 'bg-sunken' : ''}`}
              >
                <span className="min-w-0 flex-1">
                  <span className="block wrap-anywhere">{option.label}</span>
                  {option.hint && <span className="block text-xs text-ink-soft">{option.hint}</span>}
                </span>
                {option.value === selected?.value && (
                  <Check className="size-4 shrink-0 text-river" aria-hidden />
                )}
              </div>
            ))}
        </div>
        {state.options.length === 0 && <p className="px-2.5 py-3 text-ink-soft">{words(state)}</p>}
      </div>
      <span role="status" className="sr-only">
        {open && words(state)}
      </span>
    </>
  )
}

/** Returns the id of the element of an option by its place in the list, for `aria-activedescendant`. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

function words({ status, options }: OptionsState): string {
  if (status === 'failed') return 'La recherche n’a pas abouti. Modifiez le texte pour réessayer.'
  if (status === 'loading') return 'Recherche…'
  return options.length === 0 ? 'Aucun résultat' : formatCount(options.length, 'résultat', 'résultats')
}
