import { Prose, ProsePart, type TextPageProps } from '#features/landing/prose.view.tsx'
import { missingDetail } from '#shared/site.ts'
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
      lead="Ce que Ntalo garde de vous, pourquoi et combien de temps. Rien n’est vendu ni prêté à des annonceurs."
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
          <li>
            Vos sessions ouvertes et leur navigateur, pour vous laisser connecté et vous permettre de les
            fermer.
          </li>
          <li>Les prix que vous relevez, avec votre nom, que lisent ceux qui consultent les prix.</li>
          <li>Les messages du formulaire de contact, pour y répondre.</li>
          <li>
            Un journal de chaque écriture, pour pouvoir la corriger et remonter à son auteur&nbsp;: qui,
            quand, quoi, avec l’adresse réseau (IP) et le navigateur. Un message de contact y entre aussi.
          </li>
          <li>
            Les compteurs de tentatives, contre les abus&nbsp;: connexion, inscription, mot de passe oublié,
            contact. Ils retiennent l’adresse réseau ou une empreinte de l’adresse e-mail, et sont effacés au
            bout de deux jours environ.
          </li>
        </ul>
      </ProsePart>
      <ProsePart title="Cookies">
        <p>
          Aucun ne sert à mesurer l’audience ni à la publicité, et aucune page ne charge quoi que ce soit d’un
          autre site. Il y en a sept, tous à nous&nbsp;:
        </p>
        <ul>
          <li>
            <code>ntalo_refresh</code>, qui vous garde connecté, et <code>ntalo_signed_in</code>, qui dit à la
            page que vous l’êtes&nbsp;: un jour, renouvelé à l’usage&#8239;;
          </li>
          <li>
            <code>ntalo_device</code>, qui reconnaît un navigateur où vous vous êtes connecté, pour que les
            essais de mot de passe d’un inconnu ne vous ferment pas la porte&nbsp;: treize mois&#8239;;
          </li>
          <li>
            <code>ntalo_google</code>, le temps d’une connexion avec Google&nbsp;: dix minutes&#8239;;
          </li>
          <li>
            <code>theme</code>, clair ou sombre si vous l’avez choisi&nbsp;: un an&#8239;;
          </li>
          <li>
            <code>ntalo_position</code>, après ce que vous enregistrez, pour que la page suivante le montre
            quel que soit le serveur qui répond&nbsp;: une minute&#8239;;
          </li>
          <li>
            <code>sidebar_state</code> et <code>sidebar_rail</code>, menu ouvert ou replié sur un écran large
            ou étroit&nbsp;: sept jours.
          </li>
        </ul>
        <p>
          Sur une adresse en https, <code>__Host-</code> précède les noms de <code>ntalo_refresh</code> et de{' '}
          <code>ntalo_google</code>.
        </p>
      </ProsePart>
      <ProsePart title="Qui y a accès">
        <p>
          L’équipe de Ntalo, selon le rôle de chacun, l’hébergeur{site.host ? ` (${site.host})` : ''} et le
          service qui achemine nos e-mails. Pour un paiement, notre prestataire (pawaPay ou FlexPay) et
          l’opérateur de mobile money que vous choisissez&nbsp;: ils reçoivent le montant, une référence et le
          numéro qui paie. Si vous vous connectez avec Google, Google le sait et nous donne vos nom et adresse
          e-mail.
        </p>
      </ProsePart>
      <ProsePart title="Combien de temps">
        <p>
          Votre compte est gardé tant que vous ne le fermez pas. Fermé, il perd vos nom et adresse, vos prix
          deviennent ceux d’un collecteur anonyme, et le journal votre nom, votre adresse e-mail, vos adresses
          réseau et vos navigateurs&#8239;; les pièces comptables restent le temps que la loi demande. Un
          message de contact est gardé un an, puis effacé, du journal aussi&#8239;; avant cela,
          demandez-le-nous.
        </p>
      </ProsePart>
      <ProsePart title="Vos droits">
        <p>
          Le Code du numérique (ordonnance-loi n°&nbsp;23/010 du 13 mars 2023) protège vos données
          personnelles. Depuis votre profil, vous pouvez les lire, les corriger, les emporter dans un fichier
          et fermer votre compte. Pour le reste&nbsp;: <TextLink href="/contact">écrivez-nous</TextLink>
          {site.email ? `, ou à ${site.email}` : ` (adresse e-mail ${missingDetail})`}.
        </p>
      </ProsePart>
    </Prose>
  )
}
