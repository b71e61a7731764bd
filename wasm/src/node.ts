/** Whether this is Node, or something that has its modules. */
export const inNode = typeof process === 'object' && typeof process.versions?.node === 'string';

/** One of Node's own modules. The name is a variable, and the comments are there, so that bundlers for browsers leave it alone. */
export function nodeModule<T>(name: string): Promise<T> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name) as Promise<T>;
}

const here = import.meta.url;

/** A file beside this module, for Node alone: bundlers, which look for `new URL(name, import.meta.url)`, do not see it. */
export function siblingFile(name: string): URL {
  return new URL(name, here);
}
