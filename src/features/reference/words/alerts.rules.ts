/** Descriptions, in the format of `catalogueWords`, for alerts and shared pages. */
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
channels | ["mail"] | Par où l’on est prévenu, en plus de l’application, mail, telegram, sms ou whatsapp.
#channels |  | Ses canaux d’alerte, Telegram, SMS et WhatsApp.
channel | "telegram" | Le canal, telegram, sms ou whatsapp.
isOffered | true | Ntalo propose ce canal en ce moment.
Channel.state | "confirmed" | none, confirmed, stopped quand son propriétaire l’a arrêté, unreachable quand il ne répond plus.
Channel.address | "243813456789" | Numéro des SMS, null pour les autres canaux.
confirmedAt | "2026-11-24T09:00:00.000Z" | Quand l’adresse a été confirmée, null si elle ne l’est pas.
credit |  | Alertes par SMS de ce mois, null pour les autres canaux.
Channel.credit.used | 3 | Alertes déjà envoyées ce mois-ci.
Channel.credit.limit | 20 | Alertes que la formule comprend en un mois.
simulator | null | Où lire les messages d’une démonstration, null quand ils partent vraiment.
postChannelsLink.url | "https://t.me/ntalo_bot?start=h4k29x7q" | Adresse à ouvrir, qui relie le compte.
PhoneCodeBody.phone | "081 345 67 89" | Numéro de mobile congolais.
PhoneConfirmation.code | "123456" | Les six chiffres reçus par SMS.
mutedUntil | null | Jusqu’à quand l’alerte se tait, null quand elle parle.
isRinging | false | Ce que l’alerte demande est vrai en ce moment.
lastRangAt | "2026-11-24T09:00:00.000Z" | Quand l’alerte a sonné pour la dernière fois.
AlertRule.kind | "level" | Ce qui fait sonner, un niveau, une variation, un prix inhabituel ou un silence.
AlertRuleBody.kind | "level" | Ce qui fait sonner, un niveau, une variation, un prix inhabituel ou un silence.
AlertPreviewBody.kind | "level" | Ce qui fait sonner, un niveau, une variation, un prix inhabituel ou un silence.
dates |  | Les jours où l’alerte aurait sonné, du plus ancien au plus récent.
rings |  | Les mêmes, avec leur marché et leur prix, les 200 derniers.
postAlertsPreview.others |  | Le même compte avec d’autres seuils, proches du premier.
others.threshold | 2600 | Cet autre seuil.
others.count | 2 | Combien de fois elle aurait sonné.
postAlertsPreview.points |  | D’un seul marché, la moyenne de chaque jour de l’année, en francs.
ruleId | 4 | Alerte qui a sonné, null quand elle est supprimée.
sentence | "Riz local, 1 kg à Virunga, Goma : 2 450 FC le 24 nov. 2026, au-dessus de votre seuil de 2 400 FC (2 relevés)." | La phrase de tous les canaux.
ReadAlerts.ids | [12, 13] | Celles à marquer comme lues, toutes en son absence.
isRead | false | L’alerte a été lue.
`
