import { Prose, ProsePart, type TextPageProps } from '#features/landing/prose.view.tsx'
import { missingDetail } from '#shared/site.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

export function head(): DocumentHead {
  return {
    title: 'Conditions d’utilisation · Ntalo',
    description:
      'Ce que Ntalo fournit, ce que vous pouvez en faire, ce que coûte un abonnement et comment il s’arrête.',
    canonicalPath: '/conditions',
    enhancement: 'public-site',
  }
}

export function TermsView(props: TextPageProps) {
  const { site } = props
  return (
    <Prose {...props} title="Conditions d’utilisation">
      <ProsePart title="Le service">
        <p>
          Ntalo, publié par {site.publisher ?? `un éditeur (${missingDetail})`}, relève des prix sur les
          marchés de la RD Congo, les vérifie et les publie avec leur méthode. Une part se lit sans
          compte&#8239;; le reste demande un essai ou un abonnement.
        </p>
      </ProsePart>
      <ProsePart title="Votre compte">
        <p>
          Il est personnel. Donnez une adresse exacte et gardez votre mot de passe pour vous. Un compte qui
          sert à nuire au service ou aux autres peut être suspendu.
        </p>
      </ProsePart>
      <ProsePart title="Essai et abonnement">
        <p>
          L’essai dure 14 jours, sans moyen de paiement, et s’arrête de lui-même. Un abonnement court sur la
          période payée, un mois ou un an, et ne se renouvelle pas sans vous. Les prix sont ceux de la{' '}
          <TextLink href="/#formule">formule</TextLink> au moment du paiement.
        </p>
      </ProsePart>
      <ProsePart title="Ce que vous pouvez faire des données">
        <p>
          Les lire, les analyser, les exporter pour votre usage et celui de votre organisation, et les citer
          avec leur source. Les revendre ou en republier une part substantielle demande un accord écrit.
        </p>
      </ProsePart>
      <ProsePart title="Ce que Ntalo ne garantit pas">
        <p>
          Un relevé est ce qu’un collecteur a vu un jour, dans un marché. Malgré les contrôles, une erreur est
          possible, et un prix change vite. Les décisions prises avec ces chiffres restent les vôtres. Le
          service peut être interrompu pour entretien.
        </p>
      </ProsePart>
      <ProsePart title="Droit applicable">
        <p>
          Le droit de la République démocratique du Congo. En cas de désaccord,{' '}
          <TextLink href="/contact">écrivez-nous</TextLink> d’abord&nbsp;: la plupart se règlent ainsi.
        </p>
      </ProsePart>
    </Prose>
  )
}
