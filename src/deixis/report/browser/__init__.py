"""The trial browser of the report page: every answer beside its trial, picture and prompt, without a server."""
