/** One enumeration; `Name` are the names of its values. */
export interface Enumeration<Name extends string = string> {
  readonly about: string
  /** Numbers by name, ascending. */
  readonly values: Readonly<Record<Name, number>>
  /** The meanings of values with names that are not clear. */
  readonly meanings?: Readonly<Partial<Record<NoInfer<Name>, string>>>
  /** Values that mean "none" in a field that cannot be empty. */
  readonly sentinels?: readonly NoInfer<Name>[]
  /** Values that are no longer sent, with their replacements. */
  readonly deprecated?: Readonly<Partial<Record<NoInfer<Name>, NoInfer<Name>>>>
  /** The prefix of every name on the wire. */
  readonly prefix?: string
  /** The text of values in responses and filters. Default: their names. */
  readonly shown?: Readonly<Record<NoInfer<Name>, string>>
}

/** Infers the type of an enumeration with its names. */
export const enumeration = <Name extends string>(of: Enumeration<Name>): Enumeration<Name> => of

/** The text of values in responses and filters. Default for `names`: all, by number. */
export const shownValues = <Name extends string>(
  { values, shown }: Enumeration<Name>,
  names: readonly NoInfer<Name>[] = Object.keys(values) as Name[],
): string[] => names.map(name => shown?.[name] ?? name)
