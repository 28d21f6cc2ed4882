/** Descriptions, in the format of `catalogueWords`, for invoices, revenue and other accounting data. */
export const billingWords = `
#invoices |  | Factures et avoirs.
#transfers |  | Virements bancaires.
pageUrl | null | Page où la carte est demandée, null sans carte, avant son ouverture et une fois le paiement terminé.
card |  | Ce que prend la page de carte, null où aucune n’est configurée.
card.currencies | ["USD", "CDF"] | Devises acceptées.
PaymentLink.plan | "Professionnel" | Nom du plan.
data.expiresAt |  | Instant où le lien cesse de valoir.
PaymentLink.expiresAt |  | Instant où le lien cesse de valoir.
PaymentLinkBody.planId | 2 | Plan à faire payer.
LinkPayment.reference | "7d0f6c1e-93b1-4e0a-9a0c-4f6f0f9a2b11" | Ce par quoi la page du lien suit le paiement.
Transfer.reference | "VIR-000012" | Référence à indiquer sur le virement.
transfers.reference | "VIR-000012" | Référence à indiquer sur le virement.
received | 59 | Somme des virements enregistrés.
remaining | 0 | Ce qui manque encore.
Transfer.credit | 0 | Ce qui est reçu en trop.
transfers.credit | 0 | Ce qui est reçu en trop.
Transfer.state | "waiting" | Attendu (waiting), en partie reçu (partial) ou payé (paid).
transfers.state | "waiting" | Attendu (waiting), en partie reçu (partial) ou payé (paid).
isDeletable | true | Si aucun virement n’a jamais été enregistré, et qu’il peut donc être supprimé.
Transfer.paymentId | null | Identifiant du paiement, null tant que la somme n’est pas entière.
transfers.paymentId | null | Identifiant du paiement, null tant que la somme n’est pas entière.
bankReference | "BCDC-778812" | Référence du relevé de la banque.
isCancelled | false | Si une autre écriture l’annule.
TransferReceipt.amount | 590 | Somme reçue, négative quand elle en annule une autre.
TransferReceipt.reason | null | Motif de l’annulation, null d’une somme reçue.
receiptId | 7 | Identifiant du virement enregistré.
TransferCancellationBody.reason | "Enregistré pour un autre client" | Pourquoi il est annulé.
receivedOn | "2026-11-26" | Jour où la banque l’a reçu.
postPaymentsReconciliation?source | "pawapay" | De qui est le relevé\u00a0: pawapay, flexpay ou bank.
Difference.kind | "paid there" | En quoi nos écritures et le relevé diffèrent.
Difference.why | "Le relevé le dit payé, et il ne l’est pas ici." | Pourquoi c’est une différence, en une phrase.
Difference.action | "ask" | Interroger l’opérateur (ask), décider (decide), enregistrer le virement (record), chercher le client (attach), rattacher à un paiement (adopt), noter à rembourser (return) ou remboursé (returned), ou examiner (examine).
Difference.line |  | Ce que dit le relevé, null quand il ne dit rien.
line.number | 12 | Ligne du fichier, celle des titres étant la première.
differences |  | Les différences, les 500 premières au plus.
line.day | "2026-11-26" | Jour, à Kinshasa.
line.amount | "590" | Montant du relevé.
line.reference | "B-778812" | Référence que donne le relevé.
payment.client | "Awa Mbala" | Nom de l’abonné.
faults.number | 14 | Ligne du fichier.
line.label | "VIR ONG MAZAO" | Libellé de la banque, vide chez un opérateur.
Difference.payment |  | Notre paiement, null sans.
Difference.candidates |  | Nos paiements à régler du même numéro et du même montant, le plus proche d’abord.
Difference.stray |  | Ce qui est décidé de l’argent sans paiement, null sans.
line.key | "ordre-12" | Ce sous quoi une décision sur cette ligne est gardée.
line.phone | "243813456789" | Numéro du payeur, null quand le relevé ne le dit pas.
candidates.client | "Awa Mbala" | Nom de l’abonné.
provider | "pawapay" | L’opérateur\u00a0: pawapay ou flexpay.
StrayReceipt.reference | "ordre-12" | Nom que l’opérateur donne à la ligne de son relevé.
stray.reference | "ordre-12" | Nom que l’opérateur donne à la ligne de son relevé.
data.reference | "ordre-12" | Nom que l’opérateur donne à la ligne de son relevé.
StrayReceipt.state | "to_refund" | Rattaché à un paiement (attached), à rembourser (to_refund) ou remboursé (refunded).
StrayReceiptBody.reference | "ordre-12" | Nom que l’opérateur donne à la ligne de son relevé (line.key).
StrayReceiptBody.paymentId | null | Paiement que cet argent paie\u202f; absent pour le rembourser.
StrayReceiptBody.phone | "243813456789" | Numéro du payeur, celui du paiement.
StrayReceiptBody.note | "Client inconnu" | Ce que l’équipe en sait\u202f; obligatoire pour rembourser.
StrayRefundBody.note | "REMB-7" | Comment l’argent a été rendu.
Difference.transfer |  | Le virement attendu, null sans.
Reconciliation.read | 120 | Lignes lues.
Reconciliation.matched | 117 | Lignes qui concordent.
Reconciliation.ignored | 1 | Lignes sans objet\u00a0: sorties d’argent, paiements inachevés.
Reconciliation.from | "2026-11-01" | Premier jour du relevé.
Reconciliation.to | "2026-11-26" | Dernier jour du relevé.
Reconciliation.faults |  | Les 50 premières lignes qui ne se lisent pas.
Reconciliation.faultCount | 0 | Nombre de lignes qui ne se lisent pas.
AskProviderBody.reference | "ORDRE-12" | Nom que l’opérateur donne au paiement, s’il est connu.
getTransfers?state | "waiting" | Les virements attendus (waiting), reçus en partie (partial) ou payés (paid) seulement.
getTransfers?search | "VIR-000012" | Référence, client ou plan.
#organisation |  | Son organisation, ses membres et ses invitations.
seats | 5 | Places du plan, celle de qui paie comprise.
Organisation.plan | "Entreprise" | Plan de son propre abonnement, null sans.
organisation.plan | "Entreprise" | Plan de son propre abonnement, null sans.
Organisation.members |  | Membres et invitations, du premier arrivé au dernier.
Organisation.coming |  | Plan de moins de places qui suit, null sans.
coming.plan | "Professionnel" | Nom du plan qui suit.
coming.at | "2026-12-26T08:00:00.000Z" | Instant où il commence.
membership |  | Organisation dont on est membre, null sans.
owner | "ONG Mazao" | Qui a l’abonnement.
membership.plan | "Entreprise" | Plan de son abonnement, null quand aucun ne court.
acceptedAt | "2026-11-26T08:00:00.000Z" | Instant de l’acceptation, null sans.
isComprised | true | Si le plan comprend la place\u00a0: les derniers arrivés perdent la leur d’abord.
Organisation.invitations |  | Invitations adressées à l’adresse de son compte.
invitations.isExpired | false | Si elle n’est plus valable.
invitedAt | "2026-11-26T08:00:00.000Z" | Instant de l’invitation.
Seat.state | "active" | Invité (invited), invitation expirée (expired) ou membre (active).
Seat.name | "Awa Mbala" | Nom du membre, null tant que personne n’a accepté.
Seat.email | "awa@exemple.cd" | Adresse invitée.
InvitationBody.email | "awa@exemple.cd" | Adresse à inviter.
#billing-details |  | Coordonnées de facturation.
Invoice.number | "2026-000123" | Numéro, sans trou dans une année\u202f; d’un avoir, AV-2026-000004.
Invoice.kind | "invoice" | Facture (invoice) ou avoir (credit_note).
getInvoices?kind | "invoice" | Les factures, ou les avoirs, seulement.
getInvoicesExport?kind | "invoice" | Les factures, ou les avoirs, seulement.
?paymentId | 12 | Les pièces de ce paiement seulement.
corrects | null | Numéro de la facture qu’un avoir corrige, null d’une facture.
Invoice.paymentId | 12 | Identifiant du paiement.
client | "ONG Mazao" | À qui la pièce est faite.
vatAmount | 0 | TVA contenue dans le montant.
reference | "DEMO-00012345" | Référence du paiement, null sans.
issuedAt | "2026-11-26T08:00:00.000Z" | Instant de l’émission.
BillingDetails.name | "ONG Mazao" | À qui les factures sont faites.
BillingDetailsBody.name | "ONG Mazao" | À qui les factures sont faites.
billing-details.name | "ONG Mazao" | À qui les factures sont faites.
BillingDetails.address | "3, avenue du Lac, Goma" | Adresse de facturation, null sans.
BillingDetailsBody.address | "3, avenue du Lac, Goma" | Adresse de facturation.
billing-details.address | "3, avenue du Lac, Goma" | Adresse de facturation, null sans.
taxNumber | "A1234567B" | Numéro d’impôt, null sans.
getInvoices?plan | "Professionnel" | Les pièces de ce plan seulement, par son nom.
getInvoicesExport?plan | "Professionnel" | Les pièces de ce plan seulement, par son nom.
?month | "2026-11" | Mois de Kinshasa, aaaa-mm\u202f; celui-ci sans lui.
getPaymentsMineExport?year | 2026 | Année de Kinshasa, celle en cours sans elle.
Revenue.month | "2026-11" | Mois de Kinshasa.
Revenue.until | "2026-11-26T08:00:00.000Z" | Dernier instant compté\u00a0: la fin du mois, ou maintenant.
months |  | Les douze mois jusqu’à celui-ci, chaque devise à part.
months.received | 240 | Montant des factures émises.
months.receivedCount | 12 | Nombre de factures émises.
months.refunded | 19 | Montant des avoirs émis.
months.refundedCount | 1 | Nombre d’avoirs émis.
Revenue.waiting |  | Ce qui attend maintenant, par âge, le plus ancien d’abord.
waiting.age | "week" | Demandé aujourd’hui à Kinshasa (day), un à sept jours avant (week), plus tôt (older).
waiting.oldestAt | "2026-11-20T08:00:00.000Z" | Instant de la plus ancienne demande.
byPlan |  | Reçu dans le mois, par plan.
recurring |  | Revenu mensuel récurrent, au prix actuel des plans.
Revenue.active | 31 | Personnes dont une période payante court.
Revenue.running |  | Ces périodes, les 200 dernières commencées.
running.name | "Awa Mbala" | Nom de la personne.
running.at | "2026-11-12T08:00:00.000Z" | Début de la période.
running.amount | 19 | Ce que le plan rapporte en un mois.
lost.reasons |  | Nombre de personnes perdues par cause.
reasons.why | "not renewed" | Remboursé (refunded), résilié par lui (canceled), ou non renouvelé (not renewed).
Revenue.added |  | Personnes dont la première période payante commence dans le mois.
lost |  | Personnes dont la dernière période payante finit dans le mois.
added.rows |  | Les 200 plus récentes.
lost.rows |  | Les 200 plus récentes.
rows.at | "2026-11-12T08:00:00.000Z" | Début de la période, ou sa fin pour qui est perdu.
rows.why | "not renewed" | Remboursé (refunded), résilié par lui (canceled), ou non renouvelé (not renewed).
rows.reason | null | Motif du remboursement ou de la résiliation, null sans.
rows.name | "Awa Mbala" | Nom de la personne.
trials |  | Essais finis dans le mois.
trials.ended | 9 | Essais finis.
trials.converted | 4 | Ceux qu’une période payante a suivis dans les 30 jours.
`
