/** Descriptions, in the format of `catalogueWords`, for doubtful prices and their decisions. */
export const reviewWords = `
#reviews |  | Les prix à vérifier, et ce qui en a été décidé.
hasPhoto | false | L’agent a photographié le prix affiché ; ceux qui vérifient les prix voient cette photo.
isUnderReview | false | Le prix attend d’être vérifié, et n’est le dernier prix de personne.
Review.priceId | 900123 | Numéro du prix.
Review.reasons | [{"code": "outlier", "message": "28 000 FC, 10 fois le prix habituel."}] | Pourquoi il est douteux, le plus grave d’abord.
Review.state | "waiting" | À vérifier, ou renvoyé à son agent.
Review.usual | 2800 | Prix habituel en francs, null si rien n’est habituel.
likely | 2800 | Ce qui était sans doute voulu, null si rien ne le dit.
Review.comment | null | Pourquoi il a été renvoyé, null sinon.
dueOn | null | Jour jusqu’auquel l’agent répond.
isMaintained | false | L’agent a répondu que c’est bien ce prix.
Review.agent |  | L’agent qui l’a saisi, null sans compte.
confirmed | 12 | Prix douteux que d’autres relevés ont confirmés en sept jours.
reason | "outlier" | Un seul motif.
reasons.code | "outlier" | Prix inhabituel (outlier), dit absent par un autre (absent), loin du marché (far), visite trop rapide (fast) ou doublon (duplicate).
ReviewBody.decision | "correct" | Accepter, corriger, renvoyer ou écarter.
ReviewBody.reason | "Zéro de trop ?" | Pourquoi, pour l’agent et pour le journal.
ReviewBody.priceValue | 2800 | Le bon prix.
ReviewBody.currency | "CDF" | La devise du bon prix, celle du prix si elle manque.
ReviewDecision.priceId | 900123 | Numéro du prix, qui n’existe plus s’il a été écarté.
ReviewDecision.reasons | ["outlier"] | Pourquoi il était douteux.
ReviewDecision.state | "corrected" | Confirmé, accepté, corrigé, écarté ou supprimé.
ReviewDecision.comment | null | Ce qu’en a dit celui qui a décidé.
ReviewDecision.agent |  | L’agent qui l’a saisi, null sans compte.
newValue | 2800 | Le prix corrigé, null sinon.
newCurrency | "CDF" | Sa devise, null sinon.
decidedBy |  | Qui a décidé, null si personne.
decidedAt | "2026-11-26T09:30:00.000Z" | Quand.
`
