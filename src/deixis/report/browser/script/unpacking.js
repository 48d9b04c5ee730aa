// From the letters in the page to the trials.

const bytesOf = letters => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(letters);
  const text = atob(letters), bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
};

const unpacked = async letters => {
  const stream = new Blob([bytesOf(letters)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};
