import { Avatar } from '#web/ui/avatar.tsx'

/** A user in a list: picture and name. */
export function Person({ name, avatar_url }: { name: string; avatar_url: string | null }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={name} url={avatar_url} />
      <span className="min-w-0 wrap-anywhere in-[table]:min-w-24">{name}</span>
    </span>
  )
}

/** An email address, broken before its @ where it does not fit on a line. */
export function Email({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <span className="block wrap-anywhere in-[table]:min-w-36">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  )
}

/** Contact details of a user. */
export function Contact({ email, location }: { email: string; location: string | null }) {
  return (
    <span className="block min-w-0">
      <Email email={email} />
      {location && <span className="block text-xs text-ink-soft">{location}</span>}
    </span>
  )
}
