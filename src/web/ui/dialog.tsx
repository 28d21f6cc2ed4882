import { X } from 'lucide-react'
import {
  type ReactNode,
  type RefCallback,
  type SyntheticEvent,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'

export type DialogProps = {
  open: boolean
  title: string
  description?: ReactNode
  onClose: () => void
  /** When given, the content is a form: Enter submits it. */
  onSubmit?: () => void
  submitLabel?: string
  /** `danger` for an irreversible action: the submit button is red. */
  tone?: 'danger'
  /** Button between « Annuler » and the submit button. */
  otherSubmit?: ReactNode
  submitDisabled?: boolean
  cancelLabel?: string
  /** Whether there is unsaved input: closing then asks first. */
  dirty?: boolean
  busy?: boolean
  /** The server's refusal, shown above the buttons; the dialog stays open. */
  error?: string | null
  size?: 'sm' | 'md' | 'lg'
  /** Replaces « Annuler » and the submit button. */
  footer?: ReactNode
  /** False when an answer is required: no close button, no Escape, no click outside. */
  dismissible?: boolean
  role?: 'dialog' | 'alertdialog'
  children?: ReactNode
}

// On a phone a form fills the screen; a question stays small, at the bottom within the thumb's reach.
const shapes = {
  sm: 'mt-auto h-fit max-h-dvh sm:max-w-md',
  md: 'h-dvh max-h-none sm:max-w-xl',
  lg: 'h-dvh max-h-none sm:max-w-3xl',
}

/** A modal: a native `<dialog>`, so that the browser handles focus, inertness and stacking. A sheet on phones. */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null
}

function OpenDialog(props: DialogProps) {
  const { title, description, onClose, onSubmit, dirty, busy, error, size = 'md', children } = props
  const { dismissible = true, role = 'dialog' } = props
  const id = useId()
  const [asking, setAsking] = useState(false)
  const dialog = useModal()
  const [body, isScrollStop] = useScrollStop()
  const pressedOutside = useRef(false)

  const leave = () => {
    if (busy || !dismissible) return
    if (dirty) setAsking(true)
    else onClose()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    // The dialog may be inside another form in the React tree, which must not receive its submit event.
    event.stopPropagation()
    if (!busy && !props.submitDisabled) onSubmit?.()
  }
  const Content = onSubmit ? 'form' : 'div'

  return (
    <dialog
      ref={dialog}
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onKeyDown={(event) => {
        // Chrome does not let `cancel` prevent a second Escape, so the key event itself is stopped.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        event.stopPropagation()
        leave()
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        leave()
      }}
      onClose={(event) => {
        if (event.target === dialog.current) onClose()
      }}
      onPointerDown={(event) => {
        pressedOutside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        if (pressedOutside.current && event.target === dialog.current) leave()
      }}
      className={`m-0 w-full max-w-none overflow-hidden bg-surface text-ink shadow-float open:animate-enter sm:m-auto sm:h-fit sm:max-h-[min(90dvh,56rem)] sm:rounded-md sm:border sm:border-line ${shapes[size]} open:flex open:flex-col`}
    >
      <Content
        className="flex min-h-0 flex-1 flex-col"
        {...(onSubmit && { onSubmit: submit, noValidate: true, 'aria-busy': busy })}
      >
        <header
          className={`flex items-start gap-3 py-3 pr-2 pl-4 sm:pl-6 ${children ? 'border-b border-line' : ''}`}
        >
          <div className="min-w-0 flex-1 py-1.5">
            <h2 id={`${id}-title`} tabIndex={-1} className="text-lg font-semibold outline-none">
              {title}
            </h2>
            {description && (
              <p id={`${id}-description`} className="mt-1 text-ink-soft">
                {description}
              </p>
            )}
          </div>
          {dismissible && <IconButton label="Fermer" icon={X} onClick={leave} disabled={busy} />}
        </header>
        {children && (
          <div
            ref={body}
            data-dialog-body
            tabIndex={isScrollStop ? 0 : undefined}
            className="min-h-0 flex-1 overflow-y-auto px-4 py-5 -outline-offset-2 sm:px-6"
          >
            {children}
          </div>
        )}
        {(error || props.footer || onSubmit) && (
          <footer className="border-t border-line bg-surface px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
            {error && <ErrorNote className="mb-3">{error}</ErrorNote>}
            <div className="flex flex-wrap justify-end gap-3 *:max-sm:flex-1">
              {props.footer ?? (
                <>
                  {dismissible && (
                    <Button onClick={leave} disabled={busy}>
                      {props.cancelLabel ?? 'Annuler'}
                    </Button>
                  )}
                  {props.otherSubmit}
                  <Button
                    type="submit"
                    variant={props.tone ?? 'primary'}
                    busy={busy}
                    disabled={props.submitDisabled}
                  >
                    {props.submitLabel ?? 'Enregistrer'}
                  </Button>
                </>
              )}
            </div>
          </footer>
        )}
      </Content>
      {asking && <AbandonDialog onStay={() => setAsking(false)} onLeave={onClose} />}
    </dialog>
  )
}

/** Asks for confirmation before unsaved input is lost. */
export function AbandonDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      open
      size="sm"
      role="alertdialog"
      title="Abandonner la saisie ?"
      description="Ce que vous avez saisi ne sera pas enregistré."
      onClose={onStay}
      footer={
        <>
          <Button onClick={onStay} data-autofocus>
            Continuer la saisie
          </Button>
          <Button variant="danger" onClick={onLeave}>
            Abandonner
          </Button>
        </>
      }
    />
  )
}

/** Opens a modal; the page behind it is locked, and the space of its scrollbar, if any, is reserved. */
export function openModal(dialog: HTMLDialogElement | null): void {
  const page = document.documentElement
  page.toggleAttribute('data-scrollbar', window.innerWidth > page.clientWidth)
  dialog?.showModal()
}

/** Opens the element as a modal while it is mounted, then returns the focus to the previous element. */
function useModal() {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    openModal(dialog)
    firstStop(dialog)?.focus()
    return () => {
      dialog?.close()
      // Deferred until the page has rendered: the previously focused element may disappear with a dialog below this
      // one.
      queueMicrotask(() => before instanceof HTMLElement && before.isConnected && before.focus())
    }
  }, [])
  return ref
}

const controls = 'a[href], button, input, select, textarea'

/** Whether the content needs scrolling: it must then be focusable with the keyboard. */
function useScrollStop(): [RefCallback<HTMLDivElement>, boolean] {
  const [isStop, setStop] = useState(false)
  const follow = useCallback((body: HTMLDivElement) => {
    const observer = new ResizeObserver(() =>
      setStop(body.scrollHeight > body.clientHeight + 1 && !body.querySelector(controls)),
    )
    for (const element of [body, ...body.children]) observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [follow, isStop]
}

function firstStop(dialog: HTMLDialogElement | null): HTMLElement | null | undefined {
  const fields = 'input:not([type=hidden]):not(:disabled), select:not(:disabled), textarea:not(:disabled)'
  return (
    dialog?.querySelector<HTMLElement>('[data-autofocus]') ??
    dialog?.querySelector<HTMLElement>('[data-dialog-body]')?.querySelector<HTMLElement>(fields) ??
    dialog?.querySelector<HTMLElement>('h2')
  )
}
