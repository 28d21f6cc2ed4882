import { Avatar } from '#web/ui/avatar.tsx'

/** Somebody in a list: his picture and his name. */
export function Person({ name, avatar_url }: { name: string; avatar_url: string | null }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={name} url={avatar_url} />
      <span className="min-w-0 wrap-anywhere">{name}</span>
    </span>
  )
}

/** How to reach somebody. */
export function Contact({ email, location }: { email: string; location: string | null }) {
  const at = email.lastIndexOf('@')
  return (
    <span className="block min-w-0">
      <span className="block wrap-anywhere">
        {email.slice(0, at)}
        <wbr />
        {email.slice(at)}
      </span>
      {location && <span className="block text-xs text-ink-soft">{location}</span>}
    </span>
  )
}
