"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button"; button.textContent = head.textContent; head.textContent = ""; head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(h => h.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = row => { const c = row.cells[column]; return c.dataset.value ?? c.textContent.trim(); };
      const empty = v => v === "" || v === "–";
      const compare = (a, b) => {
        const x = value(a), y = value(b);
        if (empty(x) || empty(y)) return empty(x) - empty(y);
        const order = isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y;
        return down ? -order : order;
      };
      body.append(...[...body.rows].sort(compare));
    });
  });
}
const open = () => {  // a link into a folded part opens it
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target; fold; fold = fold.parentElement) if (fold.tagName === "DETAILS") fold.open = true;
  if (target) target.scrollIntoView();
};
addEventListener("hashchange", open);
if (location.hash && !location.hash.startsWith("#trial=")) open();
let folded = [];  // what is opened for paper is folded again afterwards
addEventListener("beforeprint", () => { folded = [...document.querySelectorAll("details.printed:not([open])")]; for (const fold of folded) fold.open = true; });
addEventListener("afterprint", () => { for (const fold of folded) fold.open = false; });
