import { type ComponentProps, useEffect, useEffectEvent, useId, useState } from 'react'
import { FilterInput } from '#web/ui/filter-controls.tsx'
import { TextField } from '#web/ui/inputs.tsx'

const restMs = 400

export type FilterControlProps = {
  label: string
  value: string
  /** With the filters that mean nothing any more, by key. */
  onChange: (value: string, others?: Readonly<Record<string, undefined>>) => void
}

type FilterTextProps = ComponentProps<typeof FilterInput> & { suggestions?: readonly string[] }

/** A filter that one types, with what exists as suggestions; asked for once the hand has rested. */
export function FilterText({ suggestions = [], value, onChange, ...rest }: FilterTextProps) {
  const id = useId()
  // null: nothing pending, the box shows what the address holds.
  const [draft, setDraft] = useState<string | null>(null)
  const commit = (text: string) => {
    setDraft(null)
    if (text.trim() !== value) onChange(text.trim())
  }
  const speak = useEffectEvent(commit)
  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => speak(draft), restMs)
    return () => clearTimeout(timer)
  }, [draft])
  return (
    <>
      <FilterInput
        placeholder="Tous"
        {...rest}
        value={draft ?? value}
        onChange={setDraft}
        // The sheet around it may be closed before the hand has rested.
        onBlur={() => draft !== null && commit(draft)}
        list={id}
      />
      <Suggestions id={id} values={suggestions} />
    </>
  )
}

/** A text field that suggests what exists, so that one thing is not written in two ways. */
export function SuggestField({
  suggestions,
  ...rest
}: ComponentProps<typeof TextField> & { suggestions: readonly string[] }) {
  const id = useId()
  return (
    <>
      <TextField {...rest} list={id} autoComplete="off" />
      <Suggestions id={id} values={suggestions} />
    </>
  )
}

function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
