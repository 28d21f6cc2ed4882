/**
 * Descriptions, in the format of `catalogueWords`, for accounts, keys, payments, imports, and the operation of the
 * site.
 */
export const accountWords = `
email | "awa@exemple.cd" | Adresse e-mail.
password | "un mot de passe long" | Mot de passe, 8 caractères au moins.
newPassword | "un mot de passe long" | Nouveau mot de passe, 8 caractères au moins.
currentPassword | "mon mot de passe actuel" | Mot de passe actuel, pour prouver que c’est bien soi.
CredentialsInput.code | "492817" | Code de vérification ou de secours, d’un compte en deux étapes.
auth.code | "492817" | Code de vérification ou de secours, d’un compte en deux étapes.
Credentials.code | "492817" | Code de vérification ou de secours, d’un compte en deux étapes.
SecondFactorCode.code | "492817" | Code de vérification à six chiffres.
AccountChange.code | "492817" | Code de vérification ou de secours, d’un compte en deux étapes.
AccountClosing.code | "492817" | Code de vérification ou de secours, d’un compte en deux étapes.
?code | "4/0AeanS0a" | Code donné par Google.
?state | "kQ2x9v" | Ce que Ntalo a donné à Google au départ.
?iss | "https://accounts.google.com" | Qui a répondu, tel que Google le dit.
?redirectUrl | "/prices" | Page où revenir ensuite, un chemin de Ntalo.
redirectUrl | "/prices" | Page où aller ensuite, un chemin de Ntalo.
redirect_url | "https://accounts.google.com/o/oauth2/v2/auth" | Adresse où le navigateur doit aller.
success | true | La connexion est faite.
token | "Kq3v9XyT0bN7sLw2RfGh5JmZ8pAe1UcD4oViQxYtB6E" | Jeton, valable peu de temps.
user |  | Le compte.
user.name | "Awa Mbala" | Nom de la personne.
Account.name | "Awa Mbala" | Nom de la personne.
users.name | "Awa Mbala" | Nom de la personne.
auth.name | "Awa Mbala" | Nom de la personne.
agents.name | "Paul Ngoy" | Nom de l’agent.
user.status | "ACTIVE" | État du compte.
users.status | "ACTIVE" | État du compte.
agents.status | "ACTIVE" | État du compte.
status | "ACTIVE" | État.
?status |  | Ceux de cet état seulement.
avatar | null | Adresse de l’image du compte, null sans image.
avatar_url | null | Adresse de l’image du compte, null sans image.
hasPassword | true | Le compte a un mot de passe, et non Google seul.
hasSecondFactor | false | La vérification en deux étapes est active.
needsSecondFactor | false | Le compte doit activer la vérification en deux étapes.
auth_provider | "email" | Comment le compte se connecte.
email_verified | true | L’adresse e-mail est confirmée.
roles |  | Les rôles du compte.
roles.name | "subscriber" | Nom du rôle.
role.name | "subscriber" | Nom du rôle.
role |  | Le rôle.
Account.roles | ["subscriber"] | Les noms des rôles du compte.
roleIds | [3] | Identifiants des rôles.
?roleId | 3 | Les comptes de ce rôle seulement.
role_id | 3 | Identifiant du rôle.
user_roles |  | Les rôles du compte.
permissions | ["prices.read"] | Les droits accordés.
permissionIds | [1, 2] | Identifiants des permissions.
permissions.name | "prices.read" | Nom de la permission.
permissions.description | "Lire les prix" | Ce que la permission permet.
roles.description | "Lit les prix et les statistiques" | Ce que le rôle permet.
role_permissions | 3 | Nombre de rôles qui ont cette permission.
roles.users | 12 | Nombre de comptes de ce rôle.
_count.users | 12 | Nombre de comptes.
_count.roles | 3 | Nombre de rôles.
_count.permissions | 5 | Nombre de permissions.
_count.subscriptions | 1 | Nombre d’abonnements.
_count.payments | 2 | Nombre de paiements.
isSeeded | true | Fourni avec Ntalo, à ne pas supprimer.
isFirstLogin | false | C’est la première connexion du compte.
daysSinceAccountCreation | 42 | Jours depuis la création du compte.
subscription |  | L’abonnement en cours ou le dernier, null sans abonnement.
allSubscriptions |  | Tous les abonnements du compte.
sessions.address | "41.243.1.7" | Adresse du réseau d’où la session vient.
address | "41.243.1.7" | Adresse du réseau d’où vient la demande, null si elle n’est plus gardée.
userAgent | "Mozilla/5.0 (Android 14)" | Ce que le navigateur dit de lui-même, null s’il ne dit rien.
seenAt |  | Dernière activité de la session.
isCurrent | true | C’est la session qui demande.
isOn | true | La vérification en deux étapes est active.
recoveryCodes | 8 | Nombre de codes de secours qui restent.
postAuthSecondFactorConfirm.recoveryCodes | ["h4k2-9x7q"] | Les codes de secours, montrés une seule fois.
postAuthSecondFactorRecoveryCodes.recoveryCodes | ["h4k2-9x7q"] | Les codes de secours, montrés une seule fois.
secret | "JBSWY3DPEHPK3PXP" | Secret à donner à l’application de vérification.
uri | "otpauth://totp/Ntalo:awa@exemple.cd?secret=JBSWY3DPEHPK3PXP" | Le même secret, en adresse à lire par l’application.
NotificationChange.kind | "sign-ins" | Sorte d’e-mails.
NotificationChoice.kind | "sign-ins" | Sorte d’e-mails.
isWanted | true | Ces e-mails sont voulus.
userId | 4 | Identifiant du compte.
?userId | 4 | Ceux de ce compte seulement.
getSubscriptionsUserByUserId?userId | "4" | Identifiant du compte.
enterprises | 12 | Nombre de comptes d’entreprises.
agents | 14 | Nombre d’agents.
active | 210 | Nombre de comptes actifs.
inactive | 3 | Nombre de comptes inactifs.
silent | 2 | Nombre d’agents sans relevé récent.
isSilent | false | L’agent n’a rien relevé récemment.
?silent | "true" | Vrai pour les agents sans relevé récent.
collected7 | 64 | Relevés des 7 derniers jours.
collected30 | 281 | Relevés des 30 derniers jours.
correctedShare | 0.02 | Part de ses relevés corrigés depuis, en fraction. Null sans relevé.
marketsCovered | 3 | Nombre de marchés où l’agent a relevé des prix.
marketIds | [18, 21] | Identifiants des marchés confiés à l’agent.
agents.markets |  | Les marchés confiés à l’agent.
markets.name | "Kadutu" | Nom du marché.

subscriptions |  | Les abonnements.
data.plan | "Professionnel" | Nom du plan, null d’un essai.
plan | "Professionnel" | Nom du plan, null d’un essai.
plans.name | "Professionnel" | Nom du plan.
Plan.name | "Professionnel" | Nom du plan.
PlanBody.name | "Professionnel" | Nom du plan.
plans | | Les plans, du moins cher au plus cher.
planRef.name | "Professionnel" | Nom du plan.
plans.description | "Pour suivre un secteur" | Ce que dit le plan de lui-même.
Plan.description | "Pour suivre un secteur" | Ce que dit le plan de lui-même.
Plan.price | 19 | Prix d’une période, dans la devise de "currency". 0 est gratuit.
PlanBody.price | 19 | Prix d’une période, dans la devise de "currency". 0 est gratuit.
planRef |  | Le plan de l’abonnement, null d’un essai.
planId | 2 | Identifiant du plan, null d’un essai.
?planId | 2 | Ceux de ce plan seulement.
billingPeriod | "MONTHLY" | Période payée, un mois ou une année.
features | ["BASIC_DATA"] | Ce que le plan comprend.
callsPerMinute | 60 | Appels par minute des clés d’un abonné, toutes ensemble.
callsPerMonth | 10000 | Appels par mois des clés d’un abonné, toutes ensemble.
smsPerMonth | 20 | Alertes qu’un abonné peut recevoir par SMS en un mois.
isActive | true | Le plan peut être choisi.
?isActive | "true" | Vrai pour les plans qui peuvent être choisis.
usedBy | null | Ce qui empêche de supprimer le plan, null si rien.
Subscription.status | "ACTIVE" | État de l’abonnement.
Subscription.startDate |  | Premier instant couvert.
Subscription.endDate |  | Premier instant qui n’est plus couvert.
subscriptions.startDate | "2026-11-01T00:00:00.000Z" | Premier instant couvert.
subscriptions.endDate | "2026-12-01T00:00:00.000Z" | Premier instant qui n’est plus couvert.
SubscriptionBody.startDate | "2026-11-01T00:00:00.000Z" | Premier instant couvert.
SubscriptionBody.endDate | "2026-12-01T00:00:00.000Z" | Premier instant qui n’est plus couvert.
OwnSubscription.startDate |  | Premier instant couvert.
OwnSubscription.endDate |  | Premier instant qui n’est plus couvert.
canceledAt | null | Instant où l’abonné a dit ne pas renouveler, null sinon.
cancelReason | null | Code du motif de la résiliation, null sans elle.
cancelNote | null | Ce que l’abonné ajoute à ce motif, null s’il n’ajoute rien.
CancelBody.reason | "PRICE" | Code du motif, ou motif en toutes lettres.
CancelBody.note | null | Ce que l’abonné ajoute à son motif.
NextPlanBody.planId | 2 | Plan qui suivra, null pour garder le plan actuel.
nextPlan | null | Plan choisi pour la suite, null pour le même.
nextPlan.name | "Professionnel" | Nom du plan.
paymentsCount | 2 | Nombre de paiements de l’abonnement.
?ending | "true" | Vrai pour les abonnements qui finissent dans la semaine.
hasAccess | true | Les données sont ouvertes au compte.
isExempt | false | Le rôle ouvre les données sans abonnement.
endsAt |  | Fin de l’accès, null sans fin ou sans accès.
remainingDays | 21 | Jours d’accès qui restent.
confirmBy | null | Instant où l’accès gratuit se ferme sans adresse confirmée, null sinon.
mayStartTrial | false | L’essai gratuit peut encore être choisi.
upcoming |  | Les abonnements déjà ouverts pour la suite.
payments |  | Les paiements de la page.
amount | 19 | Montant, dans la devise de "currency".
amountUsd | 19 | Le même montant en dollars.
paymentMethod | "MOBILE_MONEY" | Moyen de paiement.
?paymentMethod | "MOBILE_MONEY" | Ceux de ce moyen de paiement seulement.
subscriptionId | 31 | Identifiant de l’abonnement, null tant qu’un paiement en ligne n’est pas confirmé.
?subscriptionId | 31 | Les paiements de cet abonnement seulement.
upgrade |  | Ce que coûte le plan tout de suite, null quand il ne coûte pas plus que ce qui court.
UpgradePrice.plan | "Particulier" | Nom du plan en cours.
upgrade.plan | "Particulier" | Nom du plan en cours.
daysLeft | 12 | Jours entiers qui restent de la période en cours.
totalDays | 30 | Jours de cette période en tout.
UpgradePrice.credit | 2 | Valeur des jours qui restent, dans la devise de "currency".
due | 17 | Ce qui reste à payer, dans la devise de "currency".
when | "term" | Quand le plan commence, tout de suite (now) ou au terme de ce qui est payé (term).
pausedAt | null | Instant où l’équipe l’a mis en pause, null hors pause.
pauseReason | null | Motif de la pause, null hors pause.
PauseBody.reason | "En déplacement" | Motif de la pause.
?toVerify | "true" | Vrai pour les paiements que l’équipe doit vérifier.
transactionRef | "CI261124.1830.A12345" | Référence donnée par l’opérateur, null sans elle.
refundReason | null | Motif du remboursement, null sans lui.
PaymentStatusBody.reason | "Payé deux fois" | Motif d’un remboursement.
authorizationCode | null | Code d’autorisation de la carte, null sans lui.
payments.status | "PAID" | État du paiement.
Payment.status | "PAID" | État du paiement.
deposit |  | L’état du paiement par mobile money, null des autres.
lastPayer |  | Numéro, opérateur et devise du dernier paiement mobile, null avant le premier.
operator | "MPESA" | Opérateur de mobile money.
phone | "243812345678" | Numéro de téléphone, avec l’indicatif du pays.
deposit.state | "succeeded" | Où en est le paiement chez l’opérateur.
failure |  | Ce qui a échoué, null sinon.
failure.code | "INSUFFICIENT_BALANCE" | Code de la raison, donné par l’opérateur.
failure.message | "Le solde est insuffisant." | La raison, en français.
method | "MOBILE_MONEY" | Moyen de paiement.
totalCount | 48 | Nombre de paiements.
totalAmount | 912 | Somme des paiements payés, en dollars.
byStatus |  | Les paiements par état.
byMethod |  | Les paiements par moyen.
byCurrency |  | Les paiements par devise, dans la leur.
byStatusAndCurrency |  | Les paiements par état et par devise.
daily |  | Les paiements par jour.
withoutRate | 0 | Paiements d’un jour sans taux, comptés mais dans aucun montant en dollars.
isSimulated | false | Personne n’est débité.
rate |  | Le taux auquel un plan se paie dans l’autre devise, null sans taux.
mobileMoney |  | Les opérateurs de mobile money, par devise.
minAmount | "1" | Montant le plus bas accepté.
maxAmount | "1000" | Montant le plus haut accepté.
decimals | 2 | Nombre de décimales acceptées.
isOpen | true | L’opérateur accepte des paiements en ce moment.

keys.name | "Tableur des achats" | Nom de la clé, qui dit où elle sert.
ApiKey.name | "Tableur des achats" | Nom de la clé, qui dit où elle sert.
ApiKeyBody.name | "Tableur des achats" | Nom de la clé, qui dit où elle sert.
NewApiKey.name | "Tableur des achats" | Nom de la clé, qui dit où elle sert.
prefix | "ntalo_live_…9fT2" | Le début et la fin visibles de la clé.
scopes | ["prices.read"] | Ce que la clé peut faire, dans les droits du compte.
key | "ntalo_live_4sK0wQ7dYb2NfT9xLh6RzVc3Jm8PaE1u9fT2" | La clé entière, donnée cette seule fois.
ApiKey.version | "2026-11-26" | Version de l’API pour laquelle la clé a été faite.
version | "2026-11-26" | Version de l’API.
versions |  | Toutes les versions de l’API.
lastUsedAt |  | Dernier appel, null s’il n’y en a pas eu.
expiresAt | "2027-11-26T00:00:00.000Z" | Fin de la clé, null sans fin.
calls | 312 | Nombre d’appels.
window | "month" | Fenêtre du quota, la minute ou le mois.
getUsage.limit | 10000 | Appels permis dans la fenêtre.
data.used | 6214 | Appels déjà faits dans la fenêtre.
used | 6214 | Appels déjà faits dans la fenêtre.
resetsAt |  | Instant où le compte repart de zéro.
getUsage.days |  | Les jours du mois qui ont des appels, à Kinshasa.
path | "/prices" | Page de la vue enregistrée.
search | "categoryId=3&period=30d" | Ce qui suit le point d’interrogation dans l’adresse de la page.
views.name | "Céréales à Bukavu" | Nom de la vue.
SavedView.name | "Céréales à Bukavu" | Nom de la vue.
SavedViewBody.name | "Céréales à Bukavu" | Nom de la vue.

import-mappings.kind | "prices" | Ce que contient le fichier.
postImports?kind | "prices" | Ce que contient le fichier.
Import.kind | "prices" | Ce que contient le fichier.
imports.kind | "prices" | Ce que contient le fichier.
file |  | Le fichier.
fileName | "prix-novembre.csv" | Nom du fichier.
fileBytes | 482133 | Taille du fichier, en octets.
state | "done" | Où en est le travail.
stage | null | Ce que fait le travail en ce moment, null s’il n’a pas commencé ou s’il est fini.
rowsRead | 4812 | Lignes déjà lues.
bytesRead | 482133 | Octets déjà lus.
isWaiting | false | D’autres passent d’abord.
ahead | 0 | Combien passent d’abord.
table |  | Le début d’un tableau dont les colonnes sont inconnues, null sinon.
rows | [["Date", "Produit", "Prix"], ["24/11/2026", "Riz", "3 100"]] | Les premières lignes, cellule par cellule.
questions.rows | 12 | Lignes qui attendent la réponse.
proposal |  | Ce que les titres et les cellules font proposer.
mapping |  | Comment les colonnes sont lues, null d’un fichier que Ntalo connaît.
report |  | Le résultat de la lecture, null avant elle.
author |  | La personne qui a envoyé le fichier, null si son compte est fermé.
actor |  | La dernière personne qui a demandé quelque chose pour cet import, null si son compte est fermé.
author.name | "Awa Mbala" | Nom de la personne.
actor.name | "Awa Mbala" | Nom de la personne.
hasFile | true | Le fichier et ses lignes rejetées existent encore.
endedAt |  | Fin du travail, null s’il n’est pas fini.
imports.failure | null | Pourquoi le fichier n’a pas pu être lu, null sinon.
Import.failure | null | Pourquoi le fichier n’a pas pu être lu, null sinon.
read | 4812 | Lignes lues.
added | 4630 | Lignes ajoutées.
existing | 170 | Lignes déjà présentes.
revised | 4 | Lignes dont la valeur a changé.
withdrawn | 0 | Ce qu’un fichier précédent de la même source avait et que celui-ci n’a plus. Cela reste.
rejected | 8 | Lignes rejetées.
notes | ["Virgule décimale"] | Comment le fichier a été lu.
reasons |  | Pourquoi des lignes sont rejetées, la raison la plus fréquente d’abord.
reasons.message | "Date attendue" | La raison, en français.
example |  | Un endroit où cela arrive.
line | 128 | Numéro de la ligne. La ligne 1 porte les titres.
StoredImportReport.errors |  | Les premières lignes rejetées, dans l’ordre du fichier.
StoredImportReport.errors.message | "Date attendue" | La raison, en français.
created |  | Ce que l’import a créé à côté de ses lignes, compté.
names |  | Les noms de ce qui a été créé, cinquante au plus de chaque sorte.
ImportMapping.names |  | Ce qui a été décidé des noms proches de ceux de Ntalo.
names.markets | ["Kadutu"] | Les marchés.
names.categories | ["Céréales"] | Les catégories.
names.types | ["Riz"] | Les types de produits.
names.brands | ["Simba"] | Les marques.
names.products | ["Riz local blanchi"] | Les produits.
rejectedKept | 8 | Lignes rejetées que l’on peut télécharger.
currencies |  | Les devises qui ne sont ni CDF ni USD, et leurs lignes.
currencies.code | "EUR" | Code de la devise, en trois lettres.
questions |  | Les noms dont il faut décider avant de prendre leurs lignes.
subject | "market" | Sujet.
messages.subject | "Devenir Partenaire" | Sujet du message, null sans sujet.
ContactMessageBody.subject | "Devenir Partenaire" | Sujet du message, null sans sujet.
MessageBody.subject | "Devenir Partenaire" | Sujet du message, null sans sujet.
questions.subject | "market" | De quoi c’est le nom, un marché ou un produit.
candidates |  | Les noms les plus proches dans Ntalo.
currencyMap | {"EUR": "USD"} | Comment lire les devises étrangères, chacune comme CDF ou USD.
fields | {"priceValue": {"column": "Prix"}} | D’où vient chaque champ d’une ligne.
column | "Prix" | Titre de la colonne.
isGrouped | false | Une cellule vide vaut celle d’au-dessus.
fields.value | "Kadutu" | La même valeur pour toutes les lignes.
inTitles | true | Les titres de colonnes qui portent ce champ.
decimal | "auto" | Signe des décimales.
dateOrder | "auto" | Ordre du jour et du mois dans les dates.
titles | ["Date", "Produit", "Prix"] | Les titres des colonnes auxquels elle s’applique.
ImportMapping.name | "Fichier du fournisseur" | Nom de la correspondance, null pour ne pas l’enregistrer.
import-mappings.name | "Fichier du fournisseur" | Nom de la correspondance.
ImportMappingName.name | "Fichier du fournisseur" | Nom de la correspondance.

text | "Bonjour, vos prix de Goma m’intéressent." | Le message.
messages.name | "Awa Mbala" | Nom complet.
ContactMessageBody.name | "Awa Mbala" | Nom complet.
MessageBody.name | "Awa Mbala" | Nom complet.
ContactMessageBody.message | "Bonjour, vos prix de Goma m’intéressent." | Le message.
website | null | À laisser vide.
isHandled | true | L’équipe a répondu, ou rien n’est à répondre.
?isHandled | "false" | Vrai pour les messages traités, faux pour les autres.
isNoted | false | Un message dit de vive voix, noté par l’équipe.
filters | {"period": "30d"} | Les filtres de la page.
action | "update" | Ce qui a été fait.
?action | "update" | Les entrées de cette action seulement.
entity | "price" | Sorte de chose changée.
?entity | "price" | Les entrées de cette sorte seulement.
entityId | 299872 | Identifiant de la chose changée, null sans elle.
?entityId | 299872 | Les entrées de cette chose seulement.
getJournal?userId | 4 | Les entrées de ce compte seulement.
before | {"priceValue": 3000} | Les valeurs d’avant.
after | {"priceValue": 3100} | Les valeurs d’après.
at |  | Instant.
last |  | La dernière vérification, null s’il n’y en a pas eu.
links | 18250 | Entrées vérifiées.
erased | 0 | Entrées dont les données personnelles ont été effacées.
fault | null | Ce qui ne va pas, null si tout est en ordre.
entryId | null | L’entrée où cela ne va pas, null si tout est en ordre.
head | "9f2c4e" | Empreinte de la dernière entrée.

error | "Requête invalide" | Titre court du refus, en français.
Problem.code | "invalid" | Code stable du refus, d’une liste fermée.
Problem.message | "Une valeur n’est pas admise." | Phrase en français pour une personne.
Problem.errors |  | Les champs refusés et pourquoi, vide quand aucun champ n’est en cause.
field | "priceValue" | Nom du champ refusé.
errors.message | "Nombre attendu" | La raison, en français.
requestId | "6f1d2c0a-6f5e-4a8e-9d5b-3f6f0f6a1b2c" | Identifiant de la demande, à citer au support.
getHealth.status | "ok" | État du service.
failingJobs | [] | Travaux qui échouent en ce moment.
getPermissions.permissions | | Les permissions de la page, par ordre alphabétique.
UserFigures.users | 240 | Nombre de comptes.
getSubscriptionsSubscribers.name | "Awa Mbala" | Nom de la personne.
getRoot.name | "Ntalo" | Nom du service.
time |  | Heure du serveur, en UTC.
documentation | "/api/openapi.json" | Où trouver la description de l’API.

url | "https://exemple.cd/ntalo" | Adresse https qui reçoit les messages.
events | ["price.created"] | Les événements dont elle est avertie.
Webhook.isActive | true | Les messages sont envoyés.
webhooks.isActive | true | Les messages sont envoyés.
NewWebhook.isActive | true | Les messages sont envoyés.
RenewedWebhook.isActive | true | Les messages sont envoyés.
WebhookChange.isActive | false | Faux pour ne plus rien envoyer, vrai pour recommencer.
disabledBecause | null | Pourquoi rien n’est envoyé, null quand les messages partent.
disabledAt | null | Depuis quand rien n’est envoyé, null quand les messages partent.
failingSince | null | Depuis quand l’adresse ne répond plus, null quand elle répond.
lastDoneAt |  | Dernier message accepté, null s’il n’y en a pas.
Webhook.waiting | 0 | Messages qui attendent un nouvel essai.
webhooks.waiting | 0 | Messages qui attendent un nouvel essai.
NewWebhook.waiting | 0 | Messages qui attendent un nouvel essai.
RenewedWebhook.waiting | 0 | Messages qui attendent un nouvel essai.
NewWebhook.secret | "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" | Secret des signatures, donné cette seule fois.
RenewedWebhook.secret | "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" | Secret des signatures, donné cette seule fois.
messageId | "msg_2Lq8Zt0K" | Identifiant du message, celui de l’en-tête webhook-id.
event | "price.created" | Événement dont parle le message.
attempts | 1 | Essais déjà faits, dix au plus.
dueAt | null | Prochain essai, null s’il n’y en a pas.
attemptedAt |  | Dernier essai, null s’il n’y en a pas eu.
durationMs | 84 | Durée de la réponse en millisecondes, null sans réponse.
WebhookDelivery.status | 200 | Statut HTTP de la réponse, null sans réponse.
WebhookDelivery.state | "done" | Où en est le message.
WebhookDelivery.failure | null | Pourquoi il n’y a pas de réponse, null sinon.
request | "{\\"type\\":\\"price.created\\"}" | Le corps envoyé.
answer | "ok" | Le début de la réponse, null sans réponse.
deliveryId | 51 | Message à rejouer. Sans lui, tous ceux qui ne sont pas arrivés.
#webhooks | | Webhooks.
#editions | | Éditions mensuelles des données.

#root | | Version de l’API.
#health | | État du service.
#auth | | Connexion, compte et sessions.
#series | | Séries, un produit dans un marché.
#brands | | Marques.
#categories | | Catégories de produits.
#product-types | | Types de produits.
#products | | Produits.
#markets | | Marchés.
#exchange-rates | | Taux de change.
#prices | | Prix relevés.
#statistics | | Statistiques, indices, inflation et carte.
#public | | Ce que tout le monde peut lire.
#views | | Vues enregistrées.
#keys | | Clés de l’API.
#usage | | Utilisation des clés.
#type-weights | | Pondérations des types de produits.
#published-inflation | | Chiffres publiés par d’autres.
#contact | | Message à l’équipe.
#messages | | Messages reçus.
#plans | | Plans d’abonnement.
#subscriptions | | Abonnements.
#payments | | Paiements.
#import-mappings | | Correspondances de colonnes.
#imports | | Imports de fichiers.
#users | | Comptes.
#journal | | Journal d’audit.
#roles | | Rôles.
#permissions | | Permissions.
#agents | | Agents de collecte.
`
