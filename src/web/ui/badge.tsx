import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export type Tone = 'blue' | 'green' | 'red' | 'amber' | 'grey' | 'ochre'

const tones: Record<Tone, string> = {
  blue: 'bg-river-soft text-river',
  green: 'bg-green-soft text-green',
  red: 'bg-red-soft text-red',
  amber: 'bg-amber-soft text-amber',
  grey: 'bg-grey-soft text-grey',
  ochre: 'bg-ochre-soft text-ochre',
}

type BadgeProps = { tone?: Tone; icon?: LucideIcon; dot?: boolean; className?: string; children: ReactNode }

/** A word on a coloured background. The word carries the meaning; the colour only helps. */
export function Badge({ tone = 'grey', icon: Icon, dot, className = '', children }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap ${tones[tone]} ${className}`}
    >
      {dot && <span className="size-1.5 rounded-full bg-current" aria-hidden />}
      {Icon && <Icon className="size-3.5" aria-hidden />}
      {children}
    </span>
  )
}
