// Texts about Ntalo shared by pages, mails and documents.

export const purpose = 'les prix des marchés de la République démocratique du Congo'

export const tagline = 'Les prix des marchés de la RDC, relevés, vérifiés, expliqués.'

export const nameMeaning = `Ntalo, «\u202fprix\u202f» en lingala\u00a0: ${purpose}.`

/** The sections of the public site, in the order of its header. */
export const sections = [
  { href: '/#hero', label: 'Accueil' },
  { href: '/#features', label: 'Services' },
  { href: '/#markets', label: 'Marchés' },
  { href: '/#trends', label: 'Tendances' },
  { href: '/#formule', label: 'Formule' },
  { href: '/#cta', label: 'Essai gratuit' },
  { href: '/contact', label: 'Contact' },
]

/** Entries of the bottom bar of the public site on phones. */
export const mainPages = [
  { href: '/', label: 'Accueil', icon: 'house' },
  { href: '/#features', label: 'Services', icon: 'grid' },
  { href: '/#markets', label: 'Marchés', icon: 'store' },
] as const

export const services = [
  { href: '/#features', label: 'Suivi des prix' },
  { href: '/#trends', label: 'Analyse des tendances' },
  { href: '/marches', label: 'Marchés couverts' },
  { href: '/#formule', label: 'Formules' },
  { href: '/methode', label: 'Méthode' },
  { href: '/developpeurs', label: 'API pour développeurs' },
]

export const citiesCovered = ['Kinshasa', 'Lubumbashi', 'Matadi', 'Goma']

export const legalPages = [
  { href: '/mentions-legales', label: 'Mentions légales' },
  { href: '/confidentialite', label: 'Confidentialité' },
  { href: '/conditions', label: 'Conditions d’utilisation' },
]
