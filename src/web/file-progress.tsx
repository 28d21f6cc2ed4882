import { LoaderCircle } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Endpoint, ParamsOf, QueryOf } from '#shared/contract.ts'
import { type Address, messageOf } from '#web/api.ts'
import { download } from '#web/download.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

type Titles = { done: string; failed: string }

/** Downloads files, one at a time; leaving the page cancels. `received`: bytes so far, null when none is under way. */
export function useDownload<E extends Endpoint>(endpoint: E | Address<E>, titles: Titles) {
  const [received, setReceived] = useState<number | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(input: { params?: ParamsOf<E>; query?: Partial<QueryOf<E>> }): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setReceived(0)
    try {
      await download(endpoint, { ...input, signal: controller.signal }, setReceived)
      toast.success('Le fichier est prêt.', titles.done)
    } catch (error) {
      if (!controller.signal.aborted) toast.error(messageOf(error), titles.failed)
    } finally {
      setReceived(null)
    }
  }
  return { received, start, cancel: () => running.current?.abort() }
}

/**
 * Returns the ref of an element whose first button takes the focus when another button replaces the one that had it: at
 * the start and at the end of a download.
 */
export function useFocusOfDownload<Box extends HTMLElement>(isRunning: boolean): RefObject<Box | null> {
  const box = useRef<Box>(null)
  const wasRunning = useRef(isRunning)
  // Before the browser tells that the focused button has gone, which would move the focus to the title of the page.
  useLayoutEffect(() => {
    if (wasRunning.current !== isRunning && document.activeElement === document.body)
      box.current?.querySelector('button')?.focus()
    wasRunning.current = isRunning
  }, [isRunning])
  return box
}

type FileProgressProps = { text: string; cancelLabel: string; onCancel: () => void }

/** The progress of a download, with a button to cancel it. */
export function FileProgress({ text, cancelLabel, onCancel }: FileProgressProps) {
  return (
    <div className="flex items-center gap-3">
      <p className="flex items-center gap-2 text-ink-soft tabular-nums">
        <LoaderCircle className="size-4 animate-busy" aria-hidden />
        {text}
      </p>
      <Button onClick={onCancel}>{cancelLabel}</Button>
    </div>
  )
}
