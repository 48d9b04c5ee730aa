"use strict";
/** For hosts that take scripts only: pictures come from `window.deixisPictures`, address to data, not from the network. */
(function () {
  const deixis = window.deixis;
  const held = window.deixisPictures || {};
  const { picture, preload } = deixis;
  deixis.picture = (address) => picture(held[address] || address);
  deixis.preload = (addresses) => preload(addresses.map((address) => held[address] || address));
})();
