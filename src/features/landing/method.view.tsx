import { Prose, ProsePart, type TextPageProps } from '#features/landing/prose.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

const contents = [
  ['releve', 'Ce qu’est un relevé'],
  ['moyennes', 'Moyennes, minimums et maximums'],
  ['indice', 'L’indice des prix'],
  ['variation', 'Variation, marge et tendance'],
  ['inflation', 'Inflation estimée'],
  ['devises', 'Francs et dollars'],
  ['hebdomadaire', 'Chiffres de la semaine'],
  ['alertes', 'Prix inhabituels'],
  ['revisions', 'Révisions'],
  ['sources', 'Sources'],
  ['limites', 'Ce qui n’est pas promis'],
  ['citer', 'Citer Ntalo'],
] as const

export function head(): DocumentHead {
  return {
    title: 'Méthode · Ntalo',
    description:
      'La définition de chaque chiffre de Ntalo\u00a0: relevés, moyennes, indice, marge, révisions, sources et limites.',
    canonicalPath: '/methode',
    enhancement: 'public-site',
  }
}

/** The definition of every figure, by the edition that computes it. */
export function MethodView(props: TextPageProps) {
  return (
    <Prose
      {...props}
      title="Méthode"
      lead="Ce que veut dire chaque chiffre, comment il est calculé et ce qu’il ne dit pas. Deuxième édition, novembre 2026."
    >
      <nav aria-label="Sommaire" className="mt-6 rounded-md border border-line bg-surface p-5">
        <ul className="grid gap-x-6 sm:grid-cols-2">
          {contents.map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`} className="inline-block py-1 text-river hover:underline">
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ProsePart id="releve" title="Ce qu’est un relevé">
        <p>
          Un relevé est le prix d’un produit dans un marché, vu par un collecteur un jour donné, dans la
          devise où il a été annoncé. Une série est la suite des relevés d’un même produit dans un même
          marché. Le jour est celui de l’heure locale du marché.
        </p>
        <p>
          À la saisie, un prix qui s’écarte trop de sa série est montré à son collecteur avec la médiane, et
          doit être confirmé&nbsp;: écart de plus de 3,5 fois la dispersion habituelle et d’au moins 25&nbsp;%
          de la médiane, avec cinq relevés au moins en 90 jours. Il n’est jamais refusé ni corrigé d’office.
        </p>
      </ProsePart>
      <ProsePart id="moyennes" title="Moyennes, minimums et maximums">
        <p>
          Ils portent sur les relevés de la sélection affichée, en francs congolais. La médiane et les
          quartiles ne sont donnés que pour une seule série. Sur la page d’accueil et celles des marchés, le
          prix moyen d’un produit est une moyenne géométrique de ses relevés, chaque marché comptant autant.
        </p>
        <p>
          Nous ne publions pas la moyenne de produits différents&nbsp;: elle suivrait ce qui a été relevé ce
          jour-là, et non les prix.
        </p>
      </ProsePart>
      <ProsePart id="indice" title="L’indice des prix">
        <p>
          L’indice compare chaque série à elle-même, semaine après semaine, et vaut 100 au début de la
          période. Il est calculé par la méthode dite <i>time-product dummy</i>, sur des semaines ISO et une
          fenêtre de 53 semaines, avec les séries qui ont un prix dans deux semaines au moins, toutes du même
          poids. Au-delà de 53 semaines, chaque semaine est raccordée à toutes celles de sa fenêtre.
        </p>
        <p>
          Une semaine que rien ne relie aux autres n’a pas de valeur. Les huit dernières semaines sont
          provisoires, et tracées en pointillé&#8239;; les précédentes ne changent plus.
        </p>
      </ProsePart>
      <ProsePart id="variation" title="Variation, marge et tendance">
        <p>
          La variation sur 7, 30, 90 ou 365 jours compare la dernière semaine qui a une valeur à celle qui la
          précède de 1, 4, 13 ou 52 semaines. Les deux semaines sont nommées à côté du chiffre. Pour une seule
          série, on compare la moyenne géométrique de ses derniers jours à celle des jours correspondants.
        </p>
        <p>
          La marge est la demi-largeur de l’intervalle de confiance à 95&nbsp;%&nbsp;: «&#8239;+1,8&nbsp;% (±
          0,9)&#8239;». Les séries d’un même produit y comptent pour une seule observation, car elles bougent
          ensemble. La tendance est à la hausse ou à la baisse quand la variation dépasse 1&nbsp;% et sa
          marge, stable sinon. Sans marge, rien n’est dit.
        </p>
        <p>
          Un chiffre est gris quand il repose sur moins de cinq séries ou de trois produits, ou que le dernier
          relevé a plus de 30 jours.
        </p>
      </ProsePart>
      <ProsePart id="inflation" title="Inflation estimée">
        <p>
          C’est la variation de l’indice quand elle porte sur trois produits au moins. Elle n’est pas pondérée
          par les dépenses des ménages&nbsp;: ce n’est pas l’indice des prix à la consommation de l’Institut
          national de la statistique, et elle ne le remplace pas. Faute de données, on lit
          «&#8239;Insuffisant&#8239;».
        </p>
      </ProsePart>
      <ProsePart id="devises" title="Francs et dollars">
        <p>
          Un prix en dollars est converti au taux de son jour ou, à défaut, au dernier taux connu avant lui.
          Un prix plus ancien que le premier taux connu est écarté des moyennes et compté à part.
        </p>
      </ProsePart>
      <ProsePart id="hebdomadaire" title="Chiffres de la semaine">
        <p>
          «&#8239;Les prix de la semaine&#8239;» et «&#8239;Plus fortes variations&#8239;» portent sur les
          sept derniers jours qui ont des relevés, comparés aux sept précédents, pour les produits présents
          dans trois marchés au moins des deux côtés. La ville la plus stable est celle dont les séries ont le
          moins changé en treize semaines, avec cinq séries de trois produits au moins.
        </p>
      </ProsePart>
      <ProsePart id="alertes" title="Prix inhabituels">
        <p>
          Une série est signalée quand son dernier prix dépasse d’au moins 25&nbsp;% la moyenne de ses douze
          mois précédents, et d’au moins 20&nbsp;% une fois retirée la hausse d’ensemble&#8239;; ou quand il
          vaut plus du triple, ou moins du tiers, de sa médiane de 90 jours. Rien n’est signalé sur un prix de
          plus de 30 jours.
        </p>
      </ProsePart>
      <ProsePart id="revisions" title="Révisions">
        <p>
          Un relevé corrigé, importé de nouveau ou retiré change aussitôt les chiffres qui en dépendent, dans
          les huit dernières semaines de l’indice comprises. Chaque changement garde son auteur, sa date et
          ses deux valeurs dans un journal. Une nouvelle méthode reçoit un nouveau numéro d’édition, écrit en
          haut de cette page.
        </p>
        <ul>
          <li>
            Première édition&nbsp;: tiers de période. Elle sous-estimait d’un tiers une hausse régulière.
          </li>
          <li>Deuxième édition, en vigueur&nbsp;: l’indice décrit plus haut.</li>
        </ul>
      </ProsePart>
      <ProsePart id="sources" title="Sources">
        <ul>
          <li>Les relevés des collecteurs et agents de Ntalo.</li>
          <li>
            Les fichiers de prix publiés par le Programme alimentaire mondial sur HDX, quand ils ont été
            importés&nbsp;: leur origine accompagne chaque ligne.
          </li>
          <li>Les taux de change saisis ou importés, avec leur source.</li>
          <li>Le tracé des cartes&nbsp;: Natural Earth, domaine public.</li>
        </ul>
      </ProsePart>
      <ProsePart id="limites" title="Ce qui n’est pas promis">
        <ul>
          <li>Annoncer une crise, ou un prix futur meilleur que celui d’aujourd’hui.</li>
          <li>L’inflation d’une ville en une semaine à la décimale près.</li>
          <li>Les chiffres mêmes du PAM, de la FAO, de l’INS ou de la Banque centrale.</li>
          <li>Un prix dans un marché où personne n’est passé&nbsp;: un trou reste un trou.</li>
        </ul>
      </ProsePart>
      <ProsePart id="citer" title="Citer Ntalo">
        <p>
          Donnez le chiffre avec sa marge, sa période, sa date de lecture et l’édition de la méthode.
          Exemple&nbsp;:
        </p>
        <p className="rounded-md border border-line bg-surface p-4 text-sm">
          Ntalo, Indice national des prix, semaine du 16 nov. 2026, méthode 2e édition, consulté le 22 nov.
          2026.
        </p>
        <p>
          Une question sur un chiffre&#8239;? <TextLink href="/contact">Écrivez-nous</TextLink>.
        </p>
      </ProsePart>
    </Prose>
  )
}
