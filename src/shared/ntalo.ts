// What Ntalo says of itself, wherever it does.

export const purpose = 'les prix des marchés de la République démocratique du Congo'

export const promise = 'Les prix des marchés de la RDC, relevés, vérifiés, expliqués.'
