import { Menu as MenuIcon, PanelLeftClose, PanelLeftOpen, Search, WifiOff } from 'lucide-react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { AccountMenu, type AccountMenuProps } from '#web/layouts/account-menu.tsx'
import { Drawer } from '#web/layouts/drawer.tsx'
import { ShellBar, type ShellBarProps } from '#web/layouts/shell-bar.tsx'
import { type NavGroup, Sidebar } from '#web/layouts/sidebar.tsx'
import { useSidebarState } from '#web/layouts/sidebar-state.ts'
import { followNetwork, isOnline } from '#web/network.ts'
import { iconButtonClass } from '#web/ui/button.tsx'
import { phoneScreen, useMediaQuery } from '#web/ui/media-query.ts'
import { ThemeMenu } from '#web/ui/theme-menu.tsx'

export type AdminLayoutProps = {
  groups: readonly NavGroup[]
  user: AccountMenuProps['user']
  accountItems: AccountMenuProps['items']
  /** Bottom bar on phones; none when absent. */
  bar?: ShellBarProps | undefined
  /** Address of the logo's link. */
  homeTo?: string
  /** Opens the « Aller à… » search. */
  onGoTo?: (() => void) | undefined
  /** Header content before the theme menu. */
  headerItems?: ReactNode
  /** Banner above everything: « Données de démonstration ». */
  banner?: ReactNode
  children: ReactNode
}

/** The administration shell: sidebar, header with the account menu, and the page. */
export function AdminLayout({
  groups,
  user,
  accountItems,
  bar,
  homeTo = '/dashboard',
  banner,
  onGoTo,
  headerItems,
  children,
}: AdminLayoutProps) {
  const isThere = useSyncExternalStore(followNetwork, isOnline)
  const phone = useMediaQuery(phoneScreen)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const toggleDrawer = () => setDrawerOpen((was) => !was)
  const [expanded, toggleExpanded] = useSidebarState(phone ? toggleDrawer : null)
  const toggle = phone ? toggleDrawer : toggleExpanded
  const label = phone ? 'Ouvrir le menu' : expanded ? 'Replier le menu' : 'Déplier le menu'
  const Icon = phone ? MenuIcon : expanded ? PanelLeftClose : PanelLeftOpen
  return (
    <div className={`min-h-dvh ${bar ? 'clear-bottom-bar' : ''}`}>
      <a
        href="#contenu"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-river-fill px-4 py-3 font-medium text-on-river focus:translate-y-0"
      >
        Aller au contenu
      </a>
      {banner && (
        <aside
          aria-label="Avertissement"
          className="no-print bg-ochre-soft px-4 py-1.5 text-center text-xs font-medium text-ochre"
        >
          {banner}
        </aside>
      )}
      <div className="flex">
        {phone ? (
          <Drawer label="Menu" open={drawerOpen} onClose={() => setDrawerOpen(false)}>
            <Sidebar groups={groups} homeTo={homeTo} expanded onNavigate={() => setDrawerOpen(false)} />
          </Drawer>
        ) : (
          <div
            className={`no-print sticky top-0 h-dvh shrink-0 border-r border-line bg-surface transition-[width] duration-150 ${expanded ? 'w-64' : 'w-17'}`}
          >
            <Sidebar groups={groups} homeTo={homeTo} expanded={expanded} />
          </div>
        )}
        <div className="min-w-0 flex-1 [--sticky-top:3.5rem]">
          <header
            data-app-header
            className="no-print sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-surface px-2 md:gap-2 md:px-4"
          >
            <button
              type="button"
              onClick={toggle}
              aria-label={label}
              title={phone ? label : `${label} (Ctrl + B)`}
              aria-expanded={phone ? drawerOpen : expanded}
              aria-keyshortcuts="Control+B Meta+B"
              className={iconButtonClass()}
            >
              <Icon className="size-5" aria-hidden />
            </button>
            <p
              className={`line-clamp-2 min-w-0 flex-1 leading-tight font-semibold ${isThere ? '' : 'max-sm:sr-only'}`}
            >
              Panneau d’Administration
            </p>
            {/* Rendered before it has a text: screen readers announce only changes of an existing region. */}
            <p role="status" className={`text-sm font-medium text-amber ${isThere ? '' : 'max-sm:mr-auto'}`}>
              {!isThere && (
                <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
                  <WifiOff className="size-4 shrink-0" aria-hidden />
                  Hors ligne
                </span>
              )}
            </p>
            {onGoTo && (
              <button
                type="button"
                onClick={onGoTo}
                aria-label="Aller à un écran ou à une fiche"
                title="Aller à… (Ctrl + K)"
                aria-keyshortcuts="Control+K Meta+K"
                className={iconButtonClass()}
              >
                <Search className="size-4.5" aria-hidden />
              </button>
            )}
            {headerItems}
            {/* A phone has no space for both; the theme is also in its settings. */}
            <div className={headerItems ? 'max-sm:hidden' : 'contents'}>
              <ThemeMenu />
            </div>
            <AccountMenu user={user} items={accountItems} />
          </header>
          <main
            id="contenu"
            tabIndex={-1}
            className="mx-auto w-full max-w-7xl space-y-4 p-4 sm:space-y-6 outline-none max-sm:has-[[data-primary-action]]:pb-28 md:p-6 lg:p-8"
          >
            {children}
          </main>
        </div>
      </div>
      {phone && bar && <ShellBar {...bar} isDrawerOpen={drawerOpen} onServices={toggleDrawer} />}
    </div>
  )
}
