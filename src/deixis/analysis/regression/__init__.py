"""Logistic regression: designs, separation and bias reduction, marginal means, contrasts, factorial analyses."""
