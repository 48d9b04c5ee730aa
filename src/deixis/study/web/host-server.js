"use strict";
/** The host `deixis study serve`: every call is a request to the server that sent the page. */
(function () {
  const PATIENCE = 15000;
  const base = new URL("../", window.location.href); // the page is …/run/TOKEN
  const token = window.location.pathname.split("/").pop();
  let page = "";

  function failure(message, kind) {
    const error = new Error(message);
    if (kind) error[kind] = true;
    return error;
  }

  /** Resolves to [status, body]; rejects where nothing came back, or nothing that says anything. */
  async function post(name, body, keepalive) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE);
    let response, answer;
    try {
      response = await fetch(new URL(`api/${token}/${name}`, base), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ page, ...body }),
        cache: "no-store",
        credentials: "same-origin",
        keepalive: Boolean(keepalive),
        signal: patience.signal,
      });
      answer = await response.json().catch(() => ({}));
    } finally {
      clearTimeout(timer);
    }
    const { status } = response;
    if (status === 200 || status === 409 || (status === 410 && answer.phase)) return [status, answer];
    if (status === 400 || status === 413 || status === 422) throw failure(answer.error || String(status), "refuses");
    if ([401, 403, 404, 410].includes(status)) throw failure(answer.error || String(status), "ends");
    throw failure(`the server answered ${status}`);
  }

  async function state(name, body) {
    const [status, answer] = await post(name, body);
    if (!answer.phase && status === 409) return { phase: "elsewhere" };
    for (const item of answer.timeline || []) {
      if (item.picture) item.picture = new URL(item.picture.replace(/^\//, ""), base).href;
    }
    return answer;
  }

  window.deixisHost = {
    name: token,
    arrive: (visit) => (page = visit.page),
    state: (visit) => state("state", visit),
    step: (name) => state("step", { step: name, client_ms: Date.now() }),
    async answers(answers) {
      const [status, answer] = await post("answers", { answers }, true);
      return { stored: answer.stored || [], refused: answer.refused || {}, elsewhere: status === 409 };
    },
    leave: (remove) => state("leave", { delete: remove }),
    events: (events) => post("event", { events }, true),
  };
})();
