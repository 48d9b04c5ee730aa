"""The server of a study: participants' pages, their answers, and the researcher's page."""
