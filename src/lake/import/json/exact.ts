const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g

/** Long numbers become strings, because the engine would read them as doubles. */
export const exact = (record: string) =>
  /\d[\d.]{15}/.test(record)
    ? record.replaceAll(STRING_OR_NUMBER, found => (found.startsWith('"') ? found : `"${found}"`))
    : record
