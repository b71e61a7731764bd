import { FIRST_MODEL, MODELS } from './models.ts';

export interface ModelLink {
  readonly model: string;
  /** Not checked: which samples there are depends on the model. */
  readonly sample?: string;
}

/** What a link's query asks for. */
export function readModelLink(search: string): ModelLink {
  const query = new URLSearchParams(search);
  const model = query.get('model') ?? '';
  return { model: Object.hasOwn(MODELS, model) ? model : FIRST_MODEL, sample: query.get('sample') ?? undefined };
}

/** Files of one's own cannot be linked to: the link is empty. */
export function writeModelLink(model: string | undefined, sample?: string): string {
  const query = new URLSearchParams({ ...(model && { model }), ...(sample && { sample }) });
  return model ? `?${query}` : '';
}
