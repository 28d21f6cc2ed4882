import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { readChoice, storeChoice } from '#web/device-choices.ts'
import { createListeners } from '#web/listeners.ts'

/** Keyboard shortcuts of every page, as listed in the help. */
export const shortcuts = [
  { keys: '/', does: 'Rechercher dans la liste' },
  { keys: 'Ctrl + K', does: 'Aller à un écran ou à une fiche' },
  { keys: 'n', does: 'Ajouter ou créer' },
  { keys: 'Ctrl + B', does: 'Replier ou déplier le menu' },
  { keys: '?', does: 'Cette liste' },
] as const

const choice = 'shortcuts'
const listeners = createListeners()

/** Whether keyboard shortcuts are on, on this device; the user can turn them off. */
export function useShortcutsOn(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(listeners.subscribe, () => readChoice(choice) !== 'off')
  const set = (next: boolean) => {
    storeChoice(choice, next ? null : 'off')
    listeners.notify()
  }
  return [isOn, set]
}

type ShortcutActions = { goTo: () => void; list: () => void }

/** Handles the shortcuts of a page: single keys only when no field has the focus and no dialog or menu is open. */
export function useShortcuts(actions: ShortcutActions): void {
  useKeys((event) => {
    if (event.defaultPrevented || event.altKey || event.repeat) return
    const isGoTo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'k'
    const action = isGoTo ? actions.goTo : isTaken(event) ? undefined : actionOf(event.key, actions)
    if (!action) return
    event.preventDefault()
    action()
  })
}

/** Handles single keys of one page, which shows on screen what each does. */
export function usePageKeys(actions: Record<string, () => void>): void {
  useKeys((event) => {
    if (event.defaultPrevented || event.altKey || event.repeat || isTaken(event)) return
    const action = actions[event.key.toLowerCase()]
    if (!action) return
    event.preventDefault()
    action()
  })
}

/** Listens to every key while shortcuts are on. */
export function useKeys(handle: (event: KeyboardEvent) => void): void {
  const [isOn] = useShortcutsOn()
  const onKey = useEffectEvent(handle)
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
  return (
    ctrlKey ||
    metaKey ||
    isTyping ||
    document.querySelector('dialog[open], [role=menu]:focus-within') !== null
  )
}

function actionOf(key: string, { list }: ShortcutActions): (() => void) | undefined {
  const search = document.querySelector<HTMLInputElement>('main input[type=search]')
  const create = document.querySelector<HTMLButtonElement>('[data-primary-action] button')
  if (key === '/' && search) return () => search.focus()
  if (key === 'n' && create) return () => create.click()
  return key === '?' ? list : undefined
}
