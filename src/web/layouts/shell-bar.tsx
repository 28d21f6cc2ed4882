import { Link } from '@tanstack/react-router'
import { LayoutGrid, Menu as MenuIcon } from 'lucide-react'
import { BottomBar, bottomItemClass } from '#web/layouts/bottom-bar.view.tsx'
import { RouterLink } from '#web/layouts/router-link.tsx'
import type { NavItem } from '#web/layouts/sidebar.tsx'
import { Menu, type MenuItem } from '#web/ui/menu.tsx'

export type ShellBarProps = {
  /** The first item is before « Services », the others after it. */
  items: readonly NavItem[]
  /** Items of « Menu ». */
  menuItems: readonly MenuItem[]
}

type OpenerProps = { isDrawerOpen: boolean; onServices: () => void }

/** Bottom bar on phones for signed-in users: « Services » opens the drawer with every screen. */
export function ShellBar({ items, menuItems, isDrawerOpen, onServices }: ShellBarProps & OpenerProps) {
  const [first, ...others] = items
  return (
    <BottomBar>
      {first && <BarLink item={first} />}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isDrawerOpen}
        onClick={onServices}
        className={bottomItemClass}
      >
        <LayoutGrid className="size-5" aria-hidden />
        Services
      </button>
      {others.map((item) => (
        <BarLink key={item.to} item={item} />
      ))}
      <div>
        <Menu
          label="Menu"
          buttonClassName={bottomItemClass}
          button={
            <>
              <MenuIcon className="size-5" aria-hidden />
              <span aria-hidden>Menu</span>
            </>
          }
          items={menuItems}
          link={RouterLink}
        />
      </div>
    </BottomBar>
  )
}

function BarLink({ item: { label, to, icon: Icon, isActive } }: { item: NavItem }) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: true }}
      aria-current={isActive ? 'page' : undefined}
      className={bottomItemClass}
    >
      <Icon className="size-5" aria-hidden />
      {label}
    </Link>
  )
}
