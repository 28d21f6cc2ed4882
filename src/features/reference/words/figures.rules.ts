/**
 * Descriptions, in the format of `catalogueWords`, for figures: statistics, indices, inflation, comparisons, the map
 * and the home page.
 */
export const figureWords = `
?period |  | Période qui finit aujourd’hui. Des dates exactes passent avant elle.
getStatisticsSubscriptionsGrowth?period |  | Pas du décompte.
?until | "2026-11-24" | Un jour de la dernière semaine voulue. Sans lui, la dernière qui a des prix.
?measure |  | Mesure de l’inflation, sur une semaine, en cumul de l’année, annualisée ou sur un an.
?unit |  | Unité des valeurs, les francs, les dollars ou un indice qui vaut 100 au début.
count | 128 | Combien il y en a.
change | 0.034 | Variation, en fraction. 0,034 veut dire 3,4 pour cent de hausse.
MarketActivity.change | 12.5 | Variation du nombre de relevés en pourcentage, null sans période de comparaison.
StatisticsOverview.change | 12.5 | Variation du nombre en pourcentage, null sans période de comparaison.
difference | 14 | Écart du nombre avec la période précédente, null sans période.
days |  | Les jours de la période, et ceux à quoi elle est comparée.
from | "2026-10-19" | Début de ce qui est comparé, le lundi de sa semaine ou un jour.
to | "2026-11-16" | Fin de ce qui est comparé, le lundi de sa semaine ou un jour.
startDate | "2026-11-01" | Premier jour, compris.
endDate | "2026-11-24" | Dernier jour, compris.
date | "2026-11-24" | Jour, au format aaaa-mm-jj.
value | 3.4 | Valeur.
PriceMovement.value | 0.034 | Variation, en fraction. 0,034 veut dire 3,4 pour cent de hausse.
change.value | 0.034 | Variation, en fraction. 0,034 veut dire 3,4 pour cent de hausse.
margin | 0.012 | Demi-largeur de l’intervalle à 95 pour cent, en fraction. Null quand rien ne la mesure.
lastMarket |  | Marché du dernier prix d’un produit suivi partout, null sinon.
#follows |  | Ce que l’on suit, un prix, un produit partout ou un marché.
trend | "up" | Sens de la variation, null quand rien ne permet de le dire.
series | 34 | Nombre de séries (un produit dans un marché) sur quoi repose le chiffre.
isThin | false | Le chiffre repose sur trop peu de séries ou de produits.
isStale | false | Le dernier relevé a plus de 30 jours.
users |  | Les comptes.
monitored | 38 | Ceux du nombre qui ont un prix dans la sélection, null d’une estimation.
CategoryShare.prices | 313 | Relevés de la sélection, null d’une estimation.
BrandRank.prices | 313 | Relevés de la sélection, null d’une estimation.
CategoryShare.name | "Céréales" | Nom de la catégorie.
BrandRank.name | "Simba" | Nom de la marque.
BrandRank.count | 14 | Nombre de produits de la marque.
CategoryShare.count | 42 | Nombre de produits de la catégorie.
others | 9 | Nombre de produits que la limite laisse de côté.
unbranded | 21 | Nombre de produits sans marque.
StatisticsOverview.prices |  | Les relevés de la sélection.
StatisticsOverview.products |  | Les produits choisis par les filtres.
StatisticsOverview.markets |  | Les marchés choisis par les filtres.
StatisticsOverview.categories |  | Les catégories des produits comptés.
StatisticsOverview.brands |  | Les marques des produits comptés.
StatisticsOverview.productTypes |  | Les types des produits comptés.
overview |  | Les chiffres clés de la sélection.
analysis |  | L’analyse des prix de la sélection.
analysis.products |  | Nombre de produits.
alerts |  | Les séries aux prix les plus inhabituels.
alerts.kind | "dearer" | Plus cher que d’habitude (dearer), ou dernier prix très loin de sa médiane (outlier).
alerts.price | 3900 | Dernier niveau de la série, en francs.
data.kind |  | Nature de ce qui est signalé.
usual | 3050 | Niveau habituel, pour comparer.
gaps.usual | 0.08 | Médiane des écarts des semaines d’avant, en fraction.
overall | 0.021 | Variation de l’indice national sur le même temps, en fraction, null s’il n’est pas connu.
Dashboard.price | 3900 | Dernier niveau de la série, en francs.
getStatisticsAlerts.kind | "dearer" | Plus cher que d’habitude (dearer), ou dernier prix très loin de sa médiane (outlier).
getStatisticsAlerts.price | 3900 | Dernier niveau de la série, en francs.
getStatisticsAlerts.total | 3 | Nombre d’alertes en tout.
latest |  | Les derniers prix relevés, le plus récent d’abord.
collectors |  | Les collecteurs les plus actifs.
collectors.name | "Awa Mbala" | Nom du collecteur.
collectors.count | 128 | Nombre de prix relevés.
Dashboard.products |  | Les produits les plus relevés.
Dashboard.markets |  | Les marchés les plus relevés.
DashboardChanges.products |  | Les produits du tableau de bord et leur variation.
DashboardChanges.markets |  | Les marchés du tableau de bord et leur variation.
own |  | Ses propres relevés, null de qui ne relève pas.
today | 12 | Relevés d’aujourd’hui.
inPeriod | 84 | Relevés de la période.
waiting |  | Ce qui attend celui qui demande. Null où il n’a pas le droit de voir.
silentAgents | 2 | Agents sans relevé récent.
pendingPayments | 1 | Paiements en attente.
endingSubscriptions | 3 | Abonnements qui finissent bientôt.
totalPrices | 313 | Relevés sur quoi reposent les chiffres.
excluded | 0 | Prix en dollars d’avant le premier taux connu, laissés de côté.
averagePrice | 3120.5 | Prix moyen en francs, null sans prix.
minPrice | 2800 | Prix le plus bas en francs, null sans prix.
maxPrice | 3600 | Prix le plus haut en francs, null sans prix.
priceTrend | "up" | Sens de la variation, null quand rien ne permet de le dire.
inflation | 0.034 | Variation en fraction, quand elle repose sur trois produits au moins. Null sinon.
unmeasured |  | D’une série sans variation, ce qui manque et les derniers chiffres connus.
lacks | "end" | Aucun prix dans les derniers jours de la période (end), ou dans ceux à quoi on les compare (start), ou période trop courte pour les deux (span).
unmeasured.before |  | Les jours à quoi on compare les derniers, null d’une période trop courte.
unlinked |  | De plusieurs séries sans variation, les deux semaines que rien ne relie, null sinon.
lastDay | "2026-11-24" | Jour du dernier relevé, null s’il n’y en a pas.
firstDay | "2025-11-24" | Jour du premier relevé, null s’il n’y en a pas.
unmeasured.lastPrice | 3100 | Prix moyen de ce jour, en francs.
index |  | L’indice des prix par semaine, 100 dans la première.
index.value | 103.4 | Valeur de l’indice, 100 dans la première semaine.
earlierIndex |  | Les semaines d’avant, sur la même base.
earlierIndex.value | 98.7 | Valeur de l’indice, sur la même base.
weeks.value | 103.4 | Valeur de l’indice, 100 dans la première semaine.
week | "2026-11-16" | Lundi de la semaine.
isProvisional | false | Une des huit dernières semaines, qui peut encore changer.
matchedSeries | 31 | Nombre de séries sur quoi repose l’indice.
knownSeries | 34 | Nombre de séries qui ont un prix dans ces semaines.
isTooLarge | false | Trop de séries pour calculer un indice pendant que l’on attend.
asOf | null | Instant du calcul, quand des prix ont été écrits depuis. Null quand le chiffre les tient tous.
pricedDays | 21 | Nombre de jours qui ont un prix.
pricedProducts | 12 | Nombre de produits qui ont un prix, compté jusqu’à 50.
silentMarkets | 1 | Nombre de marchés sans relevé depuis plus de 14 jours.
atOldRate | 0 | Prix en dollars convertis à un taux de plus de 7 jours.
currencyDistribution |  | Les relevés par devise.
marketDistribution |  | Les 50 marchés qui ont le plus de relevés.
productDistribution |  | Les 50 produits qui ont le plus de relevés.
productDistribution.name | "Riz local blanchi" | Nom du produit.
dailyPrices |  | Les jours qui ont un prix, du plus ancien au plus récent.
getStatisticsSubscriptionsGrowth.date | "2026-11-01" | Premier jour de la période, à Kinshasa.
getStatisticsSubscriptionsGrowth.count | 4 | Abonnements créés dans la période.
getStatisticsSubscriptionsGrowth.total | 87 | Abonnements créés jusqu’à sa fin.

weeks |  | Les semaines, de la plus ancienne à la plus récente.
gaps.weeks | 41 | Nombre de semaines comparées.
number | 47 | Numéro ISO de la semaine.
weekly |  | Comparé à la semaine d’avant.
weeks.weekly | 0.004 | Variation sur une semaine en fraction, null sans valeur.
weeks.cumulative | 0.081 | Variation depuis la fin de l’année d’avant en fraction, null sans valeur.
weeks.annualised | 0.09 | Cumul ramené à une année en fraction, null sans valeur.
weeks.yearly | 0.112 | Variation sur 52 semaines en fraction, null sans valeur.
cumulative |  | Comparé à la dernière semaine de l’année précédente.
annualised |  | Le cumul ramené à une année.
yearly |  | Comparé à 52 semaines plus tôt.
changes |  | Les quatre mesures de la dernière semaine.
weekly.value | 0.004 | Variation, en fraction.
cumulative.value | 0.081 | Variation, en fraction.
annualised.value | 0.09 | Variation, en fraction.
yearly.value | 0.112 | Variation, en fraction.
contributions |  | Ce que chaque partie ajoute à la variation.
contributions.categories |  | Les contributions par catégorie.
contributions.types |  | Les contributions par type de produit.
categories.share | 0.31 | Part des poids, en fraction.
categories.value | 0.051 | Variation de ses propres prix, en fraction.
categories.points | 0.016 | Ce qu’elle ajoute à la variation, en fraction.
types.name | "Riz" | Nom du type de produit.
types.share | 0.12 | Part des poids, en fraction.
types.value | 0.048 | Variation de ses propres prix, en fraction.
types.points | 0.006 | Ce qu’il ajoute à la variation, en fraction.
exchange |  | La même variation partagée par le dollar, null sans taux.
francs | 0.112 | Variation en francs, en fraction.
dollar | 0.021 | Variation du dollar en francs, en fraction.
inDollars | 0.089 | Variation en dollars, en fraction.
Inflation.weights |  | Les pondérations appliquées, null quand toutes les séries pèsent autant.
weights.types | 14 | Nombre de types qui ont un poids.
typesWithout | 3 | Nombre de types sans poids, laissés de côté.
unweighted | 12 | Nombre de séries sans poids, laissées de côté.
unusedWeights |  | Des pondérations saisies mais trop peu nombreuses pour servir, null sinon.
unusedWeights.share | 0.3 | Part des séries qui ont un poids, en fraction.
unusedWeights.types | 1 | Nombre de types qui ont un poids.
isTooLargeToWeigh | false | Des pondérations existent, mais les séries sont trop nombreuses pour les appliquer.
basis |  | Sur quoi reposent les chiffres.
basis.prices | 18250 | Nombre de relevés, null d’un indice déjà enregistré.
basis.converted | 4120 | Ceux convertis du dollar, null sans le nombre de relevés.
basis.atOldRate | 12 | Ceux convertis à un taux de plus de 7 jours, null sans le nombre de relevés.
published |  | Ce que des organismes ont publié des mêmes semaines, à côté du nôtre.
ours | 0.104 | Notre chiffre de la même semaine en fraction, null sans lui.
explanation | "Autre panier, autres villes." | Pourquoi les deux peuvent différer.
publisher | "INS" | Organisme qui a publié le chiffre.
?publisher | "INS" | Les chiffres de cet organisme seulement.
measure | "yearly" | Mesure de l’inflation.
PublishedFigure.value | 12.447 | Chiffre publié, en pourcentage.
PublishedFigureBody.value | 12.447 | Chiffre publié, en pourcentage.
published-inflation.value | 12.447 | Chiffre publié, en pourcentage.
published.value | 12.447 | Chiffre publié, en pourcentage.
published-inflation.week | "2026-11-16" | Lundi de la semaine. À l’écriture, un jour quelconque de la semaine.
PublishedFigureBody.week | "2026-11-16" | Un jour quelconque de la semaine.
published-inflation.source | "Note de conjoncture, novembre 2026" | Où le chiffre a été publié.
PublishedFigure.location | null | Ville, null de tout le pays.
PublishedFigureBody.location | null | Ville, null de tout le pays.
published-inflation.location | null | Ville, null de tout le pays.
published.location | null | Ville, null de tout le pays.
TypeWeight.weight | 12.5 | Poids, dans une unité quelconque. Seuls les rapports comptent, 0 laisse le type de côté.
TypeWeightBody.weight | 12.5 | Poids, dans une unité quelconque. Seuls les rapports comptent, 0 laisse le type de côté.
type-weights.weight | 12.5 | Poids, dans une unité quelconque. Seuls les rapports comptent, 0 laisse le type de côté.
type-weights.day | "2026-01-01" | Jour à partir duquel ce poids vaut.
TypeWeight.day | "2026-01-01" | Jour à partir duquel ce poids vaut.
type-weights.source | "Enquête 1-2-3, 2012" | D’où vient le poids.

base | "2026-09-01" | Jour où l’indice vaut 100, null sans lui.
points |  | La moyenne de chaque jour qui a un prix, dans l’unité demandée.
points.value | 3100 | Moyenne du jour, dans l’unité demandée.
rates |  | Les taux de change de la période.
gaps |  | Les écarts entre les marchés d’un même produit.
gaps.product | "Riz local blanchi" | Nom du produit.
gaps.market | "Kadutu" | Nom du premier marché.
other | "Virunga" | Nom du second marché.
otherId | 21 | Identifiant du second marché.
now | 0.18 | Écart de la dernière semaine commune, en fraction. 0,18 veut dire plus cher de 18 pour cent.
isUnusual | false | L’écart s’éloigne nettement de l’habitude.
level | 3100 | Prix moyen en francs, null sans prix.
PriceMap.change |  | La variation du prix, null sans elle.
PriceMap.converted | 4120 | Prix convertis du dollar.
PriceMap.markets |  | Les marchés de la carte.
PriceMap.provinces |  | Les provinces de la carte.
provinces.name | "Sud-Kivu" | Nom de la province.
isLevelThin | false | Le niveau repose sur trop peu de relevés.
isChangeThin | false | La variation repose sur trop peu de relevés.

madeAt |  | Instant où la réponse a été calculée.
isDemonstration | false | Les données sont inventées, pour la démonstration.
demonstration | false | Les données sont inventées, pour la démonstration.
totals |  | Ce que tient la base en tout.
totals.markets | 17 | Nombre de marchés.
provinces.markets | 3 | Nombre de marchés.
marketDistribution.name | "Kadutu" | Nom du marché.
totals.users | 240 | Nombre de comptes actifs.
PublicOverview.brands |  | Les cinq marques qui ont le plus de produits.
PublicOverview.categories |  | Les huit catégories qui ont le plus de produits.
PublicOverview.subscriptions |  | Les abonnements pris chacun des sept derniers jours.
collected |  | Les relevés de chacun de ces jours.
month |  | La variation sur quatre semaines, null sans valeur.
quarter |  | La variation sur treize semaines, null sans valeur.
halfYear |  | La variation sur vingt-six semaines, null sans valeur.
steadiest |  | La ville dont les prix ont le moins changé en trois mois, null sans elle.
PublicOverview.comparison |  | Un produit comparé dans les marchés qui l’ont, null sans lui.
comparison.markets |  | Les marchés comparés.
current | 3100 | Prix moyen des quatre dernières semaines, en francs.
markets.previous | 3040 | Prix moyen des quatre semaines d’avant, en francs.
moves |  | Les produits dont le prix a le plus changé en une semaine.
moves.price | 3100 | Prix moyen du pays, en francs.
PublicOverview.latest |  | Les derniers prix de quatre produits dans quatre villes, au plus.
cities | ["Goma", "Kinshasa"] | Les villes, une par colonne.
latest.rows |  | Un produit par ligne.
rows.prices |  | Le dernier prix dans chaque ville, null sans relevé.
PublicOverview.prices.change |  | La variation sur 30 jours, null avec trop peu de relevés.
PublicOverview.markets |  | Les marchés couverts, le plus relevé d’abord.
PublicOverview.plans |  | Les formules d’abonnement.
brands.count | 14 | Nombre de produits.
?product | 3 | Identifiant du produit.
?market | 18 | Identifiant du marché.
usualGap | 0.12 | Écart habituel avec ce marché, une fraction positive où c’est plus cher.
getSeriesGaps.weeks | 41 | Semaines où les deux marchés ont un relevé.
getSeries.quotes | 128 | Nombre de relevés de la série.
series.quotes | 128 | Nombre de relevés de la série.
PricedSeries.quotes | 128 | Nombre de relevés.
weeks.quotes | 3 | Nombre de relevés de la semaine, 0 d’une estimation.
weeks.level | 3100 | Moyenne géométrique des relevés de la semaine, en francs. Entre deux semaines relevées, une estimation sur la droite des logarithmes.
weeks.index | 103.4 | Indice, 100 dans la première semaine, null d’une estimation.
estimated | false | Vrai d’une semaine sans relevé, dont le niveau est estimé.
weeks.isProvisional | false | Vrai des huit dernières semaines, que des relevés tardifs peuvent encore changer.
`
