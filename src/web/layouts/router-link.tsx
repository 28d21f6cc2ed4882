import { Link } from '@tanstack/react-router'
import type { LinkLike } from '#web/ui/menu.tsx'

/** A link of a menu that changes the page without loading the program again. */
export const RouterLink: LinkLike = ({ href, ...rest }) => <Link to={href} {...rest} />
