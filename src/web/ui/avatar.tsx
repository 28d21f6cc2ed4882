type AvatarProps = { name: string; url?: string | null; className?: string }

/** A person's picture, or initials. Hidden from screen readers, because the name is always written beside it. */
export function Avatar({ name, url, className = 'size-8 text-xs' }: AvatarProps) {
  const shape = `shrink-0 rounded-full ${className}`
  if (url) return <img src={url} alt="" className={`${shape} object-cover`} loading="lazy" />
  return (
    <span
      aria-hidden
      className={`inline-flex items-center justify-center bg-river-soft font-semibold text-river ${shape}`}
    >
      {initials(name)}
    </span>
  )
}

/** Returns the initials of a name: « GM » for « Grâce Mbuyi ». */
function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toLocaleUpperCase('fr')
}
