"use strict";
/**
 * Answers that are not yet known to be stored. An answer is written here first, then sent; it is removed only when the
 * other side names it. Each answer has a place of its own, so that two windows never overwrite one another's.
 */
(function () {
  const deixis = (window.deixis = window.deixis || {});
  const WAITS = [250, 500, 1000, 2000, 4000, 8000];
  const MOST = 64;
  const BYTES = 48000; // what is sent with keepalive may be 64 kB together

  /** Wait, but no longer than until the connection comes back. */
  deixis.pause = (milliseconds) =>
    new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        window.removeEventListener("online", go);
        resolve();
      };
      const timer = setTimeout(go, milliseconds);
      window.addEventListener("online", go);
    });

  /** Return how long to wait after so many failures in a row: .25 to 8 seconds. */
  deixis.waitAfter = (failures) => WAITS[Math.min(failures, WAITS.length) - 1];

  /**
   * Return the outbox of a session.
   *
   * `send(answers)` resolves to {stored: [key], refused: {key: reason}, elsewhere: bool}; it rejects where nothing is
   * known of them: with `refuses` set where what was sent can never be taken, with `ends` set where nothing will be
   * taken any more. `changed(outbox)` is called after every change, `refused(key, reason)` for each refusal,
   * `stopped(result)` when another page owns the session or it has ended.
   */
  deixis.outbox = function (store, send, { changed, refused, stopped } = {}) {
    let running = null;
    let open = true;
    const box = {
      failures: 0,
      get waiting() {
        return store.keys("answer:").map((key) => key.slice("answer:".length));
      },
      /** Keep an answer and begin to send it; the first answer to a trial stays. */
      put(answer) {
        if (store.get(`answer:${answer.key}`) === null) store.put(`answer:${answer.key}`, JSON.stringify(answer));
        if (changed) changed(box);
        box.flush();
      },
      /** Forget what has not been sent: only for somebody who wants it deleted. */
      empty() {
        for (const key of box.waiting) store.remove(`answer:${key}`);
        if (changed) changed(box);
      },
      /** Send what waits, again and again until nothing does; return when that is so, or when nothing more is taken. */
      flush() {
        if (!running) running = work(Infinity).finally(() => (running = null));
        return running;
      },
      /** Send what waits, once. */
      attempt() {
        return running || (running = work(1).finally(() => (running = null)));
      },
      /** Send nothing any more: another page does. */
      close() {
        open = false;
      },
    };

    function batch() {
      const answers = [];
      let bytes = 0;
      for (const key of box.waiting) {
        const text = store.get(`answer:${key}`);
        if (text === null) continue;
        bytes += text.length * 2;
        if (answers.length && (answers.length >= MOST || bytes > BYTES)) break;
        answers.push(JSON.parse(text));
      }
      return answers;
    }

    function take(result) {
      for (const key of result.stored || []) store.remove(`answer:${key}`);
      for (const [key, reason] of Object.entries(result.refused || {})) {
        store.remove(`answer:${key}`);
        if (refused) refused(key, reason);
      }
    }

    /** One by one, so that an answer that cannot be taken never holds up the others. */
    async function singly(answers) {
      for (const answer of answers) {
        try {
          take(await send([answer]));
        } catch (error) {
          if (!error.refuses) throw error;
          take({ refused: { [answer.key]: String(error.message) } });
        }
      }
    }

    function stop(result) {
      open = false;
      if (stopped) stopped(result);
    }

    async function work(tries) {
      for (let tried = 0; open && box.waiting.length && tried < tries; tried += 1) {
        const answers = batch();
        const before = box.waiting.length;
        try {
          const result = await send(answers);
          take(result);
          box.failures = box.waiting.length < before ? 0 : box.failures + 1;
          if (result.elsewhere && tries === Infinity) stop(result);
        } catch (error) {
          box.failures += 1;
          if (error.refuses) {
            await singly(answers).then(() => (box.failures = 0), () => undefined);
          } else if (error.ends && tries === Infinity) {
            stop({ ends: true });
          }
        }
        if (changed) changed(box);
        if (open && box.failures && tried + 1 < tries) await deixis.pause(deixis.waitAfter(box.failures));
      }
    }

    window.addEventListener("online", () => box.flush());
    document.addEventListener("visibilitychange", () => box.flush());
    window.addEventListener("pagehide", () => box.flush());
    return box;
  };
})();
