/** Ids of Google's tag. The alphabet cannot break out of an HTML attribute or a script. */
export const MEASUREMENT_ID = /^(G-[A-Z0-9]{4,20}|UA-\d{4,12}-\d{1,4}|(AW|GT)-[A-Z0-9]{4,20})$/

export const MEASUREMENT_ID_RULE = 'must be a measurement id such as G-ABC1234567.'
