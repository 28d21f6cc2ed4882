import { Badge, type Tone } from '#web/ui/badge.tsx'

/** A role: red for admin, green for collector, blue otherwise. */
export function RoleBadge({ role, className }: { role: string; className?: string }) {
  return (
    <Badge tone={toneOf(role)} className={className}>
      {role}
    </Badge>
  )
}

/** Returns the colour of a role, as specified. */
function toneOf(role: string): Tone {
  const name = role.trim().toLowerCase()
  if (name === 'admin') return 'red'
  return name === 'collector' ? 'green' : 'blue'
}
