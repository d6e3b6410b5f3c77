"""The report that a maker reads: pictures, sentences, what to do next."""
