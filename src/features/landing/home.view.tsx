import { CoveredMarkets } from '#features/landing/covered-markets.view.tsx'
import { Evolution, PlatformFigures } from '#features/landing/evolution.view.tsx'
import { Formula } from '#features/landing/formula.view.tsx'
import { Hero, Ticker } from '#features/landing/hero.view.tsx'
import type { PublicFigures } from '#features/landing/landing.contract.ts'
import { CallToAction, Partners } from '#features/landing/partners.view.tsx'
import { Reasons, Services } from '#features/landing/services.view.tsx'
import { Trends } from '#features/landing/trends.view.tsx'
import { purpose } from '#shared/ntalo.ts'
import type { Site } from '#shared/site.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'

type HomeProps = { figures: PublicFigures; site: Site }

export function head({ site }: HomeProps): DocumentHead {
  const description =
    'Les prix des marchés de la République démocratique du Congo, relevés sur place, vérifiés et analysés\u00a0: indice national, tendances et prix par marché.'
  return {
    title: 'Ntalo\u00a0: les prix des marchés de la RDC',
    description,
    canonicalPath: '/',
    enhancement: 'public-site',
    data: {
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': 'Organization',
          name: 'Ntalo',
          description: purpose,
          ...(site.email && { email: site.email }),
          areaServed: { '@type': 'Country', name: 'République démocratique du Congo' },
        },
        {
          '@type': 'Dataset',
          name: 'Indice national des prix Ntalo',
          description,
          inLanguage: 'fr',
          isAccessibleForFree: true,
          creator: { '@type': 'Organization', name: 'Ntalo' },
          spatialCoverage: { '@type': 'Country', name: 'République démocratique du Congo' },
        },
      ],
    },
  }
}

export function HomeView({ figures, site }: HomeProps) {
  const isEmpty = figures.totals.prices === 0
  return (
    <PublicLayout site={site} isDemonstration={figures.isDemonstration} at="/">
      <Hero figures={figures} />
      <Ticker figures={figures} />
      <Trends figures={figures} isEmpty={isEmpty} />
      <PlatformFigures totals={figures.totals} />
      <Evolution figures={figures} isEmpty={isEmpty} />
      <Services />
      <Reasons />
      <CoveredMarkets markets={figures.markets} />
      <Formula plans={figures.plans} />
      <CallToAction />
      <Partners />
    </PublicLayout>
  )
}
