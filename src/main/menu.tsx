import { useLocation } from '@tanstack/react-router'
import {
  Activity,
  ArrowLeftRight,
  BadgeAlert,
  BadgeCheck,
  Bell,
  ChartLine,
  ChartNoAxesColumn,
  ChartPie,
  Code,
  Coins,
  CreditCard,
  Database,
  FileText,
  FileUp,
  Footprints,
  House,
  Landmark,
  LayoutDashboard,
  type LucideIcon,
  MailOpen,
  Map as MapIcon,
  Package,
  ReceiptText,
  ScrollText,
  Settings,
  Shapes,
  Share2,
  ShieldCheck,
  Smartphone,
  Store,
  Tags,
  TrendingUp,
  UserRoundSearch,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react'
import { siteMap } from '#main/site-map.ts'
import type { Permission } from '#shared/permissions.ts'
import type { NavGroup, NavItem } from '#web/layouts/sidebar.tsx'
import { useUser } from '#web/session.ts'

type Entry = {
  label: string
  to: (typeof siteMap)[number]['path']
  icon: LucideIcon
  /** Addresses outside the entry's path that belong to it. */
  also?: readonly string[]
  /**
   * Permission required for the menu entry; the page itself needs no permission, and other users reach it another way.
   */
  right?: Permission
}

/** The groups of the sidebar in order; an entry requires the permission of its page. */
const groups: readonly { label: string; items: readonly Entry[] }[] = [
  {
    label: 'Tableau de bord',
    items: [
      { label: 'Tableau de bord', to: '/dashboard', icon: LayoutDashboard },
      { label: 'Statistiques avancées', to: '/dashboard/stats', icon: ChartPie },
      {
        label: 'Inflation',
        to: '/statistiques/inflation',
        icon: TrendingUp,
        also: ['/statistiques/ponderations', '/statistiques/publications'],
      },
      { label: 'Comparaison', to: '/statistiques/comparaison', icon: ChartLine },
      { label: 'Carte des prix', to: '/statistiques/carte', icon: MapIcon },
    ],
  },
  {
    label: 'Gestion des Prix',
    items: [
      { label: 'Gestion des Prix', to: '/prices', icon: Coins, also: ['/prices/add', '/trends', '/series/'] },
      { label: 'À vérifier', to: '/prices/review', icon: BadgeAlert, also: ['/prices/review/'] },
      { label: 'Mes visites', to: '/mes-visites', icon: Footprints },
      { label: 'Mes alertes', to: '/alertes', icon: Bell },
      { label: 'Mes rapports', to: '/rapports', icon: FileText },
      { label: 'Mes partages', to: '/partages', icon: Share2 },
      { label: 'Imports', to: '/prices/imports', icon: FileUp, also: ['/prices/imports/'] },
      { label: 'Taux de change', to: '/taux', icon: ArrowLeftRight },
      { label: 'Données', to: '/donnees', icon: Database },
    ],
  },
  {
    label: 'Produits & Marchés',
    items: [
      {
        label: 'Produits',
        to: '/products',
        icon: Package,
        also: ['/products/detail/', '/products/edit/'],
      },
      { label: 'Catégories', to: '/categories', icon: Shapes },
      { label: 'Marques', to: '/brands', icon: Tags, also: ['/products/brands/'] },
      { label: 'Marchés', to: '/markets', icon: Store, also: ['/markets/'] },
    ],
  },
  {
    label: 'Utilisateurs',
    items: [
      { label: 'Utilisateurs', to: '/users', icon: Users },
      { label: 'Rôles et permissions', to: '/roles', icon: ShieldCheck },
      { label: 'Agents', to: '/agents', icon: UserRoundSearch },
      { label: 'Visites', to: '/visites', icon: Footprints },
      { label: 'Appareils', to: '/appareils', icon: Smartphone },
      { label: 'Messages', to: '/messages', icon: MailOpen },
    ],
  },
  {
    label: 'Abonnements',
    items: [
      {
        label: 'Abonnements',
        to: '/subscriptions',
        icon: BadgeCheck,
        also: ['/subscriptions/', '/organisation'],
      },
      { label: 'Plans', to: '/plans', icon: Wallet },
      { label: 'Paiements', to: '/payments', icon: CreditCard, right: 'payments.manage' },
      { label: 'Factures', to: '/factures', icon: ReceiptText },
      { label: 'Virements', to: '/virements', icon: Landmark, right: 'payments.manage' },
      { label: 'Recettes', to: '/recettes', icon: ChartNoAxesColumn },
    ],
  },
  {
    label: 'Configuration',
    items: [
      { label: 'Paramètres', to: '/settings', icon: Settings },
      { label: 'Développeurs', to: '/developpeurs/cles', icon: Code },
      { label: 'Webhooks', to: '/developpeurs/webhooks', icon: Webhook },
      { label: 'Journal d’audit', to: '/journal', icon: ScrollText },
      { label: 'État du système', to: '/systeme', icon: Activity },
    ],
  },
]

/** Returns the groups of the menu that the user may open, with the current page marked. */
export function useMenu(): NavGroup[] {
  const { permissions } = useUser()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return groups
    .map(({ label, items }) => ({
      label,
      items: items
        .filter(({ to, right }) => isAllowed(to, permissions) && (!right || permissions.includes(right)))
        .map((item) => ({
          ...item,
          isActive: isAt(item, path),
        })),
    }))
    .filter(({ items }) => items.length > 0)
}

/** Returns every page that the user may open, in the menu or reached from one of its pages. */
export function useReachable(): (typeof siteMap)[number]['path'][] {
  const { permissions } = useUser()
  return siteMap.map(({ path }) => path).filter((path) => isAllowed(path, permissions))
}

/** Entries of the bottom bar on phones, shown when the user may open them. */
const barEntries: readonly Entry[] = [
  { label: 'Accueil', to: '/dashboard', icon: House },
  { label: 'Marchés', to: '/markets', icon: Store, also: ['/markets/'] },
]

export function useBarItems(): NavItem[] {
  const { permissions } = useUser()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return barEntries
    .filter(({ to }) => isAllowed(to, permissions))
    .map((entry) => ({ ...entry, isActive: isAt(entry, path) }))
}

function isAt({ to, also = [] }: Entry, path: string): boolean {
  return path === to || also.some((prefix) => path.startsWith(prefix))
}

function isAllowed(path: string, permissions: readonly string[]): boolean {
  const page = siteMap.find((each) => each.path === path)
  return page !== undefined && (!('permission' in page) || permissions.includes(page.permission))
}
