import { type ComponentProps, useEffect, useEffectEvent, useId, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract.ts'
import type { Address } from '#web/api.ts'
import { useAnswer } from '#web/query.ts'
import { FilterInput } from '#web/ui/filter-controls.tsx'
import { TextField } from '#web/ui/inputs.tsx'

const restMs = 400
const suggestionRestMs = 200

/** What to suggest: these texts, or what an endpoint has of what is typed, texts or named rows. */
type Suggested =
  | readonly string[]
  | Address<Endpoint & { response: z.ZodType<{ data: readonly (string | { name: string })[] }> }>

export type FilterControlProps = {
  label: string
  value: string
  /** With the filters that mean nothing any more, by key. */
  onChange: (value: string, others?: Readonly<Record<string, undefined>>) => void
}

type FilterTextProps = ComponentProps<typeof FilterInput> & { suggestions?: Suggested | undefined }

/** A filter that one types, with what exists as suggestions; asked for once the hand has rested. */
export function FilterText({ suggestions, value, onChange, ...rest }: FilterTextProps) {
  const id = useId()
  // null: nothing pending, the box shows what the address holds.
  const [draft, setDraft] = useState<string | null>(null)
  const [isEntered, setEntered] = useState(false)
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
        onFocus={() => setEntered(true)}
        list={id}
      />
      {suggestions && <Suggestions id={id} of={suggestions} typed={isEntered ? (draft ?? value) : null} />}
    </>
  )
}

/** A text field that suggests what exists, so that one thing is not written in two ways. */
export function SuggestField({
  suggestions,
  onChange,
  ...rest
}: ComponentProps<typeof TextField> & { suggestions: Suggested }) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <>
      <TextField
        {...rest}
        list={id}
        autoComplete="off"
        onFocus={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          return onChange?.(event)
        }}
      />
      <Suggestions id={id} of={suggestions} typed={typed} />
    </>
  )
}

type SuggestionsProps<Of> = {
  id: string
  of: Of
  /** Null: nobody has been in the field yet, and nothing is asked for. */
  typed: string | null
}

function Suggestions({ id, of, typed }: SuggestionsProps<Suggested>) {
  return 'path' in of ? <Asked id={id} of={of} typed={typed} /> : <Texts id={id} values={of} />
}

/** Asked for as one types: there may be thousands. */
function Asked({ id, of, typed }: SuggestionsProps<Exclude<Suggested, readonly string[]>>) {
  const search = useRested((typed ?? '').trim())
  const { data } = useAnswer(of, { query: { search } }, { enabled: typed !== null, keepsPrevious: true })
  const texts = (data?.data ?? []).map((each) => (typeof each === 'string' ? each : each.name))
  return <Texts id={id} values={[...new Set(texts)]} />
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), suggestionRestMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

function Texts({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
