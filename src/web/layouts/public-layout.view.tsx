import {
  CircleUserRound,
  House,
  LayoutGrid,
  LogIn,
  Menu,
  Search,
  Settings,
  Store,
  UserPlus,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { slugOf } from '#shared/accents.ts'
import { citiesCovered, legalPages, mainPages, nameMeaning, sections, services } from '#shared/ntalo.ts'
import type { Site } from '#shared/site.ts'
import { BottomBar, bottomItemClass } from '#web/layouts/bottom-bar.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Logo } from '#web/ui/logo.view.tsx'

type PublicLayoutProps = {
  site: Site
  isDemonstration?: boolean
  /** Entry of the bottom bar to which the page belongs. */
  at?: (typeof mainPages)[number]['href']
  children: ReactNode
}

/** Layout of a public page: header, footer and, on phones, the bottom bar. */
export function PublicLayout({ site, isDemonstration = false, at, children }: PublicLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col bg-paper text-ink clear-bottom-bar">
      <a
        href="#contenu"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-river-fill px-4 py-3 font-medium text-on-river focus:translate-y-0"
      >
        Aller au contenu
      </a>
      {isDemonstration && (
        <aside
          aria-label="Avertissement"
          className="bg-ochre-soft px-4 py-1.5 text-center text-xs font-medium text-ochre"
        >
          Données de démonstration
        </aside>
      )}
      <PublicHeader />
      <main id="contenu" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <PublicFooter site={site} />
      <BottomNavigation at={at} />
    </div>
  )
}

function PublicHeader() {
  return (
    <header data-sticky-header className="border-b border-line bg-surface md:sticky md:top-0 md:z-30">
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 sm:gap-2 px-4 md:h-16 md:px-8">
        <a href="/" className="mr-auto rounded-md py-2" aria-label="Ntalo, accueil">
          <Logo />
        </a>
        <nav aria-label="Sections" className="mr-2 hidden lg:block">
          <ul className="flex">
            {sections.map(({ href, label }) => (
              <li key={href}>
                <a
                  href={href}
                  className="inline-flex h-control items-center rounded-md px-3 text-ink-soft hover:bg-sunken hover:text-ink"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <span className="hidden md:max-lg:block">
          <button type="button" popoverTarget="sections" className={buttonClass('ghost', 'px-3')}>
            <Menu className="size-4.5" aria-hidden />
            Sections
          </button>
        </span>
        <nav
          id="sections"
          popover="auto"
          aria-label="Sections"
          className="fixed inset-auto top-16 right-8 m-0 hidden w-56 rounded-md border border-line bg-surface p-2 shadow-float popover-open:block"
        >
          <ul>
            {sections.map(({ href, label }) => (
              <li key={href}>
                <a href={href} className="flex h-11 items-center rounded-md px-3 text-ink hover:bg-sunken">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <a
          href="/recherche"
          aria-label="Chercher"
          title="Chercher"
          className={buttonClass('ghost', 'max-md:hidden px-3')}
        >
          <Search className="size-4.5" aria-hidden />
        </a>
        <a href="/auth/login" className={buttonClass('ghost', 'max-sm:px-1.5')}>
          Connexion
        </a>
        <a href="/auth/login" className={buttonClass('primary', 'max-sm:px-3')}>
          Commencer
        </a>
      </div>
    </header>
  )
}

function PublicFooter({ site }: { site: Site }) {
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-1 px-4 py-4 md:grid-cols-4 md:gap-8 md:py-10 md:px-8 lg:grid-cols-[1.4fr_1fr_1fr_1.2fr_1fr]">
        <div className="max-lg:col-span-full max-md:hidden">
          <Logo />
          <p className="mt-1 text-ink-soft md:mt-3 md:max-w-xs">{nameMeaning}</p>
        </div>
        <FooterList title="Services" links={services} />
        <FooterList
          title="Villes"
          links={citiesCovered.map((label) => ({ href: `/marches#${slugOf(label)}`, label }))}
        />
        <section aria-label="Coordonnées" className={footerGroupClass}>
          <h2 className={footerTitleClass}>Contact</h2>
          <ul className={footerListClass}>
            <li className="py-1.5">{site.address ?? 'Kinshasa, RD Congo'}</li>
            {site.email && (
              <li className="py-1.5">
                <a href={`mailto:${site.email}`}>{site.email}</a>
              </li>
            )}
            {site.phone && (
              <li className="py-1.5">
                <a href={`tel:${site.phone.replaceAll(/[^\d+]/g, '')}`}>{site.phone}</a>
              </li>
            )}
            <li>
              <a href="/contact" className="inline-block py-1.5 hover:text-river hover:underline">
                Nous écrire
              </a>
            </li>
          </ul>
        </section>
        <FooterList title="Informations légales" links={legalPages} />
      </div>
      <p className="border-t border-line px-4 py-2 text-center text-xs md:py-4 text-ink-soft">
        {`© Ntalo. Tracé des cartes\u00a0: Natural Earth.`}
      </p>
    </footer>
  )
}

// Lines of text on phones, columns elsewhere.
const footerGroupClass = 'max-md:text-sm'
const footerTitleClass = 'font-semibold max-md:float-left max-md:mr-3 max-md:py-1'
const footerListClass =
  'text-ink-soft max-md:[&_a]:py-1 max-md:[&>li]:mr-3 max-md:[&>li]:inline-block max-md:[&>li]:py-0 md:mt-2'

function FooterList({ title, links }: { title: string; links: readonly { href: string; label: string }[] }) {
  return (
    <nav aria-label={title} className={footerGroupClass}>
      <h2 className={footerTitleClass}>{title}</h2>
      <ul className={footerListClass}>
        {links.map(({ href, label }) => (
          <li key={label}>
            <a href={href} className="inline-block py-1.5 hover:text-river hover:underline">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const menuItems = [
  { href: '/recherche', label: 'Chercher', icon: Search },
  { href: '/profile', label: 'Mon Compte', icon: CircleUserRound },
  { href: '/settings', label: 'Paramètres', icon: Settings },
  { href: '/auth/login', label: 'Se connecter', icon: LogIn },
  { href: '/auth/register', label: 'S’inscrire', icon: UserPlus },
]

const icons = { house: House, grid: LayoutGrid, store: Store }

/** Bottom bar on phones. Its menu is a popover: a tap outside or Escape closes it without a script. */
function BottomNavigation({ at }: Pick<PublicLayoutProps, 'at'>) {
  return (
    <BottomBar>
      {mainPages.map(({ href, label, icon }) => {
        const Icon = icons[icon]
        return (
          <a
            key={href}
            href={href}
            aria-current={at !== href ? undefined : href === '/' ? 'page' : 'true'}
            className={bottomItemClass}
          >
            <Icon className="size-5" aria-hidden />
            {label}
          </a>
        )
      })}
      <button type="button" popoverTarget="menu" className={bottomItemClass}>
        <Menu className="size-5" aria-hidden />
        Menu
      </button>
      <div
        id="menu"
        popover="auto"
        className="fixed inset-auto right-2 bottom-[calc(var(--bottom-bar)+0.5rem)] m-0 hidden w-56 rounded-md border border-line bg-surface p-2 text-ink shadow-float popover-open:block md:hidden"
      >
        <ul>
          {menuItems.map(({ href, label, icon: Icon }) => (
            <li key={label}>
              <a href={href} className="flex h-12 items-center gap-3 rounded-md px-3 hover:bg-sunken">
                <Icon className="size-5 text-river" aria-hidden />
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </BottomBar>
  )
}
