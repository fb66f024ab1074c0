/** One enumeration; `Name` are the names of its values. */
export interface Enumeration<Name extends string = string> {
  readonly about: string
  /** Names and numbers, in the order of the numbers. */
  readonly values: Readonly<Record<Name, number>>
  /** What a value means where its name does not tell. */
  readonly meanings?: Readonly<Partial<Record<NoInfer<Name>, string>>>
  /** Values that stand for "none" in a field that cannot be empty. */
  readonly sentinels?: readonly NoInfer<Name>[]
  /** Values that are no longer sent, each with the one that took its place. */
  readonly deprecated?: Readonly<Partial<Record<NoInfer<Name>, NoInfer<Name>>>>
  /** What stands in front of every name on the wire. */
  readonly prefix?: string
  /** How values are written in answers and filters, where not by name. */
  readonly shown?: Readonly<Record<NoInfer<Name>, string>>
}

/** Keeps the names of the values in the type. */
export const enumeration = <Name extends string>(of: Enumeration<Name>): Enumeration<Name> => of

/** How values are written in answers and filters, in the order of their numbers unless `names` picks some. */
export const shownValues = <Name extends string>(
  { values, shown }: Enumeration<Name>,
  names: readonly NoInfer<Name>[] = Object.keys(values) as Name[],
): string[] => names.map(name => shown?.[name] ?? name)
