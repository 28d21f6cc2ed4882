import { useState } from 'react'
import { keepChoice, readChoice } from '#web/device-choices.ts'
import type { ColumnChoice } from '#web/ui/columns.ts'

/**
 * Which columns of a list somebody wants to see, stored on this device.
 *
 * @param list what the list is called
 */
export function useColumnChoice(list: string): [ColumnChoice, (choice: ColumnChoice) => void] {
  const name = `columns.${list}`
  const [choice, setChoice] = useState(() => parse(readChoice(name)))
  const choose = (next: ColumnChoice) => {
    setChoice(next)
    keepChoice(name, Object.keys(next).length > 0 ? JSON.stringify(next) : null)
  }
  return [choice, choose]
}

function parse(text: string | null): ColumnChoice {
  try {
    const entries = Object.entries<unknown>(JSON.parse(text ?? '{}'))
    return Object.fromEntries(
      entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    )
  } catch {
    // Written by something else: as if nothing had been chosen.
    return {}
  }
}
