/** The same of alerts and shared pages. */
export const alertWords = `
?q | "riz goma" | Un produit, un marché ou une ville, dans n’importe quel ordre.
Follow.lastPrice | 2450 | Dernier prix, dans la devise de "currency", null s’il n’y en a pas.
Mover.lastPrice | 2450 | Dernier prix, dans la devise de "currency".
FoundPrice.lastPrice | 2450 | Dernier prix, dans la devise de "currency".
FoundPrice.market | "Virunga, Goma" | Marché et ville du dernier prix.
#shares |  | Ses pages partagées.
Share.id | "7Kq2hR0pZ4bT" | Ce que porte l’adresse de la page.
Share.path | "/series/12/3" | Page du prix, dans l’application.
ShareBody.path | "/series/12/3" | Page du prix, dans l’application.
ShareBody.search | "" | Ce qui suit le point d’interrogation dans l’adresse de la page.
title | "Riz local, 1 kg, Virunga, Goma" | Le produit et le marché.
isFrozen | false | Les chiffres restent ceux du jour du partage.
views | 48 | Combien de fois la page a été ouverte.
#alerts |  | Ses alertes de prix, et ce qui a sonné.
unread | 2 | Alertes qui ont sonné et ne sont pas encore lues.
direction | "above" | Au-dessus ou au-dessous du seuil, à la hausse ou à la baisse.
threshold | 2400 | Seuil, en francs pour level, en pour cent pour change, en jours pour silence.
periodDays | 30 | Jours d’une variation, 7, 30, 90 ou 365.
channels | ["mail"] | Par où l’on est prévenu, en plus de l’application.
mutedUntil | null | Jusqu’à quand l’alerte se tait, null quand elle parle.
isRinging | false | Ce que l’alerte demande est vrai en ce moment.
lastRangAt | "2026-11-24T09:00:00.000Z" | Quand l’alerte a sonné pour la dernière fois.
AlertRule.kind | "level" | Ce qui fait sonner, un niveau, une variation, un prix inhabituel ou un silence.
AlertRuleBody.kind | "level" | Ce qui fait sonner, un niveau, une variation, un prix inhabituel ou un silence.
AlertPreviewBody.kind | "level" | Ce qui fait sonner, un niveau, une variation, un prix inhabituel ou un silence.
dates |  | Les jours où l’alerte aurait sonné, du plus ancien au plus récent.
rings |  | Les mêmes, avec leur marché et leur prix, les 200 derniers.
ruleId | 4 | Alerte qui a sonné, null quand elle est supprimée.
sentence | "Riz local, 1 kg à Virunga, Goma : 2 450 FC le 24 nov. 2026, au-dessus de votre seuil de 2 400 FC (2 relevés)." | La phrase de tous les canaux.
ReadAlerts.ids | [12, 13] | Celles à marquer comme lues, toutes en son absence.
isRead | false | L’alerte a été lue.
`
