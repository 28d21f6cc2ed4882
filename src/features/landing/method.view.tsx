import { Prose, ProseContents, ProsePart, type TextPageProps } from '#features/landing/prose.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

const contents = [
  ['releve', 'Ce qu’est un relevé'],
  ['moyennes', 'Moyennes, minimums et maximums'],
  ['plateforme', 'Décomptes et classements'],
  ['indice', 'L’indice des prix'],
  ['variation', 'Variation, marge et tendance'],
  ['inflation', 'Inflation estimée'],
  ['contributions', 'Contributions'],
  ['devises', 'Francs et dollars'],
  ['hebdomadaire', 'Accueil et pages des marchés'],
  ['comparaison', 'Comparaison de marchés'],
  ['carte', 'Carte'],
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

/** Shows the definition of every figure, by edition of the method. */
export function MethodView(props: TextPageProps) {
  return (
    <Prose
      {...props}
      title="Méthode"
      lead="Ce que veut dire chaque chiffre, comment il est calculé et ce qu’il ne dit pas. Troisième édition, novembre 2026."
    >
      <ProseContents parts={contents} />
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
          quartiles ne sont donnés que pour une seule série.
        </p>
        <p>
          De plusieurs produits, seuls les biens entrent dans les moyennes et les indices&nbsp;: un salaire,
          un service ou un taux se lit dans sa propre série. La moyenne de produits différents suit ce qui a
          été relevé ce jour-là autant que les prix&nbsp;: pour savoir s’ils montent, lisez l’indice.
        </p>
      </ProsePart>
      <ProsePart id="plateforme" title="Décomptes et classements">
        <p>
          Sur la page d’accueil&nbsp;: tous les prix, produits et marchés de la base, et les comptes actifs.
          Les produits y sont comptés par marque et par catégorie, les abonnements par jour d’ouverture sur
          sept jours.
        </p>
        <p>
          Ailleurs, ces chiffres suivent la sélection affichée. Un nombre de prix est comparé à celui de la
          période précédente de même longueur&#8239;; pour les produits, les marchés et les comptes, la
          variation est ce qui s’est ajouté pendant la période. Les classements comptent les prix relevés dans
          la période.
        </p>
      </ProsePart>
      <ProsePart id="indice" title="L’indice des prix">
        <p>
          L’indice compare chaque série à elle-même, semaine après semaine, et vaut 100 au début de la
          période. Il est calculé par la méthode dite <i>time-product dummy</i>, sur des semaines ISO et une
          fenêtre de 53 semaines, avec les séries qui ont un prix dans deux semaines au moins. Chaque série
          compte autant qu’une autre, qu’elle soit relevée tous les jours ou tous les quinze jours&nbsp;:
          chacune de ses n semaines pèse 1/n. Au-delà de 53 semaines, chaque semaine est raccordée à toutes
          celles de sa fenêtre.
        </p>
        <p>
          Une semaine que rien ne relie aux autres n’a pas de valeur&nbsp;: aucun trou n’est comblé, aucun
          prix n’est prolongé. Après plus d’un an sans relevé, l’indice repart. Les huit dernières semaines
          sont des estimations provisoires, tracées en pointillé&nbsp;: les relevés qui arrivent encore les
          changent. Les précédentes ne bougent plus guère, sauf quand un relevé ancien est ajouté, corrigé ou
          retiré (<TextLink href="#revisions">Révisions</TextLink>
          ). Les indices des grandes sélections sont recalculés quelques secondes après un relevé, quelques
          minutes quand il est ancien&nbsp;: tant qu’un chiffre ne le compte pas, l’heure de son calcul est
          écrite à côté.
        </p>
      </ProsePart>
      <ProsePart id="variation" title="Variation, marge et tendance">
        <p>
          La variation sur 7, 30, 90 ou 365 jours compare la dernière semaine qui a une valeur à celle qui la
          précède de 1, 4, 13 ou 52 semaines&#8239;; de toutes les dates, à la première qui en a une. Les deux
          semaines sont nommées à côté du chiffre.
        </p>
        <p>
          Pour une seule série, on compare la moyenne géométrique de ses derniers jours à celle d’autant de
          jours, une période plus tôt&nbsp;: 7 jours pour une période de 30 jours au plus, 15 jusqu’à 90, 30
          au-delà. Rien n’est dit si l’un des deux côtés est vide.
        </p>
        <p>
          La marge est la demi-largeur de l’intervalle de confiance à 95&nbsp;%&nbsp;: «&#8239;+1,8&nbsp;% (±
          0,9)&#8239;». Quand l’intervalle n’est pas symétrique à un demi-point près, ses deux bouts sont
          écrits&nbsp;: «&#8239;+24&nbsp;% (entre +9 et +41&nbsp;%)&#8239;». Elle vient des résidus de tout
          l’ajustement (estimateur sandwich)&nbsp;: les séries d’un même produit y comptent pour une seule
          observation, car elles bougent ensemble&#8239;; d’un seul produit, celles d’un même marché. Une
          semaine où un seul produit, ou un seul marché, a été relevé ne laisse rien mesurer&nbsp;: la
          variation n’a alors pas de marge. Elle n’en a pas non plus quand tous les relevés ont varié de même,
          car une marge nulle serait une fausse précision. Quand peu de produits sont relevés chaque semaine,
          la marge contient la vérité neuf fois sur dix plutôt que dix-neuf fois sur vingt.
        </p>
        <p>
          La tendance est stable quand la variation ne dépasse pas 1&nbsp;%, ou quand sa marge, de cinq points
          au plus, contient zéro&#8239;; d’une marge plus large qui contient zéro, elle est trop incertaine
          pour être dite. Elle est à la hausse ou à la baisse quand la variation dépasse 1&nbsp;%, sa marge,
          et encore la marge plus large qu’auraient les seuls produits relevés dans celle des deux semaines
          qui en a le moins. Entre ces deux marges, trop peu de produits permettent de trancher&nbsp;: le
          chiffre reste neutre, et rien n’est dit de la tendance. Sans marge, rien n’est dit non plus. Sur
          plus d’un an, la variation est donnée sans marge, et les séries comptées sont celles de la dernière
          année.
        </p>
        <p>
          «&#8239;Les données de ce chiffre&#8239;» donne tous les relevés dont il vient, chacun en
          francs&nbsp;: ceux de la période, et ceux de l’année qui la précède, que l’indice suit aussi. Une
          colonne les distingue.
        </p>
        <p>
          Un chiffre est gris quand il repose sur moins de cinq séries ou de trois produits, pour une seule
          série sur moins de trois relevés d’un côté, ou que le dernier relevé a plus de 30 jours.
        </p>
      </ProsePart>
      <ProsePart id="inflation" title="Inflation estimée">
        <p>
          C’est la variation de l’indice quand elle porte sur trois produits au moins. Elle n’est pas pondérée
          par les dépenses des ménages&nbsp;: ce n’est pas l’indice des prix à la consommation de l’Institut
          national de la statistique, et elle ne le remplace pas. Faute de données, on lit
          «&#8239;Insuffisant&#8239;».
        </p>
        <p>La page Inflation lit l’indice de quatre façons, à sa dernière semaine&nbsp;:</p>
        <ul>
          <li>hebdomadaire&nbsp;: comparé à la semaine d’avant&#8239;;</li>
          <li>cumulée&nbsp;: comparé à la dernière semaine de l’année précédente&#8239;;</li>
          <li>
            annualisée&nbsp;: (1 + cumul) à la puissance 52/n, moins 1, où n est le numéro de la
            semaine&#8239;;
          </li>
          <li>en glissement annuel&nbsp;: comparé à 52 semaines plus tôt.</li>
        </ul>
        <p>
          Quand les types qui ont un poids sont deux au moins et font au moins la moitié des séries, cette
          page les applique et le dit&nbsp;: celui d’un type de produit est partagé également entre ses
          séries, et les types sans poids restent de côté. Avec moins, ou sur plus de 4&nbsp;000 séries, elle
          reste non pondérée et dit pourquoi.
        </p>
      </ProsePart>
      <ProsePart id="contributions" title="Contributions">
        <p>
          La contribution d’une catégorie ou d’un type est sa part des séries, ou des poids, multipliée par la
          variation moyenne de ses prix, où chaque série compte comme dans l’indice. Un prix qui manque une
          semaine est supposé suivre l’indice. Ensemble, les contributions font la variation de l’indice.
        </p>
      </ProsePart>
      <ProsePart id="devises" title="Francs et dollars">
        <p>
          Un prix en dollars est converti au taux de son jour ou, à défaut, au dernier taux connu avant lui.
          Au-delà de sept jours, ce taux est dit ancien et les prix qu’il convertit sont comptés. Un prix plus
          ancien que le premier taux connu est écarté des moyennes et compté à part.
        </p>
        <p>
          La variation en francs se partage exactement en deux&nbsp;: (1 + francs) = (1 + dollar) × (1 + prix
          en dollars). C’est un partage, pas une cause.
        </p>
      </ProsePart>
      <ProsePart id="hebdomadaire" title="Accueil et pages des marchés">
        <p>
          «&#8239;Derniers prix&#8239;» donne, dans quatre villes, le dernier prix relevé des produits que le
          plus de marchés ont relevés en huit semaines, et sa variation sur 30&nbsp;jours. «&#8239;Plus fortes
          variations&#8239;» porte sur les sept jours qui finissent au dernier relevé, comparés aux sept
          précédents, pour les produits présents dans trois marchés au moins des deux côtés. Le prix d’un
          produit y est la moyenne géométrique de ses relevés, chaque marché comptant autant.
        </p>
        <p>
          «&#8239;Évolution sur six mois&#8239;» compare la dernière semaine de l’indice national à celle qui
          la précède de 26 semaines, et l’inflation estimée sur trois mois à celle de 13 semaines plus tôt. La
          ville la plus stable est celle dont les séries ont le moins changé en treize semaines, par quatre
          semaines de relevés de chaque côté, avec cinq séries de trois produits au moins.
        </p>
        <p>
          «&#8239;Prix actuel&#8239;» et «&#8239;Prix précédent&#8239;» sont, marché par marché, la moyenne
          géométrique des relevés d’un produit pendant quatre semaines et pendant les quatre d’avant.
        </p>
        <p>
          La page d’un marché donne le dernier prix relevé de chaque produit, dans sa devise.
          «&#8239;Évolution&#8239;» y est l’écart avec le relevé précédent, dont le jour est écrit
          dessous&nbsp;: d’un relevé à l’autre, un écart dit peu.
        </p>
      </ProsePart>
      <ProsePart id="comparaison" title="Comparaison de marchés">
        <p>
          Chaque courbe est la moyenne des prix relevés un jour dans un marché. En indice, 100 est le premier
          jour où toutes les séries ont un prix. Un écart entre deux marchés est inhabituel quand il s’éloigne
          de sa médiane des 52 semaines d’avant, dont douze au moins, de plus de 10&nbsp;% et de deux fois la
          médiane de ses écarts.
        </p>
      </ProsePart>
      <ProsePart id="carte" title="Carte">
        <p>
          La carte colore les marchés ou les provinces par le prix moyen d’un produit ou par sa variation. Les
          niveaux forment cinq classes au plus, d’à peu près autant de lieux&#8239;; les hausses et les
          baisses, deux chacune, dont l’une réunit la moitié la plus forte, et une classe à part pour ce qui
          est stable. Les limites sont arrondies à deux chiffres. Ce qui repose sur trop peu, ou sur des
          relevés de plus de 30 jours, est gris et ne compte pas dans les classes, de même qu’une variation
          dont la tendance n’est pas établie.
        </p>
      </ProsePart>
      <ProsePart id="alertes" title="Prix inhabituels">
        <p>
          Une série est signalée quand la moyenne de ses prix des 30 derniers jours dépasse d’au moins
          25&nbsp;% celle des moyennes des douze périodes de 30 jours d’avant (six au moins ont un prix), et
          d’au moins 20&nbsp;% une fois chaque moyenne divisée par l’indice national de la dernière semaine de
          sa période où il a une valeur&#8239;; ou quand son dernier prix vaut plus du triple, ou moins du
          tiers, de sa médiane de 90 jours. Rien n’est signalé sur un prix de plus de 30 jours.
        </p>
      </ProsePart>
      <ProsePart id="revisions" title="Révisions">
        <p>
          Un relevé ajouté, corrigé, importé de nouveau ou retiré change aussitôt les chiffres qui en
          dépendent, quel que soit son âge&nbsp;: aucune semaine de l’indice n’est figée. Chaque changement
          garde son auteur, sa date et ses deux valeurs dans un journal. Une nouvelle méthode reçoit un
          nouveau numéro d’édition, écrit en haut de cette page.
        </p>
        <ul>
          <li>
            Première édition&nbsp;: tiers de période. Elle sous-estimait d’un tiers une hausse régulière.
          </li>
          <li>
            Deuxième édition&nbsp;: le même indice, où chaque semaine d’une série pesait autant. Il suivait ce
            qui est relevé le plus souvent&nbsp;: quand la moitié des biens, relevée tous les jours, montait
            de 30&nbsp;% et l’autre, relevée tous les quinze jours, restait stable, il disait +24&nbsp;% pour
            +14&nbsp;%.
          </li>
          <li>
            Troisième édition, en vigueur depuis le 26&nbsp;novembre 2026&nbsp;: chaque série compte autant
            qu’une autre, et les marges sont celles de tout l’ajustement.
          </li>
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
          Ntalo, Indice national des prix, semaine du 16 nov. 2026, méthode 3e édition, consulté le 22 nov.
          2026.
        </p>
        <p>
          Une question sur un chiffre&#8239;? <TextLink href="/contact">Écrivez-nous</TextLink>.
        </p>
      </ProsePart>
    </Prose>
  )
}
