import { useEffect, useRef, useState } from 'preact/hooks';
import type { PhotoRun, Remote } from 'bitexact';
import type { Cursor } from '../../lib/cursor.ts';
import type { Task } from '../../lib/task.ts';
import { explain, type Explanation } from './explanation.ts';

export interface Question {
  readonly run: Remote<PhotoRun>;
  readonly task: Task;
  readonly cursor: Cursor;
  readonly plane: number;
  readonly pick: number | undefined;
}

/** One question is asked at a time; of those that come meanwhile, only the newest is kept. */
export function useExplanation(question: Question | undefined): Explanation | undefined {
  const [answer, setAnswer] = useState<Explanation>();
  const waiting = useRef<Question>();
  const asking = useRef(false);
  useEffect(() => {
    waiting.current = question;
    if (asking.current) return;
    const ask = async () => {
      asking.current = true;
      for (let q = waiting.current; q; q = waiting.current) {
        waiting.current = undefined;
        // A run that was given up meanwhile no longer answers.
        const a = await explain(q.run, q.task, q.cursor, q.plane, q.pick).catch(() => undefined);
        if (a) setAnswer(a);
      }
      asking.current = false;
    };
    void ask();
  }, [question?.run, question?.cursor, question?.plane, question?.pick]);
  return answer;
}
