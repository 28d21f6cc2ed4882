import {
  ArrowLeftRight,
  ChartLine,
  Code,
  FileText,
  MapPinned,
  Ruler,
  ShieldCheck,
  Signal,
} from 'lucide-react'
import { PublicSection } from '#features/landing/section.view.tsx'

const services = [
  {
    icon: MapPinned,
    title: 'Suivi des prix',
    text: 'Chaque relevé a son marché, son jour, son unité et son collecteur. Vous les lisez, les filtrez et les exportez.',
  },
  {
    icon: ChartLine,
    title: 'Analyse des tendances',
    text: 'Indice national, évolution par produit et par marché, toujours avec leur marge et ce sur quoi ils reposent.',
  },
  {
    icon: FileText,
    title: 'Rapports personnalisés',
    text: 'Vos produits et vos marchés, mis en page et envoyés à votre rythme.',
  },
  {
    icon: Code,
    title: 'API pour développeurs',
    text: 'Les mêmes données dans vos propres outils, avec une clé et une documentation.',
  },
]

const reasons = [
  {
    icon: ShieldCheck,
    title: 'Vérifié avant d’être publié',
    text: 'Un prix loin de la médiane de sa série est confirmé par son collecteur avant d’être écrit. Toute correction est gardée au journal.',
  },
  {
    icon: Ruler,
    title: 'Une méthode publique',
    text: 'La définition de chaque chiffre, ses sources et ses révisions se lisent sans compte. Rien n’est inventé pour combler un trou.',
  },
  {
    icon: Signal,
    title: 'Fait pour nos réseaux',
    text: 'Les pages tiennent en quelques dizaines de kilo-octets et se lisent en 2G, même sur un petit téléphone.',
  },
  {
    icon: ArrowLeftRight,
    title: 'Francs et dollars, sans confusion',
    text: 'Les prix gardent la devise dans laquelle ils ont été relevés. Les moyennes sont en francs, au taux du jour.',
  },
]

export function Services() {
  return (
    <PublicSection
      id="features"
      isFolded
      title="Services"
      lead={
        'De la simple question «\u202fcombien coûte le riz cette semaine\u202f?\u202f» à l’étude d’une province.'
      }
    >
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {services.map(({ icon: Icon, title, text }) => (
          <li
            key={title}
            className="grid grid-cols-[auto_1fr] gap-x-4 rounded-md border border-line bg-surface p-5 sm:block"
          >
            <Icon className="row-span-2 size-6 text-river" aria-hidden />
            <h3 className="text-base font-semibold sm:mt-3">{title}</h3>
            <p className="mt-1 text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </PublicSection>
  )
}

export function Reasons() {
  return (
    <PublicSection id="reasons" isFolded tone="surface" title="Pourquoi choisir Ntalo">
      <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        {reasons.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-4">
            <span className="flex size-11 shrink-0 items-center justify-center rounded-md bg-river-soft text-river">
              <Icon className="size-5" aria-hidden />
            </span>
            <div>
              <h3 className="text-base font-semibold">{title}</h3>
              <p className="mt-1 max-w-md text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </PublicSection>
  )
}

/** Marks what is announced but not available yet. */
export function ComingMark() {
  return <span className="rounded-md bg-grey-soft px-2 py-0.5 text-xs font-medium text-grey">Bientôt</span>
}
