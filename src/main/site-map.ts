import type { Permission } from '#shared/permissions.ts'

type ProgramPage = {
  /** Path with `$id` for parameters, in the router's syntax. */
  path: string
  title: string
  guard: 'protected'
  permission?: Permission
}

/** The addresses of the browser program; the server serves the program at no other address. */
export const siteMap = [
  { path: '/dashboard', title: 'Tableau de bord', guard: 'protected' },
  {
    path: '/dashboard/stats',
    title: 'Statistiques avancées',
    guard: 'protected',
    permission: 'statistics.read',
  },
  {
    path: '/statistiques/inflation',
    title: 'Inflation',
    guard: 'protected',
    permission: 'statistics.read',
  },
  {
    path: '/statistiques/comparaison',
    title: 'Comparaison',
    guard: 'protected',
    permission: 'statistics.read',
  },
  {
    path: '/statistiques/carte',
    title: 'Carte des prix',
    guard: 'protected',
    permission: 'statistics.read',
  },
  {
    path: '/statistiques/ponderations',
    title: 'Pondérations',
    guard: 'protected',
    permission: 'statistics.read',
  },
  {
    path: '/statistiques/publications',
    title: 'Chiffres publiés',
    guard: 'protected',
    permission: 'statistics.read',
  },
  { path: '/prices', title: 'Gestion des Prix', guard: 'protected', permission: 'prices.read' },
  { path: '/prices/add', title: 'Nouveau prix', guard: 'protected', permission: 'prices.read' },
  { path: '/prices/review', title: 'Prix à vérifier', guard: 'protected', permission: 'collection.read' },
  {
    path: '/prices/review/log',
    title: 'Journal de nettoyage',
    guard: 'protected',
    permission: 'collection.read',
  },
  { path: '/prices/imports', title: 'Imports', guard: 'protected', permission: 'prices.import' },
  { path: '/prices/imports/$id', title: 'Import', guard: 'protected', permission: 'prices.import' },
  {
    path: '/series/$productId/$marketId',
    title: 'Prix',
    guard: 'protected',
    permission: 'prices.read',
  },
  { path: '/donnees', title: 'Données', guard: 'protected', permission: 'prices.read' },
  { path: '/taux', title: 'Taux de change', guard: 'protected', permission: 'prices.read' },
  { path: '/trends', title: 'Gestion des Prix', guard: 'protected', permission: 'prices.read' },
  { path: '/products', title: 'Produits', guard: 'protected', permission: 'catalogue.read' },
  { path: '/products/detail/$id', title: 'Produit', guard: 'protected', permission: 'catalogue.read' },
  {
    path: '/products/edit/$id',
    title: 'Modifier le produit',
    guard: 'protected',
    permission: 'catalogue.write',
  },
  { path: '/categories', title: 'Catégories', guard: 'protected', permission: 'catalogue.read' },
  { path: '/brands', title: 'Marques', guard: 'protected', permission: 'catalogue.read' },
  { path: '/products/brands/$id', title: 'Marque', guard: 'protected', permission: 'catalogue.read' },
  { path: '/markets', title: 'Marchés', guard: 'protected', permission: 'markets.read' },
  { path: '/markets/$id', title: 'Marché', guard: 'protected', permission: 'markets.read' },
  { path: '/users', title: 'Gestion des Utilisateurs', guard: 'protected', permission: 'users.manage' },
  { path: '/roles', title: 'Rôles et permissions', guard: 'protected', permission: 'roles.manage' },
  { path: '/rapports', title: 'Mes rapports', guard: 'protected', permission: 'prices.read' },
  { path: '/partages', title: 'Mes partages', guard: 'protected', permission: 'prices.read' },
  { path: '/alertes', title: 'Mes alertes', guard: 'protected', permission: 'prices.read' },
  { path: '/profile', title: 'Profil', guard: 'protected' },
  { path: '/settings', title: 'Paramètres', guard: 'protected' },
  { path: '/developpeurs/cles', title: 'Développeurs', guard: 'protected' },
  { path: '/developpeurs/webhooks', title: 'Webhooks', guard: 'protected' },
  { path: '/journal', title: 'Journal d’audit', guard: 'protected', permission: 'journal.read' },
  { path: '/systeme', title: 'État du système', guard: 'protected', permission: 'superadmins.manage' },
  { path: '/agents', title: 'Agents', guard: 'protected', permission: 'users.manage' },
  { path: '/appareils', title: 'Appareils', guard: 'protected', permission: 'collection.read' },
  { path: '/visites', title: 'Visites', guard: 'protected', permission: 'collection.read' },
  { path: '/mes-visites', title: 'Mes visites', guard: 'protected', permission: 'prices.collect' },
  { path: '/messages', title: 'Messages', guard: 'protected', permission: 'users.manage' },
  { path: '/plans', title: 'Plans', guard: 'protected' },
  { path: '/subscriptions', title: 'Abonnements', guard: 'protected' },
  { path: '/subscriptions/$id', title: 'Abonnement', guard: 'protected' },
  { path: '/organisation', title: 'Mon organisation', guard: 'protected' },
  { path: '/payments', title: 'Paiements', guard: 'protected' },
  { path: '/factures', title: 'Factures', guard: 'protected' },
  { path: '/virements', title: 'Virements', guard: 'protected' },
  { path: '/recettes', title: 'Recettes', guard: 'protected', permission: 'subscriptions.read' },
] as const satisfies readonly ProgramPage[]
