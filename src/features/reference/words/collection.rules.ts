/** Descriptions, in the format of `catalogueWords`, for the field tool. */
export const collectionWords = `
#collection |  | La collecte sur le terrain.
Absence.day | "2026-11-24" | Le jour de la visite, là-bas.
Absence.reason | "rupture" | Pourquoi le produit était absent, null sans motif.
Absence.product |  | Le produit absent.
Absence.market |  | Le marché visité.
looked | 8 | Produits cherchés dans des marchés en 30 jours, trouvés ou non.
Device.id | 41 | Numéro de l’appareil.
Device.name | "Android de Paul" | Nom de l’appareil.
Device.user |  | L’agent qui s’en sert.
DeviceBody.name | "Android de Paul" | Nom sous lequel on le reconnaîtra.
publicKey | "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEAAAA" | Clé publique ECDSA P-256 (SubjectPublicKeyInfo), en base64.
counter | 17 | Plus grand que le dernier que l’appareil a signé.
signature | "c2lnbmF0dXJl" | Signature (r puis s) en base64.
DeviceProof.deviceId | 41 | Numéro de l’appareil.
CollectionBatch.deviceId | "41" | Numéro de l’appareil, ou tout texte qui le désigne.
agentId | 7 | L’agent qui a saisi ces relevés, le compte de la session s’il manque.
sentAt | "2026-11-26T09:30:00.000Z" | L’heure du téléphone à l’envoi. Sans elle, deviceAt fait foi.
entries |  | Les relevés, 100 au plus.
CollectionEntry.id | "0192f0c1-5a3e-7c4b-9d21-3f5a6b7c8d90" | Identifiant donné par le téléphone, le même à chaque envoi.
CollectionEntry.kind | "typed" | Prix saisi, inchangé, produit absent, ou relevé retiré (withdrawn) en réponse à un renvoi.
CollectionEntry.reason | "rupture" | Pourquoi le produit était absent, rupture, saison, refus ou marché fermé.
AbsenceSince.since | "2026-11-24" | Jour de la première visite qui ne l’a pas trouvé, depuis son dernier prix.
AbsenceSince.reason | "rupture" | Pourquoi il était absent à la dernière visite, null sans motif.
LatestPrice.absence |  | Absent depuis ce prix, null s’il ne l’est pas ou si personne ne l’a cherché en 30 jours.
LatestPriceInMarket.absence |  | Absent depuis ce prix, null s’il ne l’est pas ou si personne ne l’a cherché en 30 jours.
RoundGood.absence |  | La dernière absence vue depuis le dernier prix, null sinon.
absence.reason | "rupture" | Pourquoi le produit était absent.
isBlind | false | Le dernier prix était caché à l’agent.
replaces | null | Le relevé du même agent que celui-ci corrige.
deviceAt | "2026-11-26T09:05:00.000Z" | L’heure du téléphone au moment du relevé.
clockOffsetMs | -250 | Heure du serveur moins heure du téléphone, à leur dernier échange avant le relevé.
fetchedAt | "2026-11-26T06:00:00.000Z" | L’heure du serveur quand le téléphone a reçu sa liste.
hasGoneBack | false | L’horloge du téléphone a reculé depuis.
CollectionEntry.day | null | Le jour du relevé, quand le serveur l’a demandé.
position | null | Où était le téléphone, s’il le dit.
position.latitude | -4.3317 | Latitude en degrés.
position.longitude | 15.3139 | Longitude en degrés.
accuracyM | 25 | De combien de mètres elle peut être fausse.
mine | "true" | Sa seule ligne, même pour un superviseur.
FieldWork.agent |  | L’agent.
visits | 8 | Visites, un marché un jour, en 30 jours.
FieldWork.markets | 2 | Marchés visités.
goodsPerVisit | 28.5 | Produits d’une visite en moyenne, null sans visite.
minutesPerVisit | 42 | Minutes d’une visite en moyenne, null sans visite.
returnedShare | 0.02 | Part de ses prix qui lui ont été renvoyés, null sans prix.
unchangedShare | 0.67 | Part de ses prix inchangés, null sans prix.
othersUnchangedShare | 0.61 | La même chez les autres dans les mêmes marchés, null sans personne.
lastVisitOn | "2026-11-24" | Jour de sa dernière visite, null sans visite.
answers | null | Le prix renvoyé à cet agent auquel ce relevé répond.
ReturnedPrice.product |  | Le produit.
ReturnedPrice.market |  | Le marché.
ReturnedPrice.priceId | 900123 | Numéro du prix, que la réponse porte.
ReturnedPrice.priceValue | 28000 | Le prix tel que l’agent l’a relevé.
ReturnedPrice.day | "2026-11-20" | Le jour du relevé.
ReturnedPrice.comment | "Zéro de trop ?" | Ce qui est à revoir.
ReturnedPrice.dueOn | "2026-11-29" | Jour jusqu’auquel répondre.
returnedAt | "2026-11-26T09:30:00.000Z" | Quand il a été renvoyé.
sha256 | "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" | Empreinte SHA-256 du fichier envoyé, en hexadécimal.
EntryPhoto.entryId | "0192f0c1-5a3e-7c4b-9d21-3f5a6b7c8d90" | Le relevé, déjà reçu, dont elle montre le prix.
EntryPhoto.image |  | La photo, JPEG, PNG, WebP ou GIF.
PricePhoto.image | "data:image/webp;base64,UklGRg==" | La photo redessinée, 800 pixels au plus, comme adresse data.
PricePhoto.receivedAt | "2026-11-26T09:30:00.000Z" | Quand elle est arrivée.
planned | 4 | Visites prévues en 30 jours dont le jour est venu.
plannedDone | 3 | Celles qu’il a faites.
plannedOn | "2026-11-26" | Jour d’une visite prévue de l’agent, pas encore faite, null sinon.
PlannedVisit.id | 12 | Numéro de la visite prévue.
collection.agent |  | L’agent.
PlannedVisit.market |  | Le marché.
PlannedVisit.day | "2026-11-28" | Le jour prévu, null pour une visite de chaque semaine.
isDone | false | L’agent est passé ce jour-là, ou cette semaine-là pour une visite de chaque semaine.
PlannedVisitBody.agentId | 7 | Compte de l’agent.
PlannedVisitBody.day | "2026-11-28" | Le jour prévu, sans weekday.
weekday | 2 | Jour de chaque semaine, 1 pour lundi, null pour un seul jour.
PlannedVisit.dueOn | "2026-11-28" | Son jour cette semaine, celui de la suivante si la visite a été prévue après, ou le jour prévu.
receipts |  | Un reçu par relevé.
EntryReceipt.id | "0192f0c1-5a3e-7c4b-9d21-3f5a6b7c8d90" | Identifiant du relevé.
EntryReceipt.state | "received" | Reçu, jour à préciser, ou refusé.
EntryReceipt.message | null | Pourquoi il n’est pas reçu, null sinon.
priceId | 900123 | Le prix écrit, null s’il n’y en a pas.
quotesWanted | 1 | Relevés souhaités à chaque visite.
goods |  | Les produits.
seen |  | La liste telle qu’elle a été lue, refusé si elle a changé depuis.
RoundGood.usual |  | Prix habituels en francs, null si rien n’est habituel.
low | 2000 | Au-dessous, le téléphone demande confirmation.
high | 3200 | Au-dessus, le téléphone demande confirmation.
isOwn | true | Le marché est confié à l’agent.
serverTime | "2026-11-26T06:00:00.000Z" | L’heure du serveur.
`
