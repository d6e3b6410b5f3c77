"""The report that a maker reads: pictures, sentences, and what to do next."""
