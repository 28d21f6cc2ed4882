import { Check, type LucideIcon } from 'lucide-react'
import {
  type AnchorHTMLAttributes,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
} from 'react'
import { placeNear } from '#web/ui/place-near.ts'

export type MenuItem = {
  label: string
  icon?: LucideIcon
  /** An address… */
  href?: string
  /** …or an action. */
  onSelect?: () => void
  tone?: 'default' | 'danger'
  /** When given, the item is one option of a choice. */
  checked?: boolean
  separated?: boolean
  disabled?: boolean
}

export type LinkLike = ComponentType<AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }>

type MenuProps = {
  /** Accessible name before the button's content; it must be that content or its beginning. */
  label: string
  button: ReactNode
  buttonClassName: string
  items: readonly MenuItem[]
  header?: ReactNode
  /** Component of links; a plain `<a>` by default. */
  link?: LinkLike
}

/** A menu button. Arrows, Home, End and first letters move the focus; Escape and a click outside close the menu. */
export function Menu({ label, button, buttonClassName, items, header, link }: MenuProps) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const close = () => popup.current?.hidePopover()
  return (
    <>
      <button
        ref={opener}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        className={buttonClassName}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          popup.current?.showPopover()
          entries(popup.current)
            .at(event.key === 'ArrowUp' ? -1 : 0)
            ?.focus()
        }}
      >
        <span className="sr-only">{label}</span>
        {button}
      </button>
      <div
        ref={popup}
        id={id}
        popover="auto"
        onToggle={(event) => {
          if (event.newState !== 'open' || !opener.current) return
          placeNear(opener.current, event.currentTarget, 'end')
          if (!event.currentTarget.contains(document.activeElement)) entries(popup.current)[0]?.focus()
        }}
        className="fixed inset-auto m-0 max-h-[80dvh] w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border border-line bg-surface p-1.5 text-ink shadow-float"
      >
        {header && <div className="mb-1.5 border-b border-line px-2.5 pt-1.5 pb-2.5">{header}</div>}
        <div role="menu" aria-label={label} onKeyDown={(event) => move(event, popup.current, close)}>
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two items may have the same label, which may change.
            <Entry key={index} item={item} link={link} onDone={close} />
          ))}
        </div>
      </div>
    </>
  )
}

function Entry({ item, link, onDone }: { item: MenuItem; link?: LinkLike; onDone: () => void }) {
  const Link = link ?? PlainLink
  const Icon = item.icon
  const shared = {
    role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': item.checked,
    tabIndex: -1,
    className: `flex h-11 w-full items-center gap-3 rounded-md px-2.5 text-left -outline-offset-2 hover:bg-sunken focus-visible:bg-sunken md:pointer-fine:h-10 ${item.tone === 'danger' ? 'text-red' : ''} ${item.disabled ? 'opacity-55' : ''}`,
    onClick: () => {
      onDone()
      item.onSelect?.()
    },
  }
  const content = (
    <>
      {Icon && <Icon className="size-4.5 shrink-0 opacity-80" aria-hidden />}
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      {item.checked && <Check className="size-4 shrink-0 text-river" aria-hidden />}
    </>
  )
  return (
    <>
      {item.separated && <hr className="my-1.5 border-line" />}
      {item.href !== undefined ? (
        <Link {...shared} href={item.href}>
          {content}
        </Link>
      ) : (
        <button {...shared} type="button" disabled={item.disabled}>
          {content}
        </button>
      )}
    </>
  )
}

const PlainLink: LinkLike = ({ children, ...rest }) => <a {...rest}>{children}</a>

function entries(popup: HTMLElement | null): HTMLElement[] {
  return [...(popup?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? [])]
}

function move(event: KeyboardEvent, popup: HTMLElement | null, close: () => void): void {
  const all = entries(popup)
  const now = all.indexOf(document.activeElement as HTMLElement)
  const goals: Record<string, HTMLElement | undefined> = {
    ArrowDown: all[(now + 1) % all.length],
    ArrowUp: all.at(now - 1),
    Home: all[0],
    End: all.at(-1),
  }
  if (event.key === 'Tab') close()
  const letter = event.key.length === 1 ? event.key.toLocaleLowerCase('fr') : null
  const byLetter =
    letter && all.find((entry) => entry.textContent?.trim().toLocaleLowerCase('fr').startsWith(letter))
  const goal = goals[event.key] ?? byLetter
  if (!goal || event.key === ' ') return
  event.preventDefault()
  goal.focus()
}
