"""Serves the environments of Gymnasium to Quantail, a reinforcement-learning library for Java."""

__version__ = "0.2.0"
