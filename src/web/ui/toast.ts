// Store of the notifications. Outside React, so that the API client and the query cache can use it.

import { createListeners } from '#web/listeners.ts'

type ToastAction = { label: string; onSelect: () => void }
export type Toast = {
  id: number
  kind: 'success' | 'error' | 'info'
  title: string
  message: string
  durationMs: number
  action?: ToastAction
}
type ToastOptions = { action?: ToastAction; durationMs?: number }

const mostAtOnce = 4
const listeners = createListeners()
let toasts: readonly Toast[] = []
let lastId = 0

/** Shows a notification: `toast.success('Catégorie créée avec succès')`. */
export const toast = {
  success: (message: string, title = 'Succès', options?: ToastOptions) =>
    add('success', message, title, options),
  error: (message: string, title = 'Erreur', options?: ToastOptions) => add('error', message, title, options),
  info: (message: string, title = 'Information', options?: ToastOptions) =>
    add('info', message, title, options),
}

/** Removes a notification before its time is over. */
export function dismissToast(id: number): void {
  publish(toasts.filter((shown) => shown.id !== id))
}

/** Returns the notifications on screen, oldest first. */
export function getToasts(): readonly Toast[] {
  return toasts
}

/** Calls the listener at each change, until the returned function is called. */
export const subscribeToToasts = listeners.subscribe

function add(kind: Toast['kind'], message: string, title: string, options: ToastOptions = {}): number {
  lastId += 1
  const added: Toast = {
    id: lastId,
    kind,
    title,
    message,
    durationMs: options.durationMs ?? 5000,
    action: options.action,
  }
  // The same failure twice (of two requests of one page) is shown once.
  const others = toasts.filter(
    (shown) => shown.kind !== kind || shown.title !== title || shown.message !== message,
  )
  publish([...others, added].slice(-mostAtOnce))
  return added.id
}

function publish(next: readonly Toast[]): void {
  toasts = next
  listeners.notify()
}
