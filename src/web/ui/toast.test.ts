import { expect, test, vi } from 'vitest'
import { dismissToast, getToasts, subscribeToToasts, toast } from '#web/ui/toast.ts'

test('a notification appears with its title, notifies the listeners, and disappears', () => {
  const listener = vi.fn()
  const stop = subscribeToToasts(listener)
  const id = toast.success('Catégorie créée avec succès')
  expect(getToasts()).toMatchObject([{ kind: 'success', title: 'Succès', durationMs: 5000 }])
  dismissToast(id)
  expect(getToasts()).toEqual([])
  expect(listener).toHaveBeenCalledTimes(2)
  stop()
})

test('the same failure twice is one notification, and at most four are shown at once', () => {
  toast.error('Erreur réseau')
  toast.error('Erreur réseau')
  expect(getToasts()).toHaveLength(1)
  for (let index = 0; index < 6; index++) toast.info(`Message ${index}`)
  expect(getToasts()).toHaveLength(4)
})
