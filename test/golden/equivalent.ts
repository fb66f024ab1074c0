/**
 * Mutations of templates that no answer can show, each with the reason why. The key is the template's name, a colon
 * and the mutation's.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {}
