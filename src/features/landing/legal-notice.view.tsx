import { Prose, ProsePart, type TextPageProps } from '#features/landing/prose.view.tsx'
import { missingDetail } from '#shared/site.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

export function head(): DocumentHead {
  return {
    title: 'Mentions légales · Ntalo',
    description: 'Qui publie Ntalo, qui l’héberge et comment joindre l’équipe.',
    canonicalPath: '/mentions-legales',
    enhancement: 'public-site',
  }
}

export function LegalNoticeView(props: TextPageProps) {
  const { site } = props
  const facts = [
    ['Éditeur', site.publisher],
    ['Immatriculation', site.registration],
    ['Adresse', site.address],
    ['Directeur de la publication', site.director],
    ['E-mail', site.email],
    ['Téléphone', site.phone],
    ['Hébergeur', site.host],
  ] as const
  return (
    <Prose {...props} title="Mentions légales">
      <dl className="mt-6 divide-y divide-line rounded-md border border-line bg-surface">
        {facts.map(([name, value]) => (
          <div key={name} className="grid gap-x-4 px-5 py-3 sm:grid-cols-[14rem_1fr]">
            <dt className="text-ink-soft">{name}</dt>
            <dd className={`wrap-anywhere ${value ? '' : 'text-ink-soft italic'}`}>
              {value ?? missingDetail}
            </dd>
          </div>
        ))}
      </dl>
      <ProsePart title="Propriété des contenus">
        <p>
          Les textes, les graphiques et la base de données de Ntalo appartiennent à l’éditeur, sauf mention
          contraire. Les prix publics peuvent être cités avec leur source, comme le dit la page{' '}
          <TextLink href="/methode#citer">Méthode</TextLink>. Reprendre une part substantielle de la base
          demande un accord écrit.
        </p>
      </ProsePart>
      <ProsePart title="Sources extérieures">
        <p>Les cartes sont tracées d’après Natural Earth, domaine public.</p>
      </ProsePart>
      <ProsePart title="Signaler une erreur">
        <p>
          Un chiffre faux, un contenu qui vous porte tort&nbsp;:{' '}
          <TextLink href="/contact">écrivez-nous</TextLink>, nous vous répondrons et corrigerons ce qui doit
          l’être.
        </p>
      </ProsePart>
    </Prose>
  )
}
