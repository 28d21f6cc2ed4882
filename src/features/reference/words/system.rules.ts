/** Descriptions, in the format of `catalogueWords`, for the state of the platform. */
export const systemWords = `
getReady.status | "ready" | Le processus peut servir.
getSystem.at | "2026-11-26T08:00:00.000Z" | Instant de la mesure.
measures |  | Les mesures.
measures.name | "jobs_late_seconds" | Nom de la mesure, celui de Prometheus sans le préfixe ntalo.
measures.title | "Retard des travaux de fond" | Nom français de la mesure.
measures.unit | "seconds" | Unité, secondes, octets ou nombre.
measures.value | 0.4 | Valeur, null si elle n’a pas pu être mesurée.
isAlarming | false | La mesure passe son seuil, il y a quelque chose à faire.
advice | "Vérifiez qu’un processus a JOBS=on." | Ce qu’il faut faire quand elle alarme.
#system | | État du système, pour ceux qui l’exploitent.
#ready | | Prêt à servir.
`
