import { useState } from 'react'
import { readChoice, storeChoice } from '#web/device-choices.ts'
import type { ColumnChoice } from '#web/ui/columns.ts'

/**
 * The columns of a list that the user chose, stored on this device.
 *
 * @param list name of the list
 */
export function useColumnChoice(list: string): [ColumnChoice, (choice: ColumnChoice) => void] {
  const name = `columns.${list}`
  const [choice, setChoice] = useState(() => parse(readChoice(name)))
  const choose = (next: ColumnChoice) => {
    setChoice(next)
    storeChoice(name, Object.keys(next).length > 0 ? JSON.stringify(next) : null)
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
    // The stored value is invalid: treated as no choice.
    return {}
  }
}
