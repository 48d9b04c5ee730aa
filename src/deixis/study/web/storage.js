"use strict";
/**
 * What this browser keeps for one session. Everything has the session's name before it, so that two studies or two
 * people on one device never meet. Where the browser keeps nothing (private windows, a full disk), memory does.
 */
(function () {
  const deixis = (window.deixis = window.deixis || {});

  /** Return the store of a session: get, put, remove, keys; `lasting` tells whether it outlives the page. */
  deixis.storage = function (session) {
    const start = `deixis:${session}:`;
    const memory = new Map();
    const store = {
      lasting: true,
      start,
      get(key) {
        if (memory.has(key)) return memory.get(key);
        try {
          return window.localStorage.getItem(start + key);
        } catch (error) {
          return null;
        }
      },
      put(key, text) {
        try {
          window.localStorage.setItem(start + key, text);
          memory.delete(key);
        } catch (error) {
          store.lasting = false;
          memory.set(key, text);
        }
      },
      remove(key) {
        memory.delete(key);
        try {
          window.localStorage.removeItem(start + key);
        } catch (error) {
          // There is nothing to remove where nothing is kept.
        }
      },
      /** The keys that begin with a text, without the session's name. */
      keys(prefix) {
        const found = new Set([...memory.keys()].filter((key) => key.startsWith(prefix)));
        try {
          for (let i = 0; i < window.localStorage.length; i += 1) {
            const key = window.localStorage.key(i);
            if (key.startsWith(start + prefix)) found.add(key.slice(start.length));
          }
        } catch (error) {
          store.lasting = false;
        }
        return [...found].sort();
      },
    };
    store.put("kept", "yes");
    return store;
  };

  /** Return letters that nobody guesses; unlike randomUUID it also works where a lab serves plain http. */
  deixis.random = function (length, letters) {
    const set = letters || "abcdefghijkmnpqrstuvwxyz23456789";
    const numbers = window.crypto.getRandomValues(new Uint32Array(length));
    return Array.from(numbers, (number) => set[number % set.length]).join("");
  };
})();
