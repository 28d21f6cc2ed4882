export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'

const base =
  'inline-flex h-control shrink-0 items-center justify-center gap-2 rounded-md px-4 text-sm font-medium whitespace-nowrap ' +
  'transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:opacity-55'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-river-fill text-on-river enabled:hover:bg-river-hover [a&]:hover:bg-river-hover',
  secondary: 'border border-line-strong bg-surface text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
  ghost: 'text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
  danger: 'bg-red-fill text-on-red enabled:hover:bg-red-hover [a&]:hover:bg-red-hover',
}

/** Returns the classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', className = ''): string {
  return `${base} ${variants[variant]} ${className}`
}
