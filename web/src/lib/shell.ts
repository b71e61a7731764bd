/** A word as a POSIX shell takes it. */
export const quote = (text: string) => (/^[\w.,:/=@%+-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A file's name as an argument that is no option. */
export const fileArgument = (name: string) => quote(name.startsWith('-') ? `./${name}` : name);
