import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { openModal } from '#web/ui/dialog.tsx'

type DrawerProps = { label: string; open: boolean; onClose: () => void; children: ReactNode }

/** A panel that slides over the page on phones. A native modal: the browser keeps the focus inside. */
export function Drawer(props: DrawerProps) {
  return props.open ? <OpenDrawer {...props} /> : null
}

function OpenDrawer({ label, onClose, children }: DrawerProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    openModal(dialog)
    return () => {
      dialog?.close()
      // Deferred until the page has rendered: the previously focused element may disappear with a dialog below this
      // one.
      queueMicrotask(() => before instanceof HTMLElement && before.isConnected && before.focus())
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way out is Escape, which the browser handles.
    <dialog
      ref={ref}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === ref.current) onClose()
      }}
      className="m-0 h-dvh max-h-none w-72 max-w-[85vw] bg-surface text-ink shadow-float open:animate-drawer"
    >
      {children}
      <IconButton label="Fermer le menu" icon={X} onClick={onClose} className="absolute top-1.5 right-1.5" />
    </dialog>
  )
}
