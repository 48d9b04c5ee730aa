"""Drawing: from what a picture shows to SVG, in pieces that know their place."""
