import { useEffect, useEffectEvent, useRef, useState } from 'react'

type DraftOptions = {
  /** The text in effect: in the address, or in the state of the page. */
  value: string
  /** Called with the trimmed text after a pause in typing, and when the box loses the focus. */
  onCommit: (text: string) => void
  /** Length of the pause, in milliseconds. */
  debounceMs: number
  /** Whether a pause commits this text; false for a text that cannot be complete. */
  isComplete?: (text: string) => boolean
}

const nothingSent: { text: string | null; unanswered: number } = { text: null, unanswered: 0 }

/**
 * Text of a box that is committed while it is being typed. The box shows what was typed, not what was understood of it,
 * until it loses the focus or the value changes for another reason (the back button): replacing « riz » and a space by
 * « riz » would join the next word to it.
 */
export function useDraft({ value, onCommit, debounceMs, isComplete = () => true }: DraftOptions) {
  // Null while nothing is being typed: the box shows the value.
  const [draft, setDraft] = useState<string | null>(null)
  const sent = useRef(nothingSent)
  const commit = (typed: string) => {
    const text = typed.trim()
    if (text === (sent.current.text ?? value)) return
    sent.current = { text, unanswered: sent.current.unanswered + 1 }
    onCommit(text)
  }
  const end = () => {
    sent.current = nothingSent
    setDraft(null)
  }
  const commitComplete = useEffectEvent((text: string) => {
    if (isComplete(text)) commit(text)
  })
  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => commitComplete(draft), debounceMs)
    return () => clearTimeout(timer)
  }, [draft, debounceMs])
  const answer = useEffectEvent(() => {
    if (sent.current.unanswered === 0) end()
    else sent.current = { ...sent.current, unanswered: sent.current.unanswered - 1 }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the value in effect has changed.
  useEffect(() => answer(), [value])
  return {
    shown: draft ?? value,
    type: setDraft,
    /** Commits the shown text, or another one, without a pause. */
    commit: (text = draft ?? value) => {
      setDraft(text)
      commit(text)
    },
    /** For the box that loses the focus. */
    leave: () => {
      if (draft === null) return
      commit(draft)
      end()
    },
  }
}
