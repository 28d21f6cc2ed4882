/** Descriptions, in the format of `catalogueWords`, for reports composed of blocks. */
export const reportWords = `
#reports |  | Ses rapports, composés de blocs, et leurs éditions.
reports.title | "Bulletin de Goma" | Titre du rapport.
Report.title | "Bulletin de Goma" | Titre du rapport.
ReportBody.title | "Bulletin de Goma" | Titre du rapport.
ReportChange.title | "Bulletin de Goma" | Titre du rapport.
ReportPreviewBody.title | "Bulletin de Goma" | Titre du rapport.
blocks | [{"kind": "table", "title": null, "selection": {"marketId": 3}, "period": null, "text": null}] | Les blocs, dans l’ordre de la page.
ReportBlockBody.kind | "table" | Chiffres clés (figures), courbe (chart), tableau des prix (table), carte (map), comparaison (comparison), texte (text) ou encadré de méthode (method).
ReportBlock.kind | "table" | Chiffres clés (figures), courbe (chart), tableau des prix (table), carte (map), comparaison (comparison), texte (text) ou encadré de méthode (method).
ReportBlockBody.title | "Le riz à Goma" | Titre du bloc, le nom de sa sorte sans lui.
ReportBlock.title | "Le riz à Goma" | Titre du bloc, null pour le nom de sa sorte.
ReportBlockBody.text | "Le riz monte depuis octobre." | Les mots d’un bloc de texte.
ReportBlock.text | null | Les mots d’un bloc de texte.
selection | {"productId": 12, "marketId": 3} | Filtres des prix du bloc, tous les prix sans aucun.
ReportBlockBody.period | "1y" | Jours du bloc, jusqu’à celui de l’édition. Sans elle, 30d, ou 1y d’une courbe et d’une comparaison.
ReportBlock.period | "1y" | Jours du bloc, null pour ceux de sa sorte.
schedule | {"frequency": "monthly", "day": 1, "hour": 7, "skipsUnchanged": true} | Quand le rapport part de lui-même, null s’il ne part que sur demande.
frequency | "monthly" | Chaque semaine ou chaque mois.
ReportScheduleBody.day | 1 | Jour de la semaine, 1 pour lundi, ou du mois, de 1 à 28.
ReportSchedule.day | 1 | Jour de la semaine, 1 pour lundi, ou du mois, de 1 à 28.
hour | 7 | Heure de Kinshasa, de 0 à 23.
skipsUnchanged | true | Rien ne part quand il n’y a aucun relevé nouveau dans ses sélections.
nextAt | "2026-12-01T06:00:00.000Z" | Prochain départ, null sans envoi automatique.
ReportBody.recipients | ["awa@exemple.cd"] | Ceux à qui le rapport est envoyé, une fois qu’ils l’ont confirmé.
ReportChange.recipients | ["awa@exemple.cd"] | Ceux à qui le rapport est envoyé, une fois qu’ils l’ont confirmé.
reports.recipients |  | Les destinataires, et ce qu’ils ont répondu.
Report.recipients |  | Les destinataires, et ce qu’ils ont répondu.
ReportRecipient.state | "confirmed" | Pas encore confirmé (waiting), confirmé (confirmed), ou n’en veut plus (left).
lastIssue |  | Comment la dernière édition a fini, null avant la première.
plannedAt | "2026-11-01T06:00:00.000Z" | Instant pour lequel l’édition est faite.
ReportIssue.madeAt | "2026-11-01T06:00:04.000Z" | Instant de ses chiffres, null avant.
reports.state | "planned" | Prévue (planned), faite (made), envoyée (sent), sautée (skipped) ou manquée (failed).
ReportIssue.state | "sent" | Prévue (planned), faite (made), envoyée (sent), sautée (skipped) ou manquée (failed).
lastIssue.state | "sent" | Prévue (planned), faite (made), envoyée (sent), sautée (skipped) ou manquée (failed).
reports.reason | null | Pourquoi l’édition a été sautée, ou a manqué.
ReportIssue.reason | null | Pourquoi l’édition a été sautée, ou a manqué.
lastIssue.reason | null | Pourquoi l’édition a été sautée, ou a manqué.
isScheduled | true | L’édition est partie d’elle-même.
reports.url | null | Sa page, que lit quiconque en a l’adresse, null avant qu’elle soit faite.
ReportIssue.url | "https://ntalo.cd/bulletins/3f…" | Sa page, que lit quiconque en a l’adresse, null avant qu’elle soit faite.
reports.files |  | Ses fichiers, en PDF et en classeur.
ReportIssue.files |  | Ses fichiers, en PDF et en classeur.
files.url | "https://ntalo.cd/api/reports/issues/3f…/file?fileFormat=pdf" | Où le fichier se trouve.
files.bytes | 69120 | Taille du fichier en octets.
files.sha256 | "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" | Empreinte SHA-256 du fichier.
deliveries |  | Comment ses e-mails ont fini.
deliveries.sent | 3 | E-mails que le serveur de courrier a pris.
deliveries.waiting | 0 | E-mails qui attendent.
deliveries.refused | 0 | E-mails refusés.
deliveries.expired | 0 | E-mails abandonnés, le serveur de courrier n’ayant pas répondu en cinq jours.
deliveries.unknown | 0 | E-mails dont nul ne sait s’ils sont arrivés, jamais renvoyés.
ReportIssueBody.to | "recipients" | Qui reçoit l’édition, les destinataires confirmés (recipients), soi seul (owner) ou personne (nobody).
content |  | La page, section par section.
`
