import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { keepChoice, readChoice } from '#web/device-choices.ts'
import { createSubscribers } from '#web/subscribers.ts'

/** Keyboard shortcuts of every page, as listed in the help. */
export const shortcuts = [
  { keys: '/', does: 'Rechercher dans la liste' },
  { keys: 'Ctrl + K', does: 'Aller à un écran ou à une fiche' },
  { keys: 'n', does: 'Ajouter ou créer' },
  { keys: 'Ctrl + B', does: 'Replier ou déplier le menu' },
  { keys: '?', does: 'Cette liste' },
] as const

const choice = 'shortcuts'
const subscribers = createSubscribers()

/** Whether keyboard shortcuts are on, on this device; the user can turn them off. */
export function useShortcutsOn(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribers.subscribe, () => readChoice(choice) !== 'off')
  const set = (next: boolean) => {
    keepChoice(choice, next ? null : 'off')
    subscribers.notify()
  }
  return [isOn, set]
}

type Deeds = { goTo: () => void; list: () => void }

/** Handles the shortcuts of a page: single keys only when no field has the focus and no dialog is open. */
export function useShortcuts(deeds: Deeds): void {
  useKeys((event) => {
    if (event.defaultPrevented || event.altKey) return
    const isGoTo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'k'
    const deed = isGoTo ? deeds.goTo : isTaken(event) ? undefined : deedOf(event.key, deeds)
    if (!deed) return
    event.preventDefault()
    deed()
  })
}

/** Handles single keys of one page, which shows on screen what each does. */
export function usePageKeys(deeds: Record<string, () => void>): void {
  useKeys((event) => {
    if (event.defaultPrevented || event.altKey || event.repeat || isTaken(event)) return
    const deed = deeds[event.key.toLowerCase()]
    if (!deed) return
    event.preventDefault()
    deed()
  })
}

/** Listens to every key while shortcuts are on. */
function useKeys(hear: (event: KeyboardEvent) => void): void {
  const [isOn] = useShortcutsOn()
  const onKey = useEffectEvent(hear)
  useEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [isOn])
}

function isTaken({ ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), select, textarea'))
  return ctrlKey || metaKey || isTyping || document.querySelector('dialog[open]') !== null
}

function deedOf(key: string, { list }: Deeds): (() => void) | undefined {
  const search = document.querySelector<HTMLInputElement>('main input[type=search]')
  const create = document.querySelector<HTMLButtonElement>('[data-primary-action] button')
  if (key === '/' && search) return () => search.focus()
  if (key === 'n' && create) return () => create.click()
  return key === '?' ? list : undefined
}
