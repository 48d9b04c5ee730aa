"use strict";
/**
 * What comes next, worked out in the page itself, for hosts without a server of ours: the same phases, the same order
 * of parts and the same answers to the same calls. What a server can promise and this cannot: that the code is held
 * back until everything is stored, and that lists stay balanced when people leave.
 *
 * What is kept are lines of JSON: {"type": "session", …} at consent and, with its arm, after the practice (the last
 * one counts), one {"type": "answer", …} an answer, and {"type": "end", "phase": …} at the end. A line
 * {"type": "withdrawn", …} says that everything before it is to be thrown away.
 */
(function () {
  const deixis = (window.deixis = window.deixis || {});
  const CODE = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
  const ENDED = ["done", "declined", "left", "withdrawn"];

  /** Return a source of numbers in 0..1 that a seed determines (xorshift with a multiplication). */
  function numbers(seed) {
    let state = seed >>> 0 || 1;
    return () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      state >>>= 0;
      return (Math.imul(state, 0x9e3779b1) >>> 0) / 4294967296;
    };
  }

  function shuffled(list, random) {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1));
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }

  /** The attention checks stand at fixed places of a block: two of them after a third and two thirds. */
  function withChecks(keys, checks) {
    const out = [...keys];
    checks.forEach((check, i) => out.splice(Math.round((keys.length * (i + 1)) / (checks.length + 1)) + i, 0, check));
    return out;
  }

  /** Every list with every order of blocks. */
  deixis.arms = function (manifest) {
    const orders = Object.keys(manifest.orders);
    return Object.keys(manifest.lists).flatMap((list) =>
      orders.map((order) => ({ id: orders.length > 1 ? `${list}/${order}` : list, list, order })));
  };

  function newSession() {
    return {
      code: deixis.random(10, CODE),
      seed: window.crypto.getRandomValues(new Uint32Array(1))[0],
      phase: "consent", arm: null, started: new Date().toISOString(), answered: {},
    };
  }

  /**
   * Return a host without a server.
   *
   * `load()` and `save(session)` keep the session (promises or values); `sink(lines)` takes lines of results and
   * resolves when they are safe; `choose(arms)` returns the place of an arm, at random where it is missing;
   * `stepped(phase)` is told of every new phase before the page goes on.
   */
  deixis.localHost = function ({ manifest, load, save, sink, choose, stepped, ...more }) {
    let session = null;
    const info = manifest.host || {};

    const arms = deixis.arms(manifest);
    const arm = () => arms.find((one) => one.id === session.arm);
    const blocks = () => manifest.orders[(arm() || arms[0]).order];

    const about = () => ({
      type: "session", code: session.code, arm: session.arm, study: manifest.study,
      design_sha256: manifest.design_sha256, started: session.started, seed: session.seed,
    });

    /** The trials and checks of this person in their order: [block, key, part]. */
    function trials() {
      const random = numbers(session.seed);
      return blocks().flatMap((block) => {
        const checks = manifest.blocks[block].checks || [];
        const keys = withChecks(shuffled(manifest.lists[arm().list][block] || [], random), checks);
        return keys.map((key) => [block, key, checks.includes(key) ? "check" : "trial"]);
      });
    }

    function item(block, key, part, order) {
      const { picture, ...stimulus } = manifest.stimuli[key];
      return {
        ...stimulus, type: "trial", key, part, block, order, presentation: 1,
        prompt: stimulus.prompt || manifest.blocks[block].prompt, picture: picture ? `pictures/${picture}` : null,
      };
    }

    const instructions = (block) => ({ type: "instructions", block, html: manifest.blocks[block].instructions });
    const open = (key) => !session.answered[key];
    const practice = (block) => (manifest.blocks[block].practice || []).filter(open)
      .map((key) => item(block, key, "practice", manifest.blocks[block].practice.indexOf(key) + 1));

    function timeline() {
      if (session.phase === "consent") return [{ type: "consent", html: manifest.consent }];
      if (session.phase === "practice") return [instructions(blocks()[0]), ...practice(blocks()[0])];
      if (session.phase === "debriefing") return [{ type: "debriefing", html: manifest.debriefing }];
      if (session.phase !== "trials") return [];
      const all = trials().map(([block, key, part], place) => item(block, key, part, place + 1));
      return blocks().flatMap((block, place) => {
        const own = all.filter((one) => one.block === block);
        const left = own.filter((one) => open(one.key));
        if (!left.length) return [];
        const begins = place > 0 && left.length === own.length;
        return [...(begins ? [instructions(block), ...practice(block)] : []), ...left];
      });
    }

    const NEXT = { consent: "consent", practice: "practised", trials: "finished", debriefing: "debriefed" };

    function state() {
      const count = arm() ? trials() : [];
      const total = count.length || blocks().reduce((sum, block) =>
        sum + Object.values(manifest.lists)[0][block].length + (manifest.blocks[block].checks || []).length, 0);
      return {
        phase: session.phase,
        code: session.phase === "consent" || session.phase === "declined" ? null : session.code,
        study: {
          title: manifest.title, minutes: manifest.minutes, language: manifest.language, ...manifest.study_info,
        },
        timeline: timeline(),
        next: NEXT[session.phase] || null,
        progress: { done: count.filter(([, key]) => !open(key)).length, total },
        blink: manifest.blink, scale: manifest.scale,
        ...(session.phase === "done" ? { complete: info.complete, completion_code: info.completion_code } : {}),
      };
    }

    async function become(phase, lines) {
      session.phase = phase;
      const type = phase === "withdrawn" ? "withdrawn" : "end";
      const ending = ENDED.includes(phase) ? [{ type, code: session.code, phase, ended: new Date().toISOString() }] : [];
      if (lines.length || ending.length) await sink([...lines, ...ending], session);
      await save(session);
      if (stepped) await stepped(phase, session);
      return state();
    }

    return {
      ...more,
      async begin() {
        session = (await load()) || newSession();
        await save(session);
        return session;
      },
      state: async () => state(),
      async step(name) {
        if (session.phase === "consent" && name === "decline") return become("declined", []);
        if (NEXT[session.phase] !== name) return state();
        if (name === "consent") return become("practice", [about()]);
        if (name === "practised") {
          const place = choose ? await choose(arms, session) : deixis.below(arms.length);
          session.arm = arms[place].id;
          return become("trials", [about()]);
        }
        if (name === "finished") return timeline().length ? state() : become("debriefing", []);
        return become("done", []);
      },
      async answers(answers) {
        const known = answers.filter((answer) => manifest.stimuli[answer.key]);
        const fresh = known.filter((answer) => open(answer.key));
        if (ENDED.includes(session.phase)) return { stored: [], refused: {}, elsewhere: false };
        if (fresh.length) await sink(fresh.map((answer) => ({ type: "answer", ...answer, server_at: null })), session);
        for (const answer of fresh) session.answered[answer.key] = 1;
        await save(session);
        const strange = answers.filter((answer) => !known.includes(answer)).map((answer) => [answer.key, "unknown"]);
        return { stored: known.map((answer) => answer.key), refused: Object.fromEntries(strange), elsewhere: false };
      },
      async leave(remove) {
        if (ENDED.includes(session.phase)) return state();
        return become(remove ? "withdrawn" : "left", []);
      },
      events: async () => undefined,
    };
  };

  /** Return a whole number below a limit, each equally often. */
  deixis.below = function (limit) {
    const range = Math.floor(4294967296 / limit) * limit;
    for (;;) {
      const number = window.crypto.getRandomValues(new Uint32Array(1))[0];
      if (number < range) return number % limit;
    }
  };

  /** Lines of results and sessions in this browser, by person, for hosts that keep them here. */
  deixis.shelf = function (study) {
    const store = deixis.storage(`shelf:${study}`);
    return {
      store,
      load: () => JSON.parse(store.get("session") || "null"),
      save: (session) => store.put("session", JSON.stringify(session)),
      add(lines, code) {
        const text = lines.map((line) => JSON.stringify(line) + "\n").join("");
        store.put(`lines:${code}`, (store.get(`lines:${code}`) || "") + text);
      },
      lines: (code) => store.get(`lines:${code}`) || "",
      people: () => store.keys("lines:").map((key) => key.slice("lines:".length)),
      erase: (code) => store.remove(`lines:${code}`),
      next: () => store.remove("session"),
    };
  };
})();
