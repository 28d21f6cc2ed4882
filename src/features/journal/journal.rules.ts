import { moneyText } from '#shared/money.ts'
import { optionsOf } from '#shared/options.ts'

const actions: Record<string, string> = {
  create: 'Création',
  update: 'Modification',
  delete: 'Suppression',
  merge: 'Fusion',
  import: 'Import',
  'undo import': 'Annulation d’un import',
  confirm: 'Confirmation',
  link: 'Demande de confirmation',
  mistake: 'Code refusé',
  stop: 'Arrêt',
  read: 'Lecture',
  fail: 'Échec',
  ask: 'Question à l’opérateur',
  review: 'Mise en vérification',
  expire: 'Expiration',
  publish: 'Publication',
  leave: 'Renoncement',
  replay: 'Nouvel envoi',
  test: 'Message d’essai',
  disable: 'Désactivation',
  close: 'Fermeture du compte',
  'sign-in': 'Connexion',
  'sign-in-refused': 'Connexion refusée',
  'sign-out': 'Déconnexion',
  'token-reused': 'Session volée, terminée',
  'password-changed': 'Mot de passe changé',
  'second-factor-on': 'Deux étapes activées',
  'second-factor-off': 'Deux étapes désactivées',
  'recovery-codes-renewed': 'Codes de secours renouvelés',
  'reset-link': 'Lien de mot de passe envoyé',
  'reset-password': 'Mot de passe choisi par un lien',
  register: 'Inscription',
  'registration-refused': 'Inscription refusée',
  'link-google': 'Compte lié à Google',
  'verify-email': 'Adresse confirmée',
}

const entities: Record<string, string> = {
  users: 'Utilisateur',
  agents: 'Agent',
  roles: 'Rôle',
  permissions: 'Permission',
  session: 'Session',
  prices: 'Relevé',
  products: 'Produit',
  'product-types': 'Type de produit',
  categories: 'Catégorie',
  brands: 'Marque',
  markets: 'Marché',
  plans: 'Plan',
  subscriptions: 'Abonnement',
  payments: 'Paiement',
  billing: 'Facturation',
  transfers: 'Virement',
  strays: 'Encaissement sans paiement',
  seats: 'Membre d’une organisation',
  'payment-links': 'Lien de paiement',
  'exchange-rates': 'Taux de change',
  'type-weights': 'Pondération',
  'published-inflation': 'Inflation publiée',
  messages: 'Message',
  jobs: 'Tâche de fond',
  'import-mappings': 'Correspondance d’import',
  views: 'Vue',
  keys: 'Clé',
  webhooks: 'Webhook',
  follows: 'Suivi',
  alerts: 'Alerte',
  channels: 'Canal d’alerte',
  notifications: 'Choix de notifications',
  shares: 'Page partagée',
  reports: 'Rapport',
  editions: 'Édition',
  devices: 'Appareil',
  'market-lists': 'Liste d’un marché',
  absences: 'Produit absent',
  reviews: 'Prix à vérifier',
  photos: 'Photo d’un prix',
  'planned-visits': 'Visite prévue',
}

/** Returns the French words for an action or an entity; the entry's own word where there are none. */
export const actionWords = (action: string): string => actions[action] ?? action
export const entityWords = (entity: string): string => entities[entity] ?? entity

export const actionOptions = optionsOf(actions)
export const entityOptions = optionsOf(entities)

export type JournalChange = { field: string; before: string | null; after: string | null }

/** Returns the fields that differ between `before` and `after`, each as text. */
export function changedValues(before: unknown, after: unknown): JournalChange[] {
  const [old, now]: Record<string, unknown>[] = [{ ...Object(before) }, { ...Object(after) }]
  return [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
    .map((field) => ({ field, before: written(old?.[field]), after: written(now?.[field]) }))
    .filter((change) => change.before !== change.after)
}

function written(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Returns the name of an entry's subject: product, market and amount of a price, or its `name`. Null where it has
 * neither.
 */
export function entryName({ before, after }: { before: unknown; after: unknown }): string | null {
  const [old, now] = [nameIn(before), nameIn(after)]
  // For a merge: the deleted row → the remaining one.
  const [name, amount] = [
    old.name && now.name && old.name !== now.name ? `${old.name} → ${now.name}` : (now.name ?? old.name),
    changed(old.amount, now.amount),
  ]
  return [name, amount].filter(Boolean).join(`\u00a0: `) || null
}

const changed = (old: string | null, now: string | null) =>
  old && now && old !== now ? `${old} → ${now}` : (now ?? old)

function nameIn(values: unknown): { name: string | null; amount: string | null } {
  const { name, product, market, user, plan, planRef, fileName, email, ...rest } = Object(values)
  const names = [name ?? fileName ?? email, product?.name, market?.name, user?.name, planRef?.name ?? plan]
  const amount = rest.priceValue ?? rest.amount ?? (product ? null : rest.price) ?? null
  const isMoney =
    (typeof amount === 'number' || typeof amount === 'string') && typeof rest.currency === 'string'
  return {
    name: names.filter((each) => typeof each === 'string').join(', ') || null,
    amount: isMoney ? moneyText(amount, rest.currency) : null,
  }
}
