import { type ComponentProps, useEffect, useId, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract.ts'
import type { Address } from '#web/api.ts'
import { useAnswer } from '#web/query.ts'
import { FilterInput } from '#web/ui/filter-controls.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { useDraft } from '#web/ui/use-draft.ts'

const debounceMs = 400
const suggestionDebounceMs = 200

/** Source of suggestions: fixed texts, or an endpoint that returns texts or named rows matching what is typed. */
type Suggested =
  | readonly string[]
  | Address<Endpoint & { response: z.ZodType<{ data: readonly (string | { name: string })[] }> }>

export type FilterControlProps = {
  label: string
  value: string
  /** Called with the new value, and the other filters to clear, by key. */
  onChange: (value: string, others?: Readonly<Record<string, undefined>>) => void
}

type FilterTextProps = ComponentProps<typeof FilterInput> & {
  suggestions?: Suggested | undefined
  /** Whether a pause applies this text; false for one that cannot be complete. */
  isComplete?: (text: string) => boolean
}

/** A text filter with suggestions of existing values; applied after a pause in typing. */
export function FilterText({ suggestions, isComplete, value, onChange, ...rest }: FilterTextProps) {
  const id = useId()
  const [isEntered, setEntered] = useState(false)
  const { shown, type, leave } = useDraft({
    value,
    onCommit: onChange,
    debounceMs,
    ...(isComplete && { isComplete }),
  })
  return (
    <>
      <FilterInput
        placeholder="Tous"
        {...rest}
        value={shown}
        onChange={type}
        // The sheet around the filter may close before the pause ends.
        onBlur={leave}
        onFocus={() => setEntered(true)}
        list={id}
      />
      {suggestions && <Suggestions id={id} of={suggestions} typed={isEntered ? shown : null} />}
    </>
  )
}

/** A text field that suggests existing values, so that the same thing is not written in two ways. */
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
  /** Null until the field gets the focus: nothing is requested before. */
  typed: string | null
}

function Suggestions({ id, of, typed }: SuggestionsProps<Suggested>) {
  return 'path' in of ? <Asked id={id} of={of} typed={typed} /> : <Texts id={id} values={of} />
}

/** Suggestions requested while typing, because there may be thousands. */
function Asked({ id, of, typed }: SuggestionsProps<Exclude<Suggested, readonly string[]>>) {
  const search = useDebounced((typed ?? '').trim())
  const { data } = useAnswer(of, { query: { search } }, { enabled: typed !== null, keepsPrevious: true })
  const texts = (data?.data ?? []).map((each) => (typeof each === 'string' ? each : each.name))
  return <Texts id={id} values={[...new Set(texts)]} />
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), suggestionDebounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
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
