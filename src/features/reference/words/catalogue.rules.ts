/**
 * Descriptions of fields and parameters of the catalogue, markets and prices, one per line: `name | example in JSON |
 * sentence`. `?name` is a parameter; `owner.name` applies to one schema, one subject or inside one field, and takes
 * precedence over `name` alone.
 */
export const catalogueWords = `
id | 12 | Identifiant, un nombre qui ne change jamais.
?id | 12 | Identifiant de la fiche.
name | "Kadutu" | Nom.
code | "RIZ-LOC-25" | Code court, unique parmi les produits.
message | "Opération réussie" | Phrase en français pour la personne qui a demandé.
created_at |  | Instant de la création, en UTC.
createdAt |  | Instant de la création, en UTC.
updated_at |  | Instant de la dernière modification, en UTC. Renvoyez-le à la modification pour être averti si quelqu’un d’autre a écrit entre-temps.
updatedAt |  | Instant de la dernière modification, en UTC. Renvoyez-le à la modification pour être averti si quelqu’un d’autre a écrit entre-temps.
data |  | Les éléments, dans l’ordre demandé.
pagination |  | La page rendue et ce qui existe au-delà.
page | 1 | Numéro de la page, à partir de 1.
?page | 1 | Numéro de la page, à partir de 1.
limit | 10 | Nombre d’éléments par page.
?limit | 10 | Nombre d’éléments par page, 200 au plus, 1000 avec une clé.
?fields | "id" | Les champs de chaque élément à rendre, séparés par des virgules. Sans lui, tous.
total | 313 | Nombre d’éléments de toute la sélection.
pages | 32 | Nombre de pages de toute la sélection.
isEstimate | true | Le total est une estimation. Absent ou faux quand il est exact.
?search | "kadutu" | Lettres à chercher dans le nom, sans égard à la casse ni aux accents.
?sort |  | Champ du tri. Un tiret devant lui renverse l’ordre.
?fileFormat |  | Format du fichier. "csv" est ce qu’ouvre un tableur en français, csv-machine ce que lit un programme (noms des champs, virgule, point décimal, dates ISO, UTF-8 sans marque), "xlsx" un classeur.
_count |  | Ce qui dépend de la fiche, compté.
intoId | 15 | Identifiant de la fiche qui reste et reçoit tout ce qui dépendait de celle-ci.

brands.name | "Simba" | Nom de la marque.
Brand.name | "Simba" | Nom de la marque.
BrandBody.name | "Simba" | Nom de la marque, unique.
brand.name | "Simba" | Nom de la marque.
country | "RD Congo" | Pays de la marque.
?country | "RD Congo" | Pays de la marque.
getBrandsCountries.data | ["RD Congo", "Tanzanie"] | Les pays, par ordre alphabétique.
brand |  | La marque, null d’un produit sans marque.
brandId | 7 | Identifiant de la marque, null d’un produit sans marque.
?brandId | 7 | Les produits de cette marque seulement.
?branded | "true" | Vrai pour les produits qui ont une marque, faux pour ceux qui n’en ont pas.
categories.name | "Céréales" | Nom de la catégorie.
category.name | "Céréales" | Nom de la catégorie.
Category.name | "Céréales" | Nom de la catégorie.
CategoryBody.name | "Céréales" | Nom de la catégorie, unique.
category |  | La catégorie du type de produit.
categoryId | 3 | Identifiant de la catégorie.
?categoryId | 3 | Les produits de cette catégorie seulement.
description | "Riz, maïs et farines" | Description libre.
totalProducts | 42 | Nombre de produits de la catégorie.
types | 5 | Nombre de types de produits.
type |  | Le type du produit.
type.name | "Riz" | Nom du type de produit.
product-types.name | "Riz" | Nom du type de produit.
ProductType.name | "Riz" | Nom du type de produit.
ProductTypeBody.name | "Riz" | Nom du type de produit, unique dans sa catégorie.
typeId | 9 | Identifiant du type de produit.
?typeId | 9 | Les produits de ce type seulement.
kind | "good" | Nature de ce qui est relevé. Seuls les biens entrent dans les moyennes et les indices de plusieurs produits.
?kind | "good" | Les produits de cette nature seulement.
weights | 2 | Nombre de pondérations saisies.
products.name | "Riz local blanchi" | Nom du produit.
Product.name | "Riz local blanchi" | Nom du produit.
ProductBody.name | "Riz local blanchi" | Nom du produit.
product.name | "Riz local blanchi" | Nom du produit.
weight | "25 kg" | Quantité vendue, comme elle est écrite au marché.
format | "Sac" | Conditionnement.
?format | "Sac" | Les produits de ce conditionnement seulement.
origin | "Importé" | Provenance du produit.
?origin | "Importé" | Les produits de cette provenance seulement.
price | 24.5 | Montant, dans la devise de "currency".
products.price | 78000 | Prix indicatif du catalogue, dans la devise de "currency". Il n’est pas un relevé.
Product.price | 78000 | Prix indicatif du catalogue, dans la devise de "currency". Il n’est pas un relevé.
ProductBody.price | 78000 | Prix indicatif du catalogue, dans la devise de "currency".
product.price | 78000 | Prix indicatif du catalogue. Il n’est pas un relevé.
currency | "CDF" | Devise du montant, CDF pour le franc congolais ou USD pour le dollar.
?currency | "CDF" | Les montants de cette devise seulement.
image_url | "/uploads/3f6d0c1e.webp" | Adresse de l’image sous celle de Ntalo, null sans image.
image | null | Image JPEG, PNG, WebP ou GIF de 5 Mo au plus. Null l’enlève.
getProductsOrigins.data | ["Importé", "Local"] | Les provenances, par ordre alphabétique.
getProductsFormats.data | ["Bouteille", "Sac"] | Les conditionnements, par ordre alphabétique.
getBrands.brands |  | Les marques de la page, dans l’ordre demandé.
getCategories.categories |  | Les catégories de la page, dans l’ordre demandé.
getProductTypes.productTypes |  | Les types de la page, dans l’ordre demandé.
getProducts.products |  | Les produits de la page, dans l’ordre demandé.
prices | 313 | Nombre de relevés.
products | 42 | Nombre de produits.
productTypes | 18 | Nombre de types de produits.
brands | 12 | Nombre de marques.
categories | 8 | Nombre de catégories.
markets | 17 | Nombre de marchés.
locations | 9 | Nombre de lieux.
getMarketsLocations.data | ["Bukavu", "Goma"] | Les lieux, par ordre alphabétique.
location | "Bukavu" | Ville ou localité.
?location | "Bukavu" | Les marchés de cette ville seulement, sans égard à la casse ni aux accents.
province | "Sud-Kivu" | Province du marché, null si elle n’est pas connue.
?province | "Sud-Kivu" | Les marchés de cette province seulement.
latitude | -2.508 | Latitude en degrés décimaux, le nord positif. Null si elle n’est pas connue.
longitude | 28.842 | Longitude en degrés décimaux, l’est positif. Null si elle n’est pas connue.
timeZone | "Africa/Lubumbashi" | Fuseau horaire du marché, dans lequel se compte le jour d’un relevé.
lastQuoteOn | "2026-11-24" | Jour local du dernier relevé, null s’il n’y en a pas.

productId | 3 | Identifiant du produit.
?productId | 3 | Les prix de ce produit seulement.
marketId | 18 | Identifiant du marché.
?marketId | 18 | Les prix de ce marché seulement.
priceValue | 3100 | Prix relevé, dans la devise de "currency".
getPricesCheck?priceValue | 3100 | Prix à vérifier. Sans lui, seule la série est décrite.
getPricesCheck?productId | 3 | Produit du prix à vérifier.
getPricesCheck?marketId | 18 | Marché du prix à vérifier.
getPricesCheck?currency | "CDF" | Devise du prix à vérifier, CDF sans elle.
getPricesCheck?collectorName | "Awa Mbala" | Collecteur du prix à vérifier. Sans lui, rien n’est un doublon.
?collectedAt | "2026-11-24" | Moment du relevé à vérifier, maintenant sans lui.
?exceptId | 299872 | Prix que l’on corrige, à ne pas comparer à lui-même.
collectorName | "Awa Mbala" | Nom de la personne qui a relevé le prix.
?collectorName | "Awa" | Lettres du nom de la personne qui a relevé le prix.
?collector | "Awa Mbala" | Nom entier de la personne qui a relevé le prix.
?writtenBy | 4 | Les prix saisis par ce compte seulement.
?minPrice | "1000" | Prix le plus bas, dans la devise du relevé. À donner avec "currency".
?maxPrice | "5000" | Prix le plus haut, dans la devise du relevé. À donner avec "currency".
?startDate | "2026-11-01" | Premier jour de la période, compris.
?endDate | "2026-11-24" | Dernier jour de la période, compris.
?series | "3-18" | Une ou plusieurs séries, chacune un produit et un marché par leurs identifiants, séparées par des virgules.
?behind | "figures" | Tout ce dont viennent les chiffres de la sélection, et rien d’autre, chaque prix aussi en francs.
source | "Relevé de terrain" | D’où vient la donnée.
collectedAt | "2026-11-24T08:30:00.000Z" | Moment du relevé. Un jour sans heure est compris dans le fuseau du marché.
observedOn | "2026-11-24" | Jour local du relevé, celui que comparent les filtres de dates.
flag | "actual" | Un prix relevé (actual), ou une moyenne publiée par la source (aggregate).
canEdit | false | Celui qui demande peut modifier ce prix maintenant.
product |  | Le produit.
market |  | Le marché.
market.name | "Kadutu" | Nom du marché.
Market.name | "Kadutu" | Nom du marché.
lastPrice.product | "Riz local blanchi" | Nom du produit.
lastPrice.market | "Kadutu" | Nom du marché.
median | 3050 | Médiane récente de la série en francs, null sans elle.
quotes | 14 | Nombre de relevés dont vient la médiane.
isOutlier | false | Le prix s’écarte trop de sa série et devrait être confirmé.
duplicate |  | Un relevé identique déjà enregistré, null s’il n’y en a pas.
lastPrice |  | Le dernier relevé, null s’il n’y en a pas.
lastPrice.value | 3100 | Dernier prix relevé, dans sa devise.
lastPrice.day | "2026-11-24" | Jour local du dernier relevé.
LatestPriceInMarket.previous |  | Le prix d’avant, dans la même devise. Null s’il n’y en a pas.
PriceBody.createdAt | "2026-11-24" | Autre orthographe de "collectedAt".
previous |  | Ce qui précède, pour comparer.
getPricesCollectors.name | "Awa Mbala" | Nom du collecteur.
MarketCollector.name | "Awa Mbala" | Nom du collecteur.
MarketCollector.count | 128 | Nombre de prix relevés dans ce marché.
lastCollectedAt |  | Moment du dernier relevé, null s’il n’y en a pas.
lastCollectedOn | "2026-11-24" | Jour local du dernier relevé, null s’il n’y en a pas.
getProductsByIdLatestPrices.total | 17 | Nombre de marchés où le produit a un prix, listés ou non.
getMarketsByIdLatestPrices?sort |  | Champ du tri. Un tiret devant lui renverse l’ordre.

cdfPerUsd | 2285.5 | Francs congolais pour un dollar.
exchange-rates.day | "2026-11-24" | Jour à partir duquel ce taux vaut.
ExchangeRate.day | "2026-11-24" | Jour à partir duquel ce taux vaut.
ExchangeRateBody.day | "2026-11-24" | Jour à partir duquel ce taux vaut.
day | "2026-11-24" | Jour, au format aaaa-mm-jj.
ExchangeRate.source | "Banque centrale du Congo" | D’où vient le taux.
exchange-rates.source | "Banque centrale du Congo" | D’où vient le taux.
?updatedSince | "2026-11-01T00:00:00Z" | Au lieu d’une page, ce qui a été écrit ou supprimé depuis cet instant, dans l’ordre des changements, sans rien manquer de ce qui s’écrit pendant la lecture. Continuez avec "cursor" tant que "hasMore" est vrai, puis chaque fois que vous voulez savoir ce qui a changé.
?cursor | "start" | Au lieu d’une page, toute la liste dans un ordre que rien ne déplace. "start" d’abord, puis le "cursor" de la réponse précédente, tel quel, tant que "hasMore" est vrai. "page" et "sort" ne comptent pas.
deleted | [1204] | Les identifiants des lignes supprimées, ou que les filtres ne choisissent plus.
cursor | "MTIuNDUuMTc2NDE1MDQwMDAwMDAwMA" | À donner à la prochaine demande, qui continue après cette réponse.
hasMore | false | Il reste des lignes à lire.
`
