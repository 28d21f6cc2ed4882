type Good = { productId: number; quotesWanted?: number | null | undefined }

/** Returns whether two lists want the same quotes of the same goods, in any order. */
export function isSameList(one: readonly Good[], other: readonly Good[]): boolean {
  const told = (goods: readonly Good[]) =>
    [...new Set(goods.map(({ productId, quotesWanted }) => `${productId} ${quotesWanted ?? 1}`))]
      .sort()
      .join()
  return told(one) === told(other)
}
