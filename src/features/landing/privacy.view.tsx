import { Prose, ProsePart, type TextPageProps } from '#features/landing/prose.view.tsx'
import { toBeSaid } from '#features/landing/site.rules.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

export function head(): DocumentHead {
  return {
    title: 'Confidentialité · Ntalo',
    description: 'Les données personnelles que Ntalo garde, pourquoi, combien de temps, et vos droits.',
    canonicalPath: '/confidentialite',
    enhancement: 'public-site',
  }
}

export function PrivacyView(props: TextPageProps) {
  const { site } = props
  return (
    <Prose
      {...props}
      title="Confidentialité"
      lead="Ntalo garde le moins possible sur vous, et rien n’est vendu ni prêté à des annonceurs."
    >
      <ProsePart title="Ce qui est gardé, et pourquoi">
        <ul>
          <li>
            Votre compte&nbsp;: nom, adresse e-mail, mot de passe chiffré de façon irréversible, photo si vous
            en donnez une.
          </li>
          <li>
            Vos abonnements et paiements, avec le numéro de téléphone qui a payé, pour tenir nos comptes.
          </li>
          <li>Vos sessions ouvertes, pour vous laisser connecté et vous permettre de les fermer.</li>
          <li>Les messages du formulaire de contact, pour y répondre.</li>
          <li>Un journal de ce que chacun change dans la base, pour pouvoir le corriger.</li>
          <li>
            L’adresse réseau des tentatives de connexion, comptées pendant un jour au plus, contre les abus.
          </li>
        </ul>
      </ProsePart>
      <ProsePart title="Cookies">
        <p>
          Un cookie vous garde connecté, un autre retient le thème clair ou sombre et l’état du menu. Aucun ne
          sert à mesurer l’audience ni à la publicité, et aucune page ne charge quoi que ce soit d’un autre
          site.
        </p>
      </ProsePart>
      <ProsePart title="Qui y a accès">
        <p>
          L’équipe de Ntalo, selon le rôle de chacun, l’hébergeur{site.host ? ` (${site.host})` : ''} et, pour
          un paiement, l’opérateur de mobile money que vous choisissez.
        </p>
      </ProsePart>
      <ProsePart title="Combien de temps">
        <p>
          Votre compte est gardé tant que vous ne le fermez pas. Fermé, il perd vos nom et adresse&#8239;; les
          pièces comptables restent le temps que la loi demande.
        </p>
      </ProsePart>
      <ProsePart title="Vos droits">
        <p>
          Le Code du numérique (ordonnance-loi n°&nbsp;23/010 du 13 mars 2023) protège vos données
          personnelles. Depuis votre profil, vous pouvez les lire, les corriger, les emporter dans un fichier
          et fermer votre compte. Pour le reste&nbsp;: <TextLink href="/contact">écrivez-nous</TextLink>
          {site.email ? `, ou à ${site.email}` : ` (adresse e-mail ${toBeSaid})`}.
        </p>
      </ProsePart>
    </Prose>
  )
}
