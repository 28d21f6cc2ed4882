import { Building2, Newspaper, Store } from 'lucide-react'
import { PublicSection } from '#features/landing/section.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'

export function CallToAction() {
  return (
    <section id="cta" aria-labelledby="cta-title" className="bg-river-fill text-on-river">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-3 px-4 py-4 md:gap-6 md:px-8 md:py-12">
        <div className="min-w-0 max-w-2xl">
          <h2 id="cta-title" className="text-base font-semibold tracking-tight md:text-xl">
            Sachez ce que coûte le panier, avant d’acheter, de vendre ou de décider
          </h2>
          <p className="mt-2 text-base max-md:hidden">
            Toutes les données pendant 14 jours, sans moyen de paiement.
          </p>
        </div>
        <a
          href="/auth/register"
          className="inline-flex h-control items-center rounded-md bg-white px-6 font-medium text-black outline-offset-4 outline-white hover:underline"
        >
          Créer un compte
        </a>
      </div>
    </section>
  )
}

const partners = [
  {
    icon: Building2,
    title: 'Institutions et ONG',
    text: 'Partagez vos relevés au format du PAM, recevez des séries vérifiées et comparables.',
  },
  {
    icon: Newspaper,
    title: 'Médias et recherche',
    text: 'Citez des chiffres datés, avec leur marge et leur source, et reprenez les graphiques.',
  },
  {
    icon: Store,
    title: 'Commerçants et marchés',
    text: 'Accueillez un collecteur, suivez vos produits, faites connaître votre marché.',
  },
]

export function Partners() {
  return (
    <PublicSection
      id="partners"
      isFolded
      title="Partenaires"
      lead="Ntalo se construit avec ceux qui produisent les prix et ceux qui s’en servent."
    >
      <ul className="grid gap-4 md:grid-cols-3">
        {partners.map(({ icon: Icon, title, text }) => (
          <li key={title} className="rounded-md border border-line bg-surface p-5">
            <Icon className="size-6 text-ochre" aria-hidden />
            <h3 className="mt-3 text-base font-semibold">{title}</h3>
            <p className="mt-1 text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
      <p className="mt-6">
        <a href="/contact?sujet=Devenir%20Partenaire" className={buttonClass('secondary', 'px-6')}>
          Devenir Partenaire
        </a>
      </p>
    </PublicSection>
  )
}
