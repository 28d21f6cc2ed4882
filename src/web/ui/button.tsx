import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { type ButtonVariant, buttonClass } from '#web/ui/button-class.ts'

type ButtonProps = ComponentProps<'button'> & { variant?: ButtonVariant; icon?: LucideIcon; busy?: boolean }

/** A button. While `busy` it keeps its width and its focus, shows a spinner, and ignores clicks. */
export function Button({
  variant = 'secondary',
  icon: Icon,
  busy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(variant, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy ? (
        <LoaderCircle className="size-4 animate-busy" aria-hidden />
      ) : (
        Icon && <Icon className="size-4" aria-hidden />
      )}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  label: string
  icon: LucideIcon
  tone?: 'default' | 'danger'
  busy?: boolean
}

/** A button with only an icon; its label is read aloud and shown on hover. */
export function IconButton({
  label,
  icon,
  tone = 'default',
  busy,
  className = '',
  ...rest
}: IconButtonProps) {
  const Icon = busy ? LoaderCircle : icon
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={iconButtonClass(tone, className)}
    >
      <Icon className={`size-4.5 ${busy ? 'animate-busy' : ''}`} aria-hidden />
    </button>
  )
}

/** Returns the classes of an icon button, for a link that looks like one; the link needs `aria-label` and `title`. */
export function iconButtonClass(tone: 'default' | 'danger' = 'default', className = ''): string {
  const colour = tone === 'danger' ? 'hover:bg-red-soft hover:text-red' : 'hover:bg-sunken hover:text-ink'
  return `inline-flex size-control shrink-0 items-center justify-center rounded-md text-ink-soft transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-55 ${colour} ${className}`
}
