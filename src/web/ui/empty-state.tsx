import { Inbox, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  icon?: LucideIcon
  action?: ReactNode
  compact?: boolean
}

/** Placeholder of missing content: what would be here, why it is not, and the next step. */
export function EmptyState({ title, children, icon: Icon = Inbox, action, compact }: EmptyStateProps) {
  return (
    <div className={`flex flex-col items-center px-4 text-center ${compact ? 'py-6' : 'py-14'}`}>
      <span className="flex size-12 items-center justify-center rounded-full bg-sunken">
        <Icon className="size-6 text-ink-soft" aria-hidden />
      </span>
      <p className="mt-3 text-base font-semibold">{title}</p>
      {children && <div className="mt-1 max-w-prose text-ink-soft">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  )
}
