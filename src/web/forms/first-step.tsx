import { Link } from '@tanstack/react-router'
import type { Permission } from '#shared/permissions.ts'
import { useMay } from '#web/session.ts'

type FirstStepProps = {
  choices: { useNone: () => boolean }
  /** « Aucun type de produit n’existe encore. » */
  text: string
  /** Where the first one is made, for who may. */
  to: string
  search?: Record<string, string>
  label: string
  right: Permission
}

/** Under a choice among nothing: says that there is none yet, and leads to where the first one is made. */
export function FirstStep({ choices, text, to, search, label, right }: FirstStepProps) {
  const may = useMay()
  if (!choices.useNone()) return null
  return (
    <p className="mt-1.5 text-ink-soft">
      {text}
      {may(right) && (
        <>
          {' '}
          <Link to={to} search={search} className="font-medium text-river underline">
            {label}
          </Link>
        </>
      )}
    </p>
  )
}
