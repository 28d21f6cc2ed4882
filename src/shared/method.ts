/** The edition of the method that defines every figure, as a number and in words. */
export const methodNumber = 3
export const methodEdition = 'troisième édition'
