import { Link } from '@tanstack/react-router'
import type { LinkLike } from '#web/ui/menu.tsx'

/** A menu link that changes the page without reloading the program. */
export const RouterLink: LinkLike = ({ href, ...rest }) => <Link to={href} {...rest} />
