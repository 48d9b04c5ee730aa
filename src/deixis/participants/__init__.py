"""Who answers: reference strategies and models, behind one protocol."""
