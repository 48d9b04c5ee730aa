"use strict";
/** Every word that the page says of itself; what a study says stands in its own texts. `{name}` is filled in. */
(function () {
  const deixis = (window.deixis = window.deixis || {});

  deixis.texts = {
    "loading": "Loading the study…",
    "waiting.title": "One moment, please",
    "waiting.saving": "Your answers are being saved.",
    "waiting.offline": "There is no connection at the moment. Please leave this page open: it goes on by itself.",
    "waiting.picture": "The picture is being loaded…",

    "frame.progress": "Progress through the study",
    "frame.stop": "Stop taking part",
    "frame.code": "Your code: {code}",
    "frame.keys.off": "Turn number keys off",
    "frame.keys.on": "Turn number keys on",
    "banner.offline":
      "You are offline. Your answers are kept on this device and are sent when the connection is back.",
    "banner.unsaved": "This browser keeps nothing, so please leave this page open while you are offline.",

    "stop.title": "Stop taking part?",
    "stop.about": "You may stop at any time and need not say why.",
    "stop.keep.about": "Leave, and let the researchers use the answers you have given so far.",
    "stop.keep": "Leave and keep my answers",
    "stop.delete.about": "Leave, and have every answer of yours erased. This cannot be undone.",
    "stop.delete": "Leave and delete my answers",
    "stop.back": "Carry on with the study",

    "consent.title": "Before you start",
    "consent.agree": "I agree and take part",
    "consent.decline": "I do not want to take part",
    "instructions.title": "What to do",
    "instructions.next": "Continue",
    "debriefing.title": "Thank you",
    "debriefing.next": "Finish",

    "trial.practice": "Practice {number} of {total}",
    "trial.question": "Question {number} of {total}",
    "trial.options": "Your answer",
    "text.passage": "Text",
    "rating.scale": "1 = {low}, {points} = {high}",
    "rating.object": "Object {label}",
    "rating.value": "{label}: {value}",
    "rating.low": "{label}: {value}, {low}",
    "rating.high": "{label}: {value}, {high}",
    "rating.next": "Continue",
    "rating.missing": "Please choose a number for {labels}.",
    "list.and": "{first} and {last}",

    "done.title": "You have finished. Thank you!",
    "done.about": "All your answers have been saved.",
    "done.complete": "Confirm that you have finished",
    "done.complete.about": "Please follow this link, so that your place is counted:",
    "done.code": "Completion code: {code}",
    "done.close": "You may close this page now.",
    "declined.title": "You are not taking part",
    "declined.about": "That is all right. Nothing has been recorded. You may close this page now.",
    "full.title": "The study is full",
    "full.about":
      "Enough people have taken part by now, so there is no place left. We are sorry, and thank you for coming.",
    "left.title": "You have left the study",
    "left.about": "Thank you for your time. The answers that you gave are kept, as you wished.",
    "withdrawn.title": "You have left, and your answers are deleted",
    "withdrawn.about": "Every answer that you gave has been erased. Thank you for your time.",
    "closed.title": "This study is over",
    "closed.about": "It takes no more answers. Thank you for coming.",
    "elsewhere.title": "The study is open in another window",
    "elsewhere.about":
      "It goes on in the window that you opened last. Nothing is lost. If you cannot find it, you can go on here.",
    "elsewhere.here": "Go on here",
    "expired.title": "The time for this study has run out",
    "expired.about": "The answers that you gave are saved. Thank you for your time.",
    "device.title": "Please come back on another device",
    "device.about": "This study does not work well on the device you are using. Please open the same link on: {devices}.",
    "device.desktop": "a computer",
    "device.tablet": "a tablet",
    "device.phone": "a phone",
    "problem.title": "This did not work",
    "problem.about":
      "Your link is not known here. Please open the link that you were given once more, or write to the researchers.",
    "end.code":
      "Your code is {code}. Please keep it: with it you can ask at any time to have your answers deleted.",
    "end.contact": "Questions? Please write to {researcher}: {contact}",
    "end.return": "Return to where you came from",
    "end.save": "Save my answers as a file",
    "end.save.about": "Your answers are on this device only. Please save them and hand the file in.",
    "end.all": "Save the answers of all {count} people on this device",
    "end.again": "Start for the next person",
  };

  /** Return a text with its places filled in; a key without a text is shown as it is, so that it is noticed. */
  deixis.say = function (key, values) {
    const text = deixis.texts[key] === undefined ? key : deixis.texts[key];
    return text.replace(/\{(\w+)\}/g, (whole, name) =>
      values && values[name] !== undefined && values[name] !== null ? String(values[name]) : "");
  };

  /** Return "A, B and D". */
  deixis.list = function (words) {
    if (words.length < 2) return words.join("");
    const first = words.slice(0, -1).join(", ");
    return deixis.say("list.and", { first, last: words[words.length - 1] });
  };
})();
